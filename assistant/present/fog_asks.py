"""The questions about a fog card that is used: its number, then what its text made happen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from assistant.core.game import CLUE_CARDS
from assistant.core.state import State
from assistant.core.stealth import Shown
from assistant.core.suits import Suit
from assistant.core.terms import Location
from assistant.core.turn_events import FogUsed
from assistant.present.choices import Ask, Offer, ask
from assistant.present.event_words import fog_did
from assistant.present.words import counted, listed

_CARDS = range(1, 11)


def fog_ask(state: State, suits: Sequence[Suit]) -> Ask | None:
    """Return the question after the fog card on top; None where it may not be used now."""
    if state.refusal(FogUsed(1)) is not None:
        return None
    keys = "1234567890"
    happened = partial(_happened, state=state, suits=suits)
    offers = [Offer(str(n), partial(happened, FogUsed(n)), keys[n - 1]) for n in _CARDS]
    return ask("Which number has the fog card?", offers, "It is printed on the card.")


def _happened(used: FogUsed, state: State, suits: Sequence[Suit]) -> Ask:
    """Return the question what else the card did; each answer adds to the card's event."""
    offers = [Offer("That is all", used, "n"), *_additions(used, state, suits)]
    return ask(f"Fog card {used.card}: what did its text make happen?", offers, _so_far(used))


def _additions(used: FogUsed, state: State, suits: Sequence[Suit]) -> list[Offer]:
    """Return what may have happened besides; what was told is not offered again.

    Nor are more cards than the fog deck and the clue deck still hold.
    """
    game = state.game

    def added(**change: Any) -> Callable[[], Ask]:
        return partial(_happened, replace(used, **change), state, suits)

    offers = []
    if used.pawn_to is None:
        places = [Offer(place.value, added(pawn_to=place), place=place) for place in Location]
        offers.append(Offer("My pawn was moved", ask("Where is your pawn now?", places), "m"))
    if not used.shows:
        steps = [Offer(counted(n, "card"), added(shows=(Shown.UNSEEN,) * n)) for n in range(1, 7)]
        offers.append(Offer("The stealth deck advanced", ask("By how many cards?", steps), "a"))
    if not used.clues and game.clues_held < CLUE_CARDS:
        offers.append(Offer("I gained a clue", added(clues=1), "c"))
    if not used.fog_discarded and game.fog_left:
        most = min(3, game.fog_left)
        counts = [Offer(counted(n, "card"), added(fog_discarded=n)) for n in range(1, most + 1)]
        offers.append(Offer("Fog cards were discarded", ask("How many?", counts), "d"))
    if used.suit is None:
        choices = [Offer(suit.value, added(suit=suit), picture=suit.value) for suit in suits]
        offers.append(Offer("The Lady changed", ask("Which suit is she now?", choices), "s"))
    if used.returned:
        offers.append(Offer("The card leaves the game", added(returned=False), "l"))
    return offers


def _so_far(used: FogUsed) -> str:
    told = fog_did(used)
    return f"So far: {listed(told)}." if told else ""
