"""Whether nothing moved since the last picture: asked of every frame before anything that costs."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.sighting import Picture

#: Thumbnails that differ nowhere by more grey levels than this show that nothing moved; a sensor's
#: noise comes to 3 or 4 in a patch of 16 px, a finger that enters to 20 and more.
STILL_LEVELS = 6


class Stillness:
    """Compares each picture with the last one that was new. One thread at a time may use it."""

    def __init__(self) -> None:
        """Take the first picture for new."""
        self._thumbnail: npt.NDArray[np.int16] | None = None

    def holds(self, picture: Picture) -> bool:
        """Return whether a picture shows what the last new one showed; else it is the new one."""
        now, last = _thumbnail(picture), self._thumbnail
        # Slow drifts add up: what pictures are compared with stays the last new one.
        if last is not None and last.shape == now.shape and _apart(now, last) <= STILL_LEVELS:
            return True
        self._thumbnail = now
        return False


def _apart(now: npt.NDArray[np.int16], last: npt.NDArray[np.int16]) -> int:
    return int(np.abs(now - last).max())


def _thumbnail(picture: Picture) -> npt.NDArray[np.int16]:
    """Return a picture's rows at every 16th, averaged along them: a cheap trace of its content."""
    rows = picture[min(8, len(picture) - 1) :: 16]
    size = max(1, rows.shape[1] // 16), rows.shape[0]
    small = cv2.resize(np.ascontiguousarray(rows), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.int16)
