"""A bad calibration is found out: names changed, blur, one card twice, something missing."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.core.terms import Feature, Location
from assistant.data import load_keys
from assistant.vision.profile import CardProfile, Face
from assistant.vision.sighting import Side
from calibration.checking import verdict_on
from tests.calibration.practice_shots import learnt_shots

FACTS = load_keys()


def good() -> CardProfile:
    return learnt_shots().profile


def renamed(profile: CardProfile, names: dict[tuple[Location, Side], Location]) -> CardProfile:
    return replace(
        profile,
        faces=tuple(
            replace(f, location=names.get((f.location, f.side), f.location)) for f in profile.faces
        ),
    )


def test_a_good_profile_has_nothing_wrong_with_it() -> None:
    assert verdict_on(good(), FACTS).bad == ()
    assert verdict_on(good(), FACTS).lacking == ()


@pytest.mark.parametrize("side", list(Side))
def test_any_two_neighbouring_keys_with_changed_names_are_found_out(side: Side) -> None:
    places = list(Location)
    for one, other in zip(places, [*places[1:], places[0]], strict=True):
        swapped = renamed(good(), {(one, side): other, (other, side): one})
        told = " ".join(verdict_on(swapped, FACTS).bad)
        assert one.value in told, (one, other)
        assert other.value in told, (one, other)


def softened(face: Face) -> Face:
    return replace(face, ink=np.asarray(cv2.GaussianBlur(face.ink, (0, 0), 3.0), np.uint8))


def test_one_blurred_face_is_named() -> None:
    first, *rest = good().faces
    told = verdict_on(replace(good(), faces=(softened(first), *rest)), FACTS).bad
    assert verdict_on(replace(good(), faces=(softened(first), *rest)), FACTS).blamed == {
        (first.location, first.side)
    }
    assert len(told) == 1
    assert first.location.value in told[0]
    assert "blurred" in told[0]


def test_a_face_without_any_ink_is_named_as_one_to_be_shown_again() -> None:
    first, *rest = good().faces
    blank = replace(first, ink=np.zeros_like(first.ink))
    verdict = verdict_on(replace(good(), faces=(blank, *rest)), FACTS)
    assert verdict.blamed == {(first.location, first.side)}
    assert first.location.value in verdict.bad[0]


def test_one_card_under_two_names_is_found_out() -> None:
    backs = [face for face in good().faces if face.side is Side.BACK]
    twice = replace(backs[1], ink=backs[0].ink)
    faces = tuple(twice if face is backs[1] else face for face in good().faces)
    told = " ".join(verdict_on(replace(good(), faces=faces), FACTS).bad)
    assert "same card" in told


def test_what_was_not_shown_is_named_and_does_not_make_a_profile_bad() -> None:
    fewer = replace(
        good(),
        faces=tuple(f for f in good().faces if f.location is not Location.CORNHILL),
        glyphs=tuple(g for g in good().glyphs if g.content.feature is not Feature.TAVERN),
    )
    verdict = verdict_on(fewer, FACTS)
    assert verdict.bad == ()
    assert verdict.lacking == (
        "The back of Cornhill was not shown.",
        "The front of Cornhill was not shown.",
        "The tavern icon was not seen on any front.",
    )
