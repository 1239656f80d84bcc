"""The printed geometry of a location key, in mm on its back, and the map from mm to px.

A key is 44 x 68 mm. Points on its back are measured from the back's top left corner, x to the
right, y down. The front is the same card turned over its long axis, so a point of the back at x
lies at 44 - x on the front.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Location
from assistant.vision.sighting import Corners, Picture

CARD_WIDTH_MM = 44.0
CARD_HEIGHT_MM = 68.0

#: Projective map, (3, 3) float64: (x mm, y mm, 1) on the side seen -> (x px, y px, 1) up to scale.
Homography = npt.NDArray[np.float64]

CARD_CORNERS_MM: npt.NDArray[np.float64] = np.array(
    [[0.0, 0.0], [CARD_WIDTH_MM, 0.0], [CARD_WIDTH_MM, CARD_HEIGHT_MM], [0.0, CARD_HEIGHT_MM]]
)

#: Takes mm on a card held the other way up to mm on the card.
HALF_TURN: Homography = np.array(
    [[-1.0, 0.0, CARD_WIDTH_MM], [0.0, -1.0, CARD_HEIGHT_MM], [0.0, 0.0, 1.0]]
)


@dataclass(frozen=True, slots=True)
class Keyhole:
    """The hole cut through a key, in mm on the key's back: a circle on a widening stem."""

    centre_x_mm: float
    centre_y_mm: float
    radius_mm: float
    bottom_mm: float
    stem_width_top_mm: float
    stem_width_bottom_mm: float

    def mask(
        self, left_mm: float, top_mm: float, shape: tuple[int, int], px_per_mm: float
    ) -> npt.NDArray[np.uint8]:
        """Return the hole as a (rows, columns) uint8 mask, 255 inside, anti-aliased at the edge.

        The mask's top left pixel lies at (left_mm, top_mm) on the key's back.
        """
        fine = 4
        canvas = np.zeros((shape[0] * fine, shape[1] * fine), np.uint8)
        scale = px_per_mm * fine

        def px(x_mm: float, y_mm: float) -> tuple[int, int]:
            return round((x_mm - left_mm) * scale), round((y_mm - top_mm) * scale)

        cv2.circle(
            canvas, px(self.centre_x_mm, self.centre_y_mm), round(self.radius_mm * scale), 255, -1
        )
        top, bottom = self.stem_width_top_mm / 2, self.stem_width_bottom_mm / 2
        stem = [
            px(self.centre_x_mm - top, self.centre_y_mm),
            px(self.centre_x_mm + top, self.centre_y_mm),
            px(self.centre_x_mm + bottom, self.bottom_mm),
            px(self.centre_x_mm - bottom, self.bottom_mm),
        ]
        cv2.fillPoly(canvas, [np.array(stem, np.int32)], 255)
        return cv2.resize(canvas, shape[::-1], interpolation=cv2.INTER_AREA).astype(np.uint8)


def keyholes_from_facts(facts: Mapping[str, Any]) -> dict[Location, Keyhole]:
    """Return each key's hole from the measured facts (the layout of assistant/data/keys.json)."""
    holes = {}
    for name, key in facts["keys"].items():
        hole = key["keyhole"]
        x_mm, y_mm = hole["circle_centre_mm"]
        holes[Location(name)] = Keyhole(
            centre_x_mm=x_mm,
            centre_y_mm=y_mm,
            radius_mm=hole["circle_radius_mm"],
            bottom_mm=hole["bbox_mm"][3],
            stem_width_top_mm=hole["stem_width_top_mm"],
            stem_width_bottom_mm=hole["stem_width_bottom_mm"],
        )
    return holes


def card_to_picture(corners: Corners | npt.ArrayLike) -> Homography:
    """Return the map from mm on the side seen to px, from its four corners in px.

    The corners go clockwise from the printed top left. A card in a picture is never mirrored.
    """
    target = np.asarray(corners, np.float32).reshape(4, 2)
    found = cv2.getPerspectiveTransform(CARD_CORNERS_MM.astype(np.float32), target)
    return np.asarray(found, np.float64)


def portrait(quad: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return an outline, (4, 2) px clockwise, from a corner at which a short side begins."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return np.roll(quad, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else quad


def corners_in_picture(homography: Homography) -> Corners:
    """Return the card's four corners in px, clockwise from the printed top left."""
    (a, b, c, d) = project(homography, CARD_CORNERS_MM).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def project(homography: Homography, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return (n, 2) points mapped by a homography."""
    lifted = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:3], np.float64)


def rectify(
    picture: Picture,
    homography: Homography,
    left_top_mm: tuple[float, float],
    size_mm: tuple[float, float],
    px_per_mm: float,
) -> Picture:
    """Return a piece of the card, seen straight on, at px_per_mm; outside the picture is black.

    `left_top_mm` and `size_mm` are (x, y) and (width, height) on the side seen.
    """
    width, height = (max(1, round(side * px_per_mm)) for side in size_mm)
    to_mm = np.array(
        [[1 / px_per_mm, 0, left_top_mm[0]], [0, 1 / px_per_mm, left_top_mm[1]], [0, 0, 1]]
    )
    # Pixel centres, not corners, are what warpPerspective maps.
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    back = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    full = back @ homography @ to_mm @ half
    seen = cv2.warpPerspective(
        picture, full, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    return np.asarray(seen, np.uint8)
