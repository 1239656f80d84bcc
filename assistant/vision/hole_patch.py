"""The hole cut out of a picture: straight, at one resolution, lit evenly.

Everything about a hole is judged on a small patch of the key's back around it, FINE_PX_PER_MM fine.
The key's own paper around the hole says how bright and of what tint paper is here (a plane through
its light pixels, so that the fall of light across the hole does not count as ink). Where the hole
really is, is found from its outline: print and die are up to 1 mm out of register, and the pose of
the key is not perfect.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    Keyhole,
    project,
    rectify,
)
from assistant.vision.outline import Edges, Outline, upside_down
from assistant.vision.sighting import Picture

#: Resolution of a patch. Finer than most pictures: 2.6 to 7 px/mm.
FINE_PX_PER_MM = 6.0

#: The patch around the circle's centre, mm: it reaches left, right, up and down so far.
PATCH_SIDE_MM = 9.0
PATCH_DOWN_MM = 13.5

#: The key's paper is read in a band this far outside the hole's outline.
_PAPER_FROM_MM = 0.8
_PAPER_TO_MM = 4.5
#: One pixel in so many each way is enough for a plane.
_PAPER_STEP = 3
#: And so far from the card's edge.
_EDGE_MM = 0.8

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class HolePatch:
    """A hole seen straight on; arrays are (rows, columns[, 3]) at FINE_PX_PER_MM.

    `seen`: as it is in the picture, uint8.
    `light`: each channel divided by the key's own paper there (1 paper, 0 black), blue-green-red.
    `grey`: its mean over the channels. `is_valid`: inside the picture. `is_burnt`: lit to the end
    of the camera's scale. `paper_bgr`: the key's paper at the hole.
    `hole_centre_px`: the circle's centre as found, (x, y). `outline`: how clearly it shows.
    `picture_px_per_mm`: the resolution that the picture itself had here.
    """

    seen: npt.NDArray[np.uint8]
    light: Floats
    grey: Floats
    is_valid: npt.NDArray[np.bool_]
    is_burnt: npt.NDArray[np.bool_]
    paper_bgr: tuple[float, float, float]
    hole_centre_px: tuple[float, float]
    edges: Edges
    outline: Outline
    picture_px_per_mm: float


def patch_centre_px() -> tuple[float, float]:
    """Return where the printed circle centre lies on a patch, (x, y) px."""
    return PATCH_SIDE_MM * FINE_PX_PER_MM - 0.5, PATCH_SIDE_MM * FINE_PX_PER_MM - 0.5


def patch_shape() -> tuple[int, int]:
    """Return (rows, columns) of a patch."""
    return (
        round((PATCH_SIDE_MM + PATCH_DOWN_MM) * FINE_PX_PER_MM),
        round(2 * PATCH_SIDE_MM * FINE_PX_PER_MM),
    )


def see_hole(picture: Picture, card_to_picture: Homography, keyhole: Keyhole) -> HolePatch:
    """Return the patch of a key's hole in a picture; pixels outside the picture are not valid."""
    left_top = keyhole.centre_x_mm - PATCH_SIDE_MM, keyhole.centre_y_mm - PATCH_SIDE_MM
    size = 2 * PATCH_SIDE_MM, PATCH_SIDE_MM + PATCH_DOWN_MM
    seen = rectify(picture, card_to_picture, left_top, size, FINE_PX_PER_MM)
    is_valid = _inside_picture(picture, card_to_picture, left_top, seen.shape[:2])
    paper = _paper_plane(seen, _paper_band(keyhole) & is_valid)
    light = seen.astype(np.float32) / paper
    mean = np.full((1, 3), 1 / 3, np.float32)
    grey = np.asarray(cv2.transform(light, mean), np.float32)
    edges = Edges.of(grey, FINE_PX_PER_MM)
    outline = edges.outline(hole_mask(keyhole))
    x, y = patch_centre_px()
    # An outline no clearer than where there is no hole says nothing about the place.
    trust_px = FINE_PX_PER_MM * min(1.0, max(0.0, (outline.clearness - 0.5) / 0.5))
    centre = x + outline.shift_mm[0] * trust_px, y + outline.shift_mm[1] * trust_px
    at_hole = paper[round(centre[1]), round(centre[0])]
    return HolePatch(
        seen=seen,
        light=light,
        grey=grey,
        is_valid=is_valid,
        is_burnt=np.minimum(np.minimum(seen[..., 0], seen[..., 1]), seen[..., 2]) >= 250,
        paper_bgr=(float(at_hole[0]), float(at_hole[1]), float(at_hole[2])),
        hole_centre_px=centre,
        edges=edges,
        outline=outline,
        picture_px_per_mm=_resolution(card_to_picture, keyhole),
    )


def _resolution(card_to_picture: Homography, keyhole: Keyhole) -> float:
    """Return the picture's px per mm at the hole, in the direction where it is coarser."""
    x, y = keyhole.centre_x_mm, keyhole.centre_y_mm
    here = project(card_to_picture, np.array([[x, y], [x + 1, y], [x, y + 1]]))
    steps = (here[1:] - here[0]).T
    return float(np.linalg.svd(steps, compute_uv=False)[-1])


def _inside_picture(
    picture: Picture,
    card_to_picture: Homography,
    left_top_mm: tuple[float, float],
    shape: tuple[int, int],
) -> npt.NDArray[np.bool_]:
    """Return which pixels of a patch lie in the picture, (rows, columns)."""
    rows, columns = shape
    left, top = left_top_mm
    right, bottom = left + columns / FINE_PX_PER_MM, top + rows / FINE_PX_PER_MM
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    at = project(card_to_picture, corners)
    height, width = picture.shape[:2]
    if (at >= 1).all() and (at[:, 0] < width - 2).all() and (at[:, 1] < height - 2).all():
        return np.ones(shape, bool)
    full = np.full((height, width), 255, np.uint8)
    size = (columns / FINE_PX_PER_MM, rows / FINE_PX_PER_MM)
    return rectify(full, card_to_picture, left_top_mm, size, FINE_PX_PER_MM) >= 254


@lru_cache(maxsize=64)
def _paper_band(keyhole: Keyhole) -> npt.NDArray[np.bool_]:
    """Return the band of the key's paper around its hole, on the patch."""
    away_px = cv2.distanceTransform((hole_mask(keyhole) < 128).astype(np.uint8), cv2.DIST_L2, 5)
    near, far = _PAPER_FROM_MM * FINE_PX_PER_MM, _PAPER_TO_MM * FINE_PX_PER_MM
    band = np.asarray((away_px > near) & (away_px < far))
    # Off the card's edge lies the table.
    for axis, (start_mm, card_mm) in enumerate(
        (
            (keyhole.centre_y_mm - PATCH_SIDE_MM, CARD_HEIGHT_MM),
            (keyhole.centre_x_mm - PATCH_SIDE_MM, CARD_WIDTH_MM),
        )
    ):
        at_mm = start_mm + (np.arange(band.shape[axis]) + 0.5) / FINE_PX_PER_MM
        is_off = (at_mm < _EDGE_MM) | (at_mm > card_mm - _EDGE_MM)
        band[(slice(None),) * axis + (is_off,)] = False
    return band


def clearness_upside_down(patch: HolePatch, keyhole: Keyhole) -> float:
    """Return how clearly the outline of a hole the other way up shows at the same place."""
    turned = upside_down(hole_mask(keyhole), patch_centre_px())
    return patch.edges.outline(turned, patch.outline.shift_mm).clearness


@lru_cache(maxsize=64)
def hole_mask(keyhole: Keyhole) -> npt.NDArray[np.uint8]:
    """Return the whole hole at its printed place on the patch, 255 inside."""
    left_top = keyhole.centre_x_mm - PATCH_SIDE_MM, keyhole.centre_y_mm - PATCH_SIDE_MM
    return keyhole.mask(*left_top, patch_shape(), FINE_PX_PER_MM)


def _paper_plane(seen: npt.NDArray[np.uint8], where: npt.NDArray[np.bool_]) -> Floats:
    """Return the paper's colour at every pixel, (rows, columns, 3).

    A plane through the light pixels of the band; print, and what lies on the card, is left out.
    """
    rows, columns = where.shape
    step = _PAPER_STEP
    ys, xs = np.nonzero(where[::step, ::step])
    if len(ys) < 40:
        level = np.maximum(seen.reshape(-1, 3).mean(axis=0), 1).astype(np.float32)
        return np.broadcast_to(level, (*where.shape, 3)).astype(np.float32)
    colours = cv2.blur(seen, (3, 3))[::step, ::step][ys, xs].astype(np.float64)
    places = np.stack([np.ones(len(ys)), xs * step / columns - 0.5, ys * step / rows - 0.5], axis=1)
    grey = colours @ np.full(3, 1 / 3)
    is_kept = grey > np.median(grey) * 0.8
    for _ in range(4):
        kept = places[is_kept]
        fitted = np.linalg.solve(kept.T @ kept + 1e-9 * np.eye(3), kept.T @ colours[is_kept])
        stray = (grey - places @ fitted.mean(axis=1)) / max(float(grey[is_kept].mean()), 1.0)
        spread = 1.4826 * float(np.median(np.abs(stray[is_kept]))) + 1e-4
        limit = max(2.5 * spread, 0.02)
        is_next = (stray > -limit) & (stray < 2 * limit)
        if is_next.sum() < 30:
            break
        is_kept = is_next
    x = np.arange(columns) / columns - 0.5
    y = np.arange(rows) / rows - 0.5
    plane = fitted[0] + x[None, :, None] * fitted[1] + y[:, None, None] * fitted[2]
    return np.asarray(np.maximum(plane, 8), np.float32)
