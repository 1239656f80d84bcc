"""The practice table's hidden cards: laid out as the rulebook says."""

from __future__ import annotations

import pytest

from assistant.commands.play_practice import PracticeTable
from assistant.data import load_ladies


@pytest.mark.parametrize("seed", range(4))
def test_the_clue_deck_holds_neither_the_lady_nor_the_card_under_the_keys(seed: int) -> None:
    cards = PracticeTable(seed).cards
    assert cards.mate.suit is cards.lady.suit
    assert cards.mate is not cards.lady
    dealt = [cards.lady, cards.mate, *cards.clues]
    assert len(cards.clues) == 10
    assert {card.clue.name for card in dealt} == {card.clue.name for card in load_ladies()}
