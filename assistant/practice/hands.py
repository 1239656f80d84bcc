"""Hands that hold or cover a stack: fingers with nails, a palm, a wrist or a sleeve."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.practice.marks import brushed, smooth
from assistant.practice.sprite import Sprite, as_cover
from assistant.practice.stage import View
from assistant.vision.geometry import project

#: Skin in light, BGR, from pale to dark.
TONES = (
    (176, 200, 236),
    (142, 174, 222),
    (118, 150, 206),
    (98, 128, 184),
    (72, 100, 152),
    (50, 70, 112),
    (36, 48, 78),
)

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that lies in from one side: where its longest finger's tip is, in mm on the table."""

    tip_x_mm: float
    tip_y_mm: float
    #: From wrist to tip.
    towards_deg: float
    tone: int
    fingers: int
    finger_mm: float
    sleeve_bgr: tuple[int, int, int] | None


def draw_hand(
    tip_mm: tuple[float, float], towards_deg: float, tone: int, lots: np.random.Generator
) -> Hand:
    """Return a hand by chance with its tip there."""
    colour = tuple(int(v) for v in lots.integers(30, 190, 3))
    return Hand(
        *tip_mm,
        towards_deg,
        tone,
        int(lots.integers(1, 4)),
        lots.uniform(14.0, 17.5),
        (colour[0], colour[1], colour[2]) if lots.random() < 0.5 else None,
    )


def hand_seen(view: View, hand: Hand) -> Sprite | None:
    """Return the hand in the frame; None when it is outside."""
    pieces = [_to_px(view, hand, piece) for piece in _fingers(hand)]
    palm, thumb = _to_px(view, hand, _palm(hand)), _to_px(view, hand, _thumb(hand))
    wrist = _to_px(view, hand, _wrist(view, hand))
    seen = np.vstack([*pieces, palm, thumb, wrist])
    left, top = (int(max(v - 6, -20)) for v in seen.min(axis=0))
    right = int(min(seen[:, 0].max() + 6, view.size[0] + 20))
    bottom = int(min(seen[:, 1].max() + 6, view.size[1] + 20))
    if right - left < 4 or bottom - top < 4:
        return None
    shape = bottom - top, right - left
    corner = np.array([left, top], np.float64)
    tone = np.array(TONES[hand.tone], np.float32)
    bgr = np.empty((*shape, 3), np.uint8)
    bgr[:] = tone
    cover = np.zeros(shape, np.uint8)
    sleeve = hand.sleeve_bgr
    for limbs, colour in (
        ([(wrist, 24.0)], tone if sleeve is None else np.array(sleeve, np.float32)),
        (
            [(palm, 22.0), (thumb, 9.0), *((piece, hand.finger_mm / 2) for piece in pieces)],
            tone,
        ),
    ):
        _shade(
            bgr,
            cover,
            [(outline - corner, radius * view.px_per_mm) for outline, radius in limbs],
            colour,
        )
    _nails(bgr, view, hand, corner)
    bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.6), np.uint8)
    return Sprite(left, top, bgr, as_cover(np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.6))))


def reach(hand: Hand, x_mm: float, y_mm: float) -> float:
    """Return how far, in mm, a point of the table lies from the nearest finger or the palm."""
    turn = math.radians(-hand.towards_deg)
    dx, dy = x_mm - hand.tip_x_mm, y_mm - hand.tip_y_mm
    x = dx * math.cos(turn) - dy * math.sin(turn)
    y = dx * math.sin(turn) + dy * math.cos(turn)
    outlines = [*_fingers(hand), _palm(hand), _thumb(hand)]
    return -max(
        cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), True)
        for outline in outlines
    )


def _fingers(hand: Hand) -> list[Points]:
    """Return finger outlines in mm, tip of the first at the origin, pointing to +x."""
    outlines = []
    for k in range(hand.fingers):
        back, beside = (0.0, 4.0, 1.5)[k], (0.0, 1.02, -1.02)[k] * hand.finger_mm
        half = hand.finger_mm / 2 * (1.0, 1.0, 0.94)[k]
        spread = (0.0, 0.10, -0.12)[k]
        tip = [
            (-half * 0.95 + half * math.cos(t) * 0.95, half * 0.86 * math.sin(t))
            for t in np.linspace(-math.pi / 2, math.pi / 2, 14)
        ]
        knuckle = -26.0
        sides = [(knuckle, half * 1.02), (-40, half * 0.98), (-62, half * 1.15)]
        outline = [*tip, *sides, *((x, -y) for x, y in reversed(sides))]
        outlines.append(
            np.array([(x - back, y + beside * (1 - 0.12) + spread * x) for x, y in outline])
        )
    return outlines


def _palm(hand: Hand) -> Points:
    """Return the back of the hand: broad at the knuckles, narrow at the wrist."""
    middle = _palm_middle(hand)
    half = [(-48.0, 22.0), (-52.0, 33.0), (-66.0, 39.0), (-92.0, 38.0), (-118.0, 31.0)]
    half += [(-136.0, 26.0)]
    ring = [(x, y + middle) for x, y in half]
    ring += [(x, middle - y) for x, y in reversed(half)]
    return np.array(smooth(ring))


def _thumb(hand: Hand) -> Points:
    side = 1.0 if hand.fingers == 2 else -1.0
    middle = _palm_middle(hand)
    spine = [(-112.0, 20.0), (-92.0, 38.0), (-74.0, 47.0), (-56.0, 50.0), (-49.0, 50.5)]
    widths = [26.0, 23.0, 19.0, 16.0, 6.0]
    outline = brushed([(x, middle + side * y) for x, y in spine], widths)
    return np.array(outline)


def _palm_middle(hand: Hand) -> float:
    """Return how far the palm's middle lies beside the first finger, in mm."""
    return (-1.15, 0.9, 0.0)[hand.fingers - 1] * hand.finger_mm


def _wrist(view: View, hand: Hand) -> Points:
    # Long enough to leave the frame, too short to come behind a leaning camera.
    turn = math.radians(hand.towards_deg)
    nearer = view.to_frame[2, 0] * math.cos(turn) + view.to_frame[2, 1] * math.sin(turn)
    at_tip = view.to_frame[2] @ (hand.tip_x_mm, hand.tip_y_mm, 1.0)
    far = 3.0 * view.size[0] / view.px_per_mm
    if nearer > 0:
        far = min(far, (float(at_tip) - 0.12) / nearer)
    side = np.array([(-100.0, 25.0), (-170.0, 29.0), (-max(far, 180.0), 36.0)])
    both = np.vstack([side, side[::-1] * (1, -1)])
    return np.asarray(both + np.array([0.0, _palm_middle(hand)]), np.float64)


def _to_px(view: View, hand: Hand, outline: Points) -> Points:
    turn = math.radians(hand.towards_deg)
    spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return project(view.to_frame, outline @ spin + (hand.tip_x_mm, hand.tip_y_mm))


def _shade(
    bgr: npt.NDArray[np.uint8],
    cover: npt.NDArray[np.uint8],
    limbs: list[tuple[Points, float]],
    colour: npt.NDArray[np.float32],
) -> None:
    """Fill limbs that grow together, in place: bright on top, darker and redder to the edges."""
    rise = np.zeros(cover.shape, np.float32)
    for outline, radius_px in limbs:
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 2, cover.shape[::-1])
        if (high - low < 2).any():
            continue
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        # A limb may run far out of the frame; cv2 wants points that fit 16 bits with their share.
        points = np.clip(outline - low, -2000, 4000)
        cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
        # A limb cut by the frame's edge goes on beyond it, so the edge is no border of its own.
        wide = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
        depth = cv2.distanceTransform(wide, cv2.DIST_L2, 3)[1:-1, 1:-1]
        window = rise[low[1] : high[1], low[0] : high[0]]
        np.maximum(window, np.minimum(depth / max(radius_px, 1.0), 1.0), out=window)
    inside = rise > 0
    top = np.sqrt(rise[inside] * (2 - rise[inside]))
    for channel, edge in enumerate((0.5, 0.54, 0.62)):
        bgr[:, :, channel][inside] = (colour[channel] * (edge + (1 - edge) * top)).astype(np.uint8)
    cover[inside] = 255


def _nails(bgr: npt.NDArray[np.uint8], view: View, hand: Hand, corner: Points) -> None:
    tone = np.array(TONES[hand.tone], np.float32)
    nail = np.minimum(tone * 0.6 + np.array([150, 150, 190]) * 0.45, 250)
    turns = np.linspace(0, 2 * math.pi, 20, endpoint=False)
    for outline in _fingers(hand):
        tip_x, middle = outline[:, 0].max(), outline[:14, 1].mean()
        half = hand.finger_mm * 0.27
        ring = np.column_stack([tip_x - 6.5 + 5.2 * np.cos(turns), middle + half * np.sin(turns)])
        points = _to_px(view, hand, ring) - corner
        layer = [np.round(points * 16).astype(np.int32)]
        cv2.fillPoly(bgr, layer, tuple(float(v) for v in nail), cv2.LINE_AA, 4)
