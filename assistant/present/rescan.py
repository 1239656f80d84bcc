"""A stack that is read again after its reading was corrected: the error must not come back."""

from __future__ import annotations

from assistant.core.events import (
    Corrected,
    Event,
    RendezvousSought,
    Retracted,
    Seq,
    YouthAsked,
)
from assistant.core.state import State


def repeats_an_error(state: State, seq: Seq) -> bool:
    """Whether a reading says what the player has already put right or taken back at its place."""
    entry = next((entry for entry in state.log if entry.seq == seq), None)
    if entry is None or not isinstance(entry.event, YouthAsked | RendezvousSought):
        return False
    said = _said(entry.event)
    by_seq = {other.seq: other.event for other in state.log}
    for other in state.log:
        if other.seq >= seq or other.seq in state.retracted:
            continue
        if not isinstance(other.event, Retracted | Corrected):
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
    return ("other", id(event))
