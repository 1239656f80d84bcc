"""The typed lines that change the log instead of playing on.

    undo [N]       redo [N]       the last N things taken back, brought back: all N or none
    retract SEQ                   take one event back; of a retraction: put it back
    correct SEQ COMMAND           that event counts as if it had been COMMAND, where the game stood
    house COMMAND                 do it although the rules refuse it (a house rule; logged)

What no table can show (a Lady with one trait) is refused with `house` and `correct`, too, and so is
a change that would change nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.commands.play_words import parse_act
from assistant.core.errors import UsageError
from assistant.core.events import Corrected, Event, Overruled, Recorded, Retracted, Seq
from assistant.core.state import State
from assistant.present.words import counted

#: The verbs that `parse_change` knows.
CHANGES = ("undo", "redo", "retract", "correct", "house")


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that cannot be, and why."""

    rule: str


def parted(line: str) -> tuple[str, str]:
    """Return a line's first word, in small letters, and the rest."""
    verb, *rest = line.strip().split(maxsplit=1)
    return verb.casefold(), "".join(rest)


def parse_change(verb: str, rest: str, state: State) -> tuple[Event, ...] | Refused:
    """Return the events by which a line changes the log, never none, or why it cannot.

    Raises:
        UsageError: it cannot be understood; says what would.
    """
    if verb in ("undo", "redo"):
        return _back_or_forth(verb, rest, state)
    if verb == "house":
        act = parse_act(rest, state)
        refused = state.impossible(act)
        if refused is not None:
            return Refused(refused)
        return (Overruled(act, state.refusal(act) or "a house rule"),)
    change: Retracted | Corrected
    if verb == "retract":
        change = Retracted(_entry(rest, state))
    else:
        number, _, command = rest.partition(" ")
        seq = _entry(number, state)
        # `ask church` means where the pawn was.
        then = state.before(seq)
        change = Corrected(seq, parse_act(command, then))
        refused = then.impossible(change.event)
        if refused is not None:
            return Refused(refused)
    vain = state.in_vain(change)
    return (change,) if vain is None else Refused(vain)


def _back_or_forth(verb: str, rest: str, state: State) -> tuple[Event, ...] | Refused:
    if rest and not (rest.isascii() and rest.isdigit() and len(rest) < 10 and int(rest)):
        raise UsageError(f'"{rest}" is no number of times to {verb}')
    events: list[Event] = []
    for done in range(int(rest or "1")):
        event = state.undo() if verb == "undo" else state.redo()
        if event is None:
            few = f"only {counted(done, 'thing')} can be {verb}ne"
            return Refused(few if done else f"there is nothing to {verb}")
        events.append(event)
        state = state.after(Recorded(Seq(state.log[-1].seq + 1), "", event))
    return tuple(events)


def _entry(text: str, state: State) -> Seq:
    if text not in {str(entry.seq) for entry in state.log}:
        raise UsageError(f'"{text}" is the number of no event so far')
    return Seq(int(text))
