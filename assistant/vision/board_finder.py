"""Finds the printed board in a picture, so that candidates can be drawn on the board itself.

Learnt from one picture of the player's own board and its four corners: the picture is laid flat
and its points that stand out (SIFT) are kept with where they lie on the board. In a later picture
the same points are matched; the plane in perspective that most agree on tells where every point
must lie, and there it is looked for again; all together give the exact pose. Cards, hands and
clutter on the board only take points away. Of pictures of the printed board, learnt from one of
them, 32 of 32 were found, with every ring that could be measured within 0.8 mm of its print. It
costs 150 to 400 ms, so it has no place on the frame path.

    D. Lowe, Distinctive image features from scale-invariant keypoints, IJCV 2004

Board coordinates: x and y in shares of the board's width, origin at the printed top left.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.board import HEIGHT_OVER_WIDTH, Point
from assistant.core.errors import DamagedError
from assistant.vision.board_pose import (
    CORNERS,
    BoardPose,
    Matrix,
    exact_pose,
    rough_pose,
    turns_clockwise,
)
from assistant.vision.packed_arrays import unpacked
from assistant.vision.points import DESCRIPTOR, described
from assistant.vision.sighting import Picture

#: The learnt board is laid flat this wide, px: about 2.7 a mm.
FLAT_PX = 960

#: Pictures are looked at this wide, px: more costs time and finds no more boards.
LOOK_PX = 640

#: Points kept of the board, and looked for in a picture. All 32 pictures of the printed board were
#: found with 1000 as with 2500; there may be more clutter than on those.
BOARD_POINTS, PICTURE_POINTS = 2500, 1500

#: A match counts when it is so much nearer than the second nearest (Lowe's ratio).
_RATIO = 0.8

#: So many must agree before the others are looked for where they should be.
_LEAST_ROUGH = 12

#: How far from there they may lie, px, and how unlike they may look (a distance of descriptors).
_NEAR_PX, _MOST_UNLIKE = 24.0, 280.0

#: So many points must agree in the end. Of 32 pictures of the printed board the two in which least
#: of it is in view had 43 and 53, the others 73 and more; of 55 without it the worst had 36 (a card
#: that lay on the board when it was learnt), 30 and 30.
LEAST_POINTS = 40

#: And so widely must they be strewn over the board (standard deviation, shares of its width). What
#: lay on the board when it was learnt is found again wherever it lies: a card, narrower than this.
LEAST_SPREAD = 0.08

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class BoardFace:
    """A learnt board: points (n, 2) float32 in shares of its width, descriptors (n, 128) uint8."""

    points: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.uint8]

    def to_bytes(self) -> bytes:
        """Return the face as a file's bytes."""
        packed = io.BytesIO()
        np.savez_compressed(packed, points=self.points, descriptors=self.descriptors)
        return packed.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> BoardFace:
        """Return the face that a file holds.

        Raises:
            DamagedError: it is no such file.
        """
        try:
            arrays = unpacked(data)
            points, descriptors = arrays["points"], arrays["descriptors"]
        except (ValueError, KeyError) as error:
            raise DamagedError(f"the learnt board is damaged ({error}); learn it again") from error
        fits = points.shape == (len(descriptors), 2) and descriptors.shape[1:] == (DESCRIPTOR,)
        if not fits or points.dtype != np.float32 or descriptors.dtype != np.uint8:
            raise DamagedError("the learnt board is not what it should be; learn it again")
        return cls(points, descriptors)


class CornersError(ValueError):
    """Corners between which no board lies face up: a mirrored one would never be found."""


def learn_board(picture: Picture, corners: Sequence[Point]) -> BoardFace:
    """Return the face of the board in a picture.

    Args:
        picture: the board, as empty as may be.
        corners: its corners in px, clockwise from the printed top left.

    Raises:
        CornersError: they do not go clockwise round a board.
        ValueError: not four corners, or too little to be seen between them.
    """
    if len(corners) != len(CORNERS):
        raise ValueError(f"a board has four corners, not {len(corners)}")
    if not turns_clockwise(np.array(corners, np.float64)):
        raise CornersError(f"corners that do not go clockwise round a board: {list(corners)}")
    size = (FLAT_PX, round(FLAT_PX * HEIGHT_OVER_WIDTH))
    flat = np.array(CORNERS, np.float32) * FLAT_PX
    matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), flat)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    laid = cv2.warpPerspective(grey, matrix, size)
    whole = np.full(grey.shape, 255, np.uint8)
    seen = cv2.erode(cv2.warpPerspective(whole, matrix, size), np.ones((9, 9), np.uint8))
    points, descriptors = described(laid, BOARD_POINTS, seen)
    if len(points) < 4 * LEAST_POINTS:
        raise ValueError(f"only {len(points)} points stand out on this board")
    return BoardFace((points / FLAT_PX).astype(np.float32), descriptors)


class BoardFinder:
    """Finds one learnt board; remembers nothing. One thread at a time may use it."""

    def __init__(self, face: BoardFace) -> None:
        """Get ready to look for a board."""
        self._points = face.points.astype(np.float64)
        self._descriptors = face.descriptors.astype(np.float32)
        self._matcher = cv2.BFMatcher(cv2.NORM_L2)

    def find(self, picture: Picture) -> BoardPose | None:
        """Return where the board lies; None where it cannot be told."""
        pose = self._told(picture)
        return pose if pose is not None and pose.is_seen_from_above() else None

    def _told(self, picture: Picture) -> BoardPose | None:
        high, wide = picture.shape[:2]
        share = min(1.0, LOOK_PX / wide)
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        points, descriptors = described(small, PICTURE_POINTS)
        if len(points) < LEAST_POINTS:
            return None
        here, kinds = points / share, descriptors.astype(np.float32)
        there, matched = self._alike(here, kinds)
        if len(there) < _LEAST_ROUGH:
            return None
        rough = rough_pose(there, matched, (wide, high))
        if rough is None or rough.agreeing < _LEAST_ROUGH:
            return None
        there, matched = self._where_they_should_be(rough, here, kinds)
        pose = exact_pose(rough, there, matched) if len(there) >= LEAST_POINTS else None
        if pose is None or pose.agreeing < LEAST_POINTS:
            return None
        return pose if _spread(there[pose.agrees(there, matched)]) >= LEAST_SPREAD else None

    def _alike(self, here: Matrix, kinds: Floats) -> tuple[Matrix, Matrix]:
        """Return pairs of points, on the board and in the picture, that look alike."""
        pairs = self._matcher.knnMatch(kinds, self._descriptors, k=2)
        good = [pair[0] for pair in pairs
                if len(pair) == 2 and pair[0].distance < _RATIO * pair[1].distance]  # fmt: skip
        return (
            self._points[[match.trainIdx for match in good]],
            here[[match.queryIdx for match in good]],
        )

    def _where_they_should_be(
        self, rough: BoardPose, here: Matrix, kinds: Floats
    ) -> tuple[Matrix, Matrix]:
        """Return pairs of points: the likest near to where the rough pose has each."""
        (x, y), (at_x, at_y) = (p.T.astype(np.float32) for p in (rough.seen(self._points), here))
        is_near = np.abs(x[:, None] - at_x) < _NEAR_PX
        is_near &= np.abs(y[:, None] - at_y) < _NEAR_PX
        matches = self._matcher.match(self._descriptors, kinds, is_near.astype(np.uint8))
        good = [match for match in matches if match.distance < _MOST_UNLIKE]
        return (
            self._points[[match.queryIdx for match in good]],
            here[[match.trainIdx for match in good]],
        )


def _spread(points: Matrix) -> float:
    """Return how widely points of the board (n, 2) are strewn, in shares of its width."""
    return float(np.sqrt(points.var(0).sum()))
