"""A film of a player who shows the practice keys to the camera, one side after the other.

It is what the calibration wizard sees: each key slides in, rests for a while on its own table, and
the next one follows. Nothing waits: the clock of the film is its frame number, 30 a second.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assistant.practice.camera import FRAMES_PER_S
from assistant.practice.deck import PracticeDeck
from assistant.practice.table import VirtualTable
from assistant.session import Frame
from assistant.vision.sighting import Picture

#: Frames in which a key slides in, and those for which it rests then.
SLIDES = 8
RESTS = 52
#: Spread of the sensor's noise, grey levels.
NOISE = 1.5
_NOISES = 4


class PicturesShown:
    """A CameraSource that shows pictures one after the other, each sliding in and resting."""

    def __init__(self, pictures: Sequence[Picture], rests: int = RESTS, seed: int = 1) -> None:
        """Show all of the pictures once; all have one size. The film ends with the last."""
        self._pictures = pictures
        self._each = SLIDES + rests
        self._next = 0
        lots = np.random.default_rng(seed)
        shape = pictures[0].shape
        self._grains = [
            np.rint(lots.normal(0, NOISE, shape)).astype(np.int16) for _ in range(_NOISES)
        ]

    @property
    def shown(self) -> int:
        """The number of the picture that the last frame showed."""
        return min(max(self._next - 1, 0) // self._each, len(self._pictures) - 1)

    def read(self, timeout_s: float = 0.0) -> Frame | None:
        """Return the next frame at once; None when the film is over."""
        del timeout_s
        number = self._next
        which, moment = divmod(number, self._each)
        if which >= len(self._pictures):
            return None
        self._next += 1
        picture = self._pictures[which]
        if moment < SLIDES:
            away = round(picture.shape[1] * (1 - (moment + 1) / (SLIDES + 1)) ** 2)
            picture = np.roll(picture, away, axis=1)
        seen = np.clip(picture + self._grains[number % _NOISES], 0, 255).astype(np.uint8)
        return Frame(seen, number, number / FRAMES_PER_S)

    def close(self) -> None:
        """End the film here."""
        self._next = self._each * len(self._pictures)


def keys_shown(deck: PracticeDeck, seed: int = 1, rests: int = RESTS) -> PicturesShown:
    """Return a film in which every key is shown from both sides, twice, on other tables."""
    shots = VirtualTable(deck, seed).calibration_shots(seed, count=44)
    return PicturesShown([shot.picture_bgr for shot in shots], rests, seed)
