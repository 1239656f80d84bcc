"""How the wizard begins: from nothing, where it stopped, with one key anew, or with all of them.

    no profile, or part of one     what is shown goes into the profile's folder at once
    one key anew                   so it does; its old sides stay until the new ones are shown
    a profile that cannot be used  from nothing; it is kept as NAME.bad when the first side is shown
    a whole profile, all anew      into NAME.new, from which the next wizard goes on; the whole one
                                   stands until the new one is whole, too

All keys anew are perhaps another deck's: the old and the new never mix.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assistant.adapters.profiles import profile_files
from assistant.core.errors import DamagedError, MissingError
from assistant.core.terms import Feature, Location
from assistant.data import load_keys
from assistant.vision.glyphs import built_in_glyphs
from assistant.vision.ink import Grey
from assistant.vision.profile import TOML_FILE, CardProfile
from calibration.begun import Begun
from calibration.confirmed import print_of
from calibration.learning import icons_of
from calibration.wizard import Wizard


@dataclass(frozen=True, slots=True)
class Beginning:
    """A wizard, the folder that keeps what it learns, and the profile that stands meanwhile.

    `stands` is the profile that is replaced once all is learnt; None where `folder` is its place.
    `notes` tell the player what could not be used of what was there.
    """

    wizard: Wizard
    folder: Path
    stands: Path | None = None
    notes: tuple[str, ...] = ()


def begin(folder: Path, again: Location | None, read_text: Callable[[Grey], str]) -> Beginning:
    """Return a wizard that goes on from what the folder holds; from nothing when that is whole.

    Raises:
        MissingError: one key is to be taught anew, but there is no profile yet.
        DamagedError: one key is to be taught anew, but the profile cannot be used.
    """
    files = profile_files(folder)
    if TOML_FILE not in files:
        if again is not None:
            raise MissingError(f"no card profile at {folder} yet; leave --key out to learn all")
        return Beginning(Wizard(load_keys(), read_text), folder)
    try:
        earlier = CardProfile.from_files(files)
    except DamagedError:
        if again is not None:
            raise
        # Whoever reads it tells the player to calibrate again; saving sets it aside.
        note = (
            f"the profile in {folder} could not be used: all is learnt anew, and with the first "
            f"side that is shown the old one is set aside, as {folder.name}.bad"
        )
        return Beginning(Wizard(load_keys(), read_text), folder, notes=(note,))
    if again is None and _is_whole(earlier):
        return _anew(folder, earlier, read_text)
    notes: tuple[str, ...] = ()
    try:
        begun = Begun.from_files(files)
    except DamagedError:
        begun = Begun()
        notes = ("icons that were seen on some keys only are lost; show these keys again",)
    wizard = Wizard(load_keys(), read_text, earlier=earlier, begun=begun, again=again)
    return Beginning(wizard, folder, notes=notes)


def _anew(folder: Path, whole: CardProfile, read_text: Callable[[Grey], str]) -> Beginning:
    # Of "." and ".." the last part is no name.
    place = Path(os.path.abspath(folder))
    beside = place.with_name(f"{place.name}.new")
    shown, begun = _begun_beside(beside)
    icons = () if shown is None else tuple(g for g in shown.glyphs if g.content.feature is not None)
    # Digits and the Lady stay: they come from play, not from keys.
    glyphs = (*icons, *built_in_glyphs(), *print_of(whole))
    faces = () if shown is None else shown.faces
    earlier = CardProfile(faces, whole.keyholes, glyphs, whole.made_by)
    wizard = Wizard(load_keys(), read_text, earlier=earlier, begun=begun)
    return Beginning(wizard, beside, stands=folder)


def _begun_beside(beside: Path) -> tuple[CardProfile | None, Begun]:
    """Return what an earlier wizard learnt anew, if it was stopped before all was shown."""
    try:
        files = profile_files(beside)
        if TOML_FILE not in files:
            return None, Begun()
        shown, begun = CardProfile.from_files(files), Begun.from_files(files)
    except DamagedError:
        # Nobody needs it; saving sets it aside.
        return None, Begun()
    # With every side it was taken over, and only its folder not yet cleared away.
    return (shown, begun) if len(shown.faces) < 2 * len(Location) else (None, Begun())


def _is_whole(profile: CardProfile) -> bool:
    return len(profile.faces) == 2 * len(Location) and icons_of(profile.glyphs) == set(Feature)
