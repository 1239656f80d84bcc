"""What the play window talks to, and what it is told: values and ports, no widgets.

The window never works: it calls the desk, whose calls all return at once, and is told the outcome
through a queue. Whoever implements `Desk` does the work in threads of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from PIL import Image

from assistant.core.events import Event, SessionStarted
from assistant.core.terms import Feature
from assistant.core.turn_events import Help
from assistant.present.choices import Ask
from assistant.present.screen import Screen


@dataclass(frozen=True, slots=True, eq=False)
class ScreenChanged:
    """The game has a new state; `is_on` tells whether a game was begun."""

    screen: Screen
    is_on: bool


@dataclass(frozen=True, slots=True)
class SeenNow:
    """What the camera sees now, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class ReadingSaid:
    """A reading was taken: the large line, and what it ruled out."""

    text: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """A line for the player: what was done, or what is missing or lost."""

    text: str


@dataclass(frozen=True, slots=True)
class HintGiven:
    """A hint that was asked for, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Questioned:
    """The player is asked something: a refusal that may be overruled."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class LineStatus:
    """The quiet line at the bottom: camera, lights, log."""

    camera: str
    lights: str
    log: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen from: (what to type, how it is called), and what is in use."""

    cameras: Sequence[tuple[str, str]]
    camera: str
    profiles: Sequence[tuple[str, str]]
    profile: str
    has_practice: bool


@dataclass(frozen=True, slots=True, eq=False)
class BoardShot:
    """A still picture on which the board's corners are to be clicked."""

    still: Image.Image


@dataclass(frozen=True, slots=True)
class LandmarkShown:
    """The stealth card on top was held to the camera, and this is printed on it."""

    feature: Feature


Message = (
    BoardShot
    | ScreenChanged
    | SeenNow
    | ReadingSaid
    | Noted
    | HintGiven
    | Questioned
    | LineStatus
    | Choices
    | LandmarkShown
)


class Practice(Enum):
    """What can be done at the practice table."""

    YOUTH = "Lay the Youth's card"
    RENDEZVOUS = "Lay the Rendezvous card"
    STEALTH = "Lay the stealth card"
    LIFT = "Lift the stack"


class Desk(Protocol):
    """Where the window sends what the player wants. Every call returns at once."""

    def messages(self) -> Sequence[Message]:
        """Return what is new, oldest first, at most some dozens."""
        ...

    def newest(self) -> Image.Image | None:
        """Return the newest picture of the camera at the size wanted; None when none is new."""
        ...

    def want_film(self, width_px: int, height_px: int) -> None:
        """Have pictures fit into this size from now on."""
        ...

    def start(self, started: SessionStarted) -> None:
        """Begin a new game."""
        ...

    def resume(self) -> None:
        """Go on with the last game, as it stood."""
        ...

    def enter(self, event: Event) -> None:
        """Take an act or a correction into the game."""
        ...

    def undo(self) -> None:
        """Take the last thing back."""
        ...

    def redo(self) -> None:
        """Take the last undo back."""
        ...

    def hint(self, asked: Help) -> None:
        """Give a hint, counted."""
        ...

    def type_line(self, text: str) -> None:
        """Take a typed act, in the words of `bystander play --words`."""
        ...

    def practise(self, what: Practice) -> None:
        """Do something at the practice table."""
        ...

    def use_camera(self, name: str) -> None:
        """Take the pictures from another source; "" for none."""
        ...

    def use_profile(self, folder: str) -> None:
        """Read with another card profile."""
        ...

    def look_for_choices(self) -> None:
        """Have the cameras and profiles that are there told."""
        ...

    def calibrate(self) -> None:
        """Teach the cards, in a window of its own; the camera is lent to it meanwhile."""
        ...

    def shoot_board(self) -> None:
        """Have a still picture told, to learn the board from."""
        ...

    def learn_board(self, corners: Sequence[tuple[float, float]]) -> None:
        """Learn the board on the last still; corners in shares of the picture's sides."""
        ...

    def want_landmark(self, wanted: bool, *, is_first: bool = False) -> None:
        """Look for the stealth card on top in the pictures, from anew; or do not any more.

        `is_first`: no card was told yet, so one that lies there already counts.
        """
        ...

    def keep(self, name: str, value: str | float | bool) -> None:
        """Remember a setting of the window."""
        ...
