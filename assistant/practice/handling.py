"""How players handle a stack: how far out of line, and where fingers hold or cover it."""

from __future__ import annotations

import math

import numpy as np

from assistant.core.terms import Location
from assistant.practice.faces import keyholes
from assistant.practice.hands import TONES, Hand, draw_hand, reach
from assistant.practice.stack import Laid
from assistant.practice.stage import Level
from assistant.practice.truth import Negative
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from assistant.vision.sighting import Side

#: From the middle of the keyhole's circle to its farthest point, down the stem.
_STEM_MM = 9.5
_HOLE_RADIUS_MM = 4.6

#: Fingers stay this far from the hole of a stack that is to be read.
_CLEAR_MM = 2.5


def on_table(x_mm: float, y_mm: float, turn_deg: float) -> tuple[float, float]:
    """Return where a point of a card lies that is laid with its middle at the table's origin."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x, y = x_mm - CARD_WIDTH_MM / 2, y_mm - CARD_HEIGHT_MM / 2
    return x * cos - y * sin, x * sin + y * cos


def hole_on_table(location: Location, side: Side, turn_deg: float) -> tuple[float, float]:
    """Return where the middle of a key's hole lies when the key lies at the table's origin."""
    hole = keyholes()[location]
    x_mm = hole.centre_x_mm if side is Side.BACK else CARD_WIDTH_MM - hole.centre_x_mm
    return on_table(x_mm, hole.centre_y_mm, turn_deg)


def draw_laid(
    level: Level,
    turn_deg: float,
    light_deg: float,
    negative: Negative | None,
    lots: np.random.Generator,
) -> Laid:
    """Return how the stack lies, by chance: at the origin, the lower card out of line."""
    away = lots.uniform(0, 2 * math.pi)
    far = level.out_of_line_mm * math.sqrt(lots.uniform(0, 1))
    lean = lots.uniform(-level.out_of_line_deg, level.out_of_line_deg)
    if negative is Negative.OUT_OF_LINE:
        # So far that what shows is not what the card has there, or a part of it.
        far, lean = lots.uniform(4.5, 9.0), lots.uniform(-6, 6)
    register = lots.uniform(-level.register_mm, level.register_mm, 2)
    return Laid(
        0.0,
        0.0,
        turn_deg,
        light_deg - turn_deg,
        (float(register[0]), float(register[1])),
        (far * math.cos(away), far * math.sin(away)),
        lean,
        bool(lots.random() < level.sleeve),
    )


def draw_hands(
    level: Level,
    negative: Negative | None,
    hole_mm: tuple[float, float] | None,
    turn_deg: float,
    lots: np.random.Generator,
) -> list[Hand]:
    """Return the hands in the picture; `hole_mm` is where the keyhole lies on the table, if any.

    Over a hole that is to be read no finger lies; over one that is to be covered one does.
    """
    tone = int(lots.integers(len(TONES)))
    if negative is Negative.HOLE_COVERED and hole_mm is not None:
        return [_covering(hole_mm, tone, lots)]
    if negative is Negative.HAND:
        return [draw_hand(_near(lots), lots.uniform(0, 360), tone, lots) for _ in range(2)]
    hands: list[Hand] = []
    for chance in (level.hands, level.hands * 0.45):
        if lots.random() < chance:
            hand = _holding(hole_mm, turn_deg, tone, lots)
            hands += [] if hand is None else [hand]
    return hands


def _near(lots: np.random.Generator) -> tuple[float, float]:
    x, y = lots.uniform(-25, 25, 2)
    return float(x), float(y)


def _holding(
    hole_mm: tuple[float, float] | None, turn_deg: float, tone: int, lots: np.random.Generator
) -> Hand | None:
    """Return a hand whose tips hold an edge of the card; None when the hole leaves no room."""
    for _ in range(20):
        x, y, inwards_deg = _edge_point(lots)
        deep = lots.uniform(4, 15)
        turn = turn_deg + inwards_deg
        x_mm, y_mm = on_table(x, y, turn_deg)
        tip = (
            x_mm + deep * math.cos(math.radians(turn)),
            y_mm + deep * math.sin(math.radians(turn)),
        )
        hand = draw_hand(tip, turn + lots.normal(0, 22), tone, lots)
        if hole_mm is None or _is_clear(hand, hole_mm, turn_deg):
            return hand
    return None


def _edge_point(lots: np.random.Generator) -> tuple[float, float, float]:
    """Return a point of the card's edge and the direction in which the card lies from there."""
    along = lots.uniform(0.15, 0.85)
    side = int(lots.integers(4))
    if side < 2:
        x = (0.0, CARD_WIDTH_MM)[side]
        return x, along * CARD_HEIGHT_MM, (0.0, 180.0)[side]
    return along * CARD_WIDTH_MM, (0.0, CARD_HEIGHT_MM)[side - 2], (90.0, 270.0)[side - 2]


def _is_clear(hand: Hand, hole_mm: tuple[float, float], turn_deg: float) -> bool:
    down = math.radians(turn_deg + 90)
    stem = hole_mm[0] + _STEM_MM * math.cos(down), hole_mm[1] + _STEM_MM * math.sin(down)
    return (
        reach(hand, *hole_mm) > _HOLE_RADIUS_MM + _CLEAR_MM and reach(hand, *stem) > 2 + _CLEAR_MM
    )


def _covering(hole_mm: tuple[float, float], tone: int, lots: np.random.Generator) -> Hand:
    """Return a hand that hides most of the hole's circle and the stem or a part of it."""
    towards = lots.uniform(0, 360)
    past = lots.uniform(4.5, 14)
    aside = lots.uniform(-2.0, 2.0)
    cos, sin = math.cos(math.radians(towards)), math.sin(math.radians(towards))
    tip = hole_mm[0] + past * cos - aside * sin, hole_mm[1] + past * sin + aside * cos
    return draw_hand(tip, towards, tone, lots)
