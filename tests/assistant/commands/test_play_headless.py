"""A whole game driven by lines: one state a line, refusals with the rule, exit codes."""

from __future__ import annotations

import argparse
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from assistant.commands import play_headless, play_state
from assistant.core.errors import MissingError
from assistant.core.state import fold
from assistant.data import load_board


def played(*lines: str) -> tuple[int, list[dict[str, Any]]]:
    said: list[str] = []
    code = play_headless.drive(lines, as_json=True, say=said.append)
    return code, [json.loads(answer) for answer in said]


START = (
    "start with youth,rendezvous,elusive,markers pawn Cornhill poet Clerkenwell suit rose "
    "top tavern"
)


def test_one_command_a_line_in_one_state_a_line_out() -> None:
    code, states = played(START, "", "# a remark", "update residence", "poet", "ask church")
    assert code == 0
    assert [state["line"] for state in states] == [1, 4, 5, 6]
    assert [state["seq"] for state in states] == [1, 2, 3, 4]
    assert [state["phase"] for state in states] == ["lady", "poet", "player", "player"]
    assert states[-1]["acted"] is True
    assert set(states[0]["lady"]) == {"Eastcheap", "Southwark"}
    assert "Eastcheap" not in states[-1]["youth"]["candidates"]
    assert states[-1]["youth"]["struck_out"]["Eastcheap"] == {
        "seq": 4,
        "location": "Cornhill",
        "value": "church",
    }


def test_a_refused_act_changes_nothing_and_gives_the_rule() -> None:
    code, states = played(START, "move Eastcheap", "state")
    assert code == 1
    assert states[1]["ok"] is False
    assert states[1]["refused"] == "the Lady's location is updated first"
    assert states[1]["error"] is None
    assert states[2]["pawn"] == "Cornhill"
    assert states[2]["seq"] is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("dance", "no command"),
        ("move Atlantis", "no place"),
        ("ask", "a feature is missing"),
        ("ask r", "more than one feature"),
        ("seek 4", "1, 2 or 3"),
        ("search perhaps", "hit or miss"),
        ("tracer Cornhill 4", "3 or 5"),
        ("fog 11", "1 to 10"),
        ("fog", "one number of a fog card"),
        ("clue chain,crown 1", "three traits"),
        ("clue Juliet", "no Lady"),
        ("suit spades", "no suit"),
        ("confront lady chain found", "confront lady TRAITS"),
        ("confront king", "confront youth PLACE"),
        ("start pawn Cornhill stay maybe", "neither on nor off"),
        ("start passes 0", "no number of passes; choose from 1, 2, 3"),
        ("start passes 4", "no number of passes; choose from 1, 2, 3"),
        ("house", "a command is missing"),
        ("what-if", "a command is missing"),
        ("correct 1", "a command is missing"),
        ("correct", "no event so far"),
        ("undo 0", "no number of times"),
        ("redo 0", "no number of times"),
        ("undo -1", "no number of times"),
        ("base " + "9" * 5000, "at most 6 digits"),
        ("base 1234567", "at most 6 digits"),
        ("fog 1 clues " + "9" * 5000, "at most 6 digits"),
        ("reread " + "9" * 5000 + " 1", "at most 6 digits"),
        ("start passes " + "9" * 5000, "no number of passes"),
        ("retract " + "9" * 5000, "no event so far"),
        ("pass banana", "nothing is wanted after pass"),
        ("state banana", "state stands alone"),
        ("fog 3 leaves banana", "nothing is wanted after leaves"),
        ("house fog 3 leaves banana", "nothing is wanted after leaves"),
        ("fog 3 clues 1 clues 2", "there twice"),
        (
            "confront lady chain,crown,heart found heart is chain,crown,heart",
            "nothing is wanted after found",
        ),
        (
            "confront lady chain,crown,heart absent heart is chain,crown,heart",
            "nothing is wanted after absent",
        ),
        (
            '{"kind": "clue-gained", "clue": {"traits": ["chain", "crown", "heart"], '
            '"marks": [], "name": "Juliet"}}',
            'no Lady is called "Juliet"',
        ),
        (
            '{"kind": "clue-gained", "clue": {"traits": ["chain", "crown", "heart"], '
            '"marks": [], "name": "Lucy Morgan"}}',
            "not what is printed on the card of Lucy Morgan",
        ),
        ("start bananas", "start knows"),
        ("undo of", "no number of times"),
        ("undo 99999999999999999999 9", "no number of times"),
        ("retract 99", "no event so far"),
        ("correct x pass", "no event so far"),
        ("reread 1", "reread wants"),
        ("base many", "no number of points"),
        ('{"kind": "danced"}', "no event of the log"),
        ("{", "no event of the log"),
        ('{"kind": "retracted", "of": 1}', "no act of the game"),
    ],
)
def test_what_is_not_understood_is_told_and_changes_nothing(line: str, why: str) -> None:
    code, states = played(START, line, "state")
    assert code == 2
    assert why in states[1]["error"]
    assert {**states[2], "line": 0} == {**states[0], "line": 0, "seq": None}


def test_events_of_the_log_are_taken_as_they_are() -> None:
    event = {"kind": "session-started", "expansions": ["youth"], "pawn": "St Paul's"}
    code, states = played(json.dumps(event), json.dumps({"kind": "lady-updated"}), "pass")
    assert code == 0
    assert states[-1]["pawn"] == "St Paul's"


def test_undo_redo_correct_house_rule_and_what_if() -> None:
    _, states = played(
        START, "update church", "poet", "ask tavern",  # 1-4
        "what-if undo",
        "correct 4 ask church",
        "undo", "redo",
        "undo 2",
        "house move Southwark",
        "retract 2",
    )  # fmt: skip
    what_if, corrected, undone, redone, back, house, retracted = states[4:]
    assert "no command" in what_if["error"]
    assert "Eastcheap" not in corrected["youth"]["candidates"]
    assert "Eastcheap" in undone["youth"]["candidates"]
    assert redone["youth"] == corrected["youth"]
    assert back["acted"] is False
    assert house["pawn"] == "Southwark"
    assert house["doubts"] == []
    assert {doubt["seq"] for doubt in retracted["doubts"]} >= {3}


def test_undoing_or_redoing_more_than_there_is_changes_nothing() -> None:
    code, states = played(
        START, "undo", "update church", "poet", "undo 3", "undo 2", "undo 9", "redo 9", "redo 2"
    )
    assert code == 1
    nothing, _, _, three, two, none_left, nine, again = states[1:]
    assert nothing["refused"] == "there is nothing to undo"
    assert three["refused"] == "only 2 things can be undone"
    assert (three["turn"], three["phase"]) == (1, "player")
    assert (two["ok"], two["turn"]) == (True, 0)
    assert none_left["refused"] == "there is nothing to undo"
    assert nine["refused"] == "only 2 things can be redone"
    assert nine["turn"] == 0
    assert (again["turn"], again["phase"]) == (1, "player")


def test_an_old_entry_taken_back_is_brought_back_by_undo() -> None:
    _, states = played(
        "start with youth pawn Cornhill", "update ?", "ask church", "update ?", "retract 3", "undo"
    )
    assert states[4]["youth"]["struck_out"] == {}
    assert (states[5]["turn"], states[5]["youth"]["struck_out"]) == (
        2, states[2]["youth"]["struck_out"],
    )  # fmt: skip


def test_an_entry_is_corrected_where_the_pawn_was_then() -> None:
    code, states = played(
        "start with youth,darker pawn Cornhill suit spades", "update ?", "ask church",
        "update ?", "move Bishopsgate", "correct 3 ask tavern",
    )  # fmt: skip
    assert code == 0
    out = states[-1]["youth"]["struck_out"]
    assert {(by["seq"], by["location"], by["value"]) for by in out.values()} == {
        (3, "Cornhill", "tavern")
    }
    assert states[-1]["doubts"] == []


def test_a_change_that_would_change_nothing_is_refused() -> None:
    code, states = played(
        START, "update residence", "poet", "ask church",  # 1-4
        "retract 1", "correct 1 move Eastcheap", "correct 4 start pawn Eastcheap",
        "retract 4", "retract 4", "correct 4 ask tavern",
        "correct 1 " + START.replace("rose", "oak"),
    )  # fmt: skip
    assert code == 1
    why = [state["refused"] for state in states[4:]]
    assert [reason is None for reason in why] == [False] * 3 + [True] + [False] * 2 + [True]
    assert "the start of the session stays" in why[0]
    assert "another start only" in why[1]
    assert "only the start" in why[2]
    assert why[4] == why[5] == "entry 4 is taken back already"
    assert states[-1]["identity"]["suit"] == "oak"


IMPOSSIBLE = (
    "fog 1 clues 1000",
    "reread 77 1",
    "confront lady chain,crown,heart found is chain rendezvous commercial",
    "start pawn Cornhill top fog",
    '{"kind": "youth-asked", "location": "Cornhill", "feature": "church", '
    '"seen": {"confidence": -5, "frames": -3}}',
)


@pytest.mark.parametrize("act", IMPOSSIBLE)
@pytest.mark.parametrize("way", ["", "house ", "what-if ", "correct 3 "])
def test_what_no_table_can_show_is_refused_in_every_way(act: str, way: str) -> None:
    code, states = played(START, "update residence", "poet", way + act, "state")
    assert code == 1
    assert states[3]["refused"]
    assert {**states[4], "line": 0} == {**states[2], "line": 0, "seq": None}


@pytest.mark.parametrize(
    ("start", "lines", "why"),
    [
        ("start pawn Cornhill", ['{"kind": "suit-told", "suit": "hearts"}'], "of the suit hearts"),
        (
            "start with darker pawn Cornhill suit spades",
            ["update ?", "search hit", "clue florio"],
            "not of the Ladies in play",
        ),
        (
            "start pawn Cornhill suit rose",
            ["update ?", "search hit", "clue florio", "flee ?",
             "update ?", "search hit", "clue florio"],
            "lies before you already",
        ),
        ("start", ["ask Cornhill=church", "start with youth"], "already begun"),
    ],
)  # fmt: skip
def test_what_is_not_in_play_is_refused_but_may_be_overruled(
    start: str, lines: list[str], why: str
) -> None:
    *before, last = lines
    code, states = played(start, *before, last, f"house {last}")
    assert code == 1
    assert all(state["ok"] for state in states[:-2])
    assert why in states[-2]["refused"]
    assert states[-1]["ok"]


def test_undoing_more_than_there_is_leaves_a_log_that_can_be_gone_on_with() -> None:
    _, states = played(START, "update church", "undo 9", "poet")
    assert [state["seq"] for state in states] == [1, 2, None, 3]


def test_what_if_shows_what_would_be_and_takes_nothing_in() -> None:
    _, states = played(START, "update church", "poet", "what-if move Eastcheap", "state")
    assert states[3]["pawn"] == "Eastcheap"
    assert states[4]["pawn"] == "Cornhill"


def test_every_field_of_the_state_is_told_where_the_state_is() -> None:
    words = set(re.findall(r"[a-z_]+", play_state.__doc__ or ""))
    state = play_state.told(fold(load_board(), []))
    assert set(state) <= words
    for name in ("deck", "youth", "rendezvous", "identity", "clues", "score"):
        assert set(state[name]) <= words, name


def test_a_game_to_the_end_with_its_score() -> None:
    code, states = played(
        "start with youth,rendezvous,darker pawn Eastcheap suit spades top commercial",
        "update tavern", "search hit", "clue chain,crown,heart 2", "flee residence",
        "update church", "seek 1",
        "update residence", "move London Bridge",
        "update commercial",
        "help sure",
        "confront youth London Bridge",
        "confront lady chain,crown,ring found is chain,crown,ring rendezvous riverside",
        "base 30",
    )  # fmt: skip
    assert code == 0
    end = states[-1]
    assert end["phase"] == "over"
    assert end["score"]["ending"] == "won"
    assert end["score"]["total"] == 30 + 20 + 10 + 15
    assert end["helps"] == {"sure": 1}
    assert states[2]["legal"] == ["clue-gained", "lady-fled", "youth-confronted"]
    assert end["identity"]["triples"] == 12


def test_the_words_of_every_command_are_understood() -> None:
    code, states = played(
        "start with elusive,markers pawn Cornhill poet Clerkenwell passes 3 stay off miss off "
        "tie straight steps path suit oak",
        "update ?", "poet", "poet Clerkenwell", "waypoint London Bridge", "tracer St Paul's 5",
        "search Cornhill=miss",
        "suit rose", "house clue whateley", "reread 8 1/2",
    )  # fmt: skip
    assert code == 2
    assert "say where he went" in states[2]["error"]
    states.pop(2)
    assert all(state["ok"] for state in states)
    assert states[0]["settings"] == {
        "steps": "path", "may_stay": False, "advance_after_miss": False, "tie": "straight",
    }  # fmt: skip
    assert states[4]["deck"]["tracer"]["location"] == "St Paul's"
    assert states[4]["deck"]["waypoint"]["card_in"] == 26
    assert states[5]["phase"] == "player"
    fog = [*(["update ?", "poet Clerkenwell", "pass"] * 25), "update fog", "poet"]
    lines = [
        "start with elusive pawn Cornhill poet Clerkenwell suit oak",
        "update ?", "poet Clerkenwell", "search miss", *fog,
        "fog 10 to St Paul's advance church,? clues 1 discard 1 suit rose leaves",
    ]  # fmt: skip
    code, states = played(*lines)
    assert code == 0
    assert states[-1]["pawn"] == "St Paul's"
    assert states[-1]["identity"]["suit"] == "rose"
    assert states[-1]["fog_left"] == 10 - 1 - 1 - 1


def test_a_line_not_understood_weighs_more_than_a_refusal() -> None:
    assert played(START, "dance", "pass")[0] == 2
    assert played(START, "pass", "dance")[0] == 2
    assert played(START, "pass")[0] == 1


def test_the_base_score_may_be_negative() -> None:
    _, states = played(START, "base -4")
    assert states[1]["score"]["lines"][0] == {"points": -4, "reason": "the base game's score"}


def test_a_help_is_counted_and_answered() -> None:
    code, states = played(
        START, "update residence", "poet", "ask church",
        "help ask", "help seek", "help intercept", "help sure", "help ask",
    )  # fmt: skip
    assert code == 0
    ask, seek, intercept, sure = (state["help"] for state in states[4:8])
    assert ask[0]["per_turn"] == max(entry["per_turn"] for entry in ask)
    assert {"location", "expected", "turns", "per_turn"} == set(seek[0])
    assert intercept[0]["chance"] == max(way["chance"] for way in intercept)
    assert sure["youth"]["is"] in states[7]["youth"]["candidates"]
    assert sure["lady"]["share"] == max(states[7]["lady"].values())
    assert states[8]["helps"] == {"ask": 2, "seek": 1, "intercept": 1, "sure": 1}
    assert "help" not in states[3]


def test_without_json_each_line_is_told_in_words() -> None:
    said: list[str] = []
    play_headless.drive([START, "pass", "dance"], as_json=False, say=said.append)
    assert "Lady: Eastcheap" in said[0]
    assert "not allowed: the Lady's location is updated first" in said[1]
    assert "not understood" in said[2]


def test_commands_come_from_a_file_or_from_stdin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(START + "\nupdate church\n", encoding="utf-8")
    args = argparse.Namespace(commands=str(path), json=True)
    assert play_headless.run(args) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    monkeypatch.setattr("sys.stdin", io.StringIO(START + "\n"))
    assert play_headless.run(argparse.Namespace(commands="-", json=True)) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    with pytest.raises(MissingError, match="cannot be read"):
        play_headless.run(argparse.Namespace(commands=str(tmp_path / "none"), json=True))
