"""The hidden cards of a practice game, turned over only where the game says so.

At a real table the player turns them over and tells what is printed there. Nothing of this value
is ever shown before that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.game import Game
from assistant.core.stealth import Shown
from assistant.core.suits import LadyCard
from assistant.core.terms import Feature, Location


@dataclass(frozen=True, slots=True)
class TurnedCards:
    """What lies hidden: the Youth's place, the symbol, the Lady, her way through 26 slots."""

    hideout: Location
    symbol: Feature
    lady: LadyCard
    #: The clue cards in the order in which they come up.
    clues: Sequence[LadyCard]
    way: Sequence[Location]
    symbols: Sequence[Feature]

    def top_after_update(self, game: Game) -> Shown | None:
        """Return what shows after the next update; None where fog lies or the deck is through."""
        deck = game.deck.updated()
        if deck.is_fog or deck.escaped:
            return None
        return Shown(self.symbols[deck.slot].value)

    def clue(self, game: Game) -> LadyCard:
        """Return the next clue card."""
        return self.clues[len(game.clues) % len(self.clues)]

    def is_here(self, game: Game) -> bool:
        """Whether the Lady is where the pawn is."""
        return self.way[game.deck.slot] is game.pawn
