"""What is coming, and where to head her off."""

from __future__ import annotations

import pytest

from assistant.core.events import RendezvousSought, SearchMade
from assistant.core.outlook import (
    coming,
    intercepts,
    marked,
    moves_before,
    rendezvous_here,
)
from assistant.core.settings import Expansion
from assistant.core.stealth import SLOTS, Shown
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    ClueGained,
    LadyFled,
    LadyUpdated,
    Passed,
    TracerPlaced,
    WaypointPlaced,
)
from tests.assistant.core.told import ANY_CLUE, BOARD, Told

CORNHILL = Location.CORNHILL


def test_slots_already_seen_come_round_again_with_what_is_known_of_them() -> None:
    told = Told()
    told.turn(Shown.COMMERCIAL)
    told.do(SearchMade(CORNHILL, hit=True))
    told.do(ClueGained(ANY_CLUE))
    told.do(LadyFled((Shown.UNSEEN,)))
    ahead = {entry.slot: entry for entry in coming(told.game, told.state.chase)}
    assert len(ahead) == SLOTS
    assert ahead[1].updates == SLOTS - 1  # type: ignore[index]
    assert set(ahead[1].places) == {CORNHILL}  # type: ignore[index]
    assert ahead[1].fog  # type: ignore[index]


def test_she_is_headed_off_only_where_the_walk_is_short_enough_and_no_fog_lies() -> None:
    told = Told()
    for shows in (Shown.TAVERN, Shown.RESIDENCE, Shown.COMMERCIAL):
        told.turn(shows)
        told.do(Passed())
    game, chase = told.game, told.state.chase
    assert game.pawn is CORNHILL
    found = intercepts(game, chase)
    assert [way.chance for way in found] == sorted((way.chance for way in found), reverse=True)
    for way in found:
        assert way.distance == BOARD.distance(CORNHILL, way.location)
        assert way.distance <= way.updates - 1
        assert way.updates < game.deck.updates_until_escape()
    assert moves_before(game, 1) == 0
    told.do(LadyUpdated())
    assert moves_before(told.game, 1) == 1


def test_updates_that_come_before_the_player_moves_again_give_no_time_to_walk() -> None:
    told = Told()
    # The first turn begins with an update; he can be there then only if he is there now.
    assert [moves_before(told.game, updates) for updates in (1, 2, 3)] == [0, 1, 2]
    told.turn()
    assert [moves_before(told.game, updates) for updates in (1, 2, 3)] == [1, 2, 3]
    told.hit()
    told.turn()
    told.do(SearchMade(CORNHILL, hit=True))
    # Two clues: she flees two slots at once, and the third update begins the next turn.
    assert [moves_before(told.game, updates) for updates in (3, 4, 5)] == [0, 1, 2]
    ways = intercepts(told.game, told.state.chase)
    assert {way.distance for way in ways if way.updates == 3} == {0}
    assert {way.distance for way in ways if way.updates == 5} == {0, 1, 2}
    assert min(way.updates for way in ways) == 3
    told.do(LadyFled((Shown.UNSEEN,) * 2))
    assert [moves_before(told.game, updates) for updates in (1, 2, 3)] == [0, 1, 2]


def test_nobody_is_headed_off_after_the_countdown_has_run_out() -> None:
    told = Told(passes=1)
    told.idle(20)
    left = told.game.deck.updates_until_escape()
    found = intercepts(told.game, told.state.chase)
    assert left == 6
    assert max(way.updates for way in found) == left - 1


def test_fogged_slots_are_no_place_to_head_her_off() -> None:
    told = Told()
    told.turn(Shown.COMMERCIAL)
    told.do(SearchMade(CORNHILL, hit=False))
    slots = {
        told.game.deck.slot_after(way.updates) for way in intercepts(told.game, told.state.chase)
    }
    assert 1 not in slots
    assert 3 in slots
    told.idle(20)
    # The fog comes round after six updates; what lies behind it can still be searched.
    ahead = {way.updates for way in intercepts(told.game, told.state.chase)}
    assert 6 not in ahead
    assert {5, 7} <= ahead


def test_a_marker_tells_when_its_card_comes_up_and_how_many_moves_are_left() -> None:
    told = Told(Expansion.MARKERS)
    told.turn()
    told.do(WaypointPlaced(Location.SOUTHWARK))
    told.do(TracerPlaced(Location.EASTCHEAP, 5))
    waypoint = marked(told.game, told.game.deck.waypoint)
    tracer = marked(told.game, told.game.deck.tracer)
    assert waypoint is not None
    assert tracer is not None
    assert (waypoint.updates, waypoint.card_in) == (SLOTS, SLOTS)
    assert (tracer.updates, tracer.card_in, tracer.distance) == (SLOTS, SLOTS - 5, 1)
    told.do(Passed())
    told.idle(SLOTS - 5)
    tracer = marked(told.game, told.game.deck.tracer)
    assert tracer is not None
    assert (tracer.updates, tracer.card_in) == (5, None)
    told.idle(5)
    assert marked(told.game, told.game.deck.tracer) is None


def test_how_likely_the_rendezvous_symbol_is_here_sums_over_the_features_of_the_place() -> None:
    told = Told(Expansion.RENDEZVOUS)
    told.turn()
    told.do(RendezvousSought(CORNHILL, 1))
    weights = told.state.rendezvous.weights
    shares = {place: rendezvous_here(BOARD, weights, place) for place in Location}
    assert shares[CORNHILL] == weights.get(Feature.COMMERCIAL, 0)
    both = weights[Feature.CHURCH] + weights[Feature.RESIDENCE]
    assert shares[Location.BISHOPSGATE] == pytest.approx(both)


def test_without_a_pawn_nobody_can_be_headed_off() -> None:
    from assistant.core.state import fold

    state = fold(BOARD, [])
    assert intercepts(state.game, state.chase) == ()
