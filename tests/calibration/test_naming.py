"""Naming faces: words, icons and holes together, each key once, nothing guessed."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.vision.printed import PrintedFacts, word_scores
from assistant.vision.profile import FACE_PX_PER_MM, FACE_SHAPE
from calibration.naming import LEAST_LEAD, assign, icon_scores

PRINTED = PrintedFacts.from_facts(load_keys())
PLACES = list(Location)


def scores_of(**named: float) -> dict[Location, float]:
    """Scores by the names of the members; 0 for the others."""
    return {place: named.get(place.name, 0.0) for place in Location}


@pytest.mark.parametrize("location", list(Location))
def test_words_read_with_faults_still_fit_their_own_key_best(location: Location) -> None:
    read = PRINTED.back_words[location].replace("e", "c").replace("th", "m")
    scores = word_scores(read, PRINTED.back_words)
    assert max(scores, key=lambda key: scores[key]) is location
    assert sorted(scores.values())[-2] < scores[location] - 0.2


def test_no_words_read_say_nothing_about_any_key() -> None:
    assert set(word_scores(" .,|", PRINTED.names).values()) == {0.0}


def row_of_icons(location: Location) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    ink = np.zeros(FACE_SHAPE, np.float32)
    for left, right in PRINTED.icon_columns_mm[location]:
        ink[
            53 * FACE_PX_PER_MM : 61 * FACE_PX_PER_MM,
            round(left * FACE_PX_PER_MM) : round(right * FACE_PX_PER_MM),
        ] = 0.8
    return ink


@pytest.mark.parametrize("location", list(Location))
def test_a_row_of_icons_fits_its_own_key_and_those_with_the_same_columns(
    location: Location,
) -> None:
    scores = icon_scores(row_of_icons(location), PRINTED)
    mine = PRINTED.icon_columns_mm[location]
    assert scores[location] > 0.95
    for other in Location:
        if len(PRINTED.icon_columns_mm[other]) != len(mine):
            assert scores[other] < 0.7, other


def test_each_face_gets_the_key_that_it_fits() -> None:
    faces = [scores_of(CORNHILL=0.9), scores_of(EASTCHEAP=0.8), scores_of(SOUTHWARK=0.7)]
    assert assign(faces) == [Location.CORNHILL, Location.EASTCHEAP, Location.SOUTHWARK]


def test_a_face_that_fits_two_free_keys_alike_stays_without_a_name() -> None:
    assert assign([scores_of(CORNHILL=0.9, EASTCHEAP=0.9 - LEAST_LEAD / 2)]) == [None]


def test_a_rival_key_that_another_face_has_for_sure_does_not_count() -> None:
    unclear = scores_of(CORNHILL=0.9, EASTCHEAP=0.88)
    sure = scores_of(EASTCHEAP=1.5)
    assert assign([unclear, sure]) == [Location.CORNHILL, Location.EASTCHEAP]


def test_two_faces_that_could_change_keys_stay_both_without_a_name() -> None:
    face = scores_of(CORNHILL=0.9, EASTCHEAP=0.9)
    assert assign([face, face]) == [None, None]


def test_of_more_faces_than_keys_the_worst_stays_without_a_name() -> None:
    faces = [scores_of(**{place.name: 0.9}) for place in PLACES]
    named = assign([*faces, scores_of(CORNHILL=0.3)])
    assert named[:-1] == PLACES
    assert named[-1] is None


@given(
    st.lists(
        st.lists(st.floats(0, 1), min_size=len(PLACES), max_size=len(PLACES)),
        min_size=1,
        max_size=3,
    )
)
def test_the_total_is_the_greatest_of_all_ways_to_give_out_the_keys(
    table: list[list[float]],
) -> None:
    named = assign([dict(zip(PLACES, row, strict=True)) for row in table])
    given_keys = [place for place in named if place is not None]
    assert len(given_keys) == len(set(given_keys))
    if None not in named:
        best = max(
            sum(row[column] for row, column in zip(table, columns, strict=True))
            for columns in permutations(range(len(PLACES)), len(table))
        )
        total = sum(row[PLACES.index(p)] for row, p in zip(table, named, strict=True) if p)
        assert total == pytest.approx(best)
