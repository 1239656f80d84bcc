"""Finding the keys in a picture of which nothing is known: where, which, which way up.

The search goes from cheap and sure to dear: ornaments of the backs at half size, card outlines,
ornaments again with other cuts (dim, blurred or half-covered ones show at one cut and not at
another), and last the words beside fingertips (held.py). It stops as soon as a back is found. For
live pictures it is cut into parts over frames, without the last, which is too dear for them.
No claim rests on a shape alone: what is found must show its own print (see claim.py).

    ornament -> laid on -> all backs compared -> the likest laid on -> claimed (claim.py)
    outline, held -------> all faces, both ways up ---^
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assistant.vision.card_outline import find_outlines, paleness_at_width
from assistant.vision.claim import Found, clearest, least_words, middle_of
from assistant.vision.held import HeldFinder
from assistant.vision.identify import Identifier
from assistant.vision.ornament import (
    OrnamentPose,
    darker_than_around,
    darker_than_paper,
    find_ornaments,
)
from assistant.vision.scene import Scene
from assistant.vision.sighting import Side

#: Rough ornaments of each cut that are looked at where they lie, and those that are laid on.
MOST_ROUGH = 80
MOST_ORNAMENTS = 3
#: How alike the shades must be before a blob is laid on: true ones from 0.22, nearly all from 0.4.
LEAST_SHADES = 0.3
#: Alike by this much, it is tried at once; below, when nothing else is found. Of both editions'
#: ornaments all in full view are from 0.56, of other dark blobs that are laid on a quarter.
CLEAR_SHADES = 0.55
#: Ornaments laid on exactly that are so close are one.
SAME_PLACE_PX = 4.0
#: An ornament laid on exactly correlates by 0.95 and more in full view, other print up to 0.80.
#: Below it may be one that a finger touches: it is tried, but claims nothing itself; below the
#: second figure it is tried only when nothing else is found.
SURE_ORNAMENT, LIKELY_ORNAMENT = 0.87, 0.75
#: Outlines that are compared, and guesses of each search that are laid on.
MOST_OUTLINES = 12
MOST_GUESSES = 4
#: Doubtful ornaments that are tried when nothing else is found.
MOST_DOUBTFUL = 8


@dataclass(frozen=True, slots=True)
class Cut:
    """One search for ornaments: at which size, and what is dark.

    `levels`: darker than the mean around by so many grey levels; or, where that is 0, `share`:
    darker than this share of the paper around. `in_red`: as red shows it, in which ink is as dark
    as in grey and skin is not.
    """

    halvings: int
    window_px: int
    levels: int = 0
    share: float = 0.0
    in_red: bool = False


#: The search, from sure to doubtful. None: by the card's outline. The first stage alone finds 119
#: of the 129 stacks of both editions, one of them behind a dark finger only as red shows it; each
#: of the others finds some that the first does not.
STAGES: tuple[Cut | None, ...] = (
    Cut(halvings=1, window_px=13, share=0.65, in_red=True),
    None,
    Cut(halvings=0, window_px=21, share=0.6),
    Cut(halvings=1, window_px=13, levels=15),
)
#: Parts into which the search of live pictures is cut, one a frame: the first stage, which finds
#: nearly all, every other time, between them the others, and last a second look at what is faint.
PARTS = 2 * len(STAGES)


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found; `unnamed` tells of a key's back seen that no key fits clearly."""

    keys: tuple[Found, ...]
    unnamed: bool = False


class _Seen:
    """What a search has come across so far."""

    def __init__(self, known: Sequence[Found] = ()) -> None:
        self._known = known
        self.found: list[Found] = []
        #: Whether an ornament was seen that no back fits clearly.
        self.unnamed = False
        #: Ornaments laid on exactly, those of them that claim nothing themselves, and rough ones
        #: that are looked at when nothing else is found.
        self.met: list[OrnamentPose] = []
        self.doubtful: list[OrnamentPose] = []
        self.faint: list[OrnamentPose] = []

    @property
    def has_back(self) -> bool:
        """Whether a key's back was found."""
        return any(key.side is Side.BACK for key in self.found)

    def has_met(self, pose: OrnamentPose) -> bool:
        """Whether an ornament was laid on at this place before."""
        return any(
            math.hypot(pose.x_px - other.x_px, pose.y_px - other.y_px) <= SAME_PLACE_PX
            for other in self.met
        )

    def is_covered(self, pose: OrnamentPose) -> bool:
        """Whether an ornament lies on a key that is found or known already."""
        return any(key.covers(pose.x_px, pose.y_px) for key in (*self._known, *self.found))


class Finder:
    """Searches pictures for the keys of one profile."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier
        self._least_words = least_words(identifier.templates)

    @cached_property
    def _held(self) -> HeldFinder:
        """Made when first asked: live pictures never do, and it takes some 0.1 s."""
        return HeldFinder(self._identifier.templates)

    def search(self, scene: Scene) -> Search:
        """Return the keys in a picture, backs before fronts, the surest first."""
        seen = _Seen()
        found = self._search(scene, STAGES, seen, look_again=True)
        if found.keys:
            return found
        self._add_held(scene, seen.found)
        return _sorted(seen)

    def glance(self, scene: Scene, known: Sequence[Found]) -> Search:
        """Return what the first, cheap stage finds beside the keys that are known already."""
        return self._search(scene, STAGES[:1], _Seen(known), look_again=False)

    def search_in_parts(self, scene: Scene, turn: int) -> Search:
        """Return what a part of the search finds: one stage, by turns.

        A live picture must be done before the next one comes; what a stack at rest does not show
        in one frame it shows a few frames later, when its stage's turn comes.
        """
        part = turn % PARTS
        is_last = part == PARTS - 1
        stage = STAGES[0] if part % 2 == 0 or is_last else STAGES[(part + 1) // 2]
        return self._search(scene, (stage,), _Seen(), look_again=is_last)

    def _search(
        self, scene: Scene, stages: Iterable[Cut | None], seen: _Seen, look_again: bool
    ) -> Search:
        """Return what some stages find; stops at the first that shows a back."""
        if not self._identifier.templates:
            return Search(())
        for cut in stages:
            if cut is None:
                self._add_outlines(scene, seen.found)
            else:
                self._add_ornaments(scene, cut, seen)
            if seen.has_back:
                break
        else:
            if look_again:
                self._look_again(scene, seen)
        return _sorted(seen)

    def _look_again(self, scene: Scene, seen: _Seen) -> None:
        """Add what shows faintly, where nothing shows clearly."""
        for pose in seen.faint:
            self._try_ornament(scene, pose, seen)
        seen.doubtful.sort(key=lambda pose: -pose.likeness)
        for pose in seen.doubtful[:MOST_DOUBTFUL]:
            if not seen.is_covered(pose):
                _added(self._at_ornament(scene, pose, 2), seen.found)

    def _add_ornaments(self, scene: Scene, cut: Cut, seen: _Seen) -> None:
        """Add the backs whose ornament a cut shows clearly; keep in mind what it shows faintly."""
        rough = self._rough_ornaments(scene, cut, seen)
        for pose in rough[:MOST_ORNAMENTS]:
            if pose.likeness < CLEAR_SHADES:
                seen.faint.append(pose)
            else:
                self._try_ornament(scene, pose, seen)

    def _try_ornament(self, scene: Scene, rough: OrnamentPose, seen: _Seen) -> None:
        """Lay an ornament on exactly and add the back that it belongs to, if it is one."""
        pose = self._identifier.exact_ornament(scene, rough)
        if pose is None or seen.has_met(pose) or seen.is_covered(pose):
            return
        seen.met.append(pose)
        if pose.likeness < LIKELY_ORNAMENT:
            seen.doubtful.append(pose)
            return
        is_sure = pose.likeness >= SURE_ORNAMENT
        is_named = _added(self._at_ornament(scene, pose, 3 if is_sure else 2), seen.found)
        seen.unnamed |= is_sure and not is_named

    def _rough_ornaments(self, scene: Scene, cut: Cut, seen: _Seen) -> list[OrnamentPose]:
        """Return where a cut shows what may be ornaments, the likest by their shades first."""
        model = self._identifier.ornament
        if model is None:
            return []
        grey = scene.red(cut.halvings) if cut.in_red else scene.grey(cut.halvings)
        if cut.levels:
            dark = darker_than_around(grey, cut.window_px, cut.levels)
        else:
            dark = darker_than_paper(grey, cut.window_px, cut.share)
        blobs = find_ornaments(grey, dark, model)[:MOST_ROUGH]
        if not blobs:
            return []
        # A blob's outline is ragged; its shades, looked at once where it lies, tell far better.
        alike = self._identifier.ornament_likeness(grey, blobs)
        grown = 2**cut.halvings
        rough = [
            OrnamentPose(
                (blobs[i].x_px + 0.5) * grown,
                (blobs[i].y_px + 0.5) * grown,
                blobs[i].mm_to_px * grown,
                float(alike[i]),
            )
            for i in np.argsort(-alike, kind="stable").tolist()
            if alike[i] >= LEAST_SHADES
        ]
        return [pose for pose in rough if not seen.is_covered(pose)]

    def _at_ornament(self, scene: Scene, pose: OrnamentPose, most: int) -> Found | None:
        """Return the key whose ornament this is, or None when none is clear."""
        guesses = self._identifier.at_ornament(scene, pose)
        return clearest(scene, guesses, most, self._least_words)

    def _add_outlines(self, scene: Scene, found: list[Found]) -> None:
        """Add the keys whose outline shows."""
        pale, grown = paleness_at_width(scene.picture)
        guesses = [
            self._identifier.at_outline(scene, quad * grown)
            for quad in find_outlines(pale)[:MOST_OUTLINES]
        ]
        guesses.sort(key=lambda same: -same[0].likeness)
        for same in guesses[:MOST_GUESSES]:
            x, y = middle_of(same[0].homography)
            if not any(key.covers(x, y) for key in found):
                _added(clearest(scene, same, 1, self._least_words), found)

    def _add_held(self, scene: Scene, found: list[Found]) -> None:
        """Add the key whose words show beside a finger that hides its ornament.

        Some tens of ms where hands are in the picture: too dear for a live one, which shows the
        ornament as soon as the hand is away.
        """
        for outline in self._held.outlines(scene.picture):
            key = clearest(scene, self._identifier.at_outline(scene, outline), 2, self._least_words)
            if _added(key, found):
                return


def _sorted(seen: _Seen) -> Search:
    seen.found.sort(key=lambda key: (key.side is not Side.BACK, -key.words))
    return Search(tuple(seen.found), seen.unnamed and not seen.found)


def _added(key: Found | None, found: list[Found]) -> bool:
    """Add a key that was found; return whether one was."""
    if key is not None:
        found.append(key)
    return key is not None
