"""The map as printed; outside truth: the steps table and the publisher's print."""

from __future__ import annotations

import dataclasses
import math
from itertools import product

import pytest

from assistant.core.board import Board
from assistant.core.terms import Colour, Feature, Location, StepReading
from assistant.data import load_board, load_facts
from tests.assistant.core import truth

BOARD = load_board()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_distances_are_those_of_the_shortest_steps_table(number: int) -> None:
    for start in Location:
        found = {end for end in Location if BOARD.distance(start, end) == number}
        assert found == truth.places_away(start, number, StepReading.SHORTEST)


def test_every_road_goes_both_ways_and_there_are_fifteen() -> None:
    assert len(BOARD.roads) == 15
    for here in Location:
        for there in BOARD.neighbours(here):
            assert here in BOARD.neighbours(there)


def test_every_colour_but_green_has_two_places_and_green_has_three() -> None:
    counted = {colour: len(BOARD.with_colour(colour)) for colour in Colour}
    assert counted == {colour: 3 if colour is Colour.GREEN else 2 for colour in Colour}


def test_features_are_where_the_printed_map_has_them() -> None:
    assert BOARD.features(Location.LIBERTY_OF_THE_CLINK) == {
        Feature.PLAYHOUSE,
        Feature.RESIDENCE,
        Feature.RIVERSIDE,
    }
    assert BOARD.with_feature(Feature.TAVERN) == (Location.EASTCHEAP, Location.SOUTHWARK)
    assert sum(len(BOARD.features(place)) for place in Location) == 20


def test_neighbours_stand_clockwise_as_their_drawn_roads_leave_the_ring() -> None:
    for here in Location:
        place = BOARD.place(here)
        if here in (Location.CLERKENWELL, Location.CRIPPLEGATE):
            continue  # their roads share an exit and fork outside; the table was read by eye
        exits = []
        for there in BOARD.neighbours(here):
            road = BOARD.road(here, there)
            x, y = road.polyline[0] if road.a is here else road.polyline[-1]
            across, down = x - place.x, (y - place.y) * BOARD.height_over_width
            exits.append(math.degrees(math.atan2(across, -down)) % 360)
        turns = [(after - exits[0]) % 360 for after in exits]
        assert turns == sorted(turns), (here, exits)


def test_roads_end_at_the_rings_when_the_board_is_drawn_in_its_proportions() -> None:
    for road in BOARD.roads:
        for end, (x, y) in ((road.a, road.polyline[0]), (road.b, road.polyline[-1])):
            place = BOARD.place(end)
            gap = math.hypot(x - place.x, (y - place.y) * BOARD.height_over_width)
            assert gap == pytest.approx(BOARD.ring_outer_over_width, abs=0.013), (road.a, road.b)


def test_first_steps_can_be_three_and_lead_one_step_nearer() -> None:
    steps = {pair: BOARD.first_steps(*pair) for pair in product(Location, repeat=2)}
    assert max(len(found) for found in steps.values()) == 3
    for (start, end), found in steps.items():
        assert bool(found) is (start is not end)
        for step in found:
            assert BOARD.distance(step, end) == BOARD.distance(start, end) - 1


def test_bearings_run_clockwise_from_up() -> None:
    shoreditch, bishopsgate = Location.SHOREDITCH, Location.BISHOPSGATE
    assert BOARD.straight_bearing_deg(shoreditch, bishopsgate) == pytest.approx(170, abs=1)
    assert BOARD.road_bearing_deg(shoreditch, bishopsgate) == 186
    assert BOARD.road_bearing_deg(bishopsgate, shoreditch) == 360
    # Clerkenwell is 0.2885 of the width to the left of Cripplegate and 0.1052 of the height above.
    left, up = 0.2885, 0.1052 * BOARD.height_over_width
    west = BOARD.straight_bearing_deg(Location.CRIPPLEGATE, Location.CLERKENWELL)
    assert west == pytest.approx(360 - math.degrees(math.atan2(left, up)), abs=0.01)


def test_a_map_with_a_road_missing_is_refused() -> None:
    facts = load_facts("board.json")
    facts["roads"] = facts["roads"][1:]
    with pytest.raises(ValueError, match="same places"):
        Board.from_facts(facts)


def test_a_map_with_a_road_that_the_places_do_not_know_is_refused() -> None:
    road = dataclasses.replace(BOARD.roads[0], a=Location.CLERKENWELL, b=Location.SOUTHWARK)
    with pytest.raises(ValueError, match="same places"):
        Board(BOARD.places, (*BOARD.roads, road), 0.05, 0.04)


def test_a_map_with_a_place_missing_is_refused() -> None:
    places = dict(BOARD.places)
    del places[Location.CORNHILL]
    with pytest.raises(ValueError, match="10 of the 11 places"):
        Board(places, BOARD.roads, 0.05, 0.04)


def test_a_map_in_two_parts_is_refused() -> None:
    # Without its road over the bridge the south bank is reached by Blackfriars alone; cut that too.
    south = {Location.SOUTHWARK, Location.LIBERTY_OF_THE_CLINK}
    places = {
        place.location: dataclasses.replace(
            place,
            neighbours=tuple(
                there for there in place.neighbours if (there in south) is (place.location in south)
            ),
        )
        for place in BOARD.places.values()
    }
    roads = tuple(road for road in BOARD.roads if (road.a in south) is (road.b in south))
    with pytest.raises(ValueError, match="cannot be reached"):
        Board(places, roads, 0.05, 0.04)


@pytest.mark.parametrize("change", [["Southwark"], ["Aldgate"], []])
def test_a_map_that_tells_the_roads_of_a_place_in_two_ways_is_refused(change: list[str]) -> None:
    facts = load_facts("board.json")
    order = facts["clockwise_road_order"]["Cornhill"]
    facts["clockwise_road_order"]["Cornhill"] = [*order[1:], *change]
    with pytest.raises(ValueError, match="told in two ways"):
        Board.from_facts(facts)


def test_a_map_with_a_one_way_road_is_refused() -> None:
    places = dict(BOARD.places)
    places[Location.CORNHILL] = dataclasses.replace(
        places[Location.CORNHILL], neighbours=(Location.EASTCHEAP,)
    )
    with pytest.raises(ValueError, match="one-way"):
        Board(places, BOARD.roads, 0.05, 0.04)


def test_no_road_between_places_that_are_not_neighbours() -> None:
    with pytest.raises(ValueError, match="no road joins"):
        BOARD.road(Location.CLERKENWELL, Location.SOUTHWARK)
