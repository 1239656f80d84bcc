"""`bystander play --headless --commands FILE|- --json`: a whole game driven by lines.

One command a line in (the words are told in `assistant.commands.play_words`), one state a line out
(`assistant.commands.play_state`), each with

    line       the number of the line, from 1          ok       whether the act was taken
    seq        the number of the event, or null        refused  the rule that refuses it, or null
    error      why the line was not understood, or null

Besides the acts of the game there are

    undo [N]       redo [N]       the last N things taken back, brought back: all N or none
    retract SEQ                   take one event back; of a retraction: put it back
    correct SEQ COMMAND           that event counts as if it had been COMMAND, where the game stood
    house COMMAND                 do it although the rules refuse it (a house rule; logged)
    what-if COMMAND               the state that it would give; nothing is taken into the game
    state                         the state again
    help ask|seek|intercept|sure  counted, and answered under `help`

Empty lines and lines that begin with # are nothing. An act that the rules refuse changes nothing;
what no table can show (a Lady with one trait) is refused with `house` and `correct`, too, and so is
a change that would change nothing.
Exit 0 all taken; 1 some were refused by the rules; 2 some were not understood. Nothing is written
to the log folder.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from assistant.commands.play_state import help_told, told
from assistant.commands.play_words import parse_act
from assistant.core.errors import MissingError, UsageError
from assistant.core.events import Corrected, Event, Overruled, Recorded, Retracted, Seq
from assistant.core.state import State, fold
from assistant.core.turn_events import HelpUsed
from assistant.data import load_board
from assistant.present.words import counted


def run(args: argparse.Namespace) -> int:
    """Drive a game from `args.commands` (a file, or - for stdin); return the exit code.

    Raises:
        MissingError: the file cannot be read.
    """
    if args.commands == "-":
        return drive(sys.stdin, as_json=args.json)
    from assistant.adapters.whole_file import read_whole

    try:
        lines = read_whole(Path(args.commands)).decode().splitlines()
    except (OSError, ValueError) as error:
        raise MissingError(f"{args.commands} cannot be read: {error}") from error
    return drive(lines, as_json=args.json)


def drive(lines: Iterable[str], *, as_json: bool, say: Callable[[str], None] = print) -> int:
    """Play the lines; say one answer for each; return the exit code."""
    driver = Driver()
    code = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        answer = driver.answer(line)
        answer["line"] = number
        say(json.dumps(answer, ensure_ascii=False) if as_json else _in_words(answer))
        if answer["error"] is not None:
            code = 2
        elif answer["refused"] is not None:
            code = max(code, 1)
    return code


class Driver:
    """One game in memory: the log so far, and what a line does to it."""

    def __init__(self) -> None:
        self._log: list[Recorded] = []

    @property
    def state(self) -> State:
        """The state of the log so far."""
        return fold(load_board(), self._log)

    def answer(self, line: str) -> dict[str, Any]:
        """Return what a line did: the state after it, and whether and why not it was taken."""
        verb, *rest = line.strip().split(maxsplit=1)
        try:
            return self._said(verb.casefold(), "".join(rest), line)
        except UsageError as error:
            return self._told(error=str(error))

    def _said(self, verb: str, rest: str, line: str) -> dict[str, Any]:
        state = self.state
        if verb == "state":
            if rest:
                raise UsageError(f'state stands alone, without "{rest}"')
            return self._told()
        if verb in ("undo", "redo"):
            return self._back_and_forth(verb, rest)
        if verb == "retract":
            return self._changed(Retracted(self._seq(rest)))
        if verb == "correct":
            return self._corrected(rest)
        if verb == "what-if":
            act = parse_act(rest, state)
            refused = state.impossible(act)
            return self._told(refused=refused, state=None if refused else state.what_if(act))
        if verb == "house":
            act = parse_act(rest, state)
            refused = state.impossible(act)
            if refused is not None:
                return self._told(refused=refused)
            return self._take(Overruled(act, state.refusal(act) or "a house rule"))
        act = parse_act(line, state)
        refused = state.refusal(act)
        if refused is not None:
            return self._told(refused=refused)
        taken = self._take(act)
        return taken | {"help": help_told(state, act.help)} if isinstance(act, HelpUsed) else taken

    def _seq(self, text: str) -> Seq:
        if text not in {str(entry.seq) for entry in self._log}:
            raise UsageError(f'"{text}" is the number of no event so far')
        return Seq(int(text))

    def _corrected(self, rest: str) -> dict[str, Any]:
        """Put an event right as the game stood then: `ask` means where the pawn was."""
        number, _, command = rest.partition(" ")
        seq = self._seq(number)
        then = self.state.before(seq)
        act = parse_act(command, then)
        refused = then.impossible(act)
        if refused is not None:
            return self._told(refused=refused)
        return self._changed(Corrected(seq, act))

    def _changed(self, change: Retracted | Corrected) -> dict[str, Any]:
        refused = self.state.in_vain(change)
        return self._take(change) if refused is None else self._told(refused=refused)

    def _back_and_forth(self, verb: str, rest: str) -> dict[str, Any]:
        if rest and not (rest.isascii() and rest.isdigit() and len(rest) < 10 and int(rest)):
            raise UsageError(f'"{rest}" is no number of times to {verb}')
        wanted, log = int(rest or "1"), list(self._log)
        for done in range(wanted):
            event = self.state.undo() if verb == "undo" else self.state.redo()
            if event is None:
                self._log = log
                few = f"only {counted(done, 'thing')} can be {verb}ne"
                return self._told(refused=few if done else f"there is nothing to {verb}")
            self._record(event)
        return self._told(seq=self._log[-1].seq)

    def _take(self, event: Event) -> dict[str, Any]:
        return self._told(seq=self._record(event))

    def _record(self, event: Event) -> Seq:
        seq = Seq(len(self._log) + 1)
        self._log.append(Recorded(seq, "", event))
        return seq

    def _told(
        self,
        *,
        seq: Seq | None = None,
        refused: str | None = None,
        error: str | None = None,
        state: State | None = None,
    ) -> dict[str, Any]:
        ok = refused is None and error is None
        head = {"line": 0, "ok": ok, "seq": seq, "refused": refused, "error": error}
        return head | told(self.state if state is None else state)


def _in_words(answer: dict[str, Any]) -> str:
    if answer["error"] is not None:
        return f"{answer['line']}: not understood: {answer['error']}"
    if answer["refused"] is not None:
        return f"{answer['line']}: not allowed: {answer['refused']}"
    lady = ", ".join(f"{place} {share:.0%}" for place, share in answer["lady"].items())
    youth = ", ".join(answer["youth"]["candidates"])
    meeting = ", ".join(answer["rendezvous"]["candidates"])
    return (
        f"{answer['line']}: turn {answer['turn']}, {answer['phase']}; pawn {answer['pawn']}\n"
        f"   Lady: {lady or 'the entries contradict each other'}\n"
        f"   Youth: {youth or 'the answers contradict each other'}\n"
        f"   Rendezvous: {meeting or 'the answers contradict each other'}"
    )
