"""What is printed on the keys, and how alike words that were read are to it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.terms import Location
from assistant.vision.sighting import Side

Scores = Mapping[Location, float]


@dataclass(frozen=True, slots=True)
class PrintedFacts:
    """What is printed on each key, from the measured facts (assistant/data/keys.json)."""

    names: Mapping[Location, str]
    back_words: Mapping[Location, str]
    icon_columns_mm: Mapping[Location, Sequence[tuple[float, float]]]

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> PrintedFacts:
        """Return the facts of all keys."""
        keys = {Location(name): key for name, key in facts["keys"].items()}
        return cls(
            names={location: location.value for location in keys},
            back_words={location: " ".join(key["back_text"]) for location, key in keys.items()},
            icon_columns_mm={
                location: [
                    (
                        icon["centre_mm"][0] - icon["size_mm"][0] / 2,
                        icon["centre_mm"][0] + icon["size_mm"][0] / 2,
                    )
                    for icon in key["icons"]
                ]
                for location, key in keys.items()
            },
        )

    def words(self, side: Side) -> Mapping[Location, str]:
        """Return each key's words on a side: the sonnet's lines on a back, its name on a front."""
        return self.back_words if side is Side.BACK else self.names


def word_scores(text: str, printed: Mapping[Location, str]) -> Scores:
    """Return how alike a read text is to what is printed on each key, 0..1 each."""
    seen = _plain(text)
    if len(seen) < 4:
        return dict.fromkeys(printed, 0.0)
    return {
        location: difflib.SequenceMatcher(None, seen, _plain(words), autojunk=False).ratio()
        for location, words in printed.items()
    }


def _plain(text: str) -> str:
    return re.sub(r"[^a-z]+", "", text.lower())
