"""A display of its own for the tests of windows, where Xvfb is installed."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.assistant.ui.play_driver import Driven


@pytest.fixture(autouse=True)
def tk_is_collected_where_it_was_made() -> Iterator[None]:
    """Let no worker's thread collect what windows leave behind: Tcl ends the program for that.

    A program has one window system for its whole life; these tests make and leave one after
    another, in cycles that only the collector frees, and it runs in whichever thread allocates.
    """
    gc.collect()
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def no_window_outlives_its_test() -> Iterator[None]:
    """Close what a failed test left open: its window would keep the next one's loop running."""
    yield
    while Driven.left_open:
        Driven.left_open[-1].close()


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a virtual display of 1400x800, set as DISPLAY."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    read_end, write_end = os.pipe()
    # Xvfb picks a free number by itself and tells it when it is ready: nothing to wait for.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1400x800x24", "-nolisten", "tcp"],
        pass_fds=[write_end],
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    with os.fdopen(read_end) as told:
        number = told.readline().strip()
    if not number:
        server.wait(10)
        pytest.skip("Xvfb does not start here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", f":{number}")
        yield f":{number}"
    server.terminate()
    server.wait(10)
