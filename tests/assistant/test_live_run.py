"""A live camera on a session: what is lost and comes back, odd pictures, faults, the end."""

from __future__ import annotations

import threading
from collections.abc import Container

import numpy as np
import pytest

from assistant.core.errors import CameraLostError
from assistant.data import load_board
from assistant.live_run import LiveRun
from assistant.session import Frame, MemoryLog, News, Notice, Session, Sighted
from assistant.vision.sighting import Picture, Reason, Sighting

NOTHING = Sighting(reason=Reason.NO_KEY)
BARE: Picture = np.zeros((4, 4, 3), np.uint8)


class FlakyCamera:
    """Gives a frame, is lost once, comes back, and then is silent until closed."""

    def __init__(self) -> None:
        self._script = iter([Frame(BARE, 0, 0.0), None, Frame(BARE, 1, 0.1)])
        self._closed = threading.Event()

    def read(self, timeout_s: float) -> Frame | None:
        try:
            frame = next(self._script)
        except StopIteration:
            self._closed.wait(timeout_s)
            return None
        if frame is None:
            raise CameraLostError("the camera is gone")
        return frame

    def close(self) -> None:
        self._closed.set()


def test_a_live_run_tells_a_lost_camera_and_reads_on_when_it_is_back() -> None:
    heard: list[News] = []
    back = threading.Event()

    def listen(news: News) -> None:
        heard.append(news)
        if isinstance(news, Sighted) and news.frame.index == 1:
            back.set()

    class BareSight:
        def look(self, picture: Picture) -> Sighting:
            return NOTHING

    session = Session(load_board(), BareSight(), MemoryLog(), listeners=[listen])
    run = LiveRun(session, FlakyCamera())
    assert back.wait(5.0)
    preview = run.preview.take(1.0)
    assert run.stop()
    assert preview is not None
    assert Notice("the camera is gone") in heard


class PatientCamera:
    """Gives the next frame when the last one was looked at, without end."""

    def __init__(self, looked_at: threading.Semaphore) -> None:
        self._looked_at = looked_at
        self._given = 0

    def read(self, timeout_s: float) -> Frame | None:
        if not self._looked_at.acquire(timeout=timeout_s):
            return None
        self._given += 1
        return Frame(BARE, self._given, self._given / 30)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("odd", "stops"), [({3}, False), ({3, 4, 9}, False), (range(3, 99), True)])
def test_an_odd_picture_is_told_and_only_many_in_a_row_end_the_reading(
    odd: Container[int], stops: bool
) -> None:
    told: list[str] = []
    over, looked_at = threading.Event(), threading.Semaphore()

    class Fragile:
        looked = 0

        def look(self, picture: Picture) -> Sighting:
            self.looked += 1
            looked_at.release()
            if self.looked in odd:
                raise ValueError(f"odd picture {self.looked}")
            if self.looked >= 40:
                over.set()
            return NOTHING

    def listen(news: News) -> None:
        if isinstance(news, Notice):
            told.append(news.text)
            if "stopped" in news.text:
                over.set()

    session = Session(load_board(), Fragile(), MemoryLog(), listeners=[listen])
    run = LiveRun(session, PatientCamera(looked_at))
    assert over.wait(10.0)
    assert run.stop()
    assert told[0] == "one picture could not be read (ValueError: odd picture 3); reading goes on"
    assert ("reading has stopped: ValueError: odd picture 32" in told) is stops


def test_a_fault_of_a_listener_is_no_odd_picture_and_ends_the_run() -> None:
    told: list[str] = []
    over, looked_at = threading.Event(), threading.Semaphore()

    class Calm:
        def look(self, picture: Picture) -> Sighting:
            looked_at.release()
            return NOTHING

    def listen(news: News) -> None:
        if isinstance(news, Notice):
            told.append(news.text)
            over.set()
        elif isinstance(news, Sighted) and news.frame.index == 3:
            raise ValueError("a listener's fault")

    session = Session(load_board(), Calm(), MemoryLog(), listeners=[listen])
    run = LiveRun(session, PatientCamera(looked_at))
    assert over.wait(10.0)
    assert run.stop()
    assert told == ["reading has stopped: ValueError: a listener's fault"]


def test_a_fault_in_a_live_run_is_told_and_ends_in_time() -> None:
    told = threading.Event()

    class Broken:
        def look(self, picture: Picture) -> Sighting:
            raise RuntimeError("broken on purpose")

    def listen(news: News) -> None:
        if isinstance(news, Notice) and "broken on purpose" in news.text:
            told.set()

    session = Session(load_board(), Broken(), MemoryLog(), listeners=[listen])
    run = LiveRun(session, FlakyCamera())
    assert told.wait(5.0)
    assert run.stop()
