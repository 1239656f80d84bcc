"""What the player is told when the board they showed is not learnt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.board_file import load_board_face
from assistant.commands.play_sources import LateSight, Sources
from assistant.commands.play_teaching import Teaching
from assistant.commands.play_views import Views
from assistant.session import Frame
from assistant.ui.desk import Message, Noted
from assistant.vision.sighting import Picture
from tests.assistant.ui.play_driver import FONT
from tests.assistant.vision.test_board_finder import SIZE, SQUARE, drawn_board, laid

CORNERS = [(x / SIZE[0], y / SIZE[1]) for x, y in SQUARE]


class Lesson:
    """A picture of a board that is shown, and the lines told of it."""

    def __init__(self) -> None:
        self.told: list[Message] = []
        sight = LateSight()
        self.views = Views(FONT, sight, self.told.append)
        self._teaching = Teaching(
            Sources(sight, lambda _line: None, None), self.views, self.told.append,
            lambda _name: None, lambda job: job(),
        )  # fmt: skip

    def learn(self, picture: Picture, corners: list[tuple[float, float]]) -> str:
        """Show a picture, click the corners, and return what was told."""
        self.views.maker.last = Frame(picture, 0, 0.0)
        self._teaching.shoot_board()
        self.told.clear()
        self._teaching.learn_board(corners)
        [told] = self.told
        assert isinstance(told, Noted)
        return told.text


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lesson]:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    lesson = Lesson()
    yield lesson
    assert lesson.views.stop()


def test_corners_in_the_wrong_turn_are_told_as_the_reason(lesson: Lesson) -> None:
    picture, _ = laid(drawn_board(), SQUARE)
    told = lesson.learn(picture, CORNERS[::-1])
    assert "clockwise" in told
    assert "light" not in told
    assert load_board_face() is None
    assert "is learnt" in lesson.learn(picture, CORNERS)
    assert load_board_face() is not None


def test_an_empty_table_is_told_as_too_little_to_see(lesson: Lesson) -> None:
    told = lesson.learn(np.full((SIZE[1], SIZE[0], 3), 200, np.uint8), CORNERS)
    assert "Too little is to be seen" in told
    assert load_board_face() is None
