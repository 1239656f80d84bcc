"""The evidence that a blank needs of its own: nothing printed is not nothing seen.

Blank strikes out a place, and a bare table, a burnt-out patch or a key held the wrong way round all
look blank. So two more questions are asked before it is claimed: would ink have shown here, and is
what lies in the hole nearer to the key's paper than to the table around the key?
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Homography, project, rectify
from assistant.vision.hole_patch import FINE_PX_PER_MM, HolePatch
from assistant.vision.sighting import Picture

#: How dark printed ink is, of 255, and the contrast that it must keep under glare to be seen.
_INK_LEVEL = 35.0
_SEEN_CONTRAST = 0.25

#: Paper brighter than this, of 255, leaves no room in which a fall of light could be measured.
_TELLING_LEVEL = 230.0

#: The whole key is looked at for sharpness at this resolution.
_PRINT_PX_PER_MM = 3.0

#: Around the key, beyond a sleeve's border, mm from its edge.
_AROUND_MM = (6.0, 9.0, 12.0)

#: A table is pale when this share of it could be paper by tint and lightness.
_PALE_SHARE = 0.4
_PALE_TINT = 0.06
_PALE_LIGHTNESS = 0.3

#: Of the way from the paper's tint to a pale table's, what is in the hole may be so far.
_NEARER_PAPER = 0.4

#: A table whose lightness varies so much is a map or cloth: no hole is as plain as paper over it.
_PATTERN = 0.12

#: Paper around the hole beside the whole card's: shaded at most so far, and of its tint.
_CARDS_LIGHTNESS, _CARDS_TINT = 0.6, 0.12

#: Tints closer than this cannot be told apart.
_SAME_TINT = 0.012


def would_ink_show(patch: HolePatch, circle: npt.NDArray[np.bool_]) -> bool:
    """Return whether ink would be seen in the hole, however bright it is there.

    Where the camera's scale ends nothing tells how much brighter it was. But light falls off
    smoothly: from the rim of the burnt part, brightness cannot have risen more steeply inside than
    it does at the rim. That bounds the light added on paper, and ink gets as much. A small bright
    reflection does rise more steeply inside; over paper with room below the scale's end it is glare
    (`hole_evidence`), over paper without it nothing can be told.
    """
    share = float((patch.is_burnt & circle).sum()) / max(int(circle.sum()), 1)
    if share < 0.1:
        return True
    level = cv2.GaussianBlur(patch.seen.min(axis=2).astype(np.float32), (0, 0), 3.0)
    burnt = level >= 250
    depth_px = cv2.distanceTransform(burnt.astype(np.uint8), cv2.DIST_L2, 5)
    outside_px = cv2.distanceTransform((~burnt).astype(np.uint8), cv2.DIST_L2, 5)
    rim = (outside_px > 1) & (outside_px < 1.8 * FINE_PX_PER_MM) & (patch.grey > 0.8)
    if rim.sum() < 30:
        return False
    slope = np.hypot(cv2.Sobel(level, cv2.CV_32F, 1, 0), cv2.Sobel(level, cv2.CV_32F, 0, 1)) / 8
    # Print at the rim is steep, too: the middle of what is seen there, not the most.
    usual = float(np.median(slope[rim]))
    most = 255.0 + usual * float(depth_px[circle].max())
    paper = float(np.percentile(level[(patch.grey > 0.8) & ~burnt], 10))
    if paper > _TELLING_LEVEL:
        return False
    return 1.0 - (most - paper + _INK_LEVEL) / 255.0 >= _SEEN_CONTRAST


def is_nearer_paper(
    picture: Picture,
    card_to_picture: Homography,
    patch: HolePatch,
    circle: npt.NDArray[np.bool_],
) -> bool:
    """Return whether the colour in the hole is the key's paper rather than the table's.

    On a table that is nothing like paper there is nothing to tell apart.
    """
    around = _around_key(picture, card_to_picture) / np.array(patch.paper_bgr)
    if len(around) < 12:
        return True
    tints = around / np.maximum(around.mean(axis=1, keepdims=True), 1e-3) - 1
    is_pale = (np.abs(tints).max(axis=1) < _PALE_TINT) & (
        np.abs(around.mean(axis=1) - 1) < _PALE_LIGHTNESS
    )
    if is_pale.mean() < _PALE_SHARE:
        return True
    table = np.median(tints[is_pale], axis=0)
    if np.abs(table).max() < _SAME_TINT:
        # Only lightness and pattern are left, and the hole's own shade changes the one.
        lightness = around.mean(axis=1)
        if float(np.percentile(lightness, 80) - np.percentile(lightness, 20)) > _PATTERN:
            return True
        pale_lightness = float(np.median(lightness[is_pale]))
        here = float(np.median(patch.grey[circle]))
        return pale_lightness < 0.9 and here > 0.5 * (1 + pale_lightness)
    colour = np.median(patch.light[circle], axis=0)
    tint = colour / colour.mean() - 1
    return float(tint @ table) / float(table @ table) < _NEARER_PAPER


def sharpness(picture: Picture, card_to_picture: Homography) -> float:
    """Return how steep the key's own print is: its steepest 1 %, in shares of paper per mm."""
    inset = 2.5
    size = CARD_WIDTH_MM - 2 * inset, CARD_HEIGHT_MM - 2 * inset
    seen = rectify(picture, card_to_picture, (inset, inset), size, _PRINT_PX_PER_MM)
    grey = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.float32)
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)) / 8
    paper = max(float(np.percentile(soft, 70)), 1.0)
    return float(np.percentile(slope, 99)) * _PRINT_PX_PER_MM / paper


def is_the_cards_paper(picture: Picture, card_to_picture: Homography, patch: HolePatch) -> bool:
    """Return whether what was taken for paper around the hole is that of the whole card.

    A finger over the hole and all around it shows no edge and is of one colour, like paper.
    """
    across = np.linspace(4, CARD_WIDTH_MM - 4, 6)
    down = np.linspace(4, CARD_HEIGHT_MM - 4, 9)
    places = [(float(x), float(y)) for x in across for y in down]
    colours = _colours_at(picture, card_to_picture, places)
    if len(colours) < 12:
        return False
    light = colours[colours.mean(axis=1) >= np.percentile(colours.mean(axis=1), 60)]
    ratio = np.array(patch.paper_bgr) / np.median(light, axis=0)
    is_near = np.abs(ratio / ratio.mean() - 1).max() < _CARDS_TINT
    return bool(ratio.mean() > _CARDS_LIGHTNESS and is_near)


def _around_key(picture: Picture, card_to_picture: Homography) -> npt.NDArray[np.float64]:
    """Return colours of what lies around a key, (n, 3), blue-green-red."""
    places = []
    for away in _AROUND_MM:
        for x in np.linspace(-away, CARD_WIDTH_MM + away, 7):
            places += [(x, -away), (x, CARD_HEIGHT_MM + away)]
        for y in np.linspace(0, CARD_HEIGHT_MM, 7):
            places += [(-away, y), (CARD_WIDTH_MM + away, y)]
    return _colours_at(picture, card_to_picture, places)


def _colours_at(
    picture: Picture, card_to_picture: Homography, places: Sequence[tuple[float, float]]
) -> npt.NDArray[np.float64]:
    """Return the colours at places on or around the card, in mm, as far as they are in view."""
    at = np.rint(project(card_to_picture, np.array(places, np.float64))).astype(int)
    height, width = picture.shape[:2]
    x, y = at[:, 0], at[:, 1]
    at = at[(x >= 1) & (y >= 1) & (x < width - 1) & (y < height - 1)]
    colours = np.zeros((len(at), 3))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            colours += picture[at[:, 1] + down, at[:, 0] + right]
    return colours / 9
