"""Xvfb: a screen that is nowhere to be seen, for tests of windows and for pictures of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def virtual_display(screen: tuple[int, int], dpi: int = 96) -> Iterator[str]:
    """Start a display of a size in px and dots per inch; give its name, "" where it cannot start.

    A program that opened a window on it must not handle events any more when it ends.

    Raises:
        FileNotFoundError: Xvfb is not installed.
    """
    wide, high = screen
    read_end, write_end = os.pipe()
    # Xvfb picks a free number by itself and tells it when it is ready: nothing to wait for.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{wide}x{high}x24",
         "-dpi", str(dpi), "-nolisten", "tcp"],
        pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write_end)
    with os.fdopen(read_end) as told:
        number = told.readline().strip()
    try:
        yield f":{number}" if number else ""
    finally:
        server.terminate()
        server.wait(10)
