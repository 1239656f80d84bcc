"""Events to lines and back (the log's format), for files that a crash may have torn.

A log is UTF-8 text, one JSON object a line, each line ended by a newline:

    {"v": 2, "seq": 1, "time": "2026-11-30T20:14:40+01:00", "kind": "log-opened",
     "program": "0.1.0", "camera": "0", "profile": "…", "holds": "…", …}
    {"v": 2, "seq": 4, "time": "2026-11-30T20:15:02+01:00", "kind": "youth-asked",
     "location": "Cornhill", "feature": "church", "seen": {"confidence": 0.98, "frames": 5}}

`v` is the layout's version (`assistant.journal.upcast`). `seq` numbers the lines from 1 and is
their order; `time` is ISO 8601 with offset and only told, never used, so a clock that is set back
harms nothing. The rest are the fields of the event, or of what the log notes of itself
(`assistant.journal.notes`).

What may be wrong, and what is done:

* A program that is killed while it writes leaves a last line without its end, possibly cut inside
  a letter; a power cut may leave a stretch of zero bytes. Whatever comes after the last sound line
  is such a **torn** tail: all before it counts, and a writer that goes on first cuts the file back
  to `Replay.sound_bytes`, or the next line would be lost with it.
* A bad line with sound ones after it means the file was **damaged** otherwise; what follows may
  rest on what was lost, so the load stops there and names the line (`assistant.journal.repair`).
* The same line twice counts once; lines out of order are put in order; both are told.
* A line that a **newer** program wrote, of a later version or a kind not known here, is passed
  over and told; it stays in the file, and its number stays taken.

An empty line is nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from assistant.core.errors import DamagedError
from assistant.core.events import Event, Recorded, Seq
from assistant.journal.fields import KINDS, from_json, to_json
from assistant.journal.notes import NOTE_KINDS, LogOpened, LogRepaired, Note, Noted
from assistant.journal.upcast import VERSION, NewerLineError, upcast


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that could not be read: its number (from 1), its first byte, and why."""

    line: int
    offset: int
    why: str
    #: Whether nothing sound comes after it: what a killed program left unfinished.
    torn: bool


class Odd(Enum):
    """What else may be wrong with a log."""

    TWICE = "twice"
    ORDER = "order"
    GAP = "gap"
    NEWER = "newer"


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that does not keep a log from being read; a gap is told at the line after it."""

    line: int
    offset: int
    odd: Odd
    why: str


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A line of a newer program, which this one does not understand."""

    seq: Seq
    kind: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A log as far as it can be trusted, everything in the order of its numbers."""

    events: tuple[Recorded, ...]
    #: The first bad line.
    damage: Damage | None
    #: How many leading bytes hold the events; a writer that goes on cuts the file back to here.
    sound_bytes: int
    #: Whether the sound part ends with a newline; if not, a writer that goes on begins with one.
    ends_clean: bool
    notes: tuple[Noted, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    oddities: tuple[Oddity, ...] = ()

    @property
    def last_seq(self) -> Seq:
        """The highest number taken, 0 where there is none."""
        taken = [
            *(entry.seq for entry in self.events),
            *(entry.seq for entry in self.notes),
            *(entry.seq for entry in self.passed_over),
        ]
        return max(taken, default=Seq(0))

    @property
    def opened(self) -> LogOpened | None:
        """How the log was first opened, None where it does not tell (version 1)."""
        openings = (noted.note for noted in self.notes if isinstance(noted.note, LogOpened))
        return next(openings, None)

    def trusted(self) -> tuple[Recorded, ...]:
        """Return the events of a log that is whole or merely torn at its end.

        Raises:
            DamagedError: a bad line has sound ones after it; names its number.
        """
        if self.damage is not None and not self.damage.torn:
            raise DamagedError(f"line {self.damage.line} of the log is damaged: {self.damage.why}")
        return self.events


def encode(seq: int, time: str, event: Event | Note) -> str:
    """Return the line of an event or note, newline included; ASCII, never a newline inside."""
    line = {"v": VERSION, "seq": seq, "time": time, **to_json(event)}
    return json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n"


def decode(data: bytes) -> Replay:
    """Return what a log's bytes say. Takes any bytes and never raises."""
    sound = SoundLines()
    bad: tuple[int, int, str] | None = None
    for number, (start, line) in enumerate(split(data), start=1):
        if not line.strip(b" \t\r\n"):
            continue
        try:
            sound.add(number, start, line)
        except (ValueError, RecursionError) as error:
            bad = bad or (number, start, str(error))
        else:
            if bad is not None:
                # Sound again after something bad: what comes now may rest on what was lost.
                return sound.replay(Damage(*bad, torn=False), before=bad[0])
    return sound.replay(None if bad is None else Damage(*bad, torn=True))


def split(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its offset; only a newline ends a line, whatever else the bytes are."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield start, data[start:end]
        start = end


@dataclass(frozen=True, slots=True)
class _Sound:
    """A sound line."""

    line: int
    offset: int
    bytes: bytes
    entry: Recorded | Noted | PassedOver


@dataclass(slots=True)
class SoundLines:
    """The sound lines of a log, gathered one by one in the order of the file."""

    found: list[_Sound] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)
    _by_seq: dict[int, _Sound] = field(default_factory=dict)
    _highest: int = 0
    _ordered: bool = True

    def add(self, number: int, offset: int, line: bytes) -> None:
        """Take a line.

        Raises:
            ValueError: it is not sound; says why.
            RecursionError: it is nested deeper than Python can follow.
        """
        entry = parse(line)
        this = _Sound(number, offset, line, entry)
        earlier = self._by_seq.get(entry.seq)
        if earlier is not None:
            if earlier.bytes.strip() != line.strip():
                raise ValueError(
                    f"its number {entry.seq} is taken by line {earlier.line}, which says otherwise"
                )
            why = f"it repeats line {earlier.line}"
            self.oddities.append(Oddity(number, offset, Odd.TWICE, why))
            # Its bytes are sound, so the part to keep reaches behind it.
            self.found.append(this)
            return
        if entry.seq < self._highest:
            why = f"its number is {entry.seq}, but {self._highest} came before it"
            self.oddities.append(Oddity(number, offset, Odd.ORDER, why))
            self._ordered = False
        if isinstance(entry, PassedOver):
            why = f"a newer Bystander wrote it ({entry.kind}); it is passed over"
            self.oddities.append(Oddity(number, offset, Odd.NEWER, why))
        self._highest = max(self._highest, entry.seq)
        self._by_seq[entry.seq] = this
        self.found.append(this)

    def in_order(self, before: int | None = None) -> list[_Sound]:
        """Return the lines in the order of their numbers, each once; those before a line."""
        lines = list(self._by_seq.values())
        if before is not None:
            lines = [this for this in lines if this.line < before]
        return lines if self._ordered else sorted(lines, key=lambda this: this.entry.seq)

    def replay(self, damage: Damage | None, before: int | None = None) -> Replay:
        """Return the log these lines make; with `before`, up to the line of that number."""
        lines = self.in_order(before)
        entries = [this.entry for this in lines]
        last = [this for this in self.found if before is None or this.line < before][-1:]
        oddities = [odd for odd in self.oddities if before is None or odd.line < before]
        notes = tuple(entry for entry in entries if isinstance(entry, Noted))
        return Replay(
            events=tuple(entry for entry in entries if isinstance(entry, Recorded)),
            damage=damage,
            sound_bytes=last[0].offset + len(last[0].bytes) if last else 0,
            ends_clean=last[0].bytes.endswith(b"\n") if last else True,
            notes=notes,
            passed_over=tuple(entry for entry in entries if isinstance(entry, PassedOver)),
            oddities=tuple(sorted([*oddities, *_gaps(lines, notes)], key=lambda odd: odd.line)),
        )


def _gaps(lines: list[_Sound], notes: tuple[Noted, ...]) -> Iterator[Oddity]:
    """Yield where numbers are missing that no repair accounts for."""
    known = {
        seq for noted in notes if isinstance(noted.note, LogRepaired) for seq in noted.note.lost
    }
    last = 0
    for this in lines:
        # A damaged number may be far off; no list of what lies between is made.
        if this.entry.seq - last - 1 > sum(last < seq < this.entry.seq for seq in known):
            why = f"numbers {last + 1} to {this.entry.seq - 1} are missing before it"
            if this.entry.seq == last + 2:
                why = f"number {last + 1} is missing before it"
            yield Oddity(this.line, this.offset, Odd.GAP, why)
        last = this.entry.seq


def parse(line: bytes) -> Recorded | Noted | PassedOver:
    """Return what one line says.

    Raises:
        ValueError: it is no line of a log; says why.
        RecursionError: it is nested deeper than Python can follow.
    """
    found: Any = _JSON.decode(line.decode("utf-8"))
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004 - what was read is wrong
    try:
        lifted = upcast(found)
    except NewerLineError:
        seq, _, kind = _envelope(found)
        return PassedOver(seq, kind)
    seq, time, kind = _envelope(lifted)
    fields = {name: value for name, value in lifted.items() if name not in ("v", "seq", "time")}
    if kind in KINDS:
        return Recorded(seq, time, from_json(fields, KINDS[kind]))
    if kind in NOTE_KINDS:
        return Noted(seq, time, from_json(fields, NOTE_KINDS[kind]))
    return PassedOver(seq, kind)


def _envelope(line: dict[str, Any]) -> tuple[Seq, str, str]:
    seq, time, kind = line.get("seq"), line.get("time"), line.get("kind")
    if type(seq) is not int or seq < 1:
        raise ValueError(f"its number is {seq!r}, not 1 or more")
    if not isinstance(time, str):
        raise ValueError("it has no time")  # noqa: TRY004 - what was read is wrong
    if not isinstance(kind, str):
        raise ValueError("it does not say what happened")  # noqa: TRY004 - as above
    return Seq(seq), time, kind


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


#: Made once: a decoder for each line would cost more than the lines.
_JSON = json.JSONDecoder(parse_constant=_refuse)
