"""What the cards lie on: cloth, wood, a pale table top. Grey tiles that repeat, and palettes."""

from __future__ import annotations

from enum import Enum
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import Homography
from assistant.vision.sighting import Picture

Grey = npt.NDArray[np.uint8]

#: Tiles are square, this many px wide, and repeat without a seam (they come from periodic noise).
TILE_PX = 1024
TILE_PX_PER_MM = 3.2


class Surface(Enum):
    """What covers the table."""

    CLOTH = "cloth"
    WOOD = "wood"
    PALE = "pale"


#: Dark and light end of each palette, BGR.
_PALETTES: dict[Surface, tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...]] = {
    Surface.CLOTH: (
        ((40, 62, 16), (92, 118, 52)),
        ((96, 40, 22), (160, 84, 58)),
        ((24, 20, 20), (56, 50, 48)),
        ((36, 24, 84), (72, 52, 142)),
        ((104, 104, 100), (156, 154, 150)),
    ),
    Surface.WOOD: (
        ((28, 48, 74), (86, 130, 176)),
        ((16, 28, 44), (52, 78, 112)),
        ((70, 100, 128), (142, 176, 204)),
        ((22, 32, 62), (62, 92, 150)),
    ),
    Surface.PALE: (
        ((176, 184, 190), (214, 222, 228)),
        ((196, 200, 202), (236, 238, 240)),
        ((150, 162, 172), (196, 206, 214)),
    ),
}


def surface_seen(
    kind: Surface, lots: np.random.Generator, to_frame: Homography, size: tuple[int, int]
) -> Picture:
    """Return the frame filled with a surface; `to_frame` maps mm on the table to px."""
    dark, light = _PALETTES[kind][int(lots.integers(len(_PALETTES[kind])))]
    turn = lots.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn) / TILE_PX_PER_MM, np.sin(turn) / TILE_PX_PER_MM
    shift = lots.uniform(-400, 400, 2)
    laid = np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0, 0, 1]])
    grey = cv2.warpPerspective(_tile(kind), to_frame @ laid, size, borderMode=cv2.BORDER_WRAP)
    hue = lots.uniform(0.93, 1.07, 3) * lots.uniform(0.9, 1.1)
    ramp = np.linspace(0, 1, 256)[:, None]
    palette = (np.array(dark) * (1 - ramp) + np.array(light) * ramp) * hue
    colours = np.clip(palette, 0, 255).astype(np.uint8)[:, None, :]
    return np.asarray(cv2.applyColorMap(grey, colours), np.uint8)


@cache
def _tile(kind: Surface) -> Grey:
    lots = np.random.default_rng(list(kind.value.encode()))
    if kind is Surface.WOOD:
        return _wood(lots)
    if kind is Surface.CLOTH:
        return _cloth(lots)
    return _grey(_cloudy(lots, 120, 120) * 0.6 + _cloudy(lots, 1.0, 1.0) * 0.5)


def _cloth(lots: np.random.Generator) -> Grey:
    rows, columns = np.mgrid[0:TILE_PX, 0:TILE_PX].astype(np.float32)
    # 256 threads a tile each way: 1.25 mm at the tile's scale.
    weave = np.cos(columns * (2 * np.pi * 256 / TILE_PX)) * np.cos(
        rows * (2 * np.pi * 256 / TILE_PX)
    )
    slubs = _cloudy(lots, 14, 0.8) + _cloudy(lots, 0.8, 14)
    return _grey(
        weave * 0.35 + slubs * 0.5 + _cloudy(lots, 80, 80) * 0.6 + _cloudy(lots, 0.7, 0.7) * 0.4
    )


def _wood(lots: np.random.Generator) -> Grey:
    rows, _ = np.mgrid[0:TILE_PX, 0:TILE_PX].astype(np.float32)
    bend = _cloudy(lots, 160, 40) * 14
    rings = np.sin((rows + bend) * (2 * np.pi * 24 / TILE_PX)) * 0.35
    grain = _cloudy(lots, 60, 0.9) * 0.8 + _cloudy(lots, 14, 0.6) * 0.6 + _cloudy(lots, 90, 6) * 0.9
    wood = _grey(rings + grain)
    for seam in range(0, TILE_PX, TILE_PX // 4):
        tone = lots.uniform(0.8, 1.15)
        plank = wood[seam : seam + TILE_PX // 4].astype(np.float32) * tone
        wood[seam : seam + TILE_PX // 4] = np.clip(plank, 0, 255).astype(np.uint8)
        wood[seam : seam + 2] = wood[seam : seam + 2] // 3
    return wood


def _cloudy(lots: np.random.Generator, x_px: float, y_px: float) -> npt.NDArray[np.float32]:
    """Return periodic noise of unit spread, smooth over (x, y) px."""
    white = lots.standard_normal((TILE_PX, TILE_PX)).astype(np.float32)
    fx = np.fft.rfftfreq(TILE_PX)[None, :] * x_px
    fy = np.fft.fftfreq(TILE_PX)[:, None] * y_px
    low = np.fft.irfft2(
        np.fft.rfft2(white) * np.exp(-2 * np.pi**2 * (fx**2 + fy**2)), s=white.shape
    )
    return np.asarray(low / low.std(), np.float32)


def _grey(values: npt.NDArray[np.float32]) -> Grey:
    return np.asarray(np.clip(128 + values * (52 / values.std()), 0, 255), np.uint8)
