"""The windows of the LED board: the simulated board's, and the one in which places are clicked."""

from __future__ import annotations

import pytest
from PIL import Image

from assistant.data import load_board
from assistant.present.map_shapes import map_shapes
from assistant.ui.lights_window import LightsWindow
from assistant.ui.photo_clicks import PhotoClicks, ask_clicks

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


def test_the_simulated_boards_window_paints_what_comes_until_its_board_is_gone() -> None:
    window = LightsWindow(map_shapes(load_board(), {}, ()), 11)
    painted: list[str] = []
    polls = 0

    def goes_on() -> bool:
        nonlocal polls
        polls += 1
        painted.append(window.colours()[0])
        window.put([(255, 0, 0) if polls == 1 else (0, 255, 0)] * 11)
        return polls < 3

    window.run(goes_on)
    assert painted[1:] == ["#ff0000", "#00ff00"]
    assert polls == 3
    window.close()


def test_the_simulated_boards_window_can_be_closed_while_its_board_goes_on() -> None:
    window = LightsWindow(map_shapes(load_board(), {}, ()), 11)
    window._root.after(50, window.close)
    window.run(lambda: True)
    window.close()


def test_clicks_are_given_when_all_is_clicked_and_none_where_the_window_is_closed_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture = Image.new("RGB", (200, 100))

    def clicks(count: int) -> None:
        def run(self: PhotoClicks) -> None:
            for number in range(count):
                self.click(number, 5)
            if count < 2:
                self._root.destroy()

        monkeypatch.setattr(PhotoClicks, "run", run)

    clicks(2)
    assert ask_clicks(picture, ["one", "other"]) == [(0.0, 5.0), (1.0, 5.0)]
    clicks(1)
    assert ask_clicks(picture, ["one", "other"]) is None
