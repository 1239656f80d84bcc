"""One writer for a session's log, on whatever system and file system it lies.

The lock is the operating system's, on a hidden file beside the log, so it falls with the process
that holds it, however that ends. The hidden file stays; deleting it would let two take it at once.
"""

from __future__ import annotations

import os
from pathlib import Path

import filelock

from assistant.core.errors import SessionBusyError


def lock_file(log: Path) -> Path:
    """Return the file that is locked while a log is written."""
    return log.with_name(f".{log.name}.lock")


class SessionLock:
    """The right to write one log."""

    def __init__(self, log: Path) -> None:
        """Take the lock.

        Raises:
            SessionBusyError: another window has it; says how to watch.
            OSError: nothing can be written in the log's folder.
        """
        path = lock_file(log)
        # Asked first, for the library cannot tell a folder that is read-only from a lock held.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o644))
        self._lock: filelock.BaseFileLock | None = filelock.FileLock(
            path, timeout=0, thread_local=False
        )
        try:
            self._lock.acquire()
        except filelock.Timeout as error:
            raise SessionBusyError(
                f"the session {log.stem} is open in another window; to watch it: "
                f"bystander sessions show {log.stem} --watch"
            ) from error
        except NotImplementedError:
            # Some network folders know no locks; better to play unlocked than not at all.
            self._lock = None

    def release(self) -> None:
        """Give it back; may be called twice and from any thread."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def is_busy(log: Path) -> bool:
    """Return whether somebody writes the log now; False where that cannot be told."""
    if not lock_file(log).exists():
        return False
    try:
        SessionLock(log).release()
    except SessionBusyError:
        return True
    except OSError:
        return False
    return False
