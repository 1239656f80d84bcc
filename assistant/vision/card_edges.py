"""A card's outline drawn again, to a fraction of a pixel, and how well it is seen.

A rough outline comes from card_outline.py. Each of its sides is drawn again through the places
where the colours inside and outside part most, so that the print of several pictures falls on
itself; sides that are straight and clear, and a card's proportions, tell a card from other patches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    card_to_picture,
    portrait,
)
from assistant.vision.sighting import Picture

CARD_ASPECT = CARD_HEIGHT_MM / CARD_WIDTH_MM

#: Samples along a side, and the part of it that they cover: corners are round.
SAMPLES = 48
SIDE_SHARE = (0.12, 0.88)
#: How far to either side of the outline the edge is looked for, first and again, how finely.
WIDE_REACH_MM = 5.0
REACH_MM = 1.5
STEP_MM = 0.1
#: A step in colour below this is no edge (a finger, a table of the card's own tone).
LEAST_STEP = 6.0
#: An edge this near to its side's line is on it.
ON_LINE_MM = 0.35
#: Share of a card's samples that are on the line, less how far its proportions are off. Cards
#: score 0.75 and more; what else is found in a picture of a pale table up to 0.5.
LEAST_FIT = 0.62

Quad = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CardCut:
    """A card in a picture: where it lies, and how well its edges are seen (0..1)."""

    homography: Homography
    fit: float


def sharpened(picture: Picture, rough: Quad) -> CardCut | None:
    """Return the card whose outline is roughly known, or None where its edges do not show.

    Which of its two ways up the card lies is not known yet: mm may count from either end.

    Args:
        picture: (rows, columns, 3) uint8.
        rough: (4, 2) px, clockwise.
    """
    near, _ = _edges_refined(picture, portrait(rough), WIDE_REACH_MM)
    exact, on_line = (None, 0.0) if near is None else _edges_refined(picture, near, REACH_MM)
    if exact is None or not cv2.isContourConvex(exact.astype(np.float32)):
        return None
    return CardCut(card_to_picture(exact), on_line - abs(math.log(_aspect(exact) / CARD_ASPECT)))


def _aspect(quad: Quad) -> float:
    """Return how much longer an outline's long sides are than its short ones."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float((sides[1] + sides[3]) / (sides[0] + sides[2]))


def _edges_refined(picture: Picture, quad: Quad, reach_mm: float) -> tuple[Quad | None, float]:
    """Return the outline drawn again through its edges, and the share of samples on its lines."""
    px_per_mm = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3]))
    px_per_mm /= 2 * CARD_WIDTH_MM
    reach = np.arange(-reach_mm, reach_mm + STEP_MM / 2, STEP_MM) * px_per_mm
    lines, seen = [], 0
    for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        length = float(np.linalg.norm(b - a))
        if length < SAMPLES / 4:
            return None, 0.0
        along = (b - a) / length
        outward = np.array([along[1], -along[0]])
        middle = a + np.linspace(*SIDE_SHARE, SAMPLES)[:, None] * (b - a)
        at, step = _edge_of_side(picture, middle, outward, reach)
        clear = step > LEAST_STEP
        if clear.sum() < SAMPLES // 4:
            return None, 0.0
        points = middle[clear] + at[clear, None] * outward
        line = _line(points)
        if line is None:
            return None, 0.0
        away = np.abs((points - line[0]) @ np.array([-line[1][1], line[1][0]]))
        seen += int((away < max(0.7, ON_LINE_MM * px_per_mm)).sum())
        lines.append(line)
    corners = np.empty((4, 2))
    for i in range(4):
        p, d = lines[i - 1]
        q, e = lines[i]
        cross = d[0] * e[1] - d[1] * e[0]
        if abs(cross) < 0.3:
            return None, 0.0
        t = ((q - p)[0] * e[1] - (q - p)[1] * e[0]) / cross
        corners[i] = p + t * d
    return corners, seen / (4 * SAMPLES)


def _edge_of_side(
    picture: Picture, middle: Quad, outward: Quad, reach: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return where, px outward of each sample, colour steps most, and how much (grey levels).

    Only the difference between what lies inside and outside of this side counts, whatever it is.
    """
    points = middle[:, None, :] + reach[None, :, None] * outward
    seen = cv2.remap(
        picture,
        points[..., 0].astype(np.float32) - 0.5,
        points[..., 1].astype(np.float32) - 0.5,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)
    third = len(reach) // 3
    inside = np.median(seen[:, :third].reshape(-1, 3), axis=0)
    outside = np.median(seen[:, -third:].reshape(-1, 3), axis=0)
    towards = inside - outside
    towards /= max(float(np.linalg.norm(towards)), 1e-3)
    profile = cv2.GaussianBlur(seen @ towards, (0, 0), sigmaX=2.0, sigmaY=0.01)
    fall = profile[:, :-6] - profile[:, 6:]
    at = np.argmax(fall, axis=1)
    return reach[np.minimum(at + 3, len(reach) - 1)], fall[np.arange(len(fall)), at]


def _line(points: Quad) -> tuple[Quad, Quad] | None:
    """Return (point, direction) of the line through most of the points, strays left out."""
    kept = points
    for _ in range(4):
        if len(kept) < 6:
            return None
        middle = kept.mean(axis=0)
        x, y = (kept - middle).T
        # The long axis of the points' spread; 2 x 2, so by hand.
        turn = 0.5 * math.atan2(2 * float(x @ y), float(x @ x) - float(y @ y))
        along = np.array([math.cos(turn), math.sin(turn)])
        away = np.abs((points - middle) @ np.array([-along[1], along[0]]))
        limit = max(0.7, 2.0 * float(np.sort(away)[len(away) // 2]))
        kept = points[away < limit]
    return middle, along
