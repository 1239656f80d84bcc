"""Pictures of the practice deck's keys with their truth, drawn once for all tests."""

from __future__ import annotations

from functools import lru_cache

from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Shot


@lru_cache(maxsize=4)
def key_shots(seed: int, count: int = 44) -> tuple[Shot, ...]:
    """Return fronts and backs in turn; the first 22 show every side once."""
    table = VirtualTable(PracticeDeck(load_board(), 1), seed)
    return tuple(table.calibration_shots(seed, count))
