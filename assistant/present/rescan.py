"""A stack that is read again after its reading was corrected: the error must not come back."""

from __future__ import annotations

from assistant.core.events import (
    Corrected,
    Event,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seq,
    YouthAsked,
)
from assistant.core.state import State
from assistant.core.turn_events import LadyUpdated


def repeats_an_error(state: State, seq: Seq) -> bool:
    """Whether a reading says what the player has already put right or taken back at its place.

    A Fair Youth or Rendezvous card shows the same all evening. Of the stealth cards only the one of
    the same turn is the same; where turns are not followed a search may always be a new one.
    """
    entry = next((entry for entry in state.log if entry.seq == seq), None)
    if entry is None or not isinstance(entry.event, YouthAsked | RendezvousSought | SearchMade):
        return False
    since = Seq(0)
    if isinstance(entry.event, SearchMade):
        updates = (
            other.seq
            for other in state.in_force
            if other.seq < seq and isinstance(other.event, LadyUpdated)
        )
        since = max(updates, default=seq)
    said = _said(entry.event)
    by_seq = {other.seq: other.event for other in state.log}
    for other in state.log:
        if other.seq >= seq or other.seq in state.retracted:
            continue
        if not isinstance(other.event, Retracted | Corrected) or other.event.of < since:
            continue
        target = by_seq.get(other.event.of)
        if target is None or _said(target) != said:
            continue
        if isinstance(other.event, Retracted) or _said(other.event.event) != said:
            return True
    return False


def _said(event: Event) -> tuple[object, ...]:
    """Return what a reading says, without how it was seen."""
    if isinstance(event, YouthAsked):
        return (event.kind, event.location, event.feature)
    if isinstance(event, RendezvousSought):
        return (event.kind, event.location, event.number)
    if isinstance(event, SearchMade):
        return (event.kind, event.location, event.hit)
    return ("other", id(event))
