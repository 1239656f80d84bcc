"""Digits and the Lady learnt from holes whose content is known: drawn by the tests themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache

import cv2
import numpy as np
import pytest

from assistant.core.terms import BLANK, LADY, Content, Feature
from assistant.vision.geometry import Keyhole
from assistant.vision.glyphs import Glyph, built_in_glyphs
from assistant.vision.hole import read_hole
from assistant.vision.profile import CardProfile
from calibration.confirmed import ConfirmedHole, learn_glyphs, merged
from tests.assistant.vision.drawn_stack import KEYHOLE, content_ink, film, laid

#: A hole at the same place, cut a hair larger: for all that learning knows, another key's.
SECOND = replace(KEYHOLE, radius_mm=KEYHOLE.radius_mm + 0.02)
#: How the lower card lies, and how the stack is filmed.
WAYS: tuple[tuple[Keyhole, dict[str, object]], ...] = (
    (KEYHOLE, {"seed": 1}),
    (SECOND, {"seed": 2, "rolled_deg": -35.0, "px_per_mm": 5.0}),
    (KEYHOLE, {"seed": 3, "blur_px": 1.0, "gain": 0.75}),
)
LEARNT = (Content.digit(1), Content.digit(2), Content.digit(3), LADY)


def hole(shown: Content, way: int = 0, said: Content | None = None) -> ConfirmedHole:
    keyhole, how = WAYS[way]
    picture, pose = film(laid(shown, **how))
    return ConfirmedHole(picture, pose, keyhole, said or shown)


@cache
def holes(shown: Content) -> Sequence[ConfirmedHole]:
    return [hole(shown, way) for way in range(len(WAYS))]


def likeness(glyph: Glyph, content: Content) -> float:
    """Return how alike a glyph is to what was drawn, at its best place; 1 is the same."""
    drawn = content_ink(content)
    assert drawn is not None
    framed = cv2.copyMakeBorder(drawn, 12, 12, 12, 12, cv2.BORDER_CONSTANT)
    soft = np.asarray(cv2.GaussianBlur(framed, (0, 0), 3), np.float32)
    room = cv2.copyMakeBorder(glyph.ink, 60, 60, 60, 60, cv2.BORDER_CONSTANT)
    return float(cv2.matchTemplate(room, soft, cv2.TM_CCOEFF_NORMED).max())


@pytest.mark.parametrize("content", LEARNT, ids=str)
def test_what_is_learnt_looks_like_what_was_printed_and_like_nothing_else(content: Content) -> None:
    (glyph,) = learn_glyphs(holes(content))
    assert glyph.content == content
    assert glyph.is_exact
    alike = {other: likeness(glyph, other) for other in LEARNT}
    assert max(alike, key=lambda other: alike[other]) == content
    assert alike[content] > 0.85


def test_a_glyph_lies_where_it_is_printed() -> None:
    (glyph,) = learn_glyphs(holes(LADY))
    assert glyph.offset_mm == pytest.approx((1.16, 0.81), abs=1.3)
    (glyph,) = learn_glyphs(holes(Content.digit(3)))
    assert glyph.offset_mm == pytest.approx((0.0, 0.0), abs=1.0)


def test_one_key_teaches_nothing_however_often_it_is_seen() -> None:
    assert learn_glyphs([hole(Content.digit(2), 0), hole(Content.digit(2), 2)]) == ()


def test_holes_that_do_not_agree_teach_nothing() -> None:
    wrong = hole(Content.digit(1), 1, said=Content.digit(2))
    assert learn_glyphs([hole(Content.digit(2)), wrong]) == ()


def test_one_misread_hole_among_others_does_not_count() -> None:
    wrong = hole(Content.icon(Feature.CHURCH), 1, said=Content.digit(2))
    (glyph,) = learn_glyphs([*holes(Content.digit(2)), wrong])
    assert likeness(glyph, Content.digit(2)) > 0.85


def test_icons_and_blanks_are_not_learnt_here() -> None:
    assert learn_glyphs([*holes(Content.icon(Feature.TAVERN)), *holes(BLANK)]) == ()


def test_the_order_of_the_holes_leaves_no_trace() -> None:
    seen = [*holes(Content.digit(1)), *holes(Content.digit(3))]
    one, other = learn_glyphs(seen), learn_glyphs(seen[::-1])
    assert [glyph.content for glyph in one] == [Content.digit(1), Content.digit(3)]
    for first, second in zip(one, other, strict=True):
        assert first.content == second.content
        assert first.ink.shape == second.ink.shape
        assert np.allclose(first.ink, second.ink, atol=1e-4)


def test_nothing_but_shape_and_content_is_kept() -> None:
    (glyph,) = learn_glyphs(holes(Content.digit(1)))
    assert {field.name for field in fields(glyph)} == {"content", "ink", "offset_mm", "is_exact"}
    kept = merged(CardProfile((), {}, ()), [glyph]).to_files()["profile.toml"].decode()
    assert kept.count("[[glyph]]") == 1
    assert "keyhole" not in kept


def test_a_profile_keeps_what_was_drawn_and_changes_what_was_learnt_before() -> None:
    drawn = built_in_glyphs()
    earlier, later = learn_glyphs(holes(LADY)), learn_glyphs(holes(LADY)[:2])
    profile = merged(merged(CardProfile((), {}, drawn), earlier), later)
    assert profile.glyphs == drawn + later


def test_a_reading_is_surer_with_what_was_learnt() -> None:
    picture, pose = film(laid(Content.digit(2), seed=9))
    before = read_hole(picture, pose, KEYHOLE, built_in_glyphs())
    learnt = learn_glyphs(holes(Content.digit(2)))
    after = read_hole(picture, pose, KEYHOLE, built_in_glyphs() + learnt)
    assert after.content == Content.digit(2)
    assert after.score > before.score
