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


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The slopes of a patch's shade, (rows, columns) each, to look for outlines in."""

    slope_x: Floats
    slope_y: Floats
    px_per_mm: float

    @classmethod
    def of(cls, grey: Floats, px_per_mm: float) -> Edges:
        """Return the slopes of a patch, softened a little against noise."""
        soft = cv2.GaussianBlur(grey, (0, 0), px_per_mm * 0.2)
        slopes = (cv2.Scharr(soft, cv2.CV_32F, *way, scale=1 / 32) for way in ((1, 0), (0, 1)))
        slope_x, slope_y = (np.asarray(slope, np.float32) for slope in slopes)
        return cls(slope_x, slope_y, px_per_mm)

    def outline(
        self, mask: npt.NDArray[np.uint8], about_mm: tuple[float, float] | None = None
    ) -> Outline:
        """Return where a hole's edge shows best near its printed place, and how clearly.

        `mask`: (rows, columns) uint8 of the patch's shape, the hole at its printed place, 255
        inside. `about_mm`: look only close to this shift, (x, y).
        """
        probe = _probe(mask.tobytes(), mask.shape, self.px_per_mm)
        shifts_mm = probe.shifts_px / self.px_per_mm
        around = np.s_[:, :]
        if about_mm is not None:
            at_x, at_y = (int(np.abs(shifts_mm - at).argmin()) for at in about_mm)
            around = _near(at_y, at_x, 2)
        wide = probe.agreement(self, self.px_per_mm * 0.4, around) - probe.far_cost[around]
        top, left = around[0].start or 0, around[1].start or 0
        best = np.unravel_index(int(wide.argmax()), wide.shape)
        row, column = int(best[0]) + top, int(best[1]) + left
        near = _near(row, column, 1)
        narrow = float(probe.agreement(self, 0.0, near).max())
        slope = float(probe.slope_over_noise(self, near).max())
        clearness = (narrow - _NARROW_NONE[0]) / _NARROW_NONE[1]
        clearness += (slope - _SLOPE_NONE[0]) / _SLOPE_NONE[1]
        return Outline(clearness / _CLEAR, (float(shifts_mm[column]), float(shifts_mm[row])))


def _near(row: int, column: int, reach: int) -> tuple[slice, slice]:
    """Return the slices of the shifts about one."""
    return (
        slice(max(row - reach, 0), row + reach + 1),
        slice(max(column - reach, 0), column + reach + 1),
    )


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

    def agreement(self, edges: Edges, smooth_px: float, part: tuple[slice, slice]) -> Floats:
        """Return, for a part of the shifts, how well edges run along the outline: -1 to 1."""
        xx, yy = edges.slope_x * edges.slope_x, edges.slope_y * edges.slope_y
        xy = edges.slope_x * edges.slope_y
        if smooth_px:
            xx, yy, xy = (_smoothed(one, smooth_px) for one in (xx, yy, xy))
        power = xx + yy
        power += np.float32(np.median(power[::4, ::4]) + 1e-7)
        x, y = self.normal
        index = self.index[part]
        across = ((xx - yy) / power).ravel()[index] @ (x * x - y * y)
        slanted = (xy / power).ravel()[index] @ (4 * x * y)
        return np.asarray((across + slanted) / index.shape[2], np.float32)

    def slope_over_noise(self, edges: Edges, part: tuple[slice, slice]) -> Floats:
        """Return, for a part of the shifts, slope across less along, over the noise along."""
        _, along = self._slopes(edges, np.s_[::4, ::4])
        noise = np.float32(np.median(along) + 1e-4)
        # Print is far stronger than the hole's edge: a point counts so much and no more.
        across, along = (np.minimum(one, 5 * noise) for one in self._slopes(edges, part))
        return np.asarray((across - along).mean(axis=2) / noise, np.float32)

    def _slopes(self, edges: Edges, part: tuple[slice, slice]) -> tuple[Floats, Floats]:
        """Return the slopes across and along the outline, (shifts y, shifts x, points)."""
        index = self.index[part]
        x, y = edges.slope_x.ravel()[index], edges.slope_y.ravel()[index]
        across = np.abs(x * self.normal[0] + y * self.normal[1])
        along = np.abs(x * self.normal[1] - y * self.normal[0])
        return np.asarray(across, np.float32), np.asarray(along, np.float32)


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
