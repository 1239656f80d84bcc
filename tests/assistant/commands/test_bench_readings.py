"""`bystander bench --readings`: pictures whose truth is known, counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant import cli


def test_practice_pictures_are_counted_by_level(
    practice_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--readings", "--hardness", "easy", "--frames", "3", "--sizes", "640x360", "--json")
    assert cli.main(["bench", *words]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    counted = [row for row in rows if row["table"] == "kinds" and row["kind"] != "all stacks"]
    assert sum(row["frames"] for row in counted) == 3
    assert all(row["right"] + row["wrong"] + row["unread"] == row["frames"] for row in counted)
    assert [row["wrong"] for row in counted] == [0] * len(counted)
