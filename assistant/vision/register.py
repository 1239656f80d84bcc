"""Laying a known face exactly onto the picture: where a key lies, to a fraction of a millimetre.

From a rough pose (an ornament's, an outline's, the last frame's) Gauss-Newton steps move the
homography until the face's ink lies on the picture's: first coarse and blurred, then fine. The
compositional inverse form is used (Baker and Matthews, "Lucas-Kanade 20 years on", 2004): the
steepest-descent pictures belong to the face and are worked out once, when a profile is loaded.
Pixels that disagree strongly (fingers, glare, what lies in the hole) are weighted down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Homography
from assistant.vision.ink import Ink, ink_of
from assistant.vision.profile import FACE_PX_PER_MM, Face
from assistant.vision.scene import Scene

Vector = npt.NDArray[np.float32]

#: A residual (difference of ink) of this size gets half the weight.
_ODD_INK = 0.35

#: Share of a print's pixels that tell where it lies: those where its ink changes most.
TOLD_SHARE = 0.4

#: Steps at each level.
STEPS = (8, 8, 5)
#: A step that moves less than this, summed over its terms, is the last of its level: of a rough
#: one, which only leads to the next, and of a fine one.
ROUGH_STILL_MM, STILL_MM = 0.3, 0.1
#: What holds the two perspective terms back, at the three levels of a face. With six times as much
#: at the last one corners are half as far off again (0.9 mm); with less, print of which fingers
#: hide a third tilts.
STIFFNESS = (1e4, 1.0, 0.05)
#: The same from one frame to the next, in which tilt hardly changes, and the most steps.
FOLLOWING_STIFFNESS, FOLLOWING_STEPS = 10.0, 3

#: Blocks in which agreement is counted: columns and rows of the card.
BLOCKS = (8, 8)
FINE_PX_PER_MM = 2.0
COARSE_PX_PER_MM = 1.0


@dataclass(frozen=True, slots=True)
class Level:
    """Print at one scale: ink, weight, and its steepest-descent pictures.

    `descent` is (8, pixels) for the pixels `told` only, (pixels,) into the flat picture: those
    where the ink changes, which alone tell where it lies; `told_ink` and `told_weight` (pixels,)
    are the print's there. `damping` is (8, 8). `to_units` (3, 3) takes mm to units about the
    middle of the print, reaching about 1; steps are even in them. A step of less than `still_mm`
    is the last.
    """

    size_mm: tuple[float, float]
    px_per_mm: float
    blur_mm: float
    still_mm: float
    ink: Ink
    weight: Ink
    told: npt.NDArray[np.intp]
    told_ink: Vector
    told_weight: Vector
    descent: Vector
    damping: npt.NDArray[np.float64]
    to_units: Homography
    from_units: Homography

    @property
    def unit_mm(self) -> float:
        """The length of a unit."""
        return float(1 / self.to_units[0, 0])


#: A block with less than this share of the strongest one's variation holds rim or a stray stroke.
LEAST_ENERGY = 0.06
#: A block agrees that correlates by more; noise of this length is added: bare paper does not.
ALIKE, NOISE = 0.45, 0.15


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the picture's ink is the face's.

    `support` is the share of the face's print (by its energy) that the picture shows there, 0..1;
    `words` the same without the ornament, which all backs have; `blocks` how many of the printed
    blocks agree, of `printed` in all.
    """

    support: float
    words: float
    blocks: int
    printed: int


class Template:
    """A face made ready for matching at the scales in use."""

    def __init__(self, face: Face) -> None:
        self.face = face
        ink = np.asarray(face.ink.astype(np.float32) / 255.0, np.float32)
        weight = np.asarray(face.weight.astype(np.float32) / 255.0, np.float32)
        scales = (
            (COARSE_PX_PER_MM, 1.0, ROUGH_STILL_MM),
            (COARSE_PX_PER_MM, 1.0, ROUGH_STILL_MM),
            (FINE_PX_PER_MM, 0.35, STILL_MM),
        )
        self._levels = [
            level_of(ink, weight, scale, blur_mm=blur, stiffness=stiffness, still_mm=still)
            for (scale, blur, still), stiffness in zip(scales, STIFFNESS, strict=True)
        ]
        fine = self._levels[-1]
        self._following = replace(fine, damping=fine.damping * _stiffer(FOLLOWING_STIFFNESS))
        self._weight = fine.weight
        blocks = _blocked(fine.ink * fine.weight)
        self._energy = blocks.var(axis=1)
        self._energy[self._energy < LEAST_ENERGY * self._energy.max()] = 0.0
        blocks -= blocks.mean(axis=1, keepdims=True)
        self._blocks = blocks
        self._length = np.linalg.norm(blocks, axis=1) + 1e-6
        self._words = self._energy

    def tell_ornament(self, left_mm: float, top_mm: float, size_mm: tuple[float, float]) -> None:
        """Take note of where the ornament lies: it says nothing about which back this is."""
        height, width = CARD_HEIGHT_MM / BLOCKS[1], CARD_WIDTH_MM / BLOCKS[0]
        row, column = np.mgrid[0 : BLOCKS[1], 0 : BLOCKS[0]]
        beside = (column + 1) * width <= left_mm
        beside |= column * width >= left_mm + size_mm[0]
        beside |= (row + 1) * height <= top_mm
        beside |= row * height >= top_mm + size_mm[1]
        self._words = self._energy * beside.ravel()

    def refine(
        self, scene: Scene, homography: Homography, steps: Sequence[int] = STEPS
    ) -> Homography | None:
        """Return the homography at which the face lies best, or None when it ran away.

        `steps` are the most taken at each level, the coarsest first.
        """
        pose: Homography | None = homography
        for level, most in zip(self._levels, steps, strict=True):
            if pose is not None:
                pose = settle(scene, pose, level, most)
        return pose

    def follow(self, scene: Scene, homography: Homography) -> Homography | None:
        """Return the homography of a face that lay at one a frame ago, or None when it ran away."""
        return settle(scene, homography, self._following, FOLLOWING_STEPS)

    def agreement(self, scene: Scene, homography: Homography) -> Agreement:
        """Return how far the picture shows this face under a homography."""
        ink = ink_of(scene.straightened(homography, FINE_PX_PER_MM), FINE_PX_PER_MM)
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.5), np.float32)
        seen = _blocked(ink * self._weight)
        # The face's blocks have mean 0, so that of the picture's need not be taken off first.
        alike = np.einsum("bp,bp->b", seen, self._blocks)
        spread = np.einsum("bp,bp->b", seen, seen) - seen.sum(axis=1) ** 2 / seen.shape[1]
        alike /= self._length * (np.sqrt(np.maximum(spread, 0.0)) + NOISE)
        printed = self._energy > 0
        clear = np.clip(alike, 0, 1)
        return Agreement(
            support=float(self._energy @ clear / self._energy.sum()),
            words=float(self._words @ clear / max(float(self._words.sum()), 1e-6)),
            blocks=int(((alike > ALIKE) & printed).sum()),
            printed=int(printed.sum()),
        )


def _stiffer(stiffness: float) -> npt.NDArray[np.float64]:
    """Return by what the last level's damping is multiplied to be so stiff."""
    return np.array([1.0] * 6 + [stiffness / STIFFNESS[-1]] * 2)


def _blocked(ink: Ink) -> Ink:
    """Return a card's ink (rows, columns) block by block, (blocks, pixels)."""
    rows, columns = ink.shape[0] // BLOCKS[1], ink.shape[1] // BLOCKS[0]
    blocks = ink.reshape(BLOCKS[1], rows, BLOCKS[0], columns).swapaxes(1, 2)
    return blocks.reshape(BLOCKS[0] * BLOCKS[1], rows * columns)


def level_of(
    ink: Ink, weight: Ink, px_per_mm: float, *, blur_mm: float, stiffness: float, still_mm: float
) -> Level:
    """Return print at one scale, from ink and weight (rows, columns) at FACE_PX_PER_MM.

    `stiffness` holds back the two perspective terms, which a few letters cannot tell.
    """
    size_mm = ink.shape[1] / FACE_PX_PER_MM, ink.shape[0] / FACE_PX_PER_MM
    size = round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm)
    ink = np.asarray(
        cv2.GaussianBlur(ink * weight, (0, 0), max(0.3, blur_mm * FACE_PX_PER_MM)), np.float32
    )
    ink = np.asarray(cv2.resize(ink, size, interpolation=cv2.INTER_AREA), np.float32)
    weight = np.asarray(cv2.resize(weight, size, interpolation=cv2.INTER_AREA), np.float32)
    unit_mm = max(size_mm) / 2
    to_units = np.array(
        [
            [1 / unit_mm, 0, -size_mm[0] / 2 / unit_mm],
            [0, 1 / unit_mm, -size_mm[1] / 2 / unit_mm],
            [0, 0, 1],
        ]
    )
    from_units = np.linalg.inv(to_units)
    per_unit = px_per_mm * unit_mm
    dx = (cv2.Sobel(ink, cv2.CV_32F, 1, 0, ksize=3, scale=0.125) * per_unit).ravel()
    dy = (cv2.Sobel(ink, cv2.CV_32F, 0, 1, ksize=3, scale=0.125) * per_unit).ravel()
    rows, columns = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    u = (columns.ravel() + 0.5 - size[0] / 2) / per_unit
    v = (rows.ravel() + 0.5 - size[1] / 2) / per_unit
    inward = dx * u + dy * v
    descent = np.stack([dx * u, dx * v, dx, dy * u, dy * v, dy, -inward * u, -inward * v])
    energy = float(((descent**2) * weight.ravel()).sum(axis=1)[:6].mean())
    damping = np.diag(energy * np.array([2e-3] * 6 + [stiffness] * 2))
    change = (dx * dx + dy * dy) * weight.ravel()
    told = np.sort(np.argsort(-change, kind="stable")[: int(len(change) * TOLD_SHARE)])
    descent = np.ascontiguousarray(descent[:, told], np.float32)
    return Level(
        size_mm=size_mm,
        px_per_mm=px_per_mm,
        blur_mm=blur_mm,
        still_mm=still_mm,
        ink=ink,
        weight=weight,
        told=told,
        told_ink=ink.ravel()[told],
        told_weight=weight.ravel()[told],
        descent=descent,
        damping=damping,
        to_units=to_units,
        from_units=from_units,
    )


def settle(scene: Scene, homography: Homography, level: Level, steps: int) -> Homography | None:
    """Return the homography after at most so many steps at one level, or None if it ran away."""
    pose: Homography | None = homography
    for _ in range(steps):
        if pose is None:
            return None
        pose, moved = _step(scene, pose, level)
        if moved < level.still_mm:
            break
    return pose


def likeness(scene: Scene, homography: Homography, level: Level) -> float:
    """Return the weighted correlation of the picture's ink with the print's, -1..1."""
    seen = ink_of(
        scene.straightened(homography, level.px_per_mm, level.size_mm), level.px_per_mm
    ).ravel()
    weight = level.weight.ravel()
    total = float(weight.sum())
    a = (seen - float((seen * weight).sum()) / total) * weight
    b = level.ink.ravel()
    b = (b - float((b * weight).sum()) / total) * weight
    return float((a * b).sum() / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-6))


def _step(scene: Scene, homography: Homography, level: Level) -> tuple[Homography | None, float]:
    """Return the homography after one step, and how far its corners moved, in mm."""
    grey = scene.straightened(homography, level.px_per_mm, level.size_mm)
    ink = ink_of(grey, level.px_per_mm)
    if level.px_per_mm <= COARSE_PX_PER_MM:
        blur = level.blur_mm * level.px_per_mm
        ink = np.asarray(cv2.GaussianBlur(ink * level.weight, (0, 0), blur), np.float32)
    seen, face, weight = ink.take(level.told), level.told_ink, level.told_weight
    # Blur makes print paler; matching strengths keeps the residual about place.
    told = weight * face
    strength = float(told @ seen) / (float(told @ face) + 1e-6)
    residual = seen * np.float32(1 / min(max(strength, 0.2), 1.5)) - face
    odd = residual * np.float32(1 / _ODD_INK)
    weighted = level.descent * (weight / (odd * odd + 1))
    try:
        p = np.linalg.solve(
            (weighted @ level.descent.T).astype(np.float64) + level.damping,
            (weighted @ residual).astype(np.float64),
        )
    except np.linalg.LinAlgError:
        return None, 0.0
    size = float(np.abs(p).max())
    if not math.isfinite(size):
        return None, 0.0
    p *= min(1.0, 0.12 / max(size, 1e-9))
    moved = homography @ level.from_units @ _undone(p) @ level.to_units
    return moved / moved[2, 2], float(np.abs(p).sum() * level.unit_mm)


def _undone(p: npt.NDArray[np.float64]) -> Homography:
    """Return the inverse of the small warp that eight terms describe."""
    a, b, c, d, e, f, g, h = p.tolist()
    return np.linalg.inv(np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1.0]]))
