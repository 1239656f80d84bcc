"""Where the lines of a log go while the log itself cannot be written: a file in the temp folder.

It often lies on another disk. It holds the whole session, so it can be shown and checked like any
log, and it goes when the log has caught up.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from assistant.adapters.whole_file import read_whole


class Refuge:
    """A file that is made when it is first needed."""

    def __init__(self, log: Path) -> None:
        """Stand by for a log; nothing is made yet."""
        self._log = log
        self._file = -1
        self._good_bytes = 0
        self._kept = 0
        self.path: Path | None = None

    def keep(self, lines: Sequence[bytes]) -> bool:
        """Add what is new of the lines that wait, on disk when this returns; return if it could."""
        try:
            if self._file < 0:
                self._begin()
            rest = memoryview(b"".join(lines[self._kept :]))
            size = len(rest)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._good_bytes)
            return False
        self._good_bytes += size
        self._kept = len(lines)
        return True

    def leave(self, *, keep: bool) -> None:
        """Close the file; unless it is still the only copy, delete it."""
        if self._file < 0:
            return
        with contextlib.suppress(OSError):
            os.close(self._file)
        self._file, self._kept = -1, 0
        if not keep and self.path is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
            self.path = None

    def _begin(self) -> None:
        self._file, name = tempfile.mkstemp(prefix=f"bystander-{self._log.stem}-", suffix=".jsonl")
        self.path, self._good_bytes = Path(name), 0
        with contextlib.suppress(OSError):
            # What the log has already; a log that is a device has nothing to read.
            if self._log.is_file():
                self._good_bytes = os.write(self._file, read_whole(self._log))
