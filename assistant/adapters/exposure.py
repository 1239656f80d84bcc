"""When a camera's first frames can be used: the exposure takes a while to hold."""

from __future__ import annotations

from collections import deque

import numpy as np

from assistant.vision.sighting import Picture

#: After so long the frames are used as they are: the room may be dark.
SETTLE_S = 2.0

#: A step in brightness between two frames, of 255, that counts as the exposure still moving.
SETTLED_STEP = 4.0

#: Below this mean brightness, of 255, the first frames may be those of a sensor that still sleeps.
DARK_LEVEL = 40.0


class Exposure:
    """Tells when a camera's first frames have stopped getting brighter or darker."""

    def __init__(self, began_s: float) -> None:
        self._began_s = began_s
        self._levels: deque[float] = deque(maxlen=4)
        self._over = False

    def is_over(self, picture: Picture, now_s: float) -> bool:
        """Return whether this frame and those after it can be used."""
        if self._over:
            return True
        self._levels.append(float(np.mean(picture[::16, ::16])))
        steady = (
            len(self._levels) == self._levels.maxlen
            and max(self._levels) - min(self._levels) < SETTLED_STEP
            and self._levels[-1] > DARK_LEVEL
        )
        self._over = steady or now_s - self._began_s > SETTLE_S
        return self._over
