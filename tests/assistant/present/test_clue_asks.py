"""Clue cards read again in the row of the Lady's new suit."""

from __future__ import annotations

import dataclasses

from assistant.core.events import SearchMade, SessionStarted
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Mark, Suit, Trait, parse_counts
from assistant.core.terms import Location
from assistant.core.turn_events import (
    ClueGained,
    ClueReread,
    LadyFled,
    LadyUpdated,
    SuitTold,
)
from assistant.present.choices import Ask
from assistant.present.turn_row import turn_row
from tests.assistant.present.games import KNOWN, Played, followed, offered

DARKER = SessionStarted(
    frozenset({Expansion.DARKER}), pawn=Location.SOUTHWARK, suit=Suit.SPADES, top=Shown.TAVERN
)
FIRST = Clue(frozenset({Trait.CHAIN, Trait.CROWN, Trait.RING}),
             (Mark(Suit.SPADES, parse_counts("1")),))  # fmt: skip
SECOND = Clue(frozenset({Trait.HEART, Trait.MUSIC, Trait.RING}),
              (Mark(Suit.SPADES, parse_counts("0/2")),))  # fmt: skip
HIT = (LadyUpdated(), SearchMade(Location.SOUTHWARK, hit=True))


def labels(played: Played) -> list[str]:
    return [offer.label for offer in turn_row(played.state, KNOWN).offers]


def test_after_a_change_of_suit_the_clue_held_is_read_in_the_new_row() -> None:
    played = Played(DARKER, *HIT, ClueGained(FIRST))
    assert not any("again" in label for label in labels(played))
    played.add(SuitTold(Suit.CLUBS))
    assert len(played.state.identity.triples) == 35
    question = offered(turn_row(played.state, KNOWN), "Read your clue again").open()
    assert isinstance(question, Ask)
    assert "clubs" in question.title
    assert "chain, crown and ring" in question.title
    assert question.first is None
    event = followed(question, "0/2")
    assert event == ClueReread(played.log[3].seq, Mark(Suit.CLUBS, parse_counts("0/2")))
    played.add(event)
    assert played.state.doubts == ()
    assert len(played.state.identity.triples) < 35
    assert not any("again" in label for label in labels(played))


def test_of_several_clues_each_can_be_looked_at() -> None:
    played = Played(DARKER, *HIT, ClueGained(FIRST), LadyFled((Shown.UNSEEN,)), *HIT,
                    ClueGained(SECOND), SuitTold(Suit.CLUBS))  # fmt: skip
    row = turn_row(played.state, KNOWN)
    event = followed(row, "Read your clues again", "heart, music and ring", "3")
    assert event == ClueReread(played.log[7].seq, Mark(Suit.CLUBS, parse_counts("3")))
    played.add(event)
    assert followed(turn_row(played.state, KNOWN), "Read your clue again", "1") == ClueReread(
        played.log[3].seq, Mark(Suit.CLUBS, parse_counts("1"))
    )


def test_what_a_card_of_the_base_game_has_printed_in_the_new_row_comes_first() -> None:
    card = KNOWN.ladies[0].clue
    [mark] = [mark for mark in card.marks if mark.suit is Suit.OAK]
    typed = dataclasses.replace(card, marks=tuple(m for m in card.marks if m.suit is Suit.ROSE),
                                name=None)  # fmt: skip
    base = SessionStarted(pawn=Location.SOUTHWARK, suit=Suit.ROSE)
    played = Played(base, *HIT, ClueGained(typed), SuitTold(Suit.OAK))
    question = offered(turn_row(played.state, KNOWN), "Read your clue again").open()
    assert isinstance(question, Ask)
    assert question.first is not None
    assert question.first.open() == ClueReread(played.log[3].seq, mark)


def test_while_the_suit_is_not_told_there_is_no_row_to_read_in() -> None:
    untold = dataclasses.replace(DARKER, suit=None)
    played = Played(untold, *HIT, ClueGained(FIRST))
    assert not any("again" in label for label in labels(played))
    assert "Tell the Lady's suit" in labels(played)
