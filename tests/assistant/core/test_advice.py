"""Where asking helps, against a plain sum over every card and every print of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.advice import advise, expected_left
from assistant.core.deduction import Answer
from assistant.core.terms import Feature, Location
from assistant.core.youth import YouthDeduction, deduce_youth
from assistant.data import load_board
from tests.assistant.core import truth

BOARD = load_board()


def after_one_answer() -> list[YouthDeduction]:
    return [
        deduce_youth(BOARD, [Answer(place, icon)])
        for place in Location
        for icon in Feature
        if truth.hideouts(place, icon)
    ]


@pytest.mark.parametrize("place", Location)
def test_expected_candidates_are_the_mean_over_every_card_and_print(place: Location) -> None:
    for deduction in after_one_answer():
        if place in deduction.asked:
            continue
        mean = Fraction(0)
        for card, share in deduction.shares.items():
            prints = truth.icons(place, card)
            for icon in prints:
                left = set(deduction.candidates) & truth.hideouts(place, icon)
                mean += share / len(prints) * len(left)
        assert expected_left(deduction, place) == mean


def test_asking_again_where_the_answer_is_known_tells_nothing() -> None:
    for deduction in after_one_answer():
        (place,) = deduction.asked
        assert expected_left(deduction, place) == len(deduction.candidates)
        assert place not in {advice.location for advice in advise(BOARD, deduction)}


@given(st.sampled_from(after_one_answer()))
def test_without_a_pawn_the_fewest_expected_candidates_come_first(found: YouthDeduction) -> None:
    expected = [advice.expected for advice in advise(BOARD, found)]
    assert expected == sorted(expected)
    if len(found.candidates) > 1:
        assert len(expected) == len(Location) - 1
        assert all(1 <= left <= len(found.candidates) for left in expected)


@given(st.sampled_from(after_one_answer()), st.sampled_from(Location))
def test_with_a_pawn_the_walk_counts(found: YouthDeduction, pawn: Location) -> None:
    worth: list[float] = []
    for advice in advise(BOARD, found, pawn):
        assert advice.turns == BOARD.distance(pawn, advice.location) + 1
        struck = len(found.candidates) - advice.expected
        assert advice.per_turn is not None
        assert advice.per_turn == pytest.approx(struck / advice.turns)
        worth.append(advice.per_turn)
    assert worth == sorted(worth, reverse=True)


def test_nothing_to_ask_when_the_hideout_is_known() -> None:
    answers = [
        Answer(Location.CORNHILL, Feature.CHURCH),
        Answer(Location.EASTCHEAP, Feature.RIVERSIDE),
    ]
    found = deduce_youth(BOARD, answers)
    assert found.candidates == (Location.LIBERTY_OF_THE_CLINK,)
    assert advise(BOARD, found) == ()


def test_there_is_advice_as_long_as_two_are_left_and_none_for_the_last() -> None:
    hideout = Location.CORNHILL
    answers = [Answer(place, min(truth.icons(place, hideout), key=str)) for place in Location]
    found = [
        deduce_youth(BOARD, some) for size in (2, 3, 4) for some in combinations(answers, size)
    ]
    assert {1, 2} <= {len(deduction.candidates) for deduction in found}
    for deduction in found:
        assert bool(advise(BOARD, deduction)) is (len(deduction.candidates) >= 2)
