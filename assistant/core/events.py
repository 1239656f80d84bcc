"""What happened at the table, as frozen facts: the only thing that is ever stored.

The player's acts, the camera's readings and the corrections of either enter as events through the
same door. A state is never kept, it is folded from them (`assistant.core.state`). A mistake is put
right by a further event, never by changing a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NewType

from assistant.core.settings import DEFAULT_SETTINGS, Expansion, Settings
from assistant.core.terms import Content, ContentKind, Feature, Location

#: The number of an event in its session's log, from 1.
Seq = NewType("Seq", int)


@dataclass(frozen=True, slots=True)
class Seen:
    """How the camera came to a reading: how sure (0..1), over how many frames."""

    confidence: float
    frames: int


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A game was set up with these expansions and these readings of the open rules."""

    kind: ClassVar[str] = "session-started"

    expansions: frozenset[Expansion] = frozenset()
    settings: Settings = DEFAULT_SETTINGS


@dataclass(frozen=True, slots=True)
class YouthAsked:
    """The Fair Youth card showed an icon at a place. `seen` is None when it was typed."""

    kind: ClassVar[str] = "youth-asked"

    location: Location
    feature: Feature
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class RendezvousSought:
    """The Rendezvous card showed a number, 1 to 3, at a place."""

    kind: ClassVar[str] = "rendezvous-sought"

    location: Location
    number: int
    seen: Seen | None = None

    def __post_init__(self) -> None:
        """Refuse a number that no card has."""
        if self.number not in (1, 2, 3):
            raise ValueError(f"a Rendezvous number is 1, 2 or 3, not {self.number}")


@dataclass(frozen=True, slots=True)
class SearchMade:
    """The stealth card showed the Dark Lady at a place (a hit) or blank paper (a miss)."""

    kind: ClassVar[str] = "search-made"

    location: Location
    hit: bool
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class Retracted:
    """An earlier event is taken back. Taking back a retraction puts the event in force again."""

    kind: ClassVar[str] = "retracted"

    of: Seq


Event = SessionStarted | YouthAsked | RendezvousSought | SearchMade | Retracted


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with its number in the log and its time (ISO 8601 with offset)."""

    seq: Seq
    time: str
    event: Event


def event_of(location: Location, content: Content, seen: Seen | None = None) -> Event:
    """Return the event that a reading makes: an icon asks, a number seeks, the rest searches."""
    if content.feature is not None:
        return YouthAsked(location, content.feature, seen)
    if content.number is not None:
        return RendezvousSought(location, content.number, seen)
    return SearchMade(location, hit=content.kind is ContentKind.LADY, seen=seen)
