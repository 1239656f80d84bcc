"""The log of readings and acts as lines that can be clicked, and how each is put right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from assistant.core.events import (
    Act,
    Corrected,
    Recorded,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seen,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.state import State
from assistant.core.terms import Location
from assistant.core.turn_events import LadyUpdated, PawnMoved, PoetMoved
from assistant.present.choices import Ask, Offer, ask, even_ask, place_offers
from assistant.present.event_words import event_words
from assistant.present.start_asks import start_ask
from assistant.present.symbol_asks import feature_offers, shown_offers
from assistant.present.words import percent


class Fate(Enum):
    """What has become of an entry; the value is its word beside the line."""

    STANDS = ""
    TAKEN_BACK = "taken back"
    PUT_RIGHT = "put right"
    DISPUTED = "disputed"
    DOUBTED = "against the rules"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line: the entry's number, the time of day, the words. `by_camera`: a reading."""

    seq: Seq
    time: str
    text: str
    fate: Fate = Fate.STANDS
    by_camera: bool = False


def log_lines(state: State, clock: Callable[[str], str]) -> tuple[LogLine, ...]:
    """Return the entries, oldest first; corrections show on the entry that they correct.

    Args:
        state: the game.
        clock: turns the log's time into the time of day on the table.
    """
    doubts = {doubt.seq for doubt in state.doubts}
    disputed: set[int] = {
        answer.by
        for inquiry in (state.youth, state.rendezvous)
        for dispute in inquiry.disputes
        for answer in dispute.answers
    }
    stands = {entry.seq: entry for entry in state.in_force}
    lines = []
    for entry in state.log:
        if isinstance(entry.event, Retracted | Corrected):
            continue
        now = stands.get(entry.seq, entry)
        fate = Fate.STANDS
        if entry.seq not in stands:
            fate = Fate.TAKEN_BACK
        elif entry.seq in disputed:
            fate = Fate.DISPUTED
        elif entry.seq in doubts:
            fate = Fate.DOUBTED
        elif entry.seq in state.history.corrected:
            fate = Fate.PUT_RIGHT
        lines.append(
            LogLine(entry.seq, clock(entry.time), _words(now), fate, _seen(now) is not None)
        )
    return tuple(lines)


def correction_ask(state: State, seq: Seq) -> Ask:
    """Return the question what to do with an entry: change it, take it back, put it back."""
    entry = next((entry for entry in state.log if entry.seq == seq), None)
    if entry is None:
        return ask("That entry is gone.", ())
    stands = next((entry for entry in state.in_force if entry.seq == seq), None)
    if stands is None:
        by = next(
            (
                other.seq
                for other in reversed(state.log)
                if isinstance(other.event, Retracted)
                and other.event.of == seq
                and other.seq not in state.retracted
            ),
            None,
        )
        offers = [] if by is None else [Offer("Put it back", Retracted(by), "b")]
        return ask(f"{event_words(entry.event)}: taken back.", offers)
    act = stands.event
    if isinstance(act, SessionStarted):
        return start_ask(state.board, seq, act)
    offers = _changes(seq, act)
    offers.append(Offer("Take it back", Retracted(seq), "b"))
    # The large key must not change what was right: a click on a line opens this.
    return even_ask(f"{event_words(act)}: what was it really?", offers)


def _changes(seq: Seq, act: object) -> list[Offer]:
    """Return the ways in which an entry can be put right; what the camera saw is not kept."""

    def corrected(event: Act) -> Corrected:
        return Corrected(seq, event)

    offers: list[Offer] = []
    if isinstance(act, YouthAsked):
        offers = feature_offers(lambda feature: corrected(YouthAsked(act.location, feature)))
        offers = [offer for offer in offers if offer.picture != act.feature.value]
    elif isinstance(act, RendezvousSought):
        offers = [
            Offer(str(n), corrected(RendezvousSought(act.location, n)), str(n))
            for n in (1, 2, 3)
            if n != act.number
        ]
    elif isinstance(act, SearchMade):
        other = "nobody was there" if act.hit else "she was there"
        offers = [Offer(other, corrected(SearchMade(act.location, not act.hit)), "1")]
    elif isinstance(act, LadyUpdated):
        offers = shown_offers(lambda shown: corrected(LadyUpdated(shown)))
    elif isinstance(act, PawnMoved):
        return place_offers(tuple(Location), lambda place: corrected(PawnMoved(place)))
    elif isinstance(act, PoetMoved):
        return place_offers(tuple(Location), lambda place: corrected(PoetMoved(place)))
    if isinstance(act, YouthAsked | RendezvousSought | SearchMade):
        elsewhere = [place for place in Location if place is not act.location]
        question = ask(
            "Where was it?",
            place_offers(
                elsewhere, lambda place: corrected(replace(act, location=place, seen=None))
            ),
        )
        offers.append(Offer("Another place", question, "p"))
    return offers


def _words(entry: Recorded) -> str:
    if isinstance(entry.event, SessionStarted):
        return "a game begins"  # with what is told beside the map, and would be cut here
    seen = _seen(entry)
    sure = "" if seen is None else f" ({percent(seen.confidence)} sure)"
    return event_words(entry.event) + sure


def _seen(entry: Recorded) -> Seen | None:
    event = entry.event
    return event.seen if isinstance(event, YouthAsked | RendezvousSought | SearchMade) else None
