"""A log that cannot be written at first: what is done when it can, or when somebody else has it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from assistant.adapters.log_file import LogFile
from assistant.core.events import Event, SessionStarted, YouthAsked
from assistant.core.terms import Feature, Location
from assistant.journal import decode

ASK = YouthAsked(Location.CORNHILL, Feature.CHURCH)
AGAIN = "the log is written again; nothing is lost"


class Blocked:
    """A log whose folder has a file in its way, until `freed`."""

    def __init__(self, folder: Path) -> None:
        self.told: list[str] = []
        self._wall = folder / "sessions"
        self._wall.write_text("in the way")
        self.path = self._wall / "log.jsonl"
        self.log = LogFile(self.path, self.told.append)

    def freed(self) -> None:
        self._wall.unlink()
        self._wall.mkdir()

    def written(self) -> list[Event]:
        replay = decode(self.path.read_bytes())
        assert replay.damage is None
        return [entry.event for entry in replay.events]


@pytest.fixture
def refuge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temp folder, to be seen into."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def blocked(tmp_path: Path, refuge: Path) -> Blocked:
    return Blocked(tmp_path)


def test_what_still_waits_when_the_log_is_closed_is_written_then(
    blocked: Blocked, refuge: Path
) -> None:
    blocked.log.append(SessionStarted())
    blocked.log.append(ASK)
    assert list(refuge.iterdir())
    blocked.freed()
    blocked.log.close()
    assert blocked.written() == [SessionStarted(), ASK]
    assert blocked.told[1:] == [AGAIN]
    # The spare copy is not needed any more.
    assert list(refuge.iterdir()) == []


def test_a_log_that_another_window_wrote_meanwhile_is_left_as_it_is_and_ours_is_kept(
    blocked: Blocked, refuge: Path
) -> None:
    blocked.log.append(SessionStarted())
    blocked.freed()
    other = LogFile(blocked.path)
    other.append(ASK)
    other.close()
    theirs = blocked.path.read_bytes()
    assert blocked.log.append(ASK).seq == 2
    assert blocked.path.read_bytes() == theirs
    blocked.log.close()
    assert blocked.path.read_bytes() == theirs
    assert AGAIN not in blocked.told
    [kept] = refuge.iterdir()
    assert [entry.event for entry in decode(kept.read_bytes()).events] == [SessionStarted(), ASK]
    assert str(kept) in blocked.told[-1]
    # And it is nobody's any more.
    LogFile(blocked.path).close()


def test_while_another_window_has_the_log_the_lines_wait(blocked: Blocked) -> None:
    blocked.log.append(SessionStarted())
    blocked.freed()
    other = LogFile(blocked.path)
    assert blocked.log.append(ASK).seq == 2
    assert blocked.log.waiting == 2
    other.close()
    blocked.log.append(ASK)
    assert blocked.log.waiting == 0
    blocked.log.close()
    assert blocked.written() == [SessionStarted(), ASK, ASK]
