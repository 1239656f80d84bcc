"""A look at the newest frame now and then, in a thread of its own: the film never waits for it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from assistant.session import Frame
from assistant.workers import Latest, fault_of


class FrameWatch(ABC):
    """Looks at frames, always the newest; `put` and `stop` may be called from any thread."""

    def __init__(self, name: str, warn: Callable[[str], None]) -> None:
        """Start the thread: whoever builds on this is ready to look.

        Args:
            name: the thread's.
            warn: told what a look died of; the watch looks no more then.
        """
        self._warn = warn
        self._frames: Latest[Frame] = Latest()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._guarded, name=name, daemon=True)
        self._thread.start()

    @property
    @abstractmethod
    def is_wanted(self) -> bool:
        """Whether there is anything to look for."""

    @property
    @abstractmethod
    def pause_s(self) -> float:
        """How long the thread waits after a look."""

    @abstractmethod
    def look(self, frame: Frame) -> None:
        """Look at one frame (the thread does; tests may)."""

    def put(self, frame: Frame) -> None:
        """Give the newest frame."""
        if self.is_wanted:
            self._frames.put(frame)

    def stop(self, timeout_s: float = 0.5) -> bool:
        """End the thread; return whether it ended in time."""
        self._stopping.set()
        self._frames.close()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _guarded(self) -> None:
        fault = fault_of(self._work)
        if fault is not None:
            self._warn(fault_words(fault))

    def _work(self) -> None:
        while not self._stopping.is_set():
            frame = self._frames.take(0.2)
            if frame is not None:
                self.look(frame)
                self._stopping.wait(self.pause_s)


def fault_words(fault: Exception) -> str:
    """Return what the player is told of a fault that a thread died of."""
    return f"this is a fault in Bystander ({type(fault).__name__}: {fault})"
