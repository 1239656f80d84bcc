"""Learning the digits and the Lady from pictures of stacks that the player lays for that purpose.

She lays them before set-up, from any cards at any keys, and shuffles them back in afterwards. Each
picture is read with the profile as it is; only what is read surely counts. What is learnt must not
change any of these readings, or nothing is: a glyph pooled of misread holes would.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.core.terms import Content
from assistant.vision.geometry import card_to_picture
from assistant.vision.profile import CardProfile
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture, Sighting
from calibration.confirmed import LEARNT_KINDS, ConfirmedHole, learn_glyphs, merged
from calibration.shot import piece_of

#: A reading this sure is taken as right, if others agree: of 700 readings of the pictures of both
#: editions and the practice deck none was wrong, sure or not. Of Ladies read by the drawn shapes
#: alone hardly a third reaches 0.95.
SURE = 0.9


@dataclass(frozen=True, slots=True)
class StackLesson:
    """What pictures of stacks taught.

    `learnt` are the contents whose print is known now; `open` were read, but not surely enough or
    not at two keys. `unread` are the pictures, numbered from 1, that show no digit and no Lady;
    `is_upset`: what was learnt would have changed a reading, so that nothing was.
    """

    profile: CardProfile
    learnt: frozenset[Content]
    open: frozenset[Content]
    unread: tuple[int, ...]
    is_upset: bool = False


def learn_stacks(pictures: Iterable[Picture], profile: CardProfile) -> StackLesson:
    """Return the profile improved by pictures of stacks, and what they taught.

    The pictures are gone through twice, one after the other; only cut-out cards are kept of them.
    """
    reader = Reader(profile)
    sightings: list[Sighting] = []
    holes: list[ConfirmedHole] = []
    for picture in pictures:
        sighting = reader.read_still(picture)
        sightings.append(sighting)
        if _is_learnt_of(sighting) and (sighting.confidence or 0.0) >= SURE:
            holes.append(_hole(picture, sighting, profile))
    told = [_is_learnt_of(sighting) for sighting in sightings]
    glyphs = learn_glyphs(holes)
    better = merged(profile, glyphs)
    seen = frozenset(s.content for s in sightings if _is_learnt_of(s) and s.content is not None)
    unread = tuple(number for number, counts in enumerate(told, start=1) if not counts)
    if glyphs and _changes(better, pictures, sightings):
        return StackLesson(profile, frozenset(), seen, unread, is_upset=True)
    learnt = frozenset(glyph.content for glyph in glyphs)
    return StackLesson(better, learnt, seen - learnt, unread)


def _is_learnt_of(sighting: Sighting) -> bool:
    return sighting.content is not None and sighting.content.kind in LEARNT_KINDS


def _hole(picture: Picture, sighting: Sighting, profile: CardProfile) -> ConfirmedHole:
    """Return the hole that a reading is about."""
    if sighting.corners is None or sighting.location is None or sighting.content is None:
        raise ValueError(f"no reading: {sighting}")
    keyhole = profile.keyholes[sighting.location]
    piece, pose = piece_of(picture, card_to_picture(sighting.corners))
    return ConfirmedHole(piece, pose, keyhole, sighting.content)


def _changes(profile: CardProfile, pictures: Iterable[Picture], before: Sequence[Sighting]) -> bool:
    """Whether a profile reads anything else where something was read, or loses it."""
    reader = Reader(profile)
    now = [reader.read_still(picture) for picture in pictures]
    return any(
        then.content is not None
        and (again.location, again.content) != (then.location, then.content)
        for then, again in zip(before, now, strict=True)
    )
