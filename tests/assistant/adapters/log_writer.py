"""A program that logs a scripted game and tells each entry once it is on disk; it may be killed.

    python -m tests.assistant.adapters.log_writer LOG [KILL_AT KILL_HOW]

It goes on where the log ends and plays the rest of the script. KILL_AT is the number of an append
of this run (from 1); KILL_HOW kills the program by SIGKILL there: a number, after so many bytes of
its line; `written`, after the write and before the sync; `synced`, before it is told.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from assistant.adapters.log_file import LogFile
from assistant.core.events import Event
from assistant.journal import LogOpened
from tests.assistant.journal.whole_game import whole_game

OPENING = LogOpened(program="test")


def script() -> list[Event]:
    """Return the events of the game, in order."""
    return whole_game(13, 24)


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _arm(at: int, how: str) -> None:
    """Have the program killed at one of its appends."""
    real_write, real_sync = os.write, os.fsync
    count = 0

    def write(handle: int, data: bytes) -> int:
        nonlocal count
        count += 1
        if count == at and how.isdecimal():
            real_write(handle, bytes(data)[: int(how)])
            _kill()
        written = real_write(handle, data)
        if count == at and how == "written":
            _kill()
        return written

    def sync(handle: int) -> None:
        real_sync(handle)
        if count == at and how == "synced":
            _kill()

    os.write, os.fsync = write, sync  # type: ignore[assignment]


def main() -> None:
    path, *kill = sys.argv[1:]
    if kill:
        _arm(int(kill[0]), kill[1])
    log = LogFile(Path(path), opening=OPENING)
    for event in script()[len(log.earlier) :]:
        # Not by print: os.write is what the journal is watched by.
        sys.stdout.write(f"{log.append(event).seq}\n")
        sys.stdout.flush()
    log.close()


if __name__ == "__main__":
    main()
