"""Where the Fair Youth hides; outside truth: fair_youth.json."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.deduction import Answer
from assistant.core.terms import Feature, Location
from assistant.core.youth import deduce_youth, icons_allowed
from assistant.data import load_board
from tests.assistant.core import truth

BOARD = load_board()


@pytest.mark.parametrize("asked", Location)
def test_icons_allowed_are_those_of_the_table(asked: Location) -> None:
    for hideout in Location:
        assert icons_allowed(BOARD, asked, hideout) == truth.icons(asked, hideout)


@pytest.mark.parametrize("asked", Location)
def test_candidates_after_one_answer_are_those_of_the_table(asked: Location) -> None:
    for icon in Feature:
        found = deduce_youth(BOARD, [Answer(asked, icon)])
        assert set(found.candidates) == truth.hideouts(asked, icon)


def test_every_pair_of_answers_leaves_what_both_tables_leave() -> None:
    answers = [Answer(place, icon) for place in Location for icon in Feature]
    for one, other in product(answers, repeat=2):
        if one.location is other.location and one.value is not other.value:
            continue
        found = deduce_youth(BOARD, [one, other]).candidates
        both = truth.hideouts(one.location, one.value) & truth.hideouts(other.location, other.value)
        assert set(found) == both


@given(st.data())
def test_the_truth_is_never_struck_out_and_order_does_not_matter(data: st.DataObject) -> None:
    hideout = data.draw(st.sampled_from(Location))
    asked = data.draw(st.lists(st.sampled_from(Location), unique=True))
    answers = [
        Answer(place, data.draw(st.sampled_from(sorted(truth.icons(place, hideout), key=str))))
        for place in asked
    ]
    found = deduce_youth(BOARD, answers)
    assert hideout in found.candidates
    assert found.conflict is None
    shuffled = deduce_youth(BOARD, data.draw(st.permutations(answers)))
    assert shuffled.candidates == found.candidates
    assert shuffled.shares == found.shares


def test_weights_are_those_of_counting_every_card_that_could_have_been_printed() -> None:
    asked = (Location.CRIPPLEGATE, Location.SOUTHWARK, Location.ST_PAULS)
    seen = (Feature.CHURCH, Feature.RESIDENCE, Feature.PLAYHOUSE)
    chance: dict[Location, Fraction] = {}
    for hideout in Location:
        prints = list(product(*(truth.icons(place, hideout) for place in asked)))
        if seen in prints:
            chance[hideout] = Fraction(prints.count(seen), len(prints))
    total = sum(chance.values())
    assert len(chance) > 1
    found = deduce_youth(BOARD, map(Answer, asked, seen))
    assert found.shares == {hideout: share / total for hideout, share in chance.items()}


def test_asked_in_his_hideout_the_bystander_strikes_it_out_only_without_such_a_neighbour() -> None:
    for place in Location:
        around = set().union(*(BOARD.features(there) for there in BOARD.neighbours(place)))
        for icon in Feature:
            found = deduce_youth(BOARD, [Answer(place, icon)])
            assert (place in found.candidates) is (icon in around)
