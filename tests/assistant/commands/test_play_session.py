"""What the play window's session does with what is entered: taken, asked about, or told why not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from assistant.adapters.home import sessions_folder
from assistant.app import Keeping
from assistant.commands.play_session import PlayedSession
from assistant.commands.play_sources import LateSight, Sources
from assistant.commands.play_views import Views
from assistant.core.events import (
    Act,
    Corrected,
    Overruled,
    Retracted,
    SessionStarted,
    YouthAsked,
)
from assistant.core.terms import Content, Feature, Location
from assistant.core.turn_events import BaseScored, FogUsed
from assistant.present.choices import Wish
from assistant.session import EventEntered, Frame, News
from assistant.ui.desk import Message, Noted, Questioned, ReadingSaid
from assistant.vision.sighting import Corners, Side, Sighting
from tests.assistant.test_session import (
    BARE,
    CHURCH_AT_CORNHILL,
    CORNERS,
    NOTHING,
    TAVERN_AT_CORNHILL,
)
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


def test_lights_show_a_game_that_is_gone_on_with_before_anything_new_happens(game: Game) -> None:
    game.played.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    log, before = sessions_folder() / game.played.log_name, game.played.state
    told: list[News] = []
    game.played.open(SessionStarted(), None, Keeping(), [told.append])
    told.clear()
    game.played.open(SessionStarted(), log, Keeping(), [told.append])
    [news] = told
    assert isinstance(news, EventEntered)
    assert news.state.youth.candidates == before.youth.candidates
    assert len(before.youth.candidates) < len(Location)


class Table:
    """What lies before the camera of a game, frame after frame."""

    def __init__(self, game: Game) -> None:
        self._game, self._frames, self._layings = game, 0, 0

    def see(self, sighting: Sighting) -> None:
        session, number = self._game.played._session, self._frames
        session.saw(Frame(BARE, number, number / 30), sighting)
        self._frames += 1

    def lay(self, location: Location, content: Content) -> list[Message]:
        """Lay a stack and take it away; return what was told of it but for screens."""
        self._game.told.clear()
        self._layings += 1
        # Each farther to the right: found where it was before, it would be the same laying.
        away = 40.0 * self._layings
        corners = cast(Corners, tuple((x + away, y) for x, y in CORNERS))
        stack = Sighting(location, Side.BACK, corners, content, 0.9)
        for each in [stack] * 12 + [NOTHING] * 12:
            self.see(each)
        return [m for m in self._game.told if isinstance(m, ReadingSaid | Noted)]


def texts(told: list[Message]) -> list[str]:
    said = [each.more for each in told if isinstance(each, ReadingSaid)]
    return said + [each.text for each in told if isinstance(each, Noted)]


def test_a_reading_again_says_whether_it_agrees_or_differs(game: Game) -> None:
    table = Table(game)
    [first] = table.lay(*CHURCH_AT_CORNHILL)
    assert isinstance(first, ReadingSaid)
    assert "left" in first.more
    assert texts(table.lay(*CHURCH_AT_CORNHILL)) == ["The same as before."]
    assert texts(table.lay(*TAVERN_AT_CORNHILL)) == ["It was read otherwise before."]


def test_an_error_that_was_put_right_and_is_read_again_is_set_aside_and_said(game: Game) -> None:
    table = Table(game)
    table.lay(*CHURCH_AT_CORNHILL)
    read = game.played.state.log[-1].seq
    tavern = YouthAsked(Location.CORNHILL, Feature.TAVERN)
    game.played.enter(Corrected(read, tavern))
    told = texts(table.lay(*CHURCH_AT_CORNHILL))
    assert told[-1].startswith("You had put that right before, so this repeat does not count.")
    again = game.played.state.log[-2]
    assert isinstance(again.event, YouthAsked)
    assert game.played.state.log[-1].event == Retracted(again.seq)
    assert [answer.value for answer in game.played.state.youth.answers] == [Feature.TAVERN]
    # What was never wrong is not set aside.
    assert not any("put that right" in text for text in texts(table.lay(*TAVERN_AT_CORNHILL)))


def test_news_of_the_camera_and_the_disk_are_told_while_a_game_is_on(game: Game) -> None:
    game.played._session.notice("the camera 0 is gone")
    assert game.told == [Noted("the camera 0 is gone")]


def test_before_a_game_is_begun_nothing_is_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    told: list[Message] = []
    sight = LateSight()
    views = Views(FONT, sight, told.append)
    played = PlayedSession(
        sight, Sources(sight, lambda _line: None, None), views, told.append,
        later=lambda job: job(), stopping=threading.Event(),
    )  # fmt: skip
    before = played.state.log
    played.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    assert told == [Noted("Begin a game first.")]
    assert played.state.log == before
    assert not (tmp_path / "sessions").exists()
    assert views.stop()
