"""What a player may have kept beside the log: small pictures of readings, and the camera's film.

Both are off unless asked for. Both listen to the session; neither may cost it anything but a line
of notice when the disk has no room.
"""

from __future__ import annotations

import contextlib
import queue
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from assistant.adapters.clock import running_s
from assistant.adapters.keeping_words import megabytes
from assistant.adapters.session_files import film_file, pictures_folder
from assistant.session import Frame, News, ReadingTaken, Sighted
from assistant.vision.sighting import Picture
from assistant.workers import fault_of

#: The longer side of a kept picture, px: enough to see what the hole showed.
PICTURE_PX = 360

#: Frames a second of a kept film: half of a camera's, for half of the room on disk (some 70 MB a
#: minute at 720p and much noise). A live frame stands until the next one came.
FILM_FPS = 15.0

#: A frame never stands longer than this in a film, s: nobody wants to watch a pause.
LONGEST_STILL_S = 2.0

#: With less room than this the film ends, bytes: the log needs some for the rest of the evening.
LEAST_ROOM_BYTES = 20_000_000

#: Frames after which the room and the film's size are looked at: 5 s.
LOOKS_AFTER = 75

#: A film that did not grow while frames of so many px in all were written cannot be written any
#: more: OpenCV does not say so. It is written 256 kB at once; an even grey, which needs the least,
#: takes 1.8e8 px for that at 640x360, 2.0e8 at 1280x720.
GROWS_WITHIN_PX = 4e8

#: How long closing waits for a disk that does not answer.
CLOSES_WITHIN_S = 10.0


class PictureKeeper:
    """Keeps a picture of each stack that was read, under the number of its event."""

    def __init__(self, log: Path, notice: Callable[[str], None]) -> None:
        """Keep the pictures of a log's session."""
        self._folder = pictures_folder(log)
        self._notice = notice
        self._last: Sighted | None = None
        self._has_failed = False

    def told(self, news: News) -> None:
        """Remember the frame; on a reading write what was seen."""
        if isinstance(news, Sighted):
            self._last = news
        elif isinstance(news, ReadingTaken) and self._last is not None and not self._has_failed:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                quality = [cv2.IMWRITE_JPEG_QUALITY, 80]
                good, data = cv2.imencode(".jpg", _stack_of(self._last), quality)
                if good:
                    (self._folder / f"{news.reading.seq}.jpg").write_bytes(data.tobytes())
            except OSError as error:
                self._has_failed = True
                self._notice(f"no more pictures of readings are kept ({error.strerror})")


def _stack_of(news: Sighted) -> Picture:
    """Return the part of the frame that holds the stack, with some table around it, made small."""
    picture, corners = news.frame.picture, news.sighting.corners
    if corners is not None:
        points = np.array(corners)
        margin = 0.15 * float(np.ptp(points, axis=0).max())
        left, top = np.maximum(points.min(axis=0) - margin, 0).astype(int)
        right, bottom = (points.max(axis=0) + margin).astype(int)
        picture = picture[top:bottom, left:right]
    scale = PICTURE_PX / max(picture.shape[:2])
    if scale >= 1:
        return picture
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype("uint8", copy=False)


class FilmKeeper:
    """Records the frames that the session sees, in a thread of its own.

    Matroska, because what is there of it can be watched after the program was killed. When the
    disk or the machine does not keep up frames are left out; the session never waits. When nothing
    can be written any more the film ends with a notice, and the evening goes on.
    """

    def __init__(
        self,
        log: Path,
        notice: Callable[[str], None],
        *,
        closes_within_s: float = CLOSES_WITHIN_S,
    ) -> None:
        """Stand by; the film begins with the first frame."""
        self.path = _free_film(film_file(log))
        self.left_out = 0
        self._notice, self._closes_within_s = notice, closes_within_s
        self._has_ended = self._is_last = False
        self._frames: queue.Queue[Frame | None] = queue.Queue(maxsize=8)
        self._thread = threading.Thread(target=self._work, name="film", daemon=True)
        self._thread.start()

    @property
    def size_bytes(self) -> int:
        """How large the film is so far."""
        return self.path.stat().st_size if self.path.exists() else 0

    def told(self, news: News) -> None:
        """Take a frame that the session saw."""
        if isinstance(news, Sighted) and not self._has_ended:
            try:
                self._frames.put_nowait(news.frame)
            except queue.Full:
                self.left_out += 1

    def close(self) -> None:
        """Write what is under way, and tell how large the film is; waits for no hanging disk."""
        until_s = running_s() + self._closes_within_s
        with contextlib.suppress(queue.Full):
            self._frames.put(None, timeout=self._closes_within_s)
        self._thread.join(max(0.0, until_s - running_s()))
        if self._thread.is_alive():
            self._notice(f"the film {self.path.name} is not finished: the disk does not answer")
            return
        left_out = f"; {self.left_out} frames are left out" if self.left_out else ""
        self._notice(f"the film {self.path.name} has {megabytes(self.size_bytes)}{left_out}")

    def _work(self) -> None:
        fault = fault_of(self._record)
        if fault is not None:
            why = isinstance(fault, OSError) and fault.strerror
            self._end(f"the camera is recorded no longer ({why or fault})")
        while not self._is_last:
            # Whoever closes must not find the queue full.
            self._next()

    def _next(self) -> Frame | None:
        """Return the next frame, waiting for it; None after the last, when the film is closed."""
        frame = self._frames.get()
        self._is_last = frame is None
        return frame

    def _end(self, words: str) -> None:
        self._has_ended = True
        self._notice(words)

    def _record(self) -> None:
        """Write frames until there are no more, or no more can be written.

        Raises:
            OSError: the film's folder is gone.
        """
        writer: cv2.VideoWriter | None = None
        size, began_s, written = (0, 0), 0.0, 0
        has_told_size = False
        last: Frame | None = None
        shown: Picture | None = None
        growth = _Growth(self.path)
        try:
            while (frame := self._next()) is not None:
                high, wide = frame.picture.shape[:2]
                if writer is None:
                    size, began_s = (wide, high), frame.time_s
                    writer = cv2.VideoWriter(
                        str(self.path), cv2.VideoWriter.fourcc(*"mp4v"), FILM_FPS, size
                    )
                    if not writer.isOpened():
                        self._end(f"the camera is not recorded: {self.path} cannot be written")
                        return
                if (wide, high) != size:
                    # `last` stays: once the size is back, this time counts as a pause.
                    if not has_told_size:
                        self._notice(
                            f"the film leaves out what the camera shows in {wide}x{high}: it began"
                            f" in {size[0]}x{size[1]}"
                        )
                    has_told_size = True
                    continue
                if last is not None and frame.time_s - last.time_s > LONGEST_STILL_S:
                    began_s += frame.time_s - last.time_s - LONGEST_STILL_S
                due = round((frame.time_s - began_s) * FILM_FPS) + 1
                if due > written:
                    for _ in range(due - written - 1):
                        writer.write(frame.picture if shown is None else shown)
                    writer.write(frame.picture)
                    growth.add(due - written, wide * high)
                    shown, written = frame.picture, due
                last = frame
                if growth.has_stopped():
                    self._end("the camera is recorded no longer: there is no room on the disk")
                    return
        finally:
            if writer is not None:
                writer.release()


class _Growth:
    """Tells from the disk and a film's file that no more can be written; OpenCV says nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._frames, self._px = 0, 0
        self._size_bytes = 0

    def add(self, frames: int, px: int) -> None:
        """Note that frames of so many px each were given to the film."""
        self._frames += frames
        self._px += frames * px

    def has_stopped(self) -> bool:
        """Return whether no more can be written; looks after every LOOKS_AFTER frames.

        Raises:
            OSError: the film's folder is gone.
        """
        if self._frames < LOOKS_AFTER:
            return False
        self._frames = 0
        if shutil.disk_usage(self._path.parent).free < LEAST_ROOM_BYTES:
            return True
        size = self._path.stat().st_size
        if size > self._size_bytes:
            self._size_bytes, self._px = size, 0
        return self._px > GROWS_WITHIN_PX


def _free_film(path: Path) -> Path:
    """Return the path, or a twin where a film of an earlier evening of this session is there."""
    free, twin = path, 2
    while free.exists():
        free, twin = path.with_name(path.name.replace(".film.", f".film-{twin}.")), twin + 1
    return free
