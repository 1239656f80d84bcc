"""Stacks drawn by the tests themselves: what is in the hole is known because it was put there.

Everything is drawn in millimetres on a sheet DRAWN_PX_PER_MM fine (a table, a lower card, a key's
back with its hole cut out), and then filmed: warped into a picture, blurred, lit, noisy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from assistant.core.terms import Content, ContentKind, Feature
from assistant.vision.geometry import Homography, Keyhole
from assistant.vision.glyphs import FRONT_MARGIN_MM, GLYPH_PX_PER_MM

DRAWN_PX_PER_MM = 10
TABLE_MM = 14.0
PICTURE_PX = (460, 460)
PAPER = (205.0, 222.0, 232.0)

#: A hole in the middle of the left half, with no print near.
KEYHOLE = Keyhole(17.1, 21.3, 4.58, 30.8, 2.8, 3.82)
#: The hole of another key: nearly where this one comes to lie when the card is turned round.
OTHER_KEYHOLE = Keyhole(27.0, 47.1, 4.58, 56.6, 2.8, 3.82)
#: A place where the drawn key has no hole, only print.
PRINT_KEYHOLE = Keyhole(22.0, 42.0, 4.58, 51.4, 2.8, 3.82)

Ink = npt.NDArray[np.float32]
Sheet = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Stack:
    """What lies on the table and how it is filmed; see `film`."""

    ink: Ink | None = None
    under: str = "card"  # or table, or print: no hole at all, the ink is on the key itself
    table: tuple[float, float, float] = (70.0, 110.0, 60.0)
    offset_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    px_per_mm: float = 4.6
    rolled_deg: float = 20.0
    tilt: float = 0.12
    blur_px: float = 0.6
    noise: float = 2.0
    gain: float = 0.9
    glare: float = 0.0
    glare_mm: float = 12.0
    finger_mm: float | None = None
    finger_bgr: tuple[float, float, float] = (110.0, 145.0, 205.0)
    seed: int = 1


def film(stack: Stack) -> tuple[npt.NDArray[np.uint8], Homography]:
    """Return the picture of a stack, (460, 460, 3), and the map from mm on its back to px."""
    sheet = _draw(stack)
    to_picture = _pose(stack)
    mm_to_sheet = np.array(
        [
            [DRAWN_PX_PER_MM, 0, TABLE_MM * DRAWN_PX_PER_MM - 0.5],
            [0, DRAWN_PX_PER_MM, TABLE_MM * DRAWN_PX_PER_MM - 0.5],
            [0, 0, 1],
        ]
    )
    shrink = stack.px_per_mm / DRAWN_PX_PER_MM
    softened = cv2.GaussianBlur(sheet, (0, 0), max(0.4, 0.45 / shrink))
    seen = cv2.warpPerspective(
        softened, to_picture @ np.linalg.inv(mm_to_sheet), PICTURE_PX, borderValue=stack.table
    )
    seen = cv2.GaussianBlur(seen, (0, 0), stack.blur_px) * stack.gain
    if stack.glare:
        centre = to_picture @ np.array([KEYHOLE.centre_x_mm + 1, KEYHOLE.centre_y_mm - 1, 1])
        x, y = centre[:2] / centre[2]
        down, right = np.mgrid[: PICTURE_PX[1], : PICTURE_PX[0]].astype(np.float32)
        away = ((right - x) ** 2 + (down - y) ** 2) / (stack.glare_mm * stack.px_per_mm) ** 2
        seen += stack.glare * np.exp(-away)[..., None]
    rng = np.random.default_rng(stack.seed)
    seen += rng.standard_normal(seen.shape, np.float32) * np.float32(stack.noise)
    return np.clip(seen, 0, 255).astype(np.uint8), to_picture


def jittered(pose: Homography, amount_mm: float, rng: np.random.Generator) -> Homography:
    """Return a pose whose corners are off by up to so many mm each, as registration delivers."""
    corners = np.array([[0, 0], [44, 0], [44, 68], [0, 68]], np.float32)
    angle, size = rng.uniform(0, 2 * np.pi, 4), rng.uniform(0, amount_mm, 4)
    moved = corners + np.stack([np.cos(angle), np.sin(angle)], axis=1) * size[:, None]
    shift = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    return np.asarray(pose @ shift, np.float64)


def turned_round(pose: Homography) -> Homography:
    """Return the pose of a card that is taken to lie the other way up."""
    return np.asarray(pose @ np.array([[-1, 0, 44], [0, -1, 68], [0, 0, 1]]), np.float64)


def content_ink(content: Content) -> Ink | None:
    """Return the ink of a content at DRAWN_PX_PER_MM; None for blank."""
    if content.feature is not None:
        return _scaled(icon(content.feature), 7.2)
    if content.number is not None:
        return digit(content.number)
    return lady() if content.kind is ContentKind.LADY else None


def laid(content: Content, **how: object) -> Stack:
    """Return the stack that shows a content; the Lady has a place of her own in the hole."""
    stack = Stack(ink=content_ink(content))
    if content.kind is ContentKind.LADY:
        stack = replace(stack, offset_mm=(1.16, 0.81))
    return replace(stack, **how)  # type: ignore[arg-type]


def front_patches() -> dict[Feature, list[npt.NDArray[np.uint8]]]:
    """Return two grey pictures of each icon as the fronts show it, larger than in the hole."""
    patches = {}
    for feature in Feature:
        ink = _scaled(icon(feature), 9.3)
        scale = GLYPH_PX_PER_MM / DRAWN_PX_PER_MM
        small = cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        margin = round(FRONT_MARGIN_MM * GLYPH_PX_PER_MM)
        seen = []
        for shift in (-4, 3):
            framed = cv2.copyMakeBorder(
                small, margin + shift, margin - shift, margin - shift, margin + shift, 0
            )
            grey = 215 - 180 * cv2.GaussianBlur(framed, (0, 0), 1.5)
            seen.append(np.clip(grey, 0, 255).astype(np.uint8))
        patches[feature] = seen
    return patches


def icon(feature: Feature) -> Ink:
    """Return one of seven drawings of our own, (120, 120)."""
    sheet = np.zeros((120, 120), np.uint8)
    if feature is Feature.CHURCH:
        _bars(sheet, (52, 4, 68, 100), (30, 22, 90, 36))
        _shape(sheet, (6, 116), (24, 92), (96, 92), (114, 116))
    elif feature is Feature.COMMERCIAL:
        _bars(sheet, *((10, y, 52, y + 12) for y in range(4, 116, 19)))
        _bars(sheet, *((64, y, 110, y + 12) for y in range(42, 116, 19)))
    elif feature is Feature.PLAYHOUSE:
        cv2.ellipse(sheet, (40, 62), (36, 50), 0, 0, 360, 255, -1)
        cv2.ellipse(sheet, (90, 46), (26, 40), 0, 0, 360, 255, -1)
        for eye in ((28, 50), (52, 50), (92, 38)):
            cv2.circle(sheet, eye, 7, 0, -1)
        cv2.ellipse(sheet, (40, 74), (18, 14), 0, 20, 160, 0, 7)
    elif feature is Feature.RIVERSIDE:
        _shape(sheet, (4, 62), (116, 62), (96, 88), (24, 88))
        cv2.line(sheet, (40, 92), (104, 32), 255, 7)
        _bars(sheet, (2, 94, 118, 100))
    elif feature is Feature.RURAL:
        for leaf in ((60, 30), (30, 56), (90, 56)):
            cv2.circle(sheet, leaf, 29, 255, -1)
        _bars(sheet, (52, 56, 68, 118))
    elif feature is Feature.RESIDENCE:
        _shape(sheet, (60, 2), (118, 54), (104, 66), (60, 26), (16, 66), (2, 54))
        _shape(sheet, (60, 36), (100, 70), (100, 118), (20, 118), (20, 70))
        _bars(sheet, (44, 74, 76, 98), ink=0)
    else:
        _bars(sheet, (24, 44, 82, 118))
        cv2.ellipse(sheet, (84, 80), (24, 22), 0, 0, 360, 255, 9)
        for froth in ((32, 26), (54, 18), (76, 28)):
            cv2.circle(sheet, froth, 17, 255, 6)
    return np.asarray(sheet / np.float32(255), np.float32)


def digit(number: int, height_mm: float = 6.3) -> Ink:
    """Return a digit in the face that Pillow brings along, which the reader does not know."""
    image = Image.new("L", (300, 300), 0)
    face = ImageFont.load_default(180)
    ImageDraw.Draw(image).text((90, 40), str(number), font=face, fill=255)
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    drawn = np.asarray(image.crop((left, top, right, bottom)), np.float32) / 255
    scale = height_mm * DRAWN_PX_PER_MM / drawn.shape[0]
    return np.asarray(cv2.resize(drawn, None, fx=scale, fy=scale), np.float32)


def lady() -> Ink:
    """Return a silhouette of our own, 7.85 x 9.7 mm: a head with a knot of hair, looking left."""
    sheet = np.zeros((116, 94), np.uint8)
    cv2.ellipse(sheet, (42, 42), (32, 40), 10, 0, 360, 255, -1)
    cv2.circle(sheet, (76, 30), 17, 255, -1)
    _shape(sheet, (12, 46), (4, 58), (14, 62))
    _shape(sheet, (30, 66), (64, 62), (62, 88), (88, 112), (20, 114), (36, 92))
    return np.asarray(sheet / np.float32(255), np.float32)


@lru_cache(maxsize=32)
def _layers(table_bgr: tuple[float, float, float], seed: int) -> tuple[Sheet, Sheet, Sheet, Ink]:
    """Return the table, the key's back, a blank card below it, and the hole, drawn to scale."""
    rng = np.random.default_rng(seed)
    width, height = (round((side + 2 * TABLE_MM) * DRAWN_PX_PER_MM) for side in (44, 68))
    shape = height, width
    table = _even(table_bgr, shape) + _grain(rng, shape, 5)[..., None]
    key = _even(PAPER, shape) + _grain(rng, shape, 3)[..., None]
    card = _even(PAPER, shape) + _grain(rng, shape, 3)[..., None]
    for line in (8, 11.5, 38, 42, 46, 60, 64):
        for x in np.arange(4.0, 40.0, 1.9):
            tall = rng.uniform(1.2, 2.4)
            _print(key, x, line - tall / 2, rng.uniform(0.5, 1.3), tall)
    hole = KEYHOLE.mask(-TABLE_MM, -TABLE_MM, shape, DRAWN_PX_PER_MM)
    return table, key, card, np.asarray(hole / np.float32(255), np.float32)


def _draw(stack: Stack) -> Sheet:
    table, key, card, hole = _layers(stack.table, stack.seed)
    below = {"table": table, "card": card, "print": key}[stack.under]
    if stack.ink is not None:
        below = below * (1 - 0.87 * _placed(stack, hole.shape[:2]))[..., None]
    # The key's thickness throws a thin shade at the hole's upper left edge.
    shade = cv2.GaussianBlur(np.clip(hole - np.roll(hole, (4, 4), axis=(0, 1)), 0, 1), (0, 0), 2)
    if stack.under != "print":
        below = below * (1 - 0.35 * shade)[..., None]
    stacked = key * (1 - hole[..., None]) + below * hole[..., None]
    seen = table.copy()
    edge = round(TABLE_MM * DRAWN_PX_PER_MM)
    inside = np.s_[edge : seen.shape[0] - edge, edge : seen.shape[1] - edge]
    seen[inside] = stacked[inside]
    return seen if stack.finger_mm is None else _finger(seen, stack)


def _even(colour: tuple[float, float, float], shape: tuple[int, int]) -> Sheet:
    return np.tile(np.asarray(colour, np.float32), (*shape, 1))


def _finger(seen: Sheet, stack: Stack) -> Sheet:
    """Lay a finger from the left whose tip reaches so many mm past the circle's centre."""
    tip = KEYHOLE.centre_x_mm + float(stack.finger_mm or 0) - 8, KEYHOLE.centre_y_mm
    a, b = (
        (round((x + TABLE_MM) * DRAWN_PX_PER_MM), round((tip[1] + TABLE_MM) * DRAWN_PX_PER_MM))
        for x in (-60.0, tip[0])
    )
    mask = np.zeros(seen.shape[:2], np.uint8)
    cv2.line(mask, a, b, 255, 16 * DRAWN_PX_PER_MM)
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), 3)[..., None]
    return np.asarray(seen * (1 - soft) + np.asarray(stack.finger_bgr) * soft, np.float32)


def _placed(stack: Stack, shape: tuple[int, ...]) -> Ink:
    assert stack.ink is not None
    rows, columns = stack.ink.shape
    x = (KEYHOLE.centre_x_mm + stack.offset_mm[0] + TABLE_MM) * DRAWN_PX_PER_MM
    y = (KEYHOLE.centre_y_mm + stack.offset_mm[1] + TABLE_MM) * DRAWN_PX_PER_MM
    turn = cv2.getRotationMatrix2D((columns / 2, rows / 2), stack.turn_deg, 1)
    turn[:, 2] += (x - columns / 2, y - rows / 2)
    return np.asarray(cv2.warpAffine(stack.ink, turn, shape[::-1]), np.float32)


def _pose(stack: Stack) -> Homography:
    roll, scale = np.radians(stack.rolled_deg), stack.px_per_mm
    turned = np.array([[np.cos(roll), -np.sin(roll)], [np.sin(roll), np.cos(roll)]]) * scale
    middle = np.array(PICTURE_PX) / 2 - turned @ np.array([22.0, 34.0])
    flat = np.vstack([np.column_stack([turned, middle]), [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, 1, 0], [0, stack.tilt / PICTURE_PX[1], 1 - stack.tilt / 2]])
    return np.asarray(tilt @ flat, np.float64)


def _grain(rng: np.random.Generator, shape: tuple[int, int], amount: float) -> Sheet:
    rough = rng.normal(0, amount, (shape[0] // 4 + 1, shape[1] // 4 + 1)).astype(np.float32)
    return np.asarray(cv2.resize(rough, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _print(sheet: Sheet, x: float, y: float, width: float, height: float) -> None:
    left, top = (round((at + TABLE_MM) * DRAWN_PX_PER_MM) for at in (x, y))
    right, bottom = (round((at + TABLE_MM) * DRAWN_PX_PER_MM) for at in (x + width, y + height))
    sheet[top:bottom, left:right] = 35


def _bars(sheet: npt.NDArray[np.uint8], *boxes: tuple[int, int, int, int], ink: int = 255) -> None:
    for left, top, right, bottom in boxes:
        sheet[top:bottom, left:right] = ink


def _shape(sheet: npt.NDArray[np.uint8], *points: tuple[int, int]) -> None:
    cv2.fillPoly(sheet, [np.array(points, np.int32)], 255)


def _scaled(ink: Ink, long_side_mm: float) -> Ink:
    ys, xs = np.nonzero(ink > 0.5)
    cut = ink[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    scale = long_side_mm * DRAWN_PX_PER_MM / max(cut.shape)
    return np.asarray(cv2.resize(cut, None, fx=scale, fy=scale), np.float32)
