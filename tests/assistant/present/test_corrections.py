"""The log's lines, how each is put right, what does not fit, and errors that must not come back."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import pytest

from assistant.core.events import (
    Corrected,
    Event,
    Overruled,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seen,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.rendezvous import numbers_allowed
from assistant.core.stealth import Shown
from assistant.core.suits import Trait
from assistant.core.terms import Feature, Location, StepReading
from assistant.core.turn_events import (
    Help,
    HelpUsed,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PawnMoved,
)
from assistant.data import load_board
from assistant.present.choices import Ask
from assistant.present.event_words import event_words
from assistant.present.hints import hint_buttons, hint_words
from assistant.present.log_lines import Fate, correction_ask, log_lines
from assistant.present.rescan import repeats_an_error
from assistant.present.trouble import trouble
from tests.assistant.present.games import (
    STARTED,
    Played,
    clock,
    followed,
    last_of,
    offered,
    random_game,
)

OPEN = SessionStarted()
BASE = SessionStarted(pawn=Location.CORNHILL)
CHURCH = YouthAsked(Location.CORNHILL, Feature.CHURCH, Seen(0.98, 12))
TAVERN = YouthAsked(Location.CORNHILL, Feature.TAVERN, Seen(0.97, 9))


def test_the_log_tells_time_words_and_who_said_it() -> None:
    lines = log_lines(Played(OPEN, CHURCH, Passed()).state, clock)
    assert [(line.time, line.text) for line in lines] == [
        ("20:15", "a game begins"),
        ("20:15", "Cornhill said church (98 % sure)"),
        ("20:15", "you passed"),
    ]
    assert [line.by_camera for line in lines] == [False, True, False]


def test_every_event_of_a_game_has_words() -> None:
    for seed in range(4):
        for _, event in random_game(seed, STARTED, avoid=""):
            words = event_words(event)
            assert words
            assert "<" not in words
            assert "Location." not in words


def test_what_is_taken_back_stays_in_the_log_and_can_be_put_back() -> None:
    played = Played(OPEN, CHURCH)
    back = followed(correction_ask(played.state, Seq(2)), "Take it back")
    assert back == Retracted(Seq(2))
    played.add(back)
    assert log_lines(played.state, clock)[1].fate is Fate.TAKEN_BACK
    assert played.state.youth.answers == ()
    played.add(followed(correction_ask(played.state, Seq(2)), "Put it back"))
    assert played.state.youth.value_at(Location.CORNHILL) is Feature.CHURCH


@pytest.mark.parametrize(
    ("event", "answers", "becomes"),
    [
        (CHURCH, ["tavern"], YouthAsked(Location.CORNHILL, Feature.TAVERN)),
        (CHURCH, ["Another", "Eastcheap"], YouthAsked(Location.EASTCHEAP, Feature.CHURCH)),
        (RendezvousSought(Location.CORNHILL, 2), ["3"], RendezvousSought(Location.CORNHILL, 3)),
        (
            SearchMade(Location.CORNHILL, hit=False, seen=Seen(0.9, 9)),
            ["she was there"],
            SearchMade(Location.CORNHILL, hit=True),
        ),
        (PawnMoved(Location.CORNHILL), ["St Paul's"], PawnMoved(Location.ST_PAULS)),
    ],
)
def test_an_entry_is_changed_by_one_or_two_answers(
    event: Event, answers: list[str], becomes: Event
) -> None:
    played = Played(OPEN, event)
    fixed = followed(correction_ask(played.state, Seq(2)), *answers)
    assert fixed == Corrected(Seq(2), becomes)  # type: ignore[arg-type]
    played.add(fixed)
    assert log_lines(played.state, clock)[1].fate in (Fate.PUT_RIGHT, Fate.DOUBTED)
    assert [entry.event for entry in played.state.in_force][1] == becomes


def test_the_start_can_not_be_taken_back() -> None:
    question = correction_ask(Played(OPEN).state, Seq(1))
    assert question.offers
    assert not any(offer.label == "Take it back" for offer in question.offers)


def test_two_readings_of_one_place_are_told_as_a_dispute_between_the_two() -> None:
    played = Played(OPEN, CHURCH, TAVERN)
    found = trouble(played.state)
    assert found is not None
    assert "Cornhill was read in two ways" in found.title
    assert [offer.label for offer in found.offers] == [
        "Cornhill said church",
        "Cornhill said tavern",
    ]
    assert [line.fate for line in log_lines(played.state, clock)[1:]] == [Fate.DISPUTED] * 2
    played.add(followed(found, "Cornhill said tavern", "Take it back"))
    assert trouble(played.state) is None


def test_answers_that_no_hideout_fits_are_blamed_and_no_others() -> None:
    # No neighbour of Eastcheap is rural, so this answer fits nowhere at all.
    odd = YouthAsked(Location.EASTCHEAP, Feature.RURAL)
    found = trouble(Played(OPEN, CHURCH, odd).state)
    assert found is not None
    assert [offer.label for offer in found.offers] == ["Eastcheap said rural"]


def test_a_reading_away_from_the_pawn_offers_to_move_the_pawn() -> None:
    started = dataclasses.replace(STARTED, expansions=STARTED.expansions, poet=None)
    elsewhere = YouthAsked(Location.EASTCHEAP, Feature.COMMERCIAL)
    played = Played(started, LadyUpdated(), elsewhere)
    found = trouble(played.state)
    assert found is not None
    assert "you are at Cornhill" in found.title
    moved = offered(found, "My pawn is in Eastcheap").open()
    assert isinstance(moved, Overruled)
    played.add(moved)
    assert played.state.game.pawn is Location.EASTCHEAP


def test_at_the_games_end_nobody_is_told_that_it_goes_on() -> None:
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    played = Played(dataclasses.replace(OPEN, pawn=Location.CORNHILL), LadyUpdated(),
                    CHURCH, TAVERN)  # fmt: skip
    before = trouble(played.state)
    played.add(LadyConfronted(three, False, three, None))
    after = trouble(played.state)
    assert before is not None
    assert after is not None
    assert after.title == before.title
    assert before.note == f"{after.note} No hurry: the game goes on."


def test_numbers_that_no_symbol_fits_are_told_with_those_to_blame_alone() -> None:
    numbers = ((Location.CLERKENWELL, 1), (Location.CRIPPLEGATE, 2), (Location.SHOREDITCH, 2))
    played = Played(OPEN, *(RendezvousSought(place, number) for place, number in numbers))
    found = trouble(played.state)
    assert found is not None
    assert found.title == "No symbol fits all the numbers."
    assert [offer.label for offer in found.offers] == ["Clerkenwell gave 1", "Shoreditch gave 2"]
    played.add(followed(found, "Shoreditch", "Take it back"))
    assert trouble(played.state) is None


def test_a_game_that_fits_together_has_no_trouble() -> None:
    assert (
        trouble(Played(OPEN, CHURCH, YouthAsked(Location.ST_PAULS, Feature.RESIDENCE)).state)
        is None
    )


def test_a_scan_again_does_not_bring_a_corrected_error_back() -> None:
    played = Played(OPEN, CHURCH)
    played.add(Corrected(Seq(2), YouthAsked(Location.CORNHILL, Feature.TAVERN)))
    again = played.add(CHURCH)
    assert repeats_an_error(played.state, again)
    right = played.add(TAVERN)
    assert not repeats_an_error(played.state, right)


def test_a_scan_again_of_what_was_taken_back_does_not_count_but_a_put_back_one_does() -> None:
    played = Played(OPEN, CHURCH, Retracted(Seq(2)))
    again = played.add(CHURCH)
    assert repeats_an_error(played.state, again)
    played = Played(OPEN, CHURCH, Retracted(Seq(2)), Retracted(Seq(3)))
    again = played.add(CHURCH)
    assert not repeats_an_error(played.state, again)


def is_repeated(played: Played, reading: Event) -> bool:
    seq = played.add(reading)
    return repeats_an_error(played.state, seq)


@pytest.mark.parametrize("hit", [False, True])
def test_a_search_again_does_not_bring_a_corrected_or_taken_back_one_back(hit: bool) -> None:
    wrong = SearchMade(Location.CORNHILL, hit, Seen(0.9, 9))
    right = SearchMade(Location.CORNHILL, not hit)
    fled = LadyFled((Shown.UNSEEN,))
    for change in (Corrected(Seq(3), right), Retracted(Seq(3))):
        for flight in ([], [fled]):
            played = Played(BASE, LadyUpdated(), wrong, change, *flight)
            assert is_repeated(played, wrong)
            assert not is_repeated(played, right)
    # In another turn another stealth card lies below, and elsewhere it is another search.
    played = Played(BASE, LadyUpdated(), wrong, Corrected(Seq(3), right), LadyUpdated())
    assert not is_repeated(played, wrong)
    played = Played(BASE, LadyUpdated(), wrong, Corrected(Seq(3), right))
    assert not is_repeated(played, SearchMade(Location.EASTCHEAP, hit, Seen(0.9, 9)))
    # A turn that was undone and played again is another one.
    played = Played(BASE, LadyUpdated(), wrong, Retracted(Seq(3)), Retracted(Seq(2)), LadyUpdated())
    assert not is_repeated(played, wrong)


def test_where_turns_are_not_followed_a_search_again_is_a_new_one() -> None:
    wrong = SearchMade(Location.CORNHILL, False, Seen(0.9, 9))
    assert not is_repeated(Played(OPEN, wrong, Retracted(Seq(2))), wrong)


def test_a_reading_of_another_place_is_no_repeat() -> None:
    played = Played(OPEN, CHURCH, Retracted(Seq(2)))
    other = played.add(YouthAsked(Location.EASTCHEAP, Feature.CHURCH, Seen(0.9, 9)))
    assert not repeats_an_error(played.state, other)


def test_hints_are_counted_and_say_nothing_before_they_are_asked() -> None:
    played = Played(STARTED, LadyUpdated())
    assert [hint.used for hint in hint_buttons(played.state)] == [0, 0, 0, 0]
    played.add(HelpUsed(Help.SEEK))
    played.add(HelpUsed(Help.SEEK))
    assert {hint.help: hint.used for hint in hint_buttons(played.state)}[Help.SEEK] == 2
    best = played.state.next_to_ask(Location.CORNHILL)[0].location.value
    assert best in hint_words(played.state, Help.ASK)


def test_the_likeliest_are_all_named_where_some_are_as_likely() -> None:
    played = Played(OPEN, YouthAsked(Location.CORNHILL, Feature.TAVERN))
    assert hint_words(played.state, Help.SURE) == (
        "Likeliest now: the Youth in Eastcheap, London Bridge or Southwark (30 % each)."
    )
    assert hint_words(Played(OPEN).state, Help.SURE) == "Nothing is known yet."


def test_where_she_cannot_be_headed_off_the_reason_is_told() -> None:
    def why(*events: Event) -> str:
        return hint_words(Played(*events).state, Help.INTERCEPT)

    turn: list[Event] = [LadyUpdated(), Passed()]
    search: list[Event] = [LadyUpdated(), SearchMade(Location.CORNHILL, hit=False)]
    assert "no place for your pawn" in why(OPEN)
    assert why(BASE).startswith("Best chances to meet the Lady: ")
    assert why(BASE, *search * 9).startswith("Best chances to meet the Lady: ")
    assert "No fog card is left" in why(BASE, *search * 10)
    assert why(BASE, *turn * 50).startswith("Best chances to meet the Lady: ")
    assert "She escapes before" in why(BASE, *turn * 51)
    assert why(BASE, *turn * 52) == "The game is over."
    three = frozenset(list(Trait)[:3])
    lost = LadyConfronted(three, found=False, traits=frozenset())
    assert why(BASE, LadyUpdated(), lost) == "The game is over."
    here: list[Event] = [LadyUpdated(Shown.TAVERN), SearchMade(Location.CORNHILL, hit=True)]
    assert "contradicts itself" in why(BASE, *here)


def test_what_more_asking_and_seeking_can_tell() -> None:
    def ask(*events: Event) -> str:
        return hint_words(Played(OPEN, *events).state, Help.ASK)

    assert ask().startswith("Best to ask in ")
    known = (CHURCH, YouthAsked(Location.EASTCHEAP, Feature.RIVERSIDE))
    assert ask(*known) == "Nothing more is to be learnt: one hideout is left."
    odd = YouthAsked(Location.EASTCHEAP, Feature.RURAL)
    assert ask(odd) == "No hideout fits all that was seen; that comes first."
    seek = [RendezvousSought(place, number) for place, number in numbers_of_two_symbols().items()]
    words = hint_words(Played(OPEN, *seek).state, Help.SEEK)
    assert words == "Nothing more is to be learnt: there is no place left to seek in."


def numbers_of_two_symbols() -> dict[Location, int]:
    """A number for each place, such that two symbols fit all of them."""
    board, walk = load_board(), StepReading.WALK
    for pair in combinations(Feature, 2):
        both = {
            place: frozenset.intersection(*(numbers_allowed(board, place, f, walk) for f in pair))
            for place in Location
        }
        if all(both.values()):
            return {place: min(numbers) for place, numbers in both.items()}
    raise AssertionError("no two symbols fit the same numbers everywhere")


def test_hints_of_parts_that_are_not_in_play_are_not_offered() -> None:
    only = dataclasses.replace(STARTED, expansions=frozenset())
    assert [hint.help for hint in hint_buttons(Played(only).state)] == [Help.INTERCEPT, Help.SURE]


def test_every_correction_of_a_whole_game_leads_to_an_event() -> None:
    played = last_of(random_game(3, STARTED))
    for entry in played.log[1:]:
        question = correction_ask(played.state, entry.seq)
        assert question.offers
        for offer in question.offers:
            assert isinstance(offer.open(), Corrected | Retracted | Ask)
