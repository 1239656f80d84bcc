"""A wrong set-up put right, one thing at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from assistant.core.events import Corrected, Seq, SessionStarted
from assistant.core.game import new_game
from assistant.core.legality import refusal
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown
from assistant.core.suits import Suit
from assistant.core.terms import Location, StepReading
from assistant.core.turn_events import LadyUpdated, PawnMoved
from assistant.data import load_board
from assistant.present.choices import Ask, Offer
from assistant.present.log_lines import Fate, correction_ask, log_lines
from tests.assistant.present.games import STARTED, Played, clock, followed

BOARD = load_board()
AGGRESSIVE = dataclasses.replace(
    STARTED, expansions=frozenset({Expansion.AGGRESSIVE, Expansion.YOUTH}), top=Shown.UNSEEN
)
DARKER = dataclasses.replace(
    STARTED, expansions=frozenset({Expansion.DARKER}), poet=None, suit=Suit.CLUBS
)
OPEN = SessionStarted(frozenset({Expansion.YOUTH}))


def ends(question: Ask) -> Iterator[Corrected]:
    """Everything that the answers lead to, down to the last."""
    assert len({offer.key for offer in question.offers}) == len(question.offers)
    assert question.first is None
    for offer in question.offers:
        then = offer.open()
        if isinstance(then, Ask):
            yield from ends(then)
        else:
            assert isinstance(then, Corrected)
            yield then


@pytest.mark.parametrize("was", [STARTED, AGGRESSIVE, DARKER, OPEN])
def test_whatever_is_answered_another_legal_start_stands_in_its_place(was: SessionStarted) -> None:
    fresh = new_game(BOARD, SessionStarted())
    changed: set[str] = set()
    for fixed in ends(correction_ask(Played(was).state, Seq(1))):
        assert fixed.of == 1
        now = fixed.event
        assert isinstance(now, SessionStarted)
        assert refusal(fresh, now) is None
        differ = {
            field.name
            for field in dataclasses.fields(now)
            if getattr(now, field.name) != getattr(was, field.name)
        }
        assert differ
        changed |= differ
    told = {field.name for field in dataclasses.fields(was)}
    if was.pawn is None:
        told -= {"pawn", "poet", "suit", "top", "passes"}
    assert changed >= told - {"poet"}


def test_the_pawn_s_place_put_right_has_the_poet_follow_and_the_moves_counted_from_there() -> None:
    played = Played(STARTED, LadyUpdated(), PawnMoved(Location.SHOREDITCH))
    assert any("no road" in doubt.rule for doubt in played.state.doubts)
    start = correction_ask(played.state, Seq(1))
    assert start.title == "The set-up: what was otherwise?"
    fixed = followed(start, "Where my pawn began", "Bishopsgate", "Cripplegate")
    assert isinstance(fixed, Corrected)
    assert isinstance(fixed.event, SessionStarted)
    assert fixed.event.pawn is Location.BISHOPSGATE
    assert fixed.event.poet is Location.CRIPPLEGATE
    played.add(fixed)
    assert played.state.game.pawn is Location.SHOREDITCH
    assert not any("no road" in doubt.rule for doubt in played.state.doubts)
    assert log_lines(played.state, clock)[0].fate is Fate.PUT_RIGHT


def test_a_reading_of_an_open_rule_can_be_changed_in_the_middle_of_a_game() -> None:
    played = Played(OPEN)
    played.add(
        followed(correction_ask(played.state, Seq(1)), "How an open rule", "Steps are count")
    )
    assert played.state.started.settings.steps is StepReading.PATH
    assert played.state.started.expansions == OPEN.expansions


def test_nothing_that_stands_is_offered() -> None:
    def labels(question: Ask, *way: str) -> list[str]:
        for label in way:
            offers: dict[str, Offer] = {offer.label: offer for offer in question.offers}
            then = offers[label].open()
            assert isinstance(then, Ask)
            question = then
        return [offer.label for offer in question.offers]

    start = correction_ask(Played(STARTED).state, Seq(1))
    assert "commercial" not in labels(start, "Top of the stealth deck")
    assert "fog" not in labels(start, "Top of the stealth deck")
    assert "rose" not in labels(start, "The Lady's suit")
    assert "Cornhill" not in labels(start, "Where my pawn began")
    assert "2 passes of the deck" not in labels(start, "When she escapes")
    assert "Without The Elusive Poet" in labels(start, "What is in play")
    assert "With The Darker Ladies" in labels(start, "What is in play")


def test_where_a_tie_lets_the_poet_begin_elsewhere_only_his_place_can_be_put_right() -> None:
    # Three places lie as far from each other as any do; from one of them two are equally far.
    tie = {Location.CRIPPLEGATE, Location.BISHOPSGATE, Location.LIBERTY_OF_THE_CLINK}
    was = dataclasses.replace(STARTED, pawn=Location.CRIPPLEGATE, poet=Location.BISHOPSGATE)
    start = correction_ask(Played(was).state, Seq(1))
    fixed = followed(start, "Where the Poet began")
    assert isinstance(fixed, Corrected)
    assert fixed.event == dataclasses.replace(was, poet=Location.LIBERTY_OF_THE_CLINK)
    assert tie == {was.pawn, was.poet, fixed.event.poet}
    # From Cornhill he has no choice.
    assert not [
        o for o in correction_ask(Played(STARTED).state, Seq(1)).offers if "Poet" in o.label
    ]
