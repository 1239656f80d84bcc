"""The state of a session: always folded from its events, never stored.

How a reading enters. The value seen at a place is an answer. The same value at the same place again
**confirms** it. Another value at the same place **disputes** it: one of the two is wrong and only
the player can tell which, so neither is used for the deduction until one of them is retracted; the
dispute stands open in the state meanwhile. Nothing is silently overwritten.

How a mistake leaves: see `assistant.core.history`. An act that the rules did not allow when it came
(after an old entry was corrected, say) is still a fact of the table: it counts, and the state lists
it among the `doubts` with the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

from assistant.core.advice import Advice, advise
from assistant.core.board import Board
from assistant.core.deduction import Answer, Conflict, Deduction
from assistant.core.events import (
    Act,
    Corrected,
    Event,
    Recorded,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.game import Game, advance, new_game
from assistant.core.history import InForce, added, in_force, in_vain, redo, undo
from assistant.core.identity import Identity, deduce_identity
from assistant.core.lady import Chase, chase
from assistant.core.legality import refusal
from assistant.core.possible import impossible
from assistant.core.rendezvous import deduce_rendezvous
from assistant.core.score import Sheet, score_sheet
from assistant.core.terms import Feature, Location
from assistant.core.youth import deduce_youth

Card = TypeVar("Card")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Dispute(Generic[Value]):
    """A place at which different values were seen: every answer given there, oldest first."""

    location: Location
    answers: tuple[Answer[Value], ...]


@dataclass(frozen=True)
class Inquiry(Generic[Card, Value]):
    """All that was seen of one hidden card, and what follows. `by` of an answer is its event."""

    deduction: Deduction[Card, Value]
    #: Every answer in force, confirmations and disputed ones too, oldest first.
    answers: tuple[Answer[Value], ...]
    disputes: tuple[Dispute[Value], ...]

    @property
    def candidates(self) -> tuple[Card, ...]:
        """The cards that may lie hidden, in printed order; empty exactly with a conflict."""
        return self.deduction.candidates

    @property
    def weights(self) -> dict[Card, float]:
        """How likely each candidate is; sums to 1."""
        return self.deduction.weights

    @property
    def struck_out(self) -> dict[Card, Answer[Value]]:
        """For each card that is out, the first answer that rules it out.

        Every card is in here or a candidate, with a conflict too: two values at one place, which
        rule out no one card, are a dispute, and neither is used.
        """
        return {card: against[0] for card, against in self.deduction.struck_out.items()}

    @property
    def conflict(self) -> Conflict[Value] | None:
        """The smallest set of answers to blame when no card allows them all."""
        return self.deduction.conflict

    def value_at(self, location: Location) -> Value | None:
        """Return the undisputed value seen at a place, None where there is none."""
        for answer in self.deduction.answers:
            if answer.location is location:
                return answer.value
        return None

    def confirms(self, seq: Seq) -> Seq | None:
        """Return the earlier event whose answer this event's answer repeats, None if it is new."""
        return self._earlier(seq, same=True)

    def disputed_by(self, seq: Seq) -> Seq | None:
        """Return the earlier event that this event's answer contradicts at its place, or None."""
        return self._earlier(seq, same=False)

    def _earlier(self, seq: Seq, *, same: bool) -> Seq | None:
        mine = next((answer for answer in self.answers if answer.by == seq), None)
        if mine is None:
            return None
        for answer in self.answers:
            if answer.by == seq:
                return None
            if answer.location is mine.location and (answer.value == mine.value) is same:
                return Seq(answer.by)
        return None


@dataclass(frozen=True, slots=True)
class Doubt:
    """An act that the rules refuse where it stands in the log, and the rule."""

    seq: Seq
    rule: str


@dataclass(frozen=True)
class State:
    """What stands after the events; every part is worked out when first asked for."""

    board: Board
    #: The whole log, oldest first.
    log: tuple[Recorded, ...]

    @cached_property
    def history(self) -> InForce:
        """What of the log is in force."""
        return in_force(self.log)

    @property
    def in_force(self) -> tuple[Recorded, ...]:
        """The acts in force, oldest first, as corrected; retractions are not among them."""
        return self.history.acts

    @property
    def retracted(self) -> frozenset[Seq]:
        """The numbers of the events that were taken back."""
        return self.history.retracted

    @cached_property
    def started(self) -> SessionStarted:
        """How the game was set up, the last time; the defaults where no start was recorded."""
        for recorded in reversed(self.in_force):
            if isinstance(recorded.event, SessionStarted):
                return recorded.event
        return SessionStarted()

    @cached_property
    def youth(self) -> Inquiry[Location, Feature]:
        """Where the Fair Youth can be."""
        given = [
            Answer(recorded.event.location, recorded.event.feature, recorded.seq)
            for recorded in self.in_force
            if isinstance(recorded.event, YouthAsked)
        ]
        settled, disputes = _settle(given)
        return Inquiry(deduce_youth(self.board, settled), tuple(given), disputes)

    @cached_property
    def rendezvous(self) -> Inquiry[Feature, int]:
        """Which feature the rendezvous can be, steps counted as the session's settings say."""
        given = [
            Answer(recorded.event.location, recorded.event.number, recorded.seq)
            for recorded in self.in_force
            if isinstance(recorded.event, RendezvousSought)
        ]
        settled, disputes = _settle(given)
        reading = self.started.settings.steps
        return Inquiry(deduce_rendezvous(self.board, settled, reading), tuple(given), disputes)

    @cached_property
    def searches(self) -> tuple[SearchMade, ...]:
        """The searches for the Dark Lady, oldest first; one that was read again counts once."""
        return tuple(
            recorded.event
            for before, recorded in zip(self._games, self.in_force, strict=False)
            if isinstance(recorded.event, SearchMade) and not before.is_read_again(recorded.event)
        )

    @property
    def game(self) -> Game:
        """The game turn by turn: whose step it is, what lies where."""
        return self._games[-1]

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Acts in force that the rules refuse where they stand, and that were not overruled."""
        found = []
        for before, entry in zip(self._games, self.in_force, strict=False):
            rule = refusal(before, _act(entry))
            if rule is not None and entry.seq not in self.history.overruled:
                found.append(Doubt(entry.seq, rule))
        return tuple(found)

    @cached_property
    def _games(self) -> tuple[Game, ...]:
        """The game before each act in force, and after the last."""
        games = [new_game(self.board, SessionStarted())]
        for entry in self.in_force:
            games.append(advance(games[-1], _act(entry), entry.seq))
        return tuple(games)

    @cached_property
    def chase(self) -> Chase:
        """Where the Dark Lady can be, was, and will be."""
        return chase(self.board, self.started.settings.may_stay, self.game.evidence)

    @cached_property
    def lady(self) -> dict[Location, float]:
        """Where the Dark Lady can be now, with weights; empty when the entries contradict."""
        return self.chase.at(self.game.deck.slot)

    @cached_property
    def identity(self) -> Identity:
        """Who the Dark Lady can be, from the clues held."""
        return deduce_identity(self.game.suit, self.game.clues)

    @cached_property
    def sheet(self) -> Sheet:
        """The score sheet."""
        return score_sheet(self.game)

    def refusal(self, act: Act) -> str | None:
        """Return why the rules refuse an act now, None when it is legal."""
        return refusal(self.game, act)

    def impossible(self, act: Act) -> str | None:
        """Return why no table can show an act, house rules or not; None where one can."""
        return impossible(self.game, act)

    def before(self, seq: Seq) -> State:
        """Return the state in which an entry came, earlier ones as they stand corrected by now."""
        return State(self.board, tuple(entry for entry in self.in_force if entry.seq < seq))

    def after(self, recorded: Recorded) -> State:
        """Return the state after one event more: what folding the whole log would give.

        For an act it goes on from the game as it stands, so its cost does not grow with the log.
        """
        state = State(self.board, (*self.log, recorded))
        event = recorded.event
        if isinstance(event, Act) and not isinstance(event, SessionStarted):
            history = replace(self.history, acts=(*self.history.acts, recorded))
            games = (*self._games, advance(self.game, event, recorded.seq))
            state.__dict__.update(history=history, _games=games)
        return state

    def what_if(self, act: Act) -> State:
        """Return the state that one act more would give; the log itself is not touched."""
        return self.after(added(self.log, act)[-1])

    def in_vain(self, change: Retracted | Corrected) -> str | None:
        """Return why a change of an earlier entry would change nothing, None where it does."""
        return in_vain(self.log, change)

    def undo(self) -> Event | None:
        """Return the event that takes the last thing back, None when nothing is left."""
        return undo(self.log)

    def redo(self) -> Event | None:
        """Return the event that takes the last undo back, None when there is none."""
        return redo(self.log)

    def next_to_ask(self, pawn: Location | None = None) -> tuple[Advice, ...]:
        """Return where asking a bystander helps, best first (a help)."""
        return advise(self.board, self.youth.deduction, pawn)

    def next_to_seek(self, pawn: Location | None = None) -> tuple[Advice, ...]:
        """Return where seeking the rendezvous helps, best first (a help)."""
        return advise(self.board, self.rendezvous.deduction, pawn)


def _act(entry: Recorded) -> Act:
    """Return the act of an entry in force."""
    assert isinstance(entry.event, Act)  # noqa: S101 - the history settles all other events
    return entry.event


def fold(board: Board, events: Iterable[Recorded]) -> State:
    """Return the state after these events, given in the order of their numbers."""
    return State(board, tuple(events))


def _settle(
    given: Sequence[Answer[Value]],
) -> tuple[list[Answer[Value]], tuple[Dispute[Value], ...]]:
    """Part the answers into those that stand and the disputes, by place."""
    by_place: dict[Location, list[Answer[Value]]] = {}
    for answer in given:
        by_place.setdefault(answer.location, []).append(answer)
    disputed = {
        place
        for place, answers in by_place.items()
        if any(answer.value != answers[0].value for answer in answers)
    }
    disputes = tuple(
        Dispute(place, tuple(answers)) for place, answers in by_place.items() if place in disputed
    )
    return [answer for answer in given if answer.location not in disputed], disputes
