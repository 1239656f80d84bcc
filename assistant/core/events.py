"""What happened at the table, as frozen facts: the only thing that is ever stored.

The player's acts, the camera's readings and the corrections of either enter as events through the
same door. A state is never kept, it is folded from them (`assistant.core.state`). A mistake is put
right by a further event, never by changing a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assistant.core.settings import DEFAULT_SETTINGS, Expansion, Settings
from assistant.core.stealth import Shown
from assistant.core.suits import Suit
from assistant.core.terms import Content, ContentKind, Feature, Location
from assistant.core.turn_events import GameEvent, Seq

__all__ = [
    "Act",
    "Corrected",
    "Event",
    "GameEvent",
    "Overruled",
    "Recorded",
    "RendezvousSought",
    "Retracted",
    "SearchMade",
    "Seen",
    "Seq",
    "SessionStarted",
    "YouthAsked",
    "event_of",
]


@dataclass(frozen=True, slots=True)
class Seen:
    """How the camera came to a reading: how sure (0..1), over how many frames."""

    confidence: float
    frames: int


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A game was set up with these expansions and these readings of the open rules.

    With `pawn`, the player's starting place, the whole game is tracked turn by turn; without it
    only readings and deductions are kept. `poet` is where the Rival Poet's pawn was put, `suit` the
    suit of the Dark Lady, `top` what the stealth deck showed at set-up, `passes` how often the
    countdown card may come up.
    """

    kind: ClassVar[str] = "session-started"

    expansions: frozenset[Expansion] = frozenset()
    settings: Settings = DEFAULT_SETTINGS
    pawn: Location | None = None
    poet: Location | None = None
    suit: Suit | None = None
    top: Shown = Shown.UNSEEN
    passes: int = 2

    def __post_init__(self) -> None:
        """Refuse a game that would be over before it begins."""
        if self.passes < 1:
            raise ValueError(f"the countdown runs over at least one pass, not {self.passes}")


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


#: What happens at the table, without the corrections of the log.
Act = SessionStarted | YouthAsked | RendezvousSought | SearchMade | GameEvent


@dataclass(frozen=True, slots=True)
class Corrected:
    """An earlier event is put right: it counts as if it had been `event`, in its old place."""

    kind: ClassVar[str] = "corrected"

    of: Seq
    event: Act


@dataclass(frozen=True, slots=True)
class Overruled:
    """The player did something that the rules refuse (a house rule); `rule` is the reason given."""

    kind: ClassVar[str] = "overruled"

    event: Act
    rule: str


Event = Act | Retracted | Corrected | Overruled


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
