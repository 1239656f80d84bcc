"""The practice table: a virtual camera, hidden cards, hands that lay and lift them."""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from assistant.core.events import SessionStarted
from assistant.core.identity import HeldClue, deduce_identity
from assistant.core.settings import Expansion
from assistant.core.stealth import SLOTS, Shown
from assistant.core.suits import LadyCard
from assistant.core.terms import Feature, Location
from assistant.data import load_board, load_ladies
from assistant.practice.camera import FRAMES_PER_S, PracticeCamera
from assistant.practice.deck import HiddenCard, PracticeDeck, StealthCard
from assistant.practice.ladies import darker_ladies
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
        self.seed = seed
        board, chance = load_board(), random.Random(f"practice table {seed}")  # noqa: S311 - a game
        self._deck = PracticeDeck(board, seed)
        self._youth = chance.choice(list(self._deck.youth.values()))
        self._rendezvous = chance.choice(list(self._deck.rendezvous.values()))
        way = _way(board, chance)
        base = _dealt(load_ladies(), chance)
        symbols = [_symbol(board, place, chance) for place in way]
        # Drawn last: what else a seed hides does not hang on which Ladies are played with.
        darker = _dealt(darker_ladies(chance), chance)
        while not _can_be_told(*darker):
            darker = _dealt(darker_ladies(chance), chance)
        self._base, self._darker = (
            TurnedCards(
                self._youth.hideout, self._rendezvous.feature, *ladies, way=way, symbols=symbols
            )
            for ladies in (base, darker)
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

    def cards(self, expansions: Collection[Expansion]) -> TurnedCards:
        """Return the hidden cards of a game with these expansions."""
        return self._darker if Expansion.DARKER in expansions else self._base

    def dealt(self, started: SessionStarted) -> SessionStarted:
        """Return the start with what the player would read off the table."""
        if started.pawn is None:
            return started
        cards = self.cards(started.expansions)
        top = started.top if started.top is not Shown.UNSEEN else Shown(cards.symbols[0].value)
        return replace(started, top=top, suit=cards.lady.suit)

    def lay_youth(self, state: State) -> None:
        """Lay the Youth's card on the key of the pawn's place."""
        self._lay(state, self._youth)

    def lay_rendezvous(self, state: State) -> None:
        """Lay the Rendezvous card on the key of the pawn's place."""
        self._lay(state, self._rendezvous)

    def lay_stealth(self, state: State) -> None:
        """Lay the stealth card on top of the deck on the key of the pawn's place."""
        slot = state.game.deck.slot
        card = StealthCard(self._base.way[slot], self._base.symbols[slot], "ABCDEFGH")
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


#: The Dark Lady, the clue deck from its top, and the card of her suit that lies under the keys.
_Dealt = tuple[LadyCard, Sequence[LadyCard], LadyCard]

#: The last card of a Darker Lady's suit is shuffled with so many others: the first clues.
_FIRST_OTHERS = 3


def _dealt(ladies: Sequence[LadyCard], chance: random.Random) -> _Dealt:
    """Return the clue cards as the rulebook has them dealt.

    Of two other cards of her suit (the Darker Ladies) the second is among the first four clues.
    """
    lady = chance.choice(ladies)
    mate, *more = [card for card in ladies if card.suit is lady.suit and card is not lady]
    clues = [card for card in ladies if card.suit is not lady.suit]
    chance.shuffle(clues)
    if more:
        first = [*more, *clues[:_FIRST_OTHERS]]
        chance.shuffle(first)
        clues[:_FIRST_OTHERS] = first
    return lady, clues, mate


def _can_be_told(lady: LadyCard, clues: Sequence[LadyCard], mate: LadyCard) -> bool:
    """Return whether who holds every clue knows the Lady, as with the base game's cards."""
    held = [HeldClue(card.clue) for card in (mate, *clues)]
    return deduce_identity(lady.suit, held).triples == (lady.clue.traits,)
