"""The questions of the Dark Lady's confrontation, in the rulebook's order."""

from __future__ import annotations

from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.suits import Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import LadyConfronted
from assistant.present.choices import Ask, Offer, ask
from assistant.present.symbol_asks import feature_offers, traits_ask
from assistant.present.words import listed


def confront_lady_ask(state: State, here: Location) -> Ask:
    """Return the chain: name her traits, turn the Rendezvous card over, then her own."""

    def named(traits: frozenset[Trait]) -> Ask:
        if Expansion.RENDEZVOUS not in state.started.expansions:
            return _silhouette(traits, None)
        return ask(
            "Turn the Rendezvous card over first. Which symbol is on it?",
            feature_offers(lambda feature: _met(traits, feature)),
        )

    def _met(traits: frozenset[Trait], feature: Feature) -> Ask | LadyConfronted:
        if feature not in state.board.features(here):
            # The game is lost before the Lady is revealed: her card stays unseen.
            return LadyConfronted(traits, False, frozenset(), feature)
        return _silhouette(traits, feature)

    return traits_ask("You confront her and the game ends. Which three traits has she?", named)


def _silhouette(named: frozenset[Trait], feature: Feature | None) -> Ask:
    """Return the question after the silhouette, then after the traits on her card."""
    words = listed(trait.value for trait in Trait if trait in named)
    right = LadyConfronted(named, True, named, feature)
    others = traits_ask(
        "Which three traits are on her card?",
        lambda traits: LadyConfronted(named, True, traits, feature),
    )
    card = ask("Turn her card over. Are these her traits?",
               [Offer(f"Yes: {words}", right, "y"), Offer("No, others", others, "n")])  # fmt: skip
    absent = LadyConfronted(named, False, frozenset(), feature)
    return ask("Is the Lady here? Flip the stealth card on your key.",
               [Offer("Yes, her silhouette shows", card, "y"),
                Offer("No, blank paper", absent, "n")])  # fmt: skip
