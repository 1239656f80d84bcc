"""The sessions on this machine: which there are, which one is meant, what lies beside each log.

Of a session called NAME there may be

    NAME.jsonl            the log                     .NAME.jsonl.lock    held while it is written
    NAME.jsonl.torn       tails that were set aside   NAME.jsonl.damaged  the original of a repair
    NAME.pictures/        small pictures of readings, by the number of their event
    NAME.film.mkv         the camera
"""

from __future__ import annotations

import shutil
from pathlib import Path

from assistant.adapters.home import sessions_folder
from assistant.adapters.session_lock import SessionLock, lock_file
from assistant.adapters.typed_paths import typed_path
from assistant.adapters.whole_file import read_whole
from assistant.core.errors import MissingError, UsageError

ENDING = ".jsonl"


def session_logs(folder: Path | None = None) -> list[Path]:
    """Return the logs of a folder (the player's own where none is named), the newest first.

    Raises:
        MissingError: the folder cannot be read.
    """
    folder = sessions_folder() if folder is None else folder
    try:
        names = [path for path in folder.iterdir() if path.suffix == ENDING and not path.is_dir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise MissingError(f"{folder} cannot be read ({error.strerror})") from error
    return sorted(
        (path for path in names if not path.name.startswith(".")),
        key=lambda path: path.name,
        reverse=True,
    )


def find_log(text: str) -> Path:
    """Return the log that is meant: by a path, a name, a beginning that fits one, or "last".

    Raises:
        MissingError: there is no such file, or no last session yet.
        UsageError: the name fits no session, or several; names them.
    """
    if "/" in text or "\\" in text or text.endswith(ENDING):
        path = typed_path(text)
        if not path.exists() and path.name == text:
            path = sessions_folder() / text
        if not path.is_file():
            raise MissingError(f"{text}: there is no such log")
        return path
    logs = session_logs()
    none_yet = "there are no sessions yet; bystander play or bystander demo makes one"
    if text == "last":
        if not logs:
            raise MissingError(none_yet)
        return logs[0]
    if not logs:
        raise UsageError(f'"{text}" fits no session: {none_yet}')
    exact = [path for path in logs if path.stem == text]
    fitting = exact or [path for path in logs if path.stem.startswith(text)]
    if len(fitting) == 1:
        return fitting[0]
    choices = ", ".join(path.stem for path in (fitting or logs)[:6])
    more = ", …" if len(fitting or logs) > 6 else ""
    many = "more than one session" if fitting else "no session"
    raise UsageError(f'"{text}" fits {many}; there are {choices}{more}')


def read_log(path: Path) -> bytes:
    """Return a log's bytes.

    Raises:
        MissingError: it cannot be read.
    """
    try:
        return read_whole(path)
    except OSError as error:
        raise MissingError(f"{path} cannot be read ({error.strerror})") from error


def pictures_folder(log: Path) -> Path:
    """Return where the small pictures of a session's readings are kept, if they are."""
    return log.with_name(f"{log.stem}.pictures")


def film_file(log: Path) -> Path:
    """Return where the camera of a session is recorded, if it is."""
    return log.with_name(f"{log.stem}.film.mkv")


def belongings(log: Path) -> list[Path]:
    """Return every file and folder of a session that is there, the log first."""
    aside = sorted(
        path for word in ("torn", "damaged") for path in log.parent.glob(f"{log.name}.{word}*")
    )
    films = sorted(log.parent.glob(f"{log.stem}.film*.mkv"))
    every = [log, *aside, pictures_folder(log), *films]
    return [path for path in every if path.exists()]


def size_bytes(paths: list[Path]) -> int:
    """Return how much room files and folders take."""
    files = [inner for path in paths for inner in (path.rglob("*") if path.is_dir() else [path])]
    return sum(path.stat().st_size for path in files if path.is_file())


def delete_session(log: Path) -> list[Path]:
    """Delete a session and all that belongs to it; return what was there.

    Raises:
        SessionBusyError: a window has it open.
        MissingError: something cannot be deleted.
    """
    gone = belongings(log)
    try:
        lock = SessionLock(log)
        # The log itself goes last: what is left after a failure can still be found by its name.
        for path in reversed(gone):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        lock.release()
        lock_file(log).unlink(missing_ok=True)
    except OSError as error:
        raise MissingError(f"{log.stem} cannot be deleted ({error.strerror})") from error
    return gone
