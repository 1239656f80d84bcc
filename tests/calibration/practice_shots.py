"""Pictures of the practice deck's keys with their truth, drawn once for all tests."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Shot

#: Pictures of the printed game, which lie beside the repository where they are at all.
SHARED_TABLE = Path(__file__).resolve().parents[3] / "shared" / "table"

needs_printed_game = pytest.mark.skipif(
    not SHARED_TABLE.is_dir(), reason="the pictures of the printed game are not here"
)


@lru_cache(maxsize=4)
def key_shots(seed: int, count: int = 44) -> tuple[Shot, ...]:
    """Return fronts and backs in turn; the first 22 show every side once."""
    table = VirtualTable(PracticeDeck(load_board(), 1), seed)
    return tuple(table.calibration_shots(seed, count))
