"""The hidden cards of a practice game: what shows on top, and nothing where nothing is to see."""

from __future__ import annotations

import dataclasses

from assistant.core.events import Event, SearchMade
from assistant.core.stealth import SLOTS
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import LadyUpdated, Passed
from assistant.data import load_ladies
from assistant.present.turned_cards import TurnedCards
from tests.assistant.present.games import STARTED, Played

BASE = dataclasses.replace(STARTED, expansions=frozenset(), poet=None)

#: Each slot's symbol another than its neighbours'.
SYMBOLS = [list(Feature)[slot % len(Feature)] for slot in range(SLOTS)]


def cards() -> TurnedCards:
    lady, mate, *deck = load_ladies()
    way = [list(Location)[slot % len(Location)] for slot in range(SLOTS)]
    return TurnedCards(Location.EASTCHEAP, Feature.COMMERCIAL, lady, deck, mate, way, SYMBOLS)


def tops(played: Played) -> str | None:
    shown = cards().top_after_update(played.state.game)
    return None if shown is None else shown.value


def test_the_next_card_of_the_loop_comes_up_and_after_the_last_the_first() -> None:
    played = Played(BASE)
    for slot in (*range(1, SLOTS), 0, 1):
        assert tops(played) == SYMBOLS[slot].value
        played.add(LadyUpdated())
        played.add(Passed())


def test_where_a_card_was_taken_for_a_search_fog_lies_and_no_symbol_shows() -> None:
    played = Played(BASE, LadyUpdated(), SearchMade(Location.CORNHILL, hit=False))
    for _ in range(SLOTS - 1):
        assert tops(played) is not None
        played.add(LadyUpdated())
        played.add(Passed())
    # Round once: the searched card is the next on top, and a fog card lies in its stead.
    assert tops(played) is None


def test_when_the_lady_escapes_with_the_update_nothing_shows() -> None:
    turns: list[Event] = [LadyUpdated(), Passed()] * (2 * SLOTS - 1)
    played = Played(BASE, *turns)
    assert played.state.game.deck.passes_left == 1
    assert tops(played) is None
