"""Finding a key's back by its ornament, without any edge of the card.

The backs of all keys carry the same solid ornament, the same way up. Its moments give a pose that
needs no outline, so pale tables, the board under the card and fingers on its corners do not
matter: the second moments undo tilt and scale, the third fix the turn (an ornament that is not
symmetric has just one way to lie). A card cannot be mirrored, so neither can the pose.

    dark blob -> whitened by its second moments -> turned by its third -> compared with the ornament

After: Flusser and Suk, "Pattern recognition by affine moment invariants" (1993), for the idea of
whitening; the phase of the third-order complex moment c21 for the turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.ink import Grey, Ink

#: Side of the square on which blobs are compared, and how far it reaches in whitened units
#: (standard deviations of the blob's own ink).
PATCH_PX = 32
PATCH_REACH = 2.6

#: A blob is darker than the mean around it by this many grey levels.
BLOB_CONTRAST = 12
#: Window of that mean, in px of the picture searched; wider than twice the ornament's stroke.
BLOB_WINDOW_PX = 25
#: Blobs of other sizes are not looked at: an ornament is about 43 square mm, the smallest card
#: worth reading has 2.5 px per mm, the largest some 12 (in a picture at half size: half of it).
BLOB_AREA_PX = (40, 3000)
BLOB_LENGTH_PX = (12, 200)
BLOB_LEAST_WIDTH_PX = 5
#: At most so many blobs are looked at closely, the largest first, whatever the picture.
MOST_BLOBS = 150
#: Correlation with the ornament from which a blob is one. On the printed game ornaments in full
#: view score from 0.79 (hard) to 0.95; what else lies about stays below 0.6 in nearly all cases.
LEAST_LIKENESS = 0.5


@dataclass(frozen=True, slots=True)
class Whitened:
    """A blob's own frame: where it is, and the map from whitened, turned units to px or mm."""

    x: float
    y: float
    frame: npt.NDArray[np.float64]
    skew: float
    """Size of c21 in the whitened frame: how far from point symmetry, 0 for none."""


def whitened(moments: dict[str, float]) -> Whitened | None:
    """Return the frame of a blob from cv2.moments, or None for a blob without extent."""
    mass = moments["m00"]
    if mass <= 0:
        return None
    spread = (
        np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]) / mass
    )
    values, vectors = np.linalg.eigh(spread)
    if values[0] < 0.05:
        return None
    root = (vectors * np.sqrt(values)) @ vectors.T
    undo = np.linalg.inv(root)
    third = np.empty((2, 2, 2))
    third[0, 0, 0] = moments["mu30"]
    third[0, 0, 1] = third[0, 1, 0] = third[1, 0, 0] = moments["mu21"]
    third[0, 1, 1] = third[1, 0, 1] = third[1, 1, 0] = moments["mu12"]
    third[1, 1, 1] = moments["mu03"]
    third = np.einsum("ai,bj,ck,ijk->abc", undo, undo, undo, third / mass, optimize=False)
    c21 = complex(third[0, 0, 0] + third[0, 1, 1], third[0, 0, 1] + third[1, 1, 1])
    turn = math.atan2(c21.imag, c21.real)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return Whitened(
        x=moments["m10"] / mass, y=moments["m01"] / mass, frame=root @ rotation, skew=abs(c21)
    )


@dataclass(frozen=True, slots=True)
class Ornament:
    """The ornament as learnt: its frame in mm about its own centre, and how it looks there."""

    frame: npt.NDArray[np.float64]
    skew: float
    patch: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class OrnamentPose:
    """An ornament seen: affine map from mm about its centre to px, and how alike it looks."""

    x_px: float
    y_px: float
    mm_to_px: npt.NDArray[np.float64]
    likeness: float


def largest_blob(ink: Ink) -> tuple[npt.NDArray[np.uint8], Whitened] | None:
    """Return the mask and frame (in px of `ink`) of the largest solid print, or None."""
    dark = (ink > 0.4).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(dark)
    if count < 2:
        return None
    mask = (labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))).astype(np.uint8)
    frame = whitened(cv2.moments(mask, True))
    return None if frame is None else (mask, frame)


def learn_ornament(ink: Ink, px_per_mm: float) -> tuple[Ornament, tuple[float, float]] | None:
    """Return the ornament of one back and its centre (x, y) in mm, or None where there is none."""
    found = largest_blob(ink)
    if found is None:
        return None
    mask, blob = found
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 1.0)
    patch = _patch(np.asarray(soft, np.float32), blob)
    centre_mm = ((blob.x + 0.5) / px_per_mm, (blob.y + 0.5) / px_per_mm)
    return Ornament(blob.frame / px_per_mm, blob.skew, _unit(patch)), centre_mm


def find_ornaments(
    grey: Grey, ornament: Ornament, window_px: int = BLOB_WINDOW_PX, contrast: int = BLOB_CONTRAST
) -> list[OrnamentPose]:
    """Return where the ornament may lie in a (rows, columns) uint8 picture, the likest first."""
    to_mm = np.linalg.inv(ornament.frame)
    found = []
    for blob in _blobs(grey, window_px, contrast):
        if not 0.5 * ornament.skew < blob.skew < 1.6 * ornament.skew:
            continue
        seen = _unit(255.0 - _patch(grey, blob))
        likeness = float(np.dot(seen.ravel(), ornament.patch.ravel()))
        if likeness >= LEAST_LIKENESS:
            found.append(OrnamentPose(blob.x, blob.y, blob.frame @ to_mm, likeness))
    return sorted(found, key=lambda pose: -pose.likeness)


def _blobs(grey: Grey, window_px: int, contrast: int) -> Iterator[Whitened]:
    """Yield the frames of the dark blobs of an ornament's size."""
    dark = cv2.adaptiveThreshold(
        grey,
        255,
        cv2.ADAPTIVE_THRESH_MEAN_C,
        cv2.THRESH_BINARY_INV,
        window_px,
        contrast,
    )
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    area, length = stats[:, cv2.CC_STAT_AREA], np.maximum(width, height)
    fits = (
        (area >= BLOB_AREA_PX[0])
        & (area <= BLOB_AREA_PX[1])
        & (length >= BLOB_LENGTH_PX[0])
        & (length <= BLOB_LENGTH_PX[1])
        & (np.minimum(width, height) >= BLOB_LEAST_WIDTH_PX)
    )
    fits[0] = False
    chosen = np.flatnonzero(fits)
    chosen = chosen[np.argsort(-area[chosen], kind="stable")][:MOST_BLOBS]
    for label in chosen.tolist():
        x, y, w, h = stats[label, :4].tolist()
        mask = (labels[y : y + h, x : x + w] == label).astype(np.uint8)
        blob = whitened(cv2.moments(mask, True))
        if blob is not None:
            yield Whitened(blob.x + x, blob.y + y, blob.frame, blob.skew)


def _patch(
    picture: npt.NDArray[np.uint8] | npt.NDArray[np.float32], blob: Whitened
) -> npt.NDArray[np.float32]:
    """Return the blob in its own frame, (PATCH_PX, PATCH_PX) float32."""
    step = 2 * PATCH_REACH / PATCH_PX
    start = step / 2 - PATCH_REACH
    frame = blob.frame
    to_picture = np.array(
        [
            [frame[0, 0] * step, frame[0, 1] * step, blob.x + (frame[0, 0] + frame[0, 1]) * start],
            [frame[1, 0] * step, frame[1, 1] * step, blob.y + (frame[1, 0] + frame[1, 1]) * start],
        ]
    )
    seen = cv2.warpAffine(
        picture,
        to_picture,
        (PATCH_PX, PATCH_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, np.float32)


def _unit(patch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return a patch with mean 0 and length 1 (all 0 where it has no contrast)."""
    centred = patch - patch.mean()
    length = float(np.linalg.norm(centred))
    return np.asarray(centred / length if length > 1e-6 else centred * 0, np.float32)
