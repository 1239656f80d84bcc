"""Ink: how much darker than the paper around it a point is, whatever the lamp.

Everything that Bystander compares (a key's text, an ornament, an icon in a hole) is dark print on
pale paper. Dividing by the paper's own brightness nearby takes lamp, shadow and exposure out, so
that one picture learnt in daylight serves in the evening. A closing (dilate, then erode) with a
window wider than any stroke paints the print over with its paper; what is lost by it is the ink.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

#: 2-D float32, 0 = bare paper, 1 = black.
Ink = npt.NDArray[np.float32]
Grey = npt.NDArray[np.uint8]

#: Wider than the widest stroke printed on a key (the ornament's, about 3 mm).
PAPER_WINDOW_MM = 5.0


def ink_of(grey: Grey, px_per_mm: float) -> Ink:
    """Return the ink of a rectified grey picture, of the same shape.

    Args:
        grey: (rows, columns) uint8, seen straight on.
        px_per_mm: its scale; sets how wide a stroke may be.
    """
    size = round(PAPER_WINDOW_MM * px_per_mm) | 1
    window = cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))
    paper = cv2.blur(cv2.morphologyEx(grey, cv2.MORPH_CLOSE, window), (size, size))
    # In place: this is asked for some hundred times a second.
    ink = np.asarray(grey / np.maximum(paper, 1, dtype=np.float32), np.float32)
    np.subtract(1.0, ink, out=ink)
    return np.maximum(ink, 0.0, out=ink)


def grey_of(picture: npt.NDArray[np.uint8]) -> Grey:
    """Return a (rows, columns) uint8 grey picture of a blue-green-red or grey one."""
    if picture.ndim == 2:
        return picture
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
