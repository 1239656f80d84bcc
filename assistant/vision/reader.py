"""The reader: a picture in, a sighting out.

`read_still` remembers nothing and is for single pictures. `look` is for a stream: it keeps where
the keys in view lay, so that a resting stack costs a few small steps, and a frame in which nothing
moved costs one comparison of thumbnails. A stack that is laid down beside an older one is looked
for every few frames; of several the newest is told.

    picture -> Scene -> Finder.search (or a step on from the last poses) -> HoleReader -> Sighting
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import BLANK, Location
from assistant.vision.claim import Found, is_card_like
from assistant.vision.finding import PARTS, Finder, Search
from assistant.vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    Keyhole,
    project,
)
from assistant.vision.hole import HoleReader, HoleReading
from assistant.vision.identify import Identifier
from assistant.vision.overhang import slipped_a_place, sticks_out
from assistant.vision.profile import CardProfile
from assistant.vision.register import Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Picture, Reason, Side, Sighting
from assistant.vision.stillness import Stillness
from assistant.vision.told import SURE_READS, Seen, claims_same, told

#: The hole as it is compared with its last look: room about it, scale, and the share of its
#: lightest part that is noise; half a mm of print comes to some 0.2.
HOLE_LOOK_MM = (12.0, 16.0)
HOLE_LOOK_PX_PER_MM, HOLE_LOOK_BLUR_PX = 1.5, 1.0
HOLE_STILL_SHARE = 0.09

#: Print so far from its place in the hole is checked for a card that sticks out: in line it is off
#: by 0.7 mm in the middle and by 2.1 at most.
OFF_CENTRE_MM = 1.25

#: Keys that are followed at once, and how often, in frames, others are looked for meanwhile.
MOST_KEYS = 3
GLANCE_EVERY = 5
#: A followed key whose middle went farther than this from one frame to the next is being moved.
MOVING_MM = 0.4
#: A tracked key must still show this share of its words: less is a hand, or a pose that slid off
#: and would hide the stack for as long as it lies.
TRACKED_WORDS = 0.55
#: The share of its best that a key must show when it is followed, and when more steps at each level
#: (see register.py) have looked for it again.
FOLLOWED_SHARE, AGAIN_SHARE = 0.92, 0.8
AGAIN_STEPS = (0, 4, 4)


_Seen = Seen[Found]


@dataclass(frozen=True, slots=True, eq=False)
class _ReadHole:
    """A hole as it was last read: its look, what was read, how many times on end."""

    look: npt.NDArray[np.int16]
    seen: _Seen
    times: int


class Reader:
    """Reads pictures of stacks with one card profile. One thread at a time may use it.

    `live`: the stream does not wait, so a search is cut into parts over frames.
    """

    def __init__(self, profile: CardProfile, live: bool = False) -> None:
        self.profile = profile
        self._live = live
        self._finder = Finder(Identifier([Template(face) for face in profile.faces]))
        self._holes = HoleReader(profile.glyphs)
        #: Keys in view, those found last first.
        self._keys: list[Found] = []
        self._turn = 0
        self._until_glance = GLANCE_EVERY
        #: In which turn each key was last in view.
        self._in_view_at: dict[Location, int] = {}
        self._parts_left = PARTS
        self._unnamed_for = 0
        #: Frames to be looked at since something moved, whatever they show.
        self._looks_left = GLANCE_EVERY
        self._last_sighting: Sighting | None = None
        #: How many frames on end were looked at afresh and claimed the same.
        self._reads = 0
        self._read_holes: dict[Location, _ReadHole] = {}
        self._stillness = Stillness()

    def read_still(self, picture: Picture) -> Sighting:
        """Return what a single picture shows; nothing is remembered from earlier ones."""
        scene = Scene(picture)
        found = self._finder.search(scene)
        seen = sorted((self._seen(scene, key) for key in found.keys), key=_worth, reverse=True)
        return told(scene, seen, found.unnamed)

    def look(self, picture: Picture) -> Sighting:
        """Return what the next picture of a stream shows."""
        still = self._stillness.holds(picture)
        is_sure = self._reads >= SURE_READS and self._looks_left <= 0
        if still and self._last_sighting is not None and is_sure:
            return self._last_sighting
        if not still:
            # What came to rest may be another stack beside this one: a glance must have its turn,
            # and not in this frame only, which may be blurred yet.
            self._parts_left, self._looks_left = PARTS, GLANCE_EVERY + 1
        self._looks_left -= 1
        scene, kept = self._kept(picture)
        search = self._searched(scene, kept)
        new = [key for key in search.keys if not any(key.overlaps(old) for old in kept)]
        self._keys = sorted([*new, *kept], key=lambda key: key.side is not Side.BACK)[:MOST_KEYS]
        in_view = {key.location for key in self._keys}
        self._read_holes = {at: hole for at, hole in self._read_holes.items() if at in in_view}
        # To find and to read at once is too much for a live frame: what is new is told from the
        # next one on. Not what was in view a moment ago: in some light it is lost in every frame.
        is_early = self._live and any(self._is_new(key.location) for key in new)
        self._in_view_at |= dict.fromkeys(in_view, self._turn)
        seen = self._first_read(scene, kept if is_early else self._keys)
        sighting = told(scene, seen, search.unnamed)
        # A part of a search that found nothing proves nothing: all parts must have had their turn.
        is_all = sighting.found or not self._live or self._parts_left <= 0
        self._reads = self._reads + 1 if claims_same(sighting, self._last_sighting) else 1
        self._last_sighting = sighting if is_all and not is_early else None
        return sighting

    def _kept(self, picture: Picture) -> tuple[Scene, list[Found]]:
        """Return the keys that are still in view, and the scene: all of it if it is searched."""
        self._turn += 1
        self._until_glance -= 1
        around = [] if self._until_glance <= 0 or not _has_back(self._keys) else self._keys
        scene = Scene(picture, [key.homography for key in around])
        followed = [(key, self._followed(scene, key)) for key in self._keys]
        kept = [key for _, key in followed if key is not None]
        # What moves is read afresh each time; a search besides would be too much for a live frame.
        if self._live and any(now and _moved_mm(old, now) > MOVING_MM for old, now in followed):
            self._put_off_glance()
        return (scene if _has_back(kept) else Scene(picture)), kept

    def _searched(self, scene: Scene, kept: Sequence[Found]) -> Search:
        """Return what else is found: all when no back is in view, at times a glance otherwise."""
        if _has_back(kept):
            if self._until_glance > 0:
                return Search(())
            self._until_glance = GLANCE_EVERY
            return self._finder.glance(scene, kept)
        if not self._live:
            return self._finder.search(scene)
        self._parts_left -= 1
        found = self._finder.search_in_parts(scene, self._turn)
        if found.keys:
            self._put_off_glance()
        # A back that no key fits is seen by some parts only; it is there until all had their turn.
        self._unnamed_for = PARTS if found.unnamed else max(self._unnamed_for - 1, 0)
        return replace(found, unnamed=self._unnamed_for > 0 and not found.keys)

    def _put_off_glance(self) -> None:
        """Look for others a while later, and do not rest before that."""
        self._until_glance = self._looks_left = GLANCE_EVERY

    def _is_new(self, location: Location) -> bool:
        """Whether a key was not in view while the parts of a search had their turn."""
        return self._turn - self._in_view_at.get(location, -PARTS) > PARTS

    def _followed(self, scene: Scene, key: Found) -> Found | None:
        """Return a key where it lies now, or None when it is not there any more."""
        template, pose = key.template, key.homography
        found = _shown(scene, key, template.follow(scene, pose), FOLLOWED_SHARE)
        if found is None:
            again = template.refine(scene, pose, AGAIN_STEPS)
            found = _shown(scene, key, again, AGAIN_SHARE)
        return found

    def _first_read(self, scene: Scene, keys: Sequence[Found]) -> list[_Seen]:
        """Return keys in view, the first that can be read before the others."""
        unread: list[_Seen] = []
        for number, key in enumerate(keys):
            seen = self._seen_again(scene, key)
            if seen.content is not None:
                rest = [Seen(other) for other in keys[number + 1 :]]
                return [seen, *unread, *rest]
            unread.append(seen)
        return unread

    def _seen_again(self, scene: Scene, key: Found) -> _Seen:
        """Return what shows in a key's hole, not read afresh while it is as it was read before.

        Only after so many readings of its own is one trusted to stand for the frames to come: a
        single misread frame must not count for several.
        """
        if key.side is Side.FRONT:
            return self._seen(scene, key)
        keyhole = self.profile.keyholes[key.location]
        straight = scene.straightened(
            key.homography @ _to_hole(keyhole), HOLE_LOOK_PX_PER_MM, HOLE_LOOK_MM
        )
        # Softened: a key followed to a tenth of a mm moves sharp print by many levels.
        look = cv2.GaussianBlur(straight, (0, 0), HOLE_LOOK_BLUR_PX).astype(np.int16)
        last = self._read_holes.get(key.location)
        # Print is as much fainter as the picture is darker.
        still = HOLE_STILL_SHARE * float(look.max())
        same = last is not None and float(np.abs(look - last.look).max()) <= still
        if last is not None and same and last.times >= SURE_READS:
            return replace(last.seen, key=key)
        seen = self._seen(scene, key)
        times = last.times + 1 if last is not None and same and seen.is_like(last.seen) else 1
        self._read_holes[key.location] = _ReadHole(look, seen, times)
        return seen

    def _seen(self, scene: Scene, key: Found) -> _Seen:
        """Return what shows in a key's hole."""
        if key.side is Side.FRONT:
            return Seen(key, reason=Reason.OTHER_SIDE)
        hole = self._holes.read(scene.picture, key.homography, self.profile.keyholes[key.location])
        slipped = _could_have_slipped(hole)
        if slipped is not None and slipped(scene.picture, key.homography):
            return Seen(key, reason=Reason.OUT_OF_LINE)
        return Seen(key, hole.content, hole.confidence, hole.reason)


def _shown(scene: Scene, key: Found, moved: Homography | None, share: float) -> Found | None:
    """Return a key at a new pose, or None when less than a share of its best shows there."""
    if moved is None or not is_card_like(moved):
        return None
    words = key.template.agreement(scene, moved).words
    best = max(words, key.words)
    if words < max(TRACKED_WORDS, share * best):
        return None
    return replace(key, homography=moved, words=best)


def _moved_mm(before: Found, now: Found) -> float:
    """Return how far a key's middle went, as the key itself measures."""
    middle = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    way = np.linalg.inv(before.homography) @ now.homography
    return math.dist(project(way, np.array([middle]))[0].tolist(), middle)


def _has_back(keys: Sequence[Found]) -> bool:
    return any(key.side is Side.BACK for key in keys)


def _could_have_slipped(hole: HoleReading) -> Callable[[Picture, Homography], bool] | None:
    """Return what asks whether the lower card slipped, where this reading may come of that.

    Of a card far out of line the hole may show bare paper, or the print of a neighbouring place:
    near the rim, or, where it slipped by the whole way from one place to the next, in the middle.
    The Lady, alone on her card, then shows at a place that is not hers.
    """
    if hole.content is None:
        return None
    is_off = hole.content == BLANK or math.hypot(*hole.matches[0].offset_mm) > OFF_CENTRE_MM
    return sticks_out if is_off else slipped_a_place


def _to_hole(hole: Keyhole) -> Homography:
    """Return the map from mm about a hole's box to mm on the key."""
    left = hole.centre_x_mm - HOLE_LOOK_MM[0] / 2
    top = hole.centre_y_mm - hole.radius_mm - 1.0
    return np.array([[1.0, 0, left], [0, 1.0, top], [0, 0, 1]])


def _worth(seen: _Seen) -> tuple[bool, bool, float]:
    """A stack with a card under it comes first, then a back, then the surer."""
    return seen.content is not None, seen.key.side is Side.BACK, seen.key.words
