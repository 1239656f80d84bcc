"""Readings that confirm, dispute, and are taken back."""

from __future__ import annotations

from assistant.core.events import (
    Event,
    Recorded,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seen,
    Seq,
    SessionStarted,
    YouthAsked,
    event_of,
)
from assistant.core.settings import Settings
from assistant.core.state import State, fold
from assistant.core.terms import BLANK, LADY, Content, Feature, Location, StepReading
from assistant.core.turn_events import LadyUpdated
from assistant.data import load_board

BOARD = load_board()
CORNHILL, EASTCHEAP = Location.CORNHILL, Location.EASTCHEAP


def after(*events: Event) -> State:
    return fold(BOARD, [Recorded(Seq(n), "", event) for n, event in enumerate(events, start=1)])


def test_a_reading_becomes_the_event_of_its_content() -> None:
    seen = Seen(0.97, 5)
    assert event_of(CORNHILL, Content.icon(Feature.CHURCH), seen) == YouthAsked(
        CORNHILL, Feature.CHURCH, seen
    )
    assert event_of(CORNHILL, Content.digit(2)) == RendezvousSought(CORNHILL, 2)
    assert event_of(CORNHILL, LADY, seen) == SearchMade(CORNHILL, hit=True, seen=seen)
    assert event_of(CORNHILL, BLANK) == SearchMade(CORNHILL, hit=False)


def test_answers_leave_what_the_rules_allow_and_say_which_answer_ruled_out() -> None:
    state = after(YouthAsked(CORNHILL, Feature.CHURCH), YouthAsked(EASTCHEAP, Feature.RIVERSIDE))
    assert state.youth.candidates == (Location.LIBERTY_OF_THE_CLINK,)
    assert state.youth.struck_out[Location.CLERKENWELL].by == 1
    assert state.youth.struck_out[Location.SHOREDITCH].by == 2
    assert state.rendezvous.candidates == tuple(Feature)


def test_the_same_value_again_confirms_and_changes_nothing() -> None:
    once = after(YouthAsked(CORNHILL, Feature.CHURCH))
    twice = after(YouthAsked(CORNHILL, Feature.CHURCH), YouthAsked(CORNHILL, Feature.CHURCH))
    assert twice.youth.weights == once.youth.weights
    assert twice.youth.confirms(Seq(2)) == 1
    assert twice.youth.confirms(Seq(1)) is None
    assert twice.youth.disputed_by(Seq(2)) is None
    assert twice.youth.disputes == ()


def test_what_is_no_answer_in_force_confirms_and_disputes_nothing() -> None:
    church = YouthAsked(CORNHILL, Feature.CHURCH)
    state = after(church, church, church, Retracted(Seq(2)))
    assert [state.youth.confirms(Seq(seq)) for seq in (1, 2, 3, 4)] == [None, None, 1, None]
    assert state.youth.disputed_by(Seq(2)) is None


def test_another_value_disputes_and_neither_is_used() -> None:
    state = after(
        YouthAsked(EASTCHEAP, Feature.RIVERSIDE),
        YouthAsked(CORNHILL, Feature.CHURCH),
        YouthAsked(CORNHILL, Feature.TAVERN),
    )
    (dispute,) = state.youth.disputes
    assert dispute.location is CORNHILL
    assert [answer.by for answer in dispute.answers] == [2, 3]
    assert state.youth.disputed_by(Seq(3)) == 2
    assert (
        state.youth.candidates == after(YouthAsked(EASTCHEAP, Feature.RIVERSIDE)).youth.candidates
    )
    assert state.youth.value_at(CORNHILL) is None
    assert state.youth.conflict is None


def test_taking_one_side_back_settles_the_dispute() -> None:
    state = after(
        YouthAsked(CORNHILL, Feature.CHURCH),
        YouthAsked(CORNHILL, Feature.TAVERN),
        Retracted(Seq(2)),
    )
    assert state.youth.disputes == ()
    assert state.youth.value_at(CORNHILL) is Feature.CHURCH
    assert state.retracted == {2}


def test_taking_back_a_retraction_brings_the_answer_back() -> None:
    events = (RendezvousSought(CORNHILL, 1), Retracted(Seq(1)), Retracted(Seq(2)))
    assert after(*events[:2]).rendezvous.answers == ()
    assert [answer.by for answer in after(*events).rendezvous.answers] == [1]
    again = after(*events, Retracted(Seq(3)))
    assert again.rendezvous.answers == ()


def test_the_start_cannot_be_taken_back_and_nothing_points_forwards() -> None:
    start = SessionStarted(settings=Settings(steps=StepReading.PATH))
    state = after(start, Retracted(Seq(1)), Retracted(Seq(4)), YouthAsked(CORNHILL, Feature.CHURCH))
    assert state.started == start
    assert len(state.youth.answers) == 1


def test_steps_are_counted_as_the_session_was_set_up() -> None:
    # A church is three steps from St Paul's round a triangle; the shortest readings has none there.
    sought = RendezvousSought(Location.ST_PAULS, 3)
    walk = after(SessionStarted(), sought).rendezvous.candidates
    shortest = after(
        SessionStarted(settings=Settings(steps=StepReading.SHORTEST)), sought
    ).rendezvous.candidates
    assert Feature.PLAYHOUSE in walk
    assert Feature.PLAYHOUSE not in shortest
    assert set(shortest) < set(walk)


def test_a_contradiction_names_the_events_to_look_at() -> None:
    state = after(
        YouthAsked(Location.CLERKENWELL, Feature.RESIDENCE),
        YouthAsked(CORNHILL, Feature.TAVERN),
        YouthAsked(Location.BISHOPSGATE, Feature.PLAYHOUSE),
    )
    assert state.youth.candidates == ()
    assert state.youth.conflict is not None
    assert [answer.by for answer in state.youth.conflict.answers] == [2, 3]


def test_searches_are_kept_in_order() -> None:
    state = after(SearchMade(CORNHILL, hit=False), SearchMade(EASTCHEAP, hit=True))
    assert [search.hit for search in state.searches] == [False, True]


def test_a_search_that_is_read_again_in_its_turn_is_one_search() -> None:
    miss, hit = SearchMade(CORNHILL, hit=False), SearchMade(CORNHILL, hit=True)
    turn = LadyUpdated()
    state = after(SessionStarted(pawn=CORNHILL), turn, miss, miss, turn, miss, turn, hit, hit)
    assert state.searches == (miss, miss, hit)
