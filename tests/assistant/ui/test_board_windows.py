"""The windows of the LED board: the simulated board's, and the one in which places are clicked."""

from __future__ import annotations

import pytest
from PIL import Image

from assistant.data import load_board
from assistant.present.map_shapes import map_shapes
from assistant.ui.lights_window import LightsWindow
from assistant.ui.photo_clicks import PhotoClicks

pytestmark = pytest.mark.usefixtures("display")


def test_the_simulated_boards_window_shows_its_lights() -> None:
    window = LightsWindow(map_shapes(load_board(), {}, ()), 33)
    unlit = window.colours()
    window.put([(255, 110, 0), *[(0, 0, 0)] * 31, (110, 0, 0)])
    window.paint_latest()
    shown = window.colours()
    assert len(shown) == 33
    assert (shown[0], shown[1:32]) == ("#ff6e00", unlit[1:32])
    assert shown[32] not in unlit
    window.close()
    window.close()


def test_points_clicked_on_a_photo_are_its_own_pixels() -> None:
    window = PhotoClicks(Image.new("RGB", (2200, 400)), ["one", "other"])
    window.click(10, 20)
    window.click(999, 1)
    assert window.points == [(20.0, 40.0), (1998.0, 2.0)]


def test_a_click_can_be_taken_back() -> None:
    window = PhotoClicks(Image.new("RGB", (200, 100)), ["one", "other"])
    window.click(1, 1)
    window.take_back()
    window.take_back()
    window.click(10, 20)
    window.click(30, 40)
    assert window.points == [(10.0, 20.0), (30.0, 40.0)]
