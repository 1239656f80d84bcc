"""A whole evening at the practice table with every expansion: what is laid the camera reads.

The player answers by lot; but to ask, to seek and to search she lays the card on her key, by the
window's own key for it, and types nothing. Both Poets cannot play: the Aggressive one does here,
the Elusive one in `test_play_camera` and by keys in `test_play_games`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from assistant.commands.play_practice import PracticeTable
from assistant.commands.play_state import told
from assistant.core.events import Event, RendezvousSought, SearchMade, YouthAsked
from assistant.core.score import Ending
from assistant.core.settings import Expansion
from assistant.core.suits import DARKER_SUITS
from assistant.core.turn_events import ClueGained, LadyConfronted, PawnMoved, YouthConfronted
from assistant.present.choices import Ask, Offer
from assistant.present.turned_cards import TurnedCards
from tests.assistant.ui.by_lot import ByLot
from tests.assistant.ui.play_driver import Driven, replayed

pytestmark = pytest.mark.usefixtures("display")

EVERY = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.AGGRESSIVE, Expansion.DARKER,
         Expansion.MARKERS]  # fmt: skip

#: The window's keys by which a card is laid at the practice table, for each act it stands for.
SEARCH, LIFTED = "F7", "F8"
LAID = {"Ask a bystander": "F5", "Seek the rendezvous": "F6", "Search for the Lady": SEARCH}
#: A stack that cannot be read (a glare, a hand) is laid anew, as a player would.
LAYINGS = 3
#: With more clues than these she flees too fast to be followed.
CLUES = 2


#: What must have happened before the Lady is confronted, which ends the game.
KINDS = (YouthAsked, RendezvousSought, SearchMade)
EVENTS = {
    "LadyUpdated", "LadyFled", "PawnMoved", "PoetMoved", "ClueGained", "FogUsed",
    "WaypointPlaced", "TracerPlaced", "YouthConfronted",
}  # fmt: skip


class Filmed(ByLot):
    """Plays by lot, but lays cards where a card is to be read."""

    def __init__(self, driven: Driven, seed: int, cards: TurnedCards) -> None:
        super().__init__(driven, seed)
        self.cards = cards
        self.times: Counter[str] = Counter()
        self.read: list[tuple[Event, int]] = []

    def may_end(self, entries: int) -> bool:
        """Whether everything that a game can hold has happened, and she can be met here."""
        game = self.driven.state.game
        is_right = game.pawn is not None and self.cards.symbol in game.board.features(game.pawn)
        if not (is_right and self.cards.is_here(game)):
            return False
        events = {type(entry.event).__name__ for entry in self.driven.state.in_force}
        read = Counter(type(event) for event, _ in self.read)
        return events >= EVENTS and all(read[kind] >= 2 for kind in KINDS)

    def choices(self, asked: Ask, entries: int) -> list[Offer]:
        """Return the answers to draw from: those given least often so far.

        The player follows the Lady, searches where she is, and names her traits truly.
        """
        offers = super().choices(asked, entries)
        game = self.driven.state.game
        if asked.title.startswith("Move where"):
            soon = self.cards.way[game.deck.updated().slot]
            ways = {o: game.board.distance(o.place, soon) for o in offers if o.place is not None}
            return [offer for offer in ways if ways[offer] == min(ways.values())]
        hers = [trait.value for trait in self.cards.lady.clue.traits]
        offers = [offer for offer in offers if offer.label in hers] or offers
        if self.cards.is_here(game) and game.clues_held < CLUES:
            offers = [offer for offer in offers if LAID.get(offer.label) == SEARCH] or offers
        least = min(self.times[offer.label] for offer in offers)
        return [offer for offer in offers if self.times[offer.label] == least]

    def take(self, offer: Offer) -> None:
        """Give an answer, or lay the card that gives it."""
        self.times[offer.label] += 1
        if offer.label not in LAID:
            super().take(offer)
            return
        driven, entries = self.driven, len(self.driven.state.log)
        slot = driven.state.game.deck.slot
        for _ in range(LAYINGS):
            driven.press(LAID[offer.label])
            if driven.came(lambda: len(driven.state.log) > entries, 20):
                break
        self.read.append((driven.state.in_force[-1].event, slot))
        driven.press(LIFTED)


def is_true(event: Event, slot: int, table: PracticeTable) -> bool:
    """Whether what was read is what lies hidden there."""
    if isinstance(event, YouthAsked):
        return event.feature is table._youth.icons[event.location]
    if isinstance(event, RendezvousSought):
        return event.number == table._rendezvous.numbers[event.location]
    assert isinstance(event, SearchMade)
    return event.hit is (table.cards(EVERY).way[slot] is event.location)


def test_a_whole_game_with_every_expansion_is_read_by_the_camera_from_set_up_to_score(
    learnt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(learnt))
    monkeypatch.setattr("assistant.commands.play_sources.cards_of_the_evening", lambda: 5)
    driven = Driven(camera="practice")
    driven.until(lambda: driven.desk._sources.table)
    table = driven.desk._sources.table
    assert table is not None
    driven.window.set_up.choose(EVERY)
    driven.begin()
    driven.until(lambda: driven.desk._sight.is_ready, 60)
    assert driven.state.game.suit in DARKER_SUITS
    cards = table.cards(EVERY)
    player = Filmed(driven, 3, cards)
    player.play()
    state = driven.state
    assert state.sheet.ending is Ending.WON
    assert state.started.expansions == frozenset(EVERY)
    assert all(is_true(event, slot, table) for event, slot in player.read)
    events = [entry.event for entry in state.in_force]
    clues = [event.clue for event in events if isinstance(event, ClueGained)]
    assert all(len(clue.marks) == len(DARKER_SUITS) for clue in clues)
    # What the deductions leave open holds the truth.
    assert cards.hideout in state.youth.candidates
    assert cards.symbol in state.rendezvous.candidates
    assert cards.lady.clue.traits in state.identity.triples
    at = next(n for n, event in enumerate(events) if isinstance(event, YouthConfronted))
    assert events[at] == YouthConfronted(cards.hideout)
    moves = [event.to for event in events[:at] if isinstance(event, PawnMoved)]
    stood = [state.started.pawn, *moves][-1]
    youth_points = 20 if stood is cards.hideout else -20
    confronted = next(event for event in events if isinstance(event, LadyConfronted))
    assert confronted.traits == confronted.named == cards.lady.clue.traits
    driven.score(24)
    # The rulebook's points: the Youth found or not, the rendezvous, the Aggressive Poet.
    assert driven.state.sheet.total == 24 + youth_points + 15 + 10
    assert driven.has("A new game")
    shown, entries = told(driven.state), len(driven.state.log)
    assert driven.close()
    again = replayed(learnt)
    assert told(again) == shown
    assert len(again.log) == entries
