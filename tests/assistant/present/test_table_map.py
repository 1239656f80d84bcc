"""The Poet's road on the map."""

from __future__ import annotations

import math

import pytest

from assistant.core.events import Event, Overruled
from assistant.core.terms import Location
from assistant.core.turn_events import LadyUpdated, Passed, PoetMoved
from assistant.data import load_board
from assistant.present.table_map import table_map
from tests.assistant.present.games import STARTED, Played

BOARD = load_board()


def road_shown(*events: Event) -> tuple[tuple[float, float], ...]:
    return tuple(table_map(Played(STARTED, LadyUpdated(), *events).state).poet_path)


def spot(place: Location) -> tuple[float, float]:
    """Return the middle of a place's ring, in shares of the board's width."""
    return BOARD.place(place).x, BOARD.place(place).y * BOARD.height_over_width


def nearest(point: tuple[float, float]) -> Location:
    return min(Location, key=lambda place: math.dist(spot(place), point))


@pytest.mark.parametrize("to", sorted(BOARD.neighbours(Location.CLERKENWELL), key=str))
def test_the_road_that_the_poet_has_gone_runs_from_where_he_was_to_where_he_is(
    to: Location,
) -> None:
    there = Overruled(PoetMoved(to), "for the test")
    path = road_shown(there)
    assert len(path) >= 2
    assert (nearest(path[0]), nearest(path[-1])) == (Location.CLERKENWELL, to)
    back = Overruled(PoetMoved(Location.CLERKENWELL), "for the test")
    assert road_shown(there, Passed(), LadyUpdated(), back) == path[::-1]


def test_no_road_is_drawn_where_a_house_rule_sent_the_poet_farther_than_any_goes() -> None:
    assert BOARD.distance(Location.CLERKENWELL, Location.SOUTHWARK) > 1
    assert road_shown(Overruled(PoetMoved(Location.SOUTHWARK), "a house rule")) == ()
    assert road_shown() == ()
