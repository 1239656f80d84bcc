"""The practice deck against the rules' tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.core.terms import BLANK, LADY, Content, Feature, Location, StepReading
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from tests.assistant.core import truth

SEEDS = st.integers(0, 10_000)


@given(SEEDS)
def test_every_icon_is_one_that_the_rules_allow_for_the_hideout(seed: int) -> None:
    deck = PracticeDeck(load_board(), seed)
    for hideout, card in deck.youth.items():
        assert card.hideout is hideout
        for asked in Location:
            assert card.icons[asked] in truth.icons(asked, hideout)


@given(SEEDS, st.sampled_from(StepReading))
def test_every_number_leads_to_a_place_with_the_feature(seed: int, steps: StepReading) -> None:
    deck = PracticeDeck(load_board(), seed, steps)
    for feature, card in deck.rendezvous.items():
        assert card.feature is feature
        for sought in Location:
            assert feature in truth.features_away(sought, card.numbers[sought], steps)


def test_same_seed_gives_the_same_deck_and_another_seed_another() -> None:
    first, again, other = (PracticeDeck(load_board(), seed) for seed in (5, 5, 6))
    assert first.youth == again.youth
    assert first.rendezvous == again.rendezvous
    assert first.stealth == again.stealth
    assert first.youth != other.youth
    assert first.rendezvous != other.rendezvous


def test_every_allowed_icon_turns_up_in_some_deck() -> None:
    decks = [PracticeDeck(load_board(), seed) for seed in range(120)]
    for asked in Location:
        for hideout in Location:
            drawn = {deck.youth[hideout].icons[asked] for deck in decks}
            assert drawn == truth.icons(asked, hideout)


def test_cards_show_what_is_printed_in_the_hole_of_each_key() -> None:
    deck = PracticeDeck(load_board(), 1)
    youth, rendezvous = deck.youth[Location.CORNHILL], deck.rendezvous[Feature.TAVERN]
    for place in Location:
        assert youth.shows(place) == Content.icon(youth.icons[place])
        assert rendezvous.shows(place) == Content.digit(rendezvous.numbers[place])


def test_stealth_card_shows_the_lady_at_her_place_and_blank_paper_elsewhere() -> None:
    for place, card in PracticeDeck(load_board(), 1).stealth.items():
        assert [p for p in Location if card.shows(p) == LADY] == [place]
        assert {card.shows(p) for p in Location if p is not place} == {BLANK}
        assert card.symbol in load_board().features(place)
