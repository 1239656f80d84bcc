"""What the hole itself says besides glyphs: is there paper, a finger, the table, glare, any ink?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import Keyhole
from assistant.vision.glyph_bank import CLOSE_PX_PER_MM, COARSE_PX_PER_MM, InkView
from assistant.vision.hole_patch import (
    FINE_PX_PER_MM,
    PATCH_SIDE_MM,
    HolePatch,
    hole_mask,
    patch_centre_px,
    patch_shape,
)

#: Kept off the hole's edge: its shadow, its burr, and what is left of the error of its place.
_EDGE_MM = 0.55

#: The stem is read so far below the circle's centre only: cards have bands and marks further down.
_STEM_TO_MM = 6.6

#: Paper and ink are judged in the circle this far from its centre (its edge is at 4.6): the shadow of
#: a thick key, the rest of the error of its place, and the stem's marks stay out.
_CIRCLE_MM = 3.8

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class HoleSigns:
    """What a hole looks like, whatever is printed in it.

    `lightness`: its light parts over the key's paper. `tint`: how far their colour is from the
    paper's (largest difference of a channel from the mean, as a share). `dark_share`: the share of
    the hole's trusted pixels clearly darker than its own light parts. `depth`: how dark the darkest
    3 % are. `roughness`: the stray of the light parts, as a share of paper. `glare_share`: of the
    circle, burnt out where the key's paper around is not. `trusted_share`: of the circle.
    """

    lightness: float
    tint: float
    dark_share: float
    depth: float
    roughness: float
    glare_share: float
    trusted_share: float
    middle_bgr: tuple[float, float, float]


def signs_and_views(patch: HolePatch, keyhole: Keyhole) -> tuple[HoleSigns, InkView, InkView]:
    """Return the signs of the hole and its ink at the two resolutions of the glyph bank."""
    inner = _moved(_inner_mask(keyhole), patch)
    circle = _moved(_circle_mask(), patch) > 0.5
    is_glare = patch.is_burnt & (patch.grey > 1.06)
    # Glare spreads a little over the pixels beside it.
    is_glare = cv2.dilate(is_glare.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    weight = inner * (patch.is_valid & ~is_glare)
    signs = _signs(patch, circle, weight > 0.5, is_glare)
    ink = np.clip(1.0 - patch.grey / max(signs.lightness, 0.05), -0.3, 1.0).astype(np.float32)
    return (
        signs,
        _view(ink, weight, patch, COARSE_PX_PER_MM),
        _view(ink, weight, patch, CLOSE_PX_PER_MM),
    )


def _signs(
    patch: HolePatch,
    circle: npt.NDArray[np.bool_],
    trusted: npt.NDArray[np.bool_],
    is_glare: npt.NDArray[np.bool_],
) -> HoleSigns:
    """Return the signs of a hole: its paper from all that is trusted, its ink from the circle."""
    area = max(int(circle.sum()), 1)
    glare_share = float((is_glare & circle).sum()) / area
    read = trusted & circle
    if read.sum() < 40:
        return HoleSigns(1.0, 0.0, 0.0, 0.0, 1.0, glare_share, 0.0, (0.0, 0.0, 0.0))
    soft = cv2.GaussianBlur(patch.light, (0, 0), 0.25 * FINE_PX_PER_MM)
    colours = soft[trusted]
    shades = colours.mean(axis=1)
    # The Lady fills three quarters of the circle; a quarter of the rest, the stem too, is paper.
    lightness = float(np.percentile(shades, 88))
    is_light = shades > lightness * 0.92
    light_bgr = np.median(colours[is_light], axis=0)
    in_circle = soft[read].mean(axis=1)
    middle = np.median(soft[read], axis=0)
    return HoleSigns(
        lightness=lightness,
        tint=float(np.abs(light_bgr / light_bgr.mean() - 1).max()),
        dark_share=float((in_circle < lightness * 0.8).mean()),
        depth=1.0 - float(np.percentile(in_circle, 3)) / max(lightness, 0.05),
        roughness=float(shades[is_light].std()),
        glare_share=glare_share,
        trusted_share=float(read.sum()) / area,
        middle_bgr=(float(middle[0]), float(middle[1]), float(middle[2])),
    )


@lru_cache(maxsize=64)
def _inner_mask(keyhole: Keyhole) -> Floats:
    """Return the part of the hole that is read, at its printed place, on the patch, 0 to 1."""
    inside_px = cv2.distanceTransform((hole_mask(keyhole) >= 128).astype(np.uint8), cv2.DIST_L2, 5)
    mask = np.clip(inside_px - _EDGE_MM * FINE_PX_PER_MM + 0.5, 0, 1).astype(np.float32)
    mask[round((PATCH_SIDE_MM + _STEM_TO_MM) * FINE_PX_PER_MM) :] = 0
    return np.asarray(mask, np.float32)


@lru_cache(maxsize=1)
def _circle_mask() -> Floats:
    """Return the middle of the hole's circle at its printed place, on the patch, 0 to 1."""
    rows, columns = patch_shape()
    x, y = patch_centre_px()
    away_px = np.hypot(np.arange(columns)[None, :] - x, np.arange(rows)[:, None] - y)
    return np.clip(_CIRCLE_MM * FINE_PX_PER_MM - away_px + 0.5, 0, 1).astype(np.float32)


def _moved(mask: Floats, patch: HolePatch) -> Floats:
    """Return a mask of the printed place moved to where the hole was found."""
    x, y = patch_centre_px()
    shift = np.array(
        [[1, 0, patch.hole_centre_px[0] - x], [0, 1, patch.hole_centre_px[1] - y]], np.float64
    )
    return np.asarray(cv2.warpAffine(mask, shift, mask.shape[::-1]), np.float32)


def _view(ink: Floats, weight: Floats, patch: HolePatch, px_per_mm: float) -> InkView:
    """Return the ink at a lower resolution; untrusted pixels take no part in the mean."""
    factor = round(FINE_PX_PER_MM / px_per_mm)
    rows, columns = (side // factor for side in ink.shape)
    size = (columns, rows)
    cut = np.s_[: rows * factor, : columns * factor]
    small_weight = cv2.resize(weight[cut], size, interpolation=cv2.INTER_AREA)
    small_ink = cv2.resize((ink * weight)[cut], size, interpolation=cv2.INTER_AREA)
    x, y = patch.hole_centre_px
    return InkView(
        ink=np.asarray(small_ink / np.maximum(small_weight, 1e-3), np.float32),
        weight=np.asarray(small_weight, np.float32),
        centre_px=((x + 0.5) / factor - 0.5, (y + 0.5) / factor - 0.5),
        px_per_mm=px_per_mm,
    )
