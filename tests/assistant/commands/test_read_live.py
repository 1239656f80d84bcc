"""`bystander read --camera 0`: what is laid under a live camera is printed until Ctrl-C."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import cli
from assistant.adapters.webcam import CameraState, Webcam
from assistant.commands.play_sources import LateSight
from assistant.commands.read_live import _wait_for_first_frame
from assistant.core.errors import CameraLostError
from assistant.core.terms import Location
from assistant.data import load_board
from assistant.practice.camera import PracticeCamera
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.session import MemoryLog, Notice, Session
from assistant.vision.sighting import Picture
from tests.assistant.adapters.test_webcam import Clock, OpensSlowly, ScriptedCapture

#: So many frames are enough on any machine; with the last the test ends, read or not.
MOST_FRAMES = 3000


class EndsWithTheFirstReading(io.StringIO):
    """A terminal at which the player types Ctrl-C as soon as a reading is printed."""

    was_typed = False

    def flush(self) -> None:
        if '"reading"' in self.getvalue() and not self.was_typed:
            self.was_typed = True
            signal.raise_signal(signal.SIGINT)


def filmed(deck: PracticeDeck) -> Iterator[Picture | None]:
    camera = PracticeCamera(deck, seed=5, hardness=Hardness.EASY, size=(640, 360))
    camera.lay(Location.CORNHILL, deck.youth[Location.SOUTHWARK])
    for _ in range(MOST_FRAMES):
        frame = camera.read()
        yield None if frame is None else frame.picture
    signal.raise_signal(signal.SIGINT)


def test_a_stack_under_a_live_camera_is_printed_and_ctrl_c_ends_it(
    practice_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = PracticeDeck(load_board(), seed=1)
    capture = ScriptedCapture(filmed(deck))
    webcam = Webcam(0, opener=lambda _: capture, clock=Clock(1 / 30), retry_s=0.001)
    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: webcam)
    terminal = EndsWithTheFirstReading()
    monkeypatch.setattr(sys, "stdout", terminal)
    profile = str(practice_home / "practice-profile")
    assert cli.main(["read", "--camera", "0", "--profile", profile, "--json"]) == 0
    [row] = map(json.loads, terminal.getvalue().splitlines())
    wanted = deck.youth[Location.SOUTHWARK].shows(Location.CORNHILL).value
    assert (row["location"], row["value"]) == ("Cornhill", wanted)
    assert capsys.readouterr().err == "bystander: reading 640x360; Ctrl-C ends\n"
    assert capture.is_released


def notices_while_waiting_for(webcam: Webcam) -> list[str]:
    told: list[str] = []
    listeners = [lambda news: told.append(news.text) if isinstance(news, Notice) else None]
    session = Session(load_board(), LateSight(), MemoryLog(), listeners=listeners)
    _wait_for_first_frame(session, webcam)
    return told


def test_a_camera_that_takes_long_to_open_is_waited_for() -> None:
    slow = OpensSlowly(opens_after_s=8.0, step_s=5.0)
    webcam = Webcam(0, opener=slow.opener, clock=slow.clock)
    told = notices_while_waiting_for(webcam)
    webcam.close()
    assert told == ["the camera 0 gives no picture yet; some take 20 s to open"]


def test_a_camera_that_cannot_be_opened_is_not_waited_for() -> None:
    closed = ScriptedCapture(iter(()), opened=False)
    webcam = Webcam(0, opener=lambda _: closed, clock=Clock(), retry_s=0.001)
    with pytest.raises(CameraLostError, match="cannot be opened"):
        notices_while_waiting_for(webcam)
    assert webcam.state is CameraState.CLOSED
