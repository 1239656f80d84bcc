"""What a picture of the virtual table shows, for tests and figures to trust."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from assistant.core.terms import Content, Location
from assistant.vision.sighting import Corners, Picture, Side


class Showing(Enum):
    """What a still shows: one of four contents, or something that must give no reading."""

    ICON = "icon"
    NUMBER = "number"
    LADY = "lady"
    BLANK = "blank"
    NEGATIVE = "negative"


class Negative(Enum):
    """A picture that must give no reading."""

    TABLE = "table"
    KEY_ALONE = "key-alone"
    KEY_FRONT = "key-front"
    HOLE_COVERED = "hole-covered"
    OUT_OF_LINE = "out-of-line"
    FOG = "fog"
    STEALTH_BACK = "stealth-back"
    STEALTH_FACE = "stealth-face"
    YOUTH_CARD = "youth-card"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Truth:
    """What a picture shows.

    `content` is set when a stack can be read, `negative` when nothing may be. `location` and
    `side` are set when a key is in view, `corners` when any card is the picture's subject. `below`:
    what the lower card of a negative has at this key, though it is covered or out of line.
    """

    showing: Showing
    location: Location | None = None
    side: Side | None = None
    content: Content | None = None
    corners: Corners | None = None
    negative: Negative | None = None
    below: Content | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture and the truth about it."""

    picture_bgr: Picture
    truth: Truth
