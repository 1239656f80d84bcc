"""Which sessions there are, which one is meant, and what belongs to it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from assistant.adapters.session_files import (
    belongings,
    delete_session,
    find_log,
    read_log,
    session_logs,
    size_bytes,
)
from assistant.adapters.session_lock import SessionLock, lock_file
from assistant.core.errors import MissingError, SessionBusyError, UsageError

NAMES = ("2026-11-28_19-00-00", "2026-11-30_19-00-00", "2026-11-29_19-00-00")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder


@pytest.fixture
def logs(folder: Path) -> Path:
    """Three evenings, and other things beside them."""
    for name in NAMES:
        (folder / f"{name}.jsonl").write_text("{}\n")
    (folder / ".2026-12-01_19-00-00.jsonl").write_text("hidden")
    (folder / f"{NAMES[0]}.jsonl.torn").write_text("x")
    (folder / "2026-12-02.jsonl").mkdir()
    return folder


def test_the_newest_session_comes_first_and_nothing_else_is_one(logs: Path) -> None:
    names = ["2026-11-30_19-00-00", "2026-11-29_19-00-00", "2026-11-28_19-00-00"]
    assert [path.stem for path in session_logs()] == names
    assert session_logs(logs) == session_logs()


def test_where_no_folder_is_there_are_no_sessions(folder: Path) -> None:
    assert session_logs() == []
    shutil.rmtree(folder)
    assert session_logs() == []
    with pytest.raises(MissingError, match="no sessions yet"):
        find_log("last")


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingError, match="file cannot be read"):
        session_logs(tmp_path / "file")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("last", "2026-11-30_19-00-00"),
        ("2026-11-28_19-00-00", "2026-11-28_19-00-00"),
        ("2026-11-29", "2026-11-29_19-00-00"),
        ("2026-11-29_19-00-00.jsonl", "2026-11-29_19-00-00"),
    ],
)
def test_a_session_is_meant_by_name_by_a_beginning_or_as_the_last(
    logs: Path, text: str, meant: str
) -> None:
    assert find_log(text) == logs / f"{meant}.jsonl"


def test_a_whole_name_is_meant_though_another_begins_with_it(logs: Path) -> None:
    (logs / f"{NAMES[0]}_2.jsonl").write_text("{}\n")
    assert find_log(NAMES[0]).stem == NAMES[0]
    assert find_log(f"{NAMES[0]}_").stem == f"{NAMES[0]}_2"


def test_a_path_is_taken_as_it_is(logs: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "old.log"
    elsewhere.write_text("{}\n")
    assert find_log(str(elsewhere)) == elsewhere
    for missing in (str(tmp_path / "none.log"), str(logs), "none.jsonl", r"C:\none"):
        with pytest.raises(MissingError, match="there is no such log"):
            find_log(missing)


def test_a_beginning_of_several_is_refused_and_names_them(logs: Path) -> None:
    with pytest.raises(UsageError) as refused:
        find_log("2026")
    assert str(refused.value) == (
        '"2026" fits more than one session; there are 2026-11-30_19-00-00, '
        "2026-11-29_19-00-00, 2026-11-28_19-00-00"
    )


def test_a_name_that_fits_none_is_refused_and_the_newest_six_are_named(logs: Path) -> None:
    with pytest.raises(UsageError, match=r'"2025" fits no session; there are 2026-11-30.*00$'):
        find_log("2025")
    for hour in (20, 21, 22):
        (logs / f"2026-11-30_{hour}-00-00.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match=r"2026-11-28_19-00-00$"):
        find_log("2025")
    (logs / "2026-11-30_23-00-00.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match=r"2026-11-29_19-00-00, …$"):
        find_log("2025")


def test_a_log_that_cannot_be_read_is_told_with_its_path(logs: Path) -> None:
    assert read_log(logs / f"{NAMES[0]}.jsonl") == b"{}\n"
    with pytest.raises(MissingError, match=r"none\.jsonl cannot be read \(No such file"):
        read_log(logs / "none.jsonl")


def furnished(folder: Path) -> Path:
    """Return a log with all that may belong to one, 10 bytes each."""
    log = folder / "a.jsonl"
    for name in ("a.jsonl", "a.jsonl.torn", "a.jsonl.damaged", "a.jsonl.damaged-2",
                 "a.film.mkv", "a.film-2.mkv"):  # fmt: skip
        (folder / name).write_bytes(b"0123456789")
    pictures = folder / "a.pictures"
    pictures.mkdir()
    for number in (3, 4):
        (pictures / f"{number}.jpg").write_bytes(b"0123456789")
    return log


def test_what_belongs_to_a_session_is_found_and_measured(folder: Path) -> None:
    log = furnished(folder)
    (folder / "ab.film.mkv").write_bytes(b"of another")
    (folder / "a_2.jsonl").write_bytes(b"of another")
    mine = belongings(log)
    assert mine[0] == log
    assert sorted(path.name for path in mine) == [
        "a.film-2.mkv", "a.film.mkv", "a.jsonl", "a.jsonl.damaged", "a.jsonl.damaged-2",
        "a.jsonl.torn", "a.pictures",
    ]  # fmt: skip
    assert size_bytes(mine) == 80
    assert size_bytes([]) == 0


def test_deleting_leaves_nothing_of_a_session_not_even_its_lock(folder: Path) -> None:
    log = furnished(folder)
    gone = delete_session(log)
    assert len(gone) == 7
    assert list(folder.iterdir()) == []


def test_a_session_that_is_being_played_is_not_deleted(folder: Path) -> None:
    log = furnished(folder)
    lock = SessionLock(log)
    with pytest.raises(SessionBusyError):
        delete_session(log)
    lock.release()
    assert len(belongings(log)) == 7
    assert lock_file(log).exists()


def test_when_something_cannot_be_deleted_the_log_is_still_there_to_be_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = furnished(folder)

    def refused(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(shutil, "rmtree", refused)
    with pytest.raises(MissingError, match=r"a cannot be deleted \(Permission denied\)"):
        delete_session(log)
    assert log.exists()
    assert find_log("a") == log
    monkeypatch.undo()
    monkeypatch.setenv("BYSTANDER_HOME", str(folder.parent))
    assert log in delete_session(log)
    assert os.listdir(folder) == []
