"""The one clock: wall time for the log, running time for cameras."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)


def now_here() -> datetime:
    """Return the present moment with the offset of this machine's zone, for whoever reads it."""
    return now().astimezone()


def running_s() -> float:
    """Return seconds on a clock that never runs backwards."""
    return time.monotonic()
