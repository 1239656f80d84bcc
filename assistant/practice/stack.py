"""A stack as the camera sees it: a key, a card below it, the hole between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Location
from assistant.practice.faces import Face, keyholes
from assistant.practice.ink import inked
from assistant.practice.marks import rounded
from assistant.practice.sprite import Sprite, as_cover, warped
from assistant.practice.stage import View
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from assistant.vision.sighting import Picture, Side

#: Card sides are drawn once at this scale and shrunk to what a view needs.
_MASTER_PX_PER_MM = 12.0

#: Paper of the printed deck, and room round a card for its sleeve and a card almost in line.
PAPER_RGB = (229, 216, 196)
_MARGIN_MM = 4.0
_CORNER_MM = 2.8

Grey = npt.NDArray[np.uint8]
Plane = TypeVar("Plane", npt.NDArray[np.uint8], npt.NDArray[np.float32])


@dataclass(frozen=True, slots=True)
class Laid:
    """How a card lies on the table: its middle in mm, its turn, and its making.

    `light_deg` is where the light comes from, in the card's own frame; `register_mm` how far the
    print is off the cut; `lower_mm` and `lower_deg` how far the card below is out of line.
    """

    x_mm: float
    y_mm: float
    turn_deg: float
    light_deg: float = 225.0
    register_mm: tuple[float, float] = (0.0, 0.0)
    lower_mm: tuple[float, float] = (0.0, 0.0)
    lower_deg: float = 0.0
    sleeve: bool = False

    @property
    def margin_mm(self) -> float:
        """The room round the card for what sticks out below it, in whole mm."""
        corner_mm = math.hypot(CARD_WIDTH_MM, CARD_HEIGHT_MM) / 2
        lean_mm = corner_mm * math.sin(math.radians(abs(self.lower_deg)))
        return max(_MARGIN_MM, math.ceil(max(map(abs, self.lower_mm)) + lean_mm))


def card_seen(
    view: View,
    laid: Laid,
    face: Face,
    key: tuple[Location, Side] | None = None,
    lower: Face | None = None,
) -> Sprite | None:
    """Return a card as the view shows it; None when it is out of the frame.

    A `key` has a hole: the face below shows through it, or, without one, the table.
    """
    scale = float(np.clip(view.px_per_mm * 1.4, 4.0, _MASTER_PX_PER_MM))
    bgr, cover = _composed(laid, face, key, lower, scale)
    shrink = np.array([[1 / scale, 0, -laid.margin_mm], [0, 1 / scale, -laid.margin_mm], [0, 0, 1]])
    to_frame = view.card(laid.x_mm, laid.y_mm, laid.turn_deg) @ shrink
    return warped(bgr, cover, to_frame, view.size)


def _composed(
    laid: Laid,
    face: Face,
    key: tuple[Location, Side] | None,
    lower: Face | None,
    scale: float,
) -> tuple[Picture, Grey]:
    card = _card_cover(scale, laid.margin_mm)
    hole = None if key is None else _hole(key, scale, card.shape, laid.margin_mm)
    top = card if hole is None else np.minimum(card, 255 - hole)
    bgr = _printed(face, scale, laid.register_mm, laid.margin_mm)
    if hole is not None:
        _cut_edge(bgr, hole, laid.light_deg, scale)
    cover = top
    if lower is not None:
        below, below_cover = _below(lower, laid, scale)
        # The upper card's thickness throws a thin shadow on the lower, in the hole and round it.
        dark = cv2.GaussianBlur(
            _moved(top, *_towards(laid.light_deg, 0.35 * scale)), (0, 0), 0.3 * scale
        )
        below = _dimmed(below, np.asarray(dark, np.uint8), 0.42)
        share = as_cover(top)
        bgr = np.asarray(cv2.blendLinear(below, bgr, 1 - share, share), np.uint8)
        cover = np.maximum(top, below_cover)
    if laid.sleeve:
        bgr, cover = _sleeved(bgr, cover, scale, laid.margin_mm)
    return bgr, cover


def _printed(
    face: Face, scale: float, register_mm: tuple[float, float], margin_mm: float
) -> Picture:
    master = _master(face)
    size = round(CARD_WIDTH_MM * scale), round(CARD_HEIGHT_MM * scale)
    small = cv2.resize(master, size, interpolation=cv2.INTER_AREA)
    if register_mm != (0.0, 0.0):
        shift = np.array([[1, 0, register_mm[0] * scale], [0, 1, register_mm[1] * scale]])
        small = cv2.warpAffine(small, shift, size, borderMode=cv2.BORDER_REPLICATE)
    margin = round(margin_mm * scale)
    return np.asarray(
        cv2.copyMakeBorder(small, margin, margin, margin, margin, cv2.BORDER_REPLICATE), np.uint8
    )


@lru_cache(maxsize=72)
def _master(face: Face) -> Picture:
    size = CARD_WIDTH_MM, CARD_HEIGHT_MM
    plain = inked(face, size, _MASTER_PX_PER_MM, PAPER_RGB)
    height, width = plain.shape[:2]
    return np.asarray(cv2.multiply(plain, _fibres(height, width), dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=1)
def _fibres(height: int, width: int) -> npt.NDArray[np.float32]:
    """Return the gains of aged, mottled paper."""
    lots = np.random.default_rng(44)
    stains = cv2.resize(
        lots.standard_normal((17, 11)).astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    fine = cv2.GaussianBlur(lots.standard_normal((height, width)).astype(np.float32), (0, 0), 2.0)
    gain = 1 + 0.018 * stains + 0.06 * fine
    return np.asarray(cv2.merge([gain, gain, gain]), np.float32)


@lru_cache(maxsize=8)
def _card_cover(scale: float, margin_mm: float) -> Grey:
    margin = round(margin_mm * scale)
    shape = round(CARD_HEIGHT_MM * scale) + 2 * margin, round(CARD_WIDTH_MM * scale) + 2 * margin
    cover = np.zeros(shape, np.uint8)
    outline = np.array(rounded(0, 0, CARD_WIDTH_MM, CARD_HEIGHT_MM, _CORNER_MM)) * scale + margin
    cv2.fillPoly(cover, [np.round((outline - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return cover


def _hole(
    key: tuple[Location, Side], scale: float, shape: tuple[int, ...], margin_mm: float
) -> Grey:
    location, side = key
    hole = keyholes()[location]
    margin = round(margin_mm * scale)
    left, top = (
        int((v - hole.radius_mm - 1) * scale) for v in (hole.centre_x_mm, hole.centre_y_mm)
    )
    window = round(17 * scale), round(11.5 * scale)
    small = hole.mask(left / scale, top / scale, window, scale)
    whole = np.zeros(shape, np.uint8)
    piece = whole[
        top + margin : top + margin + window[0], left + margin : left + margin + window[1]
    ]
    piece[:] = small[: piece.shape[0], : piece.shape[1]]
    return whole if side is Side.BACK else np.ascontiguousarray(whole[:, ::-1])


def _cut_edge(bgr: Picture, hole: Grey, light_deg: float, scale: float) -> None:
    """Draw the cut edge of the hole, in place: pressed paper, dark towards the light, pale away."""
    rows, columns = (np.flatnonzero(hole.max(axis=axis)) for axis in (1, 0))
    pad = round(1.2 * scale)
    window = np.s_[rows[0] - pad : rows[-1] + pad, columns[0] - pad : columns[-1] + pad]
    inside = as_cover(hole[window])
    edge = np.asarray(cv2.GaussianBlur(inside, (0, 0), 0.28 * scale), np.float32) * (1 - inside)
    x, y = _towards(light_deg, 0.25 * scale)
    slope = _moved(inside, x, y) - _moved(inside, -x, -y)
    gain = 1 - 0.42 * edge + 0.10 * cv2.GaussianBlur(slope, (0, 0), 0.2 * scale) * (1 - inside)
    bgr[window] = cv2.multiply(bgr[window], cv2.merge([gain] * 3), dtype=cv2.CV_8U)


def _below(lower: Face, laid: Laid, scale: float) -> tuple[Picture, Grey]:
    printed = _printed(lower, scale, (0.0, 0.0), laid.margin_mm)
    cover = _card_cover(scale, laid.margin_mm)
    height, width = cover.shape
    shift = cv2.getRotationMatrix2D((width / 2, height / 2), -laid.lower_deg, 1.0)
    shift[0, 2] += laid.lower_mm[0] * scale
    shift[1, 2] += laid.lower_mm[1] * scale
    size = width, height
    moved = cv2.warpAffine(printed, shift, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), np.asarray(cv2.warpAffine(cover, shift, size), np.uint8)


def _sleeved(bgr: Picture, cover: Grey, scale: float, margin_mm: float) -> tuple[Picture, Grey]:
    """Return it in a clear sleeve: a pale rim round the card, a little haze on it."""
    margin, rim = margin_mm * scale, 1.6 * scale
    outline = np.array(rounded(0, 0, CARD_WIDTH_MM, CARD_HEIGHT_MM, 0.8)) * scale + margin
    middle = outline.mean(axis=0)
    grown = middle + (outline - middle) * (1 + rim * 2 / (np.ptp(outline, axis=0)))
    film = np.zeros_like(cover)
    cv2.fillPoly(film, [np.round(grown * 16).astype(np.int32)], 70, cv2.LINE_AA, 4)
    cv2.polylines(
        film,
        [np.round(grown * 16).astype(np.int32)],
        True,
        120,
        max(1, round(0.3 * scale)),
        cv2.LINE_AA,
        4,
    )
    hazed = cv2.addWeighted(bgr, 0.93, np.full_like(bgr, 235), 0.07, 0)
    share = as_cover(cover)
    rimmed = cv2.blendLinear(np.full_like(bgr, 215), hazed, 1 - share, share)
    return np.asarray(rimmed, np.uint8), np.maximum(cover, film)


def _dimmed(bgr: Picture, dark: Grey, strength: float) -> Picture:
    gain = 1 - dark.astype(np.float32) * np.float32(strength / 255)
    return np.asarray(cv2.multiply(bgr, cv2.merge([gain] * 3), dtype=cv2.CV_8U), np.uint8)


def _towards(light_deg: float, length: float) -> tuple[float, float]:
    """Return the step (x, y) away from the light."""
    turn = np.deg2rad(light_deg)
    return -float(np.cos(turn)) * length, -float(np.sin(turn)) * length


def _moved(plane: Plane, x_px: float, y_px: float) -> Plane:
    shift = np.array([[1, 0, x_px], [0, 1, y_px]], np.float64)
    return np.asarray(cv2.warpAffine(plane, shift, plane.shape[1::-1]), plane.dtype)
