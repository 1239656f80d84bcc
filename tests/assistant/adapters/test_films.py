"""Films from files and folders: every frame once, in order, with a film's own time."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from assistant.adapters.films import FilmFile, FolderFilm
from assistant.adapters.sources import open_source
from assistant.core.errors import DamagedError, MissingError
from assistant.session import CameraSource, Frame
from assistant.vision.sighting import Picture


def frames_of(source: CameraSource) -> list[Frame]:
    found = []
    while (frame := source.read(0.0)) is not None:
        found.append(frame)
    source.close()
    return found


def grey(level: int) -> Image.Image:
    return Image.new("RGB", (64, 48), (level, level, level))


def write_film(path: Path, levels: list[int], fps: float) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    assert writer.isOpened()
    for level in levels:
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()


def test_a_film_gives_every_frame_in_order_at_its_own_rate(tmp_path: Path) -> None:
    levels = [10, 60, 110, 160, 210]
    write_film(tmp_path / "a.avi", levels, fps=10)
    frames = frames_of(FilmFile(tmp_path / "a.avi"))
    assert [frame.index for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert [float(frame.picture.mean()) for frame in frames] == pytest.approx(levels, abs=3)


class SlowDecoder:
    """A film whose decoder, after the first frame, takes as long as the test wants."""

    def __init__(self, *_: object) -> None:
        self.is_decoding, self.may_go_on = threading.Event(), threading.Event()
        self.frames, self.released, self.released_while_decoding = 0, 0, False
        self._is_busy = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def get(self, prop: int) -> float:
        return {cv2.CAP_PROP_FPS: 30.0}.get(prop, 64.0)

    def read(self) -> tuple[bool, Picture]:
        if self.frames:
            self._is_busy = True
            self.is_decoding.set()
            assert self.may_go_on.wait(30)
            self._is_busy = False
        self.frames += 1
        return True, np.zeros((48, 64, 3), np.uint8)

    def release(self) -> None:
        self.released += 1
        self.released_while_decoding |= self._is_busy


def test_a_film_closed_while_another_thread_decodes_is_let_go_after_that_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoder = SlowDecoder()
    monkeypatch.setattr("assistant.adapters.films.cv2.VideoCapture", lambda *_: decoder)
    (tmp_path / "a.mp4").touch()
    film = FilmFile(tmp_path / "a.mp4")
    seen: list[Frame | None] = []
    reader = threading.Thread(target=lambda: seen.append(film.read(0.2)), daemon=True)
    reader.start()
    assert decoder.is_decoding.wait(30)
    film.close()
    assert decoder.released == 0
    decoder.may_go_on.set()
    reader.join(30)
    assert decoder.released == 1
    assert not decoder.released_while_decoding
    assert seen == [None]
    assert film.read(0.2) is None
    assert decoder.frames == 2


def test_a_folder_closed_in_the_midst_gives_no_further_picture(tmp_path: Path) -> None:
    for name in ("01.png", "02.png"):
        grey(10).save(tmp_path / name)
    film = FolderFilm(tmp_path)
    assert film.read(0.0) is not None
    film.close()
    assert film.read(0.0) is None


def test_a_folder_is_a_film_of_thirty_pictures_a_second_by_name(tmp_path: Path) -> None:
    for name, level in (("02.png", 20), ("01.png", 10), ("03.png", 30)):
        grey(level).save(tmp_path / name)
    frames = frames_of(FolderFilm(tmp_path))
    assert [int(frame.picture[0, 0, 0]) for frame in frames] == [10, 20, 30]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 1 / 30, 2 / 30])


def test_a_torn_picture_in_a_folder_leaves_the_others_at_their_places(tmp_path: Path) -> None:
    grey(10).save(tmp_path / "01.png")
    (tmp_path / "02.png").write_text("torn")
    grey(30).save(tmp_path / "03.png")
    frames = frames_of(FolderFilm(tmp_path))
    assert [frame.index for frame in frames] == [0, 2]


@pytest.mark.parametrize("data", [b"", b"no film at all" * 100])
def test_a_file_that_is_no_film_is_damaged(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.mp4").write_bytes(data)
    with pytest.raises(DamagedError, match="no video"):
        FilmFile(tmp_path / "a.mp4")


def test_a_film_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        FilmFile(tmp_path / "a.mp4")


def test_sources_are_told_apart_by_what_is_there(tmp_path: Path) -> None:
    grey(10).save(tmp_path / "01.png")
    write_film(tmp_path / "a.avi", [10], fps=30)
    assert isinstance(open_source(str(tmp_path)), FolderFilm)
    assert isinstance(open_source(str(tmp_path / "a.avi")), FilmFile)


@pytest.mark.parametrize(("width", "is_read"), [(8192, True), (8208, False)])
def test_a_film_of_pictures_far_too_large_is_refused_before_one_is_decoded(
    tmp_path: Path, width: int, is_read: bool
) -> None:
    path = tmp_path / "wide.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (width, 16))
    film.write(np.zeros((16, width, 3), np.uint8))
    film.release()
    if not is_read:
        with pytest.raises(DamagedError, match="too large"):
            FilmFile(path)
        return
    opened = FilmFile(path)
    assert opened.read(0.0) is not None
    opened.close()
