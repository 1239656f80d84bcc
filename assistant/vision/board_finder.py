"""Finds the printed board in a picture, so that candidates can be drawn on the board itself.

Learnt from one picture of the player's own board and its four corners: the picture is laid flat
and its corner-like points (ORB) are kept with where they lie on the board. In a later picture the
same points are matched; a plane in perspective that many of them agree on is the board. Cards,
hands and clutter on it only take points away. Measured on pictures of the printed game, learnt from
one of them: 31 of 32 boards found, rings within 1.1 mm of where they are seen. It costs some 50 to
150 ms, so it has no place on the frame path: a thread of its own asks two or three times a second.

    E. Rublee et al., ORB: an efficient alternative to SIFT or SURF, ICCV 2011
    D. Barath et al., MAGSAC++, CVPR 2020 (robust fit, cv2.USAC_MAGSAC)

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
from assistant.vision.packed_arrays import unpacked
from assistant.vision.sighting import Picture

#: The learnt board is laid flat this wide, px: about 2.7 a mm.
FLAT_PX = 960

#: Points looked for in a picture; fewer lose boards of which little is in view.
MOST_POINTS = 2500

#: A match counts when it is so much nearer than the second nearest (Lowe's ratio).
_RATIO = 0.8

#: So many points must agree, and so large a share of those matched. Of 32 pictures of the printed
#: board 31 had 79 and more (0.67 of those matched); the other, with a seventh of the board in view,
#: had 6. Of 55 pictures without it the two worst had 28 (0.42), on a card that lay on the board
#: when it was learnt.
LEAST_POINTS, LEAST_SHARE = 45, 0.5

#: How far from its place a point may lie that agrees, px.
_AGREES_PX = 3.0

#: A pose whose corners all moved less than this is the old one: nothing trembles, px.
STILL_PX = 2.5

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BoardFace:
    """A learnt board: points (n, 2) float32 in shares of its width, descriptors (n, 32) uint8."""

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
        fits = points.shape == (len(descriptors), 2) and descriptors.shape[1:] == (32,)
        if not fits or points.dtype != np.float32 or descriptors.dtype != np.uint8:
            raise DamagedError("the learnt board is not what it should be; learn it again")
        return cls(points, descriptors)


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """Where the board lies: `to_picture` (3x3) takes board coordinates to px."""

    to_picture: Matrix
    agreeing: int

    def places(self, points: Sequence[Point]) -> list[Point]:
        """Return where points of the board lie in the picture, px."""
        flat = np.array(points, np.float64).reshape(-1, 1, 2)
        there = cv2.perspectiveTransform(flat, self.to_picture).reshape(-1, 2)
        return [(float(x), float(y)) for x, y in there]

    @property
    def corners(self) -> list[Point]:
        """The board's corners in px, clockwise from the printed top left."""
        return self.places(_CORNERS)

    def is_near(self, other: BoardPose) -> bool:
        """Whether the board lies where it lay, but for trembling."""
        apart = np.abs(np.array(self.corners) - np.array(other.corners))
        return bool(apart.max() < STILL_PX)


_CORNERS: tuple[Point, ...] = (
    (0.0, 0.0), (1.0, 0.0), (1.0, HEIGHT_OVER_WIDTH), (0.0, HEIGHT_OVER_WIDTH),
)  # fmt: skip


def learn_board(picture: Picture, corners: Sequence[Point]) -> BoardFace:
    """Return the face of the board in a picture.

    Args:
        picture: the board, as empty as may be.
        corners: its corners in px, clockwise from the printed top left.

    Raises:
        ValueError: not four corners, or too little to be seen between them.
    """
    if len(corners) != len(_CORNERS):
        raise ValueError(f"a board has four corners, not {len(corners)}")
    size = (FLAT_PX, round(FLAT_PX * HEIGHT_OVER_WIDTH))
    flat = np.array(_CORNERS, np.float32) * FLAT_PX
    matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), flat)
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    laid = cv2.warpPerspective(gray, matrix, size)
    whole = np.full(gray.shape, 255, np.uint8)
    seen = cv2.erode(cv2.warpPerspective(whole, matrix, size), np.ones((9, 9), np.uint8))
    points, descriptors = _described(laid, seen)
    if len(points) < 4 * LEAST_POINTS:
        raise ValueError(f"only {len(points)} points stand out on this board")
    return BoardFace((points / FLAT_PX).astype(np.float32), descriptors)


class BoardFinder:
    """Finds one learnt board; remembers nothing. One thread at a time may use it."""

    def __init__(self, face: BoardFace) -> None:
        """Get ready to look for a board."""
        self._face = face
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)

    def find(self, picture: Picture) -> BoardPose | None:
        """Return where the board lies; None where it cannot be told."""
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        points, descriptors = _described(gray, None)
        if len(points) < LEAST_POINTS:
            return None
        pairs = self._matcher.knnMatch(descriptors, self._face.descriptors, k=2)
        good = [pair[0] for pair in pairs
                if len(pair) == 2 and pair[0].distance < _RATIO * pair[1].distance]  # fmt: skip
        if len(good) < LEAST_POINTS:
            return None
        here = np.array([points[match.queryIdx] for match in good], np.float32)
        there = np.array([self._face.points[match.trainIdx] for match in good], np.float32)
        return _pose(there, here)


def _pose(there: npt.NDArray[np.float32], here: npt.NDArray[np.float32]) -> BoardPose | None:
    """Return the pose that takes points of the board to points of the picture."""
    matrix, agrees = cv2.findHomography(
        there, here, cv2.USAC_MAGSAC, _AGREES_PX, maxIters=5000, confidence=0.999
    )
    if matrix is None or agrees is None:
        return None
    count = int(agrees.sum())
    pose = BoardPose(np.asarray(matrix, np.float64), count)
    enough = count >= LEAST_POINTS and count >= LEAST_SHARE * len(here)
    return pose if enough and _is_seen_from_above(pose) else None


def _is_seen_from_above(pose: BoardPose) -> bool:
    """Whether the board shows its face, all of it before the camera, and is not a sliver."""
    depths = [float(pose.to_picture[2] @ (x, y, 1.0)) for x, y in _CORNERS]
    if min(depths) <= 0 < max(depths):
        return False
    points = np.array(pose.corners, np.float32)
    turns = [
        float(np.cross(np.append(b - a, 0), np.append(c - b, 0))[2])
        for a, b, c in zip(points, np.roll(points, -1, 0), np.roll(points, -2, 0), strict=True)
    ]
    sides = [
        float(np.linalg.norm(b - a)) for a, b in zip(points, np.roll(points, -1, 0), strict=True)
    ]
    return min(turns) > 0 and min(sides) > 0.1 * max(sides)


def _described(
    gray: npt.NDArray[np.uint8] | cv2.typing.MatLike, mask: cv2.typing.MatLike | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """Return the points that stand out, (n, 2) px, and their descriptors (n, 32)."""
    orb = cv2.ORB_create(MOST_POINTS, fastThreshold=8)  # type: ignore[attr-defined]
    found, descriptors = orb.detectAndCompute(gray, mask)
    if descriptors is None or not found:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([point.pt for point in found], np.float32), np.asarray(descriptors, np.uint8)
