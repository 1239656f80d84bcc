"""An evening on which everything fails once: a practice game played in a process of its own.

    python -m tests.fault_evening PROFILE SEED [LINE]

Plays the demo's game through the real webcam adapter, engine, reader, log, lights' keeper and
Tesseract adapter. The camera, the LED board, the disk and the tesseract program are fakes that
fail after certain readings (see _faults); nothing waits for real time, nothing is left to chance.
With LINE the process kills itself in the middle of writing that line of the log; without, it goes
on with the game that was left, and nothing fails but Tesseract. Prints a JSON row for each reading
(once it is on disk), each notice, and the result.

tests/test_fault_game.py plays it and tells what must hold.
"""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from assistant.adapters import tesseract
from assistant.adapters.home import home
from assistant.adapters.light_settings import LightSettings
from assistant.adapters.lights import StateLights
from assistant.adapters.session_files import find_log, session_logs
from assistant.adapters.webcam import Webcam
from assistant.app import Keeping, card_profile, recorded_session
from assistant.commands.demo_game import DemoGame
from assistant.core.errors import CameraLostError
from assistant.core.events import SessionStarted
from assistant.core.settings import Expansion
from assistant.core.terms import Location
from assistant.data import load_board
from assistant.practice.camera import PracticeCamera
from assistant.practice.deck import HiddenCard, PracticeDeck
from assistant.practice.stage import Hardness
from assistant.session import Frame, News, Notice, ReadingTaken, Session, Sighted
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture
from hardware.board_model import OwnBoard
from hardware.lights import DARK, Loop
from hardware.target import Target
from tests.hardware.rig import Evening, Machine

#: Frames that the camera stays away, at 30 a second: longer than a frozen picture is believed.
AWAY_FRAMES = 60

SIZE_PX = (640, 360)


class FailingCamera:
    """A USB camera that films the practice table, freezes, is pulled out, and comes back as 1.

    A step is asked for by the game and done by the webcam's own thread: both take turns, so the
    evening is the same however busy the machine is.
    """

    def __init__(self, film: PracticeCamera) -> None:
        self._film = film
        self._turn = threading.Condition()
        self._asked, self._is_waiting, self._is_over = 0, False, False
        self.steps = 0
        self.number = 0
        self.frozen_for = self.away_for = 0
        self._last: Picture | None = None

    def now_s(self) -> float:
        return self.steps / 30

    def step(self) -> None:
        """Have the webcam's thread do one thing with the device; return when it is done."""
        with self._turn:
            self._is_waiting = False
            self._asked += 1
            self._turn.notify_all()
            assert self._turn.wait_for(lambda: self._is_waiting, 20), "the webcam's thread is stuck"

    def end(self) -> None:
        with self._turn:
            self._is_over = True
            self._turn.notify_all()

    def _wait_for_step(self) -> None:
        with self._turn:
            self._is_waiting = self._asked == 0
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._asked or self._is_over)
            self._asked = 0
            self.steps += 1

    def open(self, device: int | str) -> FailingCapture:
        is_there = device == self.number and not self.away_for
        if not is_there and device == 2:
            # All places were looked at.
            self._wait_for_step()
            self.away_for = max(self.away_for - 1, 0)
        return FailingCapture(self, is_there)

    def grab(self) -> tuple[bool, Picture | None]:
        self._wait_for_step()
        if self._is_over or self.away_for:
            self.away_for = max(self.away_for - 1, 0)
            return False, None
        if self.frozen_for:
            self.frozen_for -= 1
            return True, self._last
        frame = self._film.read()
        assert frame is not None
        self._last = frame.picture
        return True, self._last


class FailingCapture:
    """What OpenCV would give for it."""

    def __init__(self, camera: FailingCamera, opened: bool) -> None:
        self._camera, self._opened = camera, opened

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._opened

    def read(self) -> tuple[bool, Picture | None]:
        return self._camera.grab()

    def get(self, prop: int) -> float:
        return 0.0

    def set(self, prop: int, value: float) -> bool:
        return False

    def release(self) -> None:
        """Nothing to let go of."""


class FailingTable:
    """The practice table behind that camera; a player who waits until the camera is back."""

    def __init__(self, film: PracticeCamera, tell: Callable[[str], None]) -> None:
        self._film, self._tell = film, tell
        self.device = FailingCamera(film)
        self._webcam = Webcam(
            0, opener=self.device.open, clock=self.device.now_s, retry_s=0.001, size_px=SIZE_PX
        )

    @property
    def is_clear(self) -> bool:
        return self._film.is_clear

    @property
    def _is_moving(self) -> bool:
        rests, leaves = self._film.rests_from, self._film.leaves_from
        coming = self._film.next_frame
        return (rests is not None and coming < rests) or (
            not self.is_clear and leaves is not None and coming >= leaves
        )

    def lay(self, location: Location, card: HiddenCard) -> None:
        self._film.lay(location, card)

    def lift(self) -> None:
        self._film.lift()

    def read(self, timeout_s: float) -> Frame | None:
        for _ in range(4 * AWAY_FRAMES):
            self.device.step()
            try:
                frame = self._webcam.read(0)
            except CameraLostError as error:
                self._tell(str(error))
                continue
            # A busy machine drops frames; here those in which cards move, which are dear to search.
            if frame is not None and not self._is_moving:
                return frame
        raise AssertionError("the camera never came back")

    def close(self) -> None:
        self.device.end()
        self._webcam.close()


class FailingDisk:
    """Stands before os.write: a full disk takes half a line; a kill comes in the midst of one."""

    def __init__(self, die_in_line: int | None) -> None:
        self._write, self._die_in_line = os.write, die_in_line
        self.log: Path | None = None
        self.is_full = False
        os.write = self.write

    def write(self, handle: int, data: Any) -> int:
        if (
            self.log is None
            or not self.log.exists()
            or not os.path.samestat(os.fstat(handle), self.log.stat())
        ):
            return self._write(handle, data)
        half = bytes(data)[: len(data) // 2]
        if self.is_full:
            self._write(handle, half)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        lines = self.log.read_bytes().count(b"\n")
        if self._die_in_line is not None and lines + 1 >= self._die_in_line:
            self._write(handle, half)
            os.kill(os.getpid(), signal.SIGKILL)
        return self._write(handle, data)


class Lights:
    """A board on a machine in the camera's time, shown the state by the real keeper."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.machine = Machine()
        self.board = OwnBoard()
        self.machine.plug("/dev/ttyACM0", self.board)
        self.evening = Evening(self.machine, Target("/dev/ttyACM0"))
        self._said, self._say = 0, say

    def show(self, loop: Loop) -> None:
        self.evening.show(loop)

    def close(self) -> bool:
        return True

    def run(self, seconds: float) -> None:
        self.evening.run(seconds)
        for line in self.evening.said[self._said :]:
            self._say(line)
        self._said = len(self.evening.said)

    def lit(self) -> list[list[int]]:
        on = [n for n, colour in enumerate(self.board.lights) if colour != DARK]
        return [[n for n in on if n % 3 == layer] for layer in (0, 1)]


def wanted_lights(session: Session) -> list[list[int]]:
    """Return which lights the candidates ask for, by the printed order alone."""
    state, board = session.state, load_board()
    symbols = frozenset(state.rendezvous.candidates)
    return [
        [3 * n for n, place in enumerate(Location) if place in state.youth.candidates],
        [3 * n + 1 for n, place in enumerate(Location) if board.features(place) & symbols],
    ]


_PRINTING = threading.Lock()


def row(**told: Any) -> None:
    """Print a row, whole, from any thread."""
    with _PRINTING:
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def evening(profile: str, seed: int, die_in_line: int | None) -> int:
    """Play, or go on; return 0 when it ended right and the lights with it."""
    chance = random.Random(f"faults {seed}")
    deck = PracticeDeck(load_board(), seed=seed)
    youth = chance.choice(list(deck.youth.values()))
    rendezvous = chance.choice(list(deck.rendezvous.values()))
    logs = session_logs()
    disk = FailingDisk(die_in_line)

    def notice(text: str) -> None:
        row(event="notice", text=text)

    film = PracticeCamera(deck, seed, Hardness.EASY, SIZE_PX)
    table, lights = FailingTable(film, notice), Lights(notice)
    state_lights = StateLights(LightSettings(), 33)
    state_lights.show_on(lights)
    faults = _faults(table.device, lights, disk) if die_in_line is not None else {}
    words_of = _hanging_tesseract(notice)
    taken = 0

    def told(news: News) -> None:
        nonlocal taken
        if isinstance(news, Notice):
            notice(news.text)
        elif isinstance(news, Sighted):
            lights.run(1 / 30)
        elif isinstance(news, ReadingTaken):
            reading = news.reading
            row(event="reading", seq=reading.seq, at=reading.location.value,
                shown=reading.content.value)  # fmt: skip
            words_of(np.full((40, 120), 200 + taken, np.uint8))
            for fault in faults.get(taken, []):
                fault()
            taken += 1

    start = SessionStarted(frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS}))
    resume = find_log("last") if logs else None
    with recorded_session(
        Reader(card_profile(profile)), start, [state_lights.told, told],
        resume=resume, keeping=Keeping("0", "practice"),
    ) as (session, path):  # fmt: skip
        disk.log = path
        state_lights.show(session.state)
        game = DemoGame(session, table, youth, rendezvous)
        game.play()
        disk.is_full = False
        lights.run(6.0)
        table.close()
        are_lit = lights.lit() == wanted_lights(session)
        row(event="result", right=game.is_right, lit=are_lit)
    return 0 if game.is_right and are_lit else 1


def _faults(
    camera: FailingCamera, lights: Lights, disk: FailingDisk
) -> dict[int, list[Callable[[], None]]]:
    """Return what happens after the first reading, the second, the third."""

    def freeze_camera() -> None:
        camera.frozen_for = AWAY_FRAMES

    def pull_camera() -> None:
        camera.away_for, camera.number = AWAY_FRAMES, 1

    def pull_board() -> None:
        lights.machine.unplug("/dev/ttyACM0")

    def return_board() -> None:
        lights.machine.plug("/dev/ttyACM1", lights.board)

    def fill_disk() -> None:
        disk.is_full = True

    def empty_disk() -> None:
        disk.is_full = False

    return {
        0: [freeze_camera, pull_board],
        1: [pull_camera, fill_disk],
        2: [empty_disk, return_board],
    }


def _hanging_tesseract(notice: Callable[[str], None]) -> Callable[[Any], str]:
    """Return a reader of words whose program never answers."""
    tesseract.TIME_LIMIT_S = 0.1
    program = home() / "hanging-tesseract"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    os.environ[tesseract.PROGRAM_SETTING] = str(program)
    return tesseract.Tesseract(notice).read_text


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(evening(words[0], int(words[1]), int(words[2]) if len(words) > 2 else None))
