"""`bystander solve` as the command line's contract has it; outside truth: fair_youth.json."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from assistant.commands import solve
from assistant.core.errors import UsageError
from assistant.core.terms import Feature, Location
from tests.assistant.core import truth


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    solve.add_parser(parser.add_subparsers(required=True))
    args = parser.parse_args(["solve", *words])
    code: int = args.run(args)
    return code


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = run(*words, "--json")
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return code, found


def test_two_answers_leave_what_the_tables_leave(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, "--youth", "Cornhill=church", "--youth", "Eastcheap=riverside")
    left = truth.hideouts(Location.CORNHILL, Feature.CHURCH) & truth.hideouts(
        Location.EASTCHEAP, Feature.RIVERSIDE
    )
    assert code == 0
    assert set(found["youth"]["candidates"]) == {place.value for place in left}
    assert sum(found["youth"]["weights"].values()) == pytest.approx(1)
    assert found["conflict"] is None
    assert found["steps"] == "walk"
    assert found["why"]["youth"]["Shoreditch"] == "Eastcheap=riverside"
    assert set(found["why"]["youth"]) == {place.value for place in set(Location) - left}
    assert len(found["rendezvous"]["candidates"]) == 7


def test_an_impossible_pair_is_blamed_and_the_exit_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, found = told(
        capsys,
        *("--youth", "Clerkenwell=residence"),
        *("--youth", "corn=tav", "--youth", "Bishopsgate=playhouse"),
    )
    assert code == 1
    assert found["youth"]["candidates"] == []
    assert found["youth"]["weights"] == {}
    assert found["youth"]["next"] == []
    assert found["conflict"]["about"] == "youth"
    assert found["conflict"]["answers"] == ["Cornhill=tavern", "Bishopsgate=playhouse"]


def test_a_conflict_of_numbers_is_about_the_rendezvous(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, found = told(
        capsys, "--rendezvous", "Blackfriars=2", "--rendezvous", "Blackfriars=1", "--youth",
        "Cornhill=church",
    )  # fmt: skip
    assert code == 1
    assert found["conflict"] == {
        "about": "rendezvous",
        "answers": ["Blackfriars=2", "Blackfriars=1"],
    }
    assert found["also"] == []
    assert found["youth"]["candidates"]


def test_the_step_reading_changes_the_candidates_and_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, walk = told(capsys, "--rendezvous", "St Paul's=3")
    _, shortest = told(capsys, "--rendezvous", "St Paul's=3", "--steps", "shortest")
    assert set(shortest["rendezvous"]["candidates"]) < set(walk["rendezvous"]["candidates"])
    assert shortest["steps"] == "shortest"


def test_with_a_pawn_the_advice_is_per_turn(capsys: pytest.CaptureFixture[str]) -> None:
    _, found = told(capsys, "--pawn", "clink")
    advice = found["youth"]["next"]
    worth = [entry["per_turn"] for entry in advice]
    assert worth == sorted(worth, reverse=True)
    assert {entry["turns"] for entry in advice if entry["location"] == "Southwark"} == {2}


def test_the_text_says_which_reading_and_why_each_is_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("--youth", "Cornhill=church", "--rendezvous", "Blackfriars=2") == 0
    text = capsys.readouterr().out
    assert "walk" in text
    assert "Eastcheap                out: Cornhill=church" in text
    assert "rural                    out: Blackfriars=2" in text
    assert run("--youth", "Clerkenwell=tavern") == 1
    assert "Look again at Clerkenwell=tavern" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("--youth", "Cornhill"),
        ("--youth", "Atlantis=church"),
        ("--youth", "b=church"),
        ("--youth", "Cornhill=r"),
        ("--rendezvous", "Cornhill=4"),
        ("--rendezvous", "Cornhill=church"),
        ("--pawn", "c"),
    ],
)
def test_what_cannot_be_understood_is_wrong_usage(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run(*words)


def test_symbols_and_searches_tell_where_the_lady_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(
        capsys, "--symbols", "tavern,?,fog,commercial", "--search", "cornhill=miss", "--stay", "off"
    )
    assert code == 0
    assert found["lady"]["candidates"] == ["London Bridge"]
    assert len(found["lady"]["way"]) == 4
    assert set(found["lady"]["way"][0]) == {"Eastcheap", "Southwark"}
    _, hit = told(capsys, "--symbols", "tavern,residence", "--search", "southwark=hit@1")
    assert hit["lady"]["candidates"] == ["Liberty of the Clink"]


def test_symbols_that_no_way_fits_are_blamed(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, "--symbols", "church,tavern,rural")
    assert code == 1
    assert found["conflict"]["about"] == "lady"
    assert found["conflict"]["answers"] == ["symbol 2 (tavern)", "symbol 3 (rural)"]
    assert run("--symbols", "tavern,rural") == 1
    assert "Look again at symbol 1 (tavern) and symbol 2 (rural)" in capsys.readouterr().out


def test_clues_tell_who_the_lady_is_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--suit", "rose", "--clue", "music,quill,rattle=0", "--clue", "florio")
    code, found = told(capsys, *words)
    assert code == 0
    assert found["identity"]["traits"]["music"] == "out"
    assert found["identity"]["why"]["music"] == ["music,quill,rattle=0"]
    assert found["identity"]["triples"] == 2
    assert run(*words) == 0
    assert "music   out (music,quill,rattle=0)" in capsys.readouterr().out
    code, found = told(capsys, "--suit", "oak", "--clue", "chain,crown,heart=3",
                       "--clue", "chain,crown,ring=1")  # fmt: skip
    assert code == 1
    assert found["conflict"] == {
        "about": "clues",
        "answers": ["chain,crown,heart=3", "chain,crown,ring=1"],
    }


@pytest.mark.parametrize(
    "words",
    [
        ("--symbols", ""),
        ("--symbols", "tavern,,church"),
        ("--symbols", "inn"),
        ("--symbols", ",".join(["church"] * 27)),
        ("--search", "Cornhill=miss"),
        ("--symbols", "tavern", "--search", "Cornhill"),
        ("--symbols", "tavern", "--search", "Cornhill=miss@2"),
        ("--clue", "florio"),
        ("--suit", "rose", "--clue", "chain=1"),
        ("--suit", "rose", "--clue", "chain,crown,ring=9"),
        ("--suit", "hearts", "--clue", "florio"),
        ("--suit", "spades", "--clue", "chain,crown,ring=1", "--clue", "florio"),
    ],
)
def test_what_cannot_be_understood_of_the_lady_is_wrong_usage(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run(*words)


def test_a_base_lady_s_card_has_no_row_for_a_darker_lady(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(UsageError, match=r"florio.*no row for hearts.*chain,crown,heart=0/2"):
        run("--suit", "hearts", "--clue", "florio")
    code, found = told(capsys, "--suit", "hearts", "--clue", "chain,crown,ring=1")
    assert code == 0
    assert found["identity"]["triples"] < 35


def test_only_what_was_asked_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def heads(*words: str) -> list[str]:
        assert run(*words) == 0
        lines = capsys.readouterr().out.splitlines()
        return [line.split("(")[0].strip() for line in lines if line and not line.startswith(" ")]

    lady = "The Dark Lady"
    assert heads() == ["The Fair Youth", "The Rendezvous"]
    assert heads("--pawn", "Cornhill") == ["The Fair Youth", "The Rendezvous"]
    assert heads("--youth", "Cornhill=church") == ["The Fair Youth"]
    assert heads("--rendezvous", "Blackfriars=2") == ["The Rendezvous"]
    assert heads("--symbols", "tavern") == [lady]
    [who] = heads("--suit", "rose", "--clue", "florio")
    assert who.startswith("Who she is")
    assert heads("--youth", "Cornhill=church", "--symbols", "tavern") == ["The Fair Youth", lady]


def test_whether_she_may_stay_changes_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    code, stays = told(capsys, "--symbols", "commercial,commercial")
    assert code == 0
    assert set(stays["lady"]["candidates"]) == {"Cornhill", "London Bridge"}
    code, moves = told(capsys, "--symbols", "commercial,commercial", "--stay", "off")
    assert code == 1
    assert moves["lady"]["candidates"] == []


def test_other_sets_as_small_are_told_beside_the_one_to_blame(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, found = told(capsys, "--youth", "Clerkenwell=tavern", "--youth", "Cornhill=rural")
    assert found["conflict"] == {"about": "youth", "answers": ["Clerkenwell=tavern"]}
    assert found["also"] == [["Cornhill=rural"]]
