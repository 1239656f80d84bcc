"""A player who answers whatever the window asks, drawn by lot, by its key."""

from __future__ import annotations

import random

from assistant.core.game import Phase
from assistant.present.choices import Ask, Offer, Wish
from tests.assistant.ui.play_driver import Driven

#: So many acts are played before the Lady may be confronted, which ends the game.
ACTS = 58


class ByLot:
    """Plays by answering whatever is asked with a key drawn by lot."""

    def __init__(self, driven: Driven, seed: int) -> None:
        self.driven, self.chance = driven, random.Random(seed)

    def play(self) -> None:
        """Play to the end."""
        while self.driven.state.game.phase is not Phase.OVER:
            self.step()

    def step(self) -> None:
        """Give one answer of those that are open."""
        driven = self.driven
        self.take(self.chance.choice(self.choices(driven.asked, len(driven.state.log))))

    def take(self, offer: Offer) -> None:
        """Give an answer by its key."""
        driven, asked, entries = self.driven, self.driven.asked, len(self.driven.state.log)
        then = offer.open()
        driven.press(" " if offer is asked.first else offer.key)
        if isinstance(then, Ask):
            driven.until(lambda: driven.asked is not asked)
        else:
            driven.until(lambda: len(driven.state.log) > entries)

    def may_end(self, entries: int) -> bool:
        """Whether enough was played, now that the log has so many entries."""
        return entries > ACTS

    def choices(self, asked: Ask, entries: int) -> list[Offer]:
        """Return the answers to draw from; the game's end waits."""
        offers = [o for o in asked.offers if not isinstance(o.then, Wish)]
        ending = [o for o in offers if o.label.startswith("Confront the Lady")]
        if ending and self.may_end(entries):
            return ending
        return [o for o in offers if o not in ending]
