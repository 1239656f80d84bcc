"""Glyphs: icons from the fronts' pictures, digits by many hands, the Lady from printed facts."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.core.terms import LADY, Content, Feature
from assistant.vision.glyphs import (
    DIGIT_HEIGHT_MM,
    ICON_LONG_SIDE_MM,
    LADY_SIZE_MM,
    Glyph,
    built_in_glyphs,
    digit_shapes,
    glyphs_from_fronts,
    lady_shapes,
)
from tests.assistant.vision.drawn_stack import content_ink, front_patches


def _likeness(glyph: Glyph, feature: Feature) -> float:
    drawn = content_ink(Content.icon(feature))
    assert drawn is not None
    fitted = cv2.resize(drawn, glyph.ink.shape[::-1], interpolation=cv2.INTER_AREA)
    return float(np.corrcoef(fitted.ravel(), glyph.ink.ravel())[0, 1])


def test_icons_learnt_from_fronts_look_like_what_was_drawn_and_like_no_other() -> None:
    glyphs = glyphs_from_fronts(front_patches())
    assert {glyph.content.feature for glyph in glyphs} == set(Feature)
    for glyph in glyphs:
        likeness = {feature: _likeness(glyph, feature) for feature in Feature}
        assert max(likeness, key=lambda feature: likeness[feature]) is glyph.content.feature
        assert max(likeness.values()) > 0.9


def test_an_icon_is_as_large_as_it_is_printed_in_the_hole() -> None:
    for glyph in glyphs_from_fronts(front_patches()):
        assert max(glyph.size_mm) == pytest.approx(ICON_LONG_SIDE_MM, abs=0.15)
        assert glyph.ink.dtype == np.float32
        assert 0 <= glyph.ink.min() <= glyph.ink.max() <= 1
        assert glyph.is_exact


def test_a_hole_cut_into_half_of_the_fronts_does_not_cut_the_icon() -> None:
    whole = front_patches()
    cut = {feature: [patch.copy() for patch in (*seen, *seen)] for feature, seen in whole.items()}
    for seen in cut.values():
        for patch in seen[:2]:
            patch[: patch.shape[0] // 2, 50:72] = 212
    for glyph, clean in zip(glyphs_from_fronts(cut), glyphs_from_fronts(whole), strict=True):
        assert glyph.size_mm == pytest.approx(clean.size_mm, abs=0.2)
        assert float(glyph.ink.sum()) == pytest.approx(float(clean.ink.sum()), rel=0.06)


def test_a_front_that_shows_no_icon_gives_none() -> None:
    patches = front_patches()
    patches[Feature.TAVERN] = [np.full((110, 100), 210, np.uint8)]
    patches[Feature.RURAL] = []
    learnt = {glyph.content.feature for glyph in glyphs_from_fronts(patches)}
    assert learnt == set(Feature) - {Feature.TAVERN, Feature.RURAL}


def test_each_digit_is_drawn_in_several_hands_at_its_printed_height() -> None:
    for number in (1, 2, 3):
        shapes = [g for g in digit_shapes() if g.content == Content.digit(number)]
        assert len(shapes) >= 10
        for shape in shapes:
            assert shape.size_mm[1] == pytest.approx(DIGIT_HEIGHT_MM, abs=0.1)
            assert 0.1 < shape.ink.mean() < 0.9
            assert shape.ink[[0, 1]].max() > 0.5
            assert shape.ink[[-2, -1]].max() > 0.5


def test_the_lady_is_known_by_her_printed_size_and_place_alone() -> None:
    sizes = [shape.size_mm for shape in lady_shapes()]
    assert any(size == pytest.approx(LADY_SIZE_MM, abs=0.06) for size in sizes)
    assert {shape.content for shape in lady_shapes()} == {LADY}
    assert not any(shape.is_exact for shape in built_in_glyphs())
