from __future__ import annotations

import cv2
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


def turned_out(lean_deg: float, hand: bool = False) -> Picture:
    """Return a key whose lower card sticks out to the right by 7 mm, turned, perhaps held."""
    picture = np.full((720, 1280, 3), CLOTH, np.uint8)
    middle = np.array([510.0 + 35.0, 320.0])
    corners = np.array([[-110, -170], [110, -170], [110, 170], [-110, 170]])
    turn = np.deg2rad(lean_deg)
    turned = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    cv2.fillPoly(picture, [np.rint(turned + middle).astype(np.int32)], PAPER)
    picture[150:490, 400:620] = PAPER
    if hand:
        picture[330:420, 560:1280] = (90, 120, 190)
    return picture


@pytest.mark.parametrize("lean_deg", [-5.0, -2.0, 0.0, 2.0, 5.0])
def test_a_card_that_is_turned_and_held_sticks_out_all_the_same(lean_deg: float) -> None:
    assert sticks_out(turned_out(lean_deg), card_to_picture(CORNERS))
    assert sticks_out(turned_out(lean_deg, hand=True), card_to_picture(CORNERS))


def test_a_hand_that_holds_a_key_is_no_card() -> None:
    held = stack(0.0)
    held[200:420, 560:1280] = (90, 120, 190)
    assert not sticks_out(held, card_to_picture(CORNERS))
    assert not slipped_a_place(held, card_to_picture(CORNERS))


def test_a_hand_on_the_key_does_not_spoil_what_is_taken_for_paper() -> None:
    held = stack(6.0)
    held[440:490, 420:600] = (90, 120, 190)
    assert sticks_out(held, card_to_picture(CORNERS))
    held = stack(0.0)
    held[440:490, 420:600] = (90, 120, 190)
    assert not sticks_out(held, card_to_picture(CORNERS))
