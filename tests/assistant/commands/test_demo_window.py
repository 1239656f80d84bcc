"""What the demo's game tells its window, and how the one ends the other; in a window of paper."""

from __future__ import annotations

import argparse
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from assistant.commands import demo_window
from assistant.commands.demo_window import play_in_window
from assistant.core.events import Event, Seen, Seq, SessionStarted, YouthAsked
from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.terms import Content, Feature, Location
from assistant.session import (
    EventEntered,
    Frame,
    Listener,
    Notice,
    Reading,
    ReadingTaken,
    Sighted,
)
from assistant.ui.plain_window import FILM_PX, Finished, MapChanged, Message, Said
from assistant.vision.sighting import Reason, Sighting
from tests.assistant.present.games import Played

START = SessionStarted(frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS}))
NOTHING = argparse.Namespace()
PATIENCE_S = 20.0


class Paper:
    """A window's stand-in: takes all messages until the last, and each picture there is."""

    last: Paper

    def __init__(
        self,
        title: str,
        messages: queue.SimpleQueue[Message],
        newest: Callable[[], Image.Image | None],
    ) -> None:
        Paper.last = self
        self._messages, self._newest = messages, newest
        self.told: list[Message] = []
        self.pictures: list[Image.Image] = []

    def run(self) -> None:
        while not self.told or not isinstance(self.told[-1], Finished):
            self.told.append(self._messages.get(timeout=PATIENCE_S))
            picture = self._newest()
            if picture is not None:
                self.pictures.append(picture)


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch) -> type[Paper]:
    monkeypatch.setattr(demo_window, "PlainWindow", Paper)
    return Paper


def state(*events: Event) -> State:
    return Played(START, *events).state


def play(*news: Any, code: int = 0, words: str = "") -> Callable[..., int]:
    """Return a game that tells these news, then a line, and ends with a code."""

    def played(
        args: argparse.Namespace,
        start: object,
        listeners: tuple[Listener, ...],
        say: Callable[[str], None],
    ) -> int:
        for each in news:
            for listener in listeners:
                listener(each)
        say(words)
        return code

    return played


def test_news_reach_the_window_in_their_order_and_the_code_is_the_game_s() -> None:
    asked = YouthAsked(Location.CORNHILL, Feature.CHURCH, Seen(0.9, 5))
    before, after = state(), state(asked)
    reading = Reading(1, Location.CORNHILL, Content.icon(Feature.CHURCH), 0.9, 40, Seq(2))
    game = play(
        EventEntered(before), Notice("the disk is full"), ReadingTaken(reading, before, after),
        code=1, words="the end",
    )  # fmt: skip
    assert play_in_window(NOTHING, game) == 1
    first, notice, *lines, map_, end, last = Paper.last.told
    assert isinstance(first, MapChanged)
    assert notice == Said("the disk is full")
    assert [type(line) for line in lines] == [Said, Said]
    assert isinstance(lines[0], Said)
    assert "Cornhill" in lines[0].text
    assert "church" in lines[0].text
    assert isinstance(map_, MapChanged)
    assert map_ != first
    assert (end, last) == (Said("the end"), Finished())


def test_the_window_shows_the_newest_frame_in_its_own_colours() -> None:
    red_bgr = np.zeros((72, 128, 3), np.uint8)
    red_bgr[:, :, 2] = 255
    nothing = Sighting(reason=Reason.NO_KEY)
    frames = [Sighted(Frame(picture, n, n / 30), nothing)
              for n, picture in enumerate((np.zeros_like(red_bgr), red_bgr))]  # fmt: skip
    assert play_in_window(NOTHING, play(*frames)) == 0
    [shown] = Paper.last.pictures[:1]
    assert shown.size == FILM_PX
    assert shown.getpixel((5, 5)) == (255, 0, 0)


class Watch:
    """A clock that goes only while somebody sleeps."""

    now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, spent_s: float) -> None:
        self.now_s += spent_s


def test_the_film_runs_at_thirty_frames_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    watch, flat = Watch(), np.zeros((9, 16, 3), np.uint8)
    monkeypatch.setattr(demo_window, "time", watch)
    frames = [Sighted(Frame(flat, n, 0.0), Sighting(reason=Reason.NO_KEY)) for n in range(32)]
    play_in_window(NOTHING, play(*frames))
    # The first two come at once.
    assert watch.now_s - 100.0 == pytest.approx(1.0)


def test_a_fault_in_the_game_is_raised_where_it_is_told() -> None:
    def fails(*_: object) -> int:
        raise ValueError("no such card")

    with pytest.raises(ValueError, match="no such card"):
        play_in_window(NOTHING, fails)
    assert Paper.last.told == [Finished()]


def test_a_window_closed_early_ends_the_game_and_is_no_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Game:
        """Goes on until it is stopped."""

        is_stopped = False

        def play(self) -> None:
            begun.set()
            while not self.is_stopped and time.monotonic() < ends_s:
                time.sleep(0.005)

    def closed(self: Paper) -> None:
        assert begun.wait(PATIENCE_S)

    begun, ends_s, game = threading.Event(), time.monotonic() + PATIENCE_S, Game()
    monkeypatch.setattr(Paper, "run", closed)

    def play(args: argparse.Namespace, start: Callable[[Any], None], *_: object) -> int:
        start(game)
        return 1

    assert play_in_window(NOTHING, play) == 0
    assert game.is_stopped
    assert time.monotonic() < ends_s
