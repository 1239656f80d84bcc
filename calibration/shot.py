"""One shot of a card: cut out of its picture, with the side that it shows.

Only the card and a little table around it are kept; everything after works on that piece.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assistant.vision.geometry import (
    CARD_CORNERS_MM,
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    HALF_TURN,
    Homography,
    project,
    rectify,
)
from assistant.vision.ink import Grey, Ink, grey_of, ink_of
from assistant.vision.keyhole_places import HOLE_PX_PER_MM, header_end
from assistant.vision.printed_words import words_seen
from assistant.vision.profile import FACE_PX_PER_MM
from assistant.vision.sighting import Picture, Side
from calibration.cut import cut_card

#: Table kept around a card, as a share of its height: print is laid on from a rough pose.
ROOM_SHARE = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A card cut out of a picture.

    `homography` takes mm on the side seen to px of `picture`; a back's way up is not known, so
    mm may count from either end. `ink` is (272, 176) float32 at FACE_PX_PER_MM.
    """

    number: int
    picture: Picture
    homography: Homography
    side: Side
    ink: Ink

    def turned(self) -> Shot:
        """Return the shot read the other way up."""
        ink = np.ascontiguousarray(self.ink[::-1, ::-1])
        return replace(self, homography=self.homography @ HALF_TURN, ink=ink)

    def laid(self, homography: Homography) -> Shot:
        """Return the shot with its card at another pose, the ink cut out anew."""
        moved = replace(self, homography=homography)
        return replace(moved, ink=ink_of(moved.straight(FACE_PX_PER_MM), FACE_PX_PER_MM))

    def straight(self, px_per_mm: float) -> Grey:
        """Return the card seen straight on, grey."""
        size = CARD_WIDTH_MM, CARD_HEIGHT_MM
        return grey_of(rectify(self.picture, self.homography, (0.0, 0.0), size, px_per_mm))

    def words(self) -> Grey:
        """Return the part of the card that holds its words, for reading."""
        return words_seen(self.picture, self.homography, self.side)


def cut_shot(number: int, picture: Picture) -> Shot | None:
    """Return the card of a picture, with its side (a front the right way up); None without one."""
    cut = cut_card(picture)
    return None if cut is None else shot_at(number, picture, cut.homography)


def shot_at(number: int, picture: Picture, homography: Homography) -> Shot:
    """Return the card at a pose in a picture, with its side (a front the right way up)."""
    piece, at_piece = piece_of(picture, homography)
    size = CARD_WIDTH_MM, CARD_HEIGHT_MM
    end = header_end(grey_of(rectify(piece, at_piece, (0.0, 0.0), size, HOLE_PX_PER_MM)))
    grey = grey_of(rectify(piece, at_piece, (0.0, 0.0), size, FACE_PX_PER_MM))
    ink = ink_of(grey, FACE_PX_PER_MM)
    shot = Shot(number, piece, at_piece, Side.FRONT if end else Side.BACK, ink)
    return shot.turned() if end == -1 else shot


def piece_of(picture: Picture, homography: Homography) -> tuple[Picture, Homography]:
    """Return the card's surroundings as a picture of their own, copied, and its pose there."""
    corners = project(homography, CARD_CORNERS_MM)
    room = ROOM_SHARE * float(np.linalg.norm(corners[3] - corners[0]))
    height, width = picture.shape[:2]
    left, top = np.floor(corners.min(axis=0) - room).astype(int).clip(0).tolist()
    right, bottom = np.ceil(corners.max(axis=0) + room).astype(int).tolist()
    piece = picture[top : min(bottom, height), left : min(right, width)].copy()
    shift = np.array([[1.0, 0, -left], [0, 1.0, -top], [0, 0, 1]])
    return piece, shift @ homography
