"""Where a key's hole is cut: the 11 keys differ in nothing else that is sure on every copy.

The holes lie in 4-3-4 cells. Turned by half a turn two rows nearly fall on each other, but a
keyhole has a round end; so place and shape together tell the key, its side and its way up. The
outline shows whatever lies beneath: the table's colour, or a paper's edge and shadow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from assistant.core.terms import Location
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Keyhole
from assistant.vision.ink import Grey
from assistant.vision.sighting import Side

#: Scale at which holes are looked for.
HOLE_PX_PER_MM = 6.0
#: Die and print are out of register by up to this much; steps in which it is tried.
REGISTER_MM = 1.5
REGISTER_STEP_MM = 0.25
#: Share of the outline that must show as clearly as the score says.
SHOWN_SHARE = 0.7
#: And of an outline that shows nearly whole.
WHOLE_SHARE = 0.8
#: Points on an outline, and directions of slope that are told apart (of half a turn).
POINTS = 120
DIRECTIONS = 16
#: Slopes (grey levels per px) that are no more than paper and noise.
NOISE = 0.8
#: A header's lower rim, from its end of the card (one line of name, or two), and by what share it
#: is darker than paper at least: fronts show 0.13 and more, backs up to 0.04.
HEADER_RIMS_MM = (15.6, 23.5)
LEAST_HEADER_STEP = 0.08
#: At its clearer margin a front shows 0.22 and more; of 107 backs two do, under a finger, others
#: up to 0.15.
LONE_HEADER_STEP = 0.18

_SHAPE = round(CARD_HEIGHT_MM * HOLE_PX_PER_MM), round(CARD_WIDTH_MM * HOLE_PX_PER_MM)
_REGISTER = np.arange(-REGISTER_MM, REGISTER_MM + 1e-6, REGISTER_STEP_MM)
#: Every offset (x, y) of die against print that is tried, (n, 2) mm.
_OFFSETS_MM = np.stack(np.meshgrid(_REGISTER, _REGISTER), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class HoleFound:
    """How clearly an outline shows, 0..1, and how far off its measured place.

    `whole`: how clearly nearly all of it shows there. A cut hole shows all round; print that
    happens to lie along an outline has gaps.
    """

    score: float
    off_mm: tuple[float, float]
    whole: float = 0.0


def outline_scores(
    straight: Grey, holes: Mapping[Location, Keyhole], side: Side
) -> dict[Location, HoleFound]:
    """Return for each key how clearly its hole shows on a card that lies the right way up.

    Args:
        straight: (408, 264) uint8, a card cut out at HOLE_PX_PER_MM.
        holes: the keyholes, as seen from the back.
        side: the side that is seen.
    """
    slopes = _slopes(straight)
    return {
        location: _clearest(slopes, hole if side is Side.BACK else mirrored(hole))
        for location, hole in holes.items()
    }


def header_end(straight: Grey) -> int:
    """Return where a card cut out at HOLE_PX_PER_MM has a front's header: 1 top, -1 bottom, 0 none.

    The header is a band of colour, darker than the paper, right across the card; its lower rim is
    a step at a known height, which neither lamp nor shadow makes at both margins at once.
    """
    steps = {end: min(_rim_steps(straight, end)) for end in (1, -1)}
    end = max(steps, key=lambda e: steps[e])
    return end if steps[end] > LEAST_HEADER_STEP else 0


def may_be_front(straight: Grey) -> bool:
    """Whether a card without a plain header may still be a front: one margin alone shows it.

    Glare or a finger hides it at the other. A card that is known by nothing but its keyhole is not
    taken for a back then: a front's keyhole lies where another back has its own.
    """
    return max(max(_rim_steps(straight, end)) for end in (1, -1)) > LONE_HEADER_STEP


def _rim_steps(straight: Grey, end: int) -> list[float]:
    """Return the step at a header's rim at each of the two margins, counted from an end."""
    # The brighter part of a margin's width: letters that reach into it are no header.
    return [
        _step_at_rim(np.percentile(cv2.blur(part, (1, 3)), 80, axis=1).astype(np.float32)[::end])
        for left, right in ((1.5, 4.0), (CARD_WIDTH_MM - 4.0, CARD_WIDTH_MM - 1.5))
        for part in (straight[:, slice(*_columns(left, right))],)
    ]


def _columns(left_mm: float, right_mm: float) -> tuple[int, int]:
    return round(left_mm * HOLE_PX_PER_MM), round(right_mm * HOLE_PX_PER_MM)


def _step_at_rim(margin: npt.NDArray[np.float32]) -> float:
    """Return by what share brightness rises at a header's lower rim, counted from its end."""
    near, far = round(0.7 * HOLE_PX_PER_MM), round(2.7 * HOLE_PX_PER_MM)
    level = np.median(sliding_window_view(margin, far - near), axis=1)
    best = 0.0
    for rim_mm in HEADER_RIMS_MM:
        rims = np.arange(round((rim_mm - 1) * HOLE_PX_PER_MM), round((rim_mm + 1) * HOLE_PX_PER_MM))
        steps = 1.0 - level[rims - far] / np.maximum(level[rims + near], 1.0)
        best = max(best, float(steps.max()))
    return best


def mirrored(hole: Keyhole) -> Keyhole:
    """Return a keyhole as seen from the key's other side."""
    return replace(hole, centre_x_mm=CARD_WIDTH_MM - hole.centre_x_mm)


@lru_cache(maxsize=64)
def _outline(hole: Keyhole) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return points on a hole's outline (mm) and their outward normals, (n, 2) each."""
    scale = 12.0
    shape = round(CARD_HEIGHT_MM * scale), round(CARD_WIDTH_MM * scale)
    mask = (hole.mask(0.0, 0.0, shape, scale) > 127).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = max(contours, key=len).reshape(-1, 2).astype(np.float64)
    ahead, behind = np.roll(points, -6, axis=0), np.roll(points, 6, axis=0)
    along = ahead - behind
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-9
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    step = max(1, len(points) // POINTS)
    return (points[::step] + 0.5) / scale, normals[::step]


@lru_cache(maxsize=64)
def _places(hole: Keyhole) -> npt.NDArray[np.intp]:
    """Return where each point of an outline falls at each offset: (offsets, points) indices.

    They go into the flat (DIRECTIONS, rows, columns) stack of slopes.
    """
    points, normals = _outline(hole)
    turn = np.arctan2(normals[:, 1], normals[:, 0]) * DIRECTIONS / np.pi
    direction = np.rint(turn).astype(np.intp) % DIRECTIONS
    rows, columns = _SHAPE
    at = (points[None] + _OFFSETS_MM[:, None]) * HOLE_PX_PER_MM
    x = np.rint(at[..., 0]).astype(np.intp).clip(0, columns - 1)
    y = np.rint(at[..., 1]).astype(np.intp).clip(0, rows - 1)
    return np.asarray((direction * rows + y) * columns + x, np.intp)


def _slopes(straight: Grey) -> npt.NDArray[np.float32]:
    """Return how steeply paper changes along each direction, as a share: flat, float32 0..1.

    Directions are DIRECTIONS parts of half a turn; of three pixels along it the steepest counts.
    """
    soft = cv2.GaussianBlur(straight, (0, 0), 1.2).astype(np.float32)
    dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    steep = cv2.magnitude(dx, dy) + NOISE
    dx, dy = dx / steep, dy / steep
    stack = np.empty((DIRECTIONS, *straight.shape), np.float32)
    for number in range(DIRECTIONS):
        angle = number * np.pi / DIRECTIONS
        cos, sin = float(np.cos(angle)), float(np.sin(angle))
        line = np.zeros((3, 3), np.uint8)
        for way in (-1, 0, 1):
            line[1 + round(way * sin), 1 + round(way * cos)] = 1
        stack[number] = cv2.dilate(np.abs(dx * cos + dy * sin), line)
    return stack.ravel()


def _clearest(slopes: npt.NDArray[np.float32], hole: Keyhole) -> HoleFound:
    along = slopes[_places(hole)]
    rank = int((1 - SHOWN_SHARE) * (along.shape[1] - 1))
    scores = np.partition(along, rank, axis=1)[:, rank]
    best = int(np.argmax(scores))
    off_x, off_y = _OFFSETS_MM[best].tolist()
    rank = int((1 - WHOLE_SHARE) * (along.shape[1] - 1))
    whole = float(np.partition(along[best], rank)[rank])
    return HoleFound(float(scores[best]), (off_x, off_y), whole)
