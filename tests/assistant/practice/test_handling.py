"""Hands and stacks as players handle them: what may lie over a hole, and how far out of line."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.terms import Location
from assistant.practice.faces import keyholes
from assistant.practice.handling import draw_hands, draw_laid, hole_on_table
from assistant.practice.hands import hand_seen
from assistant.practice.scene import draw_shines
from assistant.practice.stage import LEVELS, Hardness, View, draw_view
from assistant.practice.truth import Negative
from assistant.vision.geometry import project
from assistant.vision.sighting import Side

SIZE = (1280, 720)
SEEDS = st.integers(0, 100_000)
PLACES = st.sampled_from(Location)


def covered(
    view: View, location: Location, turn_deg: float, negative: Negative | None, seed: int
) -> float:
    """Return the share of a laid key's hole that hands hide, by projecting the hole itself."""
    lots = np.random.default_rng(seed)
    level = replace(LEVELS[Hardness.HARD], hands=1.0)
    hole = hole_on_table(location, Side.BACK, turn_deg)
    hidden = np.zeros((SIZE[1], SIZE[0]), np.float32)
    for hand in draw_hands(level, negative, hole, turn_deg, lots):
        sprite = hand_seen(view, hand)
        if sprite is None:
            continue
        left, top, right, bottom = sprite.bounds()
        x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, SIZE[0]), min(bottom, SIZE[1])
        piece = sprite.cover[y0 - top : y1 - top, x0 - left : x1 - left]
        hidden[y0:y1, x0:x1] = np.maximum(hidden[y0:y1, x0:x1], piece)
    mask = keyholes()[location].mask(0, 0, (68 * 4, 44 * 4), 4.0)
    points = np.argwhere(mask > 127)[:, ::-1] / 4 + 0.125
    seen = np.round(project(view.card(0, 0, turn_deg), points)).astype(int)
    inside = ((seen >= 0) & (seen < SIZE)).all(axis=1)
    return float(hidden[seen[inside, 1], seen[inside, 0]].mean())


@given(SEEDS, PLACES, st.floats(0, 360))
def test_no_hand_hides_a_hole_that_is_to_be_read(seed: int, place: Location, turn: float) -> None:
    view = draw_view(LEVELS[Hardness.HARD], SIZE, turn, np.random.default_rng(seed))
    assert covered(view, place, turn, None, seed) == 0


@given(SEEDS, PLACES, st.floats(0, 360))
def test_a_covered_hole_is_hidden_for_the_most_part(
    seed: int, place: Location, turn: float
) -> None:
    view = draw_view(LEVELS[Hardness.NORMAL], SIZE, turn, np.random.default_rng(seed))
    assert covered(view, place, turn, Negative.HOLE_COVERED, seed) > 0.6


@pytest.mark.parametrize("hardness", Hardness)
def test_stack_to_read_is_no_more_out_of_line_than_its_hardness_allows(hardness: Hardness) -> None:
    level, lots = LEVELS[hardness], np.random.default_rng(1)
    drawn = [draw_laid(level, 0, 0, None, lots) for _ in range(300)]
    far = [math.hypot(*laid.lower_mm) for laid in drawn]
    lean = [abs(laid.lower_deg) for laid in drawn]
    assert 0.8 * level.out_of_line_mm < max(far) <= level.out_of_line_mm <= 1.5
    assert 0.8 * level.out_of_line_deg < max(lean) <= level.out_of_line_deg <= 2.5


def test_stack_out_of_line_shows_no_whole_icon_of_its_place() -> None:
    lots = np.random.default_rng(2)
    for _ in range(300):
        laid = draw_laid(LEVELS[Hardness.EASY], 0, 0, Negative.OUT_OF_LINE, lots)
        assert math.hypot(*laid.lower_mm) > 4


def test_hole_of_a_front_is_mirrored_and_turns_with_its_key() -> None:
    back = hole_on_table(Location.CORNHILL, Side.BACK, 0)
    assert back == pytest.approx((7.12 - 22, 47.34 - 34))
    assert hole_on_table(Location.CORNHILL, Side.FRONT, 0) == pytest.approx((-back[0], back[1]))
    # A quarter turn clockwise, as seen, takes what lies below to the left.
    assert hole_on_table(Location.CORNHILL, Side.BACK, 90) == pytest.approx((-back[1], back[0]))


@given(SEEDS, PLACES, st.floats(0, 360))
def test_no_lamp_blinds_a_hole_that_is_to_be_read(seed: int, place: Location, turn: float) -> None:
    lots = np.random.default_rng(seed)
    view = draw_view(LEVELS[Hardness.HARD], SIZE, turn, lots)
    hole_px = view.px_at(*hole_on_table(place, Side.BACK, turn))
    for shine in draw_shines(1.0, view, hole_px, lots):
        away = math.dist((shine.x_px, shine.y_px), hole_px)
        # What a glow adds at the near end of the hole's circle, as a share of white.
        near = max(away - 4.6 * view.px_per_mm, 0.0)
        assert shine.strength * math.exp(-((near / shine.long_px) ** 2)) < 0.02
