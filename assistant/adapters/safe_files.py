"""Files replaced or added to as a whole or not at all, and bad ones kept (field report 55)."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` in the file's place: whoever reads sees the old bytes or the new, never a part.

    A device or a pipe is written into, not replaced; a link stays, and what it points to changes.

    Raises:
        OSError: it cannot be written; the old file stands.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            stream.write(data)
        return
    if path.is_symlink():
        path = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(0o644)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def append_synced(file: int, lines: bytes, good_bytes: int) -> int:
    """Add lines at the end of an open file, on disk when this returns.

    Args:
        file: the file's descriptor; it stands at its end.
        lines: what to add.
        good_bytes: how much of the file is whole so far.

    Returns:
        How much of the file is whole now.

    Raises:
        OSError: not all could be written; the file is what it was.
    """
    try:
        rest = memoryview(lines)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
    except OSError:
        # Cut back half a line, and go back with it: what comes next would leave a hole, or add to
        # it. Of a device nothing can be cut.
        with contextlib.suppress(OSError):
            os.ftruncate(file, good_bytes)
            os.lseek(file, good_bytes, os.SEEK_SET)
        raise
    return good_bytes + len(lines)


def set_aside(path: Path, word: str) -> Path:
    """Move a file to NAME.WORD beside it (NAME.WORD-2 and so on where there is one); return where.

    Raises:
        OSError: it cannot be moved.
    """
    aside = free_name(path, word)
    path.rename(aside)
    sync_folder(path.parent)
    return aside


def free_name(path: Path, word: str) -> Path:
    """Return NAME.WORD, or the first of NAME.WORD-2, NAME.WORD-3, … that no file has."""
    aside, twin = path.with_name(f"{path.name}.{word}"), 2
    while aside.exists():
        aside, twin = path.with_name(f"{path.name}.{word}-{twin}"), twin + 1
    return aside


def sync_folder(folder: Path) -> None:
    """Put the folder's list of names on disk, where the system knows how (Windows does not)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
