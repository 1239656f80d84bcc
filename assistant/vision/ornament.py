"""Finding a key's back by its ornament, without any edge of the card.

The backs of all keys carry the same solid ornament, the same way up. Its moments give a pose that
needs no outline, so pale tables, the board under the card and fingers on its corners do not
matter: the second moments undo tilt and scale, which leaves a turn only. A card cannot be
mirrored, so neither can the pose.

    dark blob -> whitened by its second moments -> compared with the ornament at all turns

A finger on the ornament leaves a part of it, which has moments of its own. So the whole ornament
and its parts, cut off from all around, are models alike: each knows where the whole lies from it.
All blobs are compared with all models at all turns in one matrix product.

After: Flusser and Suk, "Pattern recognition by affine moment invariants" (1993), for whitening.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.ink import Grey, Ink

#: Side of the square on which blobs are compared, and how far it reaches in whitened units
#: (standard deviations of the blob's own ink).
PATCH_PX = 16
PATCH_REACH = 2.6
#: Turns at which a model is compared; laying it on exactly finds the rest.
TURNS = 24

#: Blobs of other sizes are not looked at: an ornament is about 43 square mm, the smallest card
#: worth reading has 2.5 px per mm, the largest some 12 (in a picture at half size: half of it).
BLOB_AREA_PX = (25, 3000)
BLOB_LENGTH_PX = (8, 200)
BLOB_LEAST_WIDTH_PX = 4
#: At most so many blobs are looked at closely, the largest first, whatever the picture.
MOST_BLOBS = 150
#: Correlation with a model from which a blob is tried. Blobs cut at one brightness have ragged
#: ends; what they are is told when they are laid on exactly (see identify.py). Parts are simpler
#: shapes that more blobs look like, so they must fit better.
LEAST_LIKENESS = 0.5
LEAST_PART_LIKENESS = 0.6
#: How parts are cut off the ornament: so many directions, and these shares of it left.
PART_DIRECTIONS = 12
PARTS_LEFT = (0.45, 0.6, 0.75)
#: A blob thinner than this (variance across it, square px) has no frame.
LEAST_SPREAD = 0.05


@dataclass(frozen=True, slots=True)
class Whitened:
    """A blob's own frame: where it is, and the map from whitened units to px or mm (not turned)."""

    x: float
    y: float
    frame: npt.NDArray[np.float64]


def whitened(moments: Sequence[dict[str, float]]) -> list[Whitened]:
    """Return the frames of blobs from their cv2.moments; blobs without extent are left out."""
    if not moments:
        return []
    names = ("m00", "m10", "m01", "mu20", "mu11", "mu02")
    m = np.array([[blob[name] for name in names] for blob in moments]).T
    m = m[:, m[0] > 0]
    x, y = m[1] / m[0], m[2] / m[0]
    a, b, d = m[3:] / m[0]
    # The root of a symmetric 2 x 2 matrix in closed form.
    root_det = np.sqrt(np.maximum(a * d - b * b, 1e-12))
    trace = np.sqrt(a + d + 2 * root_det)
    frames = np.stack([a + root_det, b, b, d + root_det], axis=1).reshape(-1, 2, 2)
    frames /= trace[:, None, None]
    wide = (a + d) / 2 - np.sqrt((a - d) ** 2 / 4 + b * b) > LEAST_SPREAD
    return [Whitened(float(x[i]), float(y[i]), frames[i]) for i in np.flatnonzero(wide)]


@dataclass(frozen=True, slots=True)
class Ornament:
    """The ornament as learnt, and its parts, at all turns: n models, the whole ones first.

    Of each: `patches` (n, PATCH_PX * PATCH_PX), as it looks in its whitened, turned frame, and, in
    that frame, where the whole ornament's centre lies, `centres` (n, 2), and the map from mm,
    `from_mm` (n, 2, 2).
    """

    patches: npt.NDArray[np.float32]
    centres: npt.NDArray[np.float64]
    from_mm: npt.NDArray[np.float64]

    @property
    def area_mm2(self) -> float:
        """How much room the whole ornament's frame takes; tells other shapes from it."""
        return float(abs(1 / np.linalg.det(self.from_mm[0])))


@dataclass(frozen=True, slots=True, eq=False)
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
    frames = whitened([cv2.moments(mask, True)])
    return (mask, frames[0]) if frames else None


def learn_ornament(ink: Ink, px_per_mm: float) -> tuple[Ornament, tuple[float, float]] | None:
    """Return the ornament of one back and its centre (x, y) in mm, or None where there is none."""
    found = largest_blob(ink)
    if found is None:
        return None
    mask, whole = found
    patches, centres, from_mm = [], [], []
    for part in (mask, *_parts(mask, whole)):
        (blob,) = whitened([cv2.moments(part, True)])
        soft = np.asarray(cv2.GaussianBlur(part.astype(np.float32), (0, 0), 1.0), np.float32)
        for turn in 2 * math.pi * np.arange(TURNS) / TURNS:
            cos, sin = math.cos(turn), math.sin(turn)
            turned = replace(blob, frame=blob.frame @ np.array([[cos, -sin], [sin, cos]]))
            undo = np.linalg.inv(turned.frame)
            patches.append(_unit(_patch(soft, turned)).ravel())
            centres.append(undo @ (whole.x - blob.x, whole.y - blob.y))
            from_mm.append(undo * px_per_mm)
    model = Ornament(np.stack(patches), np.stack(centres), np.stack(from_mm))
    return model, ((whole.x + 0.5) / px_per_mm, (whole.y + 0.5) / px_per_mm)


def _parts(mask: npt.NDArray[np.uint8], whole: Whitened) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield what is left of the ornament when something lies over one end of it."""
    rows, columns = np.nonzero(mask)
    points = np.stack([columns - whole.x, rows - whole.y], axis=1) @ np.linalg.inv(whole.frame).T
    for direction in range(PART_DIRECTIONS):
        turn = 2 * math.pi * direction / PART_DIRECTIONS
        along = points @ (math.cos(turn), math.sin(turn))
        for share in PARTS_LEFT:
            left = np.zeros_like(mask)
            kept = along <= np.quantile(along, share)
            left[rows[kept], columns[kept]] = 1
            _, labels, stats, _ = cv2.connectedComponentsWithStats(left)
            largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
            yield (labels == largest).astype(np.uint8)


def darker_than_around(grey: Grey, window_px: int, levels: int) -> npt.NDArray[np.uint8]:
    """Return where a picture is darker than the mean around by some levels: print on any paper."""
    return np.asarray(
        cv2.adaptiveThreshold(
            grey,
            255,
            cv2.ADAPTIVE_THRESH_MEAN_C,
            cv2.THRESH_BINARY_INV,
            window_px,
            levels,
        ),
        np.uint8,
    )


def darker_than_paper(grey: Grey, window_px: int, share: float) -> npt.NDArray[np.uint8]:
    """Return where a picture is darker than a share of the paper around: strokes, no finger.

    The paper is the picture closed with a window wider than a stroke and narrower than a finger,
    so that what is dark and wide is its own paper and falls away from the print that it touches.
    """
    window = np.ones((window_px, window_px), np.uint8)
    paper = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, window)
    return np.asarray(cv2.compare(grey, cv2.convertScaleAbs(paper, alpha=share), cv2.CMP_LT))


def find_ornaments(
    grey: Grey, dark: npt.NDArray[np.uint8], ornament: Ornament
) -> list[OrnamentPose]:
    """Return where the ornament may lie in a picture, the likest first.

    Args:
        grey: (rows, columns) uint8.
        dark: the same shape, not 0 where it is dark enough to be print.
        ornament: the models.
    """
    blobs = _blobs(dark)
    if not blobs:
        return []
    seen = np.stack([_unit(255.0 - _patch(grey, blob)).ravel() for blob in blobs])
    alike = seen @ ornament.patches.T
    least = np.full(len(ornament.patches), LEAST_PART_LIKENESS)
    least[:TURNS] = LEAST_LIKENESS
    best = np.argmax(alike - least, axis=1)
    found = []
    for blob, model, row in zip(blobs, best.tolist(), alike, strict=True):
        if row[model] >= least[model]:
            x, y = blob.frame @ ornament.centres[model]
            mm_to_px = blob.frame @ ornament.from_mm[model]
            found.append(OrnamentPose(blob.x + x, blob.y + y, mm_to_px, float(row[model])))
    return sorted(found, key=lambda pose: -pose.likeness)


def _blobs(dark: npt.NDArray[np.uint8]) -> list[Whitened]:
    """Return the frames of the dark blobs of an ornament's size."""
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
    moments = []
    for label in chosen.tolist():
        x, y, w, h = stats[label, :4].tolist()
        blob = cv2.moments((labels[y : y + h, x : x + w] == label).view(np.uint8), True)
        blob["m10"] += x * blob["m00"]
        blob["m01"] += y * blob["m00"]
        moments.append(blob)
    return whitened(moments)


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
