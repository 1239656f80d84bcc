"""A session's log on disk: append-only lines, each synced before anybody is told.

What can go wrong and what is done (field reports 53 to 56), each with one notice:

* A process killed in the middle of a line, or a power cut, leaves a torn tail. It is set aside when
  the log is opened again, so the next line starts clean.
* A disk that is full or a folder that cannot be written stops nothing: the game goes on, the lines
  wait, meanwhile in a file of the temp folder (`assistant.adapters.refuge`), and are written in
  their order as soon as there is room.
* Two windows on one session: the second is refused and told how to watch.
* A line that a newer Bystander wrote is passed over and stays where it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from assistant.adapters.clock import now_here
from assistant.adapters.refuge import Refuge
from assistant.adapters.safe_files import append_synced, sync_folder
from assistant.adapters.session_lock import SessionLock
from assistant.adapters.whole_file import read_whole
from assistant.core.errors import DamagedError, MissingError
from assistant.core.events import Event, Recorded, Seq
from assistant.journal import LogOpened, Odd, Replay, decode, encode

#: Windows would write two bytes for a newline if not told otherwise.
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)

_NOTHING = Replay((), None, 0, ends_clean=True)


class LogFile:
    """An event log in one file. One writer; used under the session's lock."""

    def __init__(
        self,
        path: Path,
        notice: Callable[[str], None] = lambda _: None,
        clock: Callable[[], datetime] = now_here,
        opening: LogOpened | None = None,
    ) -> None:
        """Open the file for appending, making it and its folder where there are none.

        Args:
            path: the log.
            notice: told one line when a torn tail was found, when the log cannot be written, and
                when it can again.
            clock: gives each line its time.
            opening: what the log notes of whoever opened it, before anything else.

        Raises:
            SessionBusyError: another window writes this log.
            MissingError: there is a log that cannot be read.
            DamagedError: a line before the last is bad; names its number and the way out.
        """
        self.path = path
        self._notice = notice
        self._clock = clock
        self._waiting: list[bytes] = []
        self._refuge = Refuge(path)
        self._lock: SessionLock | None = None
        self._file = -1
        self._good_bytes = 0
        try:
            self._replay = self._open()
        except OSError as error:
            self._replay = self._only_read(error)
        except DamagedError:
            self._release()
            raise
        self.earlier: tuple[Recorded, ...] = self._replay.events
        self._next_seq = self._replay.last_seq + 1
        self._tell_newer()
        if opening is not None:
            self._put(opening)

    @property
    def waiting(self) -> int:
        """How many lines wait for room on the disk."""
        return len(self._waiting)

    def append(self, event: Event) -> Recorded:
        """Write the event as one line, on disk when this returns; return it as recorded.

        Never raises for a full or broken disk: see the module's first lines.
        """
        seq, time = self._put(event)
        return Recorded(seq, time, event)

    def close(self) -> None:
        """Write what still waits, where that is possible, and close; may be called twice."""
        if self._waiting and self._flush() is None:
            self._refuge.leave(keep=False)
            self._notice("the log is written again; nothing is lost")
        if self._waiting:
            where = self._refuge.path
            self._notice(
                f"{len(self._waiting)} lines of this session are not in its log; "
                + ("they are lost" if where is None else f"the whole of it is kept in {where}")
            )
            self._waiting.clear()
            self._refuge.leave(keep=True)
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = -1
        self._release()

    def _put(self, event: Event | LogOpened) -> tuple[Seq, str]:
        """Write one line, or have it wait."""
        seq, time = Seq(self._next_seq), self._clock().isoformat(timespec="seconds")
        self._next_seq += 1
        was_waiting = bool(self._waiting)
        self._waiting.append(encode(seq, time, event).encode())
        error = self._flush()
        if error is not None:
            kept = self._refuge.keep(self._waiting)
            if not was_waiting:
                self._tell_stuck(error, kept)
        elif was_waiting:
            self._refuge.leave(keep=False)
            self._notice("the log is written again; nothing is lost")
        return seq, time

    def _flush(self) -> OSError | None:
        """Write all that waits; return what kept it from that."""
        try:
            if self._file < 0 and self._open().last_seq != self._replay.last_seq:
                self._close_file()
                raise OSError(0, "another window has written it meanwhile")
            lines = b"".join(self._waiting)
            self._good_bytes = append_synced(self._file, lines, self._good_bytes)
        except OSError as error:
            return error
        except MissingError as error:
            return OSError(0, str(error))
        self._waiting.clear()
        return None

    def _tell_stuck(self, error: OSError, kept: bool) -> None:
        where = self._refuge.path
        self._notice(
            f"the log {self.path} cannot be written ({error.strerror}): the game goes on, and what "
            f"is read is kept in {where if kept and where is not None else 'memory'} until it can "
            "(BYSTANDER_HOME names another folder)"
        )

    def _tell_newer(self) -> None:
        newer = [odd for odd in self._replay.oddities if odd.odd is Odd.NEWER]
        if newer:
            self._notice(
                f"line {newer[0].line} of the log was written by a newer Bystander"
                + (f", and {len(newer) - 1} more" if len(newer) > 1 else "")
                + ": passed over, so the game may stand otherwise than it did there"
            )

    def _open(self) -> Replay:
        """Lock and open the log; set a torn tail aside, in NAME.torn, and end the last line.

        Raises:
            SessionBusyError: another window has it.
            DamagedError: a line before the last is bad.
            OSError: it cannot be read or written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        exists = self.path.exists()
        # A device (/dev/full) is nobody's own.
        if self._lock is None and (self.path.is_file() or not exists):
            self._lock = SessionLock(self.path)
        replay = self._recover() if self.path.is_file() else _NOTHING
        self._file = os.open(self.path, _APPEND, 0o644)
        self._good_bytes = os.fstat(self._file).st_size
        sync_folder(self.path.parent)
        return replay

    def _only_read(self, error: OSError) -> Replay:
        """Return what a log that cannot be written holds.

        Raises:
            MissingError: it cannot be read either.
            DamagedError: a line before the last is bad.
        """
        self._close_file()
        self._release()
        exists = False
        with contextlib.suppress(OSError):
            exists = self.path.exists()
        if not exists:
            return _NOTHING
        try:
            replay = decode(read_whole(self.path))
        except OSError:
            raise MissingError(
                f"the log {self.path} cannot be read ({error.strerror}); "
                "set BYSTANDER_HOME to a folder that can"
            ) from error
        _trust(self.path, replay)
        return replay

    def _recover(self) -> Replay:
        data = read_whole(self.path)
        replay = decode(data)
        _trust(self.path, replay)
        tail = data[replay.sound_bytes :]
        if tail.strip():
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
        return replay

    def _close_file(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def new_log_path(folder: Path, moment: datetime) -> Path:
    """Return a path for a new session's log that no file has yet."""
    stem = moment.strftime("%Y-%m-%d_%H-%M-%S")
    path, twin = folder / f"{stem}.jsonl", 2
    while path.exists():
        path, twin = folder / f"{stem}_{twin}.jsonl", twin + 1
    return path


def _trust(path: Path, replay: Replay) -> None:
    """Do nothing for a log that is whole or merely torn at its end.

    Raises:
        DamagedError: a line before the last is bad.
    """
    try:
        replay.trusted()
    except DamagedError as error:
        raise DamagedError(
            f"{error} ({path}); to mend it: bystander sessions check {path.stem} --repair"
        ) from error
