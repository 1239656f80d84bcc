"""The reader: a picture in, a sighting out.

`read_still` remembers nothing and is for single pictures. `look` is for a stream: it keeps where
the last key lay, so that a resting stack costs a few small steps, and a frame in which nothing
moved costs one comparison of thumbnails.

    picture -> Scene -> Finder.search (or a step on from the last pose) -> HoleReader -> Sighting
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import BLANK
from assistant.vision.finding import PARTS, Finder, Found, is_card_like
from assistant.vision.geometry import corners_in_picture
from assistant.vision.hole import HoleReader, HoleReading
from assistant.vision.identify import Identifier
from assistant.vision.overhang import sticks_out
from assistant.vision.profile import CardProfile
from assistant.vision.register import Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Picture, Reason, Side, Sighting

#: A picture darker than this all over (its brightest tenth) shows nothing.
DARK_LEVEL = 35.0

#: Thumbnails that differ nowhere by more grey levels than this show that nothing moved; a sensor's
#: noise comes to 3 or 4 in a patch of 16 px, a finger that enters to 20 and more.
STILL_LEVELS = 6

#: Steps from the last pose at each level (see register.py): the stack hardly moves.
TRACKING_STEPS = (0, 2, 2)
#: A tracked key must still show this share of its print, and of what it showed when it was found.
TRACKED_SUPPORT = 0.5
TRACKED_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was read of one key in one picture."""

    key: Found
    hole: HoleReading | None


class Reader:
    """Reads pictures of stacks with one card profile. One thread at a time may use it.

    `live`: the stream does not wait, so a search is cut into parts over frames.
    """

    def __init__(self, profile: CardProfile, live: bool = False) -> None:
        self.profile = profile
        self._live = live
        self._turn = 0
        self._parts_left = PARTS
        self._finder = Finder(Identifier([Template(face) for face in profile.faces]))
        self._holes = HoleReader(profile.glyphs)
        self._last: Found | None = None
        self._last_sighting: Sighting | None = None
        self._thumbnail: npt.NDArray[np.int16] | None = None

    def read_still(self, picture: Picture) -> Sighting:
        """Return what a single picture shows; nothing is remembered from earlier ones."""
        return self._searched(Scene(picture))[0]

    def look(self, picture: Picture) -> Sighting:
        """Return what the next picture of a stream shows."""
        thumbnail = _thumbnail(picture)
        still = self._thumbnail is not None and _is_same(thumbnail, self._thumbnail)
        if still and self._last_sighting is not None:
            return self._last_sighting
        if not still:
            self._thumbnail = thumbnail
            self._parts_left = PARTS
        scene = Scene(picture)
        key = self._tracked(scene)
        if key is not None:
            sighting = self._told([self._seen(scene, key)], unnamed=False, scene=scene)
            self._last = key
        else:
            self._turn += 1
            self._parts_left -= 1
            sighting, self._last = self._searched(scene, in_parts=self._live)
        # A part of a search that found nothing proves nothing: all parts must have had their turn.
        is_done = sighting.found or not self._live or self._parts_left <= 0
        self._last_sighting = sighting if is_done else None
        return sighting

    def _searched(self, scene: Scene, in_parts: bool = False) -> tuple[Sighting, Found | None]:
        if in_parts:
            found = self._finder.search_in_parts(scene, self._turn)
        else:
            found = self._finder.search(scene)
        seen = [self._seen(scene, key) for key in found.keys]
        seen.sort(key=_worth, reverse=True)
        sighting = self._told(seen, found.unnamed, scene)
        return sighting, seen[0].key if seen else None

    def _tracked(self, scene: Scene) -> Found | None:
        """Return the last key where it lies now, or None when it is not there any more."""
        if self._last is None:
            return None
        template = self._last.template
        moved = template.refine(scene, self._last.homography, TRACKING_STEPS)
        if moved is None or not is_card_like(moved):
            return None
        support = template.agreement(scene, moved).support
        best = max(support, self._last.support)
        if support < max(TRACKED_SUPPORT, TRACKED_SHARE * best):
            return None
        return replace(self._last, homography=moved, support=best)

    def _seen(self, scene: Scene, key: Found) -> _Seen:
        if key.side is Side.FRONT:
            return _Seen(key, None)
        hole = self.profile.keyholes[key.location]
        return _Seen(key, self._holes.read(scene.picture, key.homography, hole))

    def _told(self, seen: list[_Seen], unnamed: bool, scene: Scene) -> Sighting:
        """Return what was seen as one claim, about the most telling key."""
        if not seen:
            if unnamed:
                return Sighting(reason=Reason.WHICH_KEY)
            return Sighting(reason=Reason.DARK if _is_dark(scene) else Reason.NO_KEY)
        best = seen[0]
        where = Sighting(
            location=best.key.location,
            side=best.key.side,
            corners=corners_in_picture(best.key.homography),
            reason=Reason.OTHER_SIDE,
            others=len(seen) - 1,
        )
        if best.hole is None:
            return where
        if best.hole.content is None:
            return replace(where, reason=best.hole.reason)
        if best.hole.content == BLANK and sticks_out(scene.picture, best.key.homography):
            return replace(where, reason=Reason.OUT_OF_LINE)
        sure = best.hole.confidence or 0.0
        return replace(where, content=best.hole.content, confidence=sure, reason=None)


def _worth(seen: _Seen) -> tuple[bool, bool, float]:
    """A stack with a card under it comes first, then a back, then the surer."""
    is_read = seen.hole is not None and seen.hole.content is not None
    return is_read, seen.key.side is Side.BACK, seen.key.support


def _is_dark(scene: Scene) -> bool:
    return float(np.percentile(scene.grey(3), 90)) < DARK_LEVEL


def _thumbnail(picture: Picture) -> npt.NDArray[np.int16]:
    """Return a picture's rows at every 8th, averaged along them: a cheap trace of its content."""
    rows = picture[4::8]
    size = max(1, rows.shape[1] // 16), rows.shape[0]
    small = cv2.resize(np.ascontiguousarray(rows), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.int16)


def _is_same(now: npt.NDArray[np.int16], before: npt.NDArray[np.int16]) -> bool:
    """Whether nothing moved between two thumbnails: no patch differs by more than noise does."""
    if now.shape != before.shape:
        return False
    return int(np.abs(now - before).max()) <= STILL_LEVELS
