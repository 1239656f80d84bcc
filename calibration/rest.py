"""Telling when what the camera sees lies still."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.ink import grey_of
from assistant.vision.sighting import Picture

#: A picture is compared in patches; a sensor's noise moves a patch's mean by 1 or 2 grey levels, a
#: card that is pushed by a millimetre moves some patch at its rim by 15 and more.
PATCHES = (80, 45)
STILL_LEVELS = 8.0

Patches = npt.NDArray[np.float32]


class RestWatch:
    """Takes frames in order; tells for how long nothing has moved."""

    def __init__(self) -> None:
        self._anchor: Patches | None = None
        self._since_s = 0.0

    def still_for_s(self, picture: Picture, time_s: float) -> float:
        """Take the next frame; return for how many seconds all has lain as it lies now."""
        small = cv2.resize(grey_of(picture), PATCHES, interpolation=cv2.INTER_AREA)
        now = np.asarray(small, np.float32)
        # A lamp that dims or an exposure that settles changes all patches alike: no motion.
        if self._anchor is not None:
            off = now - self._anchor
            if float(np.abs(off - np.median(off)).max()) <= STILL_LEVELS:
                return time_s - self._since_s
        self._anchor, self._since_s = now, time_s
        return 0.0
