"""The questions of the Dark Lady's confrontation, in the rulebook's order."""

from __future__ import annotations

from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.suits import Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import LadyConfronted
from assistant.present.choices import Ask, Offer, even_ask
from assistant.present.event_words import trait_words
from assistant.present.symbol_asks import feature_offers, traits_ask
from assistant.present.turned_cards import TurnedCards


def confront_lady_ask(state: State, here: Location, cards: TurnedCards | None = None) -> Ask:
    """Return the chain: name her traits, turn the Rendezvous card over, then her own.

    At a practice table `cards` answer all but the first.
    """

    def named(traits: frozenset[Trait]) -> Ask | LadyConfronted:
        if cards is not None:
            return _turned(state, traits, cards)
        if Expansion.RENDEZVOUS not in state.started.expansions:
            return _silhouette(traits, None)
        return even_ask(
            "Turn the Rendezvous card over first. Which symbol is on it?",
            feature_offers(lambda feature: _met(traits, feature)),
        )

    def _met(traits: frozenset[Trait], feature: Feature) -> Ask | LadyConfronted:
        if feature not in state.board.features(here):
            # The game is lost before the Lady is revealed: her card stays unseen.
            return LadyConfronted(traits, False, frozenset(), feature)
        return _silhouette(traits, feature)

    return traits_ask("You confront her and the game ends. Which three traits has she?", named)


def _turned(state: State, named: frozenset[Trait], cards: TurnedCards) -> LadyConfronted:
    """Return the confrontation as the practice cards have it; what stays hidden is left out."""
    has_card = Expansion.RENDEZVOUS in state.started.expansions
    feature = cards.symbol if has_card else None
    pawn = state.game.pawn
    met = feature is None or (pawn is not None and feature in state.board.features(pawn))
    found = met and cards.is_here(state.game)
    traits = cards.lady.clue.traits if found else frozenset()
    return LadyConfronted(named, found, traits, feature)


def _silhouette(named: frozenset[Trait], feature: Feature | None) -> Ask:
    """Return the question after the silhouette, then after the traits on her card."""
    words = trait_words(named)
    right = LadyConfronted(named, True, named, feature)
    others = traits_ask(
        "Which three traits are on her card?",
        lambda traits: LadyConfronted(named, True, traits, feature),
    )
    card = even_ask("Turn her card over. Are these her traits?",
               [Offer(f"Yes: {words}", right, "y"), Offer("No, others", others, "n")])  # fmt: skip
    absent = LadyConfronted(named, False, frozenset(), feature)
    return even_ask("Is the Lady here? Flip the stealth card on your key.",
               [Offer("Yes, her silhouette shows", card, "y"),
                Offer("No, blank paper", absent, "n")])  # fmt: skip
