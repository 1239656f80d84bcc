"""What of a log is in force: retractions, corrections, house rules; undo and redo.

`Retracted(of)` takes an event out of force; taking back that retraction puts it in force again. A
`Corrected(of, event)` that is in force puts its event in the place of the one it corrects; the
latest one counts. `Overruled(event)` counts as its event. All of these only ever point backwards,
so what is in force is settled from the last event to the first. The start of the session can be
corrected by another start, not taken back.

Undo takes back the last thing that was done: an act, a correction, or the taking back of an entry
that was not the last. The log does not tell an undo from an entry that the player took back, so the
log is walked: a retraction of the very last thing done is an undo, one of the last undo a redo, and
any other a thing done of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.core.events import (
    Act,
    Corrected,
    Event,
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
    starts = {entry.seq for entry in recorded if _starts(entry.event)}
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
    """Return the event that takes back the last thing done, None when nothing is left.

    The last thing is an act, a correction, or a retraction of something that was not the last; the
    start stays.
    """
    done, _ = _walked(events)
    return Retracted(done[-1]) if done else None


def redo(events: Sequence[Recorded]) -> Retracted | None:
    """Return the event that takes back the last undo, None when there is none to take back.

    Only undoes that nothing new has followed can be redone.
    """
    _, undone = _walked(events)
    return Retracted(undone[-1][0]) if undone else None


def _walked(events: Sequence[Recorded]) -> tuple[list[Seq], list[tuple[Seq, Seq]]]:
    """Return what can be undone, the last at the end, and each undo with what it took back."""
    done: list[Seq] = []
    undone: list[tuple[Seq, Seq]] = []
    for entry in events:
        event = entry.event
        if _starts(event):
            continue
        if isinstance(event, Retracted) and done and event.of == done[-1]:
            undone.append((entry.seq, done.pop()))
        elif isinstance(event, Retracted) and undone and event.of == undone[-1][0]:
            done.append(undone.pop()[1])
        else:
            done.append(entry.seq)
            undone.clear()
    return done, undone


def _starts(event: Event) -> bool:
    """Whether an event is a start of the session, by a house rule too."""
    return isinstance(event.event if isinstance(event, Overruled) else event, SessionStarted)


def in_vain(events: Sequence[Recorded], change: Retracted | Corrected) -> str | None:
    """Return why a change of an earlier entry would change nothing, None where it does."""
    entry = next((entry for entry in events if entry.seq == change.of), None)
    if entry is None:
        return f"{change.of} is the number of no entry so far"
    is_start = _starts(entry.event)
    if isinstance(change, Retracted) and is_start:
        return "the start of the session stays; it can be put right by another start"
    if change.of in _retracted(events):
        return f"entry {change.of} is taken back already"
    if isinstance(change, Retracted):
        return None
    if isinstance(entry.event, Retracted | Corrected):
        return f"entry {change.of} changes another; put that one right, or take this one back"
    if isinstance(change.event, SessionStarted) is is_start:
        return None
    if is_start:
        return "the start of the session can be put right by another start only"
    return "only the start of the session can be put right by a start"


def added(events: Sequence[Recorded], act: Act) -> tuple[Recorded, ...]:
    """Return a log with one act more, to see on a copy what it would do."""
    seq = Seq(events[-1].seq + 1 if events else 1)
    return (*events, Recorded(seq, "", act))


def _retracted(recorded: Sequence[Recorded]) -> frozenset[Seq]:
    fixed = {entry.seq for entry in recorded if _starts(entry.event)}
    out: set[Seq] = set()
    for entry in reversed(recorded):
        if isinstance(entry.event, Retracted) and entry.seq not in out:
            target = entry.event.of
            if target < entry.seq and target not in fixed:
                out.add(target)
    return frozenset(out)
