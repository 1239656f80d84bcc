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
from assistant.adapters.webcam import Webcam
from assistant.core.terms import Location
from assistant.data import load_board
from assistant.practice.camera import PracticeCamera
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.vision.sighting import Picture
from tests.assistant.adapters.test_webcam import Clock, ScriptedCapture

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
