from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
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


@pytest.mark.parametrize(
    ("right_mm", "out"), [(0.0, False), (1.5, False), (4.0, True), (5.0, True)]
)
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


@pytest.mark.parametrize("right_px", [0, 5, 8])
def test_the_seam_of_two_planks_is_no_cards_edge(right_px: int) -> None:
    picture = planks()
    # A card in line shows that much at most.
    picture[150:490, 620 : 620 + right_px] = PAPER
    assert not sticks_out(picture, card_to_picture(CORNERS))
    assert not slipped_a_place(picture, card_to_picture(CORNERS))


@pytest.mark.parametrize("grey", [(120, 129, 135), (90, 97, 101)])
def test_a_dark_grey_strip_of_a_table_beside_a_key_is_not_its_paper(
    grey: tuple[int, int, int],
) -> None:
    picture = stack(0.0, table=grey)
    picture[:, 620 + 40 :] = (45, 48, 50)
    assert not sticks_out(picture, card_to_picture(CORNERS))


@pytest.mark.parametrize("table", [(40, 60, 225), (60, 215, 60), (200, 90, 40)])
@pytest.mark.parametrize(("right_mm", "out"), [(0.0, False), (6.0, True)])
def test_on_a_table_as_light_as_paper_in_one_colour_an_edge_is_seen(
    right_mm: float, out: bool, table: tuple[int, int, int]
) -> None:
    assert sticks_out(stack(right_mm, table), card_to_picture(CORNERS)) is out


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


@pytest.mark.parametrize("lean_deg", [-6.0, 6.0])
def test_a_card_that_slipped_a_place_may_be_turned(lean_deg: float) -> None:
    assert slipped_a_place(turned_out(lean_deg), card_to_picture(CORNERS))


def test_a_card_that_is_out_along_a_side_too_covers_a_part_of_it_only() -> None:
    picture = on_map(0.0)
    picture[180:520, 444:664] = PAPER
    picture[150:490, 400:620] = PAPER
    # The right side is held.
    picture[100:490, 600:1280] = SKIN
    assert sticks_out(picture, card_to_picture(CORNERS))


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


INK, LAVENDER, YELLOW = (40, 40, 45), (190, 160, 165), (110, 190, 200)
WOOD, SKIN = (50, 85, 135), (90, 120, 190)


@lru_cache(maxsize=1)
def lines_of_a_map() -> npt.NDArray[np.bool_]:
    """Return where short lines lie everywhere."""
    lots = np.random.default_rng(7)
    drawn = np.zeros((720, 1280), np.uint8)
    for _ in range(5000):
        x, y = lots.integers(0, 1280), lots.integers(0, 720)
        dx, dy = lots.integers(-14, 15, 2)
        cv2.line(drawn, (int(x), int(y)), (int(x + dx), int(y + dy)), 1, 1)
    return drawn > 0


@lru_cache(maxsize=1)
def grain() -> npt.NDArray[np.float64]:
    """Return what a sensor's noise adds to a picture."""
    return np.random.default_rng(5).normal(0, 2, (720, 1280, 3))


def on_map(right_mm: float, paper: tuple[int, int, int] = (182, 198, 208)) -> Picture:
    """Return a key on a map: paper a little darker than a card, with short lines everywhere."""
    picture = np.full((720, 1280, 3), paper, np.uint8)
    picture[lines_of_a_map()] = (110, 120, 125)
    picture[150:490, 400 : 620 + round(right_mm * PX_PER_MM)] = PAPER
    return picture


@pytest.mark.parametrize(
    ("right_mm", "out"), [(0.0, False), (1.5, False), (3.5, True), (6.0, True)]
)
def test_on_a_map_a_card_far_off_sticks_out_and_one_in_line_does_not(
    right_mm: float, out: bool
) -> None:
    assert sticks_out(on_map(right_mm), card_to_picture(CORNERS)) is out


def test_on_a_map_of_a_cards_own_paper_no_line_is_an_edge() -> None:
    assert not sticks_out(on_map(0.0, (196, 211, 221)), card_to_picture(CORNERS))


@pytest.mark.parametrize(("right_mm", "out"), [(0.0, False), (8.0, True)])
def test_a_card_on_a_map_slips_a_place(right_mm: float, out: bool) -> None:
    assert slipped_a_place(on_map(right_mm), card_to_picture(CORNERS)) is out


def test_print_on_what_sticks_out_does_not_hide_its_edge() -> None:
    printed = stack(7.0)
    for top in (190, 270, 350, 430):
        printed[top : top + 28, 620:638] = INK
    assert sticks_out(printed, card_to_picture(CORNERS))


def headed(right_mm: float, table: tuple[int, int, int] = CLOTH) -> Picture:
    """Return a key whose lower card, out to the right, has a coloured head and foot."""
    picture = stack(right_mm, table)
    edge = 620 + round(right_mm * PX_PER_MM)
    picture[150:215, 620:edge] = LAVENDER
    picture[425:490, 620:edge] = YELLOW
    return picture


def test_a_coloured_head_and_foot_are_a_cards_even_where_a_hand_hides_most_of_the_paper() -> None:
    picture = headed(6.0)
    assert sticks_out(picture, card_to_picture(CORNERS))
    picture[225:400, 560:1280] = SKIN
    assert sticks_out(picture, card_to_picture(CORNERS))


@pytest.mark.parametrize("colour", [YELLOW, (150, 215, 255), (200, 160, 255)])
def test_coloured_paper_alone_beside_a_key_is_no_card(colour: tuple[int, int, int]) -> None:
    picture = stack(0.0)
    picture[120:520, 620:650] = colour
    assert not sticks_out(picture, card_to_picture(CORNERS))


def test_wood_that_is_coloured_like_a_hand_does_not_hide_a_card_on_it() -> None:
    assert sticks_out(stack(6.0, WOOD), card_to_picture(CORNERS))
    assert not sticks_out(stack(0.0, WOOD), card_to_picture(CORNERS))


@pytest.mark.parametrize(("right_mm", "out"), [(0.0, False), (6.0, True)])
def test_on_a_table_but_little_darker_than_paper_an_edge_is_seen(
    right_mm: float, out: bool
) -> None:
    picture = stack(right_mm, (182, 197, 206)).astype(float) + grain()
    pale = np.clip(picture, 0, 255).astype(np.uint8)
    assert sticks_out(pale, card_to_picture(CORNERS)) is out


def test_an_edge_that_another_card_touches_is_seen_on_the_rest_of_its_side() -> None:
    picture = stack(6.0, (182, 197, 206))
    picture[140:290, 620:720] = PAPER
    pale = np.clip(picture + grain(), 0, 255).astype(np.uint8)
    assert sticks_out(pale, card_to_picture(CORNERS))


@pytest.mark.parametrize(
    ("first_px", "every_px", "stripe"),
    [(6, 10, (150, 165, 172)), (3, 15, (160, 175, 182))],
)
def test_stripes_of_a_table_like_paper_are_no_edges(
    first_px: int, every_px: int, stripe: tuple[int, int, int]
) -> None:
    picture = stack(0.0, (197, 212, 222))
    for x in range(620 + first_px, 1280, every_px):
        picture[:, x : x + 4] = stripe
    assert not sticks_out(picture, card_to_picture(CORNERS))


def test_another_card_that_lies_beside_a_key_on_a_pale_table_is_not_its_own() -> None:
    picture = stack(0.0, table=(184, 208, 222))
    picture[100:520, 664:1000] = (175, 190, 200)
    picture[100:520, 670:1000] = PAPER
    assert not sticks_out(picture, card_to_picture(CORNERS))
    assert not slipped_a_place(picture, card_to_picture(CORNERS))


def test_a_sleeve_that_shows_on_opposite_sides_is_no_card() -> None:
    sleeved = stack(0.0)
    sleeved[128:512, 375:645] = PAPER
    assert not sticks_out(sleeved, card_to_picture(CORNERS))


def test_a_stack_that_ends_outside_the_picture_shows_its_edge_inside_of_it() -> None:
    above = tuple((x, y - 240) for x, y in CORNERS)
    picture = np.roll(stack(6.0), -240, axis=0)
    assert sticks_out(picture, card_to_picture(above))
    assert not sticks_out(np.roll(stack(0.0), -240, axis=0), card_to_picture(above))


def test_an_edge_just_before_the_end_of_the_picture_is_told_without_what_lies_beyond() -> None:
    seen = np.ascontiguousarray(stack(5.0)[:, : 645 + 8])
    assert sticks_out(seen, card_to_picture(CORNERS))


@pytest.mark.parametrize(("table", "out"), [(CLOTH, True), ((90, 120, 160), True), (PAPER, False)])
def test_a_card_that_goes_on_to_where_the_picture_ends_sticks_out(
    table: tuple[int, int, int], out: bool
) -> None:
    cut = np.ascontiguousarray(stack(12.0, table)[:, : 620 + 25])
    assert sticks_out(cut, card_to_picture(CORNERS)) is out
    # In line, the table is seen there.
    in_line = np.ascontiguousarray(stack(0.0, table)[:, : 620 + 25])
    assert not sticks_out(in_line, card_to_picture(CORNERS))


@pytest.mark.parametrize(("left_px", "out"), [(12, False), (16, False), (20, True)])
def test_too_narrow_a_strip_before_the_picture_s_end_tells_nothing(left_px: int, out: bool) -> None:
    cut = np.ascontiguousarray(stack(12.0)[:, : 620 + left_px])
    assert sticks_out(cut, card_to_picture(CORNERS)) is out


def test_beside_a_black_table_and_in_light_without_blue_it_is_told_all_the_same() -> None:
    black = stack(0.0, (0, 0, 0))
    black[:, 655:] = PAPER  # another card, 7 mm off
    assert not sticks_out(black, card_to_picture(CORNERS))
    lamp = stack(8.0)
    lamp[:, :, 0] = 0
    assert sticks_out(lamp, card_to_picture(CORNERS))
    cut = np.ascontiguousarray(lamp[:, : 620 + 25])
    assert sticks_out(cut, card_to_picture(CORNERS))


def out_by(right_mm: float, down_mm: float, table: tuple[int, int, int] = CLOTH) -> Picture:
    """Return a key whose lower card lies so far to the right and down of it."""
    picture = np.full((720, 1280, 3), table, np.uint8)
    right, down = round(right_mm * PX_PER_MM), round(down_mm * PX_PER_MM)
    picture[150 + down : 490 + down, 400 + right : 620 + right] = PAPER
    picture[150:490, 400:620] = PAPER
    return picture


@pytest.mark.parametrize("table", [CLOTH, (182, 197, 206)])
@pytest.mark.parametrize(
    ("right_mm", "out"), [(2.0, False), (2.5, False), (3.5, True), (4.5, True), (12.0, True)]
)
def test_what_sticks_out_begins_where_no_card_in_line_ends(
    right_mm: float, out: bool, table: tuple[int, int, int]
) -> None:
    assert sticks_out(stack(right_mm, table), card_to_picture(CORNERS)) is out


@pytest.mark.parametrize(
    ("right_mm", "down_mm", "slipped"),
    [(8, 0, True), (-8, 0, True), (0, 8, False), (0, -8, False), (8, 5, True), (-8, -5, True)],
)
def test_a_card_sticks_out_at_any_side_but_slips_along_a_row(
    right_mm: float, down_mm: float, slipped: bool
) -> None:
    picture = out_by(right_mm, down_mm)
    assert sticks_out(picture, card_to_picture(CORNERS))
    assert slipped_a_place(picture, card_to_picture(CORNERS)) is slipped


@pytest.mark.parametrize(("right_mm", "down_mm"), [(6, 6), (6, -6), (-6, 6), (-6, -6)])
def test_a_card_that_is_as_far_out_at_two_sides_that_meet_is_no_sleeve(
    right_mm: float, down_mm: float
) -> None:
    assert sticks_out(out_by(right_mm, down_mm), card_to_picture(CORNERS))


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ((150, 490), (375, 645)),
        ((125, 515), (400, 620)),
        ((150, 490), (375, 648)),
        ((150, 490), (360, 660)),
    ],
)
def test_a_sleeve_that_shows_on_two_sides_only_is_no_card(
    rows: tuple[int, int], columns: tuple[int, int]
) -> None:
    picture = stack(0.0)
    picture[slice(*rows), slice(*columns)] = PAPER
    assert not sticks_out(picture, card_to_picture(CORNERS))
    assert not slipped_a_place(picture, card_to_picture(CORNERS))


@pytest.mark.parametrize(("right_px", "down_px"), [(1000, 0), (0, 700), (-700, 0), (0, -600)])
def test_of_a_key_that_lies_outside_the_picture_nothing_is_claimed(
    right_px: float, down_px: float
) -> None:
    outside = tuple((x + right_px, y + down_px) for x, y in CORNERS)
    assert not sticks_out(stack(8.0), card_to_picture(outside))
    assert not slipped_a_place(stack(8.0), card_to_picture(outside))


@pytest.mark.parametrize("grey", [40, 80, 120])
def test_a_road_of_a_map_right_beside_a_key_is_no_cards_edge(grey: int) -> None:
    picture = stack(0.0, (182, 198, 208))
    picture[:, 640:646] = grey
    picture[150:490, 400:620] = PAPER
    assert not sticks_out(picture, card_to_picture(CORNERS))


@pytest.mark.parametrize("grey", [60, 100, 140])
def test_a_thin_line_of_a_map_is_no_card_that_slipped_a_place(grey: int) -> None:
    picture = stack(0.0, (182, 198, 208))
    picture[:, 658:661] = grey
    assert not slipped_a_place(picture, card_to_picture(CORNERS))


#: Which part of the picture is left, and where a card lies that goes on to its end.
CUT = [
    (slice(0, 720), slice(0, 645), (12, 0)),
    (slice(0, 720), slice(375, 1280), (-12, 0)),
    (slice(0, 515), slice(0, 1280), (0, 12)),
    (slice(125, 720), slice(0, 1280), (0, -12)),
    (slice(0, 515), slice(0, 645), (12, 12)),
]


@pytest.mark.parametrize(("rows", "columns", "out"), CUT)
def test_a_card_goes_on_to_the_picture_s_end_at_any_side(
    rows: slice, columns: slice, out: tuple[float, float]
) -> None:
    pose = card_to_picture(tuple((x - columns.start, y - rows.start) for x, y in CORNERS))
    assert sticks_out(np.ascontiguousarray(out_by(*out)[rows, columns]), pose)
    assert not sticks_out(np.ascontiguousarray(out_by(0, 0)[rows, columns]), pose)


@pytest.mark.parametrize(
    "beside", [(180, 194, 203), (216, 232, 243), (186, 215, 241), (200, 200, 225), (60, 120, 40)]
)
def test_what_is_not_the_key_s_paper_up_to_the_picture_s_end_is_no_card(
    beside: tuple[int, int, int],
) -> None:
    picture = stack(0.0)
    picture[:, 620:] = beside
    cut = np.ascontiguousarray(picture[:, : 620 + 25])
    assert not sticks_out(cut, card_to_picture(CORNERS))


def test_up_to_the_picture_s_end_a_sheet_that_shows_on_another_side_too_is_no_card() -> None:
    picture = np.full((720, 1280, 3), PAPER, np.uint8)
    picture[495:], picture[:145] = CLOTH, CLOTH
    assert not sticks_out(np.ascontiguousarray(picture[:, : 620 + 25]), card_to_picture(CORNERS))


def test_where_the_picture_ends_on_all_sides_nothing_is_claimed() -> None:
    picture = np.full((390, 270, 3), PAPER, np.uint8)
    pose = card_to_picture(tuple((x - 375, y - 125) for x, y in CORNERS))
    assert not sticks_out(picture, pose)


@pytest.mark.parametrize(("right_mm", "out"), [(0.0, False), (6.0, True)])
def test_dark_print_on_nearly_half_of_a_key_leaves_its_paper(right_mm: float, out: bool) -> None:
    picture = stack(right_mm)
    picture[160:480, 410:500] = INK
    assert sticks_out(picture, card_to_picture(CORNERS)) is out


@pytest.mark.parametrize(("right_mm", "out"), [(0.0, False), (7.0, True)])
def test_a_hand_on_half_of_a_side_leaves_the_other_half(right_mm: float, out: bool) -> None:
    picture = stack(right_mm)
    picture[150:310, 560:1280] = SKIN
    assert sticks_out(picture, card_to_picture(CORNERS)) is out


@pytest.mark.parametrize(("paper", "out"), [(0.94, True), (1.06, True)])
def test_a_lower_card_in_shade_or_in_more_light_sticks_out_all_the_same(
    paper: float, out: bool
) -> None:
    picture = stack(0.0, WOOD)
    picture[150:490, 620:650] = np.rint(np.array(PAPER) * paper)
    assert sticks_out(picture, card_to_picture(CORNERS)) is out
