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
from assistant.core.errors import MissingError
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


class Wizard(Sources):
    """Sources whose wizard fails as it is told, and that hold no camera meanwhile."""

    def __init__(self, fault: Exception | None) -> None:
        super().__init__(LateSight(), lambda _line: None, None)
        self.name, self._fault = "2", fault
        self.asked: list[str] = []
        self.loaded = 0

    def run_wizard(self, camera: str) -> None:
        self.asked.append(camera)
        if self._fault is not None:
            raise self._fault

    def load_profile(self) -> None:
        self.loaded += 1


class Lent:
    """A camera that is lent to the wizard."""

    def __init__(self, fault: Exception | None, views: Views) -> None:
        self.told: list[Message] = []
        self.used: list[str] = []
        self.sources = Wizard(fault)
        self.teaching = Teaching(
            self.sources, views, self.told.append, self._use, lambda job: job()
        )

    def _use(self, name: str) -> None:
        self.used.append(name)
        self.sources.name = name

    def teach(self) -> list[str]:
        """Teach to the wizard's end; return what was said after that it opens."""
        self.teaching.teach_cards()
        assert self.teaching.thread is not None
        self.teaching.thread.join(20)
        assert not self.teaching.thread.is_alive()
        opens, *said = [m.text for m in self.told if isinstance(m, Noted)]
        assert opens == "The window that learns your cards is opening."
        return said


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (None, []),
        (MissingError("no display for the wizard"), ["no display for the wizard"]),
        (OSError("fork"), ["this is a fault in Bystander (OSError: fork)"]),
    ],
)
def test_however_the_wizard_ends_the_camera_is_taken_back_and_the_cards_are_loaded(
    lesson: Lesson, fault: Exception | None, told: list[str]
) -> None:
    lent = Lent(fault, lesson.views)
    assert lent.teach() == told
    assert lent.sources.asked == ["2"]
    assert lent.used == ["", "2"]
    assert lent.sources.loaded == 1


def test_another_camera_that_was_chosen_meanwhile_stays(lesson: Lesson) -> None:
    lent = Lent(None, lesson.views)

    def chosen(camera: str) -> None:
        lent.sources.name = "practice"

    lent.sources.run_wizard = chosen  # type: ignore[method-assign]
    lent.teach()
    assert lent.used == [""]
    assert lent.sources.name == "practice"


def test_without_a_picture_no_board_is_shown_or_learnt(lesson: Lesson) -> None:
    lesson._teaching.learn_board(CORNERS)
    assert lesson.told == []
    lesson._teaching.shoot_board()
    assert lesson.told == [Noted("There is no picture: choose a camera first.")]
    lesson._teaching.learn_board(CORNERS)
    assert load_board_face() is None
