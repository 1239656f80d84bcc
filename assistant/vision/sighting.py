"""What one frame claims: which key, what is in its hole, how sure, or why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from assistant.core.terms import Content, Location

#: A picture as a camera gives it: (height, width, 3), uint8, blue-green-red.
Picture = npt.NDArray[np.uint8]

#: Four (x, y) points in px, clockwise from the printed top left of the side seen.
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


class Side(Enum):
    """The side of a location key that faces the camera."""

    BACK = "back"
    FRONT = "front"


class Reason(Enum):
    """Why a frame gives no content; the values are the command line's words."""

    NO_KEY = "no-key"
    WHICH_KEY = "which-key"
    OTHER_SIDE = "other-side"
    PARTLY_OUTSIDE = "partly-outside"
    COVERED = "covered"
    NO_CARD = "no-card"
    OUT_OF_LINE = "out-of-line"
    BLURRED = "blurred"
    SMALL = "small"
    DARK = "dark"
    GLARE = "glare"
    UNLIKE = "unlike"
    UNSURE = "unsure"
    UNREADABLE_FILE = "unreadable-file"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One frame's claim about the stack in view.

    Exactly one of `content` and `reason` is set. `confidence` belongs to `content`. `location`,
    `side` and `corners` are set together: a location key is in the picture and known.
    `others` counts further keys in view.
    """

    location: Location | None = None
    side: Side | None = None
    corners: Corners | None = None
    content: Content | None = None
    confidence: float | None = None
    reason: Reason | None = None
    others: int = 0

    def __post_init__(self) -> None:
        """Refuse a sighting that claims and denies at once."""
        if (self.content is None) == (self.reason is None):
            raise ValueError(f"a sighting has a content or a reason, one of them: {self!r}")
        if (self.content is None) != (self.confidence is None):
            raise ValueError(f"confidence goes with content: {self!r}")
        if len({self.location is None, self.side is None, self.corners is None}) != 1:
            raise ValueError(f"location, side and corners go together: {self!r}")
        if self.content is not None and self.side is not Side.BACK:
            raise ValueError(f"content is read through a key's back only: {self!r}")

    @property
    def found(self) -> bool:
        """Whether a location key is in the picture and known."""
        return self.location is not None
