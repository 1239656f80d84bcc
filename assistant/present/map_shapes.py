"""The map as shapes, for any view that can draw lines, rings and words.

All lengths are shares of the map's width: a view that draws it W px wide multiplies by W. Colours
are names of meanings, not of paints; the words say the same as the colours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from assistant.core.board import Board, Point
from assistant.core.terms import Colour, Feature, Location
from assistant.present.words import percent


@dataclass(frozen=True, slots=True)
class RingShape:
    """A place: its ring, its name, and what is possible there in words ("" when nothing is)."""

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
    words: str


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
    high = board.height_over_width
    rings = []
    for place in board.places.values():
        share = youth.get(place.location)
        here = sorted(feature.value for feature in place.features & frozenset(rendezvous))
        words = ([f"Youth {percent(share)}"] if share is not None else []) + here
        rings.append(
            RingShape(
                location=place.location,
                x=place.x,
                y=place.y * high,
                radius=board.ring_outer_over_width,
                colour=place.colour,
                share=share,
                may_meet=bool(here),
                was_read=place.location in read,
                words=", ".join(words),
            )
        )
    roads = tuple(tuple((x, y * high) for x, y in road.polyline) for road in board.roads)
    return MapShapes(high, roads, tuple(rings))
