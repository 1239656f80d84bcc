"""`bystander bench --readings`: pictures whose truth is known, counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from assistant import cli
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable

SEED, FRAMES, SIZE = 3, 8, (960, 540)


def test_practice_pictures_are_counted_by_what_the_table_showed_and_read_right(
    practice_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = VirtualTable(PracticeDeck(load_board(), SEED), SEED)
    truths = [table.still(number, Hardness.EASY, SIZE).truth for number in range(FRAMES)]
    shown = Counter("negative" if t.negative else t.showing.value for t in truths)
    assert len(shown) >= 3
    words = ("--hardness", "easy", "--frames", str(FRAMES), "--sizes", "960x540")
    assert cli.main(["bench", "--readings", *words, "--seed", str(SEED), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    counted = {row["kind"]: row for row in rows if row["table"] == "kinds"}
    stacks = counted.pop("all stacks")
    assert {kind: row["frames"] for kind, row in counted.items()} == dict(shown)
    # Easy ones: nothing is read wrong, and of the stacks one at most is left unread.
    assert [row["wrong"] for row in counted.values()] == [0] * len(counted)
    assert stacks["frames"] == FRAMES - shown["negative"]
    assert stacks["right"] >= stacks["frames"] - 1
    assert counted["negative"]["right"] == shown["negative"]
