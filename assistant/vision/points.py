"""Points of a picture that stand out, and what is around them in numbers: SIFT.

They are found again whatever the turn, the size and the light, on the board (board_finder.py) and
on the words of a key (held.py).
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

#: How faint a point may be (SIFT's own scale), and the numbers that describe one.
FAINTEST, DESCRIPTOR = 0.02, 128

Points = npt.NDArray[np.float64]
Descriptors = npt.NDArray[np.uint8]


def described(
    grey: cv2.typing.MatLike, most: int, mask: cv2.typing.MatLike | None = None
) -> tuple[Points, Descriptors]:
    """Return the points that stand out most, (n, 2) x and y px, and their descriptors (n, 128).

    `grey` and `mask`: (rows, columns) uint8; the mask is 0 where no point is wanted.
    """
    sift = cv2.SIFT_create(most, contrastThreshold=FAINTEST)  # type: ignore[attr-defined]
    found, descriptors = sift.detectAndCompute(grey, mask)
    if descriptors is None or not found:
        return np.zeros((0, 2), np.float64), np.zeros((0, DESCRIPTOR), np.uint8)
    # SIFT's numbers are whole and within 255, told as floats.
    return np.array([point.pt for point in found], np.float64), descriptors.astype(np.uint8)
