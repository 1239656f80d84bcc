"""How the end of a game is told: in the window while it is played, and in its story afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.core.score import Ending, Sheet
from assistant.present.words import counted

#: What each ending is called, a sentence or two.
ENDING_WORDS: Mapping[Ending, str] = {
    Ending.OPEN: "The game is on.",
    Ending.WON: "You unmasked the Dark Lady. You win!",
    Ending.WRONG_PLACE: "The rendezvous was elsewhere. The game is lost.",
    Ending.NOT_HERE: "The Lady was not there. The game is lost.",
    Ending.WRONG_TRAITS: "She was somebody else. The game is lost.",
    Ending.ESCAPED: "The Lady got away. The game is lost.",
}


def looking_back(ending: Ending) -> str:
    """Return an ending as a log tells it afterwards: what was on then was left."""
    return "The game was not played to its end." if ending is Ending.OPEN else ENDING_WORDS[ending]


def outcome_words(sheet: Sheet) -> str:
    """Return how a game ended, looking back, and its points where there is a total."""
    words = looking_back(sheet.ending)
    return words if sheet.total is None else f"{words} {counted(sheet.total, 'point')}."
