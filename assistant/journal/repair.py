"""A sound copy of a damaged log: every line that can still be read, each once, in order.

Bad lines are left out of the copy and told by number; a record that a program appended onto a torn
line, or behind the zero bytes that a power cut left, is taken out of the wreck whole. What the copy
lacks is noted in it, so that a look at it later does not wonder about the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.core.events import Recorded, Seq
from assistant.journal.lines import Damage, Oddity, SoundLines, encode, split
from assistant.journal.notes import LogRepaired

#: More missing numbers than this are not listed: a number itself was damaged.
MOST_LOST = 10_000


@dataclass(frozen=True, slots=True)
class Examined:
    """All that a whole log holds, damaged or not."""

    lines: SoundLines
    #: Every bad line; those after the last sound one are torn.
    bad: tuple[Damage, ...]
    oddities: tuple[Oddity, ...]
    #: Sound records found inside bad lines.
    rescued: int

    @property
    def events(self) -> tuple[Recorded, ...]:
        """Every event that can still be read, in the order of the numbers."""
        entries = (this.entry for this in self.lines.in_order())
        return tuple(entry for entry in entries if isinstance(entry, Recorded))


def examine(data: bytes) -> Examined:
    """Return what is in a log's bytes, past every bad line. Takes any bytes and never raises."""
    lines, bad, rescued = SoundLines(), [], 0
    last_sound = 0
    for number, (start, line) in enumerate(split(data), start=1):
        if not line.strip(b" \t\r\n"):
            continue
        why = _add(lines, number, start, line)
        if why is None:
            last_sound = number
            continue
        bad.append((number, start, why))
        inner = _record_inside(line)
        if inner is not None and _add(lines, number, start + line.index(inner), inner) is None:
            rescued += 1
            last_sound = number
    damages = tuple(Damage(*each, torn=each[0] > last_sound) for each in bad)
    return Examined(lines, damages, lines.replay(None).oddities, rescued)


def repaired(examined: Examined, aside: str, time: str) -> bytes:
    """Return the bytes of the sound copy; its last line notes the repair.

    Args:
        examined: what the damaged log holds.
        aside: the name under which the original is kept.
        time: of the repair, ISO 8601 with offset.
    """
    lines = examined.lines.in_order()
    taken = [this.entry.seq for this in lines]
    last = max(taken, default=0)
    missing = last - len(taken)
    lost: list[Seq] = []
    if missing <= MOST_LOST:
        have = set(taken)
        lost = [Seq(seq) for seq in range(1, last) if seq not in have]
    note = encode(last + 1, time, LogRepaired(aside, tuple(lost)))
    return b"".join(this.bytes.strip() + b"\n" for this in lines) + note.encode()


def _add(lines: SoundLines, number: int, offset: int, line: bytes) -> str | None:
    """Take a line; return why not where it is bad."""
    try:
        lines.add(number, offset, line)
    except (ValueError, RecursionError) as error:
        return " ".join(str(error).split()) or type(error).__name__
    return None


def _record_inside(line: bytes) -> bytes | None:
    """Return what looks like a record at the end of a bad line, None where there is none."""
    at = line.rfind(b'{"v":')
    return line[at:] if at > 0 else None
