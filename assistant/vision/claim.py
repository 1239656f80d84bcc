"""What it takes to say that a key lies here: its own print, and clearly more than any other's.

A guess (a face, a rough pose) is laid on exactly; how much of the face's print the picture then
shows decides, and by how much it leads over the likest other keys, laid at the same place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.terms import Location
from assistant.vision.geometry import (
    CARD_CORNERS_MM,
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    project,
)
from assistant.vision.identify import Guess
from assistant.vision.register import Agreement, Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Side

#: How alike a guess must look before it is laid on, and the support that it must have after the
#: rough ones of its steps (see register.py), unless it is so alike that it is laid on to the end.
#: On 262 keys that were found, of both editions and of the practice deck, a true guess is alike
#: from 0.34 (a hundredth below 0.56) and supported from 0.4 (0.69); of false ones two in five fail
#: the first, four in five the second, and one in twenty is clear.
LEAST_GUESS, CLEAR_GUESS = 0.28, 0.62
LEAST_SUPPORT = 0.36
ROUGH_STEPS, FINE_STEPS = (4, 4, 0), (0, 0, 5)
#: A key that shows so much of its print needs no further guess.
CLEAR_WORDS = 0.7

#: Share of a face's print without the ornament that must be seen (fingers may hide the rest), and
#: by how much more than of its rivals, so many of the likest other keys. On both editions keys that
#: are there show 0.69 to 0.95 and lead by 0.42 and more, other keys up to 0.34; on the practice
#: deck, whose lines are spaced more evenly, 0.64, 0.25 and 0.57.
LEAST_WORDS = 0.55
LEAST_LEAD = 0.2
MOST_RIVALS = 3
#: A key that shows so much is compared with none: no other ever showed more than 0.57.
CERTAIN_WORDS = 0.85
#: The share that must be seen while some keys' backs are not learnt yet.
LONE_WORDS = 0.72
#: A key that shows so little of its print must at least show it in many places.
LEAST_BLOCKS = 10

#: A card before a camera: its nearest corner at most so much nearer than its farthest, its long
#: side by its short one (68 / 44 lying flat, tilted by 35 degrees and a bit), and the sine of its
#: corners' angles.
MOST_NEARER, ASPECT, LEAST_SQUARE = 1.6, (1.1, 2.2), 0.55
#: The corner after each of the four.
_NEXT = [1, 2, 3, 0]


@dataclass(frozen=True, slots=True)
class Found:
    """A key found: its face, where it lies, and the share of its words that is seen there."""

    template: Template
    homography: Homography
    words: float

    @property
    def location(self) -> Location:
        """The key's location."""
        return self.template.face.location

    @property
    def side(self) -> Side:
        """The side that faces the camera."""
        return self.template.face.side

    def covers(self, x_px: float, y_px: float) -> bool:
        """Whether a point of the picture lies on this key."""
        at = np.linalg.inv(self.homography) @ (x_px, y_px, 1.0)
        x, y = at[0] / at[2], at[1] / at[2]
        return bool(0 <= x <= CARD_WIDTH_MM and 0 <= y <= CARD_HEIGHT_MM)

    def overlaps(self, other: Found) -> bool:
        """Whether the middle of this key lies on the other: they are one, seen twice."""
        return other.covers(*middle_of(self.homography))


def middle_of(card: Homography) -> tuple[float, float]:
    """Return where the middle of a card's corners lies, (x, y) px."""
    x, y = project(card, CARD_CORNERS_MM).mean(axis=0).tolist()
    return x, y


def least_words(templates: Sequence[Template]) -> float:
    """Return the share of its words that a key of this profile must show."""
    backs = {t.face.location for t in templates if t.face.side is Side.BACK}
    # A key that was never shown may look like one that was, with no better one to give it away.
    return LEAST_WORDS if len(backs) == len(Location) else LONE_WORDS


def clearest(scene: Scene, guesses: Sequence[Guess], most: int, least: float) -> Found | None:
    """Return the key that one of the first few guesses about a card is, if it leads clearly.

    Args:
        scene: the picture.
        guesses: sorted by likeness; the next likest of other keys are its rivals.
        most: how many guesses are tried.
        least: the share of its words that the key must show (see `least_words`).
    """
    best: tuple[Guess, Homography, float] | None = None
    for guess in guesses[:most]:
        laid = _laid(scene, guess) if guess.likeness >= LEAST_GUESS else None
        if laid is None:
            continue
        exact, seen = laid
        enough = seen.words >= least and seen.blocks >= LEAST_BLOCKS
        if enough and (best is None or seen.words > best[2]):
            best = guess, exact, seen.words
        if seen.words >= CLEAR_WORDS:
            break
    if best is None:
        return None
    guess, exact, words = best
    if words < CERTAIN_WORDS and words - _of_rivals(scene, guesses, guess, exact) < LEAST_LEAD:
        return None
    return Found(guess.template, exact, words)


def _of_rivals(scene: Scene, guesses: Sequence[Guess], guess: Guess, exact: Homography) -> float:
    """Return the largest share of its words that a rival of a guess shows where that lies."""
    moved = exact @ np.linalg.inv(guess.homography)
    location = guess.template.face.location
    rivals = [other for other in guesses if other.template.face.location is not location]
    shown = (
        rival.template.agreement(scene, moved @ rival.homography).words
        for rival in rivals[:MOST_RIVALS]
    )
    return max(shown, default=0.0)


def _laid(scene: Scene, guess: Guess) -> tuple[Homography, Agreement] | None:
    """Return a guess laid on exactly and what then agrees, or None as soon as it is hopeless."""
    template = guess.template
    rough = template.refine(scene, guess.homography, ROUGH_STEPS)
    if rough is None:
        return None
    if guess.likeness < CLEAR_GUESS and template.agreement(scene, rough).support < LEAST_SUPPORT:
        return None
    exact = template.refine(scene, rough, FINE_STEPS)
    if exact is None or not is_card_like(exact):
        return None
    return exact, template.agreement(scene, exact)


def is_card_like(homography: Homography) -> bool:
    """Whether a pose is one that a card on a table before a camera can have."""
    lifted = CARD_CORNERS_MM @ homography[2, :2] + homography[2, 2]
    if (lifted <= 0).any() or lifted.max() > MOST_NEARER * lifted.min():
        return False
    quad = project(homography, CARD_CORNERS_MM)
    sides = quad[_NEXT] - quad
    turned = sides[_NEXT]
    cross = sides[:, 0] * turned[:, 1] - sides[:, 1] * turned[:, 0]
    if (cross <= 0).any():
        return False
    lengths = np.linalg.norm(sides, axis=1)
    short, long = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    least, most = ASPECT
    return bool(least < long / short < most and (cross / (short * long)).min() > LEAST_SQUARE)
