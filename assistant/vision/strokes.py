"""Digits and a head drawn with a pen, in many hands: what a printed one may look like.

A digit is one or more paths in a box 1 high; a pen's nib (an ellipse at an angle) is drawn along
them. A round nib gives a sans-serif, a slanted broad one an old hand, an upright broad one a
printer's roman with thick stems and thin bars.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

#: A path: points (x, y) in a box 1 high, y down; smoothed into a curve when drawn.
Path = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """A pen and how it writes: nib axes and width in heights, the nib's turn in deg.

    `slant`: how far the top leans to the right of the foot, in heights.
    """

    long: float
    short: float
    turn_deg: float
    width: float
    slant: float = 0.0


_ROUND = Hand(0.12, 0.12, 0, 0.58)
_BOLD = Hand(0.21, 0.21, 0, 0.66)
_OLD = Hand(0.26, 0.08, -35, 0.60)
_OLD_BOLD = Hand(0.30, 0.13, -35, 0.58)
_ROMAN = Hand(0.20, 0.07, 0, 0.60)
_ITALIC = Hand(0.14, 0.10, 0, 0.54, 0.20)
_BOLD_ITALIC = Hand(0.24, 0.18, 0, 0.60, 0.20)
_FAT = Hand(0.32, 0.09, 0, 0.72)

#: Each form: paths in a unit box (x is stretched to the hand's width). Sharp corners are where one
#: path ends and the next begins.
_FORMS: dict[int, tuple[tuple[Path, ...], ...]] = {
    1: (
        # A stem with a flag; the same on a foot; a stem with hardly a flag.
        (((0.62, 0.0), (0.62, 1.0)), ((0.18, 0.24), (0.62, 0.0))),
        (((0.55, 0.0), (0.55, 1.0)), ((0.22, 0.16), (0.55, 0.02)), ((0.22, 1.0), (0.88, 1.0))),
        (((0.5, 0.0), (0.5, 1.0)), ((0.3, 0.14), (0.5, 0.03))),
    ),
    2: (
        # A flat foot; a foot like a wave; a thin neck and a foot that swings up.
        (
            (
                (0.06, 0.24),
                (0.2, 0.04),
                (0.5, 0.0),
                (0.85, 0.1),
                (0.88, 0.35),
                (0.55, 0.68),
                (0.05, 1.0),
            ),
            ((0.05, 1.0), (0.95, 1.0)),
        ),
        (
            (
                (0.1, 0.3),
                (0.16, 0.08),
                (0.5, 0.0),
                (0.88, 0.14),
                (0.84, 0.42),
                (0.4, 0.76),
                (0.08, 0.96),
            ),
            ((0.08, 0.96), (0.3, 0.9), (0.6, 0.98), (0.98, 0.92)),
        ),
        (
            ((0.1, 0.14), (0.35, 0.0), (0.7, 0.06), (0.82, 0.28), (0.66, 0.56), (0.02, 1.0)),
            ((0.02, 1.0), (0.3, 0.86), (0.62, 0.98), (1.0, 0.84)),
        ),
    ),
    3: (
        # Two bowls; a flat top; a waving top on a thin neck.
        (
            ((0.08, 0.16), (0.4, 0.0), (0.82, 0.1), (0.8, 0.34), (0.38, 0.46)),
            ((0.38, 0.46), (0.88, 0.58), (0.9, 0.84), (0.5, 1.0), (0.04, 0.86)),
        ),
        (
            ((0.1, 0.02), (0.88, 0.02)),
            ((0.88, 0.02), (0.4, 0.42)),
            ((0.4, 0.42), (0.86, 0.5), (0.92, 0.8), (0.5, 1.0), (0.04, 0.9)),
        ),
        (
            ((0.06, 0.1), (0.28, 0.0), (0.56, 0.06), (0.92, 0.0)),
            ((0.92, 0.0), (0.46, 0.4)),
            ((0.46, 0.4), (0.84, 0.5), (0.88, 0.76), (0.54, 0.98), (0.22, 0.9), (0.02, 1.0)),
        ),
    ),
}

#: The (form, hand) pairs in which each digit is drawn.
DIGIT_HANDS: dict[int, tuple[tuple[int, Hand], ...]] = {
    1: (
        *itertools.product((0, 1), (_ROUND, _BOLD, _ROMAN, _FAT)),
        *itertools.product((2,), (_BOLD, _FAT)),
        *itertools.product((0, 1), (_ITALIC, _BOLD_ITALIC)),
    ),
    2: (
        *itertools.product((0, 1), (_ROUND, _BOLD, _OLD, _ROMAN, _FAT)),
        *itertools.product((2,), (_OLD, _OLD_BOLD)),
        *itertools.product((0,), (_ITALIC, _BOLD_ITALIC)),
    ),
    3: (
        *itertools.product((0, 1), (_ROUND, _BOLD, _OLD, _ROMAN, _FAT)),
        *itertools.product((2,), (_OLD, _OLD_BOLD)),
        *itertools.product((0,), (_ITALIC, _BOLD_ITALIC)),
    ),
}


def draw_digit(number: int, form: int, hand: Hand, rows: int) -> npt.NDArray[np.float32]:
    """Return a digit's ink, (rows, columns) float32 0 to 1, written in a form by a hand."""
    fine = 3
    high = rows * fine
    half = hand.long / 2
    wide = round(high * (hand.width + hand.long + hand.slant))
    canvas = np.zeros((high, wide), np.uint8)
    nib_points = cv2.ellipse2Poly(
        (0, 0),
        (max(1, round(hand.long * high / 2)), max(1, round(hand.short * high / 2))),
        round(hand.turn_deg),
        0,
        360,
        20,
    )
    nib = np.asarray(nib_points, np.float64).reshape(-1, 2)
    # The nib's reach is taken from the box, so that the ink just fills its height.
    reach = float(np.abs(nib[:, 1]).max())
    for path in _FORMS[number][form]:
        points = _smooth(np.array(path, np.float64))
        lean = hand.slant * (1 - points[:, 1])
        x = (half + points[:, 0] * hand.width + lean) * high
        y = reach + points[:, 1] * (high - 2 * reach)
        places = np.stack([x, y], axis=1)
        for a, b in itertools.pairwise(places):
            both = np.concatenate([nib + a, nib + b])
            cv2.fillConvexPoly(canvas, cv2.convexHull(both.astype(np.int32)), 255)
    left, _, width, _ = cv2.boundingRect(canvas)
    canvas = canvas[:, left : left + width]
    small = cv2.resize(canvas, (max(1, round(width / fine)), rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


def draw_head(size: tuple[int, int], has_bun: bool) -> npt.NDArray[np.float32]:
    """Return a head on a neck and bust, facing left, as solid ink; `size` is (rows, columns)."""
    fine = 3
    rows, columns = size[0] * fine, size[1] * fine
    canvas = np.zeros((rows, columns), np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round(x * columns), round(y * rows)

    head = round(0.40 * columns), round(0.33 * rows)
    cv2.ellipse(canvas, at(0.48, 0.34), head, 0, 0, 360, 255, -1)
    if has_bun:
        cv2.ellipse(canvas, at(0.80, 0.22), at(0.20, 0.17), 0, 0, 360, 255, -1)
    outline = [(0.30, 0.5), (0.70, 0.5), (0.72, 0.80), (0.95, 1.0), (0.25, 1.0), (0.42, 0.80)]
    cv2.fillPoly(canvas, [np.array([at(x, y) for x, y in outline], np.int32)], 255)
    small = cv2.resize(canvas, (size[1], size[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


def _smooth(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a curve through the points (Catmull-Rom), (n, 2); two points stay a line."""
    if len(points) == 2:
        return points
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    steps = np.linspace(0, 1, 8, endpoint=False)[:, None]
    pieces = []
    for i in range(len(points) - 1):
        a, b, c, d = padded[i : i + 4]
        pieces.append(
            0.5
            * (
                2 * b
                + (c - a) * steps
                + (2 * a - 5 * b + 4 * c - d) * steps**2
                + (3 * b - a - 3 * c + d) * steps**3
            )
        )
    return np.concatenate([*pieces, points[-1:]])
