"""What is wrong with how a card is seen: light, sharpness, distance, glare. In words.

Each condition is measured on the card itself, cut out straight; a card that is seen badly is not
learnt from, for a profile is only as good as the pictures it was made of.
"""

from __future__ import annotations

from enum import Enum

import cv2
import numpy as np

from assistant.vision.geometry import (
    CARD_CORNERS_MM,
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    project,
    rectify,
)
from assistant.vision.ink import Grey, grey_of
from assistant.vision.scene import scale_of
from assistant.vision.sighting import Picture

#: Paper (the brightest fifth of a card) darker than this is lit too poorly; a picture whose
#: brightest tenth is darker shows nothing at all.
DARK_PAPER = 70.0
DARK_PICTURE = 45.0
#: Share of a card that is blown out in all channels from which glare may hide print.
GLARE_SHARE = 0.12
BLOWN_LEVEL = 252
#: Scale below which print is too small to be learnt, px per mm.
LEAST_PX_PER_MM = 3.6
#: The step from paper to print may be so wide. On the practice deck and on both editions sharp
#: pictures show 0.38 to 0.58 mm, the same under a Gaussian of 0.3 mm 0.80 to 0.97.
WIDEST_STEP_MM = 0.78


class Condition(Enum):
    """Something that keeps a card from being learnt, or learnt well; the value is a word for it."""

    DARK = "dark"
    GLARE = "glare"
    BLURRED = "blurred"
    FAR = "far"
    OUTSIDE = "outside"

    @property
    def words(self) -> str:
        """What to tell the player, with what to do."""
        return _WORDS[self]


_WORDS = {
    Condition.DARK: "Too dark: turn a lamp on, or move it nearer.",
    Condition.GLARE: "The lamp glares on the card: move the lamp or tilt the camera.",
    Condition.BLURRED: "Blurred: hold still, or let the camera focus (not nearer than 20 cm).",
    Condition.FAR: "Too far away: bring camera and card closer together.",
    Condition.OUTSIDE: "The card reaches out of the picture: lay it in the middle.",
}

#: With these the card is not learnt from; the others are only told.
HINDERING = frozenset({Condition.DARK, Condition.BLURRED, Condition.FAR, Condition.OUTSIDE})


def conditions_of(picture: Picture, card: Homography | None) -> frozenset[Condition]:
    """Return what is wrong with how a card is seen; without a card only whether it is dark."""
    if card is None:
        bright = float(np.percentile(grey_of(picture)[::4, ::4], 90))
        return frozenset({Condition.DARK} if bright < DARK_PICTURE else ())
    found = set()
    px_per_mm = scale_of(card)
    size = CARD_WIDTH_MM, CARD_HEIGHT_MM
    straight = rectify(picture, card, (0.0, 0.0), size, min(px_per_mm, 8.0))
    grey = grey_of(straight)
    if float(np.percentile(grey, 80)) < DARK_PAPER:
        found.add(Condition.DARK)
    if float((straight.min(axis=2) >= BLOWN_LEVEL).mean()) > GLARE_SHARE:
        found.add(Condition.GLARE)
    if px_per_mm < LEAST_PX_PER_MM:
        found.add(Condition.FAR)
    elif step_width_mm(grey, min(px_per_mm, 8.0)) > WIDEST_STEP_MM:
        found.add(Condition.BLURRED)
    height, width = picture.shape[:2]
    corners = project(card, CARD_CORNERS_MM)
    if (corners < 1).any() or (corners > (width - 1, height - 1)).any():
        found.add(Condition.OUTSIDE)
    return frozenset(found)


def step_width_mm(straight: Grey, px_per_mm: float) -> float:
    """Return how wide, in mm, the clearest steps from paper to print are.

    Infinite where nothing is printed to be seen: on a card that a lamp has blown out, on blank ink.

    Args:
        straight: (rows, columns) uint8, the card straight on.
        px_per_mm: its scale.
    """
    rim = round(3 * px_per_mm)
    inner = straight[rim:-rim, rim:-rim].astype(np.float32)
    window = np.ones((round(3 * px_per_mm),) * 2, np.uint8)
    height = cv2.dilate(inner, window) - cv2.erode(inner, window)
    dx = cv2.Sobel(inner, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    dy = cv2.Sobel(inner, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    slope = cv2.magnitude(dx, dy)
    clear = height > 0.7 * float(np.percentile(height, 95))
    if not clear.any():
        return float("inf")
    steepest = np.percentile((slope / np.maximum(height, 1.0))[clear], 95)
    return float(1.0 / max(float(steepest), 1e-3) / px_per_mm)
