"""Pieces of a picture that lie over others: a card, a hand, a shadow, the shine of a lamp."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import Homography, project
from assistant.vision.sighting import Picture

#: How much of what lies below is hidden, (height, width) float32, 0 to 1.
Cover = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A small picture with its cover; its top left pixel lies at (left, top) of the frame.

    A shadow has no picture of its own: without `bgr` it is black.
    """

    left: int
    top: int
    bgr: Picture | None
    cover: Cover

    def lay(self, frame: Picture, left: int = 0, top: int = 0) -> None:
        """Lay it on a frame, in place; `left` and `top` are the frame's own place."""
        x, y = self.left - left, self.top - top
        height, width = self.cover.shape
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + width, frame.shape[1]), min(y + height, frame.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        cover = np.ascontiguousarray(self.cover[y0 - y : y1 - y, x0 - x : x1 - x])
        below = np.ascontiguousarray(frame[y0:y1, x0:x1])
        if self.bgr is None:
            left_over = cv2.merge([1.0 - cover] * 3)
            frame[y0:y1, x0:x1] = cv2.multiply(below, left_over, dtype=cv2.CV_8U)
            return
        piece = np.ascontiguousarray(self.bgr[y0 - y : y1 - y, x0 - x : x1 - x])
        frame[y0:y1, x0:x1] = cv2.blendLinear(below, piece, 1.0 - cover, cover)

    def bounds(self) -> tuple[int, int, int, int]:
        """Return left, top, right, bottom in px of the frame."""
        return (
            self.left,
            self.top,
            self.left + self.cover.shape[1],
            self.top + self.cover.shape[0],
        )

    def shifted(self, x_px: int, y_px: int) -> Sprite:
        """Return it moved by whole pixels."""
        return Sprite(self.left + x_px, self.top + y_px, self.bgr, self.cover)

    def turned(self, turn_deg: float, move_px: tuple[float, float], smear: Cover | None) -> Sprite:
        """Return it turned about its middle and moved, smeared by a motion kernel if given."""
        if self.bgr is None:
            smear = None  # A shadow is soft as it is.
        # What is smeared far has no fine detail left: half the resolution does, in a fourth of
        # the time.
        coarse = 2 if smear is not None and smear.shape[0] > 7 else 1
        pad = 4 + (0 if smear is None else smear.shape[0] // 2)
        height, width = self.cover.shape
        lean = abs(math.sin(math.radians(turn_deg)))
        grow_x, grow_y = (
            2 * math.ceil((pad + side * lean / 2) / 2) + side % 2 for side in (height, width)
        )
        wide, high = width + 2 * grow_x, height + 2 * grow_y
        wide, high = wide + wide % 2, high + high % 2
        whole = math.floor(move_px[0]), math.floor(move_px[1])
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
        turn[0, 2] += grow_x + move_px[0] - whole[0]
        turn[1, 2] += grow_y + move_px[1] - whole[1]
        turn = np.asarray(turn / coarse, np.float64)
        size = wide // coarse, high // coarse
        cover = _smeared(cv2.warpAffine(self.cover, turn, size), smear, coarse)
        bgr: Picture | None = None
        if self.bgr is not None:
            turned = cv2.warpAffine(self.bgr, turn, size, borderMode=cv2.BORDER_REPLICATE)
            bgr = np.asarray(_smeared(turned, smear, coarse), np.uint8)
        return Sprite(
            self.left - grow_x + whole[0],
            self.top - grow_y + whole[1],
            bgr,
            np.asarray(cover, np.float32),
        )


def _smeared(plane: npt.NDArray[Any], smear: Cover | None, coarse: int) -> npt.NDArray[Any]:
    if smear is None:
        return plane
    kernel = smear
    if coarse > 1:
        odd = smear.shape[0] // 2 | 1
        kernel = np.asarray(cv2.resize(smear, (odd, odd), interpolation=cv2.INTER_AREA), np.float32)
        kernel /= kernel.sum()
    # Smearing colour and cover apart leaves the paper's own colour at the soft edges.
    soft = cv2.filter2D(plane, -1, kernel)
    if coarse > 1:
        soft = cv2.resize(soft, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_LINEAR)
    return np.asarray(soft)


def as_cover(mask: npt.NDArray[np.uint8]) -> Cover:
    """Return a mask of 0 to 255 as a cover of 0 to 1."""
    return np.multiply(mask, np.float32(1 / 255), dtype=np.float32)


def warped(
    bgr: Picture, cover: npt.NDArray[np.uint8], to_frame: Homography, size: tuple[int, int]
) -> Sprite | None:
    """Return a flat picture seen by the camera; None when it lies outside the frame.

    `to_frame` maps the picture's px to the frame's; `size` is the frame's (width, height).
    """
    height, width = cover.shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    seen = project(to_frame, corners)
    left, top = (max(int(v) - 2, -8) for v in np.floor(seen.min(axis=0)))
    right = min(int(np.ceil(seen[:, 0].max())) + 2, size[0] + 8)
    bottom = min(int(np.ceil(seen[:, 1].max())) + 2, size[1] + 8)
    if right - left < 2 or bottom - top < 2:
        return None
    # Corners of pixels are what the mm measure means; warpPerspective maps their centres.
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    place = np.array([[1, 0, -left - 0.5], [0, 1, -top - 0.5], [0, 0, 1]])
    to_piece = place @ to_frame @ half
    both = cv2.warpPerspective(np.dstack([bgr, cover]), to_piece, (right - left, bottom - top))
    return Sprite(
        left,
        top,
        np.ascontiguousarray(both[:, :, :3], np.uint8),
        as_cover(np.asarray(both[:, :, 3], np.uint8)),
    )


def shadow(sprite: Sprite, x_px: float, y_px: float, soft_px: float, strength: float) -> Sprite:
    """Return the shadow of a sprite, moved by (x, y), to lay before it."""
    pad = math.ceil(2.5 * soft_px) + 1
    wide = cv2.copyMakeBorder(sprite.cover, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    small = cv2.resize(wide, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), max(soft_px / 2, 0.4)) * np.float32(strength)
    cover = cv2.resize(soft, wide.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return Sprite(
        sprite.left - pad + round(x_px),
        sprite.top - pad + round(y_px),
        None,
        np.asarray(cover, np.float32),
    )


def smear_kernel(length_px: float, angle_deg: float) -> Cover | None:
    """Return the kernel of a straight motion blur; None when it is too short to see."""
    if length_px < 1.2:
        return None
    size = 2 * math.ceil(length_px / 2) + 3
    fine = np.zeros((size * 8, size * 8), np.float32)
    middle = size * 4
    reach_x = math.cos(math.radians(angle_deg)) * length_px * 4
    reach_y = math.sin(math.radians(angle_deg)) * length_px * 4
    cv2.line(
        fine,
        (round(middle - reach_x), round(middle - reach_y)),
        (round(middle + reach_x), round(middle + reach_y)),
        1.0,
        8,
    )
    kernel = cv2.resize(fine, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(kernel / kernel.sum(), np.float32)
