"""The score of readings: what counts as right, wrong, unread, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from assistant import cli
from assistant.commands.bench_clips import ClipScore
from assistant.commands.bench_score import Score, Shown, lines_of
from assistant.core.events import Seq
from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.practice.clips import StackTruth
from assistant.session import Reading
from assistant.vision.sighting import Corners, Reason, Side, Sighting

CORNERS: Corners = ((0.0, 0.0), (44.0, 0.0), (44.0, 68.0), (0.0, 68.0))
HERE, THERE = Location.CORNHILL, Location.EASTCHEAP
TAVERN, CHURCH = Content.icon(Feature.TAVERN), Content.icon(Feature.CHURCH)


def read(content: Content, place: Location = HERE, sure: float = 0.97) -> Sighting:
    return Sighting(place, Side.BACK, CORNERS, content, sure)


def unread(reason: Reason, place: Location | None = None) -> Sighting:
    if place is None:
        return Sighting(reason=reason)
    return Sighting(place, Side.BACK, CORNERS, reason=reason)


def table(score: Score, name: str) -> list[dict[str, Any]]:
    return [row for of, row in score.rows() if of == name]


def scored(*pairs: tuple[Shown, Sighting]) -> Score:
    score = Score()
    for number, (shown, sighting) in enumerate(pairs):
        score.add(f"picture {number}", shown, sighting)
    return score


@pytest.mark.parametrize(
    ("sighting", "outcome"),
    [
        (read(TAVERN), "right"),
        (read(CHURCH), "wrong"),
        (read(TAVERN, THERE), "wrong"),
        (unread(Reason.COVERED, HERE), "unread"),
    ],
    ids=["right", "another icon", "another key", "unread"],
)
def test_only_the_right_content_of_the_right_key_is_right(sighting: Sighting, outcome: str) -> None:
    score = scored((Shown(HERE, TAVERN), sighting))
    icon, stacks = table(score, "kinds")
    assert icon == {"kind": "icon", "frames": 1, "right": 0, "wrong": 0, "unread": 0, outcome: 1}
    assert stacks == {**icon, "kind": "all stacks"}
    assert len(table(score, "wrong")) == (outcome == "wrong")


def test_every_reading_of_a_negative_is_wrong_but_the_truth_of_cards_out_of_line() -> None:
    table_, aslant = Shown(None, None, "table"), Shown(HERE, None, "out-of-line", LADY)
    score = scored(
        (table_, read(BLANK)),
        (table_, unread(Reason.NO_KEY)),
        (aslant, read(LADY)),
        (aslant, read(BLANK)),
        (aslant, unread(Reason.OUT_OF_LINE, HERE)),
    )
    assert table(score, "kinds") == [
        {"kind": "negative", "frames": 5, "right": 3, "wrong": 2, "unread": 0}
    ]
    assert [(row["negative"], row["readings"]) for row in table(score, "negatives")] == [
        ("out-of-line", 2),
        ("table", 1),
    ]


def test_what_stands_for_what_is_told_word_by_word() -> None:
    score = scored(
        (Shown(HERE, TAVERN), read(CHURCH)),
        (Shown(HERE, TAVERN), unread(Reason.BLURRED, HERE)),
        (Shown(HERE, BLANK), read(BLANK)),
    )
    assert table(score, "confusion") == [
        {"shown": "tavern", "read_as": {"church": 1, "-": 1}},
        {"shown": "blank", "read_as": {"blank": 1}},
    ]


def test_confidence_is_counted_in_bins_with_what_was_right_in_each() -> None:
    right, wrong = Shown(HERE, TAVERN), Shown(HERE, CHURCH)
    score = scored(
        (right, read(TAVERN, sure=0.8)),
        (wrong, read(TAVERN, sure=0.9)),
        (right, read(TAVERN, sure=0.94)),
        (right, read(TAVERN, sure=0.99)),
        (right, read(TAVERN, sure=1.0)),
    )
    bins = [(row["from"], row["readings"], row["right"]) for row in table(score, "confidence")]
    assert bins == [(0.8, 1, 1), (0.85, 0, 0), (0.9, 2, 1), (0.95, 2, 2)]


def test_misses_are_told_by_kind_and_reason_and_whether_the_key_was_known() -> None:
    score = scored(
        (Shown(HERE, TAVERN), unread(Reason.UNSURE, HERE)),
        (Shown(HERE, TAVERN), unread(Reason.UNSURE, THERE)),
        (Shown(HERE, LADY), unread(Reason.NO_KEY)),
    )
    assert table(score, "misses") == [
        {"kind": "icon", "reason": "unsure", "frames": 2, "key_found": 1, "other_key": 1},
        {"kind": "lady", "reason": "no-key", "frames": 1, "key_found": 0, "other_key": 0},
    ]


def test_every_table_has_lines_for_a_terminal() -> None:
    score = scored(
        (Shown(HERE, TAVERN), read(CHURCH)),
        (Shown(HERE, LADY), unread(Reason.NO_KEY)),
        (Shown(None, None, "fog"), unread(Reason.NO_KEY)),
    )
    lines = "\n".join(lines_of(score.rows()))
    for word in ("0.00 % right", "church", "0.95-1.00", "no-key", "fog", "WRONG", "picture 0"):
        assert word in lines


# --- a folder with its truth --------------------------------------------------------------------


def bench(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["bench", "--readings", *words])
    out, err = capsys.readouterr()
    return code, out, err


def folder_of(path: Path, truth: object) -> Path:
    for name in ("a.png", "b.png"):
        Image.fromarray(np.full((180, 320, 3), 120, np.uint8)).save(path / name)
    (path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    return path


def test_own_pictures_are_scored_by_the_truth_beside_them(
    tmp_path: Path, blank_profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = [
        {"file": "a.png", "key": "Cornhill", "value": "blank"},
        {"file": "b.png", "kind": "negative", "negative": "table"},
    ]
    folder = folder_of(tmp_path, truth)
    words = ("--pictures", str(folder), "--profile", str(blank_profile), "--json")
    code, out, _ = bench(capsys, *words)
    rows = [json.loads(line) for line in out.splitlines()]
    kinds = {row["kind"]: row for row in rows if row["table"] == "kinds"}
    assert code == 0
    assert kinds["blank"]["unread"] == 1
    assert kinds["negative"]["right"] == 1


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        ([{"file": "a.png", "key": "Nowhere", "value": "blank"}], "not understood"),
        ([{"file": "a.png", "key": "Cornhill", "value": "7"}], "not understood"),
        ([{"key": "Cornhill"}], "not understood"),
        ({"a.png": "blank"}, "not understood"),
        ([{"file": "none.png", "key": "Cornhill", "value": "blank"}], "none.png"),
    ],
    ids=["no such key", "no such number", "no file", "no list", "no picture"],
)
def test_a_truth_that_cannot_be_used_is_one_line(
    tmp_path: Path,
    blank_profile: Path,
    capsys: pytest.CaptureFixture[str],
    truth: object,
    said: str,
) -> None:
    folder = folder_of(tmp_path, truth)
    code, _, err = bench(capsys, "--pictures", str(folder), "--profile", str(blank_profile))
    assert code == 3
    assert said in err
    assert err.count("\n") <= 2  # One of them is about the profile.


def test_pictures_without_their_truth_are_told(
    tmp_path: Path, blank_profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = bench(capsys, "--pictures", str(tmp_path), "--profile", str(blank_profile))
    assert code == 3
    assert "truth.json" in err


# --- films --------------------------------------------------------------------------------------


def reading(number: int, content: Content, frame: int, place: Location = HERE) -> Reading:
    return Reading(number, place, content, 0.9, frame, Seq(number))


def film(readings: Sequence[Reading]) -> dict[str, Any]:
    stacks = [
        StackTruth(HERE, TAVERN, CORNERS, enters=10, rests=20, leaves=40, gone=48),
        StackTruth(THERE, LADY, CORNERS, enters=60, rests=70, leaves=90, gone=98),
    ]
    score = ClipScore()
    score.add("film", stacks, readings)
    return score.row("easy")


def test_one_right_reading_for_each_laying_is_right() -> None:
    row = film([reading(1, TAVERN, 25), reading(2, LADY, 73, THERE)])
    assert (row["layings"], row["right"], row["unread"]) == (2, 2, 0)
    assert (row["wrong"], row["doubled"], row["stray"], row["faults"]) == (0, 0, 0, [])
    assert row["frames_after_rest"] == {"median": 4.0, "worst": 5}
    assert row["missed"] == []


def test_a_laying_without_a_reading_is_named() -> None:
    row = film([reading(1, TAVERN, 25)])
    assert (row["right"], row["unread"]) == (1, 1)
    assert row["missed"] == ["film: Eastcheap = lady from frame 70"]


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (reading(2, TAVERN, 30), "doubled"),
        (reading(2, CHURCH, 75, THERE), "wrong"),
        (reading(2, TAVERN, 55), "stray"),
        (reading(2, TAVERN, 5), "stray"),
    ],
    ids=["twice", "another content", "nothing there", "before it"],
)
def test_what_must_not_come_of_a_film_is_counted_and_named(more: Reading, fault: str) -> None:
    row = film([reading(1, TAVERN, 25), more])
    assert {name: row[name] for name in ("wrong", "doubled", "stray")} == {
        "wrong": 0,
        "doubled": 0,
        "stray": 0,
        fault: 1,
    }
    assert len(row["faults"]) == 1
