"""What a player may have kept: small pictures of readings, the film of an evening."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.adapters.keeping import (
    FILM_FPS,
    LEAST_ROOM_BYTES,
    LONGEST_STILL_S,
    LOOKS_AFTER,
    FilmKeeper,
    PictureKeeper,
)
from assistant.adapters.keeping_words import megabytes
from assistant.core.events import Seq, SessionStarted
from assistant.core.state import fold
from assistant.core.terms import Content, Feature, Location
from assistant.data import load_board
from assistant.session import EventEntered, Frame, Notice, Reading, ReadingTaken, Sighted
from assistant.vision.sighting import Corners, Picture, Reason, Side, Sighting

EMPTY = fold(load_board(), [])
OPEN = SessionStarted()
GREEN, RED = (60, 160, 40), (40, 50, 200)


def even(colour: tuple[int, int, int], size: tuple[int, int] = (640, 480)) -> Picture:
    return np.full((size[1], size[0], 3), colour, np.uint8)


def sighted(picture: Picture, corners: Corners | None = None, time_s: float = 0.0) -> Sighted:
    sighting = (
        Sighting(reason=Reason.NO_KEY)
        if corners is None
        else Sighting(
            location=Location.CORNHILL, side=Side.BACK, corners=corners, reason=Reason.NO_CARD
        )
    )
    return Sighted(Frame(picture, 0, time_s), sighting)


def taken(seq: int) -> ReadingTaken:
    content = Content.icon(Feature.CHURCH)
    reading = Reading(1, Location.CORNHILL, content, 0.9, 0, Seq(seq))
    return ReadingTaken(reading, EMPTY, EMPTY)


# Small pictures.


def kept_picture(folder: Path, seq: int) -> Picture:
    seen = cv2.imread(str(folder / f"evening.pictures/{seq}.jpg"))
    assert seen is not None
    return np.asarray(seen, np.uint8)


def test_the_stack_that_was_read_is_kept_under_its_events_number(tmp_path: Path) -> None:
    keeper = PictureKeeper(tmp_path / "evening.jsonl", pytest.fail)
    picture = even(GREEN)
    # A red stack of 100 x 140 px; 0.15 of its height is left around it.
    picture[200:340, 300:400] = RED
    corners = ((300.0, 200.0), (400.0, 200.0), (400.0, 340.0), (300.0, 340.0))
    keeper.told(sighted(picture, corners))
    keeper.told(Notice("something else"))
    keeper.told(taken(7))
    seen = kept_picture(tmp_path, 7)
    assert seen.shape == (140 + 2 * 21, 100 + 2 * 21, 3)
    assert np.abs(seen[91, 71].astype(int) - RED).max() < 12
    assert np.abs(seen[8, 8].astype(int) - GREEN).max() < 12


def test_a_large_stack_is_made_small_and_one_at_the_edge_is_cut_there(tmp_path: Path) -> None:
    keeper = PictureKeeper(tmp_path / "evening.jsonl", pytest.fail)
    keeper.told(sighted(even(RED, (1280, 720)), ((-20.0, 10.0), (500, 10), (500, 730), (-20, 730))))
    keeper.told(taken(1))
    # Of 500 + 15 % of 720 px by 720 px.
    assert kept_picture(tmp_path, 1).shape == (360, 304, 3)


def test_without_corners_all_of_the_frame_is_kept(tmp_path: Path) -> None:
    keeper = PictureKeeper(tmp_path / "evening.jsonl", pytest.fail)
    keeper.told(sighted(even(RED)))
    keeper.told(taken(1))
    assert kept_picture(tmp_path, 1).shape == (270, 360, 3)


def test_every_reading_has_its_own_picture(tmp_path: Path) -> None:
    keeper = PictureKeeper(tmp_path / "evening.jsonl", pytest.fail)
    keeper.told(sighted(even(RED)))
    for seq in (3, 5):
        keeper.told(taken(seq))
    names = sorted(path.name for path in (tmp_path / "evening.pictures").iterdir())
    assert names == ["3.jpg", "5.jpg"]


def test_it_is_the_last_frame_that_is_kept(tmp_path: Path) -> None:
    keeper = PictureKeeper(tmp_path / "evening.jsonl", pytest.fail)
    keeper.told(sighted(even(RED)))
    keeper.told(sighted(even(GREEN)))
    keeper.told(taken(1))
    assert np.abs(kept_picture(tmp_path, 1)[100, 100].astype(int) - GREEN).max() < 12


def test_what_was_typed_before_any_frame_has_no_picture(tmp_path: Path) -> None:
    PictureKeeper(tmp_path / "evening.jsonl", pytest.fail).told(taken(1))
    assert list(tmp_path.iterdir()) == []


def test_where_pictures_cannot_be_written_it_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "evening.pictures").write_text("in the way")
    told: list[str] = []
    keeper = PictureKeeper(tmp_path / "evening.jsonl", told.append)
    keeper.told(sighted(even(RED)))
    for seq in (1, 2, 3):
        keeper.told(taken(seq))
    assert told == ["no more pictures of readings are kept (File exists)"]


# The film.


def film_of(path: Path) -> list[Picture]:
    film = cv2.VideoCapture(str(path))
    pictures = []
    while (read := film.read())[0]:
        pictures.append(np.asarray(read[1], np.uint8))
    film.release()
    return pictures


def is_green(picture: Picture) -> bool:
    _, green, red = picture[20:-20, 20:-20].reshape(-1, 3).mean(axis=0)
    return bool(green > red + 60)


def test_a_film_shows_each_frame_for_as_long_as_it_stood(tmp_path: Path) -> None:
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append)
    # Green for a second at 4 pictures a second, then red for half a second.
    for number in range(7):
        keeper.told(sighted(even(GREEN if number < 4 else RED), time_s=5 + number / 4))
    keeper.told(EventEntered(EMPTY))
    keeper.close()
    pictures = film_of(tmp_path / "evening.film.mkv")
    assert pictures[0].shape == (480, 640, 3)
    # The last frame stands for one picture; each of the others until the one after it.
    assert len(pictures) == round(1.5 * FILM_FPS) + 1
    greens = [is_green(picture) for picture in pictures]
    assert greens == sorted(greens, reverse=True)
    assert sum(greens) == FILM_FPS
    size = (tmp_path / "evening.film.mkv").stat().st_size
    assert keeper.size_bytes == size > 0
    assert told == [f"the film evening.film.mkv has {megabytes(size)}"]


def test_a_long_pause_is_cut_short(tmp_path: Path) -> None:
    keeper = FilmKeeper(tmp_path / "evening.jsonl", lambda _: None)
    for time_s in (0.0, 1.0, 601.0, 602.0):
        keeper.told(sighted(even(GREEN), time_s=time_s))
    keeper.close()
    length = 1 + (2.0 + LONGEST_STILL_S) * FILM_FPS
    assert len(film_of(keeper.path)) == pytest.approx(length, abs=1)


def test_frames_of_another_size_are_left_out(tmp_path: Path) -> None:
    keeper = FilmKeeper(tmp_path / "evening.jsonl", lambda _: None)
    keeper.told(sighted(even(GREEN), time_s=0.0))
    keeper.told(sighted(even(RED, (320, 240)), time_s=0.5))
    keeper.told(sighted(even(GREEN), time_s=1.0))
    keeper.close()
    pictures = film_of(keeper.path)
    assert len(pictures) == round(FILM_FPS) + 1
    assert all(is_green(picture) for picture in pictures)


def test_a_long_time_in_another_size_is_told_once_and_cut_short(tmp_path: Path) -> None:
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append)
    keeper.told(sighted(even(GREEN), time_s=0.0))
    for number in range(1, 4):
        keeper.told(sighted(even(RED, (320, 240)), time_s=number * 1.5))
    keeper.told(sighted(even(GREEN), time_s=600.0))
    keeper.close()
    pictures = film_of(keeper.path)
    assert len(pictures) == pytest.approx(1 + LONGEST_STILL_S * FILM_FPS, abs=1)
    assert told[:-1] == [
        "the film leaves out what the camera shows in 320x240: it began in 640x480"
    ]


def test_the_film_of_an_earlier_evening_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "evening.film.mkv").write_text("first")
    (tmp_path / "evening.film-2.mkv").write_text("second")
    keeper = FilmKeeper(tmp_path / "evening.jsonl", lambda _: None)
    keeper.told(sighted(even(GREEN)))
    keeper.close()
    assert keeper.path.name == "evening.film-3.mkv"
    assert len(film_of(keeper.path)) == 1
    assert (tmp_path / "evening.film.mkv").read_text() == "first"


def test_an_evening_without_a_frame_makes_no_film(tmp_path: Path) -> None:
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append)
    keeper.close()
    assert list(tmp_path.iterdir()) == []
    assert told == ["the film evening.film.mkv has 0 kB"]


def test_a_film_that_cannot_be_written_is_told_and_costs_nothing_else(tmp_path: Path) -> None:
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "nowhere" / "evening.jsonl", told.append)
    for number in range(4):
        keeper.told(sighted(even(GREEN), time_s=number / 10))
    keeper.close()
    assert len(told) == 2
    assert "the camera is not recorded" in told[0]


class Disk:
    """Stands in for OpenCV's writer: a disk that takes frames as the test wants."""

    fourcc = staticmethod(cv2.VideoWriter.fourcc)

    def __init__(self, path: str, *_: object) -> None:
        self.path = Path(path)
        self.path.touch()

    def isOpened(self) -> bool:  # noqa: N802 - as OpenCV has it
        return True

    def write(self, _: Picture) -> None: ...

    def release(self) -> None: ...


def test_a_disk_that_does_not_keep_up_costs_frames_and_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_slow, may_go_on = threading.Event(), threading.Event()

    class SlowDisk(Disk):
        def __init__(self, path: str, *_: object) -> None:
            super().__init__(path)
            is_slow.set()
            assert may_go_on.wait(30)

    monkeypatch.setattr(cv2, "VideoWriter", SlowDisk)
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append)
    keeper.told(sighted(even(GREEN)))
    assert is_slow.wait(30)
    # Eight wait; three find no room.
    for number in range(11):
        keeper.told(sighted(even(GREEN), time_s=number / 30))
    assert keeper.left_out == 3
    may_go_on.set()
    keeper.close()
    assert told == ["the film evening.film.mkv has 0 kB; 3 frames are left out"]


def test_a_disk_that_hangs_does_not_hold_up_the_end_of_the_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_hanging, may_go_on = threading.Event(), threading.Event()

    class HangingDisk(Disk):
        def write(self, _: Picture) -> None:
            is_hanging.set()
            assert may_go_on.wait(60)

    monkeypatch.setattr(cv2, "VideoWriter", HangingDisk)
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append, closes_within_s=0.2)
    keeper.told(sighted(even(GREEN)))
    assert is_hanging.wait(30)
    for number in range(20):
        keeper.told(sighted(even(GREEN), time_s=number / 30))
    closing = threading.Thread(target=keeper.close, daemon=True)
    closing.start()
    closing.join(30)
    assert not closing.is_alive()
    may_go_on.set()
    assert told == ["the film evening.film.mkv is not finished: the disk does not answer"]


def told_of(keeper: FilmKeeper, told: list[str], frames: int, size: tuple[int, int]) -> list[str]:
    """Give a keeper so many frames, none too fast for it; close it; return what it told."""
    picture = even(GREEN, size)
    for number in range(frames):
        # As a session would that waits for the disk: each frame finds room.
        keeper._frames.put(Frame(picture, number, number / FILM_FPS), timeout=30)
    closing = threading.Thread(target=keeper.close, daemon=True)
    closing.start()
    closing.join(30)
    assert not closing.is_alive()
    return told


def test_a_fault_while_recording_is_told_and_the_evening_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class BrokenDisk(Disk):
        def write(self, _: Picture) -> None:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(cv2, "VideoWriter", BrokenDisk)
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append)
    assert told_of(keeper, told, 30, (64, 48)) == [
        "the camera is recorded no longer (Input/output error)",
        "the film evening.film.mkv has 0 kB",
    ]
    assert keeper.left_out == 0


def test_a_fault_while_the_evening_ends_does_not_hold_up_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_writing, may_fail = threading.Event(), threading.Event()

    class BreakingDisk(Disk):
        def write(self, _: Picture) -> None:
            is_writing.set()
            assert may_fail.wait(30)
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(cv2, "VideoWriter", BreakingDisk)
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append, closes_within_s=60.0)
    keeper.told(sighted(even(GREEN)))
    assert is_writing.wait(30)
    while not keeper.left_out:
        keeper.told(sighted(even(GREEN)))
    put = keeper._frames.put

    def fails_as_it_closes(frame: Frame | None, timeout: float) -> None:
        may_fail.set()
        put(frame, timeout=timeout)

    monkeypatch.setattr(keeper._frames, "put", fails_as_it_closes)
    closing = threading.Thread(target=keeper.close, daemon=True)
    closing.start()
    closing.join(10)
    assert not closing.is_alive()
    assert told[0] == "the camera is recorded no longer (Input/output error)"
    assert told[1].startswith("the film evening.film.mkv has 0 kB")


def test_a_disk_with_little_room_is_left_to_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = shutil.disk_usage(tmp_path)._replace(free=LEAST_ROOM_BYTES - 1)
    monkeypatch.setattr("assistant.adapters.keeping.shutil.disk_usage", lambda _: free)
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append)
    no_room, size = told_of(keeper, told, 2 * LOOKS_AFTER, (64, 48))
    assert no_room == "the camera is recorded no longer: there is no room on the disk"
    # What was written before can be watched.
    assert size == f"the film evening.film.mkv has {megabytes(keeper.size_bytes)}"
    assert len(film_of(keeper.path)) == LOOKS_AFTER


@pytest.mark.parametrize("is_full", [True, False])
def test_a_film_that_grows_no_longer_has_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    class SilentDisk(Disk):
        """Takes every frame without a word; grows every 200 frames, or after the first no more."""

        frames = 0

        def write(self, _: Picture) -> None:
            if self.frames % 200 == 0 and not (is_full and self.frames):
                with self.path.open("ab") as film:
                    film.write(bytes(256_000))
            self.frames += 1

    monkeypatch.setattr(cv2, "VideoWriter", SilentDisk)
    told: list[str] = []
    keeper = FilmKeeper(tmp_path / "evening.jsonl", told.append)
    told_of(keeper, told, 800, (1280, 720))
    assert [line for line in told if "no room" in line] == (
        ["the camera is recorded no longer: there is no room on the disk"] if is_full else []
    )


# Sizes in words.


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 kB"),
        (1, "1 kB"),
        (1000, "1 kB"),
        (1001, "2 kB"),
        (999_999, "1000 kB"),
        (1_000_000, "1.0 MB"),
        (3_440_000, "3.4 MB"),
        (9_990_000, "10.0 MB"),
        (10_000_000, "10 MB"),
        (312_400_000, "312 MB"),
    ],
)
def test_a_size_is_told_as_a_player_would(size: int, words: str) -> None:
    assert megabytes(size) == words
