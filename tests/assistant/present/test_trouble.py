"""Trouble with the Dark Lady's cards: which entries are blamed, and for what."""

from __future__ import annotations

import dataclasses

from assistant.core.events import Event, Overruled, Retracted, Seq, SessionStarted
from assistant.core.stealth import SLOTS, Shown
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Location
from assistant.core.turn_events import ClueGained, LadyUpdated, Passed
from assistant.present.trouble import trouble
from tests.assistant.present.games import STARTED, Played, followed

BASE = SessionStarted(pawn=Location.CORNHILL)
CHAIN, CROWN, HEART, RING = Trait.CHAIN, Trait.CROWN, Trait.HEART, Trait.RING


def test_a_stealth_card_of_two_symbols_is_told_with_both_that_were_typed() -> None:
    turns: list[Event] = [LadyUpdated(Shown.TAVERN), Passed()]
    for _ in range(SLOTS - 1):
        turns += [LadyUpdated(), Passed()]
    # After as many updates as there are cards the same card is on top again.
    played = Played(BASE, *turns, LadyUpdated(Shown.TAVERN))
    assert trouble(played.state) is None
    played.log.pop()
    again = played.add(LadyUpdated(Shown.CHURCH))
    found = trouble(played.state)
    assert found is not None
    assert found.title == "The same stealth card showed two symbols."
    assert followed(found, found.offers[0].label, "Take it back") == Retracted(Seq(2))
    assert followed(found, found.offers[1].label, "Take it back") == Retracted(again)
    assert len(found.offers) == 2
    played.add(Retracted(again))
    assert trouble(played.state) is None


def given(count: int, *traits: Trait) -> Overruled:
    """A clue card of the Lady's suit: so many of these traits are hers."""
    mark = Mark(Suit.ROSE, frozenset({count}))
    return Overruled(ClueGained(Clue(frozenset(traits), (mark,))), "a gift")


def test_clues_that_no_lady_fits_are_blamed_and_the_others_not() -> None:
    started = dataclasses.replace(STARTED, suit=Suit.ROSE)
    fine, three, none = (
        given(1, CHAIN, Trait.MUSIC, Trait.QUILL),
        given(3, CHAIN, CROWN, HEART),
        given(0, CHAIN, CROWN, RING),
    )
    played = Played(started, fine, three)
    assert trouble(played.state) is None
    last = played.add(none)
    found = trouble(played.state)
    assert found is not None
    assert found.title == "No Lady fits all your clues."
    blamed = [followed(found, offer.label, "Take it back") for offer in found.offers]
    assert blamed == [Retracted(Seq(3)), Retracted(last)]
