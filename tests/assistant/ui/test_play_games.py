"""Whole games in the window by keys alone, drawn by lot, with every expansion; and their logs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from assistant.commands.play_state import told
from assistant.core.game import Phase
from assistant.core.score import Ending
from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.present.choices import Ask, Offer, Wish
from tests.assistant.ui.play_driver import Driven, replayed

pytestmark = pytest.mark.usefixtures("display")

ELUSIVE = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS]
DARKER = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.AGGRESSIVE, Expansion.DARKER,
          Expansion.MARKERS]  # fmt: skip

#: So many acts are played before the Lady may be confronted, which ends the game.
ACTS = 58


class ByLot:
    """Plays by answering whatever is asked with a key drawn by lot."""

    def __init__(self, driven: Driven, seed: int) -> None:
        self.driven, self.chance = driven, random.Random(seed)

    def play(self) -> None:
        while self.driven.state.game.phase is not Phase.OVER:
            self.step()

    def step(self) -> None:
        driven, asked = self.driven, self.driven.asked
        entries = len(driven.state.log)
        offer = self.chance.choice(self.choices(asked, entries))
        then = offer.open()
        driven.press(" " if offer is asked.first else offer.key)
        if isinstance(then, Ask):
            driven.until(lambda: driven.asked is not asked)
        else:
            driven.until(lambda: len(driven.state.log) > entries)

    def choices(self, asked: Ask, entries: int) -> list[Offer]:
        """Return the answers to draw from; the game's end waits."""
        offers = [o for o in asked.offers if not isinstance(o.then, Wish)]
        ending = [o for o in offers if o.label.startswith("Confront the Lady")]
        if entries > ACTS and ending:
            return ending
        return [o for o in offers if o not in ending]


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
