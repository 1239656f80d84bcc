"""Events to lines and back (the log's format), for files that a crash may have torn.

A log is UTF-8 text, one JSON object a line, each line ended by a newline:

    {"v": 1, "seq": 3, "time": "2026-11-30T20:15:02+00:00", "kind": "youth-asked",
     "location": "Cornhill", "feature": "church", "seen": {"confidence": 0.98, "frames": 5}}

`v` is the layout's version (`assistant.journal.upcast`), `seq` counts up from line to line, `time`
is ISO 8601 with offset and only told, never used. The rest are the fields of the event.

A program that is killed while it writes leaves a last line without its end, possibly cut inside a
letter, or filled with zero bytes by the file system. Such a **torn** tail is expected: all before
it counts, and a writer that goes on first cuts the file back to `Replay.sound_bytes`, or the next
line would be lost with it. A bad line anywhere else means the file was **damaged** otherwise; what
follows may rest on what was lost, so the load stops there and names the line. An empty line is
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assistant.core.errors import DamagedError
from assistant.core.events import Event, Recorded, Seq
from assistant.journal.fields import KINDS, from_json, to_json
from assistant.journal.upcast import VERSION, upcast


@dataclass(frozen=True, slots=True)
class Damage:
    """What could not be read of a log: from which line (from 1) and byte on, and why."""

    line: int
    offset: int
    why: str
    #: Whether it is only the last line that a killed program left unfinished.
    torn: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """A log as far as it can be trusted."""

    events: tuple[Recorded, ...]
    damage: Damage | None
    #: How many leading bytes hold the events; a writer that goes on cuts the file back to here.
    sound_bytes: int
    #: Whether the sound part ends with a newline; if not, a writer that goes on begins with one.
    ends_clean: bool

    @property
    def last_seq(self) -> Seq:
        """The number of the last event, 0 where there is none."""
        return self.events[-1].seq if self.events else Seq(0)

    def trusted(self) -> tuple[Recorded, ...]:
        """Return the events of a log that is whole or merely torn at its end.

        Raises:
            DamagedError: a line before the last is bad; names its number.
        """
        if self.damage is not None and not self.damage.torn:
            raise DamagedError(f"line {self.damage.line} of the log is damaged: {self.damage.why}")
        return self.events


def encode(seq: int, time: str, event: Event) -> str:
    """Return the line of an event, newline included; ASCII only, never a newline inside."""
    line = {"v": VERSION, "seq": seq, "time": time, **to_json(event)}
    return json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n"


def decode(data: bytes) -> Replay:
    """Return what a log's bytes say. Takes any bytes and never raises."""
    events: list[Recorded] = []
    sound, clean = 0, True
    lines = list(_lines(data))
    for number, (start, line) in enumerate(lines, start=1):
        try:
            if line.strip(b" \t\r\n"):
                events.append(_recorded(line, events[-1].seq if events else 0))
        except (ValueError, RecursionError) as error:
            damage = Damage(number, start, str(error), torn=number == len(lines))
            return Replay(tuple(events), damage, sound, clean)
        sound, clean = start + len(line), line.endswith(b"\n")
    return Replay(tuple(events), None, sound, clean)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its offset; only a newline ends a line, whatever else the bytes are."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield start, data[start:end]
        start = end


def _recorded(line: bytes, after: int) -> Recorded:
    """Return the event of one line.

    Raises:
        ValueError: the line is no event, or does not come after the one before.
    """
    found: Any = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004 - what was read is wrong
    found = upcast(found)
    fields = {name: value for name, value in found.items() if name not in ("v", "seq", "time")}
    seq, time, kind = found.get("seq"), found.get("time"), found.get("kind")
    if type(seq) is not int or seq <= after:
        raise ValueError(f"its number is {seq!r} where one above {after} is due")
    if not isinstance(time, str):
        raise ValueError("it has no time")  # noqa: TRY004 - what was read is wrong
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"this Bystander knows no event {kind!r}")
    return Recorded(Seq(seq), time, from_json(fields, KINDS[kind]))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")
