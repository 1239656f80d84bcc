"""What light and camera do to a picture: lamp, shine, white balance, blur, noise, JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.practice.sprite import Cover
from assistant.vision.sighting import Picture


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


def lit(picture: Picture, lens: Lens) -> Picture:
    """Return the picture as light and optics give it, before noise and packing."""
    height, width = picture.shape[:2]
    gain = cv2.resize(lens.light, (width, height), interpolation=cv2.INTER_LINEAR)
    gains = cv2.merge([gain * np.float32(share) for share in lens.cast_bgr])
    seen = cv2.multiply(picture, gains, dtype=cv2.CV_8U)
    for shine in lens.shines:
        _add_shine(np.asarray(seen, np.uint8), shine)
    if lens.smear is not None:
        seen = cv2.filter2D(seen, -1, lens.smear)
    if lens.blur_px > 0.15:
        seen = cv2.GaussianBlur(seen, (0, 0), lens.blur_px)
    return np.asarray(seen, np.uint8)


def packed(picture: Picture, lens: Lens, lots: np.random.Generator) -> Picture:
    """Return the picture with the sensor's noise, packed and unpacked as a webcam's JPEG."""
    height, width = picture.shape[:2]
    grain = _grain(height + 64, width + 64, round(lens.noise * 4))
    x, y = int(lots.integers(64)), int(lots.integers(64))
    noisy = cv2.add(picture, grain[y : y + height, x : x + width], dtype=cv2.CV_8U)
    done, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg])
    if not done:
        raise ValueError(f"no JPEG of a {picture.shape} picture")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _add_shine(seen: Picture, shine: Shine) -> None:
    height, width = seen.shape[:2]
    reach = 2.6 * max(shine.long_px, shine.wide_px)
    x0, x1 = (int(np.clip(shine.x_px + s * reach, 0, width)) for s in (-1, 1))
    y0, y1 = (int(np.clip(shine.y_px + s * reach, 0, height)) for s in (-1, 1))
    if x0 >= x1 or y0 >= y1:
        return
    rows, columns = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    turn = np.deg2rad(shine.turn_deg)
    dx, dy = columns - shine.x_px, rows - shine.y_px
    along = (dx * np.cos(turn) + dy * np.sin(turn)) / shine.long_px
    across = (dy * np.cos(turn) - dx * np.sin(turn)) / shine.wide_px
    glow = np.exp(-(along**2 + across**2)) * (255 * shine.strength)
    piece = np.ascontiguousarray(seen[y0:y1, x0:x1])
    seen[y0:y1, x0:x1] = cv2.add(piece, cv2.merge([glow, glow, glow]), dtype=cv2.CV_8U)


@lru_cache(maxsize=24)
def _grain(height: int, width: int, quarter_levels: int) -> npt.NDArray[np.int16]:
    """Return sensor noise, a little smeared as a camera's own cleaning leaves it."""
    lots = np.random.default_rng((quarter_levels, height, width))
    grey = lots.standard_normal((height, width, 1), np.float32)
    colour = cv2.GaussianBlur(lots.standard_normal((height, width, 3), np.float32), (0, 0), 1.0)
    mixed = cv2.GaussianBlur(grey, (0, 0), 0.5)[:, :, None] * 1.6 + colour * 1.8
    return np.asarray(np.round(mixed * (quarter_levels / 4 * 0.75)), np.int16)
