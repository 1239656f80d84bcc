"""Whole games in the window by keys alone, drawn by lot, with every expansion; and their logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.commands.play_state import told
from assistant.core.score import Ending
from assistant.core.settings import Expansion
from assistant.core.state import State
from tests.assistant.ui.by_lot import ByLot
from tests.assistant.ui.play_driver import Driven, replayed

pytestmark = pytest.mark.usefixtures("display")

ELUSIVE = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS]
DARKER = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.AGGRESSIVE, Expansion.DARKER,
          Expansion.MARKERS]  # fmt: skip


def kinds(state: State) -> set[str]:
    return {type(entry.event).__name__ for entry in state.log}


@pytest.mark.parametrize("expansions", [ELUSIVE, DARKER], ids=["elusive", "aggressive and darker"])
def test_a_whole_game_by_keys_drawn_by_lot_and_its_log(
    expansions: list[Expansion], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    driven = Driven()
    driven.until(lambda: driven.has("Begin"))
    driven.window.set_up.choose(expansions)
    driven.begin()
    ByLot(driven, seed=5).play()
    state = driven.state
    assert state.started.expansions == frozenset(expansions)
    assert {
        "LadyUpdated", "PawnMoved", "PoetMoved", "YouthAsked", "RendezvousSought", "SearchMade",
        "LadyConfronted", "YouthConfronted", "ClueGained", "WaypointPlaced", "TracerPlaced",
    } <= kinds(state)  # fmt: skip
    if driven.state.sheet.ending is Ending.WON:
        driven.score(24)
    assert driven.has("A new game")
    shown, entries = told(driven.state), len(driven.state.log)
    assert driven.close()
    again = replayed(tmp_path)
    assert told(again) == shown
    assert len(again.log) == entries
