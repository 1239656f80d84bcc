"""Where a key may lie whose ornament a hand covers: beside a finger's tip, by points of its words.

Ornament and outline find nearly all keys; a finger on the ornament of a key on a pale table or on
the board's own map hides both. Its words show all the same: points of them (SIFT, which suffers
blur and any turn) are compared with those of every back, and where several lie as on one card,
there it may lie. Points are dear, so only the surroundings of fingertips are looked at.

    hand (unlike the picture's colour) -> its tips -> points about them -> one pose for each back
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_CORNERS_MM
from assistant.vision.ink import Grey, grey_of
from assistant.vision.points import described
from assistant.vision.profile import FACE_PX_PER_MM
from assistant.vision.register import Template
from assistant.vision.sighting import Picture, Side

#: Longer side of the picture in which hands are looked for.
HAND_PX = 160
#: Skin is redder and less blue than the middle of the picture by so much, as shares of its light:
#: of hands in both editions 0.1 and more, of paper and maps under one lamp 0.03.
MORE_RED, LESS_BLUE, FAINTEST_LIGHT = 0.06, 0.03, 20.0
#: A hand fills so many px of that picture at least.
LEAST_HAND_PX = 40
#: So many tips are looked at, those of the largest hands: each costs some 25 ms.
MOST_TIPS = 2

#: Longer side of the picture in which points are looked for: the letters of a card at 2.6 px per mm
#: of a picture of 1280 px must not be smaller.
POINTS_PX = 640
#: How far from a fingertip words are looked for, px of that picture: a small card's length, half of
#: a large one's.
REACH_PX = 105
MOST_POINTS = 300
#: Scale at which a back's own points are taken.
LEARNT_PX_PER_MM = 3.0
#: Two points are of one kind when their descriptors correlate so much, and each is the other's
#: likest; so many of one back must lie as on a card, to within so many px of the small picture.
#: Of keys that are there 9 to 40 do, of others' backs up to 8.
LEAST_ALIKE, LEAST_POINTS, NEAR_PX = 0.8, 6, 3.0
#: Backs whose pose is told, those with most points first.
MOST_BACKS = 2

Kinds = npt.NDArray[np.float32]
Points = npt.NDArray[np.float32]
Quad = npt.NDArray[np.float64]


class HeldFinder:
    """Proposes where backs lie that hands hold. It claims nothing: see claim.py."""

    def __init__(self, templates: Sequence[Template]) -> None:
        """Take the points of the backs' words; some tens of ms a back."""
        learnt = [_learnt(t) for t in templates if t.face.side is Side.BACK]
        self._backs = [back for back in learnt if len(back[0])]

    def outlines(self, picture: Picture) -> list[Quad]:
        """Return outlines that keys beside fingertips may have, (4, 2) px, the likeliest first.

        Args:
            picture: (rows, columns, 3) uint8.
        """
        if not self._backs or picture.ndim == 2:  # in grey no hand is told
            return []
        grown = max(1.0, max(picture.shape[:2]) / POINTS_PX)
        found: list[tuple[int, Quad]] = []
        for x_px, y_px in fingertips(picture):
            grey, (left, top) = _about(picture, x_px, y_px, grown)
            points, kinds = _points(grey)
            for at_mm, learnt in self._backs if len(points) else ():
                count, pose = _laid(at_mm, learnt, points, kinds)
                if pose is not None:
                    corners = CARD_CORNERS_MM @ pose[:, :2].T + pose[:, 2]
                    found.append((count, corners * grown + (left, top)))
        found.sort(key=lambda one: -one[0])
        return [corners for _, corners in found[:MOST_BACKS]]


def fingertips(picture: Picture) -> list[tuple[float, float]]:
    """Return where hands end that reach into a picture, (x, y) px, the largest hand's first.

    A hand that does not reach in from outside (only its fingers show) has an end on each side.
    """
    shrink = max(1, round(max(picture.shape[:2]) / HAND_PX))
    size = max(1, picture.shape[1] // shrink), max(1, picture.shape[0] // shrink)
    small = cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    light, red, blue = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb).astype(np.float32))
    red, blue = ((c - 128) / (light + FAINTEST_LIGHT) for c in (red, blue))
    skin = (red - np.median(red) > MORE_RED) & (np.median(blue) - blue > LESS_BLUE)
    opened = cv2.morphologyEx(skin.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    hands = [hand for hand in range(1, count) if stats[hand, cv2.CC_STAT_AREA] >= LEAST_HAND_PX]
    hands.sort(key=lambda hand: -int(stats[hand, cv2.CC_STAT_AREA]))
    tips: list[tuple[float, float]] = []
    for hand in hands[:MOST_TIPS]:
        tips += _ends(labels == hand)
    return [((x + 0.5) * shrink, (y + 0.5) * shrink) for x, y in tips[:MOST_TIPS]]


def _ends(hand: npt.NDArray[np.bool_]) -> Iterator[tuple[float, float]]:
    """Yield the points of a mask that are farthest from where it enters the picture."""
    at = np.argwhere(hand)[:, ::-1].astype(np.float64)
    rows, columns = hand.shape
    enters = at[(at <= 0).any(axis=1) | (at >= (columns - 1, rows - 1)).any(axis=1)]
    start = at.mean(axis=0) if len(enters) == 0 else enters.mean(axis=0)
    tip = at[np.argmax(np.linalg.norm(at - start, axis=1))]
    yield float(tip[0]), float(tip[1])
    if len(enters) == 0:
        other = at[np.argmax(np.linalg.norm(at - tip, axis=1))]
        yield float(other[0]), float(other[1])


def _about(
    picture: Picture, x_px: float, y_px: float, grown: float
) -> tuple[Grey, tuple[int, int]]:
    """Return the small grey surroundings of a point, and where they begin in the picture."""
    reach = REACH_PX * grown
    left, top = max(0, int(x_px - reach)), max(0, int(y_px - reach))
    part = grey_of(picture[top : int(y_px + reach), left : int(x_px + reach)])
    size = max(1, round(part.shape[1] / grown)), max(1, round(part.shape[0] / grown))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8), (left, top)


def _learnt(template: Template) -> tuple[Points, Kinds]:
    """Return the (n, 2) places of a back's points, mm, and their descriptors."""
    face = template.face
    paper = 255 - face.ink.astype(np.float32) * (face.weight.astype(np.float32) / 255)
    shrink = LEARNT_PX_PER_MM / FACE_PX_PER_MM
    small = cv2.resize(paper.astype(np.uint8), None, fx=shrink, fy=shrink,
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    points, kinds = _points(np.asarray(small, np.uint8))
    return points / np.float32(LEARNT_PX_PER_MM), kinds


def _points(grey: Grey) -> tuple[Points, Kinds]:
    """Return the (n, 2) px of a picture's points and the kind of each, (n, 128) of length 1."""
    points, descriptors = described(grey, MOST_POINTS)
    # Roots of shares compare better than the histograms themselves (Arandjelovic, Zisserman 2012).
    sums = np.maximum(descriptors.sum(axis=1, keepdims=True, dtype=np.float32), 1.0)
    return points.astype(np.float32), np.sqrt(descriptors / sums, dtype=np.float32)


def _laid(
    at_mm: Points, learnt: Kinds, points: Points, kinds: Kinds
) -> tuple[int, npt.NDArray[np.float64] | None]:
    """Return how many points show a back in one pose, and its (2, 3) map from mm to px."""
    alike = kinds @ learnt.T
    likest = alike.argmax(axis=1)
    number = np.arange(len(points))
    is_alike = alike[number, likest] >= LEAST_ALIKE
    if is_alike.sum() < LEAST_POINTS:  # most backs end here
        return 0, None
    mutual = is_alike & (alike.argmax(axis=0)[likest] == number)
    if mutual.sum() < LEAST_POINTS:
        return 0, None
    pose, inside = cv2.estimateAffinePartial2D(
        at_mm[likest[mutual]], points[mutual], ransacReprojThreshold=NEAR_PX
    )
    count = 0 if inside is None else int(inside.sum())
    return (count, pose) if pose is not None and count >= LEAST_POINTS else (0, None)
