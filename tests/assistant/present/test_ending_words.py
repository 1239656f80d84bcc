"""How an ending is told: the same words in the window, on the page and in the terminal."""

from __future__ import annotations

import pytest

from assistant.core.score import Ending, Sheet
from assistant.core.settings import Expansion
from assistant.present.ending_words import ENDING_WORDS, looking_back, outcome_words
from assistant.present.set_up_form import EXPANSION_WORDS, expansion_name


def test_only_a_game_that_was_left_is_told_otherwise_afterwards() -> None:
    told = {ending: looking_back(ending) for ending in Ending}
    assert {ending for ending in Ending if told[ending] != ENDING_WORDS[ending]} == {Ending.OPEN}
    assert len(set(told.values())) == len(Ending)


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        (Sheet(Ending.WON, (), 66), "You unmasked the Dark Lady. You win! 66 points."),
        (Sheet(Ending.WON, (), 1), "You unmasked the Dark Lady. You win! 1 point."),
        (Sheet(Ending.WON, (), None), "You unmasked the Dark Lady. You win!"),
        (Sheet(Ending.OPEN, (), None), "The game was not played to its end."),
    ],
)
def test_the_points_are_told_where_there_is_a_total(sheet: Sheet, words: str) -> None:
    assert outcome_words(sheet) == words


def test_inside_a_sentence_an_expansion_has_the_name_of_the_set_up_page() -> None:
    assert expansion_name(Expansion.YOUTH) == "the Fair Youth"
    assert expansion_name(Expansion.MARKERS) == "Waypoints and Traces"
    for expansion in Expansion:
        name = expansion_name(expansion)
        assert name[:1].upper() + name[1:] == EXPANSION_WORDS[expansion][0]
