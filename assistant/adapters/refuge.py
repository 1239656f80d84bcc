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

from assistant.adapters.safe_files import append_synced
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
            fresh = b"".join(lines[self._kept :])
            self._good_bytes = append_synced(self._file, fresh, self._good_bytes)
        except OSError:
            return False
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
        """Make the file, with what the log has already.

        Raises:
            OSError: it cannot be made, or has no room; nothing of it is left then.
        """
        earlier = b""
        with contextlib.suppress(OSError):
            # A log that is a device has nothing to read.
            if self._log.is_file():
                earlier = read_whole(self._log)
        self._file, name = tempfile.mkstemp(prefix=f"bystander-{self._log.stem}-", suffix=".jsonl")
        self.path = Path(name)
        try:
            self._good_bytes = append_synced(self._file, earlier, 0)
        except OSError:
            self.leave(keep=False)
            raise
