"""What of a log is in force: retractions, corrections, house rules; undo and redo.

`Retracted(of)` takes an event out of force; taking back that retraction puts it in force again. A
`Corrected(of, event)` that is in force puts its event in the place of the one it corrects; the
latest one counts. `Overruled(event)` counts as its event. All of these only ever point backwards,
so what is in force is settled from the last event to the first. The start of the session can be
corrected by another start, not taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.core.events import (
    Act,
    Corrected,
    Overruled,
    Recorded,
    Retracted,
    Seq,
    SessionStarted,
)


@dataclass(frozen=True)
class InForce:
    """The acts that count, oldest first, with corrections and house rules taken into account."""

    acts: tuple[Recorded, ...]
    retracted: frozenset[Seq]
    #: Acts done against the rules, with the rule that the player set aside.
    overruled: dict[Seq, str]
    #: Acts that stand as a later event put them.
    corrected: frozenset[Seq]


def in_force(events: Iterable[Recorded]) -> InForce:
    """Return what counts of a log given in the order of its numbers."""
    recorded = tuple(events)
    retracted = _retracted(recorded)
    starts = {entry.seq for entry in recorded if isinstance(entry.event, SessionStarted)}
    corrections = {
        entry.event.of: entry.event.event
        for entry in recorded
        if isinstance(entry.event, Corrected)
        and entry.seq not in retracted
        and entry.event.of < entry.seq
        and isinstance(entry.event.event, SessionStarted) is (entry.event.of in starts)
    }
    acts: list[Recorded] = []
    overruled: dict[Seq, str] = {}
    corrected: set[Seq] = set()
    for entry in recorded:
        event = entry.event
        if entry.seq in retracted or isinstance(event, Retracted | Corrected):
            continue
        if isinstance(event, Overruled):
            overruled[entry.seq] = event.rule
            event = event.event
        put = corrections.get(entry.seq)
        if put is not None:
            event = put
            corrected.add(entry.seq)
            overruled.pop(entry.seq, None)
        acts.append(entry if event is entry.event else Recorded(entry.seq, entry.time, event))
    return InForce(tuple(acts), retracted, overruled, frozenset(corrected))


def undo(events: Sequence[Recorded]) -> Retracted | None:
    """Return the event that takes back the last thing in force, None when nothing is left.

    The last thing is an act or a correction; the start stays.
    """
    retracted = _retracted(events)
    for entry in reversed(events):
        if entry.seq in retracted or isinstance(entry.event, Retracted | SessionStarted):
            continue
        return Retracted(entry.seq)
    return None


def redo(events: Sequence[Recorded]) -> Retracted | None:
    """Return the event that takes back the last undo, None when there is none to take back.

    Only undoes that nothing new has followed can be redone.
    """
    retracted = _retracted(events)
    by_seq = {entry.seq: entry.event for entry in events}
    for entry in reversed(events):
        if not isinstance(entry.event, Retracted):
            return None
        if entry.seq not in retracted and not isinstance(by_seq.get(entry.event.of), Retracted):
            return Retracted(entry.seq)
    return None


def added(events: Sequence[Recorded], act: Act) -> tuple[Recorded, ...]:
    """Return a log with one act more, to see on a copy what it would do."""
    seq = Seq(events[-1].seq + 1 if events else 1)
    return (*events, Recorded(seq, "", act))


def _retracted(recorded: Sequence[Recorded]) -> frozenset[Seq]:
    fixed = {entry.seq for entry in recorded if isinstance(entry.event, SessionStarted)}
    out: set[Seq] = set()
    for entry in reversed(recorded):
        if isinstance(entry.event, Retracted) and entry.seq not in out:
            target = entry.event.of
            if target < entry.seq and target not in fixed:
                out.add(target)
    return frozenset(out)
