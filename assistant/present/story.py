"""A game told again from its log, move by move: what was done, what followed, what was left.

Every entry of the log is one step of the story, corrections too, for that is how it was played. A
step that was taken back later says so; the numbers left are those the player saw at that moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from assistant.core.board import Board
from assistant.core.events import (
    Act,
    Corrected,
    Overruled,
    Recorded,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seen,
    Seq,
    YouthAsked,
)
from assistant.core.settings import Expansion
from assistant.core.state import Inquiry, State, fold
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import ClueGained, PoetMoved
from assistant.present.event_words import event_words
from assistant.present.words import counted, listed, percent

Card = TypeVar("Card", Location, Feature)


@dataclass(frozen=True, slots=True)
class Left:
    """How many candidates are left; None for what is not in play or not followed."""

    #: Places of 11 where the Fair Youth may hide.
    youth: int | None
    #: Features of 7 that the rendezvous may be.
    rendezvous: int | None
    #: Places of 11 where the Dark Lady may be.
    lady: int | None
    #: Triples of 35 that the Dark Lady's traits may be.
    triples: int | None


@dataclass(frozen=True)
class Step:
    """One entry of the log and the game after it."""

    entry: Recorded
    state: State
    turn: int
    #: What was done, a sentence without its end.
    text: str
    #: What followed from it, sentences; empty where nothing did.
    result: str
    left: Left
    #: How the camera came to it, None for what was typed.
    seen: Seen | None
    #: Whether it counts at the end of the log as it stood here.
    stands: bool

    @property
    def seq(self) -> Seq:
        """The number of the entry."""
        return self.entry.seq

    @property
    def clock(self) -> str:
        """The time of day at the table, "20:15:02"; empty where the log does not tell."""
        return clock_words(self.entry.time)


def steps(board: Board, events: Iterable[Recorded]) -> tuple[Step, ...]:
    """Return the story of a log, oldest first."""
    told: list[Step] = []
    before = fold(board, ())
    log = tuple(events)
    at_end = fold(board, log).history
    gone = at_end.retracted | at_end.corrected
    for entry in log:
        after = before.after(entry)
        told.append(
            Step(
                entry,
                after,
                after.game.turn,
                _text(entry, before),
                _result(entry, before, after),
                left_in(after),
                _seen(entry),
                entry.seq not in gone,
            )
        )
        before = after
    return tuple(told)


def left_in(state: State) -> Left:
    """Return how many candidates are left in a state."""
    expansions, tracked = state.started.expansions, state.game.tracked
    youth = Expansion.YOUTH in expansions or bool(state.youth.answers)
    rendezvous = Expansion.RENDEZVOUS in expansions or bool(state.rendezvous.answers)
    return Left(
        len(state.youth.candidates) if youth else None,
        len(state.rendezvous.candidates) if rendezvous else None,
        len(state.lady) if tracked else None,
        len(state.identity.triples) if tracked else None,
    )


def clock_words(time: str) -> str:
    """Return the time of day of a log's time, as it was at the table; empty where it has none."""
    moment = moment_of(time)
    return "" if moment is None else moment.strftime("%H:%M:%S")


def moment_of(time: str) -> datetime | None:
    """Return the moment that a log's time tells, None where it is no time."""
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return None


def _text(entry: Recorded, before: State) -> str:
    event = entry.event
    if isinstance(event, Retracted | Corrected):
        was = next((other for other in before.log if other.seq == event.of), None)
        of = f"entry {event.of}" if was is None else f"entry {event.of}, {event_words(was.event)},"
        if isinstance(event, Retracted):
            return f"taken back: {of.rstrip(',')}"
        return f"put right: {of} is now {event_words(event.event)}"
    if isinstance(event, PoetMoved) and event.to is before.game.poet:
        return f"the Poet stays in {event.to.value}"
    seen = _seen(entry)
    sure = "" if seen is None else f" (read, {percent(seen.confidence)} sure)"
    return event_words(event) + sure


def _result(entry: Recorded, before: State, after: State) -> str:
    """Return what an entry changed: who is ruled out, who comes back, disputes and conflicts."""
    event = entry.event
    told = []
    if isinstance(event, Overruled):
        told.append(f"against the rule: {event.rule}")
    act = event.event if isinstance(event, Overruled | Corrected) else event
    changes = isinstance(event, Retracted | Corrected)
    if changes or isinstance(act, YouthAsked):
        told += _changed(before.youth, after.youth, entry.seq, "the Youth", "place")
    if changes or isinstance(act, RendezvousSought):
        told += _changed(before.rendezvous, after.rendezvous, entry.seq, "the rendezvous", "symbol")
    if changes or isinstance(act, ClueGained | SearchMade):
        told += _lady(before, after, act)
    return "; ".join(told)


def _changed(
    before: Inquiry[Card, Any], after: Inquiry[Card, Any], seq: Seq, what: str, unit: str
) -> list[str]:
    """Return which candidates an entry ruled out or brought back, and how many are left.

    Args:
        before: what was known of the hidden card.
        after: the same with the entry.
        seq: the entry.
        what: is told of.
        unit: what its candidates are: "place" or "symbol".
    """
    was, now = before.candidates, after.candidates
    out = [card.value for card in was if card not in now]
    back = [card.value for card in now if card not in was]
    told: list[str] = _disputed(after.disputed_by(seq), after.confirms(seq))
    if not now and was:
        return [*told, f"the answers about {what} contradict each other"]
    at = "in " if unit == "place" else ""
    told += [f"{what} is not {at}{listed(out)}"] if out else []
    told += [f"{what} may be {at}{listed(back)} again"] if back else []
    return [*told, f"{counted(len(now), unit)} left"] if out or back else told


def _disputed(disputes: Seq | None, confirms: Seq | None) -> list[str]:
    if disputes is not None:
        return [f"differs from entry {disputes}: neither is used"]
    return [] if confirms is None else [f"confirms entry {confirms}"]


def _lady(before: State, after: State, act: object) -> list[str]:
    if not after.game.tracked:
        return []
    told = []
    was, now = len(before.lady), len(after.lady)
    if isinstance(act, SearchMade) and was != now:
        told.append(f"the Lady was in one of {counted(was, 'place')}, now {now}")
    was, now = len(before.identity.triples), len(after.identity.triples)
    if was != now:
        told.append(f"{now} of 35 triples of traits left")
    return told


def _seen(entry: Recorded) -> Seen | None:
    event: object = entry.event
    if isinstance(event, Corrected | Overruled):
        event = event.event
    return event.seen if isinstance(event, YouthAsked | RendezvousSought | SearchMade) else None


def is_act(step: Step) -> bool:
    """Whether a step is an act of the game, not a correction of the log."""
    return isinstance(step.entry.event, Act | Overruled)
