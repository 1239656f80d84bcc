"""A display of its own for the tests of windows, where Xvfb is installed."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.assistant.ui.play_driver import Driven
from tests.assistant.ui.virtual_display import virtual_display


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
def learnt(practice_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the practice deck is learnt."""
    home = tmp_path_factory.mktemp("learnt")
    shutil.copytree(practice_folder, home / practice_folder.name)
    return home


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a virtual display of 1400x800, set as DISPLAY."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    with virtual_display((1400, 800)) as name:
        if not name:
            pytest.skip("Xvfb does not start here")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DISPLAY", name)
            yield name


@pytest.fixture(scope="session")
def displays() -> Iterator[Callable[[tuple[int, int], int], str]]:
    """What starts a display of a size and dots per inch, where there is none yet; until the end."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    names: dict[tuple[tuple[int, int], int], str] = {}
    with ExitStack() as opened:

        def display_of(size: tuple[int, int], dpi: int) -> str:
            if (size, dpi) not in names:
                names[size, dpi] = opened.enter_context(virtual_display(size, dpi))
            return names[size, dpi]

        yield display_of
