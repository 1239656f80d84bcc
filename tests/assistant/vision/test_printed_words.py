"""Words that are plainly another key's take a reading back, nothing else does."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.terms import Content, Feature, Location
from assistant.data import load_keys
from assistant.vision.ink import Grey
from assistant.vision.printed_words import PrintedWords
from assistant.vision.sighting import Corners, Picture, Reason, Side, Sighting

CORNERS: Corners = ((100.0, 100.0), (188.0, 100.0), (188.0, 236.0), (100.0, 236.0))
PICTURE: Picture = np.full((300, 300, 3), 200, np.uint8)
CORNHILL = Sighting(
    Location.CORNHILL, Side.BACK, CORNERS, Content.icon(Feature.TAVERN), 0.9, others=2
)


def words_on(location: Location) -> str:
    return " ".join(load_keys()["keys"][location.value]["back_text"])


def doubted(text: str, sighting: Sighting = CORNHILL) -> Sighting:
    return PrintedWords(load_keys(), lambda _: text).doubted(PICTURE, sighting)


@pytest.mark.parametrize("other", [place for place in Location if place is not Location.CORNHILL])
def test_another_keys_words_take_the_reading_back(other: Location) -> None:
    assert doubted(words_on(other)) == Sighting(reason=Reason.WHICH_KEY, others=2)


@pytest.mark.parametrize(
    "text", ["", "|| .", words_on(Location.CORNHILL), words_on(Location.CORNHILL)[5:40]]
)
def test_its_own_words_and_none_change_nothing(text: str) -> None:
    assert doubted(text) is CORNHILL


def test_without_a_key_no_words_are_read() -> None:
    def never(grey: Grey) -> str:
        raise AssertionError("there is nothing to read")

    nothing = Sighting(reason=Reason.NO_KEY)
    assert PrintedWords(load_keys(), never).doubted(PICTURE, nothing) is nothing


def test_the_words_are_read_from_the_key_seen_straight_on() -> None:
    given: list[Grey] = []

    def keep(grey: Grey) -> str:
        given.append(grey)
        return ""

    picture = PICTURE.copy()
    picture[100:168, 100:188] = 50
    PrintedWords(load_keys(), keep).doubted(picture, CORNHILL)
    [straight] = given
    assert straight.shape == (680, 440)
    assert straight[:330].mean() < 60
    assert straight[350:].mean() > 190
