"""What the hole itself says besides glyphs: is there paper, a finger, the table, glare, any ink?"""

from __future__ import annotations

from dataclasses import dataclass, replace
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

#: Paper and ink are judged in the circle this far from its centre (its edge is at 4.6): the shadow
#: of a thick key, the rest of the error of its place, and the stem's marks stay out.
_CIRCLE_MM = 3.8

#: Print anywhere in the hole: this much darker than its paper. A shadow at the edge is lighter.
_STRAY_DARKNESS = 0.7

#: The bands along the edge in which darkness that runs over it is looked for, mm from the edge.
_INSIDE_MM = (0.3, 1.0)
_OUTSIDE_MM = (0.5, 1.2)
_BAND_TO_MM = 5.5

#: Over bright paper two channels may end with the scale; the third tells of added light, as a share
#: of the key's paper. Paper that is burnt out itself goes up to 1.06 (a broad lamp over a blank).
_GLARE = 1.08
#: The light parts of a hole: paper without ink, as a share of its lightness.
_LIGHT = 0.92
#: Skin and wood are red: by so much of paper, and by these factors over blue and green.
_SKIN = (0.12, 1.25, 1.06)

Floats = npt.NDArray[np.float32]
Where = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class HoleSigns:
    """What a hole looks like, whatever is printed in it.

    `lightness`: its light parts over the key's paper. `tint`: how far their colour is from the
    paper's (largest difference of a channel from the mean, as a share). `dark_share`: the share of
    the circle clearly darker than its own light parts. `depth`: how dark the darkest 3 % are.
    `roughness`: the stray of the light parts, as a share of paper. `glare_share`: of the circle,
    burnt out where the key's paper around is not. `trusted_share`: of the circle. `skin_share`: of
    the circle, coloured as neither ink nor paper is: a finger, wood. `spill`: the share of the band
    outside the edge that is dark where it is dark inside, too: what is printed on the card below
    ends at the edge, what lies on top does not. `stray_mm2`: the largest dark blot in all of the
    hole that is read, rim and stem, too: a card out of line has its print there.
    """

    lightness: float = 1.0
    tint: float = 0.0
    dark_share: float = 0.0
    depth: float = 0.0
    roughness: float = 0.0
    glare_share: float = 0.0
    trusted_share: float = 0.0
    skin_share: float = 0.0
    spill: float = 0.0
    stray_mm2: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class HoleView:
    """A hole as it is judged: its signs, its ink at two resolutions, its circle on the patch."""

    signs: HoleSigns
    coarse: InkView
    close: InkView
    circle: Where


def view_hole(patch: HolePatch, keyhole: Keyhole) -> HoleView:
    """Return the signs of a hole and its ink at the two resolutions of the glyph bank."""
    shape = _shape(keyhole)
    inner, circle, inside, outside = (_moved(mask, patch) for mask in shape)
    in_circle = circle > 0.5
    is_glare = patch.is_burnt & (patch.light.max(axis=2) > _GLARE)
    # Glare spreads a little over the pixels beside it.
    is_glare = cv2.dilate(is_glare.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    weight = inner * (patch.is_valid & ~is_glare)
    soft = np.asarray(cv2.GaussianBlur(patch.light, (0, 0), 0.25 * FINE_PX_PER_MM), np.float32)
    soft_grey = np.asarray(cv2.transform(soft, np.full((1, 3), 1 / 3, np.float32)), np.float32)
    signs = _signs(soft, soft_grey, in_circle, weight > 0.5, is_glare)
    is_dark = soft_grey < 0.75 * signs.lightness
    spill = _spill(is_dark, inside > 0.5, outside > 0.5)
    ink = np.clip(1.0 - patch.grey / max(signs.lightness, 0.05), -0.3, 1.0).astype(np.float32)
    return HoleView(
        signs=replace(signs, spill=spill, stray_mm2=_stray_mm2(soft_grey, signs, weight > 0.5)),
        coarse=_view(ink, weight, patch, COARSE_PX_PER_MM),
        close=_view(ink, weight, patch, CLOSE_PX_PER_MM),
        circle=in_circle,
    )


def _signs(
    soft: Floats, soft_grey: Floats, circle: Where, trusted: Where, is_glare: Where
) -> HoleSigns:
    """Return the signs of a hole: its paper from all that is trusted, its ink from the circle."""
    area = max(int(circle.sum()), 1)
    glare_share = float((is_glare & circle).sum()) / area
    read = trusted & circle
    if read.sum() < 40:
        return HoleSigns(glare_share=glare_share)
    shades = soft_grey[trusted]
    # The Lady fills three quarters of the circle; a quarter of the rest, the stem too, is paper.
    lightness = float(np.percentile(shades, 88))
    is_light = shades > lightness * _LIGHT
    light_bgr = np.median(soft[trusted][is_light], axis=0)
    in_circle = soft_grey[read]
    return HoleSigns(
        lightness=lightness,
        tint=float(np.abs(light_bgr / light_bgr.mean() - 1).max()),
        dark_share=float((in_circle < lightness * 0.8).mean()),
        depth=1.0 - float(np.percentile(in_circle, 3)) / max(lightness, 0.05),
        roughness=float(shades[is_light].std()),
        glare_share=glare_share,
        trusted_share=float(read.sum()) / area,
        skin_share=float(is_skin(soft[read]).mean()),
    )


def is_skin(colours: Floats) -> Where:
    """Return which of the (..., 3) colours, blue-green-red as shares of paper, are a hand's.

    Wood is of such a colour, too.
    """
    blue, green, red = np.moveaxis(colours, -1, 0)
    more, over_blue, over_green = _SKIN
    return np.asarray((red - blue > more) & (red > over_blue * blue) & (red > over_green * green))


def _spill(is_dark: Where, inside: Where, outside: Where) -> float:
    """Return the share of the band outside the edge that darkness from inside runs on into."""
    reach = round(1.05 * FINE_PX_PER_MM) * 2 + 1
    near = cv2.dilate((is_dark & inside).astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    return float((near & is_dark & outside).sum()) / max(int(outside.sum()), 1)


def _stray_mm2(soft_grey: Floats, signs: HoleSigns, trusted: Where) -> float:
    """Return how large the largest dark blot is in all of a hole that is read."""
    is_dark = trusted & (soft_grey < _STRAY_DARKNESS * signs.lightness)
    _, _, stats, _ = cv2.connectedComponentsWithStats(is_dark.astype(np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / FINE_PX_PER_MM**2


@lru_cache(maxsize=64)
def _shape(keyhole: Keyhole) -> tuple[Floats, Floats, Floats, Floats]:
    """Return masks 0 to 1 at the printed place: what is read, the circle, the two bands."""
    is_hole = (hole_mask(keyhole) >= 128).astype(np.uint8)
    inside_mm = cv2.distanceTransform(is_hole, cv2.DIST_L2, 5) / FINE_PX_PER_MM
    outside_mm = cv2.distanceTransform(1 - is_hole, cv2.DIST_L2, 5) / FINE_PX_PER_MM
    inner = np.clip((inside_mm - _EDGE_MM) * FINE_PX_PER_MM + 0.5, 0, 1)
    inner[round((PATCH_SIDE_MM + _STEM_TO_MM) * FINE_PX_PER_MM) :] = 0
    rows, columns = patch_shape()
    x, y = patch_centre_px()
    away_px = np.hypot(np.arange(columns)[None, :] - x, np.arange(rows)[:, None] - y)
    circle = np.clip(_CIRCLE_MM * FINE_PX_PER_MM - away_px + 0.5, 0, 1)
    inside = (inside_mm > _INSIDE_MM[0]) & (inside_mm < _INSIDE_MM[1])
    outside = (outside_mm > _OUTSIDE_MM[0]) & (outside_mm < _OUTSIDE_MM[1])
    # A finger on the stem hides nothing.
    outside[round((PATCH_SIDE_MM + _BAND_TO_MM) * FINE_PX_PER_MM) :] = False
    one, two, three, four = (
        np.asarray(mask, np.float32) for mask in (inner, circle, inside, outside)
    )
    return one, two, three, four


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
