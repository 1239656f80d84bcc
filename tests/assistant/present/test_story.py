"""The game told again, move by move."""

from __future__ import annotations

from dataclasses import astuple, replace

from assistant.core.events import (
    Corrected,
    Event,
    Overruled,
    Recorded,
    RendezvousSought,
    Retracted,
    Seen,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.settings import Expansion
from assistant.core.state import fold
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import LadyUpdated, Passed, PoetMoved
from assistant.data import load_board
from assistant.present.statistics import figures, summary
from assistant.present.story import Left, Step, clock_words, steps
from tests.assistant.core import truth
from tests.assistant.journal.whole_game import whole_game

BOARD = load_board()
START = SessionStarted(frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS}))
CORNHILL_CHURCH = YouthAsked(Location.CORNHILL, Feature.CHURCH)


def told(*events: Event) -> tuple[Step, ...]:
    return steps(
        BOARD,
        [
            Recorded(Seq(n), f"2026-11-30T20:15:{n % 60:02}+01:00", event)
            for n, event in enumerate(events, start=1)
        ],
    )


def test_a_reading_tells_whom_it_rules_out_and_how_many_are_left() -> None:
    step = told(START, CORNHILL_CHURCH)[-1]
    may = {p for p in Location if Feature.CHURCH in truth.icons(Location.CORNHILL, p)}
    assert step.text == "Cornhill said church"
    for place in Location:
        assert (place.value in step.result) is (place not in may)
    assert step.result.endswith(f"{len(may)} places left")
    assert step.left == Left(len(may), 7, None, None)


def test_what_the_camera_read_says_how_sure_it_was() -> None:
    seen = Seen(0.875, 5)
    step = told(START, YouthAsked(Location.CORNHILL, Feature.CHURCH, seen))[-1]
    assert "(read, 88 % sure)" in step.text
    assert step.seen == seen


def test_a_move_that_was_taken_back_later_is_told_as_it_was_and_marked() -> None:
    story = told(START, CORNHILL_CHURCH, Retracted(Seq(2)))
    assert [step.stands for step in story] == [True, False, True]
    assert story[1].left.youth is not None
    assert story[1].left.youth < 11
    assert story[2].left.youth == 11
    assert "may be in" in story[2].result
    assert "Cornhill said church" in story[2].text


def test_what_is_put_right_says_what_it_was_and_is() -> None:
    right = YouthAsked(Location.CORNHILL, Feature.TAVERN)
    story = told(START, CORNHILL_CHURCH, Corrected(Seq(2), right))
    assert "Cornhill said church" in story[2].text
    assert "Cornhill said tavern" in story[2].text
    assert not story[1].stands


def test_answers_that_differ_or_agree_name_the_earlier_entry() -> None:
    story = told(
        START, CORNHILL_CHURCH, CORNHILL_CHURCH, YouthAsked(Location.CORNHILL, Feature.RURAL)
    )
    assert story[2].result == "confirms entry 2"
    assert "differs from entry 2: neither is used" in story[3].result


def test_a_house_rule_names_the_rule() -> None:
    story = told(START, Overruled(RendezvousSought(Location.CORNHILL, 2), "not your turn"))
    assert "against the rule: not your turn" in story[1].result


def test_a_poet_who_stays_is_told_to_stay() -> None:
    start = SessionStarted(
        frozenset({Expansion.ELUSIVE}), pawn=Location.CORNHILL, poet=Location.BLACKFRIARS
    )
    story = told(start, PoetMoved(Location.BLACKFRIARS), PoetMoved(Location.ST_PAULS))
    assert story[1].text == "the Poet stays in Blackfriars"
    assert story[2].text == "the Poet: St Paul's"


def test_each_step_stands_where_the_log_up_to_it_stands() -> None:
    story = told(*whole_game(13, 24))
    for step in story[::7]:
        alone = fold(BOARD, [s.entry for s in story[: step.seq]])
        assert step.state.youth.candidates == alone.youth.candidates
        assert step.state.lady == alone.lady
        assert step.turn == alone.game.turn


def test_every_entry_of_whole_games_has_words() -> None:
    for seed in range(1, 6):
        assert all(step.text for step in told(*whole_game(seed, 24)))


def test_the_time_of_day_is_the_tables_own() -> None:
    assert clock_words("2026-11-30T20:15:02+05:30") == "20:15:02"
    assert clock_words("some time") == ""


def test_the_figures_of_a_game_count_what_was_played() -> None:
    events = whole_game(13, 24)
    found = figures("one", told(*events))
    read = [e for e in events if getattr(e, "seen", None) is not None]
    assert found.readings == len(read)
    assert found.typed == 3
    assert found.corrections == sum(isinstance(e, Retracted | Corrected) for e in events) == 5
    assert found.misread == 0
    assert (found.ending.value, found.total, found.turns) == ("won", 66, 32)
    assert found.frames == (4,) * len(read)


def test_a_deduction_is_known_from_when_one_candidate_is_left_for_good() -> None:
    answers = [
        RendezvousSought(Location.SHOREDITCH, 2),
        RendezvousSought(Location.LONDON_BRIDGE, 3),
        RendezvousSought(Location.BLACKFRIARS, 1),
        RendezvousSought(Location.BISHOPSGATE, 1),
    ]
    story = told(START, *answers, CORNHILL_CHURCH)
    assert [step.left.rendezvous for step in story] == [7, 4, 3, 2, 1, 1]
    assert figures("one", story).known_after["rendezvous"] == 4
    assert figures("two", story[:4]).known_after["rendezvous"] is None


def test_sessions_are_summed_by_what_was_in_play() -> None:
    games = [figures(str(seed), told(*whole_game(seed, 24))) for seed in (9, 13, 1)]
    total = summary(games)
    assert (total["sessions"], total["games"], total["won"]) == (3, 3, 2)
    assert total["endings"] == {"won": 2, "wrong place": 1}
    [row] = total["scores"].values()
    assert (row["games"], row["won"], row["count"]) == (3, 2, 2)
    assert total["hints"] == 3
    assert summary([])["sessions"] == 0


def test_the_counts_left_never_exceed_what_there_is() -> None:
    most = (11, 7, 11, 35)
    for step in told(*whole_game(9, 24)):
        counts = astuple(step.left)
        assert all(
            left is None or 0 <= left <= all_ for left, all_ in zip(counts, most, strict=True)
        )


def test_numbers_that_no_symbol_fits_are_told_as_a_contradiction() -> None:
    numbers = (RendezvousSought(Location.CLERKENWELL, 1), RendezvousSought(Location.SHOREDITCH, 2))
    story = told(START, *numbers, Retracted(Seq(3)))
    assert "contradict" not in story[1].result
    assert story[2].result == "the answers about the rendezvous contradict each other"
    assert "contradict" not in story[3].result


def test_where_turns_are_followed_it_is_known_from_a_turn_and_else_from_a_number_of_answers() -> (
    None
):
    riverside = YouthAsked(Location.EASTCHEAP, Feature.RIVERSIDE)
    turns = (LadyUpdated(), CORNHILL_CHURCH, LadyUpdated(), Passed(), LadyUpdated(), riverside)
    followed = figures("one", told(replace(START, pawn=Location.CORNHILL), *turns))
    assert followed.known_after["youth"] == 3
    assert followed.known_after["rendezvous"] is None
    assert figures("two", told(START, CORNHILL_CHURCH, riverside)).known_after["youth"] == 2
