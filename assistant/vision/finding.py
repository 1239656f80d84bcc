"""Finding the keys in a picture of which nothing is known: where, which, which way up.

The search goes from cheap and sure to dear: ornaments of the backs at half size, card outlines,
ornaments again with other cuts (dim, blurred or half-covered ones show at one cut and not at
another). It stops as soon as a back is found; for live pictures it is cut into parts over frames.
What it finds is laid on exactly and must show its own print, and clearly more of it than any other
key's would: no claim rests on a shape alone.

    ornament -> laid on -> all backs compared -> the best two laid on -> agreement, lead
    outline  ------------> all faces, both ways up ---^
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.terms import Location
from assistant.vision.card_outline import find_outlines, paleness_at_width
from assistant.vision.geometry import CARD_CORNERS_MM, Homography, project
from assistant.vision.identify import Guess, Identifier
from assistant.vision.ornament import (
    OrnamentPose,
    darker_than_around,
    darker_than_paper,
    find_ornaments,
)
from assistant.vision.register import Agreement, Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Side

#: Blobs of each cut that are looked at where they lie, and those that are laid on.
MOST_BLOBS = 80
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
#: Other keys, the likest, that a key found is compared with.
MOST_RIVALS = 3
#: Doubtful ornaments that are tried when nothing else is found.
MOST_DOUBTFUL = 8
#: How alike a guess must look before it is laid on, the steps (see register.py) by which it is, and
#: the support that earns the next ones. On 262 keys that were found, of both editions and of the
#: practice deck, a true guess is from 0.35 (a hundredth below 0.56) and supported from 0.4 (0.69)
#: and 0.66; of false ones more than half are below the first two.
LEAST_GUESS = 0.35
LAYING_ON = (((4, 4, 0), 0.36), ((0, 0, 5), 0.0))
#: A key that shows so much of its print needs no further guess.
CLEAR_WORDS = 0.7

#: Share of a face's print without the ornament that must be seen (fingers may hide the rest), and
#: by how much more than of any other key's. On both editions keys that are there show 0.69 to 0.95
#: and lead by 0.42 and more, other keys up to 0.34; on the practice deck, whose lines are spaced
#: more evenly, 0.64, 0.25 and 0.57.
LEAST_WORDS = 0.55
LEAST_LEAD = 0.2
#: The share that must be seen while some keys' backs are not learnt yet.
LONE_WORDS = 0.72
#: A key that shows so little of its print must at least show it in many places.
LEAST_BLOCKS = 10


@dataclass(frozen=True, slots=True)
class Cut:
    """One search for ornaments: at which size, and what is dark.

    `levels`: darker than the mean around by so many grey levels; or, where that is 0, `share`:
    darker than this share of the paper around.
    """

    halvings: int
    window_px: int
    levels: int = 0
    share: float = 0.0


#: The search, from sure to doubtful. None: by the card's outline. The first stage alone finds 121
#: of the 129 stacks of both editions; each of the others finds some that the first does not.
STAGES: tuple[Cut | None, ...] = (
    Cut(halvings=1, window_px=13, share=0.65),
    None,
    Cut(halvings=0, window_px=21, share=0.6),
    Cut(halvings=1, window_px=13, levels=15),
)
#: Parts into which the search of live pictures is cut: the others, and a second look at the first.
PARTS = len(STAGES)


@dataclass(frozen=True, slots=True)
class Found:
    """A key found: its face, where it lies, and the share of its print that is seen there.

    `words` is that share without the ornament, `lead` by how much it is more than any other key's.
    """

    template: Template
    homography: Homography
    words: float
    lead: float = 0.0

    @property
    def location(self) -> Location:
        """The key's location."""
        return self.template.face.location

    @property
    def side(self) -> Side:
        """The side that faces the camera."""
        return self.template.face.side

    def overlaps(self, other: Found) -> bool:
        """Whether the middle of the one key lies on the other: they are one, seen twice."""
        x, y = project(self.homography, CARD_CORNERS_MM).mean(axis=0).tolist()
        return _covers(other, x, y)


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
        return any(_covers(key, pose.x_px, pose.y_px) for key in (*self._known, *self.found))


class Finder:
    """Searches pictures for the keys of one profile."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier
        backs = {t.face.location for t in identifier.templates if t.face.side is Side.BACK}
        # A key that was never shown may look like one that was, with no better one to give it away.
        self._least_words = LEAST_WORDS if len(backs) == len(Location) else LONE_WORDS

    def search(self, scene: Scene) -> Search:
        """Return the keys in a picture, backs before fronts, the surest first."""
        return self._search(scene, STAGES, _Seen(), look_again=True)

    def glance(self, scene: Scene, known: Sequence[Found]) -> Search:
        """Return what the first, cheap stage finds beside the keys that are known already."""
        return self._search(scene, STAGES[:1], _Seen(known), look_again=False)

    def search_in_parts(self, scene: Scene, turn: int) -> Search:
        """Return what a part of the search finds: the cheap first stage and one other, by turns.

        A live picture must be done before the next one comes; what a stack at rest does not show
        in one frame it shows a few frames later, when its stage's turn comes.
        """
        part = turn % PARTS
        stages = STAGES[:1] if part == 0 else (STAGES[0], STAGES[part])
        return self._search(scene, stages, _Seen(), look_again=part == 0)

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
        seen.found.sort(key=lambda key: (key.side is not Side.BACK, -key.words))
        return Search(tuple(seen.found), seen.unnamed and not seen.found)

    def _look_again(self, scene: Scene, seen: _Seen) -> None:
        """Add what shows faintly, where nothing shows clearly."""
        for pose in seen.faint:
            self._try_ornament(scene, pose, seen)
        seen.doubtful.sort(key=lambda pose: -pose.likeness)
        for pose in seen.doubtful[:MOST_DOUBTFUL]:
            if not seen.is_covered(pose):
                _added(self._at_ornament(scene, pose, 1), seen.found)

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
        is_named = _added(self._at_ornament(scene, pose, 3 if is_sure else 1), seen.found)
        seen.unnamed |= is_sure and not is_named

    def _rough_ornaments(self, scene: Scene, cut: Cut, seen: _Seen) -> list[OrnamentPose]:
        """Return where a cut shows what may be ornaments, the likest by their shades first."""
        model = self._identifier.ornament
        if model is None:
            return []
        grey = scene.grey(cut.halvings)
        if cut.levels:
            dark = darker_than_around(grey, cut.window_px, cut.levels)
        else:
            dark = darker_than_paper(grey, cut.window_px, cut.share)
        blobs = find_ornaments(grey, dark, model)[:MOST_BLOBS]
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
        return self._clearest(scene, self._identifier.at_ornament(scene, pose), most)

    def _add_outlines(self, scene: Scene, found: list[Found]) -> None:
        """Add the keys whose outline shows."""
        pale, grown = paleness_at_width(scene.picture)
        guesses = [
            self._identifier.at_outline(scene, quad * grown)
            for quad in find_outlines(pale)[:MOST_OUTLINES]
        ]
        guesses.sort(key=lambda same: -same[0].likeness)
        for same in guesses[:MOST_GUESSES]:
            middle = project(same[0].homography, CARD_CORNERS_MM).mean(axis=0)
            if not any(_covers(key, float(middle[0]), float(middle[1])) for key in found):
                _added(self._clearest(scene, same, 1), found)

    def _clearest(self, scene: Scene, guesses: Sequence[Guess], most: int) -> Found | None:
        """Return the key that one of the first few guesses about a card is, if it leads clearly.

        `guesses` are sorted by likeness. The next likest of other keys are its rivals: laid where
        it lies, they must show much less of their print.
        """
        best: tuple[Guess, Homography, float] | None = None
        for guess in guesses[:most]:
            laid = _laid(scene, guess) if guess.likeness >= LEAST_GUESS else None
            if laid is None:
                continue
            exact, seen = laid
            enough = seen.words >= self._least_words and seen.blocks >= LEAST_BLOCKS
            if enough and (best is None or seen.words > best[2]):
                best = guess, exact, seen.words
            if seen.words >= CLEAR_WORDS:
                break
        if best is None:
            return None
        guess, exact, words = best
        moved = exact @ np.linalg.inv(guess.homography)
        others = [g for g in guesses if g.template.face.location != guess.template.face.location]
        shown = (
            g.template.agreement(scene, moved @ g.homography).words for g in others[:MOST_RIVALS]
        )
        second = max(shown, default=0.0)
        lead = words - second
        return None if lead < LEAST_LEAD else Found(guess.template, exact, words, lead)


def _laid(scene: Scene, guess: Guess) -> tuple[Homography, Agreement] | None:
    """Return a guess laid on exactly and what then agrees, or None as soon as it is hopeless."""
    pose = guess.homography
    for steps, least in LAYING_ON:
        laid = guess.template.refine(scene, pose, steps)
        if laid is None:
            return None
        pose, seen = laid, guess.template.agreement(scene, laid)
        if seen.support < least:
            return None
    return (pose, seen) if is_card_like(pose) else None


def _added(key: Found | None, found: list[Found]) -> bool:
    """Add a key that was found; return whether one was."""
    if key is not None:
        found.append(key)
    return key is not None


def is_card_like(homography: Homography) -> bool:
    """Whether a pose is one that a card on a table before a camera can have."""
    lifted = CARD_CORNERS_MM @ homography[2, :2] + homography[2, 2]
    if (lifted <= 0).any() or lifted.max() > 1.6 * lifted.min():
        return False
    quad = project(homography, CARD_CORNERS_MM)
    sides = np.roll(quad, -1, axis=0) - quad
    turned = np.roll(sides, -1, axis=0)
    cross = sides[:, 0] * turned[:, 1] - sides[:, 1] * turned[:, 0]
    if (cross <= 0).any():
        return False
    lengths = np.linalg.norm(sides, axis=1)
    short, long = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    return bool(1.1 < long / short < 2.2 and (cross / (short * long)).min() > 0.55)


def _covers(key: Found, x_px: float, y_px: float) -> bool:
    """Whether a point of the picture lies on a key already found."""
    at = np.linalg.inv(key.homography) @ (x_px, y_px, 1.0)
    x, y = at[0] / at[2], at[1] / at[2]
    return bool(0 <= x <= 44 and 0 <= y <= 68)
