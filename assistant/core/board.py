"""The map: eleven places, their features and colours, the roads between them as drawn.

Positions are shares of the board: x of its width, y of its height, origin at the top left. The
board is `HEIGHT_OVER_WIDTH` times as high as it is wide, so a presenter that draws it W wide puts
a point at (x * W, y * W * HEIGHT_OVER_WIDTH).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.core.terms import Colour, Feature, Location

#: Worked out from the drawn roads: the one ratio at which all fifteen polylines have the lengths
#: that were measured along the print (least squares, residual under 0.2 % of the width).
HEIGHT_OVER_WIDTH = 0.702

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """One location as printed: ring centre (x, y in shares of the board) and what is there."""

    location: Location
    colour: Colour
    features: frozenset[Feature]
    x: float
    y: float
    #: The neighbours in the clockwise order in which their roads leave the ring.
    neighbours: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Road:
    """A road from `a` to `b`; the polyline runs from ring to ring, in shares of the board."""

    a: Location
    b: Location
    polyline: tuple[Point, ...]
    #: Where on the ring the drawn road leaves, seen from the centre: degrees clockwise from up.
    exit_at_a_deg: float
    exit_at_b_deg: float
    #: In which direction it goes on over its first 8 % of the board's width, from that exit.
    bearing_at_a_deg: float
    bearing_at_b_deg: float

    @property
    def ends(self) -> frozenset[Location]:
        """The two places the road joins."""
        return frozenset((self.a, self.b))


@dataclass(frozen=True, eq=False)
class Board:
    """The printed map. Immutable; every look-up is a table made once. Hashed by identity."""

    places: Mapping[Location, Place]
    roads: tuple[Road, ...]
    ring_outer_over_width: float
    ring_inner_over_width: float
    height_over_width: float = HEIGHT_OVER_WIDTH
    _distances: Mapping[tuple[Location, Location], int] = field(init=False, repr=False)
    _roads: Mapping[tuple[Location, Location], Road] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a map with a place missing, a one-way road, or a part that cannot be reached."""
        if set(self.places) != set(Location):
            raise ValueError(f"the map has {len(self.places)} of the {len(Location)} places")
        for place in self.places.values():
            for neighbour in place.neighbours:
                if place.location not in self.places[neighbour].neighbours:
                    raise ValueError(f"one-way road {place.location} to {neighbour}")
        joined = {frozenset((p.location, n)) for p in self.places.values() for n in p.neighbours}
        if joined != {road.ends for road in self.roads}:
            raise ValueError("the drawn roads do not join the same places as the neighbours")
        distances = {
            (start, end): steps
            for start in Location
            for end, steps in _distances_from(start, self.places).items()
        }
        if len(distances) != len(Location) ** 2:
            raise ValueError("some places cannot be reached from others")
        object.__setattr__(self, "_distances", distances)
        both_ways = {(road.a, road.b): road for road in self.roads}
        both_ways |= {(road.b, road.a): road for road in self.roads}
        object.__setattr__(self, "_roads", both_ways)

    @property
    def locations(self) -> tuple[Location, ...]:
        """All places in the printed order."""
        return tuple(Location)

    def place(self, location: Location) -> Place:
        """Return all that is printed of a location."""
        return self.places[location]

    def features(self, location: Location) -> frozenset[Feature]:
        """Return the features at a location; one to three, never empty."""
        return self.places[location].features

    def colour(self, location: Location) -> Colour:
        """Return the colour of a location's ring."""
        return self.places[location].colour

    def neighbours(self, location: Location) -> tuple[Location, ...]:
        """Return the places one road away, clockwise as their roads leave the ring."""
        return self.places[location].neighbours

    def distance(self, start: Location, end: Location) -> int:
        """Return the number of roads on a shortest way; 0 for the same place."""
        return self._distances[start, end]

    def first_steps(self, start: Location, end: Location) -> tuple[Location, ...]:
        """Return the neighbours of `start` that lie on a shortest way to `end`.

        Clockwise; up to three of them; empty when the two are the same place.
        """
        return tuple(
            step
            for step in self.neighbours(start)
            if self.distance(step, end) == self.distance(start, end) - 1
        )

    def with_feature(self, feature: Feature) -> tuple[Location, ...]:
        """Return the places that have a feature, in the printed order."""
        return tuple(place for place in Location if feature in self.features(place))

    def with_colour(self, colour: Colour) -> tuple[Location, ...]:
        """Return the places whose ring has a colour, in the printed order."""
        return tuple(place for place in Location if self.colour(place) is colour)

    def road(self, start: Location, end: Location) -> Road:
        """Return the road between two neighbours.

        Raises:
            ValueError: no road joins them.
        """
        road = self._roads.get((start, end))
        if road is None:
            raise ValueError(f"no road joins {start.value} and {end.value}")
        return road

    def road_exit_deg(self, start: Location, end: Location) -> float:
        """Return where the drawn road to `end` leaves the ring of `start`; 0 is up, clockwise.

        Two roads that share an exit and fork outside the ring have the same (Clerkenwell; nearly
        so at Cripplegate); `road_bearing_deg` tells them apart.

        Raises:
            ValueError: no road joins them.
        """
        road = self.road(start, end)
        return road.exit_at_a_deg if road.a is start else road.exit_at_b_deg

    def road_bearing_deg(self, start: Location, end: Location) -> float:
        """Return the direction the drawn road to `end` takes from its exit; 0 is up, clockwise.

        Raises:
            ValueError: no road joins them.
        """
        road = self.road(start, end)
        return road.bearing_at_a_deg if road.a is start else road.bearing_at_b_deg

    def straight_bearing_deg(self, start: Location, end: Location) -> float:
        """Return the bearing from ring centre to ring centre, degrees clockwise from up."""
        here, there = self.places[start], self.places[end]
        across, down = there.x - here.x, (there.y - here.y) * self.height_over_width
        return math.degrees(math.atan2(across, -down)) % 360

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Board:
        """Return the board that a map file describes (the layout of `data/board.json`).

        Raises:
            KeyError, TypeError, ValueError: the file is not such a map.
        """
        clockwise = facts["clockwise_road_order"]
        places = [_place(entry, clockwise[entry["name"]]) for entry in facts["locations"]]
        return cls(
            places={place.location: place for place in places},
            roads=tuple(_road(entry) for entry in facts["roads"]),
            ring_outer_over_width=float(facts["ring"]["outer_radius_over_width"]),
            ring_inner_over_width=float(facts["ring"]["inner_radius_over_width"]),
        )


def _place(entry: Mapping[str, Any], clockwise: Sequence[str]) -> Place:
    if sorted(clockwise) != sorted(entry["neighbours"]):
        raise ValueError(f"the roads at {entry['name']} are told in two ways")
    return Place(
        location=Location(entry["name"]),
        colour=Colour(entry["colour"]),
        features=frozenset(Feature(name) for name in entry["features"]),
        x=float(entry["x"]),
        y=float(entry["y"]),
        neighbours=tuple(Location(name) for name in clockwise),
    )


def _road(entry: Mapping[str, Any]) -> Road:
    return Road(
        a=Location(entry["a"]),
        b=Location(entry["b"]),
        polyline=tuple((float(x), float(y)) for x, y in entry["polyline"]),
        exit_at_a_deg=float(entry["at_a"]["exit_angle_from_centre"]),
        exit_at_b_deg=float(entry["at_b"]["exit_angle_from_centre"]),
        bearing_at_a_deg=float(entry["at_a"]["bearing_8pct"]),
        bearing_at_b_deg=float(entry["at_b"]["bearing_8pct"]),
    )


def _distances_from(start: Location, places: Mapping[Location, Place]) -> dict[Location, int]:
    found = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in places[here].neighbours:
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found
