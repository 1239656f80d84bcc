"""`bystander calibrate`: learn a player's own cards from pictures of the keys' fronts and backs.

    bystander calibrate --from DIR [--profile P] [--json]

Nothing but the pictures is read, never their names: which key is which is told by the keyhole's
place and by the printed text where tesseract is installed. With `--json` one object:

    {"profile", "pictures", "keys", "fronts", "icons", "missing", "notes", "complete"}

Exit 0 when all keys and icons were learnt; 1 when some are missing (what was learnt is kept).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import MissingError, UsageError
from assistant.core.terms import ContentKind, Feature, Location
from assistant.present.words import listed

if TYPE_CHECKING:
    from assistant.vision.profile import CardProfile
    from assistant.vision.sighting import Picture


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `calibrate` to the command line."""
    parser = subparsers.add_parser("calibrate", help="learn your own cards from pictures of them")
    parser.add_argument(
        "--from", dest="source", metavar="DIR", help="folder of pictures of key fronts and backs"
    )
    parser.add_argument("--profile", metavar="P", help="folder to keep it in (default: yours)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn, keep the profile, print what was learnt; return 0, or 1 when something is missing.

    Raises:
        UsageError: no folder was named.
        MissingError: no picture, no key in any of them, or the profile cannot be kept.
    """
    from assistant.adapters.home import profile_folder
    from assistant.adapters.profiles import save_profile
    from assistant.adapters.tesseract import Tesseract
    from assistant.data import load_keys
    from calibration.learning import learn

    if args.source is None:
        raise UsageError("calibrate from what? name a folder of pictures: --from DIR")
    folder = Path(args.profile).expanduser() if args.profile else profile_folder()
    notes: list[str] = []
    pictures = _pictures(Path(args.source).expanduser(), notes)
    lesson = learn(pictures, load_keys(), Tesseract(notes.append).read_text)
    told = _told(lesson.profile)
    if not told["keys"]:
        raise MissingError(f"no location key was found in the {len(pictures)} pictures")
    save_profile(lesson.profile, folder)
    told = {"profile": str(folder), "pictures": len(pictures), **told}
    told["notes"] = [*lesson.notes, *notes]
    if args.json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("\n".join(_lines(told)))
    return 0 if told["complete"] else 1


def _pictures(folder: Path, notes: list[str]) -> list[Picture]:
    """Return the folder's pictures; one that cannot be read is noted and left out.

    Raises:
        MissingError: no picture in the folder can be read.
    """
    from assistant.adapters.pictures import open_picture, pictures_in

    pictures: list[Picture] = []
    for path in pictures_in(folder):
        try:
            pictures.append(open_picture(path).picture)
        except MissingError as error:
            notes.append(f"left out: {error}")
    if not pictures:
        raise MissingError(f"{folder}: none of the pictures can be read")
    return pictures


def _told(profile: CardProfile) -> dict[str, Any]:
    from assistant.vision.sighting import Side

    backs = [place for place in Location if profile.face(place, Side.BACK)]
    fronts = [place for place in Location if profile.face(place, Side.FRONT)]
    glyphs = {glyph.content.feature for glyph in profile.glyphs if _is_icon(glyph.content.kind)}
    icons = [feature for feature in Feature if feature in glyphs]
    missing = [f"back of {place.value}" for place in Location if place not in backs]
    missing += [f"icon {feature.value}" for feature in Feature if feature not in icons]
    return {
        "keys": [place.value for place in backs],
        "fronts": [place.value for place in fronts],
        "icons": [feature.value for feature in icons],
        "missing": missing,
        "notes": [],
        "complete": not missing,
    }


def _is_icon(kind: ContentKind) -> bool:
    return kind is ContentKind.ICON


def _lines(told: dict[str, Any]) -> list[str]:
    lines = [
        f"{told['pictures']} pictures; learnt:",
        f"  {len(told['keys'])} keys: {listed(told['keys'])}",
        f"  {len(told['icons'])} icons: {listed(told['icons'])}",
    ]
    if told["missing"]:
        lines.append(f"Missing: {listed(told['missing'])}.")
        lines.append("Take further pictures of these sides and calibrate again from all of them.")
    lines += [f"Note: {note}" for note in told["notes"]]
    return [*lines, f"Kept in {told['profile']}"]
