"""How a game ends and what it scores."""

from __future__ import annotations

import pytest

from assistant.core.events import Act, Overruled
from assistant.core.score import Ending, Line, score_sheet, youth_found
from assistant.core.settings import Expansion
from assistant.core.suits import Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    BaseScored,
    LadyConfronted,
    Passed,
    PawnMoved,
    YouthConfronted,
)
from tests.assistant.core.told import Told

CORNHILL, EASTCHEAP = Location.CORNHILL, Location.EASTCHEAP
TRUE = frozenset({Trait.CHAIN, Trait.CROWN, Trait.HEART})
WRONG = frozenset({Trait.CHAIN, Trait.CROWN, Trait.RING})


def points(told: Told) -> list[int]:
    return [line.points for line in score_sheet(told.game).lines]


@pytest.mark.parametrize(("hideout", "score"), [(CORNHILL, 20), (EASTCHEAP, -20)])
def test_finding_the_youth_adds_twenty_and_missing_him_subtracts_twenty(
    hideout: Location, score: int
) -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    assert youth_found(told.game) is None
    told.do(YouthConfronted(hideout))
    assert youth_found(told.game) is (score > 0)
    assert points(told) == [score]


@pytest.mark.parametrize("lady_first", [False, True])
def test_both_in_one_place_at_one_time_add_ten_more(lady_first: bool) -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    acts: list[Act] = [YouthConfronted(CORNHILL), LadyConfronted(TRUE, True, TRUE)]
    for act in reversed(acts) if lady_first else acts:
        told.do(act)
    assert points(told) == [20, 10]


def test_both_in_one_place_at_different_times_add_nothing_more() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    told.do(YouthConfronted(CORNHILL))
    told.do(Passed())
    told.turn()
    told.do(LadyConfronted(TRUE, True, TRUE))
    assert points(told) == [20]


def test_both_in_different_places_add_nothing_more() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    told.do(YouthConfronted(CORNHILL))
    told.do(PawnMoved(EASTCHEAP))
    told.turn()
    told.do(LadyConfronted(TRUE, True, TRUE))
    sheet = score_sheet(told.game)
    assert sheet.lines == (Line(20, "the Fair Youth was found"),)


def test_a_youth_missed_gives_nothing_for_being_at_once() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    told.do(YouthConfronted(EASTCHEAP))
    told.do(LadyConfronted(TRUE, True, TRUE))
    assert points(told) == [-20]
    assert score_sheet(told.game).lines[0].reason == "the Fair Youth eluded you"


def test_winning_at_the_rendezvous_adds_fifteen() -> None:
    told = Told(Expansion.RENDEZVOUS)
    told.turn()
    told.do(LadyConfronted(TRUE, True, TRUE, Feature.COMMERCIAL))
    sheet = score_sheet(told.game)
    assert sheet.ending is Ending.WON
    assert sheet.lines == (Line(15, "the Lady unmasked at the rendezvous"),)


def test_without_the_rendezvous_symbol_here_all_is_lost_whatever_else_is_right() -> None:
    told = Told(Expansion.RENDEZVOUS)
    told.turn()
    told.do(LadyConfronted(TRUE, True, TRUE, Feature.CHURCH))
    assert score_sheet(told.game).ending is Ending.WRONG_PLACE
    assert points(told) == []


@pytest.mark.parametrize(
    ("found", "named", "end"),
    [
        (True, TRUE, Ending.WON),
        (False, TRUE, Ending.NOT_HERE),
        (True, WRONG, Ending.WRONG_TRAITS),
    ],
)
def test_the_game_is_won_only_with_the_right_traits_where_she_is(
    found: bool, named: frozenset[Trait], end: Ending
) -> None:
    told = Told()
    told.turn()
    assert score_sheet(told.game).ending is Ending.OPEN
    told.do(LadyConfronted(named, found, TRUE))
    assert score_sheet(told.game).ending is end


@pytest.mark.parametrize("named", [TRUE | {Trait.RING}, TRUE - {Trait.HEART}])
def test_by_a_house_rule_too_many_or_too_few_traits_named_are_not_her_traits(
    named: frozenset[Trait],
) -> None:
    told = Told()
    told.turn()
    act = LadyConfronted(named, True, TRUE)
    told.record(Overruled(act, told.refused(act)))
    assert score_sheet(told.game).ending is Ending.WRONG_TRAITS


@pytest.mark.parametrize(("poet", "score"), [(Expansion.ELUSIVE, -10), (Expansion.AGGRESSIVE, 10)])
def test_the_elusive_poet_costs_ten_and_the_aggressive_gives_ten(
    poet: Expansion, score: int
) -> None:
    told = Told(poet, poet=Location.CLERKENWELL)
    assert points(told) == [score]


def test_the_total_adds_the_base_score_of_a_won_game() -> None:
    told = Told(Expansion.RENDEZVOUS, Expansion.YOUTH)
    told.turn()
    told.do(YouthConfronted(CORNHILL))
    told.do(LadyConfronted(TRUE, True, TRUE, Feature.COMMERCIAL))
    assert score_sheet(told.game).total is None
    told.do(BaseScored(42))
    assert score_sheet(told.game).total == 42 + 20 + 10 + 15


def test_a_lost_game_has_no_total() -> None:
    told = Told(passes=1)
    told.idle(25)
    told.turn()
    told.do(BaseScored(7))
    sheet = score_sheet(told.game)
    assert sheet.ending is Ending.ESCAPED
    assert sheet.total is None
