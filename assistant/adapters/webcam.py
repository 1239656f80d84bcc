"""A live camera that never makes anybody wait.

One thread owns the device: it opens it (which takes 20 s on some Windows machines), sets it up,
grabs, and keeps the newest frame only. Readers wait for a frame at most as long as they say. What
cameras are known to do, and what is done about it (field reports 1 to 11):

* opening takes 20 s, opening hangs, or reading hangs for 10 s: only the owning thread hangs; it is
  a daemon and is never joined without a limit. That it is not open yet is told after FIRST_FRAME_S
  and no loss; it is one after OPENS_WITHIN_S;
* opened, but never a frame (another program holds it): told FIRST_FRAME_S after opening;
* unplugged, yet read() goes on giving the last frame: frames equal to the last byte for FROZEN_S
  are no frames (a living sensor's noise never repeats);
* gone: told once, then opened anew every RETRY_S until it is back: where the system knows it by its
  own name under that alone, so that no other camera is taken for it; else by its number and the
  next ones, for it may come back under another;
* 5 frames a second: MJPG is asked for before the size and the size before the rate, set() is not
  believed, and the rate is measured;
* the first frames are black while the exposure settles: they are left out (at most SETTLE_S).

States: opening -> settling -> running -> lost -> settling -> running ...; a camera that is opened
anew stays lost until it gives a picture, one that cannot be opened goes from opening to lost;
closed ends it from any state.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from assistant.adapters.clock import running_s
from assistant.adapters.exposure import SETTLE_S, Exposure
from assistant.core.errors import CameraLostError
from assistant.session import Frame
from assistant.vision.sighting import Picture
from assistant.workers import Latest

#: Opening takes this long on the slowest machines known.
OPENS_WITHIN_S = 25.0
FIRST_FRAME_S = 3.0
FROZEN_S = 1.5
RETRY_S = 1.0

#: Where Linux keeps a link to each camera by the camera's own name.
LINKS_BY_NAME = Path("/dev/v4l/by-id")

#: What drivers, their bindings and the folder of links are known to raise (a circle of links is a
#: RuntimeError); each is one more way to give nothing, and no end of the owning thread.
_FAULTS = (cv2.error, OSError, RuntimeError)


class Capture(Protocol):
    """What is used of cv2.VideoCapture (tests give a scripted one)."""

    def isOpened(self) -> bool: ...  # noqa: N802, D102
    def read(self) -> tuple[bool, Picture | None]: ...  # noqa: D102
    def get(self, prop: int) -> float: ...  # noqa: D102
    def set(self, prop: int, value: float) -> bool: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


class CameraState(Enum):
    """Where the device stands."""

    OPENING = "opening"
    SETTLING = "settling"
    RUNNING = "running"
    LOST = "lost"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """What the camera gives, measured: size in px and frames a second (0 before the second)."""

    width_px: int
    height_px: int
    fps: float


def open_capture(device: int | str) -> Capture:
    """Return OpenCV's capture of a camera number, device path, or stream URL."""
    if isinstance(device, str):
        return _typed(cv2.VideoCapture(device))
    backend = {"win32": cv2.CAP_DSHOW, "linux": cv2.CAP_V4L2}.get(sys.platform, cv2.CAP_ANY)
    return _typed(cv2.VideoCapture(device, backend))


def _typed(capture: object) -> Capture:
    return capture  # type: ignore[return-value]  # OpenCV's stubs are wider than what it does


class Webcam:
    """A live camera as a source of frames. `read` and `close` from any thread."""

    def __init__(
        self,
        device: int | str,
        *,
        size_px: tuple[int, int] = (1280, 720),
        opener: Callable[[int | str], Capture] = open_capture,
        clock: Callable[[], float] = running_s,
        opens_within_s: float = OPENS_WITHIN_S,
        first_frame_s: float = FIRST_FRAME_S,
        retry_s: float = RETRY_S,
        links: Path = LINKS_BY_NAME,
    ) -> None:
        """Start opening the device; returns at once, whatever the device does.

        Args:
            device: a camera number, a device path, or a stream URL.
            size_px: the (width, height) asked for; the camera may give another.
            opener: opens a device (tests give their own).
            clock: running seconds (tests give their own).
            opens_within_s: how long opening may take before the camera counts as lost.
            first_frame_s: how long the first frame may take after opening; after so long it is
                told that the camera is not open yet.
            retry_s: how long to wait between two tries to open a lost camera.
            links: the folder of links by the cameras' own names, where there is one.
        """
        self._device, self._size_px, self._opener, self._clock = device, size_px, opener, clock
        self._opens_within_s, self._first_frame_s = opens_within_s, first_frame_s
        self._retry_s, self._links = retry_s, links
        self._slot: Latest[Frame] = Latest()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._state = CameraState.OPENING
        self._since_s = clock()
        self._told_loss = self._told_slow = False
        self._loss = ""
        self._times_s: deque[float] = deque(maxlen=31)
        self._shape_px = (0, 0)
        self._index = 0
        self._link: Path | None = None
        self._was_opened = False
        self._thread = threading.Thread(target=self._own, name=f"camera {device}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> CameraState:
        """Where the device stands."""
        with self._lock:
            return self._state

    @property
    def figures(self) -> CameraFigures:
        """The size and the measured rate."""
        with self._lock:
            times = tuple(self._times_s)
            width, height = self._shape_px
        spent = times[-1] - times[0] if len(times) > 1 else 0.0
        return CameraFigures(width, height, (len(times) - 1) / spent if spent > 0 else 0.0)

    def read(self, timeout_s: float) -> Frame | None:
        """Return the newest frame not yet taken, waiting for one at most `timeout_s`.

        Raises:
            CameraLostError: once per loss, and once when opening takes long (the state is OPENING
                then, and no loss yet); read on, the camera may come.
        """
        frame = self._slot.take(timeout_s)
        if frame is not None:
            return frame
        with self._lock:
            self._watch()
            if self._state is CameraState.LOST and not self._told_loss:
                self._told_loss = True
                raise CameraLostError(self._loss)
        return None

    def close(self) -> None:
        """Let the device go; returns within half a second even when the driver hangs."""
        self._stopping.set()
        self._slot.close()
        with self._lock:
            self._state = CameraState.CLOSED
        if self._thread is not threading.current_thread():
            self._thread.join(0.5)

    # --- by the reading thread, under the lock -------------------------------------------------

    def _watch(self) -> None:
        """Call a camera lost that hangs where its own thread cannot say so.

        Raises:
            CameraLostError: it is not lost, but takes long to open.
        """
        silent_s = self._clock() - self._since_s
        if self._state is CameraState.OPENING and not self._was_opened:
            if silent_s > self._opens_within_s:
                self._lose(self._no_frame_words())
            elif silent_s > self._first_frame_s and not self._told_slow:
                self._told_slow = True
                raise CameraLostError(
                    f"the camera {self._device} gives no picture yet; some take 20 s to open"
                )
        elif self._state in (CameraState.OPENING, CameraState.SETTLING, CameraState.RUNNING):
            limit_s = self._first_frame_s if self._index == 0 else FROZEN_S
            if silent_s > limit_s and not self._loss:
                self._lose(self._no_frame_words())

    def _no_frame_words(self) -> str:
        if self._index:
            return f"the camera {self._device} gives no new picture; is it still plugged in?"
        return (
            f"the camera {self._device} gives no picture; does another program use it? "
            "(bystander doctor lists the cameras)"
        )

    def _lose(self, words: str) -> None:
        if not self._stopping.is_set():
            self._state, self._loss = CameraState.LOST, words

    # --- by the owning thread ------------------------------------------------------------------

    def _own(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(*_FAULTS):
                for device in self._places_to_look():
                    self._use(device)
                    if self._stopping.is_set():
                        return
            with self._lock:
                if not self._loss:
                    self._lose(
                        f"the camera {self._device} cannot be opened; is it plugged in, and may "
                        "this program use it? (bystander doctor lists the cameras)"
                    )
            self._stopping.wait(self._retry_s)

    def _use(self, device: int | str) -> None:
        """Open a device and grab from it until it is lost, or not at all where it cannot open."""
        with contextlib.suppress(*_FAULTS):
            capture = self._opener(device)
            try:
                if capture.isOpened() and not self._stopping.is_set():
                    if self._link is None:
                        self._link = _link_by_name(device, self._links)
                    self._set_up(capture)
                    self._grab_until_lost(capture)
            finally:
                capture.release()

    def _places_to_look(self) -> list[int | str]:
        """Return where the camera may be: where it was; after a loss where it may have come back.

        Linux keeps a link by the camera's own name, and takes it away with the camera: as long as
        it is gone there is nowhere to look, for another camera may have got the number. Without
        one, a camera that is plugged in again while its number is still held gets a higher one.
        """
        if self._index == 0:
            return [self._device]
        if self._link is not None:
            return [str(self._link.resolve())] if self._link.is_symlink() else []
        if isinstance(self._device, str):
            return [self._device]
        return [self._device, self._device + 1, self._device + 2]

    def _set_up(self, capture: Capture) -> None:
        width, height = self._size_px
        if isinstance(self._device, int) or self._device.startswith("/dev/"):
            # The order matters: a size set first pins raw pictures, at 5 to 10 a second.
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            capture.set(cv2.CAP_PROP_FPS, 30)
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        with self._lock:
            self._was_opened, self._since_s = True, self._clock()
            self._times_s.clear()

    def _grab_until_lost(self, capture: Capture) -> None:
        last: Picture | None = None
        settling = Exposure(self._clock())
        began_s = alive_s = self._clock()
        while not self._stopping.is_set():
            good, picture = capture.read()
            now_s = self._clock()
            if good and picture is not None and not _equal(picture, last):
                last, alive_s = picture, now_s
                self._take(picture, now_s, settling)
                continue
            waited_s = now_s - (began_s if last is None else alive_s)
            if waited_s > (self._first_frame_s if last is None else FROZEN_S):
                with self._lock:
                    self._lose(self._no_frame_words())
                return
            if not good:
                self._stopping.wait(0.01)

    def _take(self, picture: Picture, now_s: float, settling: Exposure) -> None:
        with self._lock:
            if self._stopping.is_set():
                # Closed while the driver was reading; closed it stays.
                return
            self._since_s = now_s
            self._times_s.append(now_s)
            self._shape_px = (picture.shape[1], picture.shape[0])
            if not settling.is_over(picture, now_s):
                self._state = CameraState.SETTLING
                return
            self._state, self._told_loss, self._loss = CameraState.RUNNING, False, ""
            index, self._index = self._index, self._index + 1
        self._slot.put(Frame(picture, index, now_s))


def _link_by_name(device: int | str, links: Path) -> Path | None:
    """Return the link that Linux keeps to a camera by its own name, where there is one."""
    node = Path(f"/dev/video{device}" if isinstance(device, int) else device)
    if not str(node).startswith("/dev/") or not links.is_dir():
        return None
    node = node.resolve()
    return next((link for link in sorted(links.iterdir()) if link.resolve() == node), None)


def _equal(picture: Picture, last: Picture | None) -> bool:
    """Whether two frames are the same to the last byte; cheap where they differ."""
    if last is None or picture.shape != last.shape:
        return False
    return np.array_equal(picture[::32], last[::32]) and np.array_equal(picture, last)


def try_camera(
    device: int | str,
    limit_s: float = FIRST_FRAME_S,
    *,
    opener: Callable[[int | str], Capture] = open_capture,
    clock: Callable[[], float] = running_s,
) -> tuple[str, bool]:
    """Return what a camera gives in its first second, in words, and whether it gives anything.

    Waits for a camera that takes long to open; returns at once where it cannot be opened.

    Args:
        device: a camera number, a device path, or a stream URL.
        limit_s: how long the first frame may take after opening.
        opener: opens a device (tests give their own).
        clock: running seconds (tests give their own).
    """
    camera = Webcam(device, opener=opener, clock=clock, first_frame_s=limit_s)
    first_s: float | None = None
    try:
        # Ends by a picture or by a loss; a bound all the same, for whatever a driver may do.
        ends_s = clock() + OPENS_WITHIN_S + limit_s + SETTLE_S + 2.0
        while clock() < ends_s:
            try:
                frame = camera.read(0.2)
            except CameraLostError as error:
                if camera.state is not CameraState.OPENING:
                    return str(error), False
                frame = None
            if frame is not None and first_s is None:
                first_s = clock()
            figures = camera.figures
            if figures.fps and first_s is not None and clock() - first_s > 1.0:
                size = f"{figures.width_px}x{figures.height_px}"
                return f"{size}, {figures.fps:.0f} a second", True
    finally:
        camera.close()
    return "no picture", False
