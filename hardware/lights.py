"""Numbered lights and what they show: colours, a frame, a loop of frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

#: A strip that Bystander's firmware drives has at most this many lights (one byte counts a line).
MOST_LIGHTS = 40

FULL = 255


class Rgb(NamedTuple):
    """The duty of a light's three diodes, 0 to 255 each."""

    red: int
    green: int
    blue: int


DARK = Rgb(0, 0, 0)


@dataclass(frozen=True, slots=True)
class LightFrame:
    """What lights 0…n-1 show at one moment; `brightness` (0 to 255) scales all of them."""

    colours: tuple[Rgb, ...]
    brightness: int = FULL

    def __post_init__(self) -> None:
        """Refuse an empty frame and values that do not fit a byte."""
        if not self.colours:
            raise ValueError("a frame has one light at least")
        values = [self.brightness, *(value for colour in self.colours for value in colour)]
        if min(values) < 0 or max(values) > FULL:
            raise ValueError(f"colours and brightness are 0 to {FULL}: {self!r}")

    @property
    def is_dark(self) -> bool:
        """Whether no light is lit."""
        return self.brightness == 0 or all(colour == DARK for colour in self.colours)

    def scaled(self) -> tuple[Rgb, ...]:
        """Return the colours with the brightness worked in, as a board without one needs them."""
        return tuple(
            Rgb(*(value * self.brightness // FULL for value in colour)) for colour in self.colours
        )


def dark(lights: int) -> LightFrame:
    """Return the frame in which nothing is lit."""
    return LightFrame((DARK,) * lights)


@dataclass(frozen=True, slots=True)
class Step:
    """A frame that stays for a while."""

    frame: LightFrame
    duration_s: float


@dataclass(frozen=True, slots=True)
class Loop:
    """Frames shown one after the other, again and again; one step alone is a steady picture."""

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        """Refuse a loop without steps or with a step that takes no time."""
        if not self.steps or min(step.duration_s for step in self.steps) <= 0:
            raise ValueError(f"a loop has steps that take time: {self!r}")

    @classmethod
    def steady(cls, frame: LightFrame) -> Loop:
        """Return the loop that never changes."""
        return cls((Step(frame, 1.0),))

    @property
    def is_steady(self) -> bool:
        """Whether the picture never changes."""
        return all(step.frame == self.steps[0].frame for step in self.steps)

    @property
    def period_s(self) -> float:
        """How long it takes until it begins anew."""
        return sum(step.duration_s for step in self.steps)

    def at(self, since_start_s: float) -> LightFrame:
        """Return what is shown this long after the loop was begun (not negative)."""
        left_s = since_start_s % self.period_s
        for step in self.steps:
            if left_s < step.duration_s:
                return step.frame
            left_s -= step.duration_s
        return self.steps[-1].frame
