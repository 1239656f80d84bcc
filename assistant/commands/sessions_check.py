"""`bystander sessions check [--repair]`: is a log sound, and if not, what is wrong where?

A row for each log:

    {"session", "path", "sound", "entries", "bytes", "busy",
     "findings": [{"line", "offset", "kind", "why"}],
     "repaired": null | {"copy", "aside", "lines", "rescued"}}

`line` and `offset` are null where the whole log cannot be read: kind `unreadable`. Else `kind` is
`torn` (the end, as a killed program leaves it), `damaged`, `twice`, `order`, `gap`,
`points-nowhere` (an entry that takes back or puts right one that is not there), or `newer` (a line
that a newer Bystander wrote; the log is sound all the same). --repair keeps the original beside the
log as NAME.jsonl.damaged and puts a sound copy in its place: every line that can be read, once, in
order. A log that cannot be read, or mended because a window has it open, is told on stderr, and the
next one is looked at. Exit 0 when all are sound (now), 1 when one is not, 3 when that happened.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistant.adapters.clock import now_here
from assistant.adapters.safe_files import free_name, replace_file
from assistant.adapters.session_files import find_log, read_log, session_logs
from assistant.adapters.session_lock import SessionLock, is_busy
from assistant.commands.sessions_log import tell
from assistant.core.errors import MissingError
from assistant.core.events import Corrected, Retracted
from assistant.journal import Examined, LogRepaired, Noted, examine, repaired
from assistant.present.one_line import one_line

#: Findings that take nothing from a log's soundness.
_NOTES = ("newer",)


def check(texts: Sequence[str], *, repair: bool, as_json: bool) -> int:
    """Print the rows; return the exit code.

    Raises:
        MissingError: there is no such log, or the folder of sessions cannot be read.
        UsageError: a name fits no session, or several.
    """
    logs = [find_log(text) for text in texts] if texts else session_logs()
    code = 0
    for log in logs:
        row, failed = _checked(log, repair)
        code = max(code, 3 if failed is not None else 0 if row["sound"] else 1)
        print(json.dumps(row, ensure_ascii=False) if as_json else _in_words(row), flush=True)
        if failed is not None:
            tell([str(failed)])
    if not logs and not as_json:
        print("there are no sessions yet")
    return code


def _checked(log: Path, repair: bool) -> tuple[dict[str, Any], MissingError | None]:
    """Return the row of a log, mended where that was asked for, and what could not be done."""
    try:
        row = check_log(log)
    except MissingError as error:
        return _unreadable(log, error), error
    try:
        if repair and not row["sound"]:
            row["repaired"] = _repair(log)
            row["sound"] = check_log(log)["sound"]
    except MissingError as error:
        return row, error
    return row, None


def _unreadable(log: Path, error: MissingError) -> dict[str, Any]:
    why: dict[str, Any] = {"line": None, "offset": None, "kind": "unreadable", "why": str(error)}
    row: dict[str, Any] = {"session": log.stem, "path": str(log), "sound": False, "busy": False}
    return row | {"entries": 0, "bytes": 0, "findings": [why], "repaired": None}


def check_log(log: Path) -> dict[str, Any]:
    """Return the row of a log.

    Raises:
        MissingError: it cannot be read.
    """
    data = read_log(log)
    examined = examine(data)
    found = findings(examined)
    busy = is_busy(log)
    if busy:
        # The line that is being written just now is not torn.
        found = [finding for finding in found if finding["kind"] != "torn"]
    return {
        "session": log.stem,
        "path": str(log),
        "sound": all(finding["kind"] in _NOTES for finding in found),
        "entries": len(examined.events),
        "bytes": len(data),
        "busy": busy,
        "findings": found,
        "repaired": None,
    }


def findings(examined: Examined) -> list[dict[str, Any]]:
    """Return what is wrong with a log, in the order of its lines."""
    found = [
        {
            "line": damage.line,
            "offset": damage.offset,
            "kind": "torn" if damage.torn else "damaged",
            "why": damage.why,
        }
        for damage in examined.bad
    ]
    found += [
        {"line": odd.line, "offset": odd.offset, "kind": odd.odd.value, "why": odd.why}
        for odd in examined.oddities
    ]
    return sorted([*found, *_nowhere(examined)], key=lambda finding: finding["line"])


def _nowhere(examined: Examined) -> list[dict[str, Any]]:
    lines = {this.entry.seq: this for this in examined.lines.in_order()}
    notes = [this.entry.note for this in lines.values() if isinstance(this.entry, Noted)]
    # What a repair could not save is known to be missing.
    lost = {seq for note in notes if isinstance(note, LogRepaired) for seq in note.lost}
    return [
        {
            "line": lines[entry.seq].line,
            "offset": lines[entry.seq].offset,
            "kind": "points-nowhere",
            "why": f"it is about entry {entry.event.of}, which is not there before it",
        }
        for entry in examined.events
        if isinstance(entry.event, Retracted | Corrected)
        and not (entry.event.of in lines and entry.event.of < entry.seq)
        and entry.event.of not in lost
    ]


def _repair(log: Path) -> dict[str, Any]:
    """Keep the original aside and put a sound copy in its place; return what was done."""
    try:
        lock = SessionLock(log)
        try:
            data = read_log(log)
            examined = examine(data)
            aside = free_name(log, "damaged")
            replace_file(aside, data)
            moment = now_here().isoformat(timespec="seconds")
            replace_file(log, repaired(examined, aside.name, moment))
        finally:
            lock.release()
    except OSError as error:
        raise MissingError(f"{log} cannot be mended ({error.strerror})") from error
    lines = len(examined.lines.in_order())
    return {"copy": str(log), "aside": str(aside), "lines": lines, "rescued": examined.rescued}


def _in_words(row: dict[str, Any]) -> str:
    state = "sound" if row["sound"] else "NOT SOUND"
    if row["repaired"] is not None:
        state = f"mended: {row['repaired']['lines']} lines kept, the original is " + str(
            row["repaired"]["aside"]
        )
    if [finding["kind"] for finding in row["findings"]] == ["unreadable"]:
        # The reason goes to stderr.
        return f"{one_line(row['session'])}: cannot be read"
    lines = [f"{one_line(row['session'])}: {state} ({row['entries']} entries)"]
    lines += [
        f"    line {finding['line']}, byte {finding['offset']}: {finding['kind']}: {finding['why']}"
        for finding in row["findings"]
    ]
    if not row["sound"] and row["repaired"] is None:
        lines.append(f"    to mend it: bystander sessions check {row['session']} --repair")
    return "\n".join(lines)
