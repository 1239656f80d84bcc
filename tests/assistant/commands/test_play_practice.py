"""The practice table's hidden cards: laid out as the rulebook says."""

from __future__ import annotations

from itertools import combinations

import pytest

from assistant.commands.play_practice import PracticeTable
from assistant.core.events import SessionStarted
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown
from assistant.core.suits import DARKER_SUITS, Suit, Trait
from assistant.core.terms import Feature, Location
from assistant.data import load_ladies
from assistant.present.turned_cards import TurnedCards

DARKER = frozenset({Expansion.DARKER})


def of_her_suit(cards: TurnedCards) -> list[int]:
    """Return where in the clue deck cards of the Lady's suit lie, from its top."""
    return [at for at, card in enumerate(cards.clues) if card.suit is cards.lady.suit]


@pytest.mark.parametrize("seed", range(4))
def test_the_clue_deck_holds_neither_the_lady_nor_the_card_under_the_keys(seed: int) -> None:
    cards = PracticeTable(seed).cards(())
    assert cards.mate.suit is cards.lady.suit
    assert cards.mate is not cards.lady
    dealt = [cards.lady, cards.mate, *cards.clues]
    assert len(cards.clues) == 10
    assert {card.clue.name for card in dealt} == {card.clue.name for card in load_ladies()}


@pytest.mark.parametrize("seed", range(12))
def test_the_last_darker_lady_of_the_suit_is_among_the_first_four_clues(seed: int) -> None:
    cards = PracticeTable(seed).cards(DARKER)
    dealt = [cards.lady, cards.mate, *cards.clues]
    assert len({card.clue.name for card in dealt}) == len(dealt) == 12
    assert [sum(card.suit is suit for card in dealt) for suit in DARKER_SUITS] == [3, 3, 3, 3]
    assert cards.mate.suit is cards.lady.suit
    (at,) = of_her_suit(cards)
    assert at < 4


def test_each_of_the_four_first_clues_may_be_of_her_suit() -> None:
    places = {at for seed in range(40) for at in of_her_suit(PracticeTable(seed).cards(DARKER))}
    assert places == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", range(12))
def test_a_darker_clue_never_strikes_the_lady_out_whichever_way_it_is_counted(seed: int) -> None:
    cards = PracticeTable(seed).cards(DARKER)
    for card in [cards.mate, *cards.clues]:
        shared = [trait for trait in Trait if trait in card.clue.traits & cards.lady.clue.traits]
        counts = card.clue.counts(cards.lady.suit)
        assert counts is not None
        assert len(shared) in counts
        assert {mark.suit for mark in card.clue.marks} == set(DARKER_SUITS)
    every = [card.clue.traits for card in [cards.lady, cards.mate, *cards.clues]]
    assert all(one != other for one, other in combinations(every, 2))


@pytest.mark.parametrize("seed", range(30))
def test_who_holds_every_darker_clue_knows_the_lady(seed: int) -> None:
    cards = PracticeTable(seed).cards(DARKER)
    held = [card.clue for card in [cards.mate, *cards.clues]]
    left = [
        set(three)
        for three in combinations(Trait, 3)
        if all(len(c.traits & set(three)) in (c.counts(cards.lady.suit) or ()) for c in held)
    ]
    assert left == [set(cards.lady.clue.traits)]


def test_the_game_begins_with_what_lies_on_the_table() -> None:
    table = PracticeTable(3)
    for expansions in (frozenset[Expansion](), DARKER):
        # A suit chosen on the page is not what is printed on the back of the Lady's card.
        for suit in (None, *Suit):
            dealt = table.dealt(SessionStarted(expansions, pawn=Location.CORNHILL, suit=suit))
            assert dealt.suit is table.cards(expansions).lady.suit
            assert dealt.top is Shown(table.cards(expansions).symbols[0].value)
    bare = SessionStarted()
    assert table.dealt(bare) is bare


def test_the_darker_ladies_left_what_a_seed_hides_of_a_base_game_as_it_was() -> None:
    # As seed 8 hid it before there were any.
    base = PracticeTable(8).cards(())
    assert (base.hideout, base.symbol) == (Location.CORNHILL, Feature.RIVERSIDE)
    assert base.lady.clue.name == "Winnifred Burbage"
    assert base.way[:3] == [Location.SHOREDITCH, Location.CRIPPLEGATE, Location.SHOREDITCH]
