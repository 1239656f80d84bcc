"""What happens in a game turn by turn, as frozen facts (see `assistant.core.events`).

A turn: the Lady's location is updated (`LadyUpdated`), then the Rival Poet's (`PoetMoved`), then
the player does one thing: `PawnMoved`, `SearchMade`, `YouthAsked`, `RendezvousSought`, `FogUsed`,
`Passed` or `LadyConfronted`. Free acts besides: `YouthConfronted`, `WaypointPlaced` and
`TracerPlaced`. What an act brings with it is told by `ClueGained`, `PoetPlaced` and `LadyFled`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NewType

from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Feature, Location

#: The number of an event in its session's log, from 1.
Seq = NewType("Seq", int)


class Help(Enum):
    """A help that is off unless the player asks for it; every use is counted."""

    ASK = "ask"
    SEEK = "seek"
    INTERCEPT = "intercept"
    SURE = "sure"


@dataclass(frozen=True, slots=True)
class LadyUpdated:
    """The top stealth card went to the bottom (step 1 of a turn); `shows` is the new top."""

    kind: ClassVar[str] = "lady-updated"

    shows: Shown = Shown.UNSEEN


@dataclass(frozen=True, slots=True)
class PoetMoved:
    """The Rival Poet was updated (step 2 of a turn); `to` is his own place when he stayed."""

    kind: ClassVar[str] = "poet-moved"

    to: Location


@dataclass(frozen=True, slots=True)
class PawnMoved:
    """The player moved along a road."""

    kind: ClassVar[str] = "pawn-moved"

    to: Location


@dataclass(frozen=True, slots=True)
class FogUsed:
    """The player used the fog card on top of the stealth deck, and what its text made happen.

    `card` is its printed number. The rest is what the card said, as far as it said it: the pawn was
    put somewhere, the deck advanced (with what it showed), a clue card was gained, fog cards left
    the fog deck, the Lady changed for one of another suit. `returned`: the card went back under the
    fog deck and the next one took its slot; otherwise it left the game.
    """

    kind: ClassVar[str] = "fog-used"

    card: int
    pawn_to: Location | None = None
    shows: tuple[Shown, ...] = ()
    clues: int = 0
    fog_discarded: int = 0
    suit: Suit | None = None
    returned: bool = True

    def __post_init__(self) -> None:
        """Refuse a card that is not printed."""
        if not 1 <= self.card <= 10:
            raise ValueError(f"fog cards are numbered 1 to 10, not {self.card}")
        if self.clues < 0 or self.fog_discarded < 0:
            raise ValueError("cards cannot be fewer than none")


@dataclass(frozen=True, slots=True)
class Passed:
    """The player did nothing this turn."""

    kind: ClassVar[str] = "passed"


@dataclass(frozen=True, slots=True)
class LadyFled:
    """After a search the deck advanced by the clues held; what each new top showed, in order."""

    kind: ClassVar[str] = "lady-fled"

    shows: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class ClueGained:
    """A clue card that was due was turned up."""

    kind: ClassVar[str] = "clue-gained"

    clue: Clue


@dataclass(frozen=True, slots=True)
class ClueReread:
    """A clue held was read again in another suit's row (the Lady's suit changed)."""

    kind: ClassVar[str] = "clue-reread"

    of: Seq
    mark: Mark


@dataclass(frozen=True, slots=True)
class SuitTold:
    """The suit on the back of the Dark Lady's card was noted."""

    kind: ClassVar[str] = "suit-told"

    suit: Suit


@dataclass(frozen=True, slots=True)
class PoetPlaced:
    """After the Elusive Poet was caught his pawn was put on a place of the matching colour."""

    kind: ClassVar[str] = "poet-placed"

    to: Location


@dataclass(frozen=True, slots=True)
class WaypointPlaced:
    """The "!" card went to the bottom of the stealth deck and its token on a location."""

    kind: ClassVar[str] = "waypoint-placed"

    location: Location


@dataclass(frozen=True, slots=True)
class TracerPlaced:
    """The footprint card went into the stealth deck, 3 or 5 steps from the bottom."""

    kind: ClassVar[str] = "tracer-placed"

    location: Location
    warning: int

    def __post_init__(self) -> None:
        """Refuse a warning that the card does not have."""
        if self.warning not in (3, 5):
            raise ValueError(f"the tracer warns 3 or 5 moves ahead, not {self.warning}")


@dataclass(frozen=True, slots=True)
class YouthConfronted:
    """The Fair Youth card was turned over: the hideout printed on it."""

    kind: ClassVar[str] = "youth-confronted"

    hideout: Location


@dataclass(frozen=True, slots=True)
class LadyConfronted:
    """The player named the Lady's traits and turned the cards over; the game is over.

    `rendezvous` is the symbol on the Rendezvous card when that is in play. `found`: her silhouette
    showed, she was here. `traits` are those on her card, `named` those the player had named.
    """

    kind: ClassVar[str] = "lady-confronted"

    named: frozenset[Trait]
    found: bool
    traits: frozenset[Trait]
    rendezvous: Feature | None = None


@dataclass(frozen=True, slots=True)
class HelpUsed:
    """The player asked for a help; the score sheet tells how often."""

    kind: ClassVar[str] = "help-used"

    help: Help


@dataclass(frozen=True, slots=True)
class BaseScored:
    """The points of the base game's own scoring, as the player worked them out."""

    kind: ClassVar[str] = "base-scored"

    points: int


GameEvent = (
    LadyUpdated
    | PoetMoved
    | PawnMoved
    | FogUsed
    | Passed
    | LadyFled
    | ClueGained
    | ClueReread
    | SuitTold
    | PoetPlaced
    | WaypointPlaced
    | TracerPlaced
    | YouthConfronted
    | LadyConfronted
    | HelpUsed
    | BaseScored
)
