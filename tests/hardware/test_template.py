"""Where the holes go, and which sheets cover them."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.template import OVERLAP_MM, PAPERS_MM, Place, Plan, plan_holes, tiles

shares = st.floats(0.02, 0.98)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    each = draw(st.sampled_from([1, 3]))
    places = [
        Place(f"place {n}", draw(shares), draw(shares), tuple(range(n * each, (n + 1) * each)))
        for n in range(11)
    ]
    width, height = draw(st.floats(420, 900)), draw(st.floats(420, 900))
    return plan_holes(places, width, height, 5.5, draw(st.sampled_from([0.0, 20.0, 40.0])))


@given(plans())
def test_a_frames_holes_are_on_the_frame_and_apart(plan: Plan) -> None:
    assert len({hole.light for hole in plan.holes}) == len(plan.holes)
    if not plan.frame_mm:
        return
    for hole in plan.holes:
        outside = not (0 < hole.x_mm < plan.width_mm and 0 < hole.y_mm < plan.height_mm)
        assert outside
        assert -plan.frame_mm < hole.x_mm < plan.width_mm + plan.frame_mm
        assert -plan.frame_mm < hole.y_mm < plan.height_mm + plan.frame_mm
    for one, other in combinations(plan.holes, 2):
        assert math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) >= 5.5 + 2.9


@given(plans(), st.sampled_from(sorted(PAPERS_MM)))
def test_the_sheets_cover_everything_and_overlap(plan: Plan, paper: str) -> None:
    sheets = tiles(plan, paper)
    for hole in plan.holes:
        assert any(
            sheet.left_mm <= hole.x_mm - 2.75
            and hole.x_mm + 2.75 <= sheet.left_mm + sheet.width_mm
            and sheet.top_mm <= hole.y_mm - 2.75
            and hole.y_mm + 2.75 <= sheet.top_mm + sheet.height_mm
            for sheet in sheets
        )
    by_place = {(sheet.column, sheet.row): sheet for sheet in sheets}
    for (column, row), sheet in by_place.items():
        if (column + 1, row) in by_place:
            right = by_place[column + 1, row]
            assert right.left_mm == pytest.approx(sheet.left_mm + sheet.width_mm - OVERLAP_MM)


def test_an_overlays_holes_are_at_the_places_side_by_side() -> None:
    [left, middle, right] = plan_holes([Place("x", 0.5, 0.25, (7, 8, 9))], 200, 100, 5.5, 0).holes
    assert [(hole.light, hole.x_mm, hole.y_mm) for hole in (left, middle, right)] == [
        (7, 91.5, 25.0),
        (8, 100.0, 25.0),
        (9, 108.5, 25.0),
    ]
    assert [hole.label for hole in (left, middle, right)] == ["x", "", ""]


def test_a_frames_holes_are_at_the_nearest_side() -> None:
    places = [Place("top", 0.5, 0.1, (0,)), Place("left", 0.1, 0.5, (1,)),
              Place("right", 0.9, 0.5, (2,)), Place("bottom", 0.5, 0.9, (3,))]  # fmt: skip
    holes = {hole.label: hole for hole in plan_holes(places, 200, 200, 5.5, 20).holes}
    assert (holes["top"].x_mm, holes["top"].y_mm) == (100, -10)
    assert (holes["left"].x_mm, holes["left"].y_mm) == (-10, 100)
    assert (holes["right"].x_mm, holes["right"].y_mm) == (210, 100)
    assert (holes["bottom"].x_mm, holes["bottom"].y_mm) == (100, 210)


def test_too_many_holes_for_a_side_are_told_of() -> None:
    crowd = [Place(str(n), 0.5, 0.01, (n * 3, n * 3 + 1, n * 3 + 2)) for n in range(11)]
    with pytest.raises(ValueError, match="11 groups of holes do not fit on 200 mm"):
        plan_holes(crowd, 200, 200, 5.5, 20)


@pytest.mark.parametrize(("paper", "sheets"), [("a4", 2), ("letter", 2)])
def test_a_board_of_usual_size_takes_two_sheets(paper: str, sheets: int) -> None:
    plan = plan_holes([Place("x", 0.5, 0.5, (0,))], 300, 220, 5.5, 0)
    assert len(tiles(plan, paper)) == sheets


@pytest.mark.parametrize(("hole_mm", "fits"), [(0.5, False), (1, True), (30, True), (31, False)])
def test_a_hole_is_one_to_thirty_mm_wide(hole_mm: float, fits: bool) -> None:
    places = [Place("Cornhill", 0.5, 0.5, (0,))]
    if fits:
        assert len(plan_holes(places, 300, 200, hole_mm, 0.0).holes) == 1
    else:
        with pytest.raises(ValueError, match="1 to 30 mm"):
            plan_holes(places, 300, 200, hole_mm, 0.0)
