"""What a card side is made of: filled outlines, lines, and words, in mm.

One list of marks serves both printers: `ink` turns it into pixels for the virtual table, `sheets`
into the vectors of a PDF. So what is filmed is what is printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

#: Points (x, y) in mm, x to the right, y down.
Points = tuple[tuple[float, float], ...]

#: Red, green, blue, 0 to 255.
Rgb = tuple[int, int, int]

BLACK: Rgb = (22, 20, 20)

#: The bare paper shows here, whatever paper it is printed on.
PAPER: Rgb = (-1, -1, -1)


class Anchor(Enum):
    """Which part of the words lies at their x."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Fill:
    """A closed outline filled with one colour."""

    points: Points
    rgb: Rgb = BLACK


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with round joins."""

    points: Points
    width_mm: float
    rgb: Rgb = BLACK
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text on a baseline; `size_mm` is the em. Upside down when `turned`."""

    text: str
    x_mm: float
    baseline_mm: float
    size_mm: float
    rgb: Rgb = BLACK
    anchor: Anchor = Anchor.LEFT
    turned: bool = False


Mark = Fill | Stroke | Words


def placed(
    marks: Iterable[Fill], centre_mm: tuple[float, float], size_mm: float
) -> tuple[Fill, ...]:
    """Return fills of the unit square (-1 to 1) laid round a centre, `size_mm` wide in all."""
    half = size_mm / 2
    return tuple(
        replace(
            mark,
            points=tuple(
                (centre_mm[0] + x * half, centre_mm[1] + y * half) for x, y in mark.points
            ),
        )
        for mark in marks
    )


def circle(
    x: float, y: float, radius_x: float, radius_y: float | None = None, steps: int = 48
) -> Points:
    """Return a circle, or an ellipse when `radius_y` differs."""
    radius_y = radius_x if radius_y is None else radius_y
    turns = [2 * math.pi * step / steps for step in range(steps)]
    return tuple((x + radius_x * math.cos(t), y + radius_y * math.sin(t)) for t in turns)


def arc(x: float, y: float, radius: float, from_deg: float, to_deg: float) -> Points:
    """Return points on a circle; 0 degrees is to the right, 90 is down."""
    steps = max(2, round(abs(to_deg - from_deg) / 5))
    turns = [math.radians(from_deg + (to_deg - from_deg) * k / steps) for k in range(steps + 1)]
    return tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns)


def box(left: float, top: float, right: float, bottom: float) -> Points:
    """Return a rectangle."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> Points:
    """Return a rectangle with round corners."""
    return (
        *arc(right - radius, top + radius, radius, -90, 0),
        *arc(right - radius, bottom - radius, radius, 0, 90),
        *arc(left + radius, bottom - radius, radius, 90, 180),
        *arc(left + radius, top + radius, radius, 180, 270),
    )


def smooth(points: Sequence[tuple[float, float]], closed: bool = True, steps: int = 8) -> Points:
    """Return a Catmull-Rom curve through the points."""
    count = len(points)
    curve: list[tuple[float, float]] = []
    for k in range(count if closed else count - 1):
        around = [
            points[j % count] if closed else points[min(max(j, 0), count - 1)]
            for j in range(k - 1, k + 3)
        ]
        curve.extend(_between(around, step / steps) for step in range(steps))
    if not closed:
        curve.append(points[-1])
    return tuple(curve)


def brushed(
    spine: Sequence[tuple[float, float]], widths: Sequence[float], steps: int = 10
) -> Points:
    """Return the outline of a stroke along a smooth spine whose width swells and thins."""
    line = smooth(spine, closed=False, steps=steps)
    left, right = [], []
    for k, (x, y) in enumerate(line):
        ahead, behind = line[min(k + 1, len(line) - 1)], line[max(k - 1, 0)]
        dx, dy = ahead[0] - behind[0], ahead[1] - behind[1]
        length = math.hypot(dx, dy) or 1.0
        at = k / steps
        low = min(int(at), len(widths) - 2)
        half = (widths[low] + (widths[low + 1] - widths[low]) * (at - low)) / 2
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    return (*left, *reversed(right))


def _between(around: Sequence[tuple[float, float]], t: float) -> tuple[float, float]:
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = around

    def spline(a: float, b: float, c: float, d: float) -> float:
        return 0.5 * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )

    return spline(x0, x1, x2, x3), spline(y0, y1, y2, y3)
