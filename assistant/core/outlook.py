"""What is coming: where the Dark Lady will be, when markers come up, where to head her off.

Moves are counted as the table counts them: an update of the deck is a turn, so the player has the
rest of this turn and the turns before the one in which she is at the slot to walk; he must be there
in that turn to search. A flight that is due costs updates without turns; a later one would bring
everything forward too, but none is foreseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.core.board import Board
from assistant.core.game import Game, Phase
from assistant.core.lady import Chase
from assistant.core.stealth import SLOTS, Marker, Slot
from assistant.core.terms import Feature, Location


@dataclass(frozen=True, slots=True)
class Coming:
    """A slot of the stealth deck to come: after how many updates, and where she is then."""

    updates: int
    slot: Slot
    places: dict[Location, float]
    #: Whether fog lies there, so that no search is possible.
    fog: bool


@dataclass(frozen=True, slots=True)
class Intercept:
    """A place where the Lady can be headed off, the chance, and the moves it takes."""

    location: Location
    updates: int
    chance: float
    distance: int


@dataclass(frozen=True, slots=True)
class MarkedPlace:
    """A waypoint or tracer in use: where its token lies and when the marked slot is on top.

    `card_in`: updates until the card comes up, None once it has. Until then the player does not
    have to remember; afterwards `updates` are the moves he has left.
    """

    location: Location
    updates: int
    card_in: int | None
    distance: int | None


def coming(game: Game, chase: Chase) -> tuple[Coming, ...]:
    """Return the next 26 slots, soonest first; the last is the one on top now, a round later."""
    return tuple(
        Coming(updates, slot, chase.at(slot), slot in game.deck.fogged)
        for updates in range(1, SLOTS + 1)
        for slot in (game.deck.slot_after(updates),)
    )


def moves_before(game: Game, updates: int) -> int:
    """Return how many roads the player can walk before he must search after these updates.

    Negative for the updates of a flight: she has passed before he can search at all.
    """
    flight = game.clues_held if game.phase is Phase.FLIGHT else 0
    turn_is_over = game.acted or game.phase is Phase.LADY
    return updates - flight - turn_is_over


def intercepts(game: Game, chase: Chase) -> tuple[Intercept, ...]:
    """Return where the Lady can be headed off before she escapes, the surest first.

    Only slots that still hold a stealth card can be searched, and only while a fog card is left to
    take its place. Ties go to the sooner.
    """
    if game.pawn is None or game.phase is Phase.OVER or game.fog_left == 0:
        return ()
    found = []
    for ahead in coming(game, chase):
        if ahead.fog or ahead.updates >= game.deck.updates_until_escape():
            continue
        for place, chance in ahead.places.items():
            distance = game.board.distance(game.pawn, place)
            if distance <= moves_before(game, ahead.updates):
                found.append(Intercept(place, ahead.updates, chance, distance))
    return tuple(sorted(found, key=lambda way: (-way.chance, way.updates)))


def rendezvous_here(board: Board, weights: Mapping[Feature, float], place: Location) -> float:
    """Return how likely a place has the rendezvous symbol, as its confrontation demands."""
    return sum(weights.get(feature, 0.0) for feature in board.features(place))


def rendezvous_places(board: Board, weights: Mapping[Feature, float]) -> dict[Location, float]:
    """Return the places where the rendezvous may be, in printed order, with how likely it is."""
    return {
        place: rendezvous_here(board, weights, place)
        for place in Location
        if board.features(place) & weights.keys()
    }


def marked(game: Game, marker: Marker) -> MarkedPlace | None:
    """Return what a marker in use tells, None for one that is not."""
    if marker.location is None or marker.slot is None:
        return None
    updates = game.deck.updates_until(marker.slot) or SLOTS
    card_in = None
    if marker.in_deck:
        card_in = updates - marker.warning
    distance = None if game.pawn is None else game.board.distance(game.pawn, marker.location)
    return MarkedPlace(marker.location, updates, card_in, distance)
