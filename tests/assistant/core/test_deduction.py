"""Conflicts and the reasons why a card is out."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assistant.core.deduction import Answer, smallest_conflict
from assistant.core.terms import Feature, Location
from assistant.core.youth import YouthAnswer, deduce_youth, youth_puzzle
from assistant.data import load_board
from tests.assistant.core import truth

BOARD = load_board()

answers_of_anyone = st.lists(
    st.builds(Answer, st.sampled_from(Location), st.sampled_from(Feature)), max_size=7
)


def left_by_the_tables(answers: tuple[YouthAnswer, ...]) -> set[Location]:
    left = set(Location)
    for one, other in combinations(answers, 2):
        if one.location is other.location and one.value is not other.value:
            return set()
    for answer in answers:
        left &= truth.hideouts(answer.location, answer.value)
    return left


@given(answers_of_anyone)
def test_candidates_are_empty_exactly_with_a_conflict(answers: list[YouthAnswer]) -> None:
    found = deduce_youth(BOARD, answers)
    assert set(found.candidates) == left_by_the_tables(tuple(answers))
    assert (found.conflict is None) is bool(found.candidates)
    assert sum(found.shares.values()) == (1 if found.candidates else 0)


@given(answers_of_anyone)
def test_no_smaller_set_is_to_blame_and_every_set_as_small_is_named(
    answers: list[YouthAnswer],
) -> None:
    found = deduce_youth(BOARD, answers)
    assume(found.conflict is not None)
    assert found.conflict is not None
    blamed = [found.conflict.answers, *found.conflict.others]
    size = len(found.conflict.answers)
    distinct = tuple(dict.fromkeys(answers))
    for smaller in range(size):
        for subset in combinations(distinct, smaller):
            assert left_by_the_tables(subset)
    expected = [s for s in combinations(distinct, size) if not left_by_the_tables(s)]
    assert blamed == expected


def test_an_icon_that_no_neighbour_has_is_to_blame_alone() -> None:
    impossible = Answer(Location.CLERKENWELL, Feature.TAVERN)
    found = deduce_youth(BOARD, [Answer(Location.CORNHILL, Feature.CHURCH), impossible])
    assert found.conflict is not None
    assert found.conflict.answers == (impossible,)


def test_two_icons_at_one_place_are_the_pair_to_blame() -> None:
    pair = (Answer(Location.CORNHILL, Feature.CHURCH), Answer(Location.CORNHILL, Feature.TAVERN))
    found = deduce_youth(BOARD, pair)
    assert found.conflict is not None
    assert found.conflict.answers == pair


@given(st.sampled_from(Location), st.data())
def test_the_same_answer_again_changes_nothing(place: Location, data: st.DataObject) -> None:
    icon = data.draw(st.sampled_from(sorted(truth.icons(place, place), key=str)))
    once = deduce_youth(BOARD, [Answer(place, icon)])
    twice = deduce_youth(BOARD, [Answer(place, icon, 1), Answer(place, icon, 2)])
    assert (once.candidates, once.shares) == (twice.candidates, twice.shares)


@given(answers_of_anyone)
def test_every_answer_that_rules_a_card_out_is_told_in_order(answers: list[YouthAnswer]) -> None:
    found = deduce_youth(BOARD, answers)
    for card in Location:
        against = [
            answer
            for answer in dict.fromkeys(answers)
            if card not in truth.hideouts(answer.location, answer.value)
        ]
        assert list(found.struck_out.get(card, ())) == against


def test_answers_that_agree_have_nothing_to_blame() -> None:
    with pytest.raises(ValueError, match="do not contradict"):
        smallest_conflict(youth_puzzle(BOARD), [Answer(Location.CORNHILL, Feature.CHURCH)])
