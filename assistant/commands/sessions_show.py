"""`bystander sessions show`: a game told move by move; with --watch, as it is being played.

A row for each entry of the log:

    {"seq", "time", "turn", "kind", "text", "result", "seen", "stands", "left"}

`seen` is {"confidence", "frames"} for what the camera read, else null; `stands` false for what was
taken back or put right later; `left` holds how many candidates are left of `youth`, `rendezvous`,
`lady` and `triples`, null where not followed. --watch reads the log that another window writes,
changes nothing, and ends when that window does.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from assistant.adapters.session_files import read_log
from assistant.adapters.session_lock import is_busy
from assistant.commands.sessions_log import OpenedLog, open_log
from assistant.data import load_board
from assistant.journal import decode
from assistant.present.ending_words import outcome_words
from assistant.present.story import Step, steps

#: How often a log that is watched is looked at, s.
LOOK_EVERY_S = 0.5


def show(
    text: str, *, watch: bool, as_json: bool, wait: Callable[[float], None] = time.sleep
) -> int:
    """Print the rows; return 0."""
    log = open_log(text)
    if not as_json:
        made = ", ".join(f"{name} {value}" for name, value in log.made_by.items())
        print(f"Session {log.name}" + (f" ({made})" if made else ""))
    shown = _print(log.story(), 0, as_json=as_json)
    while watch and is_busy(log.path):
        wait(LOOK_EVERY_S)
        replay = decode(read_log(log.path))
        if replay.last_seq != log.replay.last_seq:
            log = OpenedLog(log.path, replay)
            shown = _print(steps(load_board(), replay.events), shown, as_json=as_json)
    if not as_json:
        sheet = steps(load_board(), log.replay.events)[-1].state.sheet
        print(f"\n{outcome_words(sheet)}")
    return 0


def _print(story: tuple[Step, ...], shown: int, *, as_json: bool) -> int:
    """Print the steps after those shown already; return how many are shown now."""
    turn = story[shown - 1].turn if shown else 0
    for step in story[shown:]:
        if as_json:
            print(json.dumps(step_row(step), ensure_ascii=False), flush=True)
            continue
        if step.turn != turn:
            turn = step.turn
            print(f"\nTurn {turn}")
        print(_in_words(step), flush=True)
    return len(story)


def step_row(step: Step) -> dict[str, Any]:
    """Return the row of an entry."""
    return {
        "seq": step.seq,
        "time": step.entry.time,
        "turn": step.turn,
        "kind": step.entry.event.kind,
        "text": step.text,
        "result": step.result,
        "seen": None if step.seen is None else asdict(step.seen),
        "stands": step.stands,
        "left": asdict(step.left),
    }


def _in_words(step: Step) -> str:
    text = step.text[:1].upper() + step.text[1:]
    gone = "" if step.stands else "  [no longer counts]"
    line = f"{step.seq:>4}  {step.clock or '--:--:--'}  {text}{gone}"
    return f"{line}\n{'':16}{step.result}" if step.result else line
