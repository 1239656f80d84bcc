"""The map's painter: what it dies of reaches the window, which tells the player."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.ui import map_view
from tests.assistant.ui.play_driver import Driven


@pytest.mark.usefixtures("display")
def test_a_fault_in_drawing_the_map_closes_the_window_and_is_kept_to_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))

    def broken(*_job: object) -> None:
        raise ZeroDivisionError("a map without places")

    driven = Driven()
    driven.begin()
    driven.until(lambda: driven.window.map.is_drawn)
    monkeypatch.setattr(map_view, "draw_map", broken)
    driven.window.map._redraw()
    driven.until(lambda: driven.window.failure)
    with pytest.raises(ZeroDivisionError, match="a map without places"):
        driven.close()
