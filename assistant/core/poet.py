"""Where the Rival Poet goes (rulebook, The Rival Poet, Updating the Poet's location).

Both Poets go at most one road a turn, never into a place with the symbol on the stealth card, and
not at all in the fog. A Poet that cannot move stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.core.board import Board
from assistant.core.settings import TieReading
from assistant.core.terms import Feature, Location


@dataclass(frozen=True, slots=True)
class PoetMove:
    """Where a Poet goes and why; `move` is his own place when he stays.

    `alternatives` are other places that another reading of the open rule would send him to.
    """

    move: Location
    stays: bool
    why: str
    alternatives: tuple[Location, ...] = ()


def elusive_move(board: Board, poet: Location, pawn: Location, symbol: Feature | None) -> PoetMove:
    """Return where the Elusive Poet goes; `symbol` None is fog on the stealth deck.

    He moves only when the pawn is exactly one road away, and truly away: to a place two steps from
    the pawn. Facing away from the pawn, right-most is the next road anticlockwise from the road
    that leads to the pawn, then the next.
    """
    if symbol is None:
        return PoetMove(poet, stays=True, why="fog is showing: he does not move")
    if board.distance(poet, pawn) != 1:
        return PoetMove(poet, stays=True, why="the pawn is not exactly one road away")
    away = [there for there in _anticlockwise(board, poet, pawn) if board.distance(there, pawn) > 1]
    open_roads = _without(board, away, symbol)
    if not open_roads:
        return PoetMove(poet, stays=True, why=_barred(away, symbol, "away from the pawn"))
    why = "the only road away from the pawn that is open"
    if len(open_roads) > 1:
        why = "the right-most road facing away from the pawn"
    return PoetMove(open_roads[0], stays=False, why=why + _shunning(away, open_roads, symbol))


def aggressive_move(
    board: Board,
    poet: Location,
    pawn: Location,
    symbol: Feature | None,
    tie: TieReading = TieReading.DRAWN,
) -> PoetMove:
    """Return where the Aggressive Poet goes; `symbol` None is fog on the stealth deck.

    He goes one step nearer to the pawn, never a longer way round. Between equally short ways he
    takes the right-most as he faces the pawn along the straight line from ring to ring; where the
    drawn roads and the straight lines disagree, the other is offered as an alternative.
    """
    if symbol is None:
        return PoetMove(poet, stays=True, why="fog is showing: he does not move")
    if poet is pawn:
        return PoetMove(poet, stays=True, why="he is where the pawn is")
    nearer = board.first_steps(poet, pawn)
    open_roads = _without(board, nearer, symbol)
    if not open_roads:
        why = _barred(nearer, symbol, "nearer to the pawn")
        if _way_round(board, poet, pawn, symbol):
            why += "; a longer way round is open, but he takes only a shortest way"
        return PoetMove(poet, stays=True, why=why)
    found = {
        reading: max(open_roads, key=_right_of(board, poet, pawn, reading))
        for reading in TieReading
    }
    why = "the only open road nearer to the pawn"
    if len(open_roads) > 1:
        why = "of equally short ways the right-most facing the pawn"
    others = tuple(dict.fromkeys(place for place in found.values() if place is not found[tie]))
    if others:
        why += f"; by the {tie.value} roads, the other reading leads to {others[0].value}"
    return PoetMove(
        found[tie],
        stays=False,
        why=why + _shunning(nearer, open_roads, symbol),
        alternatives=others,
    )


def placings(board: Board, caught_at: Location) -> tuple[Location, ...]:
    """Return where the Poet's pawn may be put: the other places of the colour, in printed order.

    At set-up this is the place that matches the player's; after a catch the place that matches
    where he was caught. One place, two where the ring is green.
    """
    colour = board.colour(caught_at)
    return tuple(place for place in board.with_colour(colour) if place is not caught_at)


def _anticlockwise(board: Board, here: Location, first: Location) -> tuple[Location, ...]:
    """Return the neighbours anticlockwise from the road to `first`, that one left out."""
    clockwise = board.neighbours(here)
    at = clockwise.index(first)
    return tuple(clockwise[(at - turn) % len(clockwise)] for turn in range(1, len(clockwise)))


def _right_of(
    board: Board, poet: Location, pawn: Location, reading: TieReading
) -> Callable[[Location], tuple[float, ...]]:
    """Return how far to the right of the line to the pawn a road lies, -180..180 degrees.

    Drawn roads that leave by one exit are told apart by where they fork.
    """
    ahead = board.straight_bearing_deg(poet, pawn)

    def right(bearing: float) -> float:
        return (bearing - ahead + 180) % 360 - 180

    def drawn(there: Location) -> tuple[float, ...]:
        exit_deg = board.road_exit_deg(poet, there)
        return right(exit_deg), right(board.road_bearing_deg(poet, there))

    def straight(there: Location) -> tuple[float, ...]:
        return (right(board.straight_bearing_deg(poet, there)),)

    return drawn if reading is TieReading.DRAWN else straight


def _without(board: Board, places: Sequence[Location], symbol: Feature) -> list[Location]:
    return [place for place in places if symbol not in board.features(place)]


def _way_round(board: Board, poet: Location, pawn: Location, symbol: Feature) -> bool:
    """Whether the pawn can be reached without entering a place that shows the symbol."""
    if symbol in board.features(pawn):
        return False
    seen, edge = {poet}, [poet]
    while edge:
        for there in board.neighbours(edge.pop()):
            if there is pawn:
                return True
            if there not in seen and symbol not in board.features(there):
                seen.add(there)
                edge.append(there)
    return False


def _barred(wanted: Sequence[Location], symbol: Feature, where: str) -> str:
    """Return why none of the places wanted is open; on the map there is always one to want."""
    names = ", ".join(place.value for place in wanted)
    return f"every place {where} shows the stealth card's symbol, {symbol.value}: {names}"


def _shunning(wanted: Sequence[Location], open_roads: Sequence[Location], symbol: Feature) -> str:
    shunned = [place.value for place in wanted if place not in open_roads]
    return f"; he never enters {', '.join(shunned)} ({symbol.value})" if shunned else ""
