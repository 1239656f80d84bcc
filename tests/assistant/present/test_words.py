"""What is said, in the rulebook's words."""

from __future__ import annotations

import pytest

from assistant.core.deduction import Answer
from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.present.words import (
    WHY_NOT,
    answer_words,
    content_words,
    counted,
    listed,
    percent,
    reading_words,
)
from assistant.vision.sighting import Reason


def test_there_is_a_sentence_for_every_reason_and_for_nothing_else() -> None:
    assert set(WHY_NOT) == {reason.value for reason in Reason}


@pytest.mark.parametrize(
    ("content", "card"),
    [
        (Content.icon(Feature.CHURCH), "Fair Youth card shows church"),
        (Content.digit(2), "Rendezvous card shows 2"),
        (LADY, "stealth card shows the Dark Lady"),
        (BLANK, "stealth card shows nothing printed"),
    ],
)
def test_a_reading_names_the_place_the_card_and_what_it_showed(content: Content, card: str) -> None:
    assert reading_words(Location.ST_PAULS, content) == f"St Paul's: the {card}"
    assert content_words(content) in card


def test_an_answer_is_written_as_it_is_typed() -> None:
    assert answer_words(Answer(Location.CORNHILL, Feature.CHURCH)) == "Cornhill=church"
    assert answer_words(Answer(Location.BLACKFRIARS, 2)) == "Blackfriars=2"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [([], "none"), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_words_are_listed_as_in_a_sentence(words: list[str], sentence: str) -> None:
    assert listed(words) == sentence


def test_one_is_one_thing_and_more_are_things() -> None:
    assert [counted(n, "place") for n in (0, 1, 2)] == ["0 places", "1 place", "2 places"]


def test_what_is_possible_is_never_said_to_be_nought_per_cent() -> None:
    assert [percent(share) for share in (0.0, 0.001, 0.25, 1.0)] == [
        "0 %",
        "<1 %",
        "25 %",
        "100 %",
    ]
