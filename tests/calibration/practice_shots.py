"""Pictures of the practice deck's keys with their truth, drawn once for all tests.

What 44 of them teach is learnt once, too: nothing changes a lesson.
"""

from __future__ import annotations

from functools import lru_cache

from assistant.data import load_board, load_keys
from assistant.practice.deck import PracticeDeck
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Shot
from calibration.learning import Lesson, learn


@lru_cache(maxsize=4)
def key_shots(seed: int, count: int = 44) -> tuple[Shot, ...]:
    """Return fronts and backs in turn; the first 22 show every side once."""
    table = VirtualTable(PracticeDeck(load_board(), 1), seed)
    return tuple(table.calibration_shots(seed, count))


@lru_cache(maxsize=1)
def learnt_shots() -> Lesson:
    """Return what the 44 shots of the first seed teach: every side twice."""
    return learn([shot.picture_bgr for shot in key_shots(1)], load_keys())
