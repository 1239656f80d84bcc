"""The demo's game: lays the hidden cards on the keys where the deduction says it helps most.

It plays as a player would who trusts the help: of all places not yet asked or sought it goes to the
one that strikes out most candidates per turn, walking included, until nothing that is left to ask
could tell more. It sees only what the session sees; the hidden cards go to the camera and to nobody
else. A laying that gives no reading is tried again, then left; when one after the other gives none,
the camera sees nothing, and the game ends.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from assistant.core.advice import Advice
from assistant.core.terms import Location
from assistant.practice.deck import HiddenCard, RendezvousCard, YouthCard
from assistant.session import CameraSource, Session

#: How long a stack lies before the player gives up on it, and how long the table stays empty.
MOST_FRAMES_LYING, MOST_FRAMES_LEAVING = 50, 45

MOST_TRIES = 3

#: So many layings in a row without a reading, and the game ends.
MOST_UNREAD = 6


class Table(CameraSource, Protocol):
    """A film in which stacks are laid down and lifted on demand (PracticeCamera is one)."""

    @property
    def is_clear(self) -> bool:
        """Whether the table is empty."""
        ...

    def lay(self, location: Location, card: HiddenCard) -> None:
        """Begin to slide a stack in; it rests until it is lifted."""
        ...

    def lift(self) -> None:
        """Begin to take the stack away."""
        ...


@dataclass(frozen=True, slots=True)
class Laying:
    """A card to lay on a key: the Youth's to ask, the Rendezvous' to seek."""

    location: Location
    card: YouthCard | RendezvousCard


class DemoGame:
    """One practice game that plays itself on a session."""

    def __init__(
        self, session: Session, table: Table, youth: YouthCard, rendezvous: RendezvousCard
    ) -> None:
        """Hide the two cards; nothing is laid yet. The pawn starts in Cornhill."""
        self._session, self._table = session, table
        self._youth, self._rendezvous = youth, rendezvous
        self._pawn = Location.CORNHILL
        self._tries: Counter[tuple[Location, type]] = Counter()
        self._unread = 0
        self.is_stopped = False

    def play(self) -> None:
        """Play to the end, or until `is_stopped` is set from another thread."""
        while not self.is_stopped and self._unread < MOST_UNREAD:
            laying = self.next_laying()
            if laying is None:
                return
            self._pawn = laying.location
            self._tries[laying.location, type(laying.card)] += 1
            self._unread = 0 if self._lay(laying) else self._unread + 1

    @property
    def is_right(self) -> bool:
        """Whether both cards were read and the hidden truth is among the last candidates."""
        state = self._session.state
        return (
            bool(state.youth.answers and state.rendezvous.answers)
            and self._youth.hideout in state.youth.candidates
            and self._rendezvous.feature in state.rendezvous.candidates
        )

    def next_laying(self) -> Laying | None:
        """Return what to lay next; None when neither card could tell more."""
        state = self._session.state
        choices = [
            (advice, Laying(advice.location, card))
            for card, left, many in (
                (self._youth, state.next_to_ask(self._pawn), len(state.youth.candidates)),
                (
                    self._rendezvous,
                    state.next_to_seek(self._pawn),
                    len(state.rendezvous.candidates),
                ),
            )
            for advice in left
            if self._may_help(advice, many)
            and self._tries[advice.location, type(card)] < MOST_TRIES
        ]
        if not choices:
            return None
        # A place that gave no reading waits for the others: it may be the light there.
        fewest = min(self._tries[lay.location, type(lay.card)] for _, lay in choices)
        fresh = [
            (advice, lay)
            for advice, lay in choices
            if self._tries[lay.location, type(lay.card)] == fewest
        ]
        return max(fresh, key=lambda choice: choice[0].per_turn or 0.0)[1]

    @staticmethod
    def _may_help(advice: Advice, candidates: int) -> bool:
        return advice.expected < candidates - 1e-9

    def _lay(self, laying: Laying) -> bool:
        """Lay a stack, wait until it is read or given up, lift it; return whether it was read."""
        before = len(self._session.readings)
        self._table.lay(laying.location, laying.card)
        for _ in range(MOST_FRAMES_LYING):
            frame = self._table.read(1.0)
            if frame is None or self._session.see(frame) is not None:
                break
        self._table.lift()
        for _ in range(MOST_FRAMES_LEAVING):
            frame = self._table.read(1.0)
            if frame is None:
                break
            self._session.see(frame)
            if self._table.is_clear:
                break
        return len(self._session.readings) > before
