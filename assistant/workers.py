"""What the threads share: the frame around a worker's work, the slot for the newest value.

A worker runs its work in `fault_of`, so that what it dies of is told to the player and not lost on
a terminal that nobody sees. What one thread makes faster than another takes goes through `Latest`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


def fault_of(work: Callable[[], object]) -> Exception | None:
    """Run a worker's whole work; return what it died of, None when it came to its end.

    The caller shows it or raises it elsewhere; a thread must not drop it.
    """
    try:
        work()
    except Exception as error:  # noqa: BLE001 - a worker's outermost frame: returned to be shown
        return error
    return None


class Latest(Generic[Value]):
    """A slot for one value: a new one takes the old one's place. Any threads."""

    def __init__(self) -> None:
        """Start empty."""
        self._value: Value | None = None
        self._changed = threading.Condition()
        self._closed = False

    def put(self, value: Value) -> None:
        """Put the newest value in."""
        with self._changed:
            self._value = value
            self._changed.notify_all()

    def take(self, timeout_s: float) -> Value | None:
        """Take the value out, waiting for one at most `timeout_s`; None when none came."""
        with self._changed:
            self._changed.wait_for(lambda: self._value is not None or self._closed, timeout_s)
            value, self._value = self._value, None
            return value

    def close(self) -> None:
        """Wake whoever waits; nothing more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
