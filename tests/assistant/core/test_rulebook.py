"""The table of the rules is alive: its tests exist, its breaks fit the code."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from tests.assistant.core.breaks import HERE, ROOT, Break, breaks

ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in (HERE / "RULES.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| section")
]


def test_every_rule_of_the_table_has_a_test_that_exists() -> None:
    assert len(ROWS) > 40
    for _, rule, named in ROWS:
        found = re.fullmatch(r"`(test_\w+)\.py::(test_\w+)`", named)
        assert found is not None, rule
        module = import_module(f"tests.assistant.core.{found[1]}")
        assert hasattr(module, found[2]), named


def test_every_section_of_the_expansion_is_covered() -> None:
    sections = {section for section, _, _ in ROWS}
    assert sections == {
        "The Fair Youth",
        "The Rendezvous",
        "The Rival Poet",
        "The Darker Ladies",
        "Waypoints and Traces",
        "The base game",
    }


def test_every_rule_has_one_break() -> None:
    assert [f"`{entry.test}`" for entry in breaks()] == [named for _, _, named in ROWS]


@pytest.mark.parametrize("entry", breaks(), ids=lambda entry: entry.test.split("::")[1][:50])
def test_every_break_still_fits_the_code(entry: Break) -> None:
    code = (ROOT / entry.file).read_text("utf-8")
    assert code.count(entry.old) >= 1
    assert entry.old != entry.new
