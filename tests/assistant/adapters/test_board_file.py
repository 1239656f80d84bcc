"""The learnt board on disk: kept whole, read within bounds, and what is no board is told."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.board_file import board_file, load_board_face, save_board_face
from assistant.core.errors import DamagedError, MissingError
from assistant.vision.board_finder import BoardFace

FACE = BoardFace(
    np.arange(12, dtype=np.float32).reshape(6, 2),
    np.arange(768).reshape(6, 128).astype(np.uint8),
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_board_is_kept_in_the_place_of_the_last_and_nothing_else_is_left(home: Path) -> None:
    assert load_board_face() is None
    save_board_face(BoardFace(FACE.points[:1], FACE.descriptors[:1]))
    save_board_face(FACE)
    kept = load_board_face()
    assert kept is not None
    assert np.array_equal(kept.points, FACE.points)
    assert np.array_equal(kept.descriptors, FACE.descriptors)
    assert list(home.iterdir()) == [board_file()]


def test_any_other_file_in_its_place_is_told(home: Path) -> None:
    home.mkdir()
    board_file().write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(DamagedError, match="learn it again"):
        load_board_face()


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders on Windows")
def test_a_pipe_in_its_place_is_not_waited_for(home: Path) -> None:
    home.mkdir()
    os.mkfifo(board_file())
    with pytest.raises(MissingError, match="pipe"):
        load_board_face()


def test_a_board_that_cannot_be_written_is_told(home: Path) -> None:
    home.write_text("a file where the folder should be")
    with pytest.raises(MissingError, match="the learnt board cannot be written"):
        save_board_face(FACE)
