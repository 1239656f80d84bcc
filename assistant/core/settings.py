"""What a session is played with: the expansions, and how the rulebook's open rules are read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from assistant.core.terms import StepReading


class Expansion(Enum):
    """A part of The Fair Youth that can be added to the base game; the value is the typed word."""

    YOUTH = "youth"
    RENDEZVOUS = "rendezvous"
    ELUSIVE = "elusive"
    AGGRESSIVE = "aggressive"
    DARKER = "darker"
    MARKERS = "markers"


class TieReading(Enum):
    """How "right-most" is told when the Aggressive Poet may take two roads.

    DRAWN: by where the drawn roads leave his ring; STRAIGHT: by the lines from ring to ring. They
    differ only at Cripplegate facing Southwark.
    """

    DRAWN = "drawn"
    STRAIGHT = "straight"


@dataclass(frozen=True, slots=True)
class Settings:
    """The readings taken of the rules that the rulebook leaves open; the log records them."""

    #: How steps are counted for the Rendezvous.
    steps: StepReading = StepReading.WALK
    #: Whether the Dark Lady may stay where she is for a turn.
    may_stay: bool = True
    #: Whether the stealth deck advances by the clues held after a miss as it does after a hit.
    advance_after_miss: bool = True
    #: Which of two equally short roads is the Aggressive Poet's right-most.
    tie: TieReading = TieReading.DRAWN


DEFAULT_SETTINGS = Settings()
