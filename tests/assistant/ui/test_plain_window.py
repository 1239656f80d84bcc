"""The plain window, for real, on a virtual display."""

from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageGrab

from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.present.map_shapes import map_shapes
from assistant.ui.plain_window import FILM_PX, Finished, MapChanged, Message, PlainWindow, Said


class Feed:
    """What a window shows: a queue and the newest picture."""

    def __init__(self) -> None:
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.taken = 0
        self.colours = [(200, 30, 30), (30, 200, 30)]

    def newest(self) -> Image.Image | None:
        self.taken += 1
        return Image.new("RGB", FILM_PX, self.colours[self.taken % 2])


def shown(feed: Feed, look: Callable[[Image.Image], None], display: str) -> None:
    """Run a window, take a screenshot when the feed has been shown, close it."""
    window = PlainWindow("a test", feed.messages, feed.newest)
    pictures: list[Image.Image] = []

    def shoot() -> None:
        pictures.append(ImageGrab.grab(xdisplay=display))
        feed.messages.put(Finished(linger_ms=1))

    window._root.geometry("+0+0")
    window._root.after(400, shoot)
    window.run()
    look(pictures[0])


def share_of(picture: Image.Image, colour: tuple[int, int, int]) -> int:
    """Return how many px have about this colour."""
    apart = np.abs(np.asarray(picture.convert("RGB")).astype(int) - colour).max(axis=2)
    return int((apart < 12).sum())


def test_the_window_shows_film_and_map_and_closes_when_it_is_finished(display: str) -> None:
    feed = Feed()
    board = load_board()
    feed.messages.put(MapChanged(map_shapes(board, {Location.CORNHILL: 1.0}, [Feature.CHURCH], ())))
    feed.messages.put(Said("a line"))

    def look(picture: Image.Image) -> None:
        film = max(share_of(picture, colour) for colour in feed.colours)
        assert film > 0.95 * FILM_PX[0] * FILM_PX[1]
        # The roads' colour of the map, and a blue ring.
        assert share_of(picture, (0xCD, 0xBF, 0x9F)) > 1000
        assert share_of(picture, (0x6F, 0x8F, 0xC0)) > 300

    shown(feed, look, display)


def test_no_word_of_the_map_is_cut(display: str) -> None:
    window = PlainWindow("a test", queue.SimpleQueue(), lambda: None)
    everywhere = dict.fromkeys(Location, 0.5)
    window._draw_map(map_shapes(load_board(), everywhere, list(Feature), ()))
    canvas = window._map
    canvas.update_idletasks()
    size = int(canvas.cget("width")), int(canvas.cget("height"))
    words = [item for item in canvas.find_all() if str(canvas.type(item)) == "text"]
    boxes = {canvas.itemcget(item, "text"): canvas.bbox(item) for item in words}  # type: ignore[no-untyped-call]
    window.close()
    assert len(boxes) == len(Location)
    for told, (left, top, right, bottom) in boxes.items():
        assert left >= 0, told
        assert top >= 0, told
        assert right <= size[0], told
        assert bottom <= size[1], told


def test_the_film_goes_on_at_thirty_and_more_polls_a_second(
    display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is waited between two polls, not what a busy machine makes of it.
    feed, waits_ms = Feed(), list[int]()
    window = PlainWindow("a test", feed.messages, feed.newest)
    after = window._root.after

    def noted(ms: int, then: Callable[[], None]) -> str:
        waits_ms.append(ms)
        if len(waits_ms) == 6:
            feed.messages.put(Finished(linger_ms=1))
        return after(ms, then)

    monkeypatch.setattr(window._root, "after", noted)
    window.run()
    assert feed.taken >= 6
    assert max(waits_ms) <= 1000 / 30


def test_closing_early_leaves_nothing_behind(
    display: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(5):
        feed = Feed()
        window = PlainWindow("a test", feed.messages, feed.newest)
        window._root.after(30, window.close)
        window.run()
        window.close()
        del window
        gc.collect()
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def test_messages_from_another_thread_are_all_shown(display: str) -> None:
    feed = Feed()
    window = PlainWindow("a test", feed.messages, feed.newest)

    def talk() -> None:
        for number in range(200):
            feed.messages.put(Said(f"line {number}"))
        feed.messages.put(Finished(linger_ms=200))

    threading.Thread(target=talk).start()
    texts: list[str] = []

    def note() -> None:
        # Again and again until the window closes: how fast it is does not matter.
        texts.append(window._lines.get("1.0", "end"))
        if window._is_open:
            window._root.after(20, note)

    note()
    window.run()
    assert [f"line {n}" for n in range(200)] == texts[-1].split("\n")[:200]
