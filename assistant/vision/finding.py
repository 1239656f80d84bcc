"""Finding the keys in a picture of which nothing is known: where, which, which way up.

The search goes from cheap and sure to dear: ornaments of the backs at half size, card outlines,
ornaments again with other cuts (dim, blurred or small ones show at one cut and not at another).
It stops as soon as a back is found. What it finds is laid on exactly and must show its own print,
and clearly more of it than any other key's would: no claim rests on a shape alone.

    ornament -> laid on -> all backs compared -> the best two laid on -> agreement, lead
    outline  ------------> all faces, both ways up ---^
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.terms import Location
from assistant.vision.card_outline import find_outlines, paleness_at_width
from assistant.vision.geometry import CARD_CORNERS_MM, Homography, project
from assistant.vision.identify import Guess, Identifier
from assistant.vision.ornament import OrnamentPose, find_ornaments
from assistant.vision.register import Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Side

#: (halvings of the picture, window px, contrast) of each search for ornaments.
FIRST_CUT = (1, 25, 12)
OTHER_CUTS = ((1, 25, 5), (0, 25, 16))
#: Blobs of each search that are laid on.
MOST_ORNAMENTS = 6
#: An ornament laid on exactly correlates by 0.95 and more in full view, other print up to 0.80.
#: Between the two it may be one that a finger touches: it is tried, but claims nothing itself.
SURE_ORNAMENT = 0.87
POSSIBLE_ORNAMENT = 0.5
#: Outlines that are compared, and guesses of each search that are laid on.
MOST_OUTLINES = 12
MOST_GUESSES = 4

#: Share of a face's print that must be seen (fingers may hide the rest), and by how much more than
#: any other key's. On both editions keys that are there show 0.58 to 0.95, others up to 0.70 (the
#: ornament and the rhythm of the lines are common), and the lead is 0.19 and more.
LEAST_SUPPORT = 0.55
LEAST_LEAD = 0.12
#: A key that shows so little of its print must at least show it in many places.
LEAST_BLOCKS = 10


@dataclass(frozen=True, slots=True)
class Found:
    """A key found: its face, where it lies, and the share of its print that is seen there."""

    template: Template
    homography: Homography
    support: float
    lead: float

    @property
    def location(self) -> Location:
        """The key's location."""
        return self.template.face.location

    @property
    def side(self) -> Side:
        """The side that faces the camera."""
        return self.template.face.side


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found; `unnamed` tells of a key's back seen that no key fits clearly."""

    keys: tuple[Found, ...]
    unnamed: bool = False


class Finder:
    """Searches pictures for the keys of one profile."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier

    def search(self, scene: Scene) -> Search:
        """Return the keys in a picture, backs before fronts, the surest first."""
        found: list[Found] = []
        unnamed = self._add_ornaments(scene, FIRST_CUT, found)
        if not found:
            self._add_outlines(scene, found)
        for cut in OTHER_CUTS:
            if any(key.side is Side.BACK for key in found):
                break
            unnamed |= self._add_ornaments(scene, cut, found)
        found.sort(key=lambda key: (key.side is not Side.BACK, -key.support))
        return Search(tuple(found), unnamed and not found)

    def _add_ornaments(self, scene: Scene, cut: tuple[int, int, int], found: list[Found]) -> bool:
        """Add the backs whose ornament is seen; return whether one was seen that has no name."""
        model = self._identifier.ornament
        if model is None:
            return False
        halvings, window_px, contrast = cut
        grown = 2**halvings
        unnamed = False
        for rough in find_ornaments(scene.grey(halvings), model, window_px, contrast)[
            :MOST_ORNAMENTS
        ]:
            pose = OrnamentPose(
                (rough.x_px + 0.5) * grown,
                (rough.y_px + 0.5) * grown,
                rough.mm_to_px * grown,
                rough.likeness,
            )
            exact = self._identifier.exact_ornament(scene, pose)
            if exact is None or exact.likeness < POSSIBLE_ORNAMENT:
                continue
            if any(_covers(key, exact.x_px, exact.y_px) for key in found):
                continue
            sure = exact.likeness >= SURE_ORNAMENT
            guesses = self._identifier.at_ornament(scene, exact)[: 3 if sure else 2]
            key = self._named(scene, guesses)
            if key is not None:
                found.append(key)
            else:
                unnamed |= sure
        return unnamed

    def _add_outlines(self, scene: Scene, found: list[Found]) -> None:
        """Add the keys whose outline shows."""
        pale, grown = paleness_at_width(scene.picture)
        guesses: list[tuple[Guess, Guess]] = []
        for quad in find_outlines(pale)[:MOST_OUTLINES]:
            best, *rest = self._identifier.at_outline(scene, quad * grown)
            rival = next(g for g in rest if g.template.face != best.template.face)
            guesses.append((best, rival))
        guesses.sort(key=lambda pair: -pair[0].likeness)
        for best, rival in guesses[:MOST_GUESSES]:
            middle = project(best.homography, CARD_CORNERS_MM).mean(axis=0)
            if any(_covers(key, float(middle[0]), float(middle[1])) for key in found):
                continue
            key = self._named(scene, (best, rival))
            if key is not None:
                found.append(key)

    def _named(self, scene: Scene, guesses: Iterable[Guess]) -> Found | None:
        """Return the key that a few guesses about one card come to, or None when none is clear."""
        laid: list[tuple[float, int, Template, Homography]] = []
        for guess in guesses:
            exact = guess.template.refine(scene, guess.homography)
            if exact is not None and is_card_like(exact):
                seen = guess.template.agreement(scene, exact)
                laid.append((seen.support, seen.blocks, guess.template, exact))
        if not laid:
            return None
        laid.sort(key=lambda entry: -entry[0])
        support, blocks, template, homography = laid[0]
        others = [
            entry[0] for entry in laid[1:] if entry[2].face.location != template.face.location
        ]
        lead = support - max(others, default=0.0)
        if support < LEAST_SUPPORT or blocks < LEAST_BLOCKS or lead < LEAST_LEAD:
            return None
        return Found(template, homography, support, lead)


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


def surest(keys: Sequence[Found]) -> Found | None:
    """Return the key that is seen most surely, a back before any front; None of none."""
    return max(keys, key=lambda key: (key.side is Side.BACK, key.support), default=None)
