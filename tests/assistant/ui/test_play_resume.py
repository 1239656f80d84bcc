"""The play window goes on with the last game, for real, on a virtual display."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.adapters.log_file import LogFile
from assistant.commands.play_desk import DeskOptions, PlayDesk
from assistant.commands.play_state import told
from assistant.commands.play_window import last_unfinished, small_pictures
from assistant.core.events import Recorded, Seq
from assistant.core.state import fold
from assistant.data import load_board
from assistant.journal import decode, encode
from assistant.ui.emblem_masks import emblem_masks
from assistant.ui.play_window import PlayWindow
from assistant.ui.window_frame import WindowParts
from tests.assistant.journal.whole_game import whole_game
from tests.assistant.ui.play_driver import FONT, Driven

pytestmark = pytest.mark.usefixtures("display")

GAME = whole_game(13, 24)[:40]


class Returned(Driven):
    """A window opened where a game was left."""

    def __init__(self, resume: Path | None = None) -> None:
        last, words = last_unfinished()
        self.desk = PlayDesk(DeskOptions(font_path=FONT, last=last, resume=resume))
        masks = emblem_masks(small_pictures())
        parts = WindowParts(load_board(), FONT, masks, last_game=words)
        self.window = PlayWindow(self.desk, parts)
        self.root = self.window.root
        self.root.geometry("+0+0")
        self.until(self.root.winfo_viewable)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    path = tmp_path / "sessions" / "2026-11-28_20-15-02.jsonl"
    path.parent.mkdir()
    path.write_text(
        "".join(encode(n, "2026-11-28T20:15:02+01:00", e) for n, e in enumerate(GAME, start=1))
    )
    return path


@pytest.fixture
def returned(log: Path) -> Iterator[Returned]:
    returned = Returned()
    yield returned
    assert returned.close()


def test_one_key_brings_the_last_game_back_exactly(returned: Returned, log: Path) -> None:
    before = fold(
        load_board(), [Recorded(Seq(n), "", event) for n, event in enumerate(GAME, start=1)]
    )
    returned.until(lambda: returned.has("Go on with the last game (28 Nov 20:15, turn 11)"))
    returned.answer("Go on")
    returned.until(lambda: returned.window._is_on)
    assert told(returned.state) == told(before)
    undone = returned.state.undo()
    assert undone is not None
    returned.desk.undo()
    returned.until(lambda: len(returned.state.log) == len(GAME) + 1)
    assert decode(log.read_bytes()).events[-1].event == undone


def test_a_session_that_another_window_has_open_is_told_and_nothing_is_entered(log: Path) -> None:
    other = LogFile(log)
    before = log.read_bytes()
    returned = Returned(resume=log)
    returned.until(lambda: returned.has("Begin"))
    returned.settle(1.0)
    assert not returned.window._is_on
    assert log.read_bytes() == before
    assert returned.close()
    other.close()
