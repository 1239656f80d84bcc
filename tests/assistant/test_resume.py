"""A session that is resumed stands exactly as it stood; what is kept beside its log."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.adapters.films import FilmFile
from assistant.adapters.keeping import FilmKeeper, PictureKeeper
from assistant.adapters.log_file import LogFile
from assistant.adapters.session_files import film_file, pictures_folder
from assistant.app import Keeping, recorded_session
from assistant.commands.play_state import told
from assistant.core.errors import SessionBusyError
from assistant.core.events import Seq, SessionStarted
from assistant.core.terms import Content, Location
from assistant.data import load_board
from assistant.journal import decode
from assistant.session import Frame, News, Notice, Reading, ReadingTaken, Session, Sighted
from assistant.vision.sighting import Picture, Reason, Side, Sighting
from tests.assistant.journal.whole_game import whole_game

GAME = whole_game(13, 24)


class Blind:
    """Sees nothing, ever."""

    def look(self, picture: Picture) -> Sighting:
        return Sighting(reason=Reason.NO_KEY)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    return tmp_path


def play(upto: int) -> tuple[Path, Session]:
    first, *rest = GAME[:upto]
    assert isinstance(first, SessionStarted)
    with recorded_session(Blind(), first, [], keeping=Keeping("0", "mine")) as (session, path):
        for event in rest:
            session.enter(event)
    return path, session


@pytest.mark.parametrize("upto", [2, 7, 13, 54, 73, 111])
def test_a_resumed_game_is_the_game_that_was_left_turn_and_all(upto: int) -> None:
    path, before = play(upto)
    with recorded_session(Blind(), SessionStarted(), [], resume=path) as (session, again):
        assert again == path
        assert told(session.state) == told(before.state)
        assert session.events == before.events
        assert [reading.seq for reading in session.readings] == [
            entry.seq for entry in before.events if getattr(entry.event, "seen", None) is not None
        ]
        assert session.state.undo() == before.state.undo()
        undone = session.state.undo()
        if undone is not None:
            session.enter(undone)
    replay = decode(path.read_bytes())
    assert [type(noted.note).__name__ for noted in replay.notes] == ["LogOpened", "LogOpened"]
    assert replay.opened is not None
    assert (replay.opened.camera, replay.opened.profile) == ("0", "mine")


def test_a_session_that_is_open_elsewhere_is_refused() -> None:
    path, _ = play(5)
    log = LogFile(path)
    with (
        pytest.raises(SessionBusyError, match="--watch"),
        recorded_session(Blind(), SessionStarted(), [], resume=path),
    ):
        pass
    log.close()


def test_a_torn_log_is_resumed_with_one_notice() -> None:
    path, before = play(30)
    with path.open("ab") as stream:
        stream.write(b'{"v": 2, "seq": 32, "tim\xc3')
    heard: list[News] = []
    with recorded_session(Blind(), SessionStarted(), [heard.append], resume=path) as (session, _):
        assert told(session.state) == told(before.state)
    assert len([news for news in heard if isinstance(news, Notice)]) == 1


def frame(level: int, index: int, time_s: float) -> Frame:
    return Frame(np.full((240, 320, 3), level, np.uint8), index, time_s)


STACK = Sighting(
    Location.CORNHILL,
    Side.BACK,
    ((100.0, 60.0), (180.0, 60.0), (180.0, 180.0), (100.0, 180.0)),
    Content.digit(2),
    0.9,
)


def test_a_film_keeps_the_cameras_pace_and_tells_its_size(tmp_path: Path) -> None:
    said: list[str] = []
    log = tmp_path / "evening.jsonl"
    film = FilmKeeper(log, said.append)
    for index in range(6):
        # Five a second, in a film of fifteen.
        film.told(Sighted(frame(40 * index, index, 5 + index / 5), STACK))
    film.close()
    assert film.left_out == 0
    kept = FilmFile(film_file(log))
    levels = []
    while (shown := kept.read(1.0)) is not None:
        levels.append(round(float(shown.picture.mean()) / 40))
    kept.close()
    # Each stands until the next one came.
    assert levels == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5]
    [line] = said
    assert "evening.film.mkv has" in line
    assert line.endswith("B")


def test_a_faster_camera_makes_no_longer_film(tmp_path: Path) -> None:
    film = FilmKeeper(tmp_path / "evening.jsonl", lambda _: None)
    film.told(Sighted(frame(9, 0, 0.0), STACK))
    for index in range(1, 6):
        film.told(Sighted(frame(9, index, index / 60), STACK))
    film.close()
    kept = FilmFile(film.path)
    count = 0
    while kept.read(1.0) is not None:
        count += 1
    kept.close()
    assert count == 2


def test_a_second_evening_of_a_session_has_a_film_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    for _ in range(2):
        film = FilmKeeper(log, lambda _: None)
        film.told(Sighted(frame(9, 0, 0.0), STACK))
        film.close()
    assert sorted(path.name for path in tmp_path.glob("*.mkv")) == [
        "evening.film-2.mkv",
        "evening.film.mkv",
    ]


def test_a_picture_of_a_reading_shows_the_stack_and_little_else(tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    keeper = PictureKeeper(log, lambda _: None)
    keeper.told(Sighted(frame(200, 7, 0.1), STACK))
    state = Session(load_board(), Blind(), LogFile(log)).state
    reading = Reading(1, Location.CORNHILL, Content.digit(2), 0.9, 7, Seq(12))
    keeper.told(ReadingTaken(reading, state, state))
    [kept] = pictures_folder(log).iterdir()
    assert kept.name == "12.jpg"
    high, wide = cv2.imread(str(kept)).shape[:2]  # type: ignore[union-attr]
    assert (high, wide) == (156, 116)


def test_nothing_is_kept_unless_asked_for(home: Path) -> None:
    path, _ = play(5)
    assert {entry.name for entry in path.parent.iterdir()} == {path.name, f".{path.name}.lock"}
