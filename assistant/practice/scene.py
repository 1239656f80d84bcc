"""What is about the stack: the table with or without the map, other cards, tokens, light."""

from __future__ import annotations

import math

import cv2
import numpy as np

from assistant.core.terms import Location
from assistant.practice.chart import CHART_PX_PER_MM, CHART_WIDTH_MM, chart
from assistant.practice.deck import PracticeDeck
from assistant.practice.faces import (
    Face,
    fog,
    key_front,
    stealth_back,
    stealth_face,
    youth_back,
    youth_face,
)
from assistant.practice.lens import Lens, Shine
from assistant.practice.sprite import Sprite, as_cover, shadow, smear_kernel
from assistant.practice.stack import Laid, card_seen
from assistant.practice.stage import Level, View
from assistant.practice.surfaces import Surface, surface_seen
from assistant.vision.sighting import Picture, Side

_TOKENS = ((40, 40, 190), (170, 96, 30), (38, 34, 32), (60, 140, 60), (190, 205, 215))


def table_seen(view: View, on_map: float, lots: np.random.Generator) -> Picture:
    """Return the bare table: a surface, and with chance `on_map` the map lying on it."""
    kind = list(Surface)[int(lots.integers(len(Surface)))]
    frame = surface_seen(kind, lots, view.to_frame, view.size)
    if lots.random() < on_map:
        _lay_map(frame, view, lots)
    return frame


def _lay_map(frame: Picture, view: View, lots: np.random.Generator) -> None:
    picture = chart()
    height_mm = CHART_WIDTH_MM * picture.shape[0] / picture.shape[1]
    turn = math.radians(lots.uniform(0, 360))
    cos, sin = math.cos(turn), math.sin(turn)
    # The stack (the table's origin) lies on the map or near its edge.
    x, y = lots.uniform(-30, CHART_WIDTH_MM + 30), lots.uniform(-30, height_mm + 30)
    laid = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, -x], [0, 1, -y], [0, 0, 1]]
    )
    shrink = np.diag([1 / CHART_PX_PER_MM, 1 / CHART_PX_PER_MM, 1.0])
    cv2.warpPerspective(
        picture,
        view.to_frame @ laid @ shrink,
        view.size,
        dst=frame,
        borderMode=cv2.BORDER_TRANSPARENT,
    )


def lay_clutter(
    frame: Picture,
    view: View,
    deck: PracticeDeck,
    *,
    most: int,
    clear_mm: float,
    light_deg: float,
    lots: np.random.Generator,
) -> None:
    """Lay other cards and tokens about, in place, none nearer to the origin than `clear_mm`."""
    for _ in range(int(lots.integers(most + 1))):
        at = view.table_at(*(lots.uniform(-0.05, 1.05, 2) * view.size))
        if math.hypot(*at) < clear_mm:
            continue
        if lots.random() < 0.4:
            _lay_token(frame, view, at, light_deg, lots)
            continue
        face, key = _other_card(deck, lots)
        laid = Laid(*at, lots.uniform(0, 360), light_deg)
        lay_with_shadow(frame, card_seen(view, laid, face, key), view, light_deg, height_mm=0.7)


def lay_with_shadow(
    frame: Picture,
    sprite: Sprite | None,
    view: View,
    light_deg: float,
    *,
    height_mm: float,
    strength: float = 0.42,
) -> None:
    """Lay a sprite `height_mm` above the table, its soft shadow first, in place."""
    if sprite is None:
        return
    shadow_of(sprite, view, light_deg, height_mm, strength).lay(frame)
    sprite.lay(frame)


def shadow_of(
    sprite: Sprite, view: View, light_deg: float, height_mm: float, strength: float
) -> Sprite:
    """Return the shadow of a sprite that lies `height_mm` above the table, as a sprite."""
    away = math.radians(light_deg)
    length = height_mm * view.px_per_mm
    x, y = -math.cos(away) * length, -math.sin(away) * length
    return shadow(sprite, x, y, max(0.6, 0.8 * length), strength)


def _other_card(
    deck: PracticeDeck, lots: np.random.Generator
) -> tuple[Face, tuple[Location, Side] | None]:
    place = list(Location)[int(lots.integers(len(Location)))]
    which = int(lots.integers(5))
    if which <= 1:
        return key_front(place), (place, Side.FRONT)
    if which == 2:
        return stealth_back(deck.stealth[place]), None
    if which == 3:
        return fog(deck.fog), None
    return youth_back(), None


def any_other_side(deck: PracticeDeck, name: str, lots: np.random.Generator) -> Face:
    """Return a side that is no key's: "fog", "stealth-back", "stealth-face" or "youth-card"."""
    place = list(Location)[int(lots.integers(len(Location)))]
    if name == "fog":
        return fog(deck.fog)
    if name == "stealth-back":
        return stealth_back(deck.stealth[place])
    if name == "stealth-face":
        return stealth_face(deck.stealth[place])
    return youth_back() if lots.random() < 0.5 else youth_face(deck.youth[place])


def _lay_token(
    frame: Picture,
    view: View,
    at_mm: tuple[float, float],
    light_deg: float,
    lots: np.random.Generator,
) -> None:
    colour = np.array(_TOKENS[int(lots.integers(len(_TOKENS)))], np.float32)
    turns = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    ring = np.column_stack([at_mm[0] + 7.5 * np.cos(turns), at_mm[1] + 7.5 * np.sin(turns)])
    lifted = np.column_stack([ring, np.ones(len(ring))]) @ view.to_frame.T
    points = lifted[:, :2] / lifted[:, 2:]
    left, top = (int(v) - 2 for v in points.min(axis=0))
    right, bottom = (int(v) + 3 for v in points.max(axis=0))
    if right - left < 3 or bottom - top < 3 or right - left > 400:
        return
    cover = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(
        cover, [np.round((points - (left, top)) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4
    )
    rise = cv2.GaussianBlur(cover, (0, 0), 2.0).astype(np.float32)[:, :, None] / 255
    bgr = np.clip(colour * (0.6 + 0.45 * rise), 0, 255).astype(np.uint8)
    token = Sprite(left, top, bgr, as_cover(cover))
    lay_with_shadow(frame, token, view, light_deg, height_mm=2.0)


def draw_lens(
    level: Level,
    size: tuple[int, int],
    light_deg: float,
    shines: tuple[Shine, ...],
    lots: np.random.Generator,
) -> Lens:
    """Return light and camera by chance within a level; blur is for pictures 1280 px wide."""
    scale = size[0] / 1280
    rows, columns = np.mgrid[0:18, 0:32].astype(np.float32)
    across = (columns / 31 - 0.5) * math.cos(math.radians(light_deg))
    down = (rows / 17 - 0.5) * math.sin(math.radians(light_deg))
    slope = 1 + lots.uniform(0, level.slope) * 1.6 * (across + down)
    far = (columns / 31 - 0.5) ** 2 + (rows / 17 - 0.5) ** 2
    light = slope * (1 - lots.uniform(0, level.slope) * far) * lots.uniform(*level.exposure)
    if lots.random() < level.slope:
        light = light * _band_of_shadow(rows, columns, level.slope, lots)
    cast = np.exp(lots.uniform(-level.cast, level.cast, 3))
    cast = cast / cast.mean()
    smear = None
    if level.smear_px and lots.random() < 0.4:
        smear = smear_kernel(lots.uniform(0, level.smear_px) * scale, lots.uniform(0, 180))
    return Lens(
        light=np.maximum(light, 0.12).astype(np.float32),
        cast_bgr=(float(cast[0]), float(cast[1]), float(cast[2])),
        shines=shines,
        blur_px=lots.uniform(*level.blur_px) * max(scale, 0.7),
        smear=smear,
        noise=lots.uniform(*level.noise),
        jpeg=int(lots.integers(level.jpeg[0], level.jpeg[1] + 1)),
    )


def _band_of_shadow(
    rows: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    columns: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    strength: float,
    lots: np.random.Generator,
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the shadow of somebody who leans over the table: dark beyond a soft line."""
    turn = lots.uniform(0, 2 * math.pi)
    along = (columns / 31 - 0.5) * math.cos(turn) + (rows / 17 - 0.5) * math.sin(turn)
    beyond = 1 / (1 + np.exp((along - lots.uniform(-0.2, 0.4)) * lots.uniform(8, 25)))
    return np.asarray(1 - strength * lots.uniform(0.4, 0.9) * (1 - beyond), np.float32)


def draw_shines(
    chance: float,
    view: View,
    hole_px: tuple[float, float] | None,
    lots: np.random.Generator,
) -> tuple[Shine, ...]:
    """Return a lamp's reflection near the stack, or none; never one that blinds the hole."""
    if lots.random() >= chance:
        return ()
    middle = view.to_frame[:2, 2] / view.to_frame[2, 2]
    scale = view.px_per_mm
    for _ in range(12):
        x, y = (float(v) for v in middle + lots.normal(0, 30, 2) * scale)
        long, wide = lots.uniform(6, 16) * scale, lots.uniform(4, 9) * scale
        shine = Shine(x, y, long, wide, lots.uniform(0, 180), lots.uniform(0.25, 0.95))
        if hole_px is None or not is_blinded(hole_px, (shine,), scale):
            return (shine,)
    return ()


def is_blinded(hole_px: tuple[float, float], shines: tuple[Shine, ...], px_per_mm: float) -> bool:
    """Return whether a lamp's reflection lies on or near a keyhole."""
    return any(
        math.hypot(shine.x_px - hole_px[0], shine.y_px - hole_px[1])
        < 2.1 * shine.long_px + 6 * px_per_mm
        for shine in shines
    )
