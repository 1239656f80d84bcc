"""What cameras do to a whole session: hunting focus, an exposure that is nobody's business."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np

from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Shot, Showing
from assistant.session import Frame, MemoryLog, Session
from assistant.vision.profile import CardProfile
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture
from tests.assistant.adapters.test_webcam import ScriptedCapture, camera, endless, read_until
from tests.calibration.practice_shots import learnt_shots


def profile() -> CardProfile:
    return learnt_shots().profile


@lru_cache(maxsize=1)
def stack() -> Shot:
    """A stack that reads well in a single sharp picture."""
    table = VirtualTable(PracticeDeck(load_board(), 1), seed=8)
    reader = Reader(profile())
    for number in range(10):
        shot = table.still(number, Hardness.EASY, showing=Showing.ICON)
        if reader.read_still(shot.picture_bgr).content == shot.truth.content:
            return shot
    raise AssertionError("no still of the practice table was read")


class Script:
    """Pictures as a source of 30 a second, with a sensor's noise."""

    def __init__(self, pictures: Iterator[Picture]) -> None:
        self._pictures, self._number = pictures, 0

    def read(self, timeout_s: float) -> Frame | None:
        picture = next(self._pictures, None)
        if picture is None:
            return None
        lots = np.random.default_rng(self._number)
        noise = lots.integers(-2, 3, picture.shape, np.int16)
        seen = np.clip(picture + noise, 0, 255).astype(np.uint8)
        self._number += 1
        return Frame(seen, self._number - 1, (self._number - 1) / 30)

    def close(self) -> None:
        """Nothing to let go of."""


def readings_of(pictures: Iterator[Picture]) -> list[tuple[object, object]]:
    session = Session(load_board(), Reader(profile()), MemoryLog())
    session.follow(Script(pictures))
    return [(reading.location, reading.content) for reading in session.readings]


def soft(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 6.0), np.uint8)


def test_a_focus_that_hunts_gives_one_right_reading_for_one_stack() -> None:
    sharp, blurred = stack().picture_bgr, soft(stack().picture_bgr)
    hunting = ([sharp] * 8 + [blurred] * 6) * 3
    assert readings_of(iter(hunting)) == [(stack().truth.location, stack().truth.content)]


def test_a_focus_that_never_finds_the_stack_gives_no_reading() -> None:
    assert readings_of(iter([soft(stack().picture_bgr)] * 12)) == []


def test_exposure_and_focus_are_left_to_the_camera() -> None:
    capture = ScriptedCapture(endless())
    webcam = camera(capture)
    read_until(webcam, lambda _: True)
    webcam.close()
    theirs = {
        cv2.CAP_PROP_AUTO_EXPOSURE,
        cv2.CAP_PROP_EXPOSURE,
        cv2.CAP_PROP_AUTOFOCUS,
        cv2.CAP_PROP_FOCUS,
        cv2.CAP_PROP_GAIN,
    }
    assert not theirs & set(capture.asked)
