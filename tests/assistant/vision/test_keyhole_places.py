"""Where a key's hole is, and which side and end is seen, on cards drawn in the test."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.ink import Grey
from assistant.vision.keyhole_places import (
    HOLE_PX_PER_MM,
    header_end,
    may_be_front,
    outline_scores,
)
from assistant.vision.sighting import Side

HOLES = keyholes_from_facts(load_keys())
SHAPE = round(68 * HOLE_PX_PER_MM), round(44 * HOLE_PX_PER_MM)


def card_with_hole(location: Location, side: Side, paper: int = 200, through: int = 150) -> Grey:
    """A card without print whose hole shows another brightness, a little blurred."""
    share = HOLES[location].mask(0.0, 0.0, SHAPE, HOLE_PX_PER_MM).astype(np.float32) / 255
    if side is Side.FRONT:
        share = np.ascontiguousarray(share[:, ::-1])  # the card turned over its long side
    seen = paper + (through - paper) * cv2.GaussianBlur(share, (0, 0), 1.0)
    return np.rint(seen + np.random.default_rng(2).normal(0, 1.5, SHAPE)).astype(np.uint8)


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("location", list(Location))
def test_each_keys_own_hole_scores_highest_by_a_clear_lead(location: Location, side: Side) -> None:
    scores = outline_scores(card_with_hole(location, side), HOLES, side)
    first, second = sorted(scores, key=lambda key: -scores[key].score)[:2]
    assert first is location
    assert scores[first].score > scores[second].score + 0.2


@pytest.mark.parametrize("location", list(Location))
def test_upside_down_no_hole_scores_as_the_right_way_up_does(location: Location) -> None:
    card = card_with_hole(location, Side.BACK)
    upright = outline_scores(card, HOLES, Side.BACK)[location].score
    turned = outline_scores(np.ascontiguousarray(card[::-1, ::-1]), HOLES, Side.BACK)
    assert max(found.score for found in turned.values()) < upright - 0.2


def test_a_paler_sheet_below_shows_the_hole_as_well_as_a_darker_one() -> None:
    for through in (175, 225):
        scores = outline_scores(
            card_with_hole(Location.CORNHILL, Side.BACK, through=through), HOLES, Side.BACK
        )
        assert max(scores, key=lambda key: scores[key].score) is Location.CORNHILL


@given(x=st.integers(-4, 4), y=st.integers(-4, 4))
def test_a_hole_out_of_register_is_found_where_it_is(x: int, y: int) -> None:
    shift_mm = x * 0.25, y * 0.25
    card = card_with_hole(Location.SOUTHWARK, Side.BACK)
    moved = cv2.warpAffine(
        card,
        np.array([[1, 0, shift_mm[0] * HOLE_PX_PER_MM], [0, 1, shift_mm[1] * HOLE_PX_PER_MM]]),
        SHAPE[::-1],
        borderMode=cv2.BORDER_REPLICATE,
    )
    found = outline_scores(np.asarray(moved, np.uint8), HOLES, Side.BACK)[Location.SOUTHWARK]
    assert found.score > 0.8
    assert found.off_mm == pytest.approx(shift_mm, abs=0.26)


def plain_card(header: int | None, rim_mm: float = 15.6) -> Grey:
    card = np.full(SHAPE, 200, np.uint8)
    if header is not None:
        card[: round(rim_mm * HOLE_PX_PER_MM)] = header
    return card


@pytest.mark.parametrize("rim_mm", [15.5, 15.76, 23.5])
def test_a_header_of_one_line_or_two_tells_a_front_and_its_upper_end(rim_mm: float) -> None:
    front = plain_card(header=165, rim_mm=rim_mm)
    assert header_end(front) == 1
    assert header_end(np.ascontiguousarray(front[::-1])) == -1


def test_a_card_without_a_header_is_a_back() -> None:
    assert header_end(plain_card(header=None)) == 0


def test_a_shadow_across_a_back_is_no_header() -> None:
    falling = np.linspace(1.0, 0.6, SHAPE[0])[:, None]
    assert header_end((plain_card(header=None) * falling).astype(np.uint8)) == 0


def test_letters_that_reach_into_both_margins_are_no_header() -> None:
    back = plain_card(header=None)
    for row in (62, 74, 86):
        back[row : row + 8 : 2, round(2.8 * HOLE_PX_PER_MM) : -round(2.8 * HOLE_PX_PER_MM)] = 30
    assert header_end(back) == 0


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_header_that_shows_at_one_margin_alone_makes_a_card_doubtful(is_turned: bool) -> None:
    card = card_with_hole(Location.CORNHILL, Side.BACK)
    assert not may_be_front(card)
    # The header's band, blown out by glare at the right margin.
    card[: round(15.6 * HOLE_PX_PER_MM), : round(30 * HOLE_PX_PER_MM)] = 140
    seen = np.ascontiguousarray(card[::-1, ::-1]) if is_turned else card
    assert header_end(seen) == 0
    assert may_be_front(seen)
