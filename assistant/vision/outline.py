"""Where a hole's edge shows on a straightened patch, and how clearly.

The edge of a hole is a faint line, dark on one side of it and light on the other as the lamp
stands, while print beside it is ten times stronger. So it is not strength that is asked for but
direction: how much more the shade changes across the outline than along it, at every point of the
outline, each point counting at most 1. (The orientation tensor: Bigun and Granlund, 1987.)

Two such measures, one smoothed wide to find the place, one narrow to say how clear it is, and the
plain slope over the noise along the outline, which sees less on a blurred edge but more on a thin
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

#: How far from its printed place the outline is looked for: print and die are up to 1.4 mm out of
#: register in the pictures, the pose up to 0.6.
REACH_MM = 2.0

#: A place far from the printed one must show the edge better: this much per (2 mm) squared.
_FAR_COST = 0.05

#: Mean and spread of the narrow measure and of the slope at the best place on pieces of key backs
#: without a hole (11 x 10 places on 179 pictures); no such place was above _CLEAR together.
_NARROW_NONE = (0.147, 0.056)
_SLOPE_NONE = (0.446, 0.190)
_CLEAR = 6.0


@dataclass(frozen=True, slots=True)
class Outline:
    """How clearly a hole's edge shows at its best place.

    `clearness`: 1 is the most that a place without a hole has shown; sharp holes show 3 to 5.
    `shift_mm`: the best place, (x, y) from the printed one.
    """

    clearness: float
    shift_mm: tuple[float, float]


def find_outline(grey: Floats, mask: npt.NDArray[np.uint8], px_per_mm: float) -> Outline:
    """Return where a hole's edge shows best near its printed place, and how clearly.

    `grey` is the patch, (rows, columns); `mask` the hole at its printed place on it, 255 inside.
    """
    probe = _probe(mask.tobytes(), mask.shape, px_per_mm)
    soft = cv2.GaussianBlur(grey, (0, 0), px_per_mm * 0.2)
    slope_x = np.asarray(cv2.Scharr(soft, cv2.CV_32F, 1, 0, scale=1 / 32), np.float32)
    slope_y = np.asarray(cv2.Scharr(soft, cv2.CV_32F, 0, 1, scale=1 / 32), np.float32)
    wide = probe.agreement(slope_x, slope_y, px_per_mm * 0.4) - probe.far_cost
    row, column = np.unravel_index(int(wide.argmax()), wide.shape)
    near = np.s_[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
    narrow = float(probe.agreement(slope_x, slope_y, 0.0)[near].max())
    slope = float(probe.slope_over_noise(slope_x, slope_y)[near].max())
    clearness = (narrow - _NARROW_NONE[0]) / _NARROW_NONE[1]
    clearness += (slope - _SLOPE_NONE[0]) / _SLOPE_NONE[1]
    shift = probe.shifts_px[column] / px_per_mm, probe.shifts_px[row] / px_per_mm
    return Outline(clearness / _CLEAR, (float(shift[0]), float(shift[1])))


def upside_down(
    mask: npt.NDArray[np.uint8], centre_px: tuple[float, float]
) -> npt.NDArray[np.uint8]:
    """Return a hole's mask turned over its circle's centre: the stem points up."""
    turned = np.array([[1, 0, 0], [0, -1, 2 * centre_px[1]]], np.float64)
    return np.asarray(cv2.warpAffine(mask, turned, mask.shape[::-1]), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Probe:
    """The outline's points at every shift, as indices into a patch, and their normals.

    `index`: (shifts y, shifts x, points). `normal`: unit, (2, points) x and y.
    """

    index: npt.NDArray[np.int64]
    normal: Floats
    shifts_px: npt.NDArray[np.int64]
    far_cost: npt.NDArray[np.float64]

    def agreement(self, slope_x: Floats, slope_y: Floats, smooth_px: float) -> Floats:
        """Return, for every shift, how well edges run along the outline: -1 to 1."""
        xx, yy, xy = slope_x * slope_x, slope_y * slope_y, slope_x * slope_y
        if smooth_px:
            xx, yy, xy = (_smoothed(part, smooth_px) for part in (xx, yy, xy))
        power = xx + yy
        power += np.float32(np.median(power[::2, ::2]) + 1e-7)
        across = ((xx - yy) / power).ravel()[self.index] @ (
            self.normal[0] ** 2 - self.normal[1] ** 2
        )
        slanted = (xy / power).ravel()[self.index] @ (4 * self.normal[0] * self.normal[1])
        return np.asarray((across + slanted) / self.index.shape[2], np.float32)

    def slope_over_noise(self, slope_x: Floats, slope_y: Floats) -> Floats:
        """Return, for every shift, the slope across less that along, over the noise along."""
        x, y = slope_x.ravel()[self.index], slope_y.ravel()[self.index]
        across = np.abs(x * self.normal[0] + y * self.normal[1])
        along = np.abs(x * self.normal[1] - y * self.normal[0])
        noise = np.float32(np.median(along[::2, ::2]) + 1e-4)
        # Print is far stronger than the hole's edge: a point counts so much and no more.
        most = 5 * noise
        return np.asarray(
            (np.minimum(across, most) - np.minimum(along, most)).mean(axis=2) / noise, np.float32
        )


def _smoothed(image: Floats, sigma_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.float32)


@lru_cache(maxsize=64)
def _probe(mask: bytes, shape: tuple[int, int], px_per_mm: float) -> _Probe:
    """Return the probe of a hole; its mask is taken as bytes because those can be cached by."""
    image = np.frombuffer(mask, np.uint8).reshape(shape)
    contours, _ = cv2.findContours(
        (image >= 128).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )[-2:]
    points = max(contours, key=len).reshape(-1, 2).astype(int)[::4]
    soft = cv2.GaussianBlur(image.astype(np.float32), (0, 0), px_per_mm * 0.3)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, *order) for order in ((1, 0), (0, 1))]
    normal = np.stack([slope[points[:, 1], points[:, 0]] for slope in slopes])
    normal /= np.linalg.norm(normal, axis=0) + 1e-6
    reach = round(REACH_MM * px_per_mm)
    shifts = np.arange(-reach, reach + 1, 2)
    rows, columns = shape
    x = np.clip(points[None, None, :, 0] + shifts[None, :, None], 0, columns - 1)
    y = np.clip(points[None, None, :, 1] + shifts[:, None, None], 0, rows - 1)
    squared = (shifts[:, None] ** 2 + shifts[None, :] ** 2) / px_per_mm**2
    return _Probe(y * columns + x, normal.astype(np.float32), shifts, _FAR_COST * squared / 4)
