"""What a bad calibration reads: less, but nothing wrong.

A bad profile is refused before anything is read with it (tests/assistant/test_app.py); this is what
the reader makes of one all the same, should a fault be too small to be found.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from assistant.core.terms import Location
from assistant.practice.stage import Hardness
from assistant.practice.truth import Shot, Showing
from assistant.vision.profile import CardProfile
from assistant.vision.reader import Reader
from assistant.vision.sighting import Side
from tests.assistant.vision.practice_profile import practice_profile, practice_table


@cache
def still(number: int, showing: Showing) -> Shot:
    """An easy still of the practice table, drawn once for all tests."""
    return practice_table().still(number, Hardness.EASY, showing=showing)


def shots_of(places: set[Location], each: int) -> list[Shot]:
    """Return easy stills of stacks on some keys, so many of each content."""
    found: list[Shot] = []
    for showing in (Showing.ICON, Showing.BLANK):
        numbers = (n for n in range(400) if showing_at(n, showing) in places)
        found += [still(next(numbers), showing) for _ in range(each)]
    return found


@cache
def showing_at(number: int, showing: Showing) -> Location:
    # A picture of stamp size has the same truth as a large one.
    truth = practice_table().still(number, Hardness.EASY, (64, 36), showing).truth
    assert truth.location is not None
    return truth.location


def swapped(one: Location, other: Location) -> CardProfile:
    """Return the practice profile with the names of two keys' backs changed."""
    names = {one: other, other: one}
    faces = tuple(
        replace(face, location=names.get(face.location, face.location))
        if face.side is Side.BACK
        else face
        for face in practice_profile().faces
    )
    return replace(practice_profile(), faces=faces)


def readings(profile: CardProfile, shots: list[Shot]) -> list[tuple[bool, bool]]:
    """Return for each still whether anything was read in it, and whether that was right."""
    reader, found = Reader(profile), []
    for shot in shots:
        sighting = reader.read_still(shot.picture_bgr)
        seen, true = (
            (sighting.location, sighting.content),
            (shot.truth.location, shot.truth.content),
        )
        found.append((sighting.content is not None, seen == true))
    return found


@pytest.mark.parametrize(
    "pair",
    [(Location.CORNHILL, Location.SHOREDITCH), (Location.BLACKFRIARS, Location.ST_PAULS)],
    ids=str,
)
def test_two_keys_with_changed_names_are_not_read_as_each_other(
    pair: tuple[Location, Location],
) -> None:
    shots = shots_of(set(pair), 2)
    # With the right names every one of these is read, and right.
    assert readings(practice_profile(), shots) == [(True, True)] * len(shots)
    assert not any(is_read and not right for is_read, right in readings(swapped(*pair), shots))


def test_a_profile_learnt_from_blurred_pictures_reads_nothing_wrong() -> None:
    soft = tuple(
        replace(face, ink=np.asarray(cv2.GaussianBlur(face.ink, (0, 0), 4.0), np.uint8))
        for face in practice_profile().faces
    )
    shots = shots_of({Location.CORNHILL, Location.SOUTHWARK}, 2)
    assert readings(practice_profile(), shots) == [(True, True)] * len(shots)
    found = readings(replace(practice_profile(), faces=soft), shots)
    # Enough is read for this to say something.
    assert any(is_read for is_read, _ in found)
    assert not any(is_read and not right for is_read, right in found)


def test_a_key_that_was_never_shown_is_not_taken_for_one_that_was() -> None:
    missing = Location.CORNHILL
    faces = tuple(face for face in practice_profile().faces if face.location is not missing)
    reader = Reader(replace(practice_profile(), faces=faces))
    for shot in shots_of({missing}, 3):
        assert reader.read_still(shot.picture_bgr).content is None
