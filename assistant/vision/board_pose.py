"""Where the printed board lies in a picture: a plane in perspective, bent as the lens bends it.

A webcam bends straight lines by some px, more towards the rim. A board reaches from rim to rim, so
a pose without the bend misses rings far from the middle by 4 mm and more; with it (one number for
the whole picture) none of those measured on the printed board lies 2 mm off.

    A. Fitzgibbon, Simultaneous linear estimation of multiple view geometry and lens distortion,
    CVPR 2001 (the division model: straight = bent / (1 + bend * r^2))

Board coordinates: x and y in shares of the board's width, origin at the printed top left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.board import HEIGHT_OVER_WIDTH, Point

#: A pose that moves nothing in view by more is the old one: nothing trembles, px.
STILL_PX = 2.5

#: Bends tried; r is counted in half diagonals of the picture. Webcams lie well within.
_BENDS = tuple(np.linspace(-0.15, 0.15, 13))

#: How far a matched point lies from its place, and how large bends are, as a rule: few points
#: shall not bend a picture (px; share).
_POINT_PX, _BEND_SPREAD = 1.0, 0.06

#: How far from its place a point may lie that agrees, px.
AGREES_PX = 3.0

Matrix = npt.NDArray[np.float64]

#: The board's corners, clockwise from the printed top left.
CORNERS: tuple[Point, ...] = (
    (0.0, 0.0), (1.0, 0.0), (1.0, HEIGHT_OVER_WIDTH), (0.0, HEIGHT_OVER_WIDTH),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lens:
    """A picture's size in px, and how much the lens bends what lies at its corners."""

    size: tuple[int, int]
    bend: float = 0.0

    def straightened(self, points: Matrix) -> Matrix:
        """Return where points (n, 2) of the picture, px, would lie without the bend."""
        middle, half = self._frame()
        out = (points - middle) / half
        straight = out / (1 + self.bend * (out**2).sum(1, keepdims=True))
        return np.asarray(straight * half + middle, np.float64)

    def bent(self, points: Matrix) -> Matrix:
        """Return where straightened points (n, 2), px, lie in the picture."""
        middle, half = self._frame()
        out = (points - middle) / half
        reach = self.bend * (out**2).sum(1, keepdims=True)
        # Of the two roots the one that is 1 without a bend. Far outside of the picture there is
        # none; such a point stays outside with the root's last value.
        share = 2 / (1 + np.sqrt(np.maximum(1 - 4 * reach, 0)))
        return np.asarray(out * share * half + middle, np.float64)

    def _frame(self) -> tuple[Matrix, float]:
        middle = np.array(self.size, np.float64) / 2
        return middle, float(np.hypot(*middle))


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """Where the board lies: `plane` (3x3) takes board coordinates to straightened px."""

    plane: Matrix
    lens: Lens
    agreeing: int

    def places(self, points: Sequence[Point]) -> list[Point]:
        """Return where points of the board lie in the picture, px."""
        flat = np.array(points, np.float64).reshape(-1, 2)
        return [(float(x), float(y)) for x, y in self.seen(flat)]

    def seen(self, flat: Matrix) -> Matrix:
        """Return where points (n, 2) of the board lie in the picture, px (n, 2)."""
        there = cv2.perspectiveTransform(flat.reshape(-1, 1, 2), self.plane).reshape(-1, 2)
        return self.lens.bent(np.asarray(there, np.float64))

    @property
    def corners(self) -> list[Point]:
        """The board's corners in px, clockwise from the printed top left."""
        return self.places(CORNERS)

    def agrees(self, flat: Matrix, here: Matrix) -> npt.NDArray[np.bool_]:
        """Return which points (n, 2) of the board lie where they are seen, px (n, 2)."""
        return np.asarray(self.apart(flat, here) < AGREES_PX)

    def apart(self, flat: Matrix, here: Matrix) -> Matrix:
        """Return how far points of the board lie from where they are seen, px (n,)."""
        return np.asarray(np.linalg.norm(self.seen(flat) - here, axis=1), np.float64)

    def is_near(self, other: BoardPose) -> bool:
        """Whether all that this pose shows of the board lies where the other has it."""
        here, there = self.seen(_ALL_OVER), other.seen(_ALL_OVER)
        in_view = ((here >= 0) & (here <= np.array(self.lens.size))).all(1)
        if not in_view.any():
            return False
        return bool(np.abs(here - there)[in_view].max() < STILL_PX)

    def is_seen_from_above(self) -> bool:
        """Whether the board shows its face, all of it before the camera, and is not a sliver."""
        depths = [float(self.plane[2] @ (x, y, 1.0)) for x, y in CORNERS]
        if min(depths) <= 0 < max(depths):
            return False
        flat = np.array(CORNERS, np.float64).reshape(-1, 1, 2)
        points = cv2.perspectiveTransform(flat, self.plane).reshape(-1, 2).astype(np.float64)
        lengths = np.hypot(*(np.roll(points, -1, 0) - points).T)
        return turns_clockwise(points) and bool(lengths.min() > 0.1 * lengths.max())


def turns_clockwise(points: Matrix) -> bool:
    """Return whether four points (4, 2) px go clockwise round what has no dent and no crossing."""
    sides = np.roll(points, -1, 0) - points
    after = np.roll(sides, -1, 0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    # Four turns to the same side are one time round: two times would take five.
    return bool(turns.min() > 0)


#: Points all over the board: what moved is asked at those in view.
_ALL_OVER = np.array(
    [(x, y * HEIGHT_OVER_WIDTH) for x in np.linspace(0, 1, 9) for y in np.linspace(0, 1, 7)]
)


def rough_pose(there: Matrix, here: Matrix, size: tuple[int, int]) -> BoardPose | None:
    """Return the pose, without a bend, that most pairs of points agree on; None where none do.

    Args:
        there: points of the board (n, 2), board coordinates.
        here: the same points in the picture (n, 2), px; many may be wrong.
        size: the picture's width and height, px.

    D. Barath et al., MAGSAC++, CVPR 2020.
    """
    plane, agrees = cv2.findHomography(
        there, here, cv2.USAC_MAGSAC, AGREES_PX, maxIters=5000, confidence=0.999
    )
    if plane is None or agrees is None or plane.shape != (3, 3):
        return None
    return BoardPose(np.asarray(plane, np.float64), Lens(size), int(agrees.sum()))


def exact_pose(rough: BoardPose, there: Matrix, here: Matrix) -> BoardPose | None:
    """Return the pose with its bend, from pairs of points of which nearly all are right.

    Args and units as of `rough_pose`.
    """
    best, best_cost = None, np.inf
    for bend in _BENDS:
        lens = Lens(rough.lens.size, float(bend))
        pose = _fitted(rough, lens, there, here)
        if pose is None:
            continue
        # A wrong pair must not outweigh the right ones, so its error is cut off.
        errors = np.minimum(pose.apart(there, here), 2 * AGREES_PX) / _POINT_PX
        cost = float((errors**2).sum()) + (bend / _BEND_SPREAD) ** 2
        if cost < best_cost:
            best, best_cost = pose, cost
    return best


def _fitted(rough: BoardPose, lens: Lens, there: Matrix, here: Matrix) -> BoardPose | None:
    """Return the least-squares pose under one bend; points that do not agree are left out."""
    straight = lens.straightened(here)
    agrees = rough.apart(there, here) < 4 * AGREES_PX
    pose = None
    for _ in range(3):
        if agrees.sum() < 8:
            return None
        plane, _used = cv2.findHomography(there[agrees], straight[agrees], 0)
        if plane is None or plane.shape != (3, 3):
            return None
        pose = BoardPose(np.asarray(plane, np.float64), lens, int(agrees.sum()))
        agrees = pose.agrees(there, here)
    return pose
