"""A new stack's words, read beside the game by what may lie, fail, hang, or be missing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from assistant.adapters.words_watch import MOST_WAITING, TIME_LIMIT_S, WordsWatch
from assistant.core.events import Seq
from assistant.core.state import fold
from assistant.core.terms import Content, Feature, Location
from assistant.data import load_board, load_keys
from assistant.session import Frame, MemoryLog, Reading, ReadingTaken, Session, Sighted
from assistant.vision.ink import Grey
from assistant.vision.printed_words import PrintedWords
from assistant.vision.sighting import Corners, Picture, Reason, Side, Sighting

CORNERS: Corners = ((20.0, 20.0), (64.0, 20.0), (64.0, 88.0), (20.0, 88.0))
PICTURE: Picture = np.full((110, 90, 3), 200, np.uint8)
STACK = Sighting(Location.CORNHILL, Side.BACK, CORNERS, Content.icon(Feature.TAVERN), 0.9)
#: No test waits longer than this for the thread.
PATIENCE_S = 10.0


def words_on(location: Location) -> str:
    return " ".join(load_keys()["keys"][location.value]["back_text"])


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Watched:
    """A watch with what it told."""

    def __init__(self, read_text: Callable[[Grey], str]) -> None:
        self.notices: list[str] = []
        self.clock = Clock()
        words = PrintedWords(load_keys(), read_text)
        self.watch = WordsWatch(words, self.notices.append, self.clock)

    def lay(self, sighting: Sighting = STACK, confirms: int | None = None) -> None:
        assert sighting.location is not None
        assert sighting.content is not None
        self.watch.told(Sighted(Frame(PICTURE, 7, 0.2), sighting))
        state = fold(load_board(), [])
        reading = Reading(1, sighting.location, sighting.content, 0.9, 7, Seq(1), confirms)
        self.watch.told(ReadingTaken(reading, state, state))

    def notices_at_the_end(self) -> list[str]:
        # What was given is read before the thread ends; closing at once would leave it unread.
        assert self.watch.finish(PATIENCE_S)
        return self.notices


def saying(text: str) -> Callable[[Grey], str]:
    return lambda _: text


def test_words_of_another_key_are_told_to_the_player() -> None:
    watched = Watched(saying(words_on(Location.EASTCHEAP)))
    watched.lay()
    [notice] = watched.notices_at_the_end()
    assert "look like Eastcheap" in notice
    assert "Cornhill" in notice


@pytest.mark.parametrize("text", ["", "~ |", words_on(Location.CORNHILL)])
def test_its_own_words_and_none_are_not_worth_a_line(text: str) -> None:
    watched = Watched(saying(text))
    watched.lay()
    assert watched.notices_at_the_end() == []


def test_a_stack_laid_down_again_is_not_read_again() -> None:
    read: list[int] = []

    def read_text(_: Grey) -> str:
        read.append(1)
        return ""

    watched = Watched(read_text)
    watched.lay()
    watched.lay(confirms=1)
    watched.notices_at_the_end()
    assert len(read) == 1


def test_frames_without_a_reading_are_never_read() -> None:
    def never(_: Grey) -> str:
        raise AssertionError("read on a frame's path")

    watched = Watched(never)
    for _ in range(50):
        watched.watch.told(Sighted(Frame(PICTURE, 7, 0.2), STACK))
    assert watched.notices_at_the_end() == []


def test_words_are_read_in_a_thread_of_their_own() -> None:
    threads: list[threading.Thread] = []

    def read_text(_: Grey) -> str:
        threads.append(threading.current_thread())
        return ""

    watched = Watched(read_text)
    watched.lay()
    watched.notices_at_the_end()
    assert threads
    assert threads[0] is not threading.current_thread()


def test_a_reader_that_fails_is_told_once_and_not_asked_again() -> None:
    asked: list[int] = []

    def fails(_: Grey) -> str:
        asked.append(1)
        raise RuntimeError("no such language")

    watched = Watched(fails)
    watched.lay()
    notices = watched.notices_at_the_end()
    watched.lay()
    assert len(asked) == 1
    assert len(notices) == 1
    assert "no such language" in notices[0]


def test_a_reader_that_hangs_holds_nobody_and_is_told_once() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def hangs(_: Grey) -> str:
        begun.set()
        go_on.wait(PATIENCE_S)
        return words_on(Location.EASTCHEAP)

    watched = Watched(hangs)
    try:
        # More stacks than may wait: all are taken at once, none waits for the one that hangs.
        for _ in range(MOST_WAITING + 3):
            watched.lay()
        assert begun.wait(PATIENCE_S)
        assert watched.notices == []
        watched.clock.now_s = TIME_LIMIT_S + 0.1
        watched.lay()
        watched.lay()
        assert len(watched.notices) == 1
        assert "in time" in watched.notices[0]
        assert not watched.watch.close(timeout_s=0.01)
    finally:
        go_on.set()
    # What it says at last comes too late to be told.
    assert watched.watch.finish(PATIENCE_S)
    assert len(watched.notices) == 1


class Shown:
    """A sight that claims what it is told to."""

    def __init__(self, sightings: list[Sighting]) -> None:
        self._sightings = sightings

    def look(self, picture: Picture) -> Sighting:
        return self._sightings.pop(0)


@pytest.mark.parametrize("text", ["", words_on(Location.EASTCHEAP), words_on(Location.CORNHILL)])
def test_whatever_the_words_say_the_game_is_the_same(text: str) -> None:
    nothing = Sighting(reason=Reason.NO_KEY)
    sightings = [nothing] * 3 + [STACK] * 40 + [nothing] * 40

    def played(watch: WordsWatch | None) -> list[Reading]:
        listeners = [] if watch is None else [watch.told]
        session = Session(load_board(), Shown(list(sightings)), MemoryLog(), listeners=listeners)
        for number in range(len(sightings)):
            session.see(Frame(PICTURE, number, number / 30))
        return list(session.readings)

    watched = Watched(saying(text))
    readings = played(watched.watch)
    assert len(readings) == 1
    assert readings == played(None)
    is_lie = text == words_on(Location.EASTCHEAP)
    assert len(watched.notices_at_the_end()) == (1 if is_lie else 0)
