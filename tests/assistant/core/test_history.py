"""Undo, redo, correction in place, house rules, what-if."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.core.events import (
    Corrected,
    Event,
    Overruled,
    Recorded,
    Retracted,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.settings import Expansion, Settings
from assistant.core.state import fold
from assistant.core.stealth import Shown
from assistant.core.terms import Feature, Location, StepReading
from assistant.core.turn_events import LadyUpdated, Passed, PawnMoved
from tests.assistant.core.told import BOARD, Told

CORNHILL, EASTCHEAP = Location.CORNHILL, Location.EASTCHEAP


def test_an_old_entry_is_corrected_in_its_place() -> None:
    told = Told(Expansion.YOUTH)
    told.turn(Shown.TAVERN)
    asked = told.do(YouthAsked(CORNHILL, Feature.TAVERN))
    told.turn(Shown.CHURCH)
    told.do(PawnMoved(EASTCHEAP))
    told.record(Corrected(asked, YouthAsked(CORNHILL, Feature.CHURCH)))
    state = told.state
    assert state.youth.value_at(CORNHILL) is Feature.CHURCH
    assert state.history.corrected == {asked}
    assert state.game.pawn is EASTCHEAP
    assert state.doubts == ()
    assert [entry.seq for entry in state.in_force] == [1, 2, 3, 4, 5]


def test_a_correction_that_makes_a_later_act_illegal_leaves_it_in_doubt() -> None:
    told = Told()
    told.turn()
    moved = told.do(PawnMoved(EASTCHEAP))
    told.turn()
    later = told.do(PawnMoved(Location.LONDON_BRIDGE))
    told.record(Corrected(moved, PawnMoved(Location.ST_PAULS)))
    (doubt,) = told.state.doubts
    assert doubt.seq == later
    assert "no road" in doubt.rule
    assert told.game.pawn is Location.LONDON_BRIDGE


def test_the_start_is_corrected_not_taken_back() -> None:
    told = Told(Expansion.RENDEZVOUS)
    told.record(Retracted(Seq(1)))
    assert told.game.tracked
    other = SessionStarted(settings=Settings(steps=StepReading.PATH), pawn=EASTCHEAP)
    told.record(Corrected(Seq(1), other))
    assert told.state.started == other
    told.record(Corrected(Seq(1), Passed()))
    assert told.state.started == other


def test_the_latest_correction_counts_and_can_be_taken_back() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    asked = told.do(YouthAsked(CORNHILL, Feature.TAVERN))
    told.record(Corrected(asked, YouthAsked(CORNHILL, Feature.CHURCH)))
    second = told.record(Corrected(asked, YouthAsked(CORNHILL, Feature.RESIDENCE)))
    assert told.state.youth.value_at(CORNHILL) is Feature.RESIDENCE
    told.record(Retracted(second))
    assert told.state.youth.value_at(CORNHILL) is Feature.CHURCH
    taken_back = told.state.undo()
    assert taken_back == Retracted(Seq(4))
    told.record(taken_back)
    assert told.state.youth.value_at(CORNHILL) is Feature.TAVERN


def test_the_state_before_an_entry_is_without_it_and_with_earlier_ones_put_right() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    moved = told.do(PawnMoved(EASTCHEAP))
    told.turn()
    asked = told.do(YouthAsked(EASTCHEAP, Feature.COMMERCIAL))
    told.turn()
    told.record(Corrected(moved, PawnMoved(Location.ST_PAULS)))
    then = told.state.before(asked)
    assert then.game.pawn is Location.ST_PAULS
    assert (then.game.turn, then.game.acted, then.youth.answers) == (2, False, ())
    assert told.state.before(Seq(1)).game.pawn is None


def test_a_house_rule_is_done_logged_and_raises_no_doubt() -> None:
    told = Told()
    told.turn()
    far = PawnMoved(Location.CLERKENWELL)
    rule = told.refused(far)
    seq = told.record(Overruled(far, rule))
    assert told.game.pawn is Location.CLERKENWELL
    assert told.state.history.overruled == {seq: rule}
    assert told.state.doubts == ()


def test_what_if_leaves_the_log_alone() -> None:
    told = Told()
    told.turn()
    other = told.state.what_if(PawnMoved(EASTCHEAP))
    assert other.game.pawn is EASTCHEAP
    assert told.game.pawn is CORNHILL


def test_nothing_to_undo_or_redo_at_the_start() -> None:
    told = Told()
    assert told.state.undo() is None
    assert told.state.redo() is None
    assert fold(BOARD, []).undo() is None


def test_a_new_act_ends_the_chance_to_redo() -> None:
    told = Told()
    told.turn()
    taken_back = told.state.undo()
    assert taken_back is not None
    told.record(taken_back)
    assert told.state.redo() is not None
    told.do(LadyUpdated(Shown.CHURCH))
    assert told.state.redo() is None


#: Acts and undoes come often enough to meet; a number takes an old entry back.
STEPS: list[str | int] = ["act", "act", "act", "undo", "undo", "redo", 0, 1, 4]


@given(st.lists(st.sampled_from(STEPS), min_size=8, max_size=40), st.booleans())
def test_undo_and_redo_walk_along_one_line_of_what_was_done(
    steps: list[str | int], begun: bool
) -> None:
    """The model keeps what was in force before and after each thing done."""
    log = [Recorded(Seq(1), "", SessionStarted())] if begun else []
    before: list[list[int]] = []
    after: list[list[int]] = []
    now: list[int] = []
    for number, step in enumerate(steps):
        state = fold(BOARD, log)
        seq = Seq(len(log) + 1)
        event: Event | None
        if step == "act":
            event = YouthAsked(list(Location)[number % 11], Feature.CHURCH)
            before.append(now)
            now = [*now, seq]
            after.clear()
        elif isinstance(step, int):
            # Not the last one, which would be an undo; putting back has a test of its own.
            if len(now) < 2:
                continue
            gone = now[step % (len(now) - 1)]
            event = Retracted(Seq(gone))
            before.append(now)
            now = [seq for seq in now if seq != gone]
            after.clear()
        elif step == "undo":
            event = state.undo()
            assert (event is None) is (not before)
            if before:
                after.append(now)
                now = before.pop()
        else:
            event = state.redo()
            assert (event is None) is (not after)
            if after:
                before.append(now)
                now = after.pop()
        if event is not None:
            log.append(Recorded(seq, "", event))
        in_force = fold(BOARD, log).in_force
        assert [entry.seq for entry in in_force[begun:]] == now


def test_undo_after_an_old_entry_was_taken_back_brings_it_back() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    asked = told.do(YouthAsked(CORNHILL, Feature.CHURCH))
    told.turn(Shown.TAVERN)
    told.record(Retracted(asked))
    assert told.state.youth.answers == ()
    taken_back = told.state.undo()
    assert taken_back == Retracted(Seq(5))
    told.record(taken_back)
    assert told.state.youth.value_at(CORNHILL) is Feature.CHURCH
    assert told.game.turn == 2
    again = told.state.redo()
    assert again == Retracted(Seq(6))
    told.record(again)
    assert told.state.youth.answers == ()
    assert told.state.redo() is None
    # Back along the same line, past it, to the start.
    for turn in (2, 1, 1, 0):
        back = told.state.undo()
        assert back is not None
        told.record(back)
        assert told.game.turn == turn
    assert told.state.undo() is None


def test_an_entry_put_back_is_taken_back_again_by_undo() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    asked = told.do(YouthAsked(CORNHILL, Feature.CHURCH))
    told.turn()
    back = told.record(Retracted(asked))
    told.do(Passed())
    told.record(Retracted(back))
    assert told.state.youth.value_at(CORNHILL) is Feature.CHURCH
    undone = told.state.undo()
    assert undone is not None
    told.record(undone)
    assert told.state.youth.answers == ()


def test_a_start_by_a_house_rule_stays_too_and_is_put_right_by_another() -> None:
    told = Told()
    told.turn()
    seq = told.record(Overruled(SessionStarted(pawn=EASTCHEAP), "the game has already begun"))
    assert told.game.pawn is EASTCHEAP
    told.record(Retracted(seq))
    assert told.game.pawn is EASTCHEAP
    told.record(Corrected(seq, Passed()))
    assert told.game.pawn is EASTCHEAP
    told.record(Corrected(seq, SessionStarted(pawn=CORNHILL)))
    assert told.game.pawn is CORNHILL
    told = Told()
    told.turn()
    told.record(Overruled(SessionStarted(pawn=EASTCHEAP), "the game has already begun"))
    assert told.state.undo() == Retracted(Seq(2))


def test_a_change_that_would_change_nothing_is_known_as_such() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    asked = told.do(YouthAsked(CORNHILL, Feature.CHURCH))
    tavern = YouthAsked(CORNHILL, Feature.TAVERN)
    start, other = SessionStarted(pawn=EASTCHEAP), Seq(1)
    right = Corrected(asked, tavern)
    for change, why in (
        (Retracted(other), "the start of the session stays"),
        (Retracted(Seq(9)), "no entry so far"),
        (Corrected(other, Passed()), "by another start only"),
        (Corrected(asked, start), "only the start"),
    ):
        assert why in (told.state.in_vain(change) or "")
    for change in (Retracted(asked), right, Corrected(other, start)):
        assert told.state.in_vain(change) is None
    put = told.record(right)
    assert "changes another" in (told.state.in_vain(Corrected(put, tavern)) or "")
    assert told.state.in_vain(Retracted(put)) is None
    back = told.record(Retracted(asked))
    for change in (Retracted(asked), right):
        assert "taken back already" in (told.state.in_vain(change) or "")
    assert told.state.in_vain(Retracted(back)) is None


def test_a_correction_points_backwards_only() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    told.record(Corrected(Seq(4), YouthAsked(CORNHILL, Feature.TAVERN)))
    told.do(YouthAsked(CORNHILL, Feature.CHURCH))
    assert told.state.youth.value_at(CORNHILL) is Feature.CHURCH


def test_a_house_rule_that_is_corrected_is_no_house_rule_any_more() -> None:
    told = Told()
    told.turn()
    seq = told.record(Overruled(PawnMoved(Location.CLERKENWELL), "no road"))
    told.record(Corrected(seq, PawnMoved(Location.SOUTHWARK)))
    assert told.state.history.overruled == {}
    assert [doubt.seq for doubt in told.state.doubts] == [seq]


def test_what_if_adds_the_act_with_the_next_number() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    asked = YouthAsked(CORNHILL, Feature.CHURCH)
    (answer,) = told.state.what_if(asked).youth.answers
    assert answer.by == len(told.log) + 1
    first = fold(BOARD, []).what_if(asked)
    assert [entry.seq for entry in first.log] == [1]


def test_an_event_that_takes_back_or_corrects_itself_or_a_later_one_does_nothing() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    here, later = Seq(len(told.log) + 1), Seq(len(told.log) + 5)
    told.record(Retracted(here))
    assert told.state.retracted == frozenset()
    told.record(Retracted(later))
    told.record(Corrected(Seq(here + 3), Passed()))
    told.do(YouthAsked(CORNHILL, Feature.CHURCH))
    told.record(Retracted(Seq(1)))
    assert told.state.youth.value_at(CORNHILL) is Feature.CHURCH
    assert told.state.retracted == frozenset()


def test_where_every_undo_was_taken_back_there_is_nothing_to_redo() -> None:
    told = Told()
    told.turn()
    told.do(Passed())
    undone = told.state.undo()
    assert undone is not None
    told.record(undone)
    again = told.state.redo()
    assert again is not None
    told.record(again)
    assert told.state.redo() is None
    assert fold(BOARD, []).redo() is None
    assert fold(BOARD, []).undo() is None
