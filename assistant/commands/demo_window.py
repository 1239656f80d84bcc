"""The demo in a window: the game plays in a worker, the window shows its news."""

from __future__ import annotations

import argparse
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np
from PIL import Image

from assistant.present.map_shapes import MapShapes, map_shapes
from assistant.session import Frame, Listener, News, Notice, ReadingTaken, Sighted
from assistant.ui.plain_window import (
    FILM_PX,
    Finished,
    MapChanged,
    Message,
    PlainWindow,
    Said,
)
from assistant.workers import Latest, fault_of

if TYPE_CHECKING:
    from assistant.commands.demo_game import DemoGame
    from assistant.core.state import State

#: What plays the game: arguments, how to start it, listeners, what is told in words -> exit code.
Play = Callable[
    [
        argparse.Namespace,
        Callable[["DemoGame"], None],
        tuple[Listener, ...],
        Callable[[str], None],
    ],
    int,
]

_FRAME_S = 1 / 30


def play_in_window(args: argparse.Namespace, play: Play) -> int:
    """Play the demo in a worker thread and show it; return the exit code (0 when closed early)."""
    shown = _Shown()
    ended: list[int | Exception] = []

    def work() -> None:
        fault = fault_of(lambda: ended.append(play(args, shown.start, (shown.told,), shown.say)))
        if fault is not None:
            ended.append(fault)  # raised below
        shown.messages.put(Finished())

    worker = threading.Thread(target=work, name="demo", daemon=True)
    window = PlainWindow("Bystander: a practice game", shown.messages, shown.newest)
    worker.start()
    window.run()
    shown.stop()
    worker.join(10.0)
    if not ended:
        return 0
    if isinstance(ended[0], Exception):
        raise ended[0]
    return 0 if shown.was_closed_early else ended[0]


class _Shown:
    """News on its way from the game's thread to the window's."""

    def __init__(self) -> None:
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.was_closed_early = False
        self._frames: Latest[Frame] = Latest()
        self._game: DemoGame | None = None
        self._due_s = 0.0

    def start(self, game: DemoGame) -> None:
        """Play the game, which `stop` can then end (called in the worker)."""
        self._game = game
        game.play()
        self._game = None

    def stop(self) -> None:
        """End a game that is still on."""
        game = self._game
        if game is not None:
            self.was_closed_early = True
            game.is_stopped = True

    def told(self, news: News) -> None:
        """Pass news on (called in the worker); keeps the film at its own pace."""
        if isinstance(news, Sighted):
            self._frames.put(news.frame)
            self._keep_pace()
        elif isinstance(news, ReadingTaken):
            from assistant.commands.demo import reading_lines

            for line in reading_lines(news):
                self.messages.put(Said(line))
            self.messages.put(MapChanged(_shapes(news.state)))
        elif isinstance(news, Notice):
            self.messages.put(Said(news.text))
        else:
            self.messages.put(MapChanged(_shapes(news.state)))

    def say(self, line: str) -> None:
        """Show a line (called in the worker)."""
        self.messages.put(Said(line))

    def newest(self) -> Image.Image | None:
        """Return the newest picture at the size shown (called in the window's thread)."""
        frame: Frame | None = self._frames.take(0.0)
        if frame is None:
            return None
        small = cv2.resize(frame.picture, FILM_PX, interpolation=cv2.INTER_AREA)
        return Image.fromarray(np.ascontiguousarray(small[:, :, ::-1]))

    def _keep_pace(self) -> None:
        now_s = time.monotonic()
        self._due_s = max(self._due_s + _FRAME_S, now_s - _FRAME_S)
        if self._due_s > now_s:
            time.sleep(self._due_s - now_s)


def _shapes(state: State) -> MapShapes:
    read = state.youth.deduction.asked | state.rendezvous.deduction.asked
    return map_shapes(state.board, state.youth.weights, state.rendezvous.candidates, read)
