"""Finding cards by their outline: pale four-sided patches, also with fingers on a corner.

Paper is pale in every channel, skin, wood and cloth are not; so the darkest of a pixel's three
channels sets paper apart where its grey would not. That picture is cut at several levels (no one
level suits a table with a lamp at one side). Of each patch of a card's size the hull is taken, and
from its longest sides every four that make a card-like quadrilateral: a corner hidden by a finger
or lying outside the picture costs its own short sides of the hull only.

The work is bounded: LEVELS cuts, at most MOST_PATCHES patches of each, MOST_SIDES sides of a hull.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.ink import Grey
from assistant.vision.sighting import Picture

#: Width of the picture that is searched.
SEARCH_WIDTH_PX = 320
#: Cuts, as percentiles of the searched picture's darkest-channel values between its extremes.
LEVELS = 9
MOST_PATCHES = 12
MOST_SIDES = 6
#: A card's area in the picture, as a share of the picture's own.
LEAST_AREA, MOST_AREA = 0.012, 0.6
#: Long side by short side: 68/44 = 1.55, seen at up to 35 degrees from either side.
LEAST_ASPECT, MOST_ASPECT = 1.15, 2.1
#: Two quadrilaterals closer than this share of their side are one.
SAME_SHARE = 0.05

#: Rounds in which the table's colour is fitted, leaving out what is unlike it.
TABLE_ROUNDS = 3
UNLIKE_SPREADS = 2.5

Quad = npt.NDArray[np.float64]


def darkest_channel(picture: Picture) -> Grey:
    """Return the least of each pixel's channels, (rows, columns) uint8."""
    if picture.ndim == 2:
        return picture
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def paleness_at_width(picture: Picture, width_px: int = SEARCH_WIDTH_PX) -> tuple[Grey, float]:
    """Return a picture's paleness at about a width, and how much larger the picture is."""
    shrink = max(1, round(picture.shape[1] / width_px))
    size = max(1, picture.shape[1] // shrink), max(1, picture.shape[0] // shrink)
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return darkest_channel(small), picture.shape[1] / size[0]


def unlikeness(small: Picture) -> Grey:
    """Return how unlike the table each point is, (rows, columns) uint8.

    The table is what most of the picture shows: its colour is fitted as a plane over the picture,
    and differences count by how much the table itself varies in their direction of colour (a
    wood's grain is light and dark, not green).
    """
    colour = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    rows, columns = small.shape[:2]
    y, x = np.mgrid[0:rows, 0:columns].reshape(2, -1).astype(np.float64)
    terms = np.stack([np.ones_like(x), x / columns, y / rows], axis=1)
    seen = colour.reshape(-1, 3).astype(np.float64)
    table = np.ones(len(seen), bool)
    away = np.zeros(len(seen))
    for _ in range(TABLE_ROUNDS):
        chosen = np.flatnonzero(table)[::3]
        plane = np.linalg.lstsq(terms[chosen], seen[chosen], rcond=None)[0]
        off = seen - terms @ plane
        spread = np.cov(off[chosen].T) + np.eye(3) * 0.7
        away = np.sqrt(np.einsum("ni,ij,nj->n", off, np.linalg.inv(spread), off))
        table = away < UNLIKE_SPREADS
        if table.sum() < len(seen) // 4:
            break
    scale = 200.0 / max(float(np.percentile(away, 99.0)), 1e-6)
    return np.clip(away * scale, 0, 255).reshape(rows, columns).astype(np.uint8)


def find_outlines(paleness: Grey) -> list[Quad]:
    """Return card-like quadrilaterals, (4, 2) float64 px each, clockwise, the best filled first.

    Args:
        paleness: (rows, columns) uint8, high where paper is; a picture of some 320 x 180.
    """
    smooth = cv2.medianBlur(paleness, 3)
    low, high = np.percentile(smooth[::2, ::2], (2.0, 99.5)).tolist()
    found: list[tuple[float, Quad]] = []
    if high - low < 12:
        return []
    for step in range(1, LEVELS + 1):
        cut = low + (high - low) * step / (LEVELS + 1)
        mask = (smooth > cut).astype(np.uint8)
        for fill, quad in _in_mask(mask):
            twin = next((i for i, (_, q) in enumerate(found) if _same(q, quad)), None)
            if twin is None:
                found.append((fill, quad))
            elif fill > found[twin][0]:
                found[twin] = (fill, quad)
    found.sort(key=lambda entry: -entry[0])
    return [quad for _, quad in found]


def _in_mask(mask: npt.NDArray[np.uint8]) -> Iterator[tuple[float, Quad]]:
    """Yield (fill, quadrilateral) of the patches of a mask that may be cards."""
    size = mask.shape[0] * mask.shape[1]
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    sized = [(cv2.contourArea(c), c) for c in contours if len(c) >= 4]
    fitting = [entry for entry in sized if LEAST_AREA * size * 0.6 <= entry[0] <= MOST_AREA * size]
    fitting.sort(key=lambda entry: -entry[0])
    for area, contour in fitting[:MOST_PATCHES]:
        hull = cv2.convexHull(contour)
        if area < 0.5 * cv2.contourArea(hull):
            continue
        yield from _quads(hull.reshape(-1, 2).astype(np.float64), area)


def _quads(hull: Quad, area: float) -> Iterator[tuple[float, Quad]]:
    """Yield the card-like quadrilaterals that four of a hull's longest sides make."""
    eps = 0.02 * float(np.sqrt(cv2.contourArea(hull.astype(np.float32))))
    polygon = cv2.approxPolyDP(hull.astype(np.float32), eps, True).reshape(-1, 2).astype(np.float64)
    if len(polygon) < 4:
        return
    sides = np.roll(polygon, -1, axis=0) - polygon
    lengths = np.linalg.norm(sides, axis=1)
    longest = np.sort(np.argsort(-lengths, kind="stable")[:MOST_SIDES])
    for four in combinations(longest.tolist(), 4):
        quad = _crossings(polygon[list(four)], sides[list(four)])
        if quad is None:
            continue
        whole = abs(cv2.contourArea(quad.astype(np.float32)))
        if not 0.55 * whole <= area <= 1.06 * whole or not _card_like(quad):
            continue
        yield area / whole, quad


def _crossings(points: Quad, directions: Quad) -> Quad | None:
    """Return where each line meets the next, or None when two neighbours are all but parallel."""
    quad = np.empty((4, 2))
    for i in range(4):
        (px, py), (dx, dy) = points[i - 1], directions[i - 1]
        (qx, qy), (ex, ey) = points[i], directions[i]
        cross = dx * ey - dy * ex
        if abs(cross) < 0.35 * np.hypot(dx, dy) * np.hypot(ex, ey):
            return None
        t = ((qx - px) * ey - (qy - py) * ex) / cross
        quad[i] = px + t * dx, py + t * dy
    return quad


def _card_like(quad: Quad) -> bool:
    """Whether a quadrilateral is convex, and has a card's proportions seen at a tilt."""
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    if sides.min() < 8:
        return False
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    aspect = max(first, second) / min(first, second)
    even = max(
        max(sides[0], sides[2]) / min(sides[0], sides[2]),
        max(sides[1], sides[3]) / min(sides[1], sides[3]),
    )
    return bool(LEAST_ASPECT <= aspect <= MOST_ASPECT and even < 1.5)


def _same(a: Quad, b: Quad) -> bool:
    reach = SAME_SHARE * float(np.linalg.norm(a[0] - a[2]))
    return any(
        float(np.linalg.norm(np.roll(b, turn, axis=0) - a, axis=1).max()) < reach
        for turn in range(4)
    )
