"""The map as shapes, for any view that can draw lines, rings and words.

All lengths are shares of the map's width: a view that draws it W px wide multiplies by W. Colours
are names of meanings, not of paints; the words say the same as the colours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from assistant.core.board import Board, Point
from assistant.core.terms import Colour, Feature, Location
from assistant.present.words import percent

#: Room that a name with two lines of words takes, (width, height).
_LABEL = (0.22, 0.08)


class LabelSide(Enum):
    """On which side of its ring a name stands."""

    BELOW = "below"
    RIGHT = "right"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class RingShape:
    """A place: its ring, its name, and what is possible there in lines of words, if anything is."""

    location: Location
    x: float
    y: float
    radius: float
    colour: Colour
    #: The Youth's share of the chance, None where he cannot be.
    share: float | None
    #: Whether a feature that may be the rendezvous is here.
    may_meet: bool
    was_read: bool
    words: tuple[str, ...]
    #: Where the name and the words go: beside the ring, clear of the other rings.
    side: LabelSide


@dataclass(frozen=True, slots=True)
class MapShapes:
    """Roads first, then rings; `height` is the map's, in shares of its width."""

    height: float
    roads: tuple[tuple[Point, ...], ...]
    rings: tuple[RingShape, ...]


def map_shapes(
    board: Board,
    youth: Mapping[Location, float],
    rendezvous: Collection[Feature],
    read: Collection[Location] = (),
) -> MapShapes:
    """Return the map with what is still possible marked on it.

    Args:
        board: the printed map.
        youth: the share of each place where the Fair Youth may hide.
        rendezvous: the features that may be the rendezvous.
        read: places whose keyhole was read.
    """
    high, radius = board.height_over_width, board.ring_outer_over_width
    centres = {place.location: (place.x, place.y * high) for place in board.places.values()}
    rings = []
    for place in board.places.values():
        share = youth.get(place.location)
        here = sorted(feature.value for feature in place.features & frozenset(rendezvous))
        words = [f"Youth {percent(share)}"] if share is not None else []
        words += [", ".join(here)] if here else []
        rings.append(
            RingShape(
                location=place.location,
                x=place.x,
                y=place.y * high,
                radius=radius,
                colour=place.colour,
                share=share,
                may_meet=bool(here),
                was_read=place.location in read,
                words=tuple(words),
                side=_label_side(place.location, centres, radius),
            )
        )
    roads = tuple(tuple((x, y * high) for x, y in road.polyline) for road in board.roads)
    return MapShapes(high, roads, tuple(rings))


def label_box(side: LabelSide, x: float, y: float, radius: float) -> tuple[Point, Point]:
    """Return the top left and bottom right of the room a label takes beside a ring."""
    wide, high = _LABEL
    if side is LabelSide.BELOW:
        # A name near the map's edge is pushed inwards.
        left = min(max(x - wide / 2, 0.0), 1.0 - wide)
        return (left, y + radius), (left + wide, y + radius + high)
    left = x + radius if side is LabelSide.RIGHT else x - radius - wide
    return (left, y - high / 2), (left + wide, y + high / 2)


def _label_side(location: Location, centres: Mapping[Location, Point], radius: float) -> LabelSide:
    """Return the side where the label stays on the map and farthest off the other rings.

    Below is taken whenever it is clear of them.
    """
    clear: dict[LabelSide, float] = {}
    for side in LabelSide:
        box = label_box(side, *centres[location], radius)
        if box[0][0] >= 0 and box[1][0] <= 1:
            clear[side] = min(
                _apart(centre, box) for place, centre in centres.items() if place is not location
            )
    if clear.get(LabelSide.BELOW, 0.0) >= radius:
        return LabelSide.BELOW
    return max(clear, key=lambda side: clear[side])


def _apart(point: Point, box: tuple[Point, Point]) -> float:
    """Return how far a point lies off a box; 0 inside."""
    (left, top), (right, bottom) = box
    across = max(left - point[0], 0.0, point[0] - right)
    down = max(top - point[1], 0.0, point[1] - bottom)
    return float((across**2 + down**2) ** 0.5)
