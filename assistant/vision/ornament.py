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
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.ink import Grey, Ink
from assistant.vision.scene import sampled

#: Side of the square on which blobs are compared, and how far it reaches in whitened units
#: (standard deviations of the blob's own ink).
PATCH_PX = 12
PATCH_REACH = 2.6
_STEPS = (np.arange(PATCH_PX) + 0.5) * (2 * PATCH_REACH / PATCH_PX) - PATCH_REACH
#: The square's points, (n, 2), row by row.
PATCH_POINTS = np.stack(np.meshgrid(_STEPS, _STEPS), axis=2).reshape(-1, 2)
#: Turns at which a model is compared; laying it on exactly finds the rest.
TURNS = 24

#: Blobs of other sizes are not looked at: an ornament is about 43 square mm, the smallest card
#: worth reading has 2.5 px per mm, the largest some 12 (in a picture at half size: half of it).
BLOB_AREA_PX = (25, 3000)
BLOB_LENGTH_PX = (8, 200)
BLOB_LEAST_WIDTH_PX = 4
#: At most so many blobs are looked at closely, the largest first, and about so many of their
#: pixels, whatever the picture.
MOST_BLOBS = 150
MOST_PIXELS = 16_000
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


@dataclass(frozen=True, slots=True, eq=False)
class Whitened:
    """The own frames of n blobs: `at` (n, 2), where they are, (x, y) in px, and `frames` (n, 2, 2).

    A frame maps whitened units to px; how it is turned the moments do not tell.
    """

    at: npt.NDArray[np.float64]
    frames: npt.NDArray[np.float64]


def whitened(moments: npt.NDArray[np.float64]) -> Whitened:
    """Return the frames of blobs; blobs without extent are left out.

    Args:
        moments: (6, n): area, x, y, xx, xy, yy of each blob, summed over its pixels.
    """
    area = np.maximum(moments[0], 1e-9)
    x, y, xx, xy, yy = moments[1:] / area
    a, b, d = xx - x * x, xy - x * y, yy - y * y
    # The root of a symmetric 2 x 2 matrix in closed form.
    root_det = np.sqrt(np.maximum(a * d - b * b, 1e-12))
    trace = np.sqrt(np.maximum(a + d + 2 * root_det, 1e-12))
    frames = (np.stack([a + root_det, b, b, d + root_det]) / trace).T.reshape(-1, 2, 2)
    wide = (a + d) / 2 - np.sqrt((a - d) ** 2 / 4 + b * b) > LEAST_SPREAD
    return Whitened(np.stack([x, y], axis=1)[wide], frames[wide])


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


def learn_ornament(ink: Ink, px_per_mm: float) -> tuple[Ornament, tuple[float, float]] | None:
    """Return the ornament of one back and its centre (x, y) in mm, or None where there is none."""
    mask = _largest_blob((ink > 0.4).astype(np.uint8))
    whole = whitened(_moments_of_mask(mask))
    if not len(whole.at):
        return None
    (centre,), (frame,) = whole.at, whole.frames
    angles = 2 * math.pi * np.arange(TURNS) / TURNS
    cos, sin = np.cos(angles), np.sin(angles)
    turns = np.stack([cos, -sin, sin, cos], axis=1).reshape(-1, 2, 2)
    patches, centres, from_mm = [], [], []
    for part in (mask, *_parts(mask, centre, frame)):
        blob = whitened(_moments_of_mask(part))
        if not len(blob.at):
            continue  # what is left of a shape so small is no shape
        soft = np.asarray(cv2.GaussianBlur(part.astype(np.float32), (0, 0), 1.0), np.float32)
        turned = blob.frames @ turns
        undo = np.linalg.inv(turned)
        patches.append(_patches(soft, Whitened(np.repeat(blob.at, TURNS, axis=0), turned)))
        centres.append(undo @ (centre - blob.at[0]))
        from_mm.append(undo * px_per_mm)
    model = Ornament(np.concatenate(patches), np.concatenate(centres), np.concatenate(from_mm))
    x, y = ((centre + 0.5) / px_per_mm).tolist()
    return model, (x, y)


def _moments_of_mask(mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Return the moments (see `whitened`) of a mask's pixels as one blob, (6, 1)."""
    rows, columns = np.nonzero(mask)
    x, y = columns.astype(np.float64), rows.astype(np.float64)
    return np.array([[len(x)], [x.sum()], [y.sum()], [x @ x], [x @ y], [y @ y]])


def _largest_blob(mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the largest connected patch of a mask; empty where the mask is."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return np.zeros_like(mask)
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    return np.asarray(labels == largest, np.uint8)


def _parts(
    mask: npt.NDArray[np.uint8], centre: npt.NDArray[np.float64], frame: npt.NDArray[np.float64]
) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield what is left of the ornament when something lies over one end of it."""
    rows, columns = np.nonzero(mask)
    points = (np.stack([columns, rows], axis=1) - centre) @ np.linalg.inv(frame).T
    for direction in range(PART_DIRECTIONS):
        turn = 2 * math.pi * direction / PART_DIRECTIONS
        along = points @ (math.cos(turn), math.sin(turn))
        for share in PARTS_LEFT:
            left = np.zeros_like(mask)
            kept = along <= np.quantile(along, share)
            left[rows[kept], columns[kept]] = 1
            yield _largest_blob(left)


def darker_than_around(grey: Grey, window_px: int, levels: int) -> npt.NDArray[np.uint8]:
    """Return where a picture is darker than the mean around by some levels: print on any paper.

    Args:
        grey: (rows, columns) uint8.
        window_px: the side of the square that is around; odd.
        levels: of 256.

    Returns:
        The same shape, uint8, 255 there and 0 elsewhere.
    """
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

    Args:
        grey: (rows, columns) uint8.
        window_px: the side of that square window.
        share: of the paper's brightness, 0 to 1.

    Returns:
        The same shape, uint8, 255 there and 0 elsewhere.
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
    if not len(blobs.at):
        return []
    alike = _patches(grey, blobs) @ -ornament.patches.T
    least = np.full(len(ornament.patches), LEAST_PART_LIKENESS, np.float32)
    least[:TURNS] = LEAST_LIKENESS
    model = np.argmax(alike - least, axis=1)
    best = alike[np.arange(len(alike)), model]
    seen = np.flatnonzero(best >= least[model])
    seen = seen[np.argsort(-best[seen], kind="stable")]
    frames, model = blobs.frames[seen], model[seen]
    at = blobs.at[seen] + np.einsum("nij,nj->ni", frames, ornament.centres[model])
    to_px = frames @ ornament.from_mm[model]
    return [
        OrnamentPose(x, y, mm_to_px, likeness)
        for (x, y), mm_to_px, likeness in zip(at.tolist(), to_px, best[seen].tolist(), strict=True)
    ]


def _blobs(dark: npt.NDArray[np.uint8]) -> Whitened:
    """Return the frames of the dark blobs of an ornament's size, the largest first."""
    count, labels = cv2.connectedComponents(dark, connectivity=8)
    at = np.flatnonzero(dark.view(bool))
    label = labels.ravel()[at]
    area = np.bincount(label, minlength=count)
    fits = (area >= BLOB_AREA_PX[0]) & (area <= BLOB_AREA_PX[1])
    chosen = np.flatnonzero(fits)
    chosen = chosen[np.argsort(-area[chosen], kind="stable")]
    place = np.full(count, -1)
    place[chosen] = np.arange(len(chosen))
    blob = place[label]
    kept = blob >= 0
    blob, at = blob[kept], at[kept]
    # Where there is much, as in a wood's grain, some of its pixels tell a blob's frame as well.
    step = 1 + len(at) // MOST_PIXELS
    blob, at = blob[::step], at[::step]
    rows = at // dark.shape[1]
    x, y = (at - rows * dark.shape[1]).astype(np.float64), rows.astype(np.float64)
    terms = (np.ones_like(x), x, y, x * x, x * y, y * y)
    sums = [np.bincount(blob, term, len(chosen)) for term in terms]
    moments = np.asarray(np.stack(sums), np.float64)
    return _of_size(whitened(moments))


def _of_size(blobs: Whitened) -> Whitened:
    """Return the first blobs whose box, as far as their spread tells, has an ornament's size."""
    # A bar's spread is its length by the root of 12; a frame's square is the variance in x and y.
    spread = np.sqrt(np.einsum("nij,nij->ni", blobs.frames, blobs.frames)) * math.sqrt(12)
    long, short = spread.max(axis=1), spread.min(axis=1)
    fits = (
        (long >= BLOB_LENGTH_PX[0]) & (long <= BLOB_LENGTH_PX[1]) & (short >= BLOB_LEAST_WIDTH_PX)
    )
    return Whitened(blobs.at[fits][:MOST_BLOBS], blobs.frames[fits][:MOST_BLOBS])


def _patches(
    picture: npt.NDArray[np.uint8] | npt.NDArray[np.float32], blobs: Whitened
) -> npt.NDArray[np.float32]:
    """Return blobs in their own frames, (n, PATCH_PX * PATCH_PX), with mean 0 and length 1.

    One without contrast is 0 all over.
    """
    seen = sampled(picture, PATCH_POINTS, blobs.frames, blobs.at)
    seen -= seen.mean(axis=1, keepdims=True)
    length = np.linalg.norm(seen, axis=1, keepdims=True)
    return np.asarray(seen / np.where(length > 1e-6, length, np.inf), np.float32)
