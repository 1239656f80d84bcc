"""The rules of the turn, one by one: what is allowed, what is refused and why, what an act does."""

from __future__ import annotations

import pytest

from assistant.core.events import (
    Act,
    Overruled,
    Recorded,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seen,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.game import Phase, advance, new_game
from assistant.core.legality import moves_open, poet_rule
from assistant.core.names import parse_lady
from assistant.core.settings import Expansion, Settings, TieReading
from assistant.core.state import fold
from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    ClueReread,
    FogUsed,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PawnMoved,
    PoetMoved,
    PoetPlaced,
    SuitTold,
    TracerPlaced,
    WaypointPlaced,
    YouthConfronted,
)
from assistant.data import load_ladies
from tests.assistant.core.told import ANY_CLUE, BOARD, CLUES, Told

CORNHILL, EASTCHEAP, ST_PAULS = Location.CORNHILL, Location.EASTCHEAP, Location.ST_PAULS
CRIPPLEGATE, CLERKENWELL = Location.CRIPPLEGATE, Location.CLERKENWELL
CHURCH = Feature.CHURCH
THREE = frozenset({Trait.CHAIN, Trait.CROWN, Trait.HEART})
ASK, SEEK = YouthAsked(CORNHILL, CHURCH), RendezvousSought(CORNHILL, 2)
SEARCH = SearchMade(CORNHILL, hit=False)


# The turn.


def test_a_turn_begins_with_the_lady_then_the_poet_then_the_player() -> None:
    told = Told(Expansion.ELUSIVE, poet=CLERKENWELL)
    assert "Lady" in told.refused(Passed())
    told.do(LadyUpdated(Shown.CHURCH))
    assert told.game.phase.value == "poet"
    assert "Rival Poet" in told.refused(Passed())
    assert "Rival Poet" in told.refused(LadyUpdated())
    told.do(PoetMoved(CLERKENWELL))
    assert told.game.phase.value == "player"
    told.do(Passed())
    told.do(LadyUpdated(Shown.TAVERN))
    assert told.game.turn == 2


def test_without_a_poet_his_step_is_left_out() -> None:
    told = Told()
    told.do(LadyUpdated())
    assert told.game.phase is Phase.PLAYER
    assert "no Rival Poet" in told.refused(PoetMoved(CORNHILL))


ACTIONS: list[Act] = [PawnMoved(EASTCHEAP), SEARCH, ASK, SEEK, Passed()]


@pytest.mark.parametrize("first", ACTIONS, ids=lambda act: type(act).__name__)
def test_a_turn_has_one_action_and_asking_and_seeking_are_one_each(first: Act) -> None:
    told = Told(Expansion.YOUTH, Expansion.RENDEZVOUS)
    told.turn()
    told.do(first)
    for second in ACTIONS:
        if type(second) is not type(first):
            assert "one act" in told.refused(second) or "you are at" in told.refused(second)
    told.do(LadyUpdated())


def test_the_player_must_act_before_the_next_update() -> None:
    told = Told()
    told.turn()
    assert "you take your turn first" in told.refused(LadyUpdated())


def test_the_pawn_moves_along_roads_only() -> None:
    told = Told()
    told.turn()
    assert moves_open(told.game) == BOARD.neighbours(CORNHILL)
    for place in Location:
        if place not in BOARD.neighbours(CORNHILL):
            assert "no road" in told.refused(PawnMoved(place))
    told.do(PawnMoved(EASTCHEAP))
    assert told.game.pawn is EASTCHEAP
    assert moves_open(told.game) == ()


def test_an_expansion_that_is_not_in_play_offers_nothing() -> None:
    told = Told()
    told.turn()
    for act in (ASK, SEEK, WaypointPlaced(CORNHILL), YouthConfronted(CORNHILL)):
        assert "not in play" in told.refused(act)


def test_a_stack_is_read_where_the_pawn_is() -> None:
    told = Told(Expansion.YOUTH, Expansion.RENDEZVOUS)
    told.turn()
    assert "you are at Cornhill" in told.refused(YouthAsked(EASTCHEAP, CHURCH))
    assert "you are at Cornhill" in told.refused(RendezvousSought(EASTCHEAP, 1))
    assert "you are at Cornhill" in told.refused(SearchMade(EASTCHEAP, hit=False))


def test_the_same_stack_read_again_in_the_turn_costs_nothing() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    told.do(ASK)
    told.do(ASK)
    told.do(LadyUpdated())
    told.do(Passed())
    assert "one act" in told.refused(ASK)


@pytest.mark.parametrize("hit", [True, False])
def test_a_search_read_again_in_the_turn_is_the_same_search(hit: bool) -> None:
    told = Told(suit=Suit.ROSE)
    told.turn()
    told.hit()
    told.turn(Shown.COMMERCIAL)
    search = SearchMade(CORNHILL, hit)
    told.do(search)
    once = told.state
    told.do(search)
    assert (told.game, told.state.lady) == (once.game, once.lady)
    told.do(LadyFled((Shown.UNSEEN,) * told.game.clues_held))
    fled = told.state
    told.do(search)
    assert (told.game, told.state.lady) == (fled.game, fled.lady)
    assert told.state.doubts == ()
    # Another outcome, and the next turn, are no repeats.
    assert "one act" in told.refused(SearchMade(CORNHILL, not hit))
    told.turn()
    told.do(search)
    assert told.game.fog_left == once.game.fog_left - 1


def test_a_session_without_a_place_for_the_pawn_takes_readings_and_follows_no_turns() -> None:
    state = fold(BOARD, [])
    for reading in (ASK, SEEK, SEARCH):
        assert state.refusal(reading) is None
    assert "follows no turns" in (state.refusal(Passed()) or "")


# Searching, fog, flight.


def test_after_a_search_fog_takes_the_slot_and_the_deck_advances_one_card_for_each_clue() -> None:
    told = Told()
    told.turn(Shown.COMMERCIAL)
    told.do(SearchMade(CORNHILL, hit=True))
    game = told.game
    assert (game.phase, game.clues_held, game.clues_due, game.fog_left) == (Phase.FLIGHT, 1, 1, 9)
    assert game.deck.is_fog
    told.do(ClueGained(ANY_CLUE))
    assert "first advances" in told.refused(LadyUpdated())
    assert "one card for each clue held: 1" in told.refused(LadyFled(()))
    told.do(LadyFled((Shown.TAVERN,)))
    assert told.game.deck.slot == 2
    told.turn()
    told.hit()
    assert told.game.deck.slot == 3 + 2


def test_she_flees_after_a_miss_too_unless_the_setting_says_no() -> None:
    for flees in (True, False):
        told = Told(settings=Settings(advance_after_miss=flees))
        told.turn()
        told.hit()
        told.turn()
        told.do(SEARCH)
        assert told.game.phase is (Phase.FLIGHT if flees else Phase.PLAYER)


def test_after_a_miss_without_clues_there_is_no_flight() -> None:
    told = Told()
    told.turn()
    told.do(SEARCH)
    assert told.game.phase is Phase.PLAYER
    told.do(LadyUpdated())


def test_a_search_needs_a_stealth_card_on_top_and_a_fog_card_to_replace_it() -> None:
    told = Told()
    told.turn()
    told.do(SEARCH)
    told.idle(25)
    told.fog_turn()
    assert "fog is showing" in told.refused(SEARCH)
    told = Told(passes=3)
    for _ in range(10):
        told.turn()
        told.do(SEARCH)
    told.turn()
    assert "none is left" in told.refused(SEARCH)


def test_the_deck_model_refuses_fog_where_none_lies_and_a_symbol_where_it_does() -> None:
    told = Told()
    assert "no fog card lies" in told.refused(LadyUpdated(Shown.FOG))
    told.turn()
    told.do(SEARCH)
    told.idle(25)
    assert "a fog card lies" in told.refused(LadyUpdated(Shown.CHURCH))
    told.do(LadyUpdated(Shown.FOG))


def test_a_fog_card_is_used_only_from_the_top_and_does_what_its_text_said() -> None:
    told = Told()
    told.turn()
    told.do(SEARCH)
    told.idle(25)
    told.fog_turn()
    before = told.game
    told.do(FogUsed(7, Location.SOUTHWARK, (Shown.CHURCH, Shown.UNSEEN), 1, 1, Suit.OAK))
    game = told.game
    assert game.pawn is Location.SOUTHWARK
    assert game.deck.slot == before.deck.slot + 2
    assert (game.clues_due, game.suit) == (1, Suit.OAK)
    assert game.fog_left == before.fog_left - 1
    assert game.deck.fogged == before.deck.fogged
    assert game.acted


def test_fog_on_top_is_required_for_using_fog() -> None:
    told = Told()
    told.turn()
    assert "only when it is on top" in told.refused(FogUsed(3))


def test_a_fog_card_that_moves_the_pawn_meets_the_poets_as_a_step_would() -> None:
    for poet in (Expansion.ELUSIVE, Expansion.AGGRESSIVE):
        told = Told(poet, poet=CLERKENWELL)
        told.turn()
        told.do(SEARCH)
        told.idle(25)
        told.fog_turn()
        to_him = FogUsed(4, CLERKENWELL)
        if poet is Expansion.AGGRESSIVE:
            assert "never move to where" in told.refused(to_him)
        else:
            told.do(to_him)
            assert (told.game.poet_to_place, told.game.clues_due) == (True, 1)


@pytest.mark.parametrize("card", range(1, 11))
def test_each_fog_card_can_advance_the_deck_and_leave_the_game(card: int) -> None:
    told = Told()
    told.turn()
    told.do(SEARCH)
    told.idle(25)
    told.fog_turn()
    left = told.game.fog_left
    told.do(FogUsed(card, shows=(Shown.UNSEEN,) * (card % 4), returned=False))
    assert told.game.fog_left == left - 1
    assert told.game.deck.slot == (1 + card % 4) % 26


def test_fog_cards_have_the_numbers_one_to_ten() -> None:
    for card in (0, 11):
        with pytest.raises(ValueError, match="1 to 10"):
            FogUsed(card)


def test_the_lady_escapes_when_the_countdown_comes_up_the_last_time() -> None:
    told = Told(passes=2)
    told.idle(25)
    told.turn()
    assert told.game.deck.passes_left == 1
    told.do(Passed())
    told.idle(25)
    told.do(LadyUpdated())
    assert told.game.phase is Phase.OVER
    assert told.game.escaped
    assert told.refused(Passed()) == "the game is over"


def test_a_flight_may_end_early_when_the_countdown_runs_out_in_it() -> None:
    told = Told(passes=1)
    told.turn()
    told.hit()
    told.turn()
    told.hit()
    while told.game.deck.updates_until_escape() > 2:
        told.idle(1)
    told.turn()
    told.do(SEARCH)
    assert told.game.clues_held == 2
    told.do(LadyFled((Shown.UNSEEN,)))
    assert told.game.escaped


def test_the_clue_under_the_keys_is_due_after_every_location_was_visited() -> None:
    told = Told(pawn=CLERKENWELL)
    way = [
        CRIPPLEGATE, Location.SHOREDITCH, Location.BISHOPSGATE, CORNHILL, EASTCHEAP,
        Location.LONDON_BRIDGE, Location.SOUTHWARK, Location.LIBERTY_OF_THE_CLINK,
        Location.BLACKFRIARS, ST_PAULS,
    ]  # fmt: skip
    for place in way:
        assert told.game.clues_due == 0
        assert "no clue card is due" in told.refused(ClueGained(ANY_CLUE))
        told.turn()
        told.do(PawnMoved(place))
    assert told.game.clues_due == 1
    told.do(ClueGained(ANY_CLUE))
    told.turn()
    told.do(PawnMoved(Location.BLACKFRIARS))
    assert (told.game.clues_due, told.game.clues_held) == (0, 1)


# The Rival Poet.


def test_the_poet_starts_in_the_place_of_the_matching_colour_with_a_choice_on_green() -> None:
    def start(pawn: Location, poet: Location) -> str | None:
        expansions = frozenset({Expansion.ELUSIVE})
        return fold(BOARD, []).refusal(SessionStarted(expansions, pawn=pawn, poet=poet))

    assert start(CORNHILL, CLERKENWELL) is None
    assert "matching colour: Clerkenwell" in (start(CORNHILL, EASTCHEAP) or "")
    assert start(CRIPPLEGATE, Location.BISHOPSGATE) is None
    assert start(CRIPPLEGATE, Location.LIBERTY_OF_THE_CLINK) is None
    assert start(CRIPPLEGATE, CRIPPLEGATE) is not None


def test_one_poet_is_in_play_never_both() -> None:
    both = SessionStarted(frozenset({Expansion.ELUSIVE, Expansion.AGGRESSIVE}))
    assert "one Rival Poet" in (fold(BOARD, []).refusal(both) or "")


def test_the_poet_is_updated_as_the_rules_have_it_and_nowhere_else() -> None:
    told = Told(Expansion.AGGRESSIVE, pawn=ST_PAULS, poet=EASTCHEAP)
    told.do(LadyUpdated(Shown.CHURCH))
    rule = poet_rule(told.game)
    assert rule is not None
    assert rule.move is CORNHILL
    assert "goes to Cornhill" in told.refused(PoetMoved(EASTCHEAP))
    told.do(PoetMoved(CORNHILL))
    assert told.game.poet_path == (EASTCHEAP, CORNHILL)


def test_no_poet_moves_while_fog_is_showing() -> None:
    for poet in (Expansion.ELUSIVE, Expansion.AGGRESSIVE):
        told = Told(poet, pawn=CORNHILL, poet=CLERKENWELL)
        told.turn()
        told.do(SEARCH)
        told.idle(25)
        told.do(LadyUpdated(Shown.FOG))
        assert "fog" in told.refused(PoetMoved(CRIPPLEGATE))
        told.do(PoetMoved(CLERKENWELL))


@pytest.mark.parametrize("tie", TieReading)
def test_both_readings_of_an_open_tie_are_legal_for_the_poet(tie: TieReading) -> None:
    clink = Location.LIBERTY_OF_THE_CLINK
    told = Told(Expansion.AGGRESSIVE, pawn=clink, poet=CRIPPLEGATE, settings=Settings(tie=tie))
    told.record(Overruled(PawnMoved(Location.SOUTHWARK), "to see the one open tie of the map"))
    told.do(LadyUpdated(Shown.COMMERCIAL))
    rule = poet_rule(told.game)
    assert rule is not None
    first, other = (ST_PAULS, CLERKENWELL) if tie is TieReading.DRAWN else (CLERKENWELL, ST_PAULS)
    assert (rule.move, rule.alternatives) == (first, (other,))
    ways = told.allowed([PoetMoved(place) for place in Location])
    assert set(ways) == {PoetMoved(first), PoetMoved(other)}
    told.do(PoetMoved(other))
    assert told.game.poet is other
    # Where rural bars the one of the two, nothing is open.
    told = Told(Expansion.AGGRESSIVE, pawn=clink, poet=CRIPPLEGATE, settings=Settings(tie=tie))
    told.record(Overruled(PawnMoved(Location.SOUTHWARK), "to see the one open tie of the map"))
    told.do(LadyUpdated(Shown.RURAL))
    assert told.allowed([PoetMoved(place) for place in Location]) == [PoetMoved(ST_PAULS)]


def caught_elusive() -> Told:
    told = Told(Expansion.ELUSIVE, pawn=CORNHILL, poet=CLERKENWELL)
    told.turn()
    told.do(PawnMoved(CRIPPLEGATE))
    # Blackfriars is riverside: he has nowhere to go but stays at Clerkenwell.
    told.do(LadyUpdated(Shown.RIVERSIDE))
    told.do(PoetMoved(CLERKENWELL))
    told.do(PawnMoved(CLERKENWELL))
    return told


def test_catching_the_elusive_poet_costs_a_fog_card_gives_a_clue_and_sends_him_away() -> None:
    told = caught_elusive()
    assert (told.game.fog_left, told.game.clues_due, told.game.poet_to_place) == (9, 1, True)
    assert "matching colour" in told.refused(LadyUpdated())
    assert "Cornhill" in told.refused(PoetPlaced(EASTCHEAP))
    told.do(PoetPlaced(CORNHILL))
    told.do(ClueGained(ANY_CLUE))
    assert told.game.poet is CORNHILL
    told.do(LadyUpdated())
    assert "only when you have caught him" in told.refused(PoetPlaced(CORNHILL))


def test_the_player_never_moves_to_where_the_aggressive_poet_is() -> None:
    told = Told(Expansion.AGGRESSIVE, pawn=CORNHILL, poet=CLERKENWELL)
    told.do(LadyUpdated(Shown.COMMERCIAL))
    told.do(PoetMoved(CRIPPLEGATE))
    assert "never move to where the Aggressive Poet is" in told.refused(PawnMoved(CRIPPLEGATE))
    assert CRIPPLEGATE not in moves_open(told.game)


def pinned() -> Told:
    told = Told(
        Expansion.AGGRESSIVE, Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.MARKERS,
        pawn=CORNHILL, poet=CLERKENWELL,
    )  # fmt: skip
    told.do(LadyUpdated(Shown.TAVERN))
    told.do(PoetMoved(CRIPPLEGATE))
    told.do(Passed())
    told.do(LadyUpdated(Shown.TAVERN))
    told.do(PoetMoved(CORNHILL))
    assert told.game.is_pinned
    return told


@pytest.mark.parametrize(
    "act",
    [Passed(), SEARCH, ASK, SEEK, FogUsed(1), LadyConfronted(THREE, True, THREE, CHURCH)],
    ids=lambda act: type(act).__name__,
)
def test_caught_by_the_aggressive_poet_the_turn_must_be_used_to_move_away(act: Act) -> None:
    told = pinned()
    assert "must use your turn to move away" in told.refused(act)


def test_pinned_the_player_may_still_move_anywhere_and_do_free_acts() -> None:
    told = pinned()
    assert moves_open(told.game) == BOARD.neighbours(CORNHILL)
    told.do(YouthConfronted(EASTCHEAP))
    told.do(WaypointPlaced(CORNHILL))
    told.do(PawnMoved(EASTCHEAP))
    assert not told.game.is_pinned


def test_the_elusive_poet_pins_nobody() -> None:
    told = Told(Expansion.ELUSIVE, pawn=CORNHILL, poet=CLERKENWELL)
    told.turn()
    told.do(PawnMoved(CRIPPLEGATE))
    told.turn(Shown.RIVERSIDE)
    told.do(PawnMoved(CLERKENWELL))
    assert not told.game.is_pinned


# Confronting.


def test_the_youth_is_confronted_once_and_for_free_during_the_turn() -> None:
    told = Told(Expansion.YOUTH)
    assert "during your turn" in told.refused(YouthConfronted(CORNHILL))
    told.turn()
    told.do(Passed())
    told.do(YouthConfronted(CORNHILL))
    assert "happens once" in told.refused(YouthConfronted(CORNHILL))


def test_the_lady_is_confronted_with_three_traits_named_and_the_rendezvous_turned_over() -> None:
    told = Told(Expansion.RENDEZVOUS)
    told.turn()
    two = frozenset(list(THREE)[:2])
    assert "three characteristics" in told.refused(LadyConfronted(two, True, THREE, CHURCH))
    assert "turned over first" in told.refused(LadyConfronted(THREE, True, THREE))
    told.do(LadyConfronted(THREE, True, THREE, Feature.COMMERCIAL))
    assert told.refused(LadyUpdated()) == "the game is over"


# Markers.


def test_markers_are_placed_before_or_after_the_action_and_before_the_flight() -> None:
    told = Told(Expansion.MARKERS)
    assert "during your turn" in told.refused(WaypointPlaced(CORNHILL))
    told.turn()
    told.do(WaypointPlaced(CORNHILL))
    told.do(SearchMade(CORNHILL, hit=True))
    told.do(TracerPlaced(CORNHILL, 3))
    assert told.game.phase is Phase.FLIGHT
    assert told.game.deck.tracer.slot == told.game.deck.waypoint.slot == 1


def test_a_marker_is_used_twice_and_only_when_card_and_token_lie_aside() -> None:
    told = Told(Expansion.MARKERS, passes=3)
    for use in (1, 2):
        told.turn()
        told.do(WaypointPlaced(EASTCHEAP))
        assert "in use" in told.refused(WaypointPlaced(EASTCHEAP))
        assert told.game.deck.waypoint.uses == use
        told.do(Passed())
        told.idle(25)
        assert not told.game.deck.waypoint.is_free
        told.turn()
        told.do(Passed())
    told.turn()
    assert "used twice" in told.refused(WaypointPlaced(EASTCHEAP))


def test_the_tracer_warns_three_or_five_moves_ahead() -> None:
    for warning in (0, 4, 6):
        with pytest.raises(ValueError, match="3 or 5"):
            TracerPlaced(CORNHILL, warning)


def test_a_clue_taken_by_a_house_rule_is_held_too() -> None:
    told = Told()
    told.turn()
    told.record(Overruled(ClueGained(ANY_CLUE), told.refused(ClueGained(ANY_CLUE))))
    assert (told.game.clues_held, told.game.clues_due) == (1, 0)


def test_a_clue_is_read_again_in_the_row_of_the_new_suit() -> None:
    told = Told(suit=Suit.ROSE)
    told.turn()
    told.do(SearchMade(CORNHILL, hit=True))
    clue = Clue(THREE, (Mark(Suit.ROSE, frozenset({3})),))
    seq = told.do(ClueGained(clue))
    assert told.state.identity.triples == (THREE,)
    told.do(SuitTold(Suit.OAK))
    assert [held.by for held in told.state.identity.unread] == [seq]
    told.do(ClueReread(seq, Mark(Suit.OAK, frozenset({0}))))
    assert told.state.identity.unread == ()
    assert len(told.state.identity.triples) == 4
    told.do(SuitTold(Suit.ROSE))
    assert told.state.identity.triples == (THREE,)


def test_what_shows_after_the_countdown_ran_out_is_nobodys_business() -> None:
    told = Told(passes=1)
    told.idle(25)
    told.do(LadyUpdated(Shown.FOG))
    assert told.game.escaped


def test_caught_without_a_fog_card_left_to_pay_the_elusive_poet_gives_no_clue() -> None:
    told = Told(Expansion.ELUSIVE, poet=CLERKENWELL, passes=3)
    for _ in range(10):
        told.turn()
        told.do(SEARCH)
    told.turn()
    told.do(PawnMoved(CRIPPLEGATE))
    told.do(LadyUpdated(Shown.RIVERSIDE))
    told.do(PoetMoved(CLERKENWELL))
    told.do(PawnMoved(CLERKENWELL))
    assert (told.game.fog_left, told.game.clues_due) == (0, 0)
    assert told.game.poet_to_place


def test_a_fog_card_may_leave_the_game_only_while_another_can_take_its_slot() -> None:
    told = Told(passes=3)
    for _ in range(10):
        told.turn()
        told.do(SEARCH)
    told.idle(16)
    told.fog_turn()
    assert "goes back into the deck" in told.refused(FogUsed(1, returned=False))
    told.do(FogUsed(1))
    assert told.game.fog_left == 0


def test_the_suit_of_the_lady_is_one_that_is_in_play() -> None:
    state = fold(BOARD, [])
    darker = frozenset({Expansion.DARKER})
    assert state.refusal(SessionStarted(darker, suit=Suit.SPADES)) is None
    assert "no Lady in play" in (state.refusal(SessionStarted(darker, suit=Suit.ROSE)) or "")
    assert "no Lady in play" in (state.refusal(SessionStarted(suit=Suit.SPADES)) or "")


@pytest.mark.parametrize("pawn", [CORNHILL, None], ids=["turn by turn", "readings only"])
def test_a_game_that_has_begun_is_not_started_again(pawn: Location | None) -> None:
    log = [Recorded(Seq(1), "", SessionStarted(pawn=pawn))]
    # Until something has happened, a set-up may still be told otherwise.
    assert fold(BOARD, log).refusal(SessionStarted()) is None
    log.append(Recorded(Seq(2), "", ASK if pawn is None else LadyUpdated()))
    assert "already begun" in (fold(BOARD, log).refusal(SessionStarted()) or "")
    log.append(Recorded(Seq(3), "", Retracted(Seq(2))))
    assert fold(BOARD, log).refusal(SessionStarted()) is None


def test_she_flees_only_after_a_search() -> None:
    told = Told()
    told.turn()
    assert "only after a search" in told.refused(LadyFled(()))


def test_without_knowing_the_symbol_the_poet_may_take_any_road_but_only_one() -> None:
    told = Told(Expansion.AGGRESSIVE, poet=CLERKENWELL)
    told.do(LadyUpdated())
    assert poet_rule(told.game) is None
    ways = told.allowed([PoetMoved(place) for place in Location])
    assert {way.to for way in ways if isinstance(way, PoetMoved)} == {
        CLERKENWELL, CRIPPLEGATE, Location.BLACKFRIARS,
    }  # fmt: skip
    assert "at most one road" in told.refused(PoetMoved(CORNHILL))


def test_with_one_fog_card_left_a_used_one_may_leave_and_with_none_to_spare_it_may_not() -> None:
    told = Told(passes=3)
    for _ in range(9):
        told.turn()
        told.do(SEARCH)
    told.idle(17)
    told.fog_turn()
    assert told.game.fog_left == 1
    refused = told.refused(FogUsed(1, fog_discarded=1, returned=False))
    assert "goes back into the deck" in refused
    told.do(FogUsed(1, returned=False))
    assert told.game.fog_left == 0


def test_no_more_fog_cards_are_discarded_than_there_are_and_by_a_house_rule_all() -> None:
    told = Told(passes=3)
    for _ in range(9):
        told.turn()
        told.do(SEARCH)
    told.idle(17)
    told.fog_turn()
    two = FogUsed(2, fog_discarded=2)
    assert "no more than this many cards: 1" in told.refused(two)
    told.record(Overruled(two, told.refused(two)))
    assert told.game.fog_left == 0
    assert told.state.doubts == ()


def after_the_first_fog(*expansions: Expansion) -> Told:
    told = Told(*expansions, suit=Suit.HEARTS if Expansion.DARKER in expansions else Suit.ROSE)
    told.turn()
    told.hit()
    told.idle(24)
    told.fog_turn()
    return told


def test_no_fog_card_gives_more_clue_cards_than_the_game_has() -> None:
    told = after_the_first_fog()
    assert "no more than this many cards: 10" in told.refused(FogUsed(1, clues=11))
    told.record(Overruled(FogUsed(1, clues=11), "a house rule"))
    assert (told.game.clues_held, told.game.clues_due) == (11, 10)
    told.turn()
    told.do(SearchMade(CORNHILL, hit=True))
    # The clue deck is empty: nothing more is due, and she flees eleven cards.
    assert (told.game.clues_held, told.game.clues_due) == (11, 10)


def test_the_suit_that_is_told_later_is_one_that_is_in_play_too() -> None:
    for chosen, strange in (((), Suit.HEARTS), ((Expansion.DARKER,), Suit.ROSE)):
        told = after_the_first_fog(*chosen)
        mark = Mark(strange, frozenset({1}))
        for act in (
            SuitTold(strange),
            FogUsed(10, suit=strange),
            ClueReread(told.game.clues[0].by, mark),  # type: ignore[arg-type]
        ):
            assert f"of the suit {strange.value}" in told.refused(act)
        told.record(Overruled(SuitTold(strange), "we mix them"))
        assert told.game.suit is strange


def test_a_card_of_the_other_ladies_is_no_clue() -> None:
    told = Told(Expansion.DARKER, suit=Suit.HEARTS)
    told.turn()
    told.do(SearchMade(CORNHILL, hit=True))
    florio, one = parse_lady("florio", load_ladies()).clue, frozenset({1})
    assert "not of the Ladies in play" in told.refused(ClueGained(florio))
    # A card whose row was read for a suit in play is taken, whatever else is known of it.
    told.do(ClueGained(Clue(THREE, (Mark(Suit.ROSE, one), Mark(Suit.HEARTS, one)))))


def test_a_clue_card_lies_there_once() -> None:
    told = Told(suit=Suit.ROSE)
    told.turn()
    told.do(SearchMade(CORNHILL, hit=True))
    told.do(ClueGained(Clue(THREE, (Mark(Suit.ROSE, frozenset({1})),))))
    told.do(LadyFled((Shown.UNSEEN,)))
    told.turn()
    told.do(SearchMade(CORNHILL, hit=True))
    assert "lies before you already" in told.refused(ClueGained(ANY_CLUE))
    told.do(ClueGained(CLUES[1]))


def test_two_darker_ladies_may_have_the_same_traits_for_all_that_is_known() -> None:
    told = Told(Expansion.DARKER, suit=Suit.HEARTS)
    for _ in range(2):
        told.turn()
        told.do(SearchMade(CORNHILL, hit=True))
        told.do(ClueGained(ANY_CLUE))
        told.do(LadyFled((Shown.UNSEEN,) * told.game.clues_held))


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (SessionStarted(pawn=CORNHILL, top=Shown.FOG), "at set-up a stealth card"),
        (SessionStarted(passes=100), "at most 99 times"),
        (ClueReread(Seq(2), Mark(Suit.ROSE, frozenset({1}))), "entry 2 is no clue card"),
        (LadyConfronted(THREE, True, frozenset({Trait.CHAIN})), "three traits, not 1"),
        (LadyConfronted(THREE, True, frozenset()), "three traits, not 0"),
        (LadyConfronted(THREE, False, frozenset({Trait.CHAIN})), "three traits, not 1"),
        (FogUsed(1, clues=12), "there are 11 clue cards"),
        (FogUsed(1, fog_discarded=11), "there are 10 fog cards"),
        (BaseScored(1_000_000), "so many points"),
        (BaseScored(-1_000_000), "so many points"),
        (YouthAsked(CORNHILL, CHURCH, Seen(-0.1, 4)), "from 0 to 1, not -0.1"),
        (RendezvousSought(CORNHILL, 1, Seen(1.1, 4)), "from 0 to 1, not 1.1"),
        (SearchMade(CORNHILL, False, Seen(1.0, -1)), "fewer frames than none"),
    ],
)
def test_what_no_table_can_show_is_refused_for_good(act: Act, why: str) -> None:
    for state in (fold(BOARD, []), after_the_first_fog().state):
        assert why in (state.refusal(act) or "")
        assert state.impossible(act) == state.refusal(act)


@pytest.mark.parametrize(
    "act",
    [
        SessionStarted(passes=99),
        LadyConfronted(THREE, False, frozenset()),
        LadyConfronted(THREE, False, THREE),
        FogUsed(1, clues=11),
        FogUsed(1, fog_discarded=10),
        BaseScored(999_999),
        BaseScored(-999_999),
        YouthAsked(CORNHILL, CHURCH, Seen(0.0, 0)),
        SearchMade(CORNHILL, True, Seen(1.0, 1)),
        PawnMoved(CLERKENWELL),
    ],
)
def test_what_a_table_may_show_after_all_is_left_to_the_player(act: Act) -> None:
    assert after_the_first_fog().state.impossible(act) is None


def test_more_clue_cards_than_there_are_do_not_lie_before_anybody() -> None:
    told = Told()
    for clue in CLUES:
        told.record(Overruled(ClueGained(clue), "a house rule"))
    assert told.game.clues_held == len(CLUES) == 11
    twelfth = ClueGained(Clue(frozenset({Trait.QUILL, Trait.RATTLE, Trait.RING}), ()))
    assert "all lie before you" in (told.state.impossible(twelfth) or "")
    told.record(Overruled(twelfth, "a log of an older program"))
    assert told.game.clues_held == 11


def three_clues_and_two_updates_to_escape() -> Told:
    told = Told(passes=1)
    for _ in range(3):
        told.turn()
        told.hit()
    while told.game.deck.updates_until_escape() > 3:
        told.idle(1)
    told.turn()
    told.do(SEARCH)
    assert (told.game.clues_held, told.game.deck.updates_until_escape()) == (3, 2)
    return told


@pytest.mark.parametrize(("shown", "is_right"), [(1, False), (2, True), (3, True), (4, False)])
def test_a_flight_that_ends_the_game_is_as_long_as_the_cards_there_are(
    shown: int, is_right: bool
) -> None:
    told = three_clues_and_two_updates_to_escape()
    flight = LadyFled((Shown.UNSEEN,) * shown)
    assert (told.state.refusal(flight) is None) is is_right
    if is_right:
        told.do(flight)
        assert told.game.escaped


def test_a_flight_shows_no_more_cards_than_clues_are_held() -> None:
    told = Told()
    told.turn()
    told.do(SearchMade(CORNHILL, hit=True))
    assert "one card for each clue held: 1" in told.refused(LadyFled((Shown.UNSEEN,) * 2))


def test_after_the_lady_has_escaped_the_youth_is_not_confronted_any_more() -> None:
    told = Told(Expansion.YOUTH, passes=1)
    told.idle(25)
    told.do(LadyUpdated())
    assert told.refused(YouthConfronted(CORNHILL)) == "the game is over"


def test_after_the_lady_was_confronted_the_youth_still_is_at_the_same_time() -> None:
    told = Told(Expansion.YOUTH)
    told.turn()
    told.do(LadyConfronted(THREE, True, THREE))
    told.do(YouthConfronted(CORNHILL))


def test_four_traits_name_nobody() -> None:
    told = Told()
    told.turn()
    four = LadyConfronted(THREE | {Trait.RING}, True, THREE)
    assert "three characteristics" in told.refused(four)


@pytest.mark.parametrize(
    "start",
    [
        SessionStarted(frozenset({Expansion.AGGRESSIVE}), pawn=CORNHILL, top=Shown.CHURCH),
        SessionStarted(frozenset({Expansion.AGGRESSIVE}), poet=CORNHILL, top=Shown.CHURCH),
        SessionStarted(pawn=CORNHILL, poet=CLERKENWELL, top=Shown.CHURCH),
    ],
    ids=["no place for the poet", "none for the pawn", "no poet in play"],
)
def test_where_the_poets_pawn_or_the_players_is_not_on_the_map_no_poet_is_updated(
    start: SessionStarted,
) -> None:
    game = new_game(BOARD, start)
    assert poet_rule(game) is None
    if game.tracked:
        assert advance(game, LadyUpdated(Shown.CHURCH), Seq(2)).phase is Phase.PLAYER


def test_a_poet_whose_place_was_not_told_is_put_where_he_is_seen_without_a_road() -> None:
    game = new_game(BOARD, SessionStarted(frozenset({Expansion.AGGRESSIVE}), pawn=CORNHILL))
    placed = advance(game, PoetMoved(ST_PAULS), Seq(2))
    assert (placed.poet, placed.poet_path) == (ST_PAULS, None)
    stayed = advance(placed, PoetMoved(ST_PAULS), Seq(3))
    assert (stayed.poet, stayed.poet_path) == (ST_PAULS, None)
    went = advance(stayed, PoetMoved(CRIPPLEGATE), Seq(4))
    assert went.poet_path == (ST_PAULS, CRIPPLEGATE)


def test_the_top_shows_what_was_told_of_its_own_slot() -> None:
    told, shown = Told(), []
    for shows in (Shown.COMMERCIAL, Shown.UNSEEN, Shown.TAVERN):
        told.turn(shows)
        told.do(Passed())
        shown.append(told.game.shows)
    assert shown == [Shown.COMMERCIAL, Shown.UNSEEN, Shown.TAVERN]
    told.idle(23)
    # A round later slot 1 is on top again.
    told.turn()
    shown = [told.game.shows]
    told.do(SEARCH)
    assert [*shown, told.game.shows] == [Shown.COMMERCIAL, Shown.FOG]


def test_only_the_clue_that_is_meant_is_read_again() -> None:
    told = Told(suit=Suit.OAK, passes=3)
    mark = Mark(Suit.ROSE, frozenset({1}))
    seqs = []
    for clue in CLUES[:3]:
        told.turn()
        told.do(SearchMade(CORNHILL, hit=True))
        seqs.append(told.do(ClueGained(Clue(clue.traits, (mark,)))))
        told.do(LadyFled((Shown.UNSEEN,) * told.game.clues_held))
    told.do(ClueReread(seqs[1], Mark(Suit.OAK, frozenset({2}))))
    one, two = frozenset({1}), frozenset({2})
    assert [held.clue.counts(Suit.OAK) for held in told.game.clues] == [None, two, None]
    assert [held.clue.counts(Suit.ROSE) for held in told.game.clues] == [one, one, one]


def test_a_fog_card_that_advances_past_the_end_of_the_deck_ends_the_game_there() -> None:
    told = Told(passes=2)
    told.turn()
    told.do(SEARCH)
    while told.game.deck.updates_until_escape() > 26:
        told.idle(1)
    # Slot 0 is on top; the fog of slot 1 comes next, and 25 updates later she has escaped.
    told.fog_turn()
    left = told.game.deck.updates_until_escape()
    told.do(FogUsed(7, shows=(Shown.UNSEEN,) * (left + 3)))
    assert told.game.phase is Phase.OVER
    assert (told.game.deck.passes_left, told.game.deck.slot) == (0, 0)
