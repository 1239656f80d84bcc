"""What the play window's session does with what is entered: taken, asked about, or told why not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.app import Keeping
from assistant.commands.play_session import PlayedSession
from assistant.commands.play_sources import LateSight, Sources
from assistant.commands.play_views import Views
from assistant.core.events import Act, Overruled, SessionStarted
from assistant.core.turn_events import BaseScored, FogUsed
from assistant.present.choices import Wish
from assistant.ui.desk import Message, Noted, Questioned
from tests.assistant.ui.play_driver import FONT


class Game:
    """A game that was begun, and what the window was told."""

    def __init__(self) -> None:
        self.told: list[Message] = []
        sight = LateSight()
        self.views = Views(FONT, sight, self.told.append)
        self.sources = Sources(sight, lambda _line: None, None)
        self.played = PlayedSession(
            sight, self.sources, self.views, self.told.append,
            later=lambda job: job(), stopping=threading.Event(),
        )  # fmt: skip
        self.played.open(SessionStarted(), None, Keeping(), [])
        self.told.clear()


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    game = Game()
    yield game
    game.played.close()
    assert game.views.stop()
    assert game.sources.close()


@pytest.mark.parametrize(
    ("act", "why"),
    [(BaseScored(5_000_000), "so many points"), (FogUsed(1, clues=99), "clue cards, not 99")],
)
def test_what_no_table_can_show_is_told_and_no_house_rule_is_offered(
    game: Game, act: Act, why: str
) -> None:
    before = game.played.state.log
    game.played.enter(act)
    [told] = game.told
    assert isinstance(told, Noted)
    assert why in told.text
    assert told.text[0] == told.text[0].upper()
    assert game.played.state.log == before


def test_what_the_rules_alone_refuse_may_have_happened_by_a_house_rule(game: Game) -> None:
    # It follows no turns, so no fog is known to be there; a table may play so.
    act = FogUsed(1)
    refused = game.played.state.refusal(act)
    assert refused is not None
    game.played.enter(act)
    [told] = game.told
    assert isinstance(told, Questioned)
    assert refused in told.ask.title
    assert [offer.then for offer in told.ask.offers] == [Wish.BACK, Overruled(act, refused)]
