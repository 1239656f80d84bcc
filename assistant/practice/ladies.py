"""The Darker Ladies of the practice deck: twelve of our own, three in each of the four suits.

The traits and rows of the printed ones are not public. Ours are drawn by lot, and their rows follow
from them as on the base game's cards: in the row of a suit stand the numbers of traits that a card
shares with the other Ladies of that suit.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from assistant.core.identity import TRIPLES
from assistant.core.suits import DARKER_SUITS, Clue, LadyCard, Mark, Suit

#: Ladies of one suit.
OF_A_SUIT = 3


def darker_ladies(lots: random.Random) -> tuple[LadyCard, ...]:
    """Return twelve Ladies who all differ in their traits, suit by suit."""
    traits = lots.sample(TRIPLES, OF_A_SUIT * len(DARKER_SUITS))
    bare = [
        LadyCard(suit, Clue(three, (), f"Lady of {suit.value.capitalize()} {1 + number}"))
        for at, suit in enumerate(DARKER_SUITS)
        for number, three in enumerate(traits[OF_A_SUIT * at : OF_A_SUIT * (at + 1)])
    ]
    return tuple(LadyCard(card.suit, _with_rows(card.clue, bare)) for card in bare)


def _with_rows(clue: Clue, ladies: Sequence[LadyCard]) -> Clue:
    return Clue(clue.traits, tuple(_row(clue, suit, ladies) for suit in DARKER_SUITS), clue.name)


def _row(clue: Clue, suit: Suit, ladies: Sequence[LadyCard]) -> Mark:
    others = [card.clue for card in ladies if card.suit is suit and card.clue.name != clue.name]
    return Mark(suit, frozenset(len(clue.traits & other.traits) for other in others))
