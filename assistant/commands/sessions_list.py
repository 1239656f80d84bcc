"""`bystander sessions list`: a row for each session, the newest first.

    {"session", "path", "began", "entries", "turns", "expansions", "ending", "total", "program",
     "bytes", "sound", "busy"}

`bytes` counts all that belongs to the session, film and pictures too. `sound` is false where
`sessions check` has something to say; `busy` where a window has it open now.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assistant.adapters.session_files import belongings, read_log, session_logs, size_bytes
from assistant.adapters.session_lock import is_busy
from assistant.core.errors import MissingError
from assistant.core.state import fold
from assistant.data import load_board
from assistant.journal import Odd, decode
from assistant.present.one_line import one_line
from assistant.present.story import moment_of


def list_sessions(*, as_json: bool) -> int:
    """Print the rows; return 0."""
    logs = session_logs()
    for log in logs:
        row = session_row(log)
        print(json.dumps(row, ensure_ascii=False) if as_json else _in_words(row), flush=True)
    if not logs and not as_json:
        print("there are no sessions yet; bystander play or bystander demo makes one")
    return 0


def session_row(log: Path) -> dict[str, Any]:
    """Return the row of a session; of one that cannot be read only its name and size."""
    row: dict[str, Any] = {"session": log.stem, "path": str(log)}
    empty = dict.fromkeys(("began", "turns", "ending", "total", "program"))
    row |= empty | {"entries": 0, "expansions": [], "bytes": size_bytes(belongings(log))}
    try:
        replay = decode(read_log(log))
    except MissingError:
        return row | {"sound": False, "busy": False}
    odd = [oddity for oddity in replay.oddities if oddity.odd is not Odd.NEWER]
    row |= {"sound": replay.damage is None and not odd, "busy": is_busy(log)}
    row["program"] = None if replay.opened is None else replay.opened.program
    if replay.events:
        state = fold(load_board(), replay.events)
        row |= {
            "began": replay.events[0].time,
            "entries": len(replay.events),
            "turns": state.game.turn,
            "expansions": sorted(e.value for e in state.started.expansions),
            "ending": state.sheet.ending.value,
            "total": state.sheet.total,
        }
    return row


def _in_words(row: dict[str, Any]) -> str:
    from assistant.adapters.keeping_words import megabytes

    moment = moment_of(row["began"] or "")
    began = "" if moment is None else moment.strftime("%d %b %Y %H:%M")
    end = row["ending"] or "-"
    points = "" if row["total"] is None else f", {row['total']} points"
    marks = ("" if row["sound"] else "  DAMAGED: bystander sessions check") + (
        "  open now" if row["busy"] else ""
    )
    played = ", ".join(row["expansions"]) or "base game"
    session = one_line(row["session"])
    return (
        f"{session:<24} {began:<17}  {row['turns'] or 0:>3} turns {row['entries']:>4} "
        f"entries  {megabytes(row['bytes']):>7}  {end}{points}  ({played}){marks}"
    )
