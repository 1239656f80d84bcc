"""Laying a known face exactly onto the picture: where a key lies, to a fraction of a millimetre.

From a rough pose (an ornament's, an outline's, the last frame's) Gauss-Newton steps move the
homography until the face's ink lies on the picture's: first coarse and blurred, then fine. The
compositional inverse form is used (Baker and Matthews, "Lucas-Kanade 20 years on", 2004): the
steepest-descent pictures belong to the face and are worked out once, when a profile is loaded.
Pixels that disagree strongly (fingers, glare, what lies in the hole) are weighted down.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Homography
from assistant.vision.ink import Ink, ink_of
from assistant.vision.profile import FACE_PX_PER_MM, Face
from assistant.vision.scene import Scene

Vector = npt.NDArray[np.float32]

#: mm to units in which the card reaches from -1 to 1 along its long side; keeps the steps even.
_UNIT_MM = CARD_HEIGHT_MM / 2
_TO_UNITS = np.array(
    [
        [1 / _UNIT_MM, 0, -CARD_WIDTH_MM / 2 / _UNIT_MM],
        [0, 1 / _UNIT_MM, -CARD_HEIGHT_MM / 2 / _UNIT_MM],
        [0, 0, 1],
    ]
)
_FROM_UNITS = np.linalg.inv(_TO_UNITS)

#: A residual (difference of ink) of this size gets half the weight.
_ODD_INK = 0.35

#: Blocks in which agreement is counted: columns and rows of the card.
BLOCKS = (8, 8)
FINE_PX_PER_MM = 2.0
COARSE_PX_PER_MM = 1.0


@dataclass(frozen=True, slots=True)
class Level:
    """A face at one scale: ink, weight, and its steepest-descent pictures (pixels, 8)."""

    px_per_mm: float
    ink: Ink
    weight: Ink
    descent: Vector


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the picture's ink is the face's.

    `support` is the share of the face's print (by its energy) that the picture shows there, 0..1;
    `blocks` how many of the printed blocks agree, of `printed` in all.
    """

    support: float
    blocks: int
    printed: int


class Template:
    """A face made ready for matching at the scales in use."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.coarse = _level(face, COARSE_PX_PER_MM, blur_mm=1.0)
        self.fine = _level(face, FINE_PX_PER_MM, blur_mm=0.35)
        printed = self.fine.ink * self.fine.weight
        blocks = _blocked(printed)
        self._energy = blocks.var(axis=(1, 3)).ravel()
        # A block with less than this share of the strongest holds rim or a stray stroke only.
        self._energy[self._energy < 0.06 * self._energy.max()] = 0.0
        centred = blocks - blocks.mean(axis=(1, 3), keepdims=True)
        self._blocks = centred
        self._length = np.sqrt((centred**2).sum(axis=(1, 3))).ravel() + 1e-6

    def refine(
        self, scene: Scene, homography: Homography, coarse_steps: int = 8, fine_steps: int = 5
    ) -> Homography | None:
        """Return the homography at which the face lies best, or None when it ran away."""
        pose: Homography | None = homography
        for level, steps in ((self.coarse, coarse_steps), (self.fine, fine_steps)):
            for _ in range(steps):
                if pose is None:
                    return None
                pose, moved = _step(scene, pose, level)
                if moved < 0.02:
                    break
        return pose

    def agreement(self, scene: Scene, homography: Homography) -> Agreement:
        """Return how far the picture shows this face under a homography."""
        ink = ink_of(scene.straightened(homography, FINE_PX_PER_MM), FINE_PX_PER_MM)
        ink = cv2.GaussianBlur(ink, (0, 0), 0.5) * self.fine.weight
        seen = _blocked(np.asarray(ink, np.float32))
        seen = seen - seen.mean(axis=(1, 3), keepdims=True)
        length = np.sqrt((seen**2).sum(axis=(1, 3))).ravel()
        alike = (seen * self._blocks).sum(axis=(1, 3)).ravel() / (self._length * (length + 0.15))
        printed = self._energy > 0
        share = self._energy * np.clip(alike, 0, 1)
        return Agreement(
            support=float(share.sum() / self._energy.sum()),
            blocks=int(((alike > 0.45) & printed).sum()),
            printed=int(printed.sum()),
        )


def _blocked(picture: Ink) -> Ink:
    """Return a (rows, columns) picture as (block rows, rows, block columns, columns)."""
    rows, columns = picture.shape
    return picture.reshape(BLOCKS[1], rows // BLOCKS[1], BLOCKS[0], columns // BLOCKS[0])


def _level(face: Face, px_per_mm: float, blur_mm: float) -> Level:
    ink = face.ink.astype(np.float32) / 255.0
    weight = face.weight.astype(np.float32) / 255.0
    ink = cv2.GaussianBlur(ink * weight, (0, 0), max(0.3, blur_mm * FACE_PX_PER_MM))
    size = round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm)
    ink = np.asarray(cv2.resize(ink, size, interpolation=cv2.INTER_AREA), np.float32)
    weight = np.asarray(cv2.resize(weight, size, interpolation=cv2.INTER_AREA), np.float32)
    per_unit = px_per_mm * _UNIT_MM
    dx = (cv2.Sobel(ink, cv2.CV_32F, 1, 0, ksize=3, scale=0.125) * per_unit).ravel()
    dy = (cv2.Sobel(ink, cv2.CV_32F, 0, 1, ksize=3, scale=0.125) * per_unit).ravel()
    v, u = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    u = ((u.ravel() + 0.5) / px_per_mm - CARD_WIDTH_MM / 2) / _UNIT_MM
    v = ((v.ravel() + 0.5) / px_per_mm - CARD_HEIGHT_MM / 2) / _UNIT_MM
    inward = dx * u + dy * v
    descent = np.stack(
        [dx * u, dx * v, dx, dy * u, dy * v, dy, -inward * u, -inward * v], axis=1
    )
    return Level(px_per_mm, ink, weight, np.asarray(descent, np.float32))


def _step(
    scene: Scene, homography: Homography, level: Level
) -> tuple[Homography | None, float]:
    """Return the homography after one step, and how far its corners moved, in mm."""
    ink = ink_of(scene.straightened(homography, level.px_per_mm), level.px_per_mm)
    if level.px_per_mm <= COARSE_PX_PER_MM:
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), 1.0), np.float32)
    seen, face, weight = ink.ravel(), level.ink.ravel(), level.weight.ravel()
    # Blur makes print paler; matching strengths keeps the residual about place.
    strength = float((weight * seen * face).sum() / ((weight * face * face).sum() + 1e-6))
    residual = seen / min(max(strength, 0.2), 1.5) - face
    trust = weight / (1.0 + (residual / _ODD_INK) ** 2)
    weighted = level.descent * trust[:, None]
    normal = weighted.T @ level.descent
    normal[np.diag_indices(8)] *= 1.002
    try:
        p = np.linalg.solve(normal.astype(np.float64), (weighted.T @ residual).astype(np.float64))
    except np.linalg.LinAlgError:
        return None, 0.0
    size = float(np.abs(p).max())
    if not np.isfinite(size):
        return None, 0.0
    p *= min(1.0, 0.12 / max(size, 1e-9))
    warp = np.array([[1 + p[0], p[1], p[2]], [p[3], 1 + p[4], p[5]], [p[6], p[7], 1.0]])
    moved = homography @ _FROM_UNITS @ np.linalg.inv(warp) @ _TO_UNITS
    return moved / moved[2, 2], float(np.abs(p).sum() * _UNIT_MM)
