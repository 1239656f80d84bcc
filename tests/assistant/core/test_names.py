"""Typed names of places and features."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.errors import UnknownNameError
from assistant.core.names import parse_feature, parse_location
from assistant.core.terms import Feature, Location
from assistant.data import load_aliases

ALIASES = load_aliases()


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("clink", Location.LIBERTY_OF_THE_CLINK),
        ("the liberty", Location.LIBERTY_OF_THE_CLINK),
        ("Saint Pauls", Location.ST_PAULS),
        ("st. paul’s", Location.ST_PAULS),  # noqa: RUF001 - a printed apostrophe
        ("ST PAUL'S", Location.ST_PAULS),
        ("london-bridge", Location.LONDON_BRIDGE),
        (" LondonBridge ", Location.LONDON_BRIDGE),
        ("cle", Location.CLERKENWELL),
        ("bi", Location.BISHOPSGATE),
        ("so", Location.SOUTHWARK),
    ],
)
def test_a_name_may_be_typed_in_many_ways(typed: str, place: Location) -> None:
    assert parse_location(typed, ALIASES) is place


@pytest.mark.parametrize("typed", ["b", "C", "l", "s"])
def test_a_beginning_of_several_names_is_refused_with_the_choices(typed: str) -> None:
    with pytest.raises(UnknownNameError, match=r"more than one place: .*, "):
        parse_location(typed, ALIASES)


@pytest.mark.parametrize("typed", ["", "  ", "'", "Atlantis", "Cornhills"])
def test_what_is_no_name_is_refused_with_every_choice(typed: str) -> None:
    with pytest.raises(UnknownNameError, match=r"Clerkenwell, .*, St Paul's"):
        parse_location(typed, ALIASES)


@given(st.sampled_from(Location), st.data())
def test_any_beginning_means_its_place_or_is_ambiguous(
    place: Location, data: st.DataObject
) -> None:
    end = data.draw(st.integers(1, len(place.value)))
    try:
        found = parse_location(place.value[:end], ALIASES)
    except UnknownNameError as error:
        assert place.value in str(error)  # noqa: PT017 - either outcome is right
    else:
        assert found is place


@pytest.mark.parametrize("feature", Feature)
def test_features_by_name_and_by_beginning(feature: Feature) -> None:
    assert parse_feature(feature.value.upper()) is feature
    assert parse_feature(feature.value[:3]) is feature


def test_a_beginning_of_three_features_names_the_three() -> None:
    with pytest.raises(UnknownNameError, match="riverside, rural, residence"):
        parse_feature("r")


def test_a_whole_name_wins_over_longer_ones_that_begin_with_it() -> None:
    aliases = {Location.CORNHILL: ("London",)}
    assert parse_location("london", aliases) is Location.CORNHILL
