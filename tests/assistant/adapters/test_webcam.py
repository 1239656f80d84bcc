"""Live cameras as they are known to misbehave, each a scripted capture."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.adapters.sources import open_source
from assistant.adapters.webcam import CameraState, Webcam, try_camera
from assistant.core.errors import CameraLostError, MissingError
from assistant.session import Frame
from assistant.vision.sighting import Picture


def noisy(number: int, level: int = 120) -> Picture:
    """A picture whose first pixel is its number; the rest is a sensor's noise."""
    noise = np.random.default_rng(number).integers(-3, 4, (48, 64, 3))
    picture = np.clip(level + noise, 0, 255).astype(np.uint8)
    picture[0, 0] = number
    return picture


class ScriptedCapture:
    """A cv2.VideoCapture whose pictures come from a script; notes what is set and when."""

    def __init__(self, script: Iterator[Picture | None], opened: bool = True) -> None:
        self._script, self._opened = script, opened
        self.asked: list[int] = []
        self.is_released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._opened

    def read(self) -> tuple[bool, Picture | None]:
        picture = next(self._script, None)
        return picture is not None, picture

    def get(self, prop: int) -> float:
        return 0.0

    def set(self, prop: int, value: float) -> bool:
        self.asked.append(prop)
        return False

    def release(self) -> None:
        self.is_released = True


class Clock:
    """Seconds that pass with each look, from any thread."""

    def __init__(self, step_s: float = 0.05) -> None:
        self._now_s, self._step_s = 0.0, step_s
        self._lock = threading.Lock()

    def __call__(self) -> float:
        with self._lock:
            self._now_s += self._step_s
            return self._now_s


def endless(start: int = 0) -> Iterator[Picture | None]:
    number = start
    while True:
        yield noisy(number % 250)
        number += 1


def camera(*captures: ScriptedCapture, step_s: float = 0.05) -> Webcam:
    """A camera that opens the captures in turn, the last again and again."""
    left = list(captures)

    def opener(device: int | str) -> ScriptedCapture:
        return left.pop(0) if len(left) > 1 else left[0]

    return Webcam(0, opener=opener, clock=Clock(step_s), retry_s=0.001)


def read_until(webcam: Webcam, wanted: Callable[[Frame], bool]) -> Frame:
    for _ in range(2000):
        try:
            frame = webcam.read(0.05)
        except CameraLostError:
            continue
        if frame is not None and wanted(frame):
            return frame
    raise AssertionError("the frame never came")


def read_until_lost(webcam: Webcam) -> str:
    for _ in range(2000):
        try:
            webcam.read(0.01)
        except CameraLostError as error:
            if webcam.state is not CameraState.OPENING:
                return str(error)
    raise AssertionError("the loss was never told")


def test_mjpg_is_asked_for_before_the_size_and_the_size_before_the_rate() -> None:
    capture = ScriptedCapture(endless())
    webcam = camera(capture)
    read_until(webcam, lambda _: True)
    webcam.close()
    order = [
        capture.asked.index(prop)
        for prop in (cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FPS)
    ]
    assert order == sorted(order)


def test_the_rate_is_measured_whatever_the_driver_says() -> None:
    webcam = camera(ScriptedCapture(endless()))
    read_until(webcam, lambda frame: frame.index > 40)
    figures = webcam.figures
    webcam.close()
    assert (figures.width_px, figures.height_px) == (64, 48)
    assert 0 < figures.fps <= 100


def test_a_camera_that_never_gives_a_picture_is_told_as_in_use() -> None:
    webcam = camera(ScriptedCapture(iter(())))
    words = read_until_lost(webcam)
    webcam.close()
    assert "another program" in words


def test_a_camera_that_cannot_be_opened_is_told_and_points_to_doctor() -> None:
    webcam = camera(ScriptedCapture(iter(()), opened=False))
    words = read_until_lost(webcam)
    webcam.close()
    assert "cannot be opened" in words
    assert "bystander doctor" in words


def test_a_frame_repeated_to_the_last_byte_for_long_is_a_lost_camera() -> None:
    def frozen() -> Iterator[Picture | None]:
        for number in range(20):
            yield noisy(number)
        while True:
            yield noisy(19)

    webcam = camera(ScriptedCapture(frozen()), ScriptedCapture(iter(()), opened=False))
    words = read_until_lost(webcam)
    webcam.close()
    assert "no new picture" in words


def test_a_loss_is_told_once_and_frames_go_on_when_the_camera_is_back() -> None:
    before = ScriptedCapture(iter([noisy(number) for number in range(20)]))
    told = threading.Event()
    opened: list[int | str] = []

    def opener(device: int | str) -> ScriptedCapture:
        opened.append(device)
        if len(opened) == 1:
            return before
        return ScriptedCapture(endless(100), opened=told.is_set())

    webcam = Webcam(0, opener=opener, clock=Clock(), retry_s=0.001)
    words = read_until_lost(webcam)
    assert [webcam.read(0.01) for _ in range(5)] == [None] * 5
    told.set()
    after = read_until(webcam, lambda frame: frame.picture[0, 0, 0] >= 100)
    webcam.close()
    assert "plugged in" in words
    assert before.is_released
    assert after.index > 0


def test_a_camera_plugged_in_again_is_found_under_the_next_number() -> None:
    opened: list[int | str] = []

    def opener(device: int | str) -> ScriptedCapture:
        opened.append(device)
        if len(opened) == 1:
            return ScriptedCapture(iter([noisy(number) for number in range(20)]))
        return ScriptedCapture(endless(100), opened=device == 8)

    webcam = Webcam(7, opener=opener, clock=Clock(), retry_s=0.001)
    read_until(webcam, lambda frame: frame.picture[0, 0, 0] >= 100)
    webcam.close()
    assert 8 in opened


class Bus:
    """Cameras by number, and the folder of links that the system keeps to them by their names."""

    def __init__(self, links: Path) -> None:
        self.links = links
        self.links.mkdir()
        self.there: set[int] = set()
        self.opened: list[int | str] = []

    def plug(self, name: str, number: int) -> None:
        self.there.add(number)
        (self.links / name).symlink_to(f"/dev/video{number}")

    def unplug(self, name: str, number: int) -> None:
        self.there.discard(number)
        (self.links / name).unlink()

    def opener(self, device: int | str) -> ScriptedCapture:
        self.opened.append(device)
        number = device if isinstance(device, int) else int(device.removeprefix("/dev/video"))
        # A picture's first pixel tells which camera took it.
        return ScriptedCapture(self._pictures(number), opened=number in self.there)

    def _pictures(self, number: int) -> Iterator[Picture | None]:
        count = 0
        while number in self.there:
            picture = noisy(count % 250)
            picture[0, 0] = number
            count += 1
            yield picture


@pytest.mark.parametrize("device", [0, "/dev/video0"])
def test_a_camera_known_by_its_name_is_waited_for_and_no_other_is_taken(
    tmp_path: Path, device: int | str
) -> None:
    bus = Bus(tmp_path / "by-id")
    bus.plug("the-one-above-the-table", 0)
    bus.plug("the-one-in-the-lid", 2)
    webcam = Webcam(device, opener=bus.opener, clock=Clock(), retry_s=0.001, links=bus.links)
    read_until(webcam, lambda frame: frame.picture[0, 0, 0] == 0)
    bus.unplug("the-one-above-the-table", 0)
    read_until_lost(webcam)
    # Wherever it looks while the camera is gone, it finds nothing.
    assert [webcam.read(0.01) for _ in range(20)] == [None] * 20
    bus.plug("the-one-above-the-table", 3)
    back = read_until(webcam, lambda _: True)
    webcam.close()
    assert back.picture[0, 0, 0] == 3
    assert set(bus.opened) <= {device, 0, "/dev/video0", "/dev/video3"}


def test_a_camera_plugged_in_late_is_known_by_its_name_from_then_on(tmp_path: Path) -> None:
    bus = Bus(tmp_path / "by-id")
    bus.plug("the-one-in-the-lid", 1)
    webcam = Webcam(0, opener=bus.opener, clock=Clock(), retry_s=0.001, links=bus.links)
    read_until_lost(webcam)
    bus.plug("the-one-above-the-table", 0)
    read_until(webcam, lambda frame: frame.picture[0, 0, 0] == 0)
    bus.unplug("the-one-above-the-table", 0)
    read_until_lost(webcam)
    assert [webcam.read(0.01) for _ in range(20)] == [None] * 20
    webcam.close()


def test_a_folder_of_links_that_cannot_be_listed_is_a_loss_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = Bus(tmp_path / "by-id")
    bus.plug("the-one-above-the-table", 0)
    told = threading.Event()
    real_iterdir = Path.iterdir

    def fails_at_first(folder: Path) -> Iterator[Path]:
        if folder == bus.links and not told.is_set():
            raise OSError(5, "Input/output error")
        return iter(list(real_iterdir(folder)))

    monkeypatch.setattr(Path, "iterdir", fails_at_first)
    webcam = Webcam(0, opener=bus.opener, clock=Clock(), retry_s=0.001, links=bus.links)
    read_until_lost(webcam)
    told.set()
    read_until(webcam, lambda _: True)
    webcam.close()


@pytest.mark.parametrize("fault", [OSError(19, "No such device"), RuntimeError("no driver")])
def test_a_driver_that_raises_is_a_loss_and_is_tried_again(fault: Exception) -> None:
    told = threading.Event()

    def opener(device: int | str) -> ScriptedCapture:
        if not told.is_set():
            raise fault
        return ScriptedCapture(endless())

    webcam = Webcam(0, opener=opener, clock=Clock(), retry_s=0.001)
    read_until_lost(webcam)
    told.set()
    read_until(webcam, lambda _: True)
    webcam.close()


@pytest.mark.parametrize("last", [noisy(1), None], ids=["a picture", "nothing for long"])
def test_a_camera_closed_while_its_driver_reads_stays_closed(last: Picture | None) -> None:
    webcams: list[Webcam] = []
    is_there = threading.Event()

    def script() -> Iterator[Picture | None]:
        assert is_there.wait(30)
        webcams[0].close()
        yield last

    # Each look at the clock is longer than any picture may take.
    webcams.append(camera(ScriptedCapture(script()), step_s=5.0))
    is_there.set()
    webcams[0]._thread.join(30)
    assert not webcams[0]._thread.is_alive()
    assert webcams[0].state is CameraState.CLOSED


def test_black_first_frames_are_left_out_while_the_exposure_settles() -> None:
    def warming() -> Iterator[Picture | None]:
        for number in range(25):
            yield noisy(number, level=12)
        for number in range(25, 40):
            yield noisy(number, level=12 + 9 * (number - 25))
        yield from endless(50)

    webcam = camera(ScriptedCapture(warming()), step_s=0.01)
    first = read_until(webcam, lambda _: True)
    webcam.close()
    assert first.picture.mean() > 60


def test_no_frame_is_given_out_before_the_exposure_has_settled() -> None:
    all_dark_seen, go_on = threading.Event(), threading.Event()

    def warming() -> Iterator[Picture | None]:
        for number in range(20):
            yield noisy(number, level=12 + 9 * number)
        all_dark_seen.set()
        go_on.wait(5)
        yield from endless(50)

    webcam = camera(ScriptedCapture(warming()), step_s=0.001)
    assert all_dark_seen.wait(5)
    early = webcam.read(0.0)
    state = webcam.state
    go_on.set()
    late = read_until(webcam, lambda _: True)
    webcam.close()
    assert early is None
    assert state is CameraState.SETTLING
    # The first frame of the steady part has number 50.
    assert late.picture[0, 0, 0] >= 50


def test_a_dark_room_is_shown_after_two_seconds_all_the_same() -> None:
    def dark() -> Iterator[Picture | None]:
        number = 0
        while True:
            yield noisy(number % 250, level=0)
            number += 1

    webcam = camera(ScriptedCapture(dark()))
    frame = read_until(webcam, lambda _: True)
    webcam.close()
    assert frame.picture.mean() < 10


def test_only_the_newest_frame_waits_for_a_slow_reader() -> None:
    shown = threading.Event()
    go_on = threading.Event()

    def script() -> Iterator[Picture | None]:
        for number in range(30):
            yield noisy(number)
        shown.set()
        go_on.wait(5)
        yield from endless(100)

    webcam = camera(ScriptedCapture(script()))
    assert shown.wait(5)
    frame = webcam.read(1.0)
    go_on.set()
    webcam.close()
    assert frame is not None
    assert frame.picture[0, 0, 0] == 29


def test_a_driver_that_hangs_while_opening_holds_up_neither_reading_nor_closing() -> None:
    release = threading.Event()

    def opener(device: int | str) -> ScriptedCapture:
        release.wait(30)
        return ScriptedCapture(iter(()), opened=False)

    webcam = Webcam(0, opener=opener, clock=Clock(0.5))
    assert webcam.read(0.0) is None
    words = read_until_lost(webcam)
    webcam.close()
    assert webcam.state is CameraState.CLOSED
    release.set()
    assert "no picture" in words


class OpensSlowly:
    """A camera that opens as soon as its readers have waited so long, by the clock it gives them.

    The clock goes on by `step_s` with each look of a reader, by a thirtieth with the camera's own.
    """

    def __init__(self, opens_after_s: float, step_s: float) -> None:
        self._opens_after_s, self._step_s = opens_after_s, step_s
        self._may_open, self._lock = threading.Event(), threading.Lock()
        self._now_s = 0.0

    def clock(self) -> float:
        is_cameras = threading.current_thread().name.startswith("camera")
        with self._lock:
            self._now_s += 1 / 30 if is_cameras else self._step_s
            if self._now_s >= self._opens_after_s:
                self._may_open.set()
            return self._now_s

    def opener(self, device: int | str) -> ScriptedCapture:
        assert self._may_open.wait(30)
        return ScriptedCapture(endless())


def test_a_camera_that_takes_twenty_seconds_to_open_is_told_as_slow_once_and_then_read() -> None:
    slow = OpensSlowly(opens_after_s=20.0, step_s=1.0)
    webcam = Webcam(0, opener=slow.opener, clock=slow.clock)
    told: list[tuple[str, CameraState]] = []
    frame = None
    while frame is None:
        try:
            frame = webcam.read(0.005)
        except CameraLostError as error:
            told.append((str(error), webcam.state))
    webcam.close()
    [(words, state)] = told
    assert "no picture yet" in words
    assert state is CameraState.OPENING


def test_a_camera_that_is_open_but_gives_no_picture_is_told_as_in_use() -> None:
    release = threading.Event()

    def script() -> Iterator[Picture | None]:
        release.wait(30)
        yield None

    webcam = camera(ScriptedCapture(script()), step_s=0.5)
    words = read_until_lost(webcam)
    state = webcam.state
    webcam.close()
    release.set()
    assert "another program" in words
    assert state is CameraState.LOST


@pytest.mark.parametrize("opens_after_s", [0.5, 5.0, 20.0])
def test_a_trial_waits_for_a_camera_that_takes_long_to_open(opens_after_s: float) -> None:
    slow = OpensSlowly(opens_after_s, step_s=opens_after_s / 4)
    said, good = try_camera(0, opener=slow.opener, clock=slow.clock)
    assert good, said
    assert said.startswith("64x48, ")


def test_a_driver_that_hangs_while_reading_is_told_as_lost() -> None:
    release = threading.Event()

    def script() -> Iterator[Picture | None]:
        for number in range(10):
            yield noisy(number)
        release.wait(30)

    webcam = camera(ScriptedCapture(script()))
    read_until(webcam, lambda _: True)
    words = read_until_lost(webcam)
    webcam.close()
    release.set()
    assert "plugged in" in words


def test_no_camera_at_all_is_told_in_words_by_a_trial() -> None:
    said, good = try_camera("/dev/video-that-is-not-there", limit_s=0.2)
    assert not good
    assert said


@pytest.mark.parametrize("name", ["nowhere.mp4", "/nowhere/at/all", "camera"])
def test_a_source_that_is_not_there_lists_what_a_source_can_be(name: str) -> None:
    with pytest.raises(MissingError, match="camera number"):
        open_source(name)


def test_the_slow_windows_backend_is_set_right_before_opencv_is_imported() -> None:
    code = (
        "import sys, os; from assistant import cli\n"
        "assert 'cv2' not in sys.modules\n"
        "cli.main(['solve', '--youth', 'Cornhill=church'])\n"
        "assert os.environ['OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS'] == '0'\n"
        "assert 'cv2' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    surroundings = {
        name: value for name, value in os.environ.items() if not name.startswith("OPENCV_")
    }
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=surroundings)
