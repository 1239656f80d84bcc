"""Which feature is the rendezvous; outside truth: steps.json and the rulebook's own example."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.deduction import Answer
from assistant.core.rendezvous import NUMBERS, deduce_rendezvous, numbers_allowed, places_away
from assistant.core.terms import Feature, Location, StepReading
from assistant.data import load_board
from tests.assistant.core import truth

BOARD = load_board()


@pytest.mark.parametrize("reading", StepReading)
@pytest.mark.parametrize("number", NUMBERS)
def test_places_and_features_away_are_those_of_the_table(reading: StepReading, number: int) -> None:
    for start in Location:
        assert places_away(BOARD, start, number, reading) == truth.places_away(
            start, number, reading
        )
        found = deduce_rendezvous(BOARD, [Answer(start, number)], reading)
        assert set(found.candidates) == truth.features_away(start, number, reading)


def test_the_rulebooks_example_holds_under_every_reading() -> None:
    for reading in StepReading:
        assert places_away(BOARD, Location.BLACKFRIARS, 2, reading) == {
            Location.CRIPPLEGATE,
            Location.CORNHILL,
            Location.SOUTHWARK,
        }
        found = deduce_rendezvous(BOARD, [Answer(Location.BLACKFRIARS, 2)], reading)
        assert set(found.candidates) == {
            Feature.RESIDENCE,
            Feature.COMMERCIAL,
            Feature.CHURCH,
            Feature.TAVERN,
        }


def test_a_walk_may_return_through_a_triangle_where_a_path_may_not() -> None:
    start = Location.ST_PAULS
    assert start in places_away(BOARD, start, 3, StepReading.WALK)
    assert start not in places_away(BOARD, start, 3, StepReading.PATH)


@pytest.mark.parametrize("number", NUMBERS)
def test_walk_contains_path_contains_shortest(number: int) -> None:
    for start in Location:
        walk, path, shortest = (
            places_away(BOARD, start, number, reading) for reading in StepReading
        )
        assert walk >= path >= shortest


def test_every_card_has_a_number_at_every_place_under_every_reading() -> None:
    for reading in StepReading:
        for place in Location:
            for feature in Feature:
                assert numbers_allowed(BOARD, place, feature, reading)


@given(st.data())
def test_the_truth_is_never_struck_out_and_order_does_not_matter(data: st.DataObject) -> None:
    feature = data.draw(st.sampled_from(Feature))
    printed = data.draw(st.sampled_from(StepReading), label="how the card was made")
    answers = []
    for place in data.draw(st.lists(st.sampled_from(Location), unique=True)):
        numbers = [n for n in NUMBERS if feature in truth.features_away(place, n, printed)]
        answers.append(Answer(place, data.draw(st.sampled_from(numbers))))
    found = deduce_rendezvous(BOARD, answers, printed)
    assert feature in found.candidates
    walked = deduce_rendezvous(BOARD, answers)
    assert feature in walked.candidates
    shuffled = deduce_rendezvous(BOARD, data.draw(st.permutations(answers)), printed)
    assert (shuffled.candidates, shuffled.shares) == (found.candidates, found.shares)


def test_a_nearer_copy_of_the_feature_excludes_nothing() -> None:
    # Clerkenwell itself has a church, St Paul's is one step further than Cripplegate.
    found = deduce_rendezvous(BOARD, [Answer(Location.CRIPPLEGATE, 2)])
    nearer = truth.features_away(Location.CRIPPLEGATE, 1, StepReading.WALK)
    assert Feature.CHURCH in nearer
    assert Feature.CHURCH in found.candidates
