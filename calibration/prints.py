"""The print of faces: shots laid over each other, and what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Location
from assistant.vision.geometry import Keyhole
from assistant.vision.ink import Ink
from assistant.vision.keyhole_places import mirrored
from assistant.vision.profile import FACE_PX_PER_MM, FACE_SHAPE, Face
from assistant.vision.register import Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Side
from calibration.shot import Shot

#: Two shots may show one face when their coarse prints correlate by this much.
PERHAPS_SAME = 0.3
#: They do when so much of the one's print lies in the other (the same face: 0.85
#: and more; another: up to 0.68).
SAME_FACE = 0.77
#: Scale of the coarse print by which shots look for their face.
COARSE_PX_PER_MM = 1.5
#: Ink this near to the card's rim or to the keyhole is not learnt: cards are cut out of register.
RIM_MM = 1.5
HOLE_MARGIN_MM = 1.2


def face_from(
    shots: Sequence[Shot],
    location: Location,
    holes: Mapping[Location, Keyhole],
    known: Face | None = None,
) -> Face:
    """Return the face that shots lying right way up, print over print, show.

    What was known of it counts for as many shots as it was made of.
    """
    side, count = shots[0].side, len(shots)
    ink = np.sum([shot.ink for shot in shots], axis=0)
    if known is not None:
        ink, count = ink + as_ink(known.ink) * known.shots, count + known.shots
    hole = holes[location] if side is Side.BACK else mirrored(holes[location])
    return Face(location, side, _bytes(np.asarray(ink / count, np.float32)), _weight(hole), count)


def unnamed_face(shot: Shot) -> Face:
    """Return a shot's print as a face of no known key (which one it names does not matter)."""
    return Face(Location.CORNHILL, shot.side, _bytes(shot.ink), _weight(None))


def laid_over(model: Template, shot: Shot) -> Shot | None:
    """Return a shot with its print laid exactly over a face's, or None when it is another face."""
    scene = Scene(shot.picture)
    exact = model.refine(scene, shot.homography)
    if exact is None or model.agreement(scene, exact).support < SAME_FACE:
        return None
    return shot.laid(exact)


def fingerprint(ink: Ink) -> npt.NDArray[np.float32]:
    """Return a face's print, coarse, (n,) float32 of mean 0 and length 1: alike is a dot product.

    Args:
        ink: of FACE_SHAPE, at FACE_PX_PER_MM.
    """
    rim = round(2.5 * FACE_PX_PER_MM)
    inner = cv2.GaussianBlur(ink, (0, 0), 0.5 * FACE_PX_PER_MM)[rim:-rim, rim:-rim]
    shrink = COARSE_PX_PER_MM / FACE_PX_PER_MM
    small = cv2.resize(inner, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).ravel()
    small = small - small.mean()
    return np.asarray(small / (np.linalg.norm(small) + 1e-6), np.float32)


def as_ink(ink: npt.NDArray[np.uint8]) -> Ink:
    """Return kept ink, uint8 0..255, as float32 0..1."""
    return np.asarray(ink.astype(np.float32) / 255.0, np.float32)


def _bytes(ink: Ink) -> npt.NDArray[np.uint8]:
    return np.asarray(np.clip(np.rint(ink * 255), 0, 255), np.uint8)


def _weight(hole: Keyhole | None) -> npt.NDArray[np.uint8]:
    """Return where a face's ink counts: all but the rim and the hole."""
    weight = np.zeros(FACE_SHAPE, np.uint8)
    rim = round(RIM_MM * FACE_PX_PER_MM)
    weight[rim:-rim, rim:-rim] = 255
    if hole is not None:
        margin = 2 * round(HOLE_MARGIN_MM * FACE_PX_PER_MM) + 1
        window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (margin, margin))
        weight[cv2.dilate(hole.mask(0.0, 0.0, FACE_SHAPE, FACE_PX_PER_MM), window) > 32] = 0
    return weight
