"""Films: a video file, or a folder of pictures as 30 pictures a second. They never wait."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2

from assistant.adapters.pictures import open_picture, pictures_in
from assistant.core.errors import DamagedError, MissingError
from assistant.session import Frame
from assistant.vision.sighting import Picture

#: Endings of the files that are opened as films.
FILM_ENDINGS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".m4v", ".mpg", ".mpeg"})

#: A folder's pictures are taken as so many a second; so are films that do not say.
FOLDER_FPS = 30.0

#: Twice as wide as any camera that films a table; a file may claim far more, and take all memory.
MOST_SIDE_PX = 8192


class FilmFile:
    """A video file, read frame by frame as fast as it is asked for. `close` from any thread.

    OpenCV ends the whole program when a film is let go while a frame of it is being decoded. So
    whoever is the last to use it lets it go: the one who closes, or the reader after its frame.
    """

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            MissingError: there is no such file.
            DamagedError: it is no video that OpenCV can open, has no frame, or too large ones.
        """
        if not path.is_file():
            raise MissingError(f"{path}: No such file")
        self._in_use = threading.Lock()
        self._is_closed = False
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        width = int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH))
        height = int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if max(width, height) > MOST_SIDE_PX:
            self._capture.release()
            raise DamagedError(
                f"{path}: the film's pictures are too large ({width}x{height}); scale it down"
            )
        self._next: Picture | None = self._grab() if self._capture.isOpened() else None
        if self._next is None:
            self.close()
            raise DamagedError(f"{path}: this file is no video that can be opened")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._fps = fps if 0 < fps <= 1000 else FOLDER_FPS
        self._index = 0

    def read(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - a film never waits
        """Return the next frame; None when the film is over, or closed."""
        with self._in_use:
            frame = None
            if self._next is not None and not self._is_closed:
                frame = Frame(self._next, self._index, self._index / self._fps)
                self._index += 1
                self._next = self._grab()
        if self._is_closed:
            self._let_go()
            return None
        return frame

    def close(self) -> None:
        """Close the file; waits for no frame that another thread is reading."""
        self._is_closed = True
        self._let_go()

    def _let_go(self) -> None:
        """Let the film go unless a frame is being read: its reader does so afterwards."""
        if self._in_use.acquire(blocking=False):
            try:
                self._next = None
                self._capture.release()
            finally:
                self._in_use.release()

    def _grab(self) -> Picture | None:
        good, picture = self._capture.read()
        return picture.astype("uint8", copy=False) if good and picture is not None else None


class FolderFilm:
    """A folder of pictures, by name, as 30 a second. A picture that cannot be read is left out.

    `close` from any thread.
    """

    def __init__(self, folder: Path) -> None:
        """List the folder.

        Raises:
            MissingError: there is no such folder.
            DamagedError: no picture in it.
        """
        self._paths = pictures_in(folder)
        self._index = 0
        self._is_closed = False

    def read(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - a film never waits
        """Return the next picture that can be read; None when the folder is through.

        Numbers and times go by the place in the folder, so one torn file does not move the rest.
        """
        while self._index < len(self._paths) and not self._is_closed:
            index = self._index
            self._index += 1
            try:
                picture = open_picture(self._paths[index]).picture
            except MissingError:
                continue
            return Frame(picture, index, index / FOLDER_FPS)
        return None

    def close(self) -> None:
        """Forget the rest."""
        self._is_closed = True


def is_film(path: Path) -> bool:
    """Return whether the name says that the file is a video."""
    return path.suffix.lower() in FILM_ENDINGS
