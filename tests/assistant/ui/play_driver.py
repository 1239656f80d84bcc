"""Drives the play window as hands would: by keys and clicks, for real.

`until` lets the window work, event by event, until something is so.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from tkinter import ttk
from typing import ClassVar

from assistant.commands.play_desk import DeskOptions, PlayDesk
from assistant.commands.play_window import small_pictures
from assistant.core.state import State, fold
from assistant.data import load_board
from assistant.journal import decode
from assistant.present.choices import Ask, Offer
from assistant.ui.emblem_masks import emblem_masks
from assistant.ui.play_window import PlayWindow
from assistant.ui.window_frame import WindowParts, WindowSettings

FONT = str(resources.files("assistant.data").joinpath("fonts/GentiumBasic-Bold.ttf"))

_KEYS = {" ": "space", ":": "colon", "-": "minus"}


class Driven:
    """A desk with its window; `close` ends both."""

    #: Those that no test has closed yet: a window left open keeps the next one's loop running.
    left_open: ClassVar[list[Driven]] = []

    def __init__(self, camera: str = "", settings: WindowSettings | None = None) -> None:
        self.desk = PlayDesk(DeskOptions(font_path=FONT, camera=camera))
        parts = WindowParts(
            load_board(), FONT, emblem_masks(small_pictures()), settings or WindowSettings()
        )
        self.window = PlayWindow(self.desk, parts)
        self.root = self.window.root
        self.root.geometry("+0+0")
        self.left_open.append(self)
        self.until(self.root.winfo_viewable)

    def until(self, is_so: Callable[[], object], limit_s: float = 20.0) -> None:
        """Let the window work until something is so; fail after a while."""
        assert self.came(is_so, limit_s), f"still not so; the window asks: {self.asked.title}"

    def came(self, is_so: Callable[[], object], limit_s: float) -> bool:
        """Let the window work until something is so; return whether it came in time."""
        end_s = time.monotonic() + limit_s
        while not is_so():
            if time.monotonic() > end_s:
                return False
            self.root.tk.dooneevent(0)
        return True

    def settle(self, seconds: float = 0.3) -> None:
        """Let the window work for a moment."""
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            self.root.tk.dooneevent(0)

    @property
    def asked(self) -> Ask:
        """The question that is shown."""
        return self.window._stack[-1]

    @property
    def state(self) -> State:
        """The state that is shown."""
        assert self.window._screen is not None
        return self.window._screen.state

    def press(self, key: str) -> None:
        """Press a key."""
        self.root.focus_force()
        self.root.update()
        self.root.event_generate(f"<KeyPress-{_KEYS.get(key, key)}>")

    def answer(self, label: str) -> None:
        """Give the answer whose words begin so, by its key."""
        offer = self.offer(label)
        self.press(" " if offer is self.asked.first else offer.key)

    def offer(self, label: str) -> Offer:
        """Return the answer whose words begin so."""
        found = [offer for offer in self.asked.offers if offer.label.startswith(label)]
        assert found, f"no {label!r} among {[offer.label for offer in self.asked.offers]}"
        return found[0]

    def has(self, label: str) -> bool:
        """Whether there is an answer whose words begin so."""
        return any(offer.label.startswith(label) for offer in self.asked.offers)

    def acts(self, *labels: str) -> None:
        """Give a row of answers that ends in an act, and let it arrive."""
        before = len(self.state.log)
        for label in labels:
            self.answer(label)
        self.until(lambda: len(self.state.log) > before)

    def score(self, points: int) -> None:
        """Tell the base game's points, at the game's end."""
        self.answer("Enter the base")
        self.until(lambda: isinstance(self.root.focus_get(), ttk.Entry))
        entry = self.root.focus_get()
        assert entry is not None
        for digit in str(points):
            entry.event_generate(f"<KeyPress-{digit}>")
        entry.event_generate("<Return>")
        self.until(lambda: self.state.game.base_points == points)

    def begin(self) -> None:
        """Begin a game as the set-up page stands."""
        self.until(lambda: self.has("Begin"))
        self.press(" ")
        self.until(lambda: self.window._is_on and self.state.in_force)

    def close(self) -> bool:
        """Close the window and the desk; return whether all threads ended.

        What is left of Tk is dropped here and now: a worker of the next test must not do it.
        """
        if self in self.left_open:
            self.left_open.remove(self)
        loading = self.desk._sources._loading
        if loading is not None:
            # On a busy machine the cards are not ready yet; the program would leave hard.
            loading.join(5.0)
        failure = self.window.failure
        self.window.close()
        ended = self.desk.close()
        del self.window, self.root
        gc.collect()
        if failure is not None:
            raise failure
        return ended


def replayed(home: Path) -> State:
    """Return the state that the newest log in a home folds to."""
    log = max((home / "sessions").glob("*.jsonl"))
    return fold(load_board(), decode(log.read_bytes()).trusted())
