"""One picture in the sizes that reading needs, each made once and only when asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import (
    CARD_CORNERS_MM,
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    project,
)
from assistant.vision.ink import Grey, grey_of
from assistant.vision.sighting import Picture

#: How often a picture is halved at most.
MOST_HALVINGS = 3
#: Room about cards that are followed, as a share of the box that holds them.
AROUND_SHARE = 0.15


class Scene:
    """A picture with its grey pyramid: level n is 2**-n of the picture's size.

    Points are continuous: the centre of the first pixel lies at (0.5, 0.5), so that a point of the
    picture divided by 2**n is the same point on level n.

    `around`: only what lies about these cards (maps from mm to px) is made grey, which for one that
    is followed is a fraction of the work.
    """

    def __init__(self, picture: Picture, around: Sequence[Homography] = ()) -> None:
        self.picture = picture
        left, top, right, bottom = _box(picture, around)
        self._origin = left, top
        self._part = picture[top:bottom, left:right]
        self._half: Picture | None = None
        self._grey: dict[int, Grey] = {}

    def grey(self, halvings: int) -> Grey:
        """Return the grey picture (of a scene around some cards, that part), halved so often."""
        if halvings not in self._grey:
            if halvings <= 1:
                self._grey[halvings] = grey_of(self._coloured(halvings))
            else:
                self._grey[halvings] = _halved(self.grey(halvings - 1))
        return self._grey[halvings]

    def red(self, halvings: int) -> Grey:
        """Return what of the picture (or that part) is red, halved once or not at all."""
        coloured = self._coloured(halvings)
        return coloured if coloured.ndim == 2 else np.asarray(cv2.extractChannel(coloured, 2))

    def _coloured(self, halvings: int) -> Picture:
        """Return the picture in its colours; to halve these costs less than to turn all grey."""
        if not halvings:
            return self._part
        if self._half is None:
            self._half = _halved(self._part)
        return self._half

    def straightened(
        self,
        homography: Homography,
        px_per_mm: float,
        size_mm: tuple[float, float] = (CARD_WIDTH_MM, CARD_HEIGHT_MM),
    ) -> Grey:
        """Return the card under a homography (mm to px), straight on, grey, at px_per_mm.

        `size_mm` is (width, height) from the origin of mm. Outside the picture the nearest pixel
        is repeated: black there would look like ink.
        """
        halvings = 0
        scale = scale_of(homography, (size_mm[0] / 2, size_mm[1] / 2))
        while halvings < MOST_HALVINGS and scale / 2 ** (halvings + 1) >= px_per_mm:
            halvings += 1
        seen = cv2.warpPerspective(
            self.grey(halvings),
            _between_pixels(homography, self._origin, 1.0 / px_per_mm, 0.5**halvings),
            (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm)),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(seen, np.uint8)


def _halved(picture: Picture) -> Picture:
    size = max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2)
    even = picture[: size[1] * 2, : size[0] * 2]
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)


def _box(picture: Picture, around: Sequence[Homography]) -> tuple[int, int, int, int]:
    """Return the part of a picture about some cards: left, top, right, bottom px."""
    height, width = picture.shape[:2]
    if not around:
        return 0, 0, width, height
    corners = np.concatenate([project(card, CARD_CORNERS_MM) for card in around])
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = AROUND_SHARE * float((high - low).max())
    # The origin is a pixel of every level.
    grain = 2**MOST_HALVINGS
    left, top = (max(0, int((at - room) // grain) * grain) for at in low.tolist())
    right, bottom = (math.ceil(at + room) for at in high.tolist())
    if left >= min(right, width) - grain or top >= min(bottom, height) - grain:
        return 0, 0, width, height
    return left, top, min(right, width), min(bottom, height)


def _between_pixels(
    homography: Homography, origin_px: tuple[int, int], step_mm: float, shrink: float
) -> Homography:
    """Return a map from mm to px as one between indices of pixels, whose centres lie at halves.

    Of the straightened picture a pixel is `step_mm` wide; the other begins at `origin_px` and is
    shrunk by `shrink`.
    """
    # Shifts and scales before it and after it, written out: matrix products of this size cost
    # more than the warp of a card.
    (a, b, c), (d, e, f), (g, h, i) = homography.tolist()
    x, y = origin_px
    a, b, c = a - x * g, b - x * h, c - x * i
    d, e, f = d - y * g, e - y * h, f - y * i
    half = step_mm / 2
    g, h, i = g * step_mm, h * step_mm, g * half + h * half + i
    return np.array(
        [
            [
                a * step_mm * shrink - g / 2,
                b * step_mm * shrink - h / 2,
                ((a + b) * half + c) * shrink - i / 2,
            ],
            [
                d * step_mm * shrink - g / 2,
                e * step_mm * shrink - h / 2,
                ((d + e) * half + f) * shrink - i / 2,
            ],
            [g, h, i],
        ]
    )


def sampled(
    picture: Grey | npt.NDArray[np.float32],
    points: npt.NDArray[np.float64],
    linear: npt.NDArray[np.float64],
    origins_px: npt.NDArray[np.float64],
) -> npt.NDArray[np.float32]:
    """Return the picture at the same points (m, 2) of n frames, (n, m); one call for all of them.

    Args:
        picture: (rows, columns) uint8 or float32; its first pixel's centre is (0, 0) here.
        points: (m, 2), (x, y) in the frames' own unit.
        linear: (n, 2, 2), from that unit to px.
        origins_px: (n, 2), where the frames' origins lie.
    """
    # (2, n, m): the x and the y of every point.
    at = linear.transpose(1, 0, 2) @ points.T + origins_px.T[:, :, None]
    x, y = at.astype(np.float32)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def scale_of(
    homography: Homography, at_mm: tuple[float, float] = (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
) -> float:
    """Return the scale in px per mm at a point (the root of the area's scale)."""
    # The area's scale of a projective map at a point is det / w**3.
    (a, b, c), (d, e, f), (g, h, i) = homography.tolist()
    w = g * at_mm[0] + h * at_mm[1] + i
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return math.sqrt(abs(det / w**3)) if w else 0.0
