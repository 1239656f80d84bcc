"""The lock of a log where the system knows no locks, or the lock's own place is taken."""

from __future__ import annotations

from pathlib import Path

import filelock
import pytest

from assistant.adapters.log_file import LogFile
from assistant.adapters.session_lock import SessionLock, is_busy, lock_file
from assistant.core.errors import SessionBusyError
from assistant.core.events import SessionStarted
from assistant.journal import decode


def test_a_session_is_busy_just_as_long_as_somebody_holds_its_lock(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert not is_busy(log)
    lock = SessionLock(log)
    assert is_busy(log)
    with pytest.raises(SessionBusyError, match="sessions show log --watch"):
        SessionLock(log)
    lock.release()
    lock.release()
    assert not is_busy(log)


def test_where_the_lock_cannot_even_be_asked_for_nobody_is_said_to_hold_it(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lock_file(log).mkdir()
    assert not is_busy(log)
    with pytest.raises(IsADirectoryError):
        SessionLock(log)


def test_on_a_network_folder_without_locks_the_game_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def knows_none(self: filelock.BaseFileLock) -> None:
        raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr(filelock.FileLock, "_acquire", knows_none)
    told: list[str] = []
    log = LogFile(tmp_path / "log.jsonl", told.append)
    log.append(SessionStarted())
    log.close()
    assert told == []
    assert len(decode((tmp_path / "log.jsonl").read_bytes()).events) == 1
    SessionLock(tmp_path / "log.jsonl").release()
