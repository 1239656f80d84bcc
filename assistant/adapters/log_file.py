"""A session's log on disk: append-only lines, each synced before anybody is told.

What can go wrong and what is done (field reports 53 to 56): a process killed in the middle of a
line leaves a torn tail, which is set aside when the file is opened again, so the next line starts
clean; a disk that is full is told once, the game goes on, and the lines wait in memory and are
written as soon as there is room.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from assistant.adapters.clock import now
from assistant.core.errors import MissingError
from assistant.core.events import Event, Recorded, Seq
from assistant.journal import decode, encode


class LogFile:
    """An event log in one file. One writer; used under the session's lock."""

    def __init__(
        self,
        path: Path,
        notice: Callable[[str], None] = lambda _: None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        """Open the file for appending, making it and its folder where there are none.

        Args:
            path: the log.
            notice: told one line when a torn tail was found, when the log cannot be written, and
                when it can again.
            clock: gives each line its time.

        Raises:
            MissingError: the folder or the file cannot be made or opened.
            DamagedError: a line before the last is bad; names its number.
        """
        self.path = path
        self._notice = notice
        self._clock = clock
        self._waiting: list[bytes] = []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.earlier: tuple[Recorded, ...] = self._recover() if path.is_file() else ()
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            self._good_bytes = os.fstat(self._file).st_size
            _sync_folder(path.parent)
        except OSError as error:
            raise MissingError(
                f"the log {path} cannot be written ({error.strerror}); "
                "set BYSTANDER_HOME to a folder that can"
            ) from error
        self._next_seq = self.earlier[-1].seq + 1 if self.earlier else 1

    @property
    def waiting(self) -> int:
        """How many lines wait in memory for room on the disk."""
        return len(self._waiting)

    def append(self, event: Event) -> Recorded:
        """Write the event as one line, on disk when this returns; return it as recorded.

        Never raises for a full or broken disk: see the module's first lines.
        """
        recorded = Recorded(Seq(self._next_seq), self._clock().isoformat(timespec="seconds"), event)
        self._next_seq += 1
        self._waiting.append(encode(recorded.seq, recorded.time, event).encode())
        was_waiting = len(self._waiting) > 1
        try:
            self._write(b"".join(self._waiting))
        except OSError as error:
            if not was_waiting:
                self._notice(
                    f"the log cannot be written ({error.strerror}): the game goes on, "
                    "and what is read is kept in memory until there is room"
                )
            return recorded
        self._waiting.clear()
        if was_waiting:
            self._notice("the log is written again; nothing is lost")
        return recorded

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = -1

    def _recover(self) -> tuple[Recorded, ...]:
        """Return the log's events; set a torn tail aside, in NAME.torn, and end the last line.

        Raises:
            DamagedError: a line before the last is bad.
            OSError: the files cannot be read or written.
        """
        data = self.path.read_bytes()
        replay = decode(data)
        events = replay.trusted()
        tail = data[replay.sound_bytes :]
        if tail:
            aside = self.path.with_name(self.path.name + ".torn")
            with aside.open("ab") as stream:
                stream.write(tail + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            os.truncate(self.path, replay.sound_bytes)
            self._notice(f"the log's last line was torn; it is set aside in {aside.name}")
        if not replay.ends_clean:
            with self.path.open("ab") as stream:
                stream.write(b"\n")
        return events

    def _write(self, lines: bytes) -> None:
        try:
            rest = memoryview(lines)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError:
            # Half a line may be there: cut back, so the next try does not append to it.
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._good_bytes)
            raise
        self._good_bytes += len(lines)


def new_log_path(folder: Path, moment: datetime) -> Path:
    """Return a path for a new session's log that no file has yet."""
    stem = moment.strftime("%Y-%m-%d_%H-%M-%S")
    path, twin = folder / f"{stem}.jsonl", 2
    while path.exists():
        path, twin = folder / f"{stem}_{twin}.jsonl", twin + 1
    return path


def _sync_folder(folder: Path) -> None:
    """Put the folder's list of names on disk, where the system knows how (Windows does not)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
