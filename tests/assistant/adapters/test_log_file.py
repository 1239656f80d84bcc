"""The log on disk: torn tails, full disks, processes killed at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.adapters.log_file import LogFile, new_log_path
from assistant.adapters.session_lock import is_busy
from assistant.adapters.whole_file import MOST_BYTES
from assistant.core.errors import DamagedError, MissingError, SessionBusyError
from assistant.core.events import Event, SessionStarted, YouthAsked
from assistant.core.terms import Feature, Location
from assistant.journal import LogOpened, decode

ASK = YouthAsked(Location.CORNHILL, Feature.CHURCH)
MOMENT = datetime(2026, 11, 30, 20, 15, 2, tzinfo=UTC)


def write(path: Path, *events: Event) -> None:
    log = LogFile(path)
    for event in events:
        log.append(event)
    log.close()


def test_what_was_written_is_there_when_the_log_is_opened_again(tmp_path: Path) -> None:
    write(tmp_path / "log.jsonl", SessionStarted(), ASK)
    log = LogFile(tmp_path / "log.jsonl")
    assert [recorded.event for recorded in log.earlier] == [SessionStarted(), ASK]
    assert log.append(ASK).seq == 3
    log.close()


def test_each_line_has_the_time_it_was_written(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "log.jsonl", clock=lambda: MOMENT)
    log.append(ASK)
    log.close()
    assert '"2026-11-30T20:15:02+00:00"' in (tmp_path / "log.jsonl").read_text()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(cut=st.integers(min_value=1, max_value=200))
def test_a_torn_last_line_costs_neither_the_lines_before_nor_the_next(
    tmp_path: Path, cut: int
) -> None:
    path = tmp_path / "log.jsonl"
    path.unlink(missing_ok=True)
    write(path, SessionStarted(), ASK, ASK)
    data = path.read_bytes()
    last_line = len(data) - data[:-1].rfind(b"\n") - 1
    path.write_bytes(data[: len(data) - min(cut, last_line)])
    write(path, ASK)
    events = decode(path.read_bytes())
    assert events.damage is None
    # A line that lacks only its newline is whole.
    kept = 3 if cut == 1 else 2
    assert [recorded.event for recorded in events.events] == [
        SessionStarted(),
        *[ASK] * kept,
    ]


def test_a_torn_tail_is_set_aside_and_told(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, ASK)
    with path.open("ab") as stream:
        stream.write(b'{"v": 1, "seq": 2, "ti')
    told: list[str] = []
    LogFile(path, told.append).close()
    assert (tmp_path / "log.jsonl.torn").read_bytes() == b'{"v": 1, "seq": 2, "ti\n'
    assert len(told) == 1


def test_a_bad_line_in_the_middle_stops_the_load_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, ASK, ASK)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"rubbish\n" + lines[1])
    with pytest.raises(DamagedError, match="line 2"):
        LogFile(path)
    assert path.read_bytes() == lines[0] + b"rubbish\n" + lines[1]


@pytest.fixture
def refuge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temp folder, to be seen into."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_log_that_cannot_be_made_is_told_once_and_the_game_goes_on(
    tmp_path: Path, refuge: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    told: list[str] = []
    log = LogFile(tmp_path / "file" / "log.jsonl", told.append)
    assert [log.append(ASK).seq for _ in range(3)] == [1, 2, 3]
    assert len(told) == 1
    assert "BYSTANDER_HOME" in told[0]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_once_and_the_game_goes_on(refuge: Path) -> None:
    told: list[str] = []
    log = LogFile(Path("/dev/full"), told.append)
    assert [log.append(ASK).seq for _ in range(3)] == [1, 2, 3]
    assert len(told) == 1
    assert log.waiting == 3
    [kept] = refuge.iterdir()
    assert str(kept) in told[0]
    replay = decode(kept.read_bytes())
    assert [recorded.event for recorded in replay.events] == [ASK] * 3
    assert replay.oddities == ()
    log.close()
    assert len(told) == 2
    assert str(kept) in told[1]
    assert kept.exists()


def test_a_game_goes_on_in_memory_where_not_even_the_temp_folder_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    (tmp_path / "file").write_text("in the way")
    told: list[str] = []
    log = LogFile(tmp_path / "file" / "log.jsonl", told.append)
    log.append(ASK)
    assert "kept in memory" in told[0]
    (tmp_path / "file").unlink()
    log.append(ASK)
    log.close()
    assert told[1:] == ["the log is written again; nothing is lost"]
    assert len(decode((tmp_path / "file" / "log.jsonl").read_bytes()).events) == 2


def test_lines_that_waited_for_room_are_written_in_order_when_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    told: list[str] = []
    log = LogFile(path, told.append)
    log.append(SessionStarted())
    real_write = os.write

    def half_then_full(handle: int, data: bytes) -> int:
        real_write(handle, bytes(data)[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", half_then_full)
    log.append(ASK)
    monkeypatch.setattr(os, "write", real_write)
    log.append(ASK)
    log.close()
    replay = decode(path.read_bytes())
    assert replay.damage is None
    assert [recorded.seq for recorded in replay.events] == [1, 2, 3]
    assert len(told) == 2


def test_a_log_far_too_large_to_be_one_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, SessionStarted(), ASK)
    # A file of holes: it takes no room on the disk.
    os.truncate(path, MOST_BYTES + 1)
    with pytest.raises(MissingError, match="larger than"):
        LogFile(path)
    assert path.stat().st_size == MOST_BYTES + 1


def test_two_sessions_begun_in_the_same_second_have_two_logs(tmp_path: Path) -> None:
    first = new_log_path(tmp_path, MOMENT)
    write(first, ASK)
    assert new_log_path(tmp_path, MOMENT) != first


WRITER = """
import sys
import tempfile
from pathlib import Path
from assistant.adapters.log_file import LogFile
from assistant.core.events import YouthAsked
from assistant.core.terms import Feature, Location
log = LogFile(Path(sys.argv[1]))
while True:
    print(log.append(YouthAsked(Location.CORNHILL, Feature.CHURCH)).seq, flush=True)
"""


def test_a_killed_process_loses_no_line_that_it_had_told(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = [int(process.stdout.readline()) for _ in range(20)]
    process.send_signal(signal.SIGKILL)
    told += [int(line) for line in process.stdout if line.endswith("\n")]
    process.stdout.close()
    process.wait(10)
    kept = LogFile(path)
    kept.close()
    assert len(kept.earlier) >= told[-1]


def test_the_second_window_on_a_session_is_told_how_to_watch(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    first = LogFile(path)
    with pytest.raises(SessionBusyError, match="show log --watch"):
        LogFile(path)
    assert is_busy(path)
    assert first.append(ASK).seq == 1
    first.close()
    assert not is_busy(path)
    LogFile(path).close()


def test_the_lock_falls_with_the_process_that_held_it(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(SessionBusyError):
        LogFile(path)
    process.kill()
    process.stdout.close()
    process.wait(10)
    LogFile(path).close()


def test_a_log_that_is_refused_as_damaged_is_not_left_locked(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, ASK, ASK)
    sound = path.read_bytes()
    path.write_bytes(b"rubbish\n" + sound)
    # The error is held, and with it the log that was refused.
    with pytest.raises(DamagedError, match="check log --repair") as refused:
        LogFile(path)
    path.write_bytes(sound)
    LogFile(path).close()
    assert refused.value is not None


def test_what_a_newer_program_wrote_stays_in_the_file_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, ASK)
    newer = b'{"v": 3, "seq": 2, "time": "t", "kind": "danced"}\n'
    path.write_bytes(path.read_bytes() + newer)
    told: list[str] = []
    log = LogFile(path, told.append)
    assert log.append(ASK).seq == 3
    log.close()
    assert newer in path.read_bytes()
    assert len(told) == 1
    assert "line 2" in told[0]
    assert "newer" in told[0]


def test_the_log_notes_each_opening_before_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for camera in ("0", "practice"):
        log = LogFile(path, opening=LogOpened(program="0.1.0", camera=camera))
        log.append(ASK)
        log.close()
    replay = decode(path.read_bytes())
    assert [noted.seq for noted in replay.notes] == [1, 3]
    assert [entry.seq for entry in replay.events] == [2, 4]


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs users")
def test_a_read_only_folder_stops_no_game_and_its_log_can_be_resumed(tmp_path: Path) -> None:
    """In a process that is not root's, for root may write everywhere."""
    folder, temp = tmp_path / "sessions", tmp_path / "temp"
    temp.mkdir(mode=0o777)
    temp.chmod(0o777)
    write(folder / "log.jsonl", SessionStarted(), ASK)
    before = (folder / "log.jsonl").read_bytes()
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == os.getuid() and os.getuid() == 0:
            path.chmod(path.stat().st_mode | 0o055)
        if path.name.startswith("pytest-of"):
            break
    folder.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(folder), str(temp)],
        capture_output=True, text=True, timeout=60, check=False, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    new, old = done.stdout.splitlines()
    assert new == "[1, 2] notices 1 kept 2"
    assert old == "[3, 4] notices 1 kept 4"
    assert (folder / "log.jsonl").read_bytes() == before


READ_ONLY = """
import os, sys, tempfile
from pathlib import Path
from assistant.adapters.log_file import LogFile
from assistant.core.events import YouthAsked
from assistant.core.terms import Feature, Location
from assistant.journal import LogOpened, decode
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
tempfile.tempdir = sys.argv[2]
for name in ("new.jsonl", "log.jsonl"):
    told = []
    log = LogFile(Path(sys.argv[1]) / name, told.append)
    numbers = [log.append(YouthAsked(Location.CORNHILL, Feature.CHURCH)).seq for _ in range(2)]
    notices = len(told)
    log.close()
    [kept] = Path(sys.argv[2]).glob(f"bystander-{name[:3]}*")
    print(numbers, "notices", notices, "kept", len(decode(kept.read_bytes()).events))
"""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(tail=st.binary(max_size=80))
def test_a_log_with_any_bytes_behind_it_is_opened_or_left_as_it_is(
    tmp_path: Path, tail: bytes
) -> None:
    path, torn = tmp_path / "log.jsonl", tmp_path / "log.jsonl.torn"
    for old in (path, torn):
        old.unlink(missing_ok=True)
    write(path, SessionStarted(), ASK)
    sound = path.read_bytes()
    path.write_bytes(sound + tail)
    try:
        log = LogFile(path)
    except DamagedError:
        assert path.read_bytes() == sound + tail
        return
    assert log.append(ASK).seq > 2
    log.close()
    assert path.read_bytes().startswith(sound)
    replay = decode(path.read_bytes())
    assert replay.damage is None
    assert replay.events[-1].event == ASK
    if torn.exists():
        # Not a byte of what was there is lost.
        assert torn.read_bytes() == tail + b"\n"
