"""`bystander calibrate`: learn a player's own cards from the keys' fronts and backs.

    bystander calibrate [--camera SRC] [--profile P] [--key NAME]     the wizard, in a window
    bystander calibrate --from DIR [--profile P] [--json]             from pictures
    bystander calibrate --stacks DIR [--profile P] [--json]           digits and the Lady, too
    bystander calibrate --export FILE [--profile P] [--json]          the profile as one zip file

The wizard goes on where an earlier one stopped; `--key` teaches one key anew. Where all is known
it teaches all anew, beside the old profile, which stands until that is done. Nothing but the
pictures is read, never their names: which key is which is told by the keyhole's place and by the
printed text where tesseract is installed. A profile that is bad (blurred, names that do not fit
their keyholes) is told and not kept. With `--json` one object:

    {"profile", "pictures", "keys", "fronts", "icons", "missing", "notes", "complete"}

With `--stacks` a profile that is there learns how the digits and the Lady are printed, from
pictures of stacks that the player laid for this purpose before set-up, from any cards at any keys:
each content at two different keys at least. Only sure readings count; nothing is kept or told of
which card showed what where. One object with `--json`:

    {"profile", "pictures", "learnt", "open", "unread", "notes"}

With `--export` one object with `--json`: {"profile", "file"}.

Exit 0 when all keys and icons were learnt; 1 when some are missing (what was learnt is kept);
with `--stacks` 0 when anything was learnt.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.adapters.typed_paths import typed_path
from assistant.core.errors import BystanderError, MissingError, UsageError
from assistant.core.names import parse_location
from assistant.core.terms import Feature, Location
from assistant.present.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assistant.commands.calibrate_begin import Beginning
    from assistant.commands.calibrate_wizard import Teaching
    from assistant.core.terms import Content
    from assistant.session import CameraSource
    from assistant.vision.profile import CardProfile


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `calibrate` to the command line."""
    parser = subparsers.add_parser("calibrate", help="learn your own cards from pictures of them")
    parser.add_argument(
        "--from", dest="source", metavar="DIR", help="folder of pictures of key fronts and backs"
    )
    parser.add_argument(
        "--stacks",
        metavar="DIR",
        help="folder of pictures of stacks laid before set-up: learn the digits and the Lady, too",
    )
    parser.add_argument("--camera", metavar="SRC", default="0", help="for the wizard (default: 0)")
    parser.add_argument("--key", metavar="NAME", help="teach this one key anew, in the wizard")
    parser.add_argument("--export", metavar="FILE", help="write the profile to a zip file")
    parser.add_argument("--profile", metavar="P", help="folder to keep it in (default: yours)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn, keep the profile, print what was learnt; return 0, or 1 when something is missing.

    Raises:
        UsageError: options that do not go together, or a key of no known name.
        MissingError: no picture, no key in any of them, no camera or display, or the profile
            cannot be kept.
    """
    from assistant.adapters.home import profile_folder

    folder = typed_path(args.profile) if args.profile else profile_folder()
    if args.export is not None:
        return _export(folder, typed_path(args.export), in_json=args.json)
    if args.stacks is not None:
        return _improve(args, folder)
    if args.source is None:
        return _teach(args, folder)
    if args.key is not None:
        raise UsageError("--key is for the wizard; leave --from out")
    return _learn(args, folder)


def _learn(args: argparse.Namespace, folder: Path) -> int:
    from assistant.adapters.profiles import save_profile
    from assistant.adapters.tesseract import PATIENT_S, Tesseract
    from assistant.commands.calibrate_pictures import PicturesIn
    from assistant.data import load_keys
    from calibration.checking import verdict_on
    from calibration.learning import learn

    notes: list[str] = []
    pictures = PicturesIn(typed_path(args.source))
    lesson = learn(pictures, load_keys(), Tesseract(notes.append, PATIENT_S).read_text)
    pictures.check()
    told = _told(lesson.profile)
    if not told["keys"]:
        raise MissingError(f"no location key was found in the {pictures.count} pictures")
    bad = verdict_on(lesson.profile, load_keys()).bad
    if not bad:
        save_profile(_with_print(lesson.profile, folder, notes), folder)
    told = {"profile": None if bad else str(folder), "pictures": pictures.count, **told}
    told["complete"] = told["complete"] and not bad
    told["notes"] = [*bad, *lesson.notes, *pictures.left_out, *notes]
    if args.json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("\n".join(_lines(told)))
    return 0 if told["complete"] else 1


def _with_print(profile: CardProfile, folder: Path, notes: list[str]) -> CardProfile:
    """Return a profile with the digits and the Lady that the folder's earlier one has learnt."""
    from assistant.adapters.profiles import load_profile
    from calibration.confirmed import merged, print_of

    try:
        kept = print_of(load_profile(folder))
    except BystanderError:
        return profile
    if kept:
        words = listed(_contents(glyph.content for glyph in kept))
        notes.append(
            f"the print of {words} stays as it was learnt earlier; for another deck name another"
            " folder, --profile P"
        )
    return merged(profile, kept)


def _improve(args: argparse.Namespace, folder: Path) -> int:
    """Learn digits and the Lady from stacks; keep the profile with them in its old one's place.

    Raises:
        UsageError: options that do not go together.
        MissingError: no profile yet, no picture, or the profile cannot be kept.
        DamagedError: the profile cannot be used.
    """
    from assistant.adapters.profiles import profile_files, save_files
    from assistant.app import card_profile
    from assistant.commands.calibrate_pictures import PicturesIn
    from calibration.stacks import learn_stacks

    if args.source is not None or args.key is not None:
        raise UsageError("--stacks goes alone: learn the keys first, then the stacks")
    profile = card_profile(str(folder))
    notes: list[str] = []
    pictures = PicturesIn(typed_path(args.stacks))
    lesson = learn_stacks(pictures, profile)
    pictures.check()
    if lesson.learnt:
        # What the wizard keeps beside the profile stays.
        save_files({**profile_files(folder), **lesson.profile.to_files()}, folder)
    if lesson.is_upset:
        notes.append("what the pictures show would change how they are read; nothing was learnt")
    told = {
        "profile": str(folder),
        "pictures": pictures.count,
        "learnt": _contents(lesson.learnt),
        "open": _contents(lesson.open),
        "unread": len(lesson.unread),
        "notes": [*pictures.left_out, *notes],
    }
    print(json.dumps(told, ensure_ascii=False) if args.json else "\n".join(_stack_lines(told)))
    return 0 if lesson.learnt else 1


def _contents(contents: Iterable[Content]) -> list[str]:
    return sorted(content.value or content.kind.value for content in contents)


def _stack_lines(told: dict[str, Any]) -> list[str]:
    lines = [f"{told['pictures']} pictures; learnt as printed: {listed(told['learnt'])}."]
    if told["open"]:
        lines.append(
            f"Not learnt: {listed(told['open'])}; show each clearly at two different keys."
        )
    if told["unread"]:
        lines.append(f"{told['unread']} pictures show no digit and no Lady that could be read.")
    lines += [f"Note: {note}" for note in told["notes"]]
    if told["learnt"]:
        lines.append(f"Kept in {told['profile']}; what is not learnt is read as before.")
    return lines


def _teach(args: argparse.Namespace, folder: Path) -> int:
    """Run the wizard in its window; print what is learnt by its end."""
    import tkinter

    from assistant.adapters.tesseract import Tesseract
    from assistant.commands.calibrate_begin import begin
    from assistant.commands.calibrate_wizard import Teaching, is_live, teach_in_window
    from assistant.commands.doctor import has_display
    from assistant.data import load_aliases, load_keys

    if args.json:
        raise UsageError("--json is for pictures: name their folder with --from DIR")
    again = None if args.key is None else parse_location(args.key, load_aliases())
    if args.camera == "practice" and args.profile is None:
        raise UsageError("the practice keys are not yours: name a folder for them, --profile P")
    if not has_display():
        raise MissingError("no display for the wizard; learn from pictures: --from DIR")
    notes: list[str] = []
    beginning = begin(folder, again, Tesseract(notes.append).read_text)
    source = _source(args.camera)
    teaching = Teaching(
        beginning.wizard,
        source,
        beginning.folder,
        load_keys(),
        at_pace=not is_live(source),
        stands=beginning.stands,
    )
    try:
        teach_in_window(teaching, "Bystander: learn the location keys")
    except tkinter.TclError as error:
        source.close()
        raise MissingError(f"the window cannot open ({error}); use --from DIR") from error
    return _tell_taught(beginning, teaching, notes)


def _tell_taught(beginning: Beginning, teaching: Teaching, notes: list[str]) -> int:
    """Print what is learnt by the wizard's end; return 0, or 1 when something is missing."""
    place = beginning.folder
    if beginning.stands is not None and teaching.stands is None:
        place = beginning.stands
    bad = teaching.verdict.bad if teaching.verdict else ()
    told = {"profile": str(place), "pictures": None, **_told(beginning.wizard.profile)}
    told["notes"] = [*bad, *beginning.notes, *notes]
    if teaching.stands is not None:
        told["notes"].append(f"until all is shown, the cards in {teaching.stands} stay in use")
    # A profile that could not be used may still lie there, with nothing learnt anew.
    is_kept = place.is_dir() and bool(beginning.wizard.profile.faces)
    print("\n".join(_lines(told) if is_kept else ["Nothing was learnt.", *told["notes"]]))
    return 0 if told["complete"] and not bad and teaching.stands is None else 1


def _source(name: str) -> CameraSource:
    from assistant.adapters.sources import open_source

    if name != "practice":
        return open_source(name)
    from assistant.data import load_board
    from assistant.practice.deck import PracticeDeck
    from assistant.practice.keys_shown import keys_shown

    return keys_shown(PracticeDeck(load_board(), 1))


def _export(folder: Path, target: Path, *, in_json: bool) -> int:
    """Write the profile's files into one zip file; say where it is.

    Raises:
        MissingError: there is no profile, or the file cannot be written.
    """
    import zipfile

    from assistant.adapters.profiles import load_profile, profile_files

    load_profile(folder)
    try:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in sorted(profile_files(folder).items()):
                packed.writestr(name, data)
    except OSError as error:
        raise MissingError(f"{target} cannot be written ({error.strerror})") from error
    if in_json:
        print(json.dumps({"profile": str(folder), "file": str(target)}, ensure_ascii=False))
        return 0
    print(f"Wrote {target}; to use it, unpack it into a folder and name that as --profile.")
    return 0


def _told(profile: CardProfile) -> dict[str, Any]:
    from assistant.vision.sighting import Side
    from calibration.learning import icons_of

    backs = [place for place in Location if profile.face(place, Side.BACK)]
    fronts = [place for place in Location if profile.face(place, Side.FRONT)]
    known = icons_of(profile.glyphs)
    icons = [feature for feature in Feature if feature in known]
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


def _lines(told: dict[str, Any]) -> list[str]:
    lines = [
        "Learnt:" if told["pictures"] is None else f"{told['pictures']} pictures; learnt:",
        f"  {len(told['keys'])} keys: {listed(told['keys'])}",
        f"  {len(told['icons'])} icons: {listed(told['icons'])}",
    ]
    if told["missing"]:
        lines.append(f"Missing: {listed(told['missing'])}.")
        lines.append(
            "Start the wizard again to go on."
            if told["pictures"] is None
            else "Take further pictures of these sides and calibrate again from all of them."
        )
    lines += [f"Note: {note}" for note in told["notes"]]
    if told["profile"] is None:
        return [*lines, "Not kept: a profile like this would read wrongly."]
    return [*lines, f"Kept in {told['profile']}"]
