"""The words of the log's lines, kind by kind."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from assistant.core.stealth import Shown
from assistant.core.suits import Suit
from assistant.core.terms import Location
from assistant.core.turn_events import FogUsed
from assistant.present.event_words import event_words

USED = FogUsed(9)

#: What a fog card may have done, and how the log says it.
DID: dict[str, tuple[Any, str]] = {
    "pawn_to": (Location.CORNHILL, "your pawn went to Cornhill"),
    "shows": ((Shown.FOG, Shown.UNSEEN), "the deck advanced by 2 cards"),
    "clues": (1, "1 clue gained"),
    "fog_discarded": (2, "2 fog cards discarded"),
    "suit": (Suit.OAK, "the Lady is now of the suit oak"),
    "returned": (False, "the card left the game"),
}


def test_a_fog_card_that_did_nothing_was_only_used() -> None:
    assert event_words(USED) == "fog card 9 used"


def test_every_thing_that_a_fog_card_may_do_has_its_words_here() -> None:
    assert {field.name for field in fields(USED)} == {"card", *DID}


@pytest.mark.parametrize("name", DID)
def test_the_log_says_what_a_fog_card_did(name: str) -> None:
    value, words = DID[name]
    assert event_words(replace(USED, **{name: value})) == f"fog card 9 used: {words}"


def test_what_a_fog_card_did_is_told_whole() -> None:
    used = replace(USED, **{name: value for name, (value, _) in DID.items()})
    for _, words in DID.values():
        assert words in event_words(used)
