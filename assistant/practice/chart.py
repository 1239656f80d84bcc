"""The map as a surface: rings, roads, river, names and icons over a busy web of lines.

Drawn from the printed facts of data/board.json with our own icons; as crowded as a printed map, so
that cards on it are as hard to find. It is a picture to film, not one to play on.
"""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.board import Board
from assistant.core.terms import Colour, Feature
from assistant.data import load_board
from assistant.practice.ink import fill, write
from assistant.practice.marks import PAPER, Anchor, Rgb, Words, placed
from assistant.practice.shapes import ICONS
from assistant.vision.sighting import Picture

CHART_WIDTH_MM = 350.0
CHART_PX_PER_MM = 5.0

_PAPER_BGR = (196, 214, 224)
_INK_BGR = (66, 72, 78)
_RINGS: dict[Colour, Rgb] = {
    Colour.BLUE: (112, 119, 150),
    Colour.GREEN: (100, 140, 88),
    Colour.GREY: (114, 114, 112),
    Colour.PURPLE: (140, 112, 136),
    Colour.RED: (158, 96, 84),
}


@cache
def chart() -> Picture:
    """Return the map straight from above, CHART_PX_PER_MM px a mm. Do not write on it."""
    board = load_board()
    width = round(CHART_WIDTH_MM * CHART_PX_PER_MM)
    height = round(width * board.height_over_width)
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = _PAPER_BGR
    lots = np.random.default_rng(1600)
    _river(picture)
    _web(picture, lots)
    _roads(picture, board)
    for location in board.locations:
        place = board.place(location)
        x, y = place.x * width, place.y * height
        ring = _RINGS[place.colour][::-1]
        radius = round(board.ring_inner_over_width * width)
        thick = round((board.ring_outer_over_width - board.ring_inner_over_width) * width)
        disc = picture.copy()
        cv2.circle(disc, (round(x), round(y)), radius, ring, -1, cv2.LINE_AA)
        cv2.addWeighted(disc, 0.25, picture, 0.75, 0, picture)
        cv2.circle(picture, (round(x), round(y)), radius, ring, thick, cv2.LINE_AA)
    _labels(picture, board)
    return picture


def _river(picture: Picture) -> None:
    height, width = picture.shape[:2]
    x = np.linspace(0, width, 60)
    bank = height * (0.72 + 0.03 * np.sin(x / width * 5.0))
    far = height * (0.81 + 0.03 * np.sin(x / width * 5.0 + 0.3))
    shore = np.concatenate([np.c_[x, bank], np.c_[x, far][::-1]])
    cv2.fillPoly(picture, [np.round(shore).astype(np.int32)], (204, 212, 196), cv2.LINE_AA)
    for k in range(12):
        line = np.c_[x, bank + (far - bank) * (k + 1) / 13 + 3 * np.sin(x / 9 + k * 2)]
        cv2.polylines(picture, [line.round().astype(np.int32)], False, (150, 160, 146), 1, 16)


def _web(picture: Picture, lots: np.random.Generator) -> None:
    """Draw little houses, fields and lanes all over, as an old plan of a city has them."""
    height, width = picture.shape[:2]
    layer = picture.copy()
    for _ in range(1500):
        x, y = lots.uniform(0, width), lots.uniform(0, height)
        turn, step = lots.normal(0, 0.25) + (np.pi / 2) * lots.integers(2), lots.uniform(6, 13)
        along, down = math.cos(turn) * step, math.sin(turn) * step
        for k in range(int(lots.integers(4, 14))):
            _little_house(layer, x + along * k, y + down * k, step, lots)
    for _ in range(420):
        start = lots.uniform(0, 1, 2) * (width, height)
        bends = start + np.cumsum(lots.normal(0, 45, (5, 2)), axis=0)
        cv2.polylines(layer, [np.round(bends).astype(np.int32)], False, _INK_BGR, 1, cv2.LINE_AA)
    for x, y in lots.uniform(0, 1, (2600, 2)) * (width, height):
        cv2.circle(layer, (round(x), round(y)), 2, _INK_BGR, 1, cv2.LINE_AA)
    cv2.addWeighted(layer, 0.72, picture, 0.28, 0, picture)


def _little_house(
    layer: Picture, x: float, y: float, size: float, lots: np.random.Generator
) -> None:
    wide, high = size * 0.8, size * lots.uniform(0.4, 0.7)
    outline = (
        (x, y),
        (x, y - high),
        (x + wide / 2, y - high - size * 0.4),
        (x + wide, y - high),
        (x + wide, y),
    )
    # Numbers one by one: of twelve thousand arrays that small the first picture would wait.
    points = np.array([(round(u * 16), round(v * 16)) for u, v in outline], np.int32)
    cv2.polylines(layer, [points], True, _INK_BGR, 1, cv2.LINE_AA, 4)
    if lots.random() < 0.4:
        cv2.line(
            layer,
            (round(x + wide * 0.6), round(y - high)),
            (round(x + wide * 0.6), round(y)),
            _INK_BGR,
            2,
        )


def _roads(picture: Picture, board: Board) -> None:
    height, width = picture.shape[:2]
    for road in board.roads:
        line = np.array(road.polyline) * (width, height) * 16
        points = [np.round(line).astype(np.int32)]
        cv2.polylines(picture, points, False, (84, 120, 130), 13, cv2.LINE_AA, 4)
        cv2.polylines(picture, points, False, (110, 176, 186), 8, cv2.LINE_AA, 4)


def _labels(picture: Picture, board: Board) -> None:
    width_mm, height_mm = CHART_WIDTH_MM, CHART_WIDTH_MM * board.height_over_width
    for location in board.locations:
        place = board.place(location)
        x, y = place.x * width_mm, place.y * height_mm
        inwards = x - 16 if x > width_mm * 0.6 else x + 16
        features = sorted(place.features, key=lambda feature: feature.value)
        for k, feature in enumerate(features):
            _icon(picture, feature, inwards + (k - (len(features) - 1) / 2) * 11.5, y + 10)
        for spread, colour in ((6, _PAPER_BGR), (0, (20, 24, 30))):
            _name(picture, location.value, inwards, y - 1.5, colour=colour, spread=spread)
    _name(picture, "London", width_mm * 0.57, height_mm * 0.2, colour=(20, 24, 30))
    _name(picture, "THE PRACTICE MAP", width_mm * 0.3, height_mm * 0.06, colour=(60, 60, 110))


def _icon(picture: Picture, feature: Feature, x: float, y: float) -> None:
    for mark in placed(ICONS[feature], (x, y), 10.0):
        colour = _PAPER_BGR if mark.rgb == PAPER else (24, 22, 22)
        fill(picture, mark.points, CHART_PX_PER_MM, colour)


def _name(
    picture: Picture,
    text: str,
    x: float,
    y: float,
    *,
    colour: tuple[int, int, int],
    spread: int = 0,
) -> None:
    words = Words(text, x, y, 8.0, anchor=Anchor.MIDDLE)
    if not spread:
        write(picture, words, CHART_PX_PER_MM, colour)
        return
    # A pale edge round the letters keeps a name legible on the web of lines.
    halo: npt.NDArray[np.uint8] = np.zeros_like(picture)
    write(halo, words, CHART_PX_PER_MM, (255, 255, 255))
    wide = cv2.dilate(halo, np.ones((spread, spread), np.uint8))
    picture[wide[:, :, 0] > 80] = colour
