"""Where a place's four lines of words stand beside its ring: clear of rings, roads, other words.

Lengths are shares of the map's width. The page has room on the right of the map, so names of the
places at that edge can stand there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise

from assistant.core.board import Point
from assistant.core.terms import Location
from assistant.present.table_map import PlaceMark, TableMap

#: How far beyond the map's right edge words may reach.
ROOM = 0.16

_WIDE, _HIGH, _APART = 0.21, 0.076, 0.012

_Box = tuple[float, float, float, float]


class Side(Enum):
    """On which side of its ring a name stands."""

    RIGHT = "right"
    LEFT = "left"
    BELOW = "below"
    ABOVE = "above"


def label_sides(shapes: TableMap) -> dict[Location, Side]:
    """Return the side for each place; the one with the least choice is placed first."""
    roads = [point for road in shapes.roads for point in _along(road)]
    costs = {
        mark.location: {
            side: cost for side in Side if (cost := _cost(mark, side, shapes, roads)) is not None
        }
        for mark in shapes.places
    }
    chosen: dict[Location, Side] = {}
    taken: list[_Box] = []
    marks = {mark.location: mark for mark in shapes.places}
    for place in sorted(costs, key=lambda place: (len(costs[place]), -min(costs[place].values()))):
        boxes = {side: _box(marks[place], side, shapes.ring) for side in costs[place]}
        side = min(
            costs[place],
            key=lambda side: (
                costs[place][side] + 400 * sum(_overlap(boxes[side], other) for other in taken)
            ),
        )
        chosen[place] = side
        taken.append(boxes[side])
    return chosen


def _box(mark: PlaceMark, side: Side, ring: float) -> _Box:
    """Return left, top, right, bottom of the words on a side."""
    x, y, off = mark.x, mark.y, ring + _APART
    if side is Side.RIGHT:
        return (x + off, y - _HIGH / 2, x + off + _WIDE, y + _HIGH / 2)
    if side is Side.LEFT:
        return (x - off - _WIDE, y - _HIGH / 2, x - off, y + _HIGH / 2)
    top = y + off if side is Side.BELOW else y - off - _HIGH
    return (x - _WIDE / 2, top, x + _WIDE / 2, top + _HIGH)


def _cost(mark: PlaceMark, side: Side, shapes: TableMap, roads: Sequence[Point]) -> float | None:
    """Return how badly words stand there: None off the page, else roads and rings they cover."""
    left, top, right, bottom = box = _box(mark, side, shapes.ring)
    if left < 0 or right > 1 + ROOM or top < -0.02 or bottom > shapes.height + 0.085:
        return None
    rings = sum(
        max(0.0, shapes.ring + 0.022 - _distance((other.x, other.y), box))
        for other in shapes.places
        if other.location is not mark.location
    )
    covered = sum(left < x < right and top < y < bottom for x, y in roads)
    return 4000 * rings + covered


def _along(road: Sequence[Point]) -> Iterator[Point]:
    for (x0, y0), (x1, y1) in pairwise(road):
        for step in range(6):
            yield x0 + (x1 - x0) * step / 6, y0 + (y1 - y0) * step / 6


def _distance(point: Point, box: _Box) -> float:
    left, top, right, bottom = box
    across = max(left - point[0], 0.0, point[0] - right)
    down = max(top - point[1], 0.0, point[1] - bottom)
    return float((across**2 + down**2) ** 0.5)


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
