"""The practice table: a virtual camera, hidden cards, hands that lay and lift them."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from assistant.core.events import SessionStarted
from assistant.core.settings import Expansion
from assistant.core.stealth import SLOTS, Shown
from assistant.core.suits import LadyCard
from assistant.core.terms import Feature, Location
from assistant.data import load_board, load_ladies
from assistant.practice.camera import FRAMES_PER_S, PracticeCamera
from assistant.practice.deck import HiddenCard, PracticeDeck, StealthCard
from assistant.present.turned_cards import TurnedCards

if TYPE_CHECKING:
    from assistant.core.board import Board
    from assistant.core.state import State
    from assistant.session import Frame


@dataclass(frozen=True, slots=True)
class _Laying:
    location: Location
    card: HiddenCard


class PracticeTable:
    """A practice game's hidden cards and the camera over it: a CameraSource of 30 a second.

    `lay` and `lift` may be called from any thread; they are done when the film comes to it.
    """

    def __init__(self, seed: int) -> None:
        """Hide the cards; another seed, other cards."""
        board, chance = load_board(), random.Random(f"practice table {seed}")  # noqa: S311 - a game
        self._deck = PracticeDeck(board, seed)
        self._youth = chance.choice(list(self._deck.youth.values()))
        self._rendezvous = chance.choice(list(self._deck.rendezvous.values()))
        way = _way(board, chance)
        ladies = list(load_ladies())
        lady = chance.choice(ladies)
        self.cards = TurnedCards(
            hideout=self._youth.hideout,
            symbol=self._rendezvous.feature,
            lady=lady,
            clues=_clues(ladies, lady, chance),
            mate=_mate(ladies, lady),
            way=way,
            symbols=[_symbol(board, place, chance) for place in way],
        )
        self._camera = PracticeCamera(self._deck, seed)
        self._lock = Lock()
        self._next: _Laying | None = None
        self._due_s = 0.0
        self._is_closed = False

    @property
    def deck(self) -> PracticeDeck:
        """The practice deck."""
        return self._deck

    def dealt(self, started: SessionStarted) -> SessionStarted:
        """Return the start with what the player would read off the table."""
        top = started.top if started.top is not Shown.UNSEEN else Shown(self.cards.symbols[0].value)
        if started.pawn is None:
            return started
        suit = None if Expansion.DARKER in started.expansions else self.cards.lady.suit
        return replace(started, top=top, suit=started.suit or suit)

    def lay_youth(self, state: State) -> None:
        """Lay the Youth's card on the key of the pawn's place."""
        self._lay(state, self._youth)

    def lay_rendezvous(self, state: State) -> None:
        """Lay the Rendezvous card on the key of the pawn's place."""
        self._lay(state, self._rendezvous)

    def lay_stealth(self, state: State) -> None:
        """Lay the stealth card on top of the deck on the key of the pawn's place."""
        slot = state.game.deck.slot
        card = StealthCard(self.cards.way[slot], self.cards.symbols[slot], "ABCDEFGH")
        self._lay(state, card)

    def lift(self) -> None:
        """Take the stack away."""
        with self._lock:
            self._next = None
            self._camera.lift()

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame when its time has come; None when closed or too early."""
        now_s = time.monotonic()
        self._due_s = max(self._due_s, now_s - 1 / FRAMES_PER_S)
        wait_s = self._due_s - now_s
        if wait_s > 0:
            time.sleep(min(wait_s, timeout_s))
            if wait_s > timeout_s:
                return None
        self._due_s += 1 / FRAMES_PER_S
        with self._lock:
            if self._is_closed:
                return None
            laying = self._next
            if laying is not None:
                if self._camera.is_clear:
                    self._camera.lay(laying.location, laying.card)
                    self._next = None
                else:
                    self._camera.lift()
            return self._camera.read()

    def close(self) -> None:
        """End the film."""
        with self._lock:
            self._is_closed = True

    def _lay(self, state: State, card: HiddenCard) -> None:
        place = state.game.pawn or Location.CORNHILL
        with self._lock:
            self._next = _Laying(place, card)


def _way(board: Board, chance: random.Random) -> list[Location]:
    """Return a closed way of the Lady along roads, one place for each slot."""
    while True:
        way = [chance.choice(list(Location))]
        while len(way) < SLOTS:
            way.append(chance.choice(board.neighbours(way[-1])))
        if way[0] in board.neighbours(way[-1]):
            return way


def _symbol(board: Board, place: Location, chance: random.Random) -> Feature:
    return chance.choice(sorted(board.features(place), key=lambda feature: feature.value))


def _clues(ladies: Sequence[LadyCard], lady: LadyCard, chance: random.Random) -> list[LadyCard]:
    """Return the clue deck: all but the Lady and the card that lies under the keys."""
    aside = (lady, _mate(ladies, lady))
    others = [card for card in ladies if card not in aside]
    chance.shuffle(others)
    return others


def _mate(ladies: Sequence[LadyCard], lady: LadyCard) -> LadyCard:
    """Return the other card of the Lady's suit."""
    return next(card for card in ladies if card.suit is lady.suit and card is not lady)
