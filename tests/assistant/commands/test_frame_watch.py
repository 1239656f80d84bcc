"""A watch looks at the newest frame, while there is something to look for, and tells faults."""

from __future__ import annotations

import queue
import threading

import numpy as np

from assistant.commands.frame_watch import FrameWatch
from assistant.session import Frame

LIMIT_S = 10.0


class Watch(FrameWatch):
    """Tells the index of each frame looked at; a frame below 0 is a fault."""

    is_wanted, pause_s = True, 0.0

    def __init__(self) -> None:
        self.looked: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.told: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.go_on = threading.Event()
        self.go_on.set()
        super().__init__("watch", self.told.put)

    def look(self, frame: Frame) -> None:
        if frame.index < 0:
            message = "no such frame"
            raise ValueError(message)
        self.looked.put(frame.index)
        self.go_on.wait(LIMIT_S)


def frame(index: int) -> Frame:
    return Frame(np.zeros((2, 2, 3), np.uint8), index, 0.0)


def test_the_newest_frame_is_looked_at_and_those_before_are_left_out() -> None:
    watch = Watch()
    watch.go_on.clear()
    watch.put(frame(1))
    assert watch.looked.get(timeout=LIMIT_S) == 1
    for index in (2, 3, 4):
        watch.put(frame(index))
    watch.go_on.set()
    assert watch.looked.get(timeout=LIMIT_S) == 4
    assert watch.stop(LIMIT_S)
    assert watch.looked.empty()


def test_where_nothing_is_looked_for_no_frame_is_taken() -> None:
    watch = Watch()
    watch.is_wanted = False
    watch.put(frame(1))
    watch.is_wanted = True
    watch.put(frame(2))
    assert watch.looked.get(timeout=LIMIT_S) == 2
    assert watch.stop(LIMIT_S)


def test_what_a_look_dies_of_is_told_in_words() -> None:
    watch = Watch()
    watch.put(frame(-1))
    assert watch.told.get(timeout=LIMIT_S) == (
        "this is a fault in Bystander (ValueError: no such frame)"
    )
    assert watch.stop(LIMIT_S)
