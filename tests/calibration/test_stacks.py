"""The practice deck's digits and Lady, learnt from stacks laid for that purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from assistant.core.terms import LADY, Content
from assistant.practice.stage import Hardness
from assistant.practice.truth import Shot, Showing
from assistant.vision.glyphs import Glyph
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture
from calibration import stacks
from calibration.confirmed import ConfirmedHole, learn_glyphs
from calibration.stacks import StackLesson, learn_stacks
from tests.assistant.vision.practice_profile import practice_profile, practice_table

NUMBERS = (0, 1, 2, 3, 4, 5)


@cache
def still(number: int, showing: Showing) -> Shot:
    """A still of the practice table, drawn once."""
    return practice_table().still(number, Hardness.EASY, showing=showing)


def stills(showing: Showing, numbers: tuple[int, ...] = NUMBERS) -> list[Shot]:
    return [still(number, showing) for number in numbers]


def pictures(shots: list[Shot]) -> list[Picture]:
    return [shot.picture_bgr for shot in shots]


@cache
def taught() -> StackLesson:
    shots = stills(Showing.NUMBER) + stills(Showing.LADY)
    return learn_stacks(pictures(shots), practice_profile())


def test_stacks_teach_the_digits_and_the_lady_that_they_show() -> None:
    shown = {shot.truth.content for shot in stills(Showing.NUMBER)} | {LADY}
    assert shown == {Content.digit(1), Content.digit(3), LADY}
    assert taught().learnt == {Content.digit(3), LADY}
    # Only one of the pictures shows it.
    assert taught().open == {Content.digit(1)}
    exact = {glyph.content for glyph in taught().profile.glyphs if glyph.is_exact}
    assert {content for content in exact if content.feature is None} == taught().learnt


def test_ladies_in_other_light_are_all_read_and_none_wrong() -> None:
    shots = [practice_table().still(n, Hardness.NORMAL, showing=Showing.LADY) for n in (7, 8, 9)]
    right = []
    for profile in (practice_profile(), taught().profile):
        reader, count = Reader(profile), 0
        for shot in shots:
            seen = reader.read_still(shot.picture_bgr)
            assert seen.content in (None, LADY)
            count += seen.content == LADY and seen.location is shot.truth.location
        right.append(count)
    before, after = right
    # How many are read untaught hangs on the OpenCV: 4.10 shrinks pictures otherwise than 5.
    assert before <= after == len(shots)


def test_a_content_at_one_key_only_stays_open_and_the_profile_as_it_was() -> None:
    first = stills(Showing.LADY, (0,))[0]
    again = replace(first, picture_bgr=np.ascontiguousarray(first.picture_bgr[1:]))
    lesson = learn_stacks(pictures([first, again]), practice_profile())
    assert lesson.learnt == frozenset()
    assert lesson.open == {LADY}
    assert lesson.profile.glyphs == practice_profile().glyphs


def test_pictures_without_digit_or_lady_are_counted_and_teach_nothing() -> None:
    shots = stills(Showing.ICON, (0, 1)) + stills(Showing.BLANK, (0,))
    lesson = learn_stacks(pictures(shots), practice_profile())
    assert lesson.unread == (1, 2, 3)
    assert (lesson.learnt, lesson.open) == (frozenset(), frozenset())


def test_what_would_change_a_reading_is_not_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A three that was learnt as a one would be read as one from then on."""
    shots = stills(Showing.NUMBER)
    wrong = Content.digit(1)

    def misnamed(holes: Sequence[ConfirmedHole]) -> tuple[Glyph, ...]:
        return tuple(replace(glyph, content=wrong) for glyph in learn_glyphs(holes))

    monkeypatch.setattr(stacks, "learn_glyphs", misnamed)
    lesson = learn_stacks(pictures(shots), practice_profile())
    assert lesson.is_upset
    assert lesson.profile is practice_profile()
    assert lesson.learnt == frozenset()
    assert lesson.open == {Content.digit(3), wrong}
