"""Where the board lies, worked out from points: each threshold with a pose on both sides.

No picture is looked at. The camera is the tests' own: a pinhole over a table, and a lens that bends
by a rule written out in its numbers or inverted here by halving.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from assistant.core.board import HEIGHT_OVER_WIDTH, Point
from assistant.vision.board_pose import (
    BoardPose,
    Lens,
    Matrix,
    exact_pose,
    rough_pose,
    turns_clockwise,
)

SIZE = (1280, 720)
H = HEIGHT_OVER_WIDTH


def flat(x_px: float, y_px: float, wide: float = 800.0, high: float | None = None) -> Matrix:
    """Return a board seen straight from above, its top left at a point, so many px wide."""
    return np.array([[wide, 0, x_px], [0, wide if high is None else high / H, y_px], [0, 0, 1.0]])


def pose(plane: Matrix, bend: float = 0.0) -> BoardPose:
    return BoardPose(plane, Lens(SIZE, bend), 100)


def camera(tilt_deg: float, turn_deg: float = 0.0, far: float = 1.5) -> Matrix:
    """Return what a pinhole 1000 px behind its picture sees of a board.

    Args:
        tilt_deg: how far from straight above it looks; beyond 90 it looks at the underside.
        turn_deg: how the board is turned on the table.
        far: how far the board's middle is away, in widths of the board.
    """
    tilt, turn = math.radians(tilt_deg), math.radians(turn_deg)
    c, s = math.cos(turn), math.sin(turn)
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    c, s = math.cos(tilt), math.sin(tilt)
    tilted = np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])
    board = np.array([[1.0, 0, -0.5], [0, 1, -H / 2], [0, 0, 0]])
    in_space = tilted @ turned @ board + np.array([[0, 0, 0], [0, 0, 0], [0, 0, far]])
    seen = np.array([[1000.0, 0, 640], [0, 1000, 360], [0, 0, 1]]) @ in_space
    return np.asarray(seen, np.float64)


def through(plane: Matrix, points: Matrix) -> Matrix:
    """Return where a camera without a bend shows points of the board, (n, 2) px."""
    there = np.column_stack([points, np.ones(len(points))]) @ plane.T
    return np.asarray(there[:, :2] / there[:, 2:], np.float64)


def bent(points: Matrix, bend: float) -> Matrix:
    """Return where a lens that takes r to the root of r / (1 + bend r^2) shows points, px.

    r is counted in half diagonals of the picture; the root is found by halving.
    """
    middle, half = np.array(SIZE) / 2, math.hypot(*SIZE) / 2
    out = (points - middle) / half
    straight = np.linalg.norm(out, axis=1)
    low, high = np.zeros(len(out)), np.full(len(out), 1.5)
    for _ in range(60):
        reach = (low + high) / 2
        too_far = reach / (1 + bend * reach**2) > straight
        low, high = np.where(too_far, low, reach), np.where(too_far, reach, high)
    share = low / np.maximum(straight, 1e-12)
    return np.asarray(middle + out * share[:, None] * half, np.float64)


def strewn(count: int, seed: int = 1) -> Matrix:
    """Return points all over the board by lot, (n, 2)."""
    return np.random.default_rng(seed).random((count, 2)) * (1.0, H)


ALL_OVER = np.array([(x, y) for x in np.linspace(0, 1, 21) for y in np.linspace(0, H, 15)])


# A lens.

#: Of a picture 800 x 600, whose half diagonal is 500 px: the bend, a point as the lens shows it,
#: and straightened.
BENT = [
    (0.25, (800.0, 600.0), (720.0, 540.0)),
    (0.25, (0.0, 600.0), (80.0, 540.0)),
    (0.25, (400.0, 600.0), (400.0, 300 + 300 / 1.09)),
    (-0.25, (800.0, 600.0), (400 + 400 / 0.75, 700.0)),
    (-0.25, (100.0, 300.0), (400 - 300 / 0.91, 300.0)),
    (0.25, (400.0, 300.0), (400.0, 300.0)),
    (0.0, (10.0, 20.0), (10.0, 20.0)),
]


@pytest.mark.parametrize(("bend", "shown", "straight"), BENT)
def test_a_lens_bends_by_the_square_of_the_way_from_the_middle(
    bend: float, shown: Point, straight: Point
) -> None:
    lens = Lens((800, 600), bend)
    assert lens.straightened(np.array([shown]))[0] == pytest.approx(straight)
    assert lens.bent(np.array([straight]))[0] == pytest.approx(shown)


def test_points_are_bent_each_for_itself() -> None:
    shown, straight = (np.array([row[at] for row in BENT[:3]]) for at in (1, 2))
    lens = Lens((800, 600), 0.25)
    assert np.allclose(lens.straightened(shown), straight)
    assert np.allclose(lens.bent(straight), shown)


def test_what_no_bent_point_shows_stays_outside_of_the_picture() -> None:
    lens = Lens((800, 600), 0.25)
    # The farthest that is shown at all lies a whole half diagonal off, and is shown at two.
    [last, beyond] = lens.bent(np.array([(900.0, 300.0), (2400.0, 300.0)]))
    assert last == pytest.approx((1400.0, 300.0))
    assert beyond == pytest.approx((4400.0, 300.0))


def test_a_lens_of_which_nothing_is_known_bends_nothing() -> None:
    points = np.array([(10.0, 20.0), (1270.0, 700.0)])
    assert np.allclose(Lens(SIZE).bent(points), points)
    assert np.allclose(Lens(SIZE).straightened(points), points)


# What a pose tells.


def test_the_corners_go_clockwise_from_the_printed_top_left() -> None:
    high = 800 * H
    assert pose(flat(100, 50)).corners == [
        pytest.approx(corner)
        for corner in ((100, 50), (900, 50), (900, 50 + high), (100, 50 + high))
    ]


@pytest.mark.parametrize("bend", [-0.1, 0.0, 0.1])
def test_places_are_where_camera_and_lens_show_them(bend: float) -> None:
    plane = camera(40, 20)
    shown = bent(through(plane, ALL_OVER), bend)
    told = pose(plane, bend).places([(float(x), float(y)) for x, y in ALL_OVER])
    assert np.allclose(told, shown, atol=1e-6)
    assert pose(plane, bend).apart(ALL_OVER, shown + np.array((3.0, 4.0))) == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("off", "agrees"),
    [((2.9, 0.0), True), ((0.0, -3.1), False), ((2.0, 2.0), True), ((2.2, -2.2), False),
     ((3.0, 0.0), False)],
)  # fmt: skip
def test_a_point_agrees_within_three_px(off: Point, agrees: bool) -> None:
    points = np.array([(0.25, 0.25), (0.5, 0.5)])
    seen = np.array([(300.0, 250.0), (500.0, 450.0)])
    seen[0] += off
    assert pose(flat(100, 50)).agrees(points, seen).tolist() == [agrees, True]


# Whether it moved.


@pytest.mark.parametrize(
    ("by", "near"),
    [((2.4, 0.0), True), ((2.6, 0.0), False), ((-2.6, 0.0), False), ((0.0, 2.4), True),
     ((0.0, -2.6), False), ((0.1, 300.0), False)],
)  # fmt: skip
def test_a_board_that_was_shifted_by_more_than_trembling_moved(by: Point, near: bool) -> None:
    here, there = pose(flat(100, 50)), pose(flat(100 + by[0], 50 + by[1]))
    assert here.is_near(there) is near
    assert there.is_near(here) is near


@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("along", ["across", "down"])
@pytest.mark.parametrize(("by", "near"), [(2.45, True), (2.55, False)])
def test_one_edge_that_moved_is_a_board_that_moved(
    corner: int, along: str, by: float, near: bool
) -> None:
    wide, high = (800.0, 800.0 * H)
    more = by if corner < 2 else -by
    other = (
        flat(100 - (more if corner % 2 else 0), 50, wide + more, high)
        if along == "across"
        else flat(100, 50 - (more if corner % 2 else 0), wide, high + more)
    )
    assert pose(flat(100, 50)).is_near(pose(other)) is near


#: A board so wide that it reaches beyond an edge of the picture, pinned where it is in view.
@pytest.mark.parametrize(
    ("here", "there"),
    [
        (flat(100, 50, 2000), flat(100, 50, 2003)),
        (flat(-820, 50, 2000), flat(-823, 50, 2003)),
        (flat(100, 100, 800, 2000), flat(100, 100, 800, 2003)),
        (flat(100, -1380, 800, 2000), flat(100, -1383, 800, 2003)),
    ],
    ids=["right", "left", "below", "above"],
)
def test_what_moves_out_of_view_is_no_movement(here: Matrix, there: Matrix) -> None:
    assert pose(here).is_near(pose(there))
    # Where it moves by six times as much, what is in view does, too.
    assert not pose(here).is_near(pose(here + 6 * (there - here)))


def test_a_board_that_shows_nothing_is_near_to_none() -> None:
    out = pose(flat(1300, 50))
    assert not out.is_near(out)


def test_the_print_under_the_middle_does_not_tell_that_a_board_was_turned_round() -> None:
    round_it = flat(900, 50 + 800 * H) @ np.diag([-1.0, -1.0, 1.0])
    assert not pose(flat(100, 50)).is_near(pose(round_it))


# Whether a camera can see it so.


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
@pytest.mark.parametrize("tilt_deg", [-60, -30, 0, 30, 60])
def test_a_board_seen_from_above_shows_its_face_and_from_below_it_does_not(
    tilt_deg: int, turn_deg: int
) -> None:
    assert pose(camera(tilt_deg, turn_deg)).is_seen_from_above()
    assert not pose(camera(180 + tilt_deg, turn_deg)).is_seen_from_above()
    # A plane is known but for a factor, which may be less than nought.
    assert pose(-0.2 * camera(tilt_deg, turn_deg)).is_seen_from_above()
    assert not pose(-0.2 * camera(180 + tilt_deg, turn_deg)).is_seen_from_above()


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
def test_a_board_partly_behind_the_camera_is_none(turn_deg: int) -> None:
    assert pose(camera(70, turn_deg, 0.8)).is_seen_from_above()
    assert not pose(camera(70, turn_deg, 0.25)).is_seen_from_above()


def test_a_board_with_a_corner_on_the_horizon_is_none() -> None:
    # That corner lies nowhere. At (0, 0) px, where it may be told to be, it would round off a card.
    plane = np.array([[900.0, 0, -10], [0, 900, -10], [1, 1, 0]])
    assert not pose(plane).is_seen_from_above()


@pytest.mark.parametrize(("share", "seen"), [(0.11, True), (0.09, False)])
def test_a_sliver_is_no_board(share: float, seen: bool) -> None:
    assert pose(flat(100, 50, 800, share * 800)).is_seen_from_above() is seen
    assert pose(flat(100, 50, share * 600, 600)).is_seen_from_above() is seen


#: A dent or a turn by next to nothing is one, however small the board.
@pytest.mark.parametrize(
    ("points", "clockwise"),
    [
        (((3, 1), (90, 7), (84, 61), (8, 66)), True),
        (((8, 66), (84, 61), (90, 7), (3, 1)), False),
        (((3, 1), (84, 61), (90, 7), (8, 66)), False),
        (((3, 1), (90, 7), (8, 66), (84, 61)), False),
        (((3, 1), (90, 7), (40, 30), (8, 66)), False),
        (((0, 0), (100, 0), (50, 50), (0, 100)), False),
        (((0, 0), (100, 0), (50.01, 50.01), (0, 100)), True),
        (((0, 0), (100, 0), (49.998, 49.998), (0, 100)), False),
        (((0, 0), (0.9, 0), (0.9, 0.9), (0, 0.9)), True),
        (((5, 5),) * 4, False),
    ],
    ids=[
        "clockwise",
        "anticlockwise",
        "crossed",
        "crossed otherwise",
        "dented",
        "three in line",
        "hardly a corner",
        "hardly a dent",
        "tiny",
        "one spot",
    ],
)
@pytest.mark.parametrize("first", range(4))
def test_corners_go_clockwise_round_what_has_no_dent(
    points: Sequence[Point], clockwise: bool, first: int
) -> None:
    turned = [*points[first:], *points[:first]]
    assert turns_clockwise(np.array(turned, np.float64)) is clockwise


# A rough pose, from pairs of which many are wrong.


def test_most_pairs_tell_where_it_lies_though_many_are_wrong() -> None:
    plane, there = camera(35, 25), strewn(100)
    here = through(plane, there)
    here[60:] = np.random.default_rng(2).random((40, 2)) * SIZE
    rough = rough_pose(there, here, SIZE)
    assert rough is not None
    assert rough.lens == Lens(SIZE, 0.0)
    assert 60 <= rough.agreeing <= 62
    assert np.abs(rough.seen(ALL_OVER) - through(plane, ALL_OVER)).max() < 0.5


@pytest.mark.parametrize("where", ["one spot", "a line"])
def test_points_that_span_no_plane_tell_nothing(where: str) -> None:
    along = np.linspace(0, 1, 20)[:, None] if where == "a line" else np.zeros((20, 1))
    assert rough_pose(along * (1.0, 0.5), 100 + along * (900.0, 300.0), SIZE) is None


#: OpenCV's answers where it finds none: nothing, or an empty matrix.
NO_PLANES = [
    (None, None),
    (None, np.zeros((20, 1), np.uint8)),
    (np.eye(3), None),
    (np.zeros((0, 0)), np.zeros((20, 1), np.uint8)),
    (np.zeros((3, 0)), np.zeros((20, 1), np.uint8)),
    (np.zeros((0, 3)), np.zeros((20, 1), np.uint8)),
]


@pytest.mark.parametrize("answer", NO_PLANES)
def test_where_no_plane_is_found_there_is_no_pose(
    monkeypatch: pytest.MonkeyPatch, answer: tuple[Matrix | None, Matrix | None]
) -> None:
    monkeypatch.setattr(cv2, "findHomography", lambda *_, **__: answer)
    there = strewn(20)
    assert rough_pose(there, through(flat(100, 50), there), SIZE) is None


@pytest.mark.parametrize("plane", [None, np.zeros((0, 0)), np.zeros((3, 0)), np.zeros((0, 3))])
def test_where_no_plane_fits_there_is_no_exact_pose(
    monkeypatch: pytest.MonkeyPatch, plane: Matrix | None
) -> None:
    rough, there = pose(flat(100, 50)), strewn(20)
    monkeypatch.setattr(cv2, "findHomography", lambda *_: (plane, None))
    assert exact_pose(rough, there, through(flat(100, 50), there)) is None


# The exact pose, and its bend.


@pytest.mark.parametrize("bend", [-0.15, -0.125, -0.05, 0.0, 0.05, 0.125, 0.15])
def test_the_bend_is_found_from_points_all_over_the_board(bend: float) -> None:
    plane, there = camera(35, 25, 1.1), strewn(80)
    here = bent(through(plane, there), bend)
    rough = rough_pose(there, here, SIZE)
    assert rough is not None
    found = exact_pose(rough, there, here)
    assert found is not None
    assert found.lens.size == SIZE
    assert found.lens.bend == pytest.approx(bend, abs=1e-9)
    assert found.agreeing == 80
    assert np.abs(found.seen(ALL_OVER) - bent(through(plane, ALL_OVER), bend)).max() < 0.01


@pytest.mark.parametrize("wrong_px", [8.0, 40.0, 600.0])
def test_a_few_wrong_pairs_move_and_bend_nothing(wrong_px: float) -> None:
    plane, there = camera(35, 25, 1.1), strewn(80)
    here = bent(through(plane, there), 0.05)
    lots = np.random.default_rng(3)
    turns = lots.random(10) * math.tau
    here[::8] += wrong_px * np.column_stack([np.cos(turns), np.sin(turns)])
    rough = rough_pose(there, here, SIZE)
    assert rough is not None
    found = exact_pose(rough, there, here)
    assert found is not None
    assert found.lens.bend == pytest.approx(0.05)
    assert found.agreeing == 70
    assert np.abs(found.seen(ALL_OVER) - bent(through(plane, ALL_OVER), 0.05)).max() < 0.01


@pytest.mark.parametrize(("pairs", "found"), [(7, False), (8, True)])
def test_eight_pairs_are_the_fewest_that_tell(pairs: int, found: bool) -> None:
    plane, there = camera(20), strewn(30)
    here = through(plane, there)
    here[pairs:] += 100.0
    exact = exact_pose(pose(plane), there, here)
    assert (exact is not None) is found
    assert exact is None or exact.agreeing == pairs


@pytest.mark.parametrize(("off_px", "found"), [(11.5, True), (12.5, False)])
def test_pairs_that_lie_far_from_a_rough_pose_are_not_looked_at(off_px: float, found: bool) -> None:
    plane, there = flat(100, 50), strewn(40)
    exact = exact_pose(pose(flat(100 + off_px, 50)), there, through(plane, there))
    assert (exact is not None) is found
    assert exact is None or np.allclose(exact.seen(ALL_OVER), through(plane, ALL_OVER), atol=0.01)


@pytest.mark.parametrize(("wide_px", "bend"), [(560, 0.15), (500, 0.125), (300, 0.025), (200, 0.0)])
def test_the_smaller_the_part_that_is_seen_the_less_it_bends_a_picture(
    wide_px: float, bend: float
) -> None:
    # In the middle of a picture a strong bend shows by fractions of a px: with these four times
    # four points by 0.13 px at 200 px, so that a picture without a bend is likelier.
    there = np.array([(x, y * H) for x in np.linspace(0, 1, 4) for y in np.linspace(0, 1, 4)])
    plane = flat(640 - wide_px / 2, 360 - wide_px * H / 2, wide_px)
    exact = exact_pose(pose(plane), there, bent(through(plane, there), 0.15))
    assert exact is not None
    assert exact.lens.bend == pytest.approx(bend)


def test_a_bend_that_hardly_any_pair_agrees_with_does_not_end_the_search() -> None:
    # A board that fills the picture: as if the lens did not bend hardly half of it is near.
    plane, there = camera(0, 0, 0.8), strewn(20)
    here = bent(through(plane, there), 0.15)
    rough = rough_pose(there, here, SIZE)
    assert rough is not None
    found = exact_pose(rough, there, here)
    assert found is not None
    assert found.lens.bend == pytest.approx(0.15)
    assert found.agreeing == 20


def test_wrong_pairs_that_lie_together_are_left_out_in_the_end() -> None:
    # As where a card lies on the board that lay elsewhere when the board was learnt. At first they
    # drag their corner along, and right ones near by do not agree.
    plane, there = camera(35, 25, 1.1), strewn(80)
    here = through(plane, there)
    moved = (there[:, 0] < 0.28) & (there[:, 1] < 0.33)
    assert moved.sum() == 9
    here[moved] += (9.0, 0.0)
    found = exact_pose(pose(plane), there, here)
    assert found is not None
    assert (found.lens.bend, found.agreeing) == (0.0, 71)
    assert np.abs(found.seen(ALL_OVER) - through(plane, ALL_OVER)).max() < 0.01
