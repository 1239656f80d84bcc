"""Marks into pixels: what a card side looks like straight from above, evenly lit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib import resources

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from assistant.practice.marks import PAPER, Anchor, Fill, Mark, Points, Rgb, Stroke, Words
from assistant.vision.sighting import Picture

#: cv2 takes coordinates in 1/16 px when told so.
_SHIFT = 4


@lru_cache(maxsize=64)
def typeface(size_px: int) -> ImageFont.FreeTypeFont:
    """Return the deck's typeface at an em of `size_px` (Gentium Basic Bold, see data/fonts)."""
    with resources.as_file(
        resources.files("assistant.data").joinpath("fonts/GentiumBasic-Bold.ttf")
    ) as path:
        # The plain layout gives the same letters on every machine, with or without libraqm.
        return ImageFont.truetype(str(path), size_px, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def _ems(text: str) -> float:
    return float(typeface(200).getlength(text)) / 200


def width_of(text: str, size_mm: float) -> float:
    """Return how many mm wide a line of words is at an em of `size_mm`."""
    return _ems(text) * size_mm


def inked(
    marks: Iterable[Mark], size_mm: tuple[float, float], px_per_mm: float, paper: Rgb
) -> Picture:
    """Return the marks on paper, anti-aliased: (height, width, 3) uint8 BGR."""
    width, height = (round(side * px_per_mm) for side in size_mm)
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = paper[::-1]
    for mark in marks:
        colour = (paper if mark.rgb == PAPER else mark.rgb)[::-1]
        if isinstance(mark, Fill):
            fill(picture, mark.points, px_per_mm, colour)
        elif isinstance(mark, Stroke):
            cv2.polylines(
                picture,
                [_fine(mark.points, px_per_mm)],
                mark.closed,
                colour,
                max(1, round(mark.width_mm * px_per_mm)),
                cv2.LINE_AA,
                _SHIFT,
            )
        else:
            write(picture, mark, px_per_mm, colour)
    return picture


def fill(
    picture: npt.NDArray[np.uint8],
    points: Points,
    px_per_mm: float,
    colour: tuple[int, ...],
) -> None:
    """Fill an outline given in mm on a picture of any number of channels, in place."""
    cv2.fillPoly(picture, [_fine(points, px_per_mm)], colour, cv2.LINE_AA, _SHIFT)


def write(picture: Picture, words: Words, px_per_mm: float, colour: tuple[int, ...]) -> None:
    """Write words on a picture, in place; what falls outside is left out."""
    font = typeface(max(4, round(words.size_mm * px_per_mm)))
    left, top, right, bottom = (int(v) for v in font.getbbox(words.text, anchor="ls"))
    stamp = Image.new("L", (right - left + 2, bottom - top + 2), 0)
    ImageDraw.Draw(stamp).text((1 - left, 1 - top), words.text, font=font, fill=255, anchor="ls")
    ink = np.asarray(stamp, np.uint8)
    advance = float(font.getlength(words.text))
    shift = {Anchor.LEFT: 0.0, Anchor.MIDDLE: -advance / 2, Anchor.RIGHT: -advance}[words.anchor]
    x, y = words.x_mm * px_per_mm, words.baseline_mm * px_per_mm
    if words.turned:
        ink = ink[::-1, ::-1]
        _stamp(picture, ink, round(x - shift - right - 1), round(y - bottom - 1), colour)
    else:
        _stamp(picture, ink, round(x + shift + left - 1), round(y + top - 1), colour)


def _stamp(
    picture: Picture, ink: npt.NDArray[np.uint8], left: int, top: int, colour: tuple[int, ...]
) -> None:
    x0, y0 = max(left, 0), max(top, 0)
    x1 = min(left + ink.shape[1], picture.shape[1])
    y1 = min(top + ink.shape[0], picture.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    share = ink[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    there = picture[y0:y1, x0:x1]
    mixed = there * (1 - share) + np.array(colour, np.float32) * share
    picture[y0:y1, x0:x1] = mixed.round().astype(np.uint8)


def _fine(points: Points, px_per_mm: float) -> npt.NDArray[np.int32]:
    # Pixel centres lie at whole numbers for cv2, at halves for the mm measure.
    scaled = (np.array(points, np.float64) * px_per_mm - 0.5) * (1 << _SHIFT)
    return np.round(scaled).astype(np.int32)
