"""The bare reader: reads stacks before the player has shown a single card.

It has the interface of reader.Reader and knows only printed facts: where the keyholes are cut, how
a digit and the Lady may look, how paper looks. So it reads digits and the Lady on keys whose
outline stands out from the table. An icon is a drawing that it has never seen, and blank is no
evidence while the pose rests on outlines alone: both are `unlike` or `unsure` until the player
shows the keys once.

A mirrored picture cannot be told by it: the holes are cut in mirrored pairs, and the Lady looks
alike in a mirror. Printed words can (they are then read on no key), and learnt print does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.core.terms import BLANK
from assistant.vision.bare_key import BareFinder, BareKey
from assistant.vision.glyphs import built_in_glyphs
from assistant.vision.hole import HoleReader
from assistant.vision.overhang import sticks_out
from assistant.vision.printed_words import TextReader
from assistant.vision.scene import Scene
from assistant.vision.sighting import Picture, Reason, Side, Sighting
from assistant.vision.stillness import Stillness
from assistant.vision.told import SURE_READS, Seen, claims_same, told

_Seen = Seen[BareKey]


class BareReader:
    """Reads pictures of stacks with nothing learnt. One thread at a time may use it."""

    def __init__(self, facts: Mapping[str, Any], read_text: TextReader | None = None) -> None:
        """Take what is known of every copy.

        Args:
            facts: the measured facts of the keys (the layout of assistant/data/keys.json).
            read_text: reads printed words, for stills alone: it takes longer than a frame may.
        """
        self._finder = BareFinder(facts)
        self._read_text = read_text
        self._holes = HoleReader(built_in_glyphs())
        self._last: Sighting | None = None
        self._reads = 0
        self._stillness = Stillness()

    def read_still(self, picture: Picture) -> Sighting:
        """Return what a single picture shows; nothing is remembered from earlier ones."""
        return self._read(picture, self._read_text)

    def look(self, picture: Picture) -> Sighting:
        """Return what the next picture of a stream shows; words are not read."""
        still = self._stillness.holds(picture)
        if still and self._last is not None and self._reads >= SURE_READS:
            return self._last
        sighting = self._read(picture, None)
        self._reads = self._reads + 1 if claims_same(sighting, self._last) else 1
        self._last = sighting
        return sighting

    def _read(self, picture: Picture, read_text: TextReader | None) -> Sighting:
        keys = self._finder.find(picture, read_text)
        seen = sorted((self._seen(picture, key) for key in keys), key=_worth, reverse=True)
        return told(Scene(picture), seen)

    def _seen(self, picture: Picture, key: BareKey) -> _Seen:
        """Return what shows in a key's hole."""
        if key.location is None:
            return Seen(key, reason=Reason.WHICH_KEY)
        if key.side is Side.FRONT:
            return Seen(key, reason=Reason.OTHER_SIDE)
        keyhole = self._finder.keyholes[key.location]
        hole = self._holes.read(picture, key.homography, keyhole)
        if hole.content == BLANK:
            # The outline may be that of both cards together where the lower one sticks out, and
            # nothing printed tells: a blank strikes a place out, so it waits for learnt faces.
            is_out = sticks_out(picture, key.homography)
            return Seen(key, reason=Reason.OUT_OF_LINE if is_out else Reason.UNSURE)
        return Seen(key, hole.content, hole.confidence, hole.reason)


def _worth(seen: _Seen) -> tuple[bool, bool, bool, float]:
    """A stack that can be read comes first, then a known key, then a back, then the surer."""
    key = seen.key
    is_back = key.side is Side.BACK
    return seen.content is not None, key.location is not None, is_back, key.clearness
