"""Where lines go that the log cannot take: a file of the temp folder with the whole session."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest

from assistant.adapters.refuge import Refuge


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temp folder, to be seen into."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def only_file(folder: Path) -> bytes:
    [file] = folder.iterdir()
    return file.read_bytes()


def test_nothing_is_made_before_it_is_needed(tmp_path: Path, temp: Path) -> None:
    refuge = Refuge(tmp_path / "evening.jsonl")
    assert refuge.path is None
    refuge.leave(keep=False)
    refuge.leave(keep=True)
    assert list(temp.iterdir()) == []


def test_it_holds_what_the_log_has_and_then_each_new_line_once(tmp_path: Path, temp: Path) -> None:
    log = tmp_path / "evening.jsonl"
    log.write_bytes(b"1\n2\n")
    refuge = Refuge(log)
    waiting = [b"3\n"]
    assert refuge.keep(waiting)
    waiting += [b"4\n", b"5\n"]
    assert refuge.keep(waiting)
    assert refuge.keep(waiting)
    assert only_file(temp) == b"1\n2\n3\n4\n5\n"
    assert refuge.path is not None
    assert refuge.path.name.startswith("bystander-evening-")
    assert refuge.path.suffix == ".jsonl"


def test_a_log_that_is_not_there_or_is_a_folder_gives_nothing_to_begin_with(
    tmp_path: Path, temp: Path
) -> None:
    for log in (tmp_path / "none.jsonl", tmp_path):
        refuge = Refuge(log)
        assert refuge.keep([b"1\n"])
        assert only_file(temp) == b"1\n"
        refuge.leave(keep=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_log_that_is_a_device_is_not_read(temp: Path) -> None:
    refuge = Refuge(Path("/dev/full"))
    assert refuge.keep([b"1\n"])
    assert only_file(temp) == b"1\n"
    refuge.leave(keep=False)


def test_it_goes_when_the_log_has_caught_up_and_stays_while_it_is_the_only_copy(
    tmp_path: Path, temp: Path
) -> None:
    refuge = Refuge(tmp_path / "evening.jsonl")
    refuge.keep([b"1\n"])
    refuge.leave(keep=True)
    assert only_file(temp) == b"1\n"
    kept = refuge.path
    assert kept is not None
    refuge.leave(keep=False)
    assert kept.exists()


def test_after_the_log_has_caught_up_a_second_full_disk_begins_afresh(
    tmp_path: Path, temp: Path
) -> None:
    log = tmp_path / "evening.jsonl"
    refuge = Refuge(log)
    assert refuge.keep([b"1\n"])
    refuge.leave(keep=False)
    assert refuge.path is None
    log.write_bytes(b"1\n")
    assert refuge.keep([b"2\n"])
    assert only_file(temp) == b"1\n2\n"


def test_where_no_file_can_be_made_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    refuge = Refuge(tmp_path / "evening.jsonl")
    assert not refuge.keep([b"1\n"])
    assert refuge.path is None
    (tmp_path / "nowhere").mkdir()
    assert refuge.keep([b"1\n"])


def test_half_a_line_is_cut_off_again_when_its_disk_is_full_too(
    tmp_path: Path, temp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuge = Refuge(tmp_path / "evening.jsonl")
    assert refuge.keep([b"first\n"])
    real_write = os.write

    def half_then_full(handle: int, data: bytes) -> int:
        real_write(handle, bytes(data)[:3])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, "write", half_then_full)
        assert not refuge.keep([b"first\n", b"second\n"])
    assert only_file(temp) == b"first\n"
    assert refuge.keep([b"first\n", b"second\n", b"third\n"])
    assert only_file(temp) == b"first\nsecond\nthird\n"


def test_a_system_that_writes_a_few_bytes_at_a_time_gets_all_of_them(
    tmp_path: Path, temp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "evening.jsonl"
    log.write_bytes(b"what was there\n")
    real_write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real_write(handle, bytes(data)[:2]))
    assert Refuge(log).keep([b"a long line\n", b"another\n"])
    assert only_file(temp) == b"what was there\na long line\nanother\n"


def test_a_temp_folder_without_room_for_what_the_log_has_gets_all_of_it_later(
    tmp_path: Path, temp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "evening.jsonl"
    log.write_bytes(b"1\n2\n")
    refuge = Refuge(log)
    real_write = os.write

    def half_then_full(handle: int, data: bytes) -> int:
        if len(data) < 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real_write(handle, bytes(data)[:3])

    with monkeypatch.context() as full:
        full.setattr(os, "write", half_then_full)
        assert not refuge.keep([b"3\n"])
    assert list(temp.iterdir()) == []
    assert refuge.path is None
    assert refuge.keep([b"3\n", b"4\n"])
    assert only_file(temp) == b"1\n2\n3\n4\n"
