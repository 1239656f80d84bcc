from __future__ import annotations

import numpy as np
import pytest

from assistant.vision.geometry import card_to_picture
from assistant.vision.overhang import slipped_a_place, sticks_out
from assistant.vision.sighting import Picture

CORNERS = ((400.0, 150.0), (620.0, 150.0), (620.0, 490.0), (400.0, 490.0))
PX_PER_MM = 5.0
PAPER, CLOTH = (200, 215, 225), (60, 120, 40)


def stack(right_mm: float, table: tuple[int, int, int] = CLOTH) -> Picture:
    """Return a key whose lower card sticks out to the right by so much."""
    picture = np.full((720, 1280, 3), table, np.uint8)
    picture[150:490, 400 : 620 + round(right_mm * PX_PER_MM)] = PAPER
    return picture


@pytest.mark.parametrize(("right_mm", "out"), [(0.0, False), (1.5, False), (5.0, True)])
def test_a_card_in_line_does_not_stick_out_and_one_far_off_does(right_mm: float, out: bool) -> None:
    assert sticks_out(stack(right_mm), card_to_picture(CORNERS)) is out


def test_on_a_table_like_paper_nothing_is_claimed() -> None:
    assert not sticks_out(stack(5.0, table=(196, 212, 222)), card_to_picture(CORNERS))


def test_beyond_the_picture_nothing_is_claimed() -> None:
    outside = tuple((x + 660, y) for x, y in CORNERS)
    assert not sticks_out(stack(0.0), card_to_picture(outside))


@pytest.mark.parametrize(
    ("right_mm", "out"), [(0.0, False), (5.0, False), (8.0, True), (10.0, True)]
)
def test_only_a_card_far_out_shows_the_print_of_another_place(right_mm: float, out: bool) -> None:
    assert slipped_a_place(stack(right_mm), card_to_picture(CORNERS)) is out


def planks() -> Picture:
    """Return a key on two planks whose seam runs along its side, 8 mm off."""
    picture = stack(0.0, table=(70, 120, 165))
    picture[:, 620 + 40 :] = (40, 80, 120)
    return picture


def test_the_seam_of_two_planks_is_no_cards_edge() -> None:
    assert not sticks_out(planks(), card_to_picture(CORNERS))
    assert not slipped_a_place(planks(), card_to_picture(CORNERS))


def test_a_line_on_a_map_is_not_a_card_that_slipped_a_place() -> None:
    on_map = stack(0.0, table=(165, 180, 190))
    on_map[:, 620 + 38 : 620 + 44] = (90, 90, 90)
    for row in range(150, 490, 12):
        on_map[row : row + 4, 625:655] = (90, 100, 110)
    assert not slipped_a_place(on_map, card_to_picture(CORNERS))
    for row in range(150, 490, 12):
        on_map[row : row + 4, 625:655] = (165, 180, 190)
    assert slipped_a_place(on_map, card_to_picture(CORNERS))  # plain paper up to the line
