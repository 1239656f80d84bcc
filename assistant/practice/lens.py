"""What light and camera do to a picture: lamp, shine, white balance, blur, noise, JPEG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.practice.sprite import Cover
from assistant.vision.sighting import Picture

#: How finely the kept grain is told: steps for one level of noise.
_GRAIN_STEPS = 40


@dataclass(frozen=True, slots=True)
class Shine:
    """A lamp's reflection: where (px), how wide along and across (px), its turn, how bright."""

    x_px: float
    y_px: float
    long_px: float
    wide_px: float
    turn_deg: float
    strength: float


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """All that a camera adds. `light` is a coarse (rows, columns) map of gains, exposure within."""

    light: npt.NDArray[np.float32]
    cast_bgr: tuple[float, float, float]
    shines: tuple[Shine, ...]
    blur_px: float
    smear: Cover | None
    noise: float
    jpeg: int


class Optics:
    """Light and glass over one table: what they do to a frame, or to a piece of it."""

    def __init__(self, lens: Lens, size: tuple[int, int]) -> None:
        """`size` is the frame's (width, height) in px."""
        self.lens = lens
        gain = cv2.resize(lens.light, size, interpolation=cv2.INTER_LINEAR)
        self._gains = cv2.merge([gain * np.float32(share) for share in lens.cast_bgr])
        #: A piece needs this much of its surroundings to be seen as it is within the frame.
        self.reach_px = math.ceil(3 * lens.blur_px) + (
            0 if lens.smear is None else lens.smear.shape[0] // 2
        )

    def seen(self, piece: Picture, left: int = 0, top: int = 0) -> Picture:
        """Return a piece of the frame whose top left pixel lies at (left, top), lit and blurred."""
        height, width = piece.shape[:2]
        gains = self._gains[top : top + height, left : left + width]
        seen = np.asarray(cv2.multiply(piece, gains, dtype=cv2.CV_8U), np.uint8)
        for shine in self.lens.shines:
            _add_shine(seen, shine, left, top)
        if self.lens.smear is not None:
            seen = np.asarray(cv2.filter2D(seen, -1, self.lens.smear), np.uint8)
        if self.lens.blur_px > 0.15:
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), self.lens.blur_px), np.uint8)
        return seen


def packed(picture: Picture, lens: Lens, lots: np.random.Generator) -> Picture:
    """Return the picture with the sensor's noise, packed and unpacked as a webcam's JPEG."""
    height, width = picture.shape[:2]
    x, y = int(lots.integers(64)), int(lots.integers(64))
    grain = _grain(height + 64, width + 64)[y : y + height, x : x + width]
    # The one kept grain becomes this lens's by a table: quicker than a multiplication.
    levels = np.round((np.arange(256) - 128) / _GRAIN_STEPS * lens.noise).astype(np.int16)
    noisy = cv2.add(picture, cv2.LUT(grain, levels), dtype=cv2.CV_8U)
    done, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg])
    if not done:
        raise ValueError(f"no JPEG of a {picture.shape} picture")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _add_shine(seen: Picture, shine: Shine, left: int, top: int) -> None:
    height, width = seen.shape[:2]
    at_x, at_y = shine.x_px - left, shine.y_px - top
    reach = 2.6 * max(shine.long_px, shine.wide_px)
    x0, x1 = (int(np.clip(at_x + s * reach, 0, width)) for s in (-1, 1))
    y0, y1 = (int(np.clip(at_y + s * reach, 0, height)) for s in (-1, 1))
    if x0 >= x1 or y0 >= y1:
        return
    rows, columns = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    turn = np.deg2rad(shine.turn_deg)
    dx, dy = columns - at_x, rows - at_y
    along = (dx * np.cos(turn) + dy * np.sin(turn)) / shine.long_px
    across = (dy * np.cos(turn) - dx * np.sin(turn)) / shine.wide_px
    glow = np.exp(-(along**2 + across**2)) * (255 * shine.strength)
    piece = np.ascontiguousarray(seen[y0:y1, x0:x1])
    seen[y0:y1, x0:x1] = cv2.add(piece, cv2.merge([glow, glow, glow]), dtype=cv2.CV_8U)


@lru_cache(maxsize=4)
def _grain(height: int, width: int) -> npt.NDArray[np.uint8]:
    """Return sensor noise round 128, a little smeared as a camera's own cleaning leaves it."""
    lots = np.random.default_rng((height, width))
    grey = lots.standard_normal((height, width), np.float32)
    colour = cv2.GaussianBlur(lots.standard_normal((height, width, 3), np.float32), (0, 0), 1.0)
    mixed = cv2.GaussianBlur(grey, (0, 0), 0.5)[:, :, None] * 1.2 + colour * 1.35
    return np.asarray(np.clip(128 + mixed * _GRAIN_STEPS, 0, 255).round(), np.uint8)
