"""The seven icons, cut out of the keys' fronts and made whole where a keyhole is cut into one.

Most icons are printed on several keys, and at the bottom row of keyholes the hole takes a bite out
of some. What shows through the hole is not print: it is replaced by the same icon's print from
another key, laid over it. An icon that only one key shows stays as it is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Feature, Location
from assistant.vision.geometry import Keyhole, rectify
from assistant.vision.glyphs import FRONT_MARGIN_MM, GLYPH_PX_PER_MM
from assistant.vision.ink import Grey, grey_of
from assistant.vision.keyhole_places import mirrored
from assistant.vision.sighting import Side
from calibration.album import Album
from calibration.begun import Patches
from calibration.prints import HOLE_MARGIN_MM
from calibration.shot import Shot

#: Prints of one icon on two keys may be this far out of register, px.
REACH_PX = round(FRONT_MARGIN_MM * GLYPH_PX_PER_MM)
#: Print within so much of a patch's rim is no part of the icon, px.
STRAY_PX = REACH_PX + 4

Floats = npt.NDArray[np.float32]


def icon_patches(
    album: Album, facts: Mapping[str, Any]
) -> dict[tuple[Feature, Location], list[Grey]]:
    """Return each icon as the shots of each named front show it, cut out with its margin."""
    patches: dict[tuple[Feature, Location], list[Grey]] = {}
    for pile in album.piles:
        if pile.side is Side.FRONT and pile.location is not None and pile.shots:
            for icon in facts["keys"][pile.location.value]["icons"]:
                patches[Feature(icon["feature"]), pile.location] = [
                    _cut_out(shot, icon) for shot in pile.upright()
                ]
    return patches


def whole_icons(
    patches: Patches, facts: Mapping[str, Any], holes: Mapping[Location, Keyhole]
) -> dict[Feature, list[Grey]]:
    """Return each icon as each key shows it, one picture of each key, holes made good."""
    seen: dict[Feature, list[_Icon]] = {}
    for (feature, location), shots in patches.items():
        # One of each key, however often it was shown: the keys are to count alike.
        mean = np.asarray(np.mean(shots, axis=0), np.float32)
        box = next(
            icon
            for icon in facts["keys"][location.value]["icons"]
            if icon["feature"] == feature.value
        )
        seen.setdefault(feature, []).append(_icon(mean, _bite(mean, box, holes[location])))
    return {feature: [_made_good(icon, icons) for icon in icons] for feature, icons in seen.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _Icon:
    """An icon's ink (0 paper, 1 print), the greys of paper and print, and where the hole is."""

    ink: Floats
    paper: float
    dark: float
    bite: npt.NDArray[np.bool_]


def _cut_out(shot: Shot, icon: Mapping[str, Any]) -> Grey:
    """Return an icon's box on a front, with its margin, at GLYPH_PX_PER_MM."""
    left_top, size = _box(icon)
    return grey_of(rectify(shot.picture, shot.homography, left_top, size, GLYPH_PX_PER_MM))


def _box(icon: Mapping[str, Any]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return (left, top) and (width, height) of an icon's box with its margin, in mm."""
    (x, y), (width, height) = icon["centre_mm"], icon["size_mm"]
    left_top = x - width / 2 - FRONT_MARGIN_MM, y - height / 2 - FRONT_MARGIN_MM
    return left_top, (width + 2 * FRONT_MARGIN_MM, height + 2 * FRONT_MARGIN_MM)


def _bite(grey: Floats, icon: Mapping[str, Any], hole: Keyhole) -> npt.NDArray[np.bool_]:
    """Return where the hole, and its rim, lies in an icon's box."""
    (left, top), _ = _box(icon)
    shape = grey.shape[0], grey.shape[1]
    margin = 2 * round(HOLE_MARGIN_MM * GLYPH_PX_PER_MM) + 1
    window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (margin, margin))
    inside = mirrored(hole).mask(left, top, shape, GLYPH_PX_PER_MM)
    return np.asarray(cv2.dilate(inside, window) > 0, np.bool_)


def _icon(grey: Floats, bite: npt.NDArray[np.bool_]) -> _Icon:
    """Return an icon with its ink, by the paper and print outside of the hole."""
    paper, dark = np.percentile(grey[~bite], (90, 5)).tolist()
    ink = np.asarray((paper - grey) / max(paper - dark, 1.0), np.float32)
    return _Icon(ink, paper, dark, bite)


def _made_good(icon: _Icon, icons: Sequence[_Icon]) -> Grey:
    """Return an icon as grey levels, the hole filled with another key's print."""
    ink, left = icon.ink.copy(), icon.bite.copy()
    for other in icons:
        if other is not icon and left.any():
            print_, there = _laid_over(other, icon)
            good = left & there
            ink[good] = print_[good]
            left &= ~good
    ink[_strays(ink)] = 0.0
    grey = np.rint(icon.paper - ink * (icon.paper - icon.dark))
    return np.asarray(np.clip(grey, 0, 255), np.uint8)


def _strays(ink: Floats) -> npt.NDArray[np.bool_]:
    """Return where print lies wholly in the margin around an icon's box: its neighbours'."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((ink > 0.3).astype(np.uint8))
    rows, columns = ink.shape
    found = np.zeros(ink.shape, np.uint8)
    for label in range(1, count):
        left, top, width, height = stats[label, :4].tolist()
        is_beside = left + width <= STRAY_PX or left >= columns - STRAY_PX
        if is_beside or top + height <= STRAY_PX or top >= rows - STRAY_PX:
            found[labels == label] = 1
    return np.asarray(cv2.dilate(found, np.ones((5, 5), np.uint8)) > 0, np.bool_)


def _laid_over(other: _Icon, icon: _Icon) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return another key's print moved to where it fits an icon's best, and where it is print."""
    rows, columns = icon.ink.shape
    room = [
        (REACH_PX, REACH_PX + max(0, mine - theirs))
        for mine, theirs in zip(icon.ink.shape, other.ink.shape, strict=True)
    ]
    print_ = np.pad(other.ink, room, mode="edge")
    there = np.pad(~other.bite, room, constant_values=False)
    weight = (~icon.bite).astype(np.float32)
    apart = cv2.matchTemplate(print_, icon.ink, cv2.TM_SQDIFF, mask=weight)
    _, _, (left, top), _ = cv2.minMaxLoc(apart)
    box = slice(top, top + rows), slice(left, left + columns)
    return np.asarray(print_[box], np.float32), np.asarray(there[box], np.bool_)
