"""A slot for one value between threads: a new one takes the old one's place."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Latest(Generic[Value]):
    """The newest value that was not taken yet. Any threads."""

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
        """Wake whoever waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed
