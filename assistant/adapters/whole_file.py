"""Reading a whole file that somebody else may have put there, without waiting and within bounds."""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from pathlib import Path
from typing import Any

#: No file of ours comes near to it: a profile takes some MB, an evening's log some hundred kB.
MOST_BYTES = 256 * 2**20


def read_whole(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the bytes of a plain file.

    Raises:
        OSError: it cannot be read, is larger than `most_bytes`, or is no plain file: a pipe would
            be waited for without an end, a device never ends.
    """
    refuse_special(path)
    too_large = OSError(errno.EFBIG, f"larger than {most_bytes // 2**20} MB", str(path))
    if path.stat().st_size > most_bytes:
        raise too_large
    with path.open("rb") as stream:
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        # It grew meanwhile, or tells no size (as files of the system do).
        raise too_large
    return data


def read_json(path: Path, most_bytes: int = 2**20) -> Any:
    """Return what a small file of JSON says.

    Raises:
        OSError: it cannot be read, see `read_whole`.
        ValueError: it is no JSON, brackets within brackets without an end, or it holds a number
            beyond counting: Python takes Infinity, NaN and 1e999, which JSON does not know.
    """
    try:
        return json.loads(
            read_whole(path, most_bytes),
            parse_constant=_number,
            parse_float=_number,
            parse_int=_whole_number,
        )
    except RecursionError as error:
        raise ValueError("there are too many brackets within brackets") from error


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is no number to work with")
    return number


def _whole_number(text: str) -> int:
    _number(text)
    return int(text)


def refuse_special(path: Path) -> None:
    """Do nothing for a plain file; a link is what it leads to.

    Raises:
        OSError: there is nothing at this path, or it is a folder, a pipe, or a device.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "this is a pipe or a device, not a file", str(path))
