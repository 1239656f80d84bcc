"""Every kind of event is known wherever events are taken apart: a new one cannot be forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.events import Act, Event, RendezvousSought, SessionStarted
from assistant.core.game import Phase, advance, new_game
from assistant.core.legality import refusal
from assistant.core.settings import Expansion
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Content, ContentKind, Feature, Location
from assistant.core.turn_events import FogUsed, LadyUpdated, Seq
from assistant.present.event_words import event_words
from tests.assistant.core.told import BOARD
from tests.assistant.journal.strategies import register

register()
ACTS, EVENTS = get_args(Act), get_args(Event)
PLAIN = frozenset(Expansion) - {Expansion.ELUSIVE, Expansion.AGGRESSIVE}


def _named(kind: type[Any]) -> str:
    return kind.__name__


def test_every_kind_of_event_has_a_word_of_its_own() -> None:
    assert len({kind.kind for kind in EVENTS}) == len(EVENTS)
    assert set(ACTS) < set(EVENTS)


@pytest.mark.parametrize("kind", ACTS, ids=_named)
def test_every_act_is_judged_by_the_rules_and_taken_by_the_game(kind: type[Any]) -> None:
    start = new_game(BOARD, SessionStarted(PLAIN, pawn=Location.CORNHILL))
    turn = advance(start, LadyUpdated(), Seq(1))
    assert turn.phase is Phase.PLAYER

    @settings(max_examples=10)
    @given(st.from_type(kind))
    def is_known(act: Act) -> None:
        for game in (start, turn):
            # Neither knows a kind by chance: a kind that was forgotten is a KeyError here.
            assert refusal(game, act) != ""
            assert advance(game, act, Seq(2)).board is BOARD

    is_known()


@pytest.mark.parametrize("kind", EVENTS, ids=_named)
def test_every_event_is_told_in_words(kind: type[Any]) -> None:
    @settings(max_examples=10)
    @given(st.from_type(kind))
    def is_told(event: Event) -> None:
        assert event_words(event)

    is_told()


THREE = frozenset({Trait.CHAIN, Trait.CROWN, Trait.HEART})
ROSE = Mark(Suit.ROSE, frozenset({1}))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: SessionStarted(passes=0), "at least one pass"),
        (lambda: RendezvousSought(Location.CORNHILL, 4), "1, 2 or 3"),
        (lambda: FogUsed(1, clues=-1), "fewer than none"),
        (lambda: FogUsed(1, fog_discarded=-1), "fewer than none"),
        (lambda: Mark(Suit.ROSE, frozenset()), "from 0 to 3"),
        (lambda: Mark(Suit.ROSE, frozenset({4})), "from 0 to 3"),
        (lambda: Clue(THREE | {Trait.RING}, ()), "three traits"),
        (lambda: Clue(THREE, (ROSE, ROSE)), "one mark for a suit"),
        (lambda: Content(ContentKind.ICON), "an icon has a feature"),
        (lambda: Content(ContentKind.BLANK, feature=Feature.CHURCH), "an icon has a feature"),
        (lambda: Content(ContentKind.NUMBER), "a number has a number"),
        (lambda: Content.digit(0), "1, 2 or 3"),
    ],
)
def test_what_no_card_and_no_table_can_show_is_refused(make: Callable[[], Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make()
