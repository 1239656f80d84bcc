"""Finding and naming keys by what is the same on every copy: a card's outline and its keyhole.

Without learnt faces the print says nothing; but the 11 keys are cut at 11 measured places, and a
keyhole has a round end, so one outline tells the key, its side and its way up. Two measures of it
must agree: the slopes along it (keyhole_places.py) choose a few of the 22 possibilities, the
orientation of the edges (outline.py) must then show one of them plainly and no other nearly as
well. Printed words, where they are read, may lower what is asked of the outline, or speak against
it; they never name a key alone.

    pale or unlike the table -> outlines -> drawn again -> header?
                                      -> 11 keys, both ways up -> one of them, or none

The thresholds were set on both editions of the printed game and 240 practice stills: cards that
are no keys show up to 2.4, keys 1.2 to 5, wrong ways of the same key within 0.5 of the right one
only below 1.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.core.terms import Location
from assistant.vision.card_edges import CardCut, sharpened
from assistant.vision.card_outline import darkest_channel, outlines_in, unlikeness
from assistant.vision.claim import is_card_like
from assistant.vision.geometry import (
    CARD_CORNERS_MM,
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    HALF_TURN,
    Homography,
    Keyhole,
    keyholes_from_facts,
    project,
    rectify,
)
from assistant.vision.hole_patch import see_hole
from assistant.vision.ink import Grey, grey_of
from assistant.vision.keyhole_places import (
    HOLE_PX_PER_MM,
    header_end,
    may_be_front,
    mirrored,
    outline_scores,
)
from assistant.vision.printed import PrintedFacts, word_scores
from assistant.vision.printed_words import TextReader, words_seen
from assistant.vision.sighting import Picture, Side

#: A picture smaller than this holds no key that could be read.
LEAST_SIDE_PX = 64
#: Outlines of each of the two pictures that are drawn again, and how well they must fit.
MOST_OUTLINES = 8
LEAST_FIT = 0.55
#: The end of a card that is nearer to the camera looks larger by so much at most (35 degrees of
#: tilt at 20 cm); what is cut through the middle of a card looks like a far steeper one.
MOST_STEEP = 1.25
#: Possibilities whose outlines are looked at closely: those whose slopes are so near to the best's.
NEAR_BEST = 0.3
MOST_LIKELY = 8
#: The chosen outline's slopes: at least so clear, and so near to the clearest of all.
LEAST_SLOPES = 0.42
NEAR_CLEAREST = 0.12
#: How clear the outline must be, and by how much clearer than any other; and where the words agree.
LEAST_CLEAR, LEAST_LEAD = 2.2, 0.9
AGREED_CLEAR, AGREED_LEAD = 1.3, 0.3
#: An outline that fits worse may be cut through a card: its keyhole must be so clear.
GOOD_FIT, POOR_FIT_CLEAR = 0.8, 3.0
#: Fainter than this nothing says that a card is a key at all.
PERHAPS_CLEAR = 1.7

#: Words are a key's when they are so alike to its own, and so much less alike to all others'.
WORDS_READ, WORDS_LEAD = 0.6, 0.25

CARD_MM = CARD_WIDTH_MM, CARD_HEIGHT_MM


@dataclass(frozen=True, slots=True, eq=False)
class BareKey:
    """A card whose outline shows a keyhole; `location` None: whose it is cannot be told.

    `homography`: mm on the side seen to px. `clearness`: of the keyhole's outline.
    """

    location: Location | None
    side: Side
    homography: Homography
    clearness: float


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    location: Location
    homography: Homography
    slopes: float
    clearness: float


class BareFinder:
    """Finds keys with nothing learnt. One thread at a time may use it."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        """Take the measured facts of the keys (the layout of assistant/data/keys.json)."""
        self.keyholes = keyholes_from_facts(facts)
        self._printed = PrintedFacts.from_facts(facts)

    def find(self, picture: Picture, read_text: TextReader | None = None) -> list[BareKey]:
        """Return the keys whose outlines show, the clearest first."""
        keys = [self._key(picture, cut, read_text) for cut in find_cards(picture)]
        return sorted((key for key in keys if key is not None), key=lambda key: -key.clearness)

    def _key(self, picture: Picture, cut: CardCut, read_text: TextReader | None) -> BareKey | None:
        """Return the key that a card is, or None where it shows no keyhole."""
        straight = grey_of(rectify(picture, cut.homography, (0.0, 0.0), CARD_MM, HOLE_PX_PER_MM))
        end = header_end(straight)
        side = Side.FRONT if end else Side.BACK
        is_doubtful = side is Side.BACK and may_be_front(straight)
        # A header tells a front's way up; a back is tried both ways.
        ways = {1: (False,), -1: (True,), 0: (False, True)}[end]
        guesses = self._guesses(picture, cut.homography, straight, side, ways)
        if not guesses or guesses[0].clearness < AGREED_CLEAR:
            return None
        best = guesses[0]
        second = guesses[1].clearness if len(guesses) > 1 else 0.0
        words = self._named_by_words(picture, best, side, read_text)
        is_agreed = words is best.location
        least = LEAST_CLEAR if cut.fit >= GOOD_FIT else POOR_FIT_CLEAR
        clear, lead = (AGREED_CLEAR, AGREED_LEAD) if is_agreed else (least, LEAST_LEAD)
        is_known = best.clearness >= clear and best.clearness - second >= lead
        if not is_known or is_doubtful or words not in (None, best.location):
            if best.clearness < PERHAPS_CLEAR and words is None:
                return None
            return BareKey(None, side, best.homography, best.clearness)
        return BareKey(best.location, side, best.homography, best.clearness)

    def _guesses(
        self,
        picture: Picture,
        homography: Homography,
        straight: Grey,
        side: Side,
        ways: tuple[bool, ...],
    ) -> list[_Guess]:
        """Return the likeliest keys and ways up, the clearest first; none where slopes disagree."""
        rough: list[tuple[float, Location, Homography]] = []
        for is_turned in ways:
            card = np.ascontiguousarray(straight[::-1, ::-1]) if is_turned else straight
            pose = homography @ HALF_TURN if is_turned else homography
            found = outline_scores(card, self.keyholes, side)
            rough += [(hole.score, location, pose) for location, hole in found.items()]
        rough.sort(key=lambda one: -one[0])
        steepest = rough[0][0]
        guesses = []
        for slopes, location, pose in rough[:MOST_LIKELY]:
            if slopes < steepest - NEAR_BEST:
                break
            seen = see_hole(picture, pose, self._hole(location, side))
            guesses.append(_Guess(location, pose, slopes, seen.outline.clearness))
        guesses.sort(key=lambda guess: -guess.clearness)
        is_likely = guesses[0].slopes >= max(LEAST_SLOPES, steepest - NEAR_CLEAREST)
        return guesses if is_likely else []

    def _hole(self, location: Location, side: Side) -> Keyhole:
        hole = self.keyholes[location]
        return hole if side is Side.BACK else mirrored(hole)

    def _named_by_words(
        self, picture: Picture, guess: _Guess, side: Side, read_text: TextReader | None
    ) -> Location | None:
        """Return the key that printed words plainly name; None where they name none."""
        if read_text is None:
            return None
        text = read_text(words_seen(picture, guess.homography, side))
        scores = word_scores(text, self._printed.words(side))
        first, second = sorted(scores, key=lambda place: -scores[place])[:2]
        is_plain = scores[first] >= WORDS_READ and scores[first] - scores[second] >= WORDS_LEAD
        return first if is_plain else None


def find_cards(picture: Picture) -> list[CardCut]:
    """Return the cards whose outline shows, each once; which end is up is not known."""
    if min(picture.shape[:2]) < LEAST_SIDE_PX:
        return []
    cards: list[CardCut] = []
    for rough in outlines_in(picture, (darkest_channel, unlikeness), MOST_OUTLINES):
        cut = sharpened(picture, rough)
        if cut is None or cut.fit < LEAST_FIT or not _may_lie_here(cut.homography):
            continue
        twins = [card for card in cards if _are_one(card, cut)]
        if all(twin.fit < cut.fit for twin in twins):
            cards = [card for card in cards if not any(card is twin for twin in twins)]
            cards.append(cut)
    return cards


def _may_lie_here(homography: Homography) -> bool:
    """Whether a card on a table can be seen so."""
    lifted = CARD_CORNERS_MM @ homography[2, :2] + homography[2, 2]
    return is_card_like(homography) and bool(lifted.max() <= MOST_STEEP * lifted.min())


def _are_one(one: CardCut, other: CardCut) -> bool:
    """Whether the middle of the one lies in the middle of the other."""
    middle = np.array([[CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2]])
    inwards = np.asarray(np.linalg.inv(one.homography), np.float64)
    at = project(inwards, project(other.homography, middle))
    return bool(np.linalg.norm(at - middle) < CARD_WIDTH_MM / 4)
