"""Digits and the Lady learnt from the readings of a game, once the player has let them stand.

    reading -> the card cut out of its frame, in memory -> game over: which readings stand? -> holes
            -> glyphs of the contents not learnt yet -> the profile with them, if nothing changes

Spoiler-free: what was cut out is never written anywhere and forgotten with the game; the profile
gets a glyph for each content, pooled of at least two keys (see confirmed.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.core.terms import Content
from assistant.vision.geometry import Homography, card_to_picture
from assistant.vision.hole import HoleReader
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Picture, Sighting
from calibration.confirmed import LEARNT_KINDS, ConfirmedHole, learn_glyphs, merged
from calibration.shot import piece_of
from calibration.stacks import SURE

#: Of one content at one key so many readings are kept: the newest.
MOST_OF_ONE = 2


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """A reading as it was seen: its number in the log, the card cut out, and the claim about it.

    `homography` maps mm on the key's back to px of `picture`.
    """

    seq: int
    picture: Picture
    homography: Homography
    sighting: Sighting


class PlayedHoles:
    """The holes of a game's readings, kept in memory. One thread at a time."""

    def __init__(self) -> None:
        """Start with none."""
        self._kept: list[Played] = []

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, seq: int, picture: Picture, sighting: Sighting) -> None:
        """Keep a reading that shows a digit or the Lady surely; others teach nothing."""
        content, sure = sighting.content, sighting.confidence or 0.0
        if content is None or content.kind not in LEARNT_KINDS or sure < SURE:
            return
        mine = [one for one in self._kept if _what(one.sighting) == _what(sighting)]
        if len(mine) >= MOST_OF_ONE:
            self._kept.remove(mine[0])
        self._kept.append(_cut_out(seq, picture, sighting))

    def standing(self, shown: Mapping[int, Content]) -> list[Played]:
        """Return what is kept of readings that still count, as they were read.

        Args:
            shown: what each act in force says was shown, by its number in the log.
        """
        return [one for one in self._kept if shown.get(one.seq) == one.sighting.content]


def learn_played(played: Sequence[Played], profile: CardProfile) -> CardProfile | None:
    """Return the profile with the digits and the Lady that the readings of a game teach.

    Only contents that are not learnt yet; None when there is none, or when what was learnt would
    have changed any of the readings.
    """
    known = {glyph.content for glyph in profile.glyphs if glyph.is_exact}
    holes = [_hole(one, profile) for one in played if one.sighting.content not in known]
    glyphs = learn_glyphs(holes)
    if not glyphs:
        return None
    better = merged(profile, glyphs)
    reader = HoleReader(better.glyphs)
    for one in played:
        hole = _hole(one, profile)
        if reader.read(hole.picture, hole.homography, hole.keyhole).content != hole.content:
            return None
    return better


def _what(sighting: Sighting) -> tuple[object, object]:
    return sighting.location, sighting.content


def _cut_out(seq: int, picture: Picture, sighting: Sighting) -> Played:
    """Return the part of a picture that holds the card, copied, and where the card lies in it."""
    if sighting.corners is None:
        raise ValueError(f"no reading: {sighting}")
    return Played(seq, *piece_of(picture, card_to_picture(sighting.corners)), sighting)


def _hole(one: Played, profile: CardProfile) -> ConfirmedHole:
    if one.sighting.location is None or one.sighting.content is None:
        raise ValueError(f"no reading: {one.sighting}")
    keyhole = profile.keyholes[one.sighting.location]
    return ConfirmedHole(one.picture, one.homography, keyhole, one.sighting.content)
