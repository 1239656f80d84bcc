"""What a blank needs of its own, on flat scenes painted in numbers, the truth worked out by hand.

A key of even paper lies straight on an even table, PX_PER_MM fine. What is in its hole, how the
light falls, and what the table looks like are arrays that the tests paint themselves.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.vision.blank_evidence import (
    is_nearer_paper,
    is_the_cards_paper,
    sharpness,
    would_ink_show,
)
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Homography
from assistant.vision.hole_patch import FINE_PX_PER_MM, HolePatch, patch_centre_px, see_hole
from tests.assistant.vision.drawn_stack import KEYHOLE

PX_PER_MM = 5
AROUND_MM = 16.0
PAPER = np.array([200.0, 210.0, 220.0])
POSE: Homography = np.array(
    [
        [PX_PER_MM, 0.0, AROUND_MM * PX_PER_MM - 0.5],
        [0.0, PX_PER_MM, AROUND_MM * PX_PER_MM - 0.5],
        [0.0, 0.0, 1.0],
    ]
)
Colours = npt.NDArray[np.float64]
Where = npt.NDArray[np.bool_]


def _grid() -> tuple[Colours, Colours]:
    """Return x and y of every pixel in mm on the key."""
    rows, columns = (
        round((side + 2 * AROUND_MM) * PX_PER_MM) for side in (CARD_HEIGHT_MM, CARD_WIDTH_MM)
    )
    y, x = np.mgrid[:rows, :columns].astype(np.float64)
    return (x + 0.5) / PX_PER_MM - AROUND_MM, (y + 0.5) / PX_PER_MM - AROUND_MM


X, Y = _grid()
ON_KEY = (X > 0) & (X < CARD_WIDTH_MM) & (Y > 0) & (Y < CARD_HEIGHT_MM)
FROM_HOLE = np.hypot(X - KEYHOLE.centre_x_mm, Y - KEYHOLE.centre_y_mm)
DARK_TABLE = np.array([60.0, 100.0, 50.0])


def like_paper(lightness: float = 1.0, tint: float = 0.0) -> Colours:
    """Return a colour so light as a share of paper, and by a share redder and less blue."""
    return np.asarray(PAPER * lightness * np.array([1 - tint, 1, 1 + tint]))


def _scene(table: Colours = DARK_TABLE, hole: Colours = PAPER) -> Colours:
    """Return a key on a table with one colour in its whole hole; some print gives it an edge."""
    scene = np.where(ON_KEY[..., None], PAPER, table)
    in_hole = KEYHOLE.mask(-AROUND_MM, -AROUND_MM, X.shape, PX_PER_MM)[..., None] / 255
    return np.asarray(scene * (1 - in_hole) + hole * in_hole)


def _filmed(scene: Colours) -> npt.NDArray[np.uint8]:
    return np.clip(np.rint(scene), 0, 255).astype(np.uint8)


def _circle() -> Where:
    """Return the circle in which ink is judged, on a patch."""
    x, y = patch_centre_px()
    rows, columns = round(22.5 * FINE_PX_PER_MM), round(18 * FINE_PX_PER_MM)
    down, right = np.mgrid[:rows, :columns]
    return np.asarray(np.hypot(right - x, down - y) < 3.8 * FINE_PX_PER_MM)


def _patch(scene: Colours) -> HolePatch:
    return see_hole(_filmed(scene), POSE, KEYHOLE)


# Would ink have shown? Light falls off evenly from the middle of the hole.


def _cone(paper: float, peak: float, burnt_mm: float) -> HolePatch:
    """Return paper of a level, lit up to a peak beyond the scale's end, burnt out to a radius."""
    per_mm = (peak - 255) / burnt_mm
    light = np.maximum(peak - paper - per_mm * FROM_HOLE, 0)
    return _patch(np.repeat((paper + light)[..., None], 3, axis=2))


@pytest.mark.parametrize(
    ("peak", "shows"),
    # From paper of 160, ink of 35 under the same light stays a quarter below the scale's end up to
    # a peak of 160 + 255 * 3/4 - 35 = 316.
    [(285, True), (306, True), (326, False), (350, False)],
)
def test_ink_would_show_while_the_light_that_can_have_been_added_leaves_it_a_quarter(
    peak: float, shows: bool
) -> None:
    assert would_ink_show(_cone(160, peak, 3.3), _circle()) is shows


@pytest.mark.parametrize(("burnt_mm", "shows"), [(1.08, True), (1.8, False)])
def test_a_highlight_on_less_than_a_tenth_of_the_circle_hides_nothing(
    burnt_mm: float, shows: bool
) -> None:
    assert would_ink_show(_cone(160, 400, burnt_mm), _circle()) is shows


def test_it_is_a_tenth_that_counts_where_the_paper_leaves_no_room_to_tell() -> None:
    for burnt_mm, shows in ((1.08, True), (1.27, False)):
        cone = _cone(236, 400, burnt_mm)
        share = float((cone.is_burnt & _circle()).sum()) / float(_circle().sum())
        assert share == pytest.approx((burnt_mm / 3.8) ** 2, abs=0.01)
        assert would_ink_show(cone, _circle()) is shows


@pytest.mark.parametrize(("peak", "shows"), [(306, True), (326, False)])
def test_the_channel_that_ends_with_the_scale_last_tells_of_the_light(
    peak: float, shows: bool
) -> None:
    # Red has ended all over the key: it tells nothing, and costs nothing while blue is there.
    light = np.maximum(peak - 160 - (peak - 255) / 3.3 * FROM_HOLE, 0)
    blue = 160 + light
    scene = np.stack([blue, blue, np.full_like(blue, 300)], axis=2)
    assert would_ink_show(_patch(scene), _circle()) is shows


# In the next two a part of the paper around the highlight counts as print: it is darker than four
# fifths of paper, whatever its level.


def _with_print(cone: HolePatch, where: Where, level: npt.NDArray[np.float64]) -> HolePatch:
    seen = np.where(where[..., None], np.clip(level, 0, 255)[..., None], cone.seen)
    grey = np.where(where, np.float32(0.7), np.maximum(cone.grey, np.float32(1)))
    return replace(cone, seen=seen.astype(np.uint8), grey=grey.astype(np.float32))


def _angle() -> npt.NDArray[np.float64]:
    x, y = patch_centre_px()
    down, right = np.mgrid[: round(22.5 * FINE_PX_PER_MM), : round(18 * FINE_PX_PER_MM)]
    return np.asarray(np.arctan2(down - y, right - x))


def test_print_at_the_rim_of_a_highlight_does_not_make_the_light_steep() -> None:
    cone = _cone(160, 306, 3.3)
    level = cone.seen[..., 0].astype(np.float64)
    down, right = np.indices(level.shape)
    wavy = level + 60 * np.sin(down * 0.3) * np.sin(right * 0.3)
    most = (np.abs(_angle()) < 2.4) & (level < 245)
    assert would_ink_show(_with_print(cone, most, wavy), _circle())
    plain = replace(_with_print(cone, most, wavy), grey=np.ones_like(cone.grey))
    assert not would_ink_show(plain, _circle())


def test_print_around_a_highlight_is_not_taken_for_darker_paper() -> None:
    cone = _cone(160, 306, 3.3)
    some = np.abs(_angle()) < 1.2
    dark = np.full(cone.grey.shape, 90.0)
    assert would_ink_show(_with_print(cone, some, dark), _circle())
    plain = replace(_with_print(cone, some, dark), grey=np.ones_like(cone.grey))
    assert not would_ink_show(plain, _circle())


@pytest.mark.parametrize(("paper", "shows"), [(226, True), (234, False)])
def test_paper_at_the_end_of_the_scale_tells_nothing_of_the_light(
    paper: float, shows: bool
) -> None:
    assert would_ink_show(_cone(paper, 300, 3.3), _circle()) is shows


def test_where_all_around_is_burnt_out_too_ink_would_not_show() -> None:
    burnt = _patch(np.full((*X.shape, 3), 255.0))
    assert not would_ink_show(burnt, _circle())
    assert would_ink_show(_patch(np.full((*X.shape, 3), 225.0)), _circle())


# Is it nearer to the key's paper or to the table's?


def _nearer(table: Colours, hole: Colours) -> bool:
    scene = _scene(table, hole)
    return is_nearer_paper(_filmed(scene), POSE, _patch(scene), _circle())


@pytest.mark.parametrize(
    ("of_the_way", "nearer"), [(0.0, True), (0.3, True), (0.5, False), (1.0, False)]
)
def test_on_a_pale_tinted_table_the_tint_in_the_hole_decides(
    of_the_way: float, nearer: bool
) -> None:
    table = like_paper(0.95, 0.05)
    assert _nearer(table, like_paper(0.95, 0.05 * of_the_way)) is nearer


@pytest.mark.parametrize(
    ("table", "is_told_apart"),
    [
        (like_paper(0.95, 0.05), True),
        (like_paper(0.95, 0.08), False),
        (like_paper(0.76, 0.04), True),
        (like_paper(0.64, 0.04), False),
        (DARK_TABLE, False),
    ],
    ids=["pale", "too tinted", "rather dark", "too dark", "dark"],
)
def test_only_a_table_that_could_be_paper_is_asked_about(
    table: Colours, is_told_apart: bool
) -> None:
    assert _nearer(table, table) is not is_told_apart


@pytest.mark.parametrize(("pale_mm", "is_told_apart"), [(11.0, True), (7.5, False)])
def test_a_table_is_pale_when_two_fifths_of_it_could_be_paper(
    pale_mm: float, is_told_apart: bool
) -> None:
    # It is looked at 6, 9 and 12 mm from the key: two thirds of the places are pale, or one.
    across = np.abs(X - CARD_WIDTH_MM / 2) - CARD_WIDTH_MM / 2
    down = np.abs(Y - CARD_HEIGHT_MM / 2) - CARD_HEIGHT_MM / 2
    pale = like_paper(0.95, 0.05)
    table = np.where((np.maximum(across, down) < pale_mm)[..., None], pale, DARK_TABLE)
    assert _nearer(table, pale) is not is_told_apart


def test_half_a_table_that_could_be_paper_is_enough_to_ask() -> None:
    pale = like_paper(0.95, 0.05)
    table = np.where((X < CARD_WIDTH_MM / 2)[..., None], pale, DARK_TABLE)
    assert not _nearer(table, pale)
    assert _nearer(table, PAPER)


@pytest.mark.parametrize(
    ("table", "hole", "nearer"),
    [(0.8, 1.0, True), (0.8, 0.93, True), (0.8, 0.87, False), (0.8, 0.8, False),
     (0.88, 1.0, True), (0.92, 1.0, False), (1.0, 1.0, False)],
)  # fmt: skip
def test_on_a_table_of_papers_own_tint_only_a_clear_step_in_lightness_decides(
    table: float, hole: float, nearer: bool
) -> None:
    assert _nearer(like_paper(table), like_paper(hole)) is nearer


@pytest.mark.parametrize(("tint", "nearer"), [(0.008, False), (0.014, True)])
def test_a_tint_hardly_off_papers_tells_nothing(tint: float, nearer: bool) -> None:
    assert _nearer(like_paper(1.0, tint), PAPER) is nearer


@pytest.mark.parametrize(("strays", "nearer"), [(0.05, False), (0.09, True)])
def test_over_a_patterned_table_no_hole_is_as_even_as_paper(strays: float, nearer: bool) -> None:
    squares = ((np.floor(X / 2.1) + np.floor(Y / 2.1)) % 2 * 2 - 1) * strays
    table = PAPER * 0.95 * (1 + squares[..., None])
    assert _nearer(table, like_paper(0.95)) is nearer


def test_where_hardly_anything_around_the_key_is_in_view_nothing_speaks_against_paper() -> None:
    table = like_paper(0.95, 0.05)
    scene = _scene(table, table)
    edge = round((AROUND_MM - 4) * PX_PER_MM)
    cut = np.ascontiguousarray(_filmed(scene)[edge:-edge, edge:-edge])
    pose = np.array([[1, 0, -edge], [0, 1, -edge], [0, 0, 1]]) @ POSE
    assert is_nearer_paper(cut, pose, see_hole(cut, pose, KEYHOLE), _circle())
    assert not is_nearer_paper(_filmed(scene), POSE, _patch(scene), _circle())


def test_what_is_looked_at_ends_with_the_picture_wherever_that_is() -> None:
    # The places around the key come to lie on the last row and column at some of these ends.
    scene = _scene(DARK_TABLE, PAPER)
    patch, seen = _patch(scene), _filmed(scene)
    for less in range(1, 90):
        cut = np.ascontiguousarray(seen[:-less, :-less])
        assert is_nearer_paper(cut, POSE, patch, _circle())


# How sharp is the key's print?


@pytest.mark.parametrize("blur_mm", [0.5, 0.8, 1.2])
@pytest.mark.parametrize("ink", [40.0, 120.0])
def test_sharpness_is_the_slope_of_the_steepest_edges(blur_mm: float, ink: float) -> None:
    paper = 210.0
    bars = np.where(np.floor(X / 7) % 2 == 0, ink, paper)
    level = cv2.GaussianBlur(bars, (0, 0), blur_mm * PX_PER_MM)
    # The print is looked at at 3 px per mm, softened by 0.8 px.
    spread_mm = np.hypot(blur_mm, 0.8 / 3)
    steepest = (paper - ink) / paper / (spread_mm * np.sqrt(2 * np.pi))
    found = sharpness(_filmed(np.repeat(level[..., None], 3, axis=2)), POSE)
    assert found == pytest.approx(steepest, rel=0.12)


def test_paper_without_print_has_no_edges() -> None:
    assert sharpness(_filmed(_scene(PAPER, PAPER)), POSE) == pytest.approx(0, abs=0.01)


# Is what lies around the hole the card's paper, or a finger over all of it?


@pytest.mark.parametrize(
    ("colour", "is_paper"),
    [
        (like_paper(), True),
        (like_paper(0.7), True),
        (like_paper(0.5), False),
        (like_paper(0.9, 0.09), True),
        (like_paper(0.9, 0.16), False),
        (np.array([110.0, 145.0, 205.0]), False),
    ],
    ids=["paper", "shadow", "too dark", "warm light", "too red", "skin"],
)
def test_around_the_hole_lies_the_cards_paper_or_something_else(
    colour: Colours, is_paper: bool
) -> None:
    scene = np.where((FROM_HOLE < 15)[..., None], colour, _scene())
    assert is_the_cards_paper(_filmed(scene), POSE, _patch(scene)) is is_paper


def test_a_card_of_which_little_is_in_view_is_no_witness() -> None:
    scene = _scene(hole=PAPER)
    x, y = (round((at + AROUND_MM) * PX_PER_MM) for at in (3.0, 3.0))
    reach = round(12.0 * PX_PER_MM)
    cut = np.ascontiguousarray(_filmed(scene)[y : y + reach, x : x + reach])
    pose = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]]) @ POSE
    assert not is_the_cards_paper(cut, pose, _patch(scene))
