"""Files replaced whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant.adapters.safe_files import free_name, replace_file, set_aside


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    replace_file(tmp_path / "f", b"old")
    replace_file(tmp_path / "f", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("f", b"new")]


def test_a_disk_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_file(tmp_path / "f", b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(tmp_path / "f", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("f", b"old")]


def test_the_new_bytes_are_synced_before_they_take_the_old_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_file(tmp_path / "f", b"old")
    seen: list[bytes] = []
    real_sync = os.fsync

    def sync(handle: int) -> None:
        real_sync(handle)
        seen.append((tmp_path / "f").read_bytes())

    monkeypatch.setattr(os, "fsync", sync)
    replace_file(tmp_path / "f", b"new")
    assert seen[0] == b"old"


def test_what_is_set_aside_takes_nobodys_name(tmp_path: Path) -> None:
    for text in ("one", "two", "three"):
        (tmp_path / "f").write_text(text)
        set_aside(tmp_path / "f", "bad")
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"f.bad": "one", "f.bad-2": "two", "f.bad-3": "three"}
    assert free_name(tmp_path / "f", "bad").name == "f.bad-4"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, b"new")
    assert os.read(reader, 9) == b"new"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_file(tmp_path / "f", b"new")
    assert (tmp_path / "f").is_dir()


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own")
def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "f").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "kept" / "f")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "kept" / "f").read_bytes() == b"new"
