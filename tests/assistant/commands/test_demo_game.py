"""The demo's game, with an eye that sees what is on the table and one that sees nothing."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assistant.commands.demo_game import MOST_TRIES, MOST_UNREAD, DemoGame
from assistant.core.terms import Content, Feature, Location
from assistant.data import load_board
from assistant.practice.deck import HiddenCard, PracticeDeck
from assistant.session import Frame, MemoryLog, Session
from assistant.vision.sighting import Corners, Picture, Reason, Side, Sighting

CORNERS: Corners = ((100.0, 100.0), (188.0, 100.0), (188.0, 236.0), (100.0, 236.0))
BARE: Picture = np.zeros((4, 4, 3), np.uint8)
BOARD = load_board()


class SimpleTable:
    """A table without pictures: a stack is there from lay() to lift()."""

    def __init__(self) -> None:
        self.laid: list[tuple[Location, HiddenCard]] = []
        self._index = 0
        self._on_table: tuple[Location, Content] | None = None

    @property
    def is_clear(self) -> bool:
        return self._on_table is None

    @property
    def on_table(self) -> tuple[Location, Content] | None:
        return self._on_table

    def lay(self, location: Location, card: HiddenCard) -> None:
        self.laid.append((location, card))
        self._on_table = location, card.shows(location)

    def lift(self) -> None:
        self._on_table = None

    def read(self, timeout_s: float) -> Frame:
        self._index += 1
        return Frame(BARE, self._index, self._index / 30)

    def close(self) -> None:
        return


class Eye:
    """Sees what is on the table, but for the places it is blind to; nearby frames differ a bit."""

    def __init__(self, table: SimpleTable, blind_to: frozenset[Location] = frozenset()) -> None:
        self._table, self._blind_to = table, blind_to

    def look(self, picture: Picture) -> Sighting:
        seen = self._table.on_table
        if seen is None or seen[0] in self._blind_to:
            return Sighting(reason=Reason.NO_KEY)
        return Sighting(seen[0], Side.BACK, CORNERS, seen[1], 0.99)


def played(
    hideout: Location, feature: Feature, blind_to: frozenset[Location] = frozenset()
) -> tuple[DemoGame, Session, SimpleTable]:
    deck = PracticeDeck(BOARD, seed=5)
    table = SimpleTable()
    session = Session(BOARD, Eye(table, blind_to), MemoryLog())
    game = DemoGame(session, table, deck.youth[hideout], deck.rendezvous[feature])
    game.play()
    return game, session, table


@pytest.mark.parametrize(("hideout", "feature"), list(product(Location, Feature)))
def test_whatever_is_hidden_is_among_the_last_candidates(
    hideout: Location, feature: Feature
) -> None:
    game, session, table = played(hideout, feature)
    assert game.is_right
    assert hideout in session.state.youth.candidates
    assert feature in session.state.rendezvous.candidates
    assert len(session.readings) == len(table.laid)


@pytest.mark.parametrize("hideout", list(Location))
def test_it_ends_only_when_no_place_left_could_tell_more(hideout: Location) -> None:
    _, session, table = played(hideout, Feature.CHURCH)
    deck = PracticeDeck(BOARD, seed=5)
    told_before = session.state.youth.candidates
    allowed = session.state.youth.deduction.puzzle.allowed
    asked = {location for location, card in table.laid if card is deck.youth[hideout]}
    for place in set(Location) - asked:
        # Asking here could strike nobody out: all that are left may show the same icons.
        shown = {frozenset(allowed[place][candidate]) for candidate in told_before}
        assert len(told_before) == 1 or len(shown) == 1


def test_no_card_is_laid_twice_where_it_was_read() -> None:
    _, _, table = played(Location.SOUTHWARK, Feature.TAVERN)
    assert len({(place, id(card)) for place, card in table.laid}) == len(table.laid)


def test_places_that_give_no_reading_are_tried_again_and_left() -> None:
    blind = frozenset({Location.CORNHILL, Location.CRIPPLEGATE})
    game, session, table = played(Location.SOUTHWARK, Feature.TAVERN, blind)
    assert game.is_right
    assert not blind & {reading.location for reading in session.readings}
    tries = [(place, id(card)) for place, card in table.laid if place in blind]
    assert all(tries.count(one) <= MOST_TRIES for one in tries)


def test_after_a_laying_without_a_reading_another_comes_first() -> None:
    blind = frozenset({Location.CORNHILL})
    _, _, table = played(Location.SOUTHWARK, Feature.TAVERN, blind)
    laid = [(place, id(card)) for place, card in table.laid]
    first = next(number for number, (place, _) in enumerate(laid) if place in blind)
    assert laid[first] not in laid[first + 1 : first + 3]


class LyingEye(Eye):
    """Sees the table of Cripplegate's card whatever is hidden: the truth is struck out."""

    def look(self, picture: Picture) -> Sighting:
        seen = super().look(picture)
        if seen.location is None or seen.content is None or seen.content.feature is None:
            return seen
        told = PracticeDeck(BOARD, seed=5).youth[Location.CRIPPLEGATE].shows(seen.location)
        return Sighting(seen.location, Side.BACK, CORNERS, told, 0.99)


def test_a_truth_that_was_struck_out_is_not_right() -> None:
    deck = PracticeDeck(BOARD, seed=5)
    table = SimpleTable()
    session = Session(BOARD, LyingEye(table), MemoryLog())
    game = DemoGame(
        session, table, deck.youth[Location.LONDON_BRIDGE], deck.rendezvous[Feature.TAVERN]
    )
    game.play()
    assert Location.LONDON_BRIDGE not in session.state.youth.candidates
    assert Feature.TAVERN in session.state.rendezvous.candidates
    assert not game.is_right


def test_a_camera_that_sees_nothing_ends_the_game_without_a_reading_and_not_right() -> None:
    game, session, table = played(Location.SOUTHWARK, Feature.TAVERN, frozenset(Location))
    assert session.readings == ()
    assert len(table.laid) == MOST_UNREAD
    assert not game.is_right


def test_a_stopped_game_lays_nothing_more() -> None:
    deck = PracticeDeck(BOARD, seed=5)
    table = SimpleTable()
    session = Session(BOARD, Eye(table), MemoryLog())
    game = DemoGame(session, table, deck.youth[Location.SOUTHWARK], deck.rendezvous[Feature.TAVERN])
    game.is_stopped = True
    game.play()
    assert table.laid == []
