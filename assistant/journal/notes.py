"""What a log says of itself: lines among the events that are no facts of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.core.events import Seq

#: What stands in every log that Bystander opens, for whoever finds the file.
HOLDS = (
    "what was played and read at the table, with times; it stays on this machine; "
    "bystander sessions delete removes it and all beside it"
)


@dataclass(frozen=True, slots=True)
class LogOpened:
    """A program began to write here: the first line, and one more each time play is resumed.

    `camera` and `profile` are told as the player named them, the practice table with the number of
    its cards. `pictures`: small pictures of what was read are kept beside the log; `film`: the
    camera is recorded beside the log. `holds` is for the person who finds the file.
    """

    kind: ClassVar[str] = "log-opened"

    program: str
    system: str = ""
    camera: str | None = None
    profile: str | None = None
    pictures: bool = False
    film: bool = False
    holds: str = HOLDS


@dataclass(frozen=True, slots=True)
class LogRepaired:
    """The log was mended: the original is kept in `aside`; `lost` are the numbers it lacks."""

    kind: ClassVar[str] = "log-repaired"

    aside: str
    lost: tuple[Seq, ...] = ()


Note = LogOpened | LogRepaired

NOTE_KINDS: Mapping[str, type[Any]] = {
    LogOpened.kind: LogOpened,
    LogRepaired.kind: LogRepaired,
}


@dataclass(frozen=True, slots=True)
class Noted:
    """A note with its number in the log, its time, and the number of its line (from 1)."""

    seq: Seq
    time: str
    note: Note
