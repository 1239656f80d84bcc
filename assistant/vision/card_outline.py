"""Finding cards by their outline: pale four-sided patches, also with fingers on a corner.

Paper is pale in every channel, skin, wood and cloth are not; so the darkest of a pixel's three
channels sets paper apart where its grey would not. That picture is cut at several levels (no one
level suits a table with a lamp at one side). Of each patch of a card's size the hull is taken, and
from its longest sides every four that make a card-like quadrilateral: a corner hidden by a finger
or lying outside the picture costs its own short sides of the hull only.

The work is bounded: LEVELS cuts, at most MOST_PATCHES patches of each, MOST_SIDES sides of a hull.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.ink import Grey
from assistant.vision.sighting import Picture

#: Width of the picture that is searched.
SEARCH_WIDTH_PX = 320
#: Cuts, in even steps between the levels below which so much of the picture lies, %.
LEVELS, EXTREMES = 9, (2.0, 99.5)
#: A picture between whose extremes there is less holds no pale card on a darker table, grey levels.
LEAST_CONTRAST = 12
#: A patch fills so much of its hull; a hull so much of its quadrilateral, whose corners are round.
FILLS_HULL, FILLS_QUAD = 0.5, (0.55, 1.06)
#: Two sides meet in a corner when they are not nearly in line: sine of the angle between them.
LEAST_TURN = 0.35
MOST_PATCHES = 12
MOST_SIDES = 6
#: Every four of so many sides, in their order.
_FOURS = {
    sides: np.array(list(combinations(range(sides), 4))) for sides in range(4, MOST_SIDES + 1)
}
#: The corners counted from each of the four.
_TURNS = np.array([[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]])
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


def paleness_at_width(picture: Picture) -> tuple[Grey, float]:
    """Return a picture's paleness at the width that is searched, and how much larger it is."""
    small, (grown, _) = _shrunk(picture)
    return darkest_channel(small), grown


def _shrunk(picture: Picture) -> tuple[Picture, tuple[float, float]]:
    """Return a picture at about SEARCH_WIDTH_PX, and how much wider and higher it is than that."""
    shrink = max(1, round(picture.shape[1] / SEARCH_WIDTH_PX))
    size = max(1, picture.shape[1] // shrink), max(1, picture.shape[0] // shrink)
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, (picture.shape[1] / size[0], picture.shape[0] / size[1])


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


def outlines_in(
    picture: Picture, measures: Iterable[Callable[[Picture], Grey]], most: int
) -> Iterator[Quad]:
    """Yield a picture's card-like quadrilaterals, (4, 2) float64 px each, clockwise.

    Args:
        picture: (rows, columns, 3) uint8, of any size; it is searched at SEARCH_WIDTH_PX.
        measures: what sets cards apart from the table (`darkest_channel`, `unlikeness`), one after
            the other; the next is worked out only when it is asked for.
        most: so many of each measure, the best filled first.
    """
    small, grown = _shrunk(picture)
    for measure in measures:
        for rough in find_outlines(measure(small))[:most]:
            yield rough * grown


def find_outlines(paleness: Grey) -> list[Quad]:
    """Return card-like quadrilaterals, (4, 2) float64 px each, clockwise, the best filled first.

    Args:
        paleness: (rows, columns) uint8, high where paper is; a picture of some 320 x 180.
    """
    smooth = cv2.medianBlur(paleness, 3)
    low, high = np.percentile(smooth[::2, ::2], EXTREMES).tolist()
    if high - low < LEAST_CONTRAST:
        return []
    patches: list[tuple[float, Quad]] = []
    for step in range(1, LEVELS + 1):
        cut = low + (high - low) * step / (LEVELS + 1)
        patches += _patches((smooth > cut).astype(np.uint8))
    fills, quads = _quads(patches)
    left = quads[np.argsort(-fills, kind="stable")]
    best = []
    while len(left):
        best.append(left[0])
        left = left[1:][~_same(left[0], left[1:])]
    return best


def _patches(mask: npt.NDArray[np.uint8]) -> Iterator[tuple[float, Quad]]:
    """Yield (area, hull (n, 2)) of the patches of a mask that may be cards."""
    size = mask.shape[0] * mask.shape[1]
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    sized = [(cv2.contourArea(c), c) for c in contours if len(c) >= 4]
    fitting = [entry for entry in sized if LEAST_AREA * size * 0.6 <= entry[0] <= MOST_AREA * size]
    fitting.sort(key=lambda entry: -entry[0])
    for area, contour in fitting[:MOST_PATCHES]:
        hull = cv2.convexHull(contour)
        if area >= FILLS_HULL * cv2.contourArea(hull):
            yield area, hull.reshape(-1, 2).astype(np.float64)


def _quads(patches: Iterable[tuple[float, Quad]]) -> tuple[npt.NDArray[np.float64], Quad]:
    """Return the card-like quadrilaterals that four of a patch's longest sides make.

    All patches at once, as each of so many small steps costs more than what it works out: how far
    each quadrilateral is filled (n,), and its corners (n, 4, 2).
    """
    fours = [(area, *_fours(hull)) for area, hull in patches]
    if not fours:
        return np.empty(0), np.empty((0, 4, 2))
    areas = np.repeat([area for area, _, _ in fours], [len(points) for _, points, _ in fours])
    quads, meets = _crossings(
        np.concatenate([points for _, points, _ in fours]),
        np.concatenate([directions for _, _, directions in fours]),
    )
    wholes = _areas(quads)
    least, most = FILLS_QUAD
    fits = meets & (least * wholes <= areas) & (areas <= most * wholes)
    fits[fits] = _card_like(quads[fits])
    return areas[fits] / wholes[fits], quads[fits]


def _fours(hull: Quad) -> tuple[Quad, Quad]:
    """Return every four of a hull's longest sides: a point of each, and its way, (n, 4, 2)."""
    eps = 0.02 * float(np.sqrt(cv2.contourArea(hull.astype(np.float32))))
    polygon = cv2.approxPolyDP(hull.astype(np.float32), eps, True).reshape(-1, 2).astype(np.float64)
    if len(polygon) < 4:
        return np.empty((0, 4, 2)), np.empty((0, 4, 2))
    sides = np.append(polygon[1:], polygon[:1], axis=0) - polygon
    lengths = np.linalg.norm(sides, axis=1)
    longest = np.sort(np.argsort(-lengths, kind="stable")[:MOST_SIDES])
    fours = longest[_FOURS[len(longest)]]
    return polygon[fours], sides[fours]


def _crossings(points: Quad, directions: Quad) -> tuple[Quad, npt.NDArray[np.bool_]]:
    """Return where each of four lines meets the one before, and of which fours all do.

    Args:
        points: (n, 4, 2), a point of each line.
        directions: (n, 4, 2).
    """
    before, way = points[:, _TURNS[3]], directions[:, _TURNS[3]]
    cross = _cross(way, directions)
    long = np.hypot(way[..., 0], way[..., 1]) * np.hypot(directions[..., 0], directions[..., 1])
    # Two neighbours that are all but parallel meet anywhere.
    meets = (np.abs(cross) >= LEAST_TURN * long).all(axis=1)
    cross = np.where(cross == 0, 1.0, cross)
    along = _cross(points - before, directions) / cross
    return np.asarray(before + along[..., None] * way, np.float64), np.asarray(meets)


def _cross(a: Quad, b: Quad) -> Quad:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], np.float64)


def _areas(quads: Quad) -> Quad:
    """Return the areas of quadrilaterals (n, 4, 2): half the cross product of their diagonals."""
    return np.abs(_cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])) / 2


def _card_like(quads: Quad) -> npt.NDArray[np.bool_]:
    """Return which quadrilaterals (n, 4, 2) are convex, with a card's proportions at a tilt."""
    sides = quads[:, _TURNS[1]] - quads
    turns = _cross(sides, sides[:, _TURNS[1]])
    convex = (turns > 0).all(axis=1) | (turns < 0).all(axis=1)
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    opposite = np.stack([lengths[:, :2], lengths[:, 2:]])
    least = np.maximum(opposite.min(axis=0), 1e-9)
    even = (opposite.max(axis=0) < 1.5 * least).all(axis=1)
    both = opposite.mean(axis=0)
    aspect = both.max(axis=1) / np.maximum(both.min(axis=1), 1e-9)
    sized = (lengths.min(axis=1) >= 8) & (aspect >= LEAST_ASPECT) & (aspect <= MOST_ASPECT)
    return np.asarray(convex & even & sized)


def _same(quad: Quad, others: Quad) -> npt.NDArray[np.bool_]:
    """Return which of others (n, 4, 2) are a quadrilateral seen again, from whatever corner on."""
    reach = SAME_SHARE * float(np.linalg.norm(quad[0] - quad[2]))
    apart = others[:, None] - quad[_TURNS]
    return np.asarray((np.hypot(apart[..., 0], apart[..., 1]) < reach).all(axis=2).any(axis=1))
