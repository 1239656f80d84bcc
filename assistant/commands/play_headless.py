"""`bystander play --headless --commands FILE|- --json`: a whole game driven by lines.

One command a line in (the words are told in `assistant.commands.play_words`), one state a line out
(`assistant.commands.play_state`), each with

    line       the number of the line, from 1          ok       whether the act was taken
    seq        the number of the event, or null        refused  the rule that refuses it, or null
    error      why the line was not understood, or null

Besides the acts of the game there are the changes of `assistant.commands.play_changes` (undo, redo,
retract, correct, house) and

    what-if COMMAND               the state that it would give; nothing is taken into the game
    state                         the state again
    help ask|seek|intercept|sure  counted, and answered under `help`

Empty lines and lines that begin with # are nothing. An act that the rules refuse changes nothing.
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

from assistant.commands.play_changes import CHANGES, Refused, parse_change, parted
from assistant.commands.play_state import help_told, told
from assistant.commands.play_words import parse_act
from assistant.core.errors import MissingError, UsageError
from assistant.core.events import Event, Recorded, Seq
from assistant.core.state import State, fold
from assistant.core.turn_events import HelpUsed
from assistant.data import load_board


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
        verb, rest = parted(line)
        try:
            return self._said(verb, rest, line)
        except UsageError as error:
            return self._told(error=str(error))

    def _said(self, verb: str, rest: str, line: str) -> dict[str, Any]:
        state = self.state
        if verb == "state":
            if rest:
                raise UsageError(f'state stands alone, without "{rest}"')
            return self._told()
        if verb in CHANGES:
            change = parse_change(verb, rest, state)
            if isinstance(change, Refused):
                return self._told(refused=change.rule)
            return self._take(*change)
        if verb == "what-if":
            act = parse_act(rest, state)
            refused = state.impossible(act)
            return self._told(refused=refused, state=None if refused else state.what_if(act))
        act = parse_act(line, state)
        refused = state.refusal(act)
        if refused is not None:
            return self._told(refused=refused)
        taken = self._take(act)
        return taken | {"help": help_told(state, act.help)} if isinstance(act, HelpUsed) else taken

    def _take(self, *events: Event) -> dict[str, Any]:
        for event in events:
            self._log.append(Recorded(Seq(len(self._log) + 1), "", event))
        return self._told(seq=self._log[-1].seq)

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
