"""A second opinion on which key it is, by its printed words.

It never names a key by itself: where the words are plainly another key's, a still's reading is
taken back as `which-key` (`bystander read --ocr`) and a live player is told; where they cannot be
read, or agree, nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.core.terms import Location
from assistant.vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    card_to_picture,
    rectify,
)
from assistant.vision.ink import Grey, grey_of
from assistant.vision.printed import PrintedFacts, word_scores
from assistant.vision.sighting import Picture, Reason, Side, Sighting

#: Reads printed words from a grey picture; returns "" where it cannot.
TextReader = Callable[[Grey], str]

#: Words are read at this scale, which suits Tesseract; on a front only above this line.
PX_PER_MM = 10.0
NAME_ROWS_MM = 24.5

#: Words are another key's when they are as like to its words as this, and by so much more like
#: than to those of the key that was found (both of 1). Half of a back's words reach 0.64 at least
#: on their own key and 0.47 at most on another.
PLAINLY, MORE = 0.6, 0.25


def words_seen(picture: Picture, homography: Homography, side: Side) -> Grey:
    """Return the part of a card that holds its words, straight, grey, at PX_PER_MM.

    `homography` takes mm on the side seen to px.
    """
    size_mm = CARD_WIDTH_MM, CARD_HEIGHT_MM if side is Side.BACK else NAME_ROWS_MM
    return grey_of(rectify(picture, homography, (0.0, 0.0), size_mm, PX_PER_MM))


class PrintedWords:
    """Doubts sightings whose printed words are another key's."""

    def __init__(self, facts: Mapping[str, Any], read_text: TextReader) -> None:
        """Take what is printed on the keys and what reads a picture's text ("" when it cannot)."""
        self._printed = PrintedFacts.from_facts(facts)
        self._read_text = read_text

    def doubted(self, picture: Picture, sighting: Sighting) -> Sighting:
        """Return the sighting, or `which-key` where the words speak plainly against it."""
        if self.against(picture, sighting) is None:
            return sighting
        return Sighting(reason=Reason.WHICH_KEY, others=sighting.others)

    def against(self, picture: Picture, sighting: Sighting) -> Location | None:
        """Return the other key whose words these plainly are; None where they are not."""
        if sighting.location is None or sighting.corners is None:
            return None
        side = sighting.side or Side.BACK
        seen = words_seen(picture, card_to_picture(sighting.corners), side)
        scores = word_scores(self._read_text(seen), self._printed.words(side))
        best = max(scores, key=lambda place: scores[place])
        lead = scores[best] - scores[sighting.location]
        return best if scores[best] >= PLAINLY and lead >= MORE else None
