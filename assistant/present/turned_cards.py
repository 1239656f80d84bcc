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
    #: The clue deck in the order in which it comes up, and the other card of the Lady's suit, which
    #: lies under the keys until every location was visited.
    clues: Sequence[LadyCard]
    mate: LadyCard
    way: Sequence[Location]
    symbols: Sequence[Feature]

    def top_after_update(self, game: Game) -> Shown | None:
        """Return what shows after the next update; None where fog lies or the deck is through."""
        deck = game.deck.updated()
        if deck.is_fog or deck.escaped:
            return None
        return Shown(self.symbols[deck.slot].value)

    def clue(self, game: Game) -> LadyCard:
        """Return the next clue card: that under the keys as soon as it may be taken.

        After the last card it is that one again.
        """
        held = {held.clue.name for held in game.clues}
        deck = [card for card in self.clues if card.clue.name not in held]
        is_free = len(game.visited) == len(Location) or not deck
        return self.mate if is_free and self.mate.clue.name not in held else [*deck, self.mate][0]

    def is_here(self, game: Game) -> bool:
        """Whether the Lady is where the pawn is."""
        return self.way[game.deck.slot] is game.pawn
