"""Cutting the card out of a calibration shot: its outline, to a fraction of a pixel.

A calibration shot shows one card on a table that it stands out from. The rough outline comes from
assistant.vision.card_outline; here each of its sides is drawn again through the places where
paleness falls off steepest, so that print learnt from several shots falls on itself.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.card_outline import darkest_channel, find_outlines, paleness_at_width
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Homography, card_to_picture
from assistant.vision.sighting import Picture

CARD_ASPECT = CARD_HEIGHT_MM / CARD_WIDTH_MM

#: Samples along a side, and the part of it that they cover: corners are round.
SAMPLES = 48
SIDE_SHARE = (0.12, 0.88)
#: How far to either side of the outline the edge is looked for, first and again, how finely.
WIDE_REACH_MM = 5.0
REACH_MM = 1.5
STEP_MM = 0.1
#: A fall of paleness below this is no edge (a finger, a table of the card's own tone).
LEAST_FALL = 6.0

Quad = npt.NDArray[np.float64]


def find_card(picture: Picture) -> Homography | None:
    """Return the map from mm to px of the card in a shot, or None where none stands out.

    Which of its two ways up the card lies is not known yet: mm may count from either end.
    """
    pale, grown = paleness_at_width(picture)
    full = darkest_channel(picture).astype(np.float32)
    best: tuple[float, Quad] | None = None
    for rough in find_outlines(pale)[:8]:
        quad = _portrait(rough * grown)
        near, _ = _edges_refined(full, quad, WIDE_REACH_MM)
        exact, clear = (None, 0.0) if near is None else _edges_refined(full, near, REACH_MM)
        if exact is None:
            continue
        fits = clear - abs(np.log(_aspect(exact) / CARD_ASPECT))
        if best is None or fits > best[0]:
            best = fits, exact
    return None if best is None else card_to_picture(best[1])


def _portrait(quad: Quad) -> Quad:
    """Return the outline from a corner at which a short side begins."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return np.roll(quad, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else quad


def _aspect(quad: Quad) -> float:
    """Return how much longer an outline's long sides are than its short ones."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float((sides[1] + sides[3]) / (sides[0] + sides[2]))


def _edges_refined(
    pale: npt.NDArray[np.float32], quad: Quad, reach_mm: float
) -> tuple[Quad | None, float]:
    """Return the outline drawn again through its edges, and the share of samples that have one."""
    px_per_mm = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3]))
    px_per_mm /= 2 * CARD_WIDTH_MM
    reach = np.arange(-reach_mm, reach_mm + STEP_MM / 2, STEP_MM) * px_per_mm
    lines, seen = [], 0
    for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        outward = np.array([along[1], -along[0]])
        shares = np.linspace(*SIDE_SHARE, SAMPLES)
        middle = a + shares[:, None] * (b - a)
        points = middle[:, None, :] + reach[None, :, None] * outward
        profile = cv2.remap(
            pale,
            points[..., 0].astype(np.float32) - 0.5,
            points[..., 1].astype(np.float32) - 0.5,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        profile = cv2.GaussianBlur(profile, (0, 0), sigmaX=2.0, sigmaY=0.01)
        fall = profile[:, :-6] - profile[:, 6:]
        at = np.argmax(fall, axis=1)
        clear = fall[np.arange(SAMPLES), at] > LEAST_FALL
        seen += int(clear.sum())
        if clear.sum() < SAMPLES // 4:
            return None, 0.0
        offsets = reach[np.minimum(at + 3, len(reach) - 1)]
        line = _line(middle[clear] + offsets[clear, None] * outward)
        if line is None:
            return None, 0.0
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
