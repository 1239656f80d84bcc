"""`bystander sessions export`: a session as a table, as one JSON document, or as one web page.

csv   a row for each entry: seq, time, turn, kind, location, value, confidence, frames, text,
      result, stands, youth_left, rendezvous_left, lady_left, triples_left
json  {"session", "made_by", "warnings", "expansions", "settings", "entries": [{… as `sessions
      show`, and the event itself}], "result": {"ending", "total", "score", "youth", "rendezvous"}}
html  one page that needs nothing else (assistant.present.page)

The file is put in its place whole. What was written is told in a row: {"session", "format", "file",
"bytes"}; with OUT as - the export itself goes to stdout and no row is printed.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

from assistant.adapters.keeping_words import megabytes
from assistant.adapters.safe_files import replace_file
from assistant.adapters.typed_paths import typed_path
from assistant.commands.sessions_log import OpenedLog, open_log
from assistant.commands.sessions_show import step_row
from assistant.core.errors import MissingError, UsageError
from assistant.core.events import RendezvousSought, SearchMade, YouthAsked
from assistant.journal.fields import to_json
from assistant.present.page import Page, session_page
from assistant.present.story import Step

FORMATS = ("csv", "json", "html")


def export(text: str, out: str | None, to: str | None, *, as_json: bool) -> int:
    """Write the export; return 0.

    Raises:
        UsageError: the format cannot be told, or the file is the log itself.
        MissingError: the file cannot be written.
    """
    kind = _format(out, to)
    log = open_log(text)
    data = _MAKERS[kind](log).encode("utf-8")
    if out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return 0
    path = typed_path(f"{log.name}.{kind}" if out is None else out)
    if path.exists() and path.samefile(log.path):
        raise UsageError(f"{path} is the log itself; name another file")
    try:
        replace_file(path, data)
    except OSError as error:
        raise MissingError(f"{path} cannot be written ({error.strerror})") from error
    row = {"session": log.name, "format": kind, "file": str(path), "bytes": len(data)}
    print(json.dumps(row, ensure_ascii=False) if as_json else f"{path} ({megabytes(len(data))})")
    return 0


def _format(out: str | None, to: str | None) -> str:
    if to is not None:
        return to
    ending = "html" if out in (None, "-") else Path(str(out)).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise UsageError(f"what {out} is to be cannot be told; say --to {', '.join(FORMATS)}")
    return ending


def _page(log: OpenedLog) -> str:
    return session_page(
        Page(log.name, log.story(), log.made_by, log.pictures(), tuple(log.warnings))
    )


def _document(log: OpenedLog) -> str:
    story = log.story()
    state = story[-1].state
    document: dict[str, Any] = {
        "session": log.name,
        "made_by": log.made_by,
        "warnings": log.warnings,
        "expansions": to_json(state.started.expansions),
        "settings": to_json(state.started.settings),
        "entries": [step_row(step) | {"event": to_json(step.entry.event)} for step in story],
        "result": {
            "ending": state.sheet.ending.value,
            "total": state.sheet.total,
            "score": [{"points": line.points, "reason": line.reason} for line in state.sheet.lines],
            "youth": {place.value: share for place, share in state.youth.weights.items()},
            "rendezvous": {f.value: share for f, share in state.rendezvous.weights.items()},
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _table(log: OpenedLog) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(
        stream,
        ("seq", "time", "turn", "kind", "location", "value", "confidence", "frames", "text",
         "result", "stands", "youth_left", "rendezvous_left", "lady_left", "triples_left"),
    )  # fmt: skip
    writer.writeheader()
    for step in log.story():
        row = step_row(step)
        seen, left = row.pop("seen") or {}, row.pop("left")
        location, value = _read(step)
        writer.writerow(
            row
            | {"location": location, "value": value}
            | {"confidence": seen.get("confidence"), "frames": seen.get("frames")}
            | {f"{name}_left": count for name, count in left.items()}
        )
    return stream.getvalue()


def _read(step: Step) -> tuple[str, str]:
    """Return the place and what was read or searched there; empty for other entries."""
    event = step.entry.event
    if isinstance(event, YouthAsked):
        return event.location.value, event.feature.value
    if isinstance(event, RendezvousSought):
        return event.location.value, str(event.number)
    if isinstance(event, SearchMade):
        return event.location.value, "hit" if event.hit else "miss"
    return "", ""


_MAKERS = {"csv": _table, "json": _document, "html": _page}
