"""One picture in the sizes that reading needs, each made once and only when asked for."""

from __future__ import annotations

import math

import cv2
import numpy as np

from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Homography
from assistant.vision.ink import Grey, grey_of
from assistant.vision.sighting import Picture

#: How often a picture is halved at most.
MOST_HALVINGS = 3


class Scene:
    """A picture with its grey pyramid: level n is 2**-n of the picture's size.

    Points are continuous: the centre of the first pixel lies at (0.5, 0.5), so that a point of the
    picture divided by 2**n is the same point on level n.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self._levels: list[Grey] = [grey_of(picture)]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        height, width = self._levels[0].shape
        return width, height

    def grey(self, halvings: int) -> Grey:
        """Return the grey picture, halved so many times."""
        while len(self._levels) <= halvings:
            last = self._levels[-1]
            size = max(1, last.shape[1] // 2), max(1, last.shape[0] // 2)
            even = last[: size[1] * 2, : size[0] * 2]
            self._levels.append(
                np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._levels[halvings]

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
        shrink = 0.5**halvings
        to_level = np.diag([shrink, shrink, 1.0]) @ homography
        step = 1.0 / px_per_mm
        to_mm = np.array([[step, 0, step / 2], [0, step, step / 2], [0, 0, 1]])
        centre = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
        size = round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm)
        seen = cv2.warpPerspective(
            self.grey(halvings),
            centre @ to_level @ to_mm,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(seen, np.uint8)


def scale_of(
    homography: Homography, at_mm: tuple[float, float] = (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
) -> float:
    """Return the scale in px per mm at a point (the root of the area's scale)."""
    # The area's scale of a projective map at a point is det / w**3.
    (a, b, c), (d, e, f), (g, h, i) = homography.tolist()
    w = g * at_mm[0] + h * at_mm[1] + i
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return math.sqrt(abs(det / w**3)) if w else 0.0
