"""What the LED board says while `bystander play` opens its window, and once that stands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.commands import play_window
from assistant.commands.play_desk import PlayDesk
from assistant.core.errors import MissingError
from assistant.ui.window_frame import WindowParts

BUSY = "/dev/ttyACM0 is in use; waiting for it, 10 s at most"


class Board:
    """An LED board whose port is in use at first."""

    def __init__(self) -> None:
        self.say: Callable[[str], None] = pytest.fail
        self.is_let_go = True

    @contextmanager
    def lights_of(
        self, _args: argparse.Namespace, say: Callable[[str], None]
    ) -> Iterator[tuple[object, ...]]:
        self.say = say
        say(BUSY)
        if not self.is_let_go:
            raise MissingError("/dev/ttyACM0 is in use")
        yield (lambda _news: None,)


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    board = Board()
    monkeypatch.setattr(play_window, "has_display", lambda: True)
    monkeypatch.setattr(play_window, "lights_of", board.lights_of)
    return board


def typed() -> argparse.Namespace:
    return argparse.Namespace(
        expansions=None, camera="", profile=None, resume=None, film=False, pictures=False
    )


def test_a_port_that_is_waited_for_in_vain_was_told_in_the_terminal(
    board: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    board.is_let_go = False
    with pytest.raises(MissingError, match="in use"):
        play_window.run(typed())
    assert capsys.readouterr().err == f"bystander: {BUSY}\n"


def test_once_the_window_stands_it_alone_tells_what_the_board_says(
    board: Board, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    class Window:
        """Stands without a display, and sees the board lost."""

        failure = None

        def __init__(self, desk: PlayDesk, _parts: WindowParts) -> None:
            self._desk = desk

        def run(self) -> None:
            board.say("the board is gone")
            shown.append(self._desk._options.lights())

        def close(self) -> None:
            pass

    monkeypatch.setattr("assistant.ui.play_window.PlayWindow", Window)
    assert play_window.run(typed()) == 0
    assert shown == ["the board is gone"]
    assert capsys.readouterr().err == f"bystander: {BUSY}\n"
