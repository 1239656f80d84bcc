"""Where the camera is, and how hard a picture is to be: the ranges that chance draws from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from assistant.vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    corners_in_picture,
)
from assistant.vision.sighting import Corners


class Hardness(Enum):
    """How hard a picture is to read."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Level:
    """The ranges of one hardness; pairs are (least, most)."""

    px_per_mm: tuple[float, float]
    tilt_deg: tuple[float, float]
    outside: float
    out_of_line_mm: float
    out_of_line_deg: float
    register_mm: float
    exposure: tuple[float, float]
    slope: float
    cast: float
    blur_px: tuple[float, float]
    smear_px: float
    noise: tuple[float, float]
    jpeg: tuple[int, int]
    hands: float
    shine: float
    clutter: int
    sleeve: float
    on_map: float


#: Set beside pictures of a printed deck under a webcam, of three hardnesses, until ours were no
#: easier in scale, blur, grain, light and cover.
LEVELS: dict[Hardness, Level] = {
    Hardness.EASY: Level(
        px_per_mm=(5.0, 7.0),
        tilt_deg=(0, 12),
        outside=0.0,
        out_of_line_mm=0.5,
        out_of_line_deg=0.8,
        register_mm=0.15,
        exposure=(0.85, 1.08),
        slope=0.12,
        cast=0.06,
        blur_px=(0.3, 0.6),
        smear_px=0,
        noise=(1.0, 2.2),
        jpeg=(88, 95),
        hands=0.3,
        shine=0.1,
        clutter=1,
        sleeve=0.0,
        on_map=0.25,
    ),
    Hardness.NORMAL: Level(
        px_per_mm=(3.5, 6.0),
        tilt_deg=(0, 24),
        outside=0.01,
        out_of_line_mm=1.1,
        out_of_line_deg=1.8,
        register_mm=0.3,
        exposure=(0.6, 1.12),
        slope=0.3,
        cast=0.08,
        blur_px=(0.4, 0.95),
        smear_px=1.6,
        noise=(1.6, 3.4),
        jpeg=(76, 92),
        hands=0.6,
        shine=0.35,
        clutter=3,
        sleeve=0.1,
        on_map=0.35,
    ),
    Hardness.HARD: Level(
        px_per_mm=(2.6, 4.0),
        tilt_deg=(8, 35),
        outside=0.06,
        out_of_line_mm=1.5,
        out_of_line_deg=2.5,
        register_mm=0.4,
        exposure=(0.42, 1.3),
        slope=0.5,
        cast=0.11,
        blur_px=(0.6, 1.25),
        smear_px=3.0,
        noise=(2.5, 5.0),
        jpeg=(62, 84),
        hands=0.75,
        shine=0.5,
        clutter=4,
        sleeve=0.15,
        on_map=0.45,
    ),
}


#: How the keys are shown one by one to learn them.
CALM = replace(
    LEVELS[Hardness.EASY],
    tilt_deg=(0, 8),
    out_of_line_mm=0,
    out_of_line_deg=0,
    hands=0,
    shine=0,
    clutter=0,
    on_map=0,
)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera over a table: where mm of the table plane fall in a frame of `size` px.

    The table's origin is where the stack is laid; `px_per_mm` holds there.
    """

    size: tuple[int, int]
    to_frame: Homography
    px_per_mm: float
    #: How far from straight above the origin is seen; a lean and a place off the middle add up.
    slant_deg: float

    def card(self, x_mm: float, y_mm: float, turn_deg: float) -> Homography:
        """Return the map from mm on a card's side seen to px; (x, y) is where its middle lies."""
        turn = math.radians(turn_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        middle = np.array([[1, 0, -CARD_WIDTH_MM / 2], [0, 1, -CARD_HEIGHT_MM / 2], [0, 0, 1]])
        laid = np.array([[cos, -sin, x_mm], [sin, cos, y_mm], [0, 0, 1]])
        return np.asarray(self.to_frame @ laid @ middle, np.float64)

    def px_at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return where a point of the table falls, in px."""
        x, y, w = self.to_frame @ (x_mm, y_mm, 1.0)
        return float(x / w), float(y / w)

    def table_at(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Return the point of the table, in mm, that falls on a pixel."""
        x, y, w = np.linalg.solve(self.to_frame, np.array([x_px, y_px, 1.0]))
        return float(x / w), float(y / w)


def view_of(
    size: tuple[int, int],
    px_per_mm: float,
    tilt_deg: float,
    towards_deg: float,
    at_px: tuple[float, float],
) -> View:
    """Return a pinhole camera that sees the table's origin at `at_px`.

    It leans by `tilt_deg` from looking straight down, towards `towards_deg`. Its angle of view is
    that of a common webcam, about 60 degrees across.
    """
    width, height = size
    focal = 0.87 * width
    lean, around = math.radians(tilt_deg), math.radians(towards_deg)
    cos, sin = math.cos(around), math.sin(around)
    spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    tip = np.array(
        [[1, 0, 0], [0, math.cos(lean), -math.sin(lean)], [0, math.sin(lean), math.cos(lean)]]
    )
    turn = spin @ tip @ spin.T
    inner = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    away = focal / px_per_mm * np.linalg.solve(inner, np.array([*at_px, 1.0]))
    to_frame = inner @ np.column_stack([turn[:, 0], turn[:, 1], away])
    slant = math.degrees(math.acos(min(1.0, float(turn[:, 2] @ away / np.linalg.norm(away)))))
    return View(size, np.asarray(to_frame / to_frame[2, 2], np.float64), px_per_mm, slant)


def draw_view(
    level: Level, size: tuple[int, int], turn_deg: float, lots: np.random.Generator
) -> View:
    """Return a view by chance in which a card at the origin, so turned, is (nearly) all seen."""
    scale = size[0] / 1280
    px_per_mm = lots.uniform(*level.px_per_mm) * scale
    tilt, towards = lots.uniform(*level.tilt_deg), lots.uniform(0, 360)
    for _ in range(60):
        at = float(lots.uniform(0, size[0])), float(lots.uniform(0, size[1]))
        view = view_of(size, px_per_mm, tilt, towards, at)
        # A little more than the camera leans, for cards that lie off the middle.
        is_steep = view.slant_deg > level.tilt_deg[1] + 4
        corners = corners_in_picture(view.card(0, 0, turn_deg))
        if not is_steep and outside(corners, size) <= level.outside:
            return view
    return view_of(size, px_per_mm, tilt, towards, (size[0] / 2, size[1] / 2))


def outside(corners: Corners, size: tuple[int, int]) -> float:
    """Return how far the farthest corner lies out of the frame, as a share of the card's length."""
    points = np.array(corners)
    length = float(np.linalg.norm(points[0] - points[3])) or 1.0
    over = np.maximum(-points, points - np.array(size)).max()
    return max(0.0, float(over) / length)
