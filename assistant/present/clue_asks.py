"""The questions about clue cards: one that is turned up, and those to be read in another row."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.core.events import Seq
from assistant.core.identity import HeldClue
from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.suits import LadyCard, Mark, Suit, suits_in_play
from assistant.core.turn_events import ClueGained, ClueReread, SuitTold
from assistant.present.choices import Ask, Offer, ask, even_ask
from assistant.present.event_words import trait_words
from assistant.present.symbol_asks import clue_ask, mark_offers, suit_offers
from assistant.present.turned_cards import TurnedCards


def suit_ask(state: State, title: str) -> Ask:
    """Return the question after the Dark Lady's suit."""
    return even_ask(title, suit_offers(suits_in_play(state.started.expansions), SuitTold))


def turned_up_ask(state: State, ladies: Sequence[LadyCard], cards: TurnedCards | None) -> Ask:
    """Return the question after a clue card that is turned up; first the suit, if it is not told.

    At a practice table `cards` answer it.
    """
    suit = state.game.suit
    if suit is None:
        return suit_ask(state, "First: which suit is on the back of the Dark Lady's card?")
    if cards is not None:
        card = cards.clue(state.game).clue
        turned = Offer(f"{card.name}: {trait_words(card.traits)}", ClueGained(card))
        return ask("You turn up a clue card.", [turned])
    title = "Your clue card: which three traits has it?"
    if Expansion.DARKER in state.started.expansions:
        return clue_ask(suit, (), ClueGained, title)
    # The base game's Ladies all differ in their traits: no card lies here twice.
    lie_here = [held.clue.traits for held in state.game.clues]
    return clue_ask(suit, ladies, ClueGained, title, but=lie_here)


def reread_offers(state: State, ladies: Sequence[LadyCard]) -> list[Offer]:
    """Return the offer to read the clue cards held in the row of the Lady's new suit.

    Empty where all were read in it, or while her suit is not told.
    """
    suit, unread = state.identity.suit, state.identity.unread
    if suit is None or not unread:
        return []
    printed = () if Expansion.DARKER in state.started.expansions else ladies
    if len(unread) == 1:
        question = _reread_ask(unread[0], suit, printed)
        return [Offer("Read your clue again", question, "r")]
    cards = [Offer(_called(held), _reread_ask(held, suit, printed)) for held in unread]
    return [Offer("Read your clues again", even_ask("Which clue card do you look at?", cards), "r")]


def _called(held: HeldClue) -> str:
    name = f"{held.clue.name}: " if held.clue.name else ""
    return name + trait_words(held.clue.traits)


def _reread_ask(held: HeldClue, suit: Suit, ladies: Sequence[LadyCard]) -> Ask:
    """Return the question after a card's mark; what a known card has printed there comes first."""

    def read(mark: Mark) -> ClueReread:
        return ClueReread(Seq(held.by), mark)

    known = [
        Offer(f"{card.clue.name}: {mark.text}, as printed", read(mark))
        for card in ladies
        if card.clue.traits == held.clue.traits
        for mark in card.clue.marks
        if mark.suit is suit
    ]
    title = f"{_called(held)}. What does it show in the {suit.value} row?"
    offers = [*known, *mark_offers(suit, read)]
    return ask(title, offers) if known else even_ask(title, offers)
