"""What was seen of the keys in a picture, told as one sighting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from assistant.core.terms import Content, Location
from assistant.vision.geometry import Homography, corners_in_picture
from assistant.vision.scene import Scene
from assistant.vision.sighting import Reason, Side, Sighting

#: A picture darker than this all over (its brightest tenth) shows nothing.
DARK_LEVEL = 35.0

#: Frames on end that must claim the same, each read in its own right, before one stands for more: a
#: single misread frame must not count for several.
SURE_READS = 4


class Key(Protocol):
    """A key that lies in a picture; `location` None: whose it is cannot be told."""

    @property
    def location(self) -> Location | None:
        """Its location."""

    @property
    def side(self) -> Side:
        """The side that faces the camera."""

    @property
    def homography(self) -> Homography:
        """The map from mm on that side to px."""


K = TypeVar("K", bound=Key)


@dataclass(frozen=True, slots=True)
class Seen(Generic[K]):
    """What was read of one key in one picture: content and confidence, or why not."""

    key: K
    content: Content | None = None
    confidence: float | None = None
    reason: Reason | None = None

    def is_like(self, other: Seen[K]) -> bool:
        """Whether it says the same of the hole."""
        return (self.content, self.reason) == (other.content, other.reason)


def told(scene: Scene, seen: Sequence[Seen[K]], unnamed: bool = False) -> Sighting:
    """Return what was seen as one claim, about the first of the keys seen.

    Args:
        scene: the picture.
        seen: what was read of each key, the one to tell first.
        unnamed: a key's back shows that is none of those known.
    """
    if not seen:
        if unnamed:
            return Sighting(reason=Reason.WHICH_KEY)
        return Sighting(reason=Reason.DARK if _is_dark(scene) else Reason.NO_KEY)
    first = seen[0]
    is_known = first.key.location is not None
    return Sighting(
        location=first.key.location,
        side=first.key.side if is_known else None,
        corners=corners_in_picture(first.key.homography) if is_known else None,
        content=first.content,
        confidence=first.confidence,
        reason=first.reason,
        others=len(seen) - 1,
    )


def claims_same(now: Sighting, before: Sighting | None) -> bool:
    """Whether two sightings claim the same of the same key."""
    return before is not None and (now.location, now.content, now.reason) == (
        before.location,
        before.content,
        before.reason,
    )


def _is_dark(scene: Scene) -> bool:
    return float(np.percentile(scene.grey(3), 90)) < DARK_LEVEL
