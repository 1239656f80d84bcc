"""The outside truth of the rules: tables in fixtures/rules, checked against their manifest."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from assistant.core.terms import Feature, Location, StepReading

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules"

_READINGS = {
    StepReading.WALK: "walk (non-backtracking)",
    StepReading.PATH: "simple path",
    StepReading.SHORTEST: "shortest distance",
}


@cache
def table(name: str) -> dict[str, Any]:
    """Return one table; refuses a file that is not the one its manifest describes."""
    data = (FOLDER / name).read_bytes()
    manifest = json.loads((FOLDER / "manifest.json").read_bytes())
    assert hashlib.sha256(data).hexdigest() == manifest["files"][name]["sha256"], name
    loaded: dict[str, Any] = json.loads(data)
    return loaded


def icons(asked: Location, hideout: Location) -> frozenset[Feature]:
    found = table("fair_youth.json")["table"][asked.value][hideout.value]
    return frozenset(Feature(name) for name in found)


def hideouts(asked: Location, icon: Feature) -> frozenset[Location]:
    found = table("fair_youth.json")["candidates"][asked.value].get(icon.value, [])
    return frozenset(Location(name) for name in found)


def _steps(start: Location, number: int, reading: StepReading) -> dict[str, list[str]]:
    found: dict[str, list[str]] = table("steps.json")[start.value][str(number)][_READINGS[reading]]
    return found


def places_away(start: Location, number: int, reading: StepReading) -> frozenset[Location]:
    return frozenset(Location(name) for name in _steps(start, number, reading)["locs"])


def features_away(start: Location, number: int, reading: StepReading) -> frozenset[Feature]:
    return frozenset(Feature(name) for name in _steps(start, number, reading)["feats"])


def stealth_columns() -> list[tuple[list[Location], list[Feature], int]]:
    """The eight printed sequences: places, symbols, and how often the Lady stays."""
    columns: Any = table("stealth_columns.json")
    return [
        (
            [Location(name) for name in column["locations"]],
            [Feature(name) for name in column["symbols"]],
            column["stays"],
        )
        for column in columns
    ]
