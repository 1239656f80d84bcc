"""A landmark that the camera sees: offered first where the stealth deck is asked for."""

from __future__ import annotations

import pytest

from assistant.core.stealth import Shown
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import LadyFled, LadyUpdated, PoetMoved
from assistant.present.choices import TopTold, ask
from assistant.present.set_up_form import (
    SetUpForm,
    first_question,
    is_first,
    top_shown_to_camera,
)
from assistant.present.symbol_asks import about_deck, feature_offers, shown_to_camera
from assistant.present.turn_row import turn_row
from tests.assistant.present.games import KNOWN, STARTED, Played


@pytest.mark.parametrize("feature", list(Feature))
def test_what_the_camera_sees_is_what_the_large_key_takes(feature: Feature) -> None:
    row = turn_row(Played(STARTED).state, KNOWN)
    assert row.is_about_deck
    seen = shown_to_camera(row, feature)
    first = seen.by_key(" ")
    assert first is not None
    assert first.open() == LadyUpdated(Shown(feature.value))
    assert feature.value in seen.title.lower()


def test_every_other_answer_stays_with_its_key() -> None:
    row = turn_row(Played(STARTED).state, KNOWN)
    seen = shown_to_camera(row, Feature.TAVERN)
    assert {(o.key, o.label) for o in seen.offers} == {(o.key, o.label) for o in row.offers}


def test_a_second_landmark_takes_the_place_of_the_first() -> None:
    row = turn_row(Played(STARTED).state, KNOWN)
    once = shown_to_camera(row, Feature.CHURCH)
    twice = shown_to_camera(once, Feature.RURAL)
    assert twice.offers[0].open() == LadyUpdated(Shown.RURAL)
    assert [o.label for o in twice.offers].count("church") == 1


def test_a_question_about_anything_else_stays_as_it_is() -> None:
    played = Played(STARTED, LadyUpdated(Shown.RURAL), PoetMoved(Location.CLERKENWELL))
    row = turn_row(played.state, KNOWN)
    assert not row.is_about_deck
    assert shown_to_camera(row, Feature.RURAL) is row
    icons = ask("Which icon shows in the keyhole?", feature_offers(lambda _: LadyFled(())))
    assert shown_to_camera(icons, Feature.RURAL) is icons


def test_where_fog_lies_for_certain_no_card_is_asked_for() -> None:
    fog = ask("Fog", [o for o in turn_row(Played(STARTED).state, KNOWN).offers if o.label == "fog"])
    assert not about_deck(fog).is_about_deck


@pytest.mark.parametrize("last_game", ["", "29 Nov 20:15, turn 4"])
def test_while_the_table_is_set_up_the_card_shown_is_offered_for_the_form(last_game: str) -> None:
    first = first_question(last_game)
    seen = top_shown_to_camera(first, Feature.TAVERN, SetUpForm())
    assert seen.offers[0].open() == TopTold(Shown.TAVERN)
    assert seen.first is seen.offers[0]
    assert seen.offers[1:] == first.offers
    assert len({offer.key for offer in seen.offers}) == len(seen.offers)
    assert is_first(seen)
    assert seen.is_about_deck


def test_what_the_form_says_already_is_not_offered() -> None:
    first = first_question("")
    assert top_shown_to_camera(first, Feature.TAVERN, SetUpForm(top=Shown.TAVERN)) is first
