"""Which key lies at a rough pose, and which way up: all faces compared at once.

A rough pose comes from an ornament (good on any table, see ornament.py) or an outline (good where
a card stands out, see card_outline.py). The picture is straightened once under that pose, blurred
so that a few millimetres of error do no harm, and compared with all faces in one matrix product.
The best few go on to register.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    HALF_TURN,
    Homography,
    card_to_picture,
    portrait,
)
from assistant.vision.ink import Grey, Ink, ink_of
from assistant.vision.ornament import Ornament, OrnamentPose, learn_ornament
from assistant.vision.profile import FACE_PX_PER_MM
from assistant.vision.register import (
    ROUGH_STILL_MM,
    STIFFNESS,
    Level,
    Template,
    level_of,
    likeness,
    settle,
)
from assistant.vision.scene import Scene, sampled
from assistant.vision.sighting import Side

#: Scale and blur at which faces are compared.
ROUGH_PX_PER_MM = 1.0
ROUGH_BLUR_MM = 0.9

#: The ornament with a little paper around it, (width, height), and how it is compared.
ORNAMENT_ROOM_MM = (18.0, 10.0)
ORNAMENT_PX_PER_MM = 2.0
ORNAMENT_BLUR_MM = 0.4
#: Steps, and how alike it must be after them to go on: true ones are from 0.62 after the first two
#: (all but a fiftieth from 0.81), three in four others below 0.6.
ORNAMENT_STEPS = ((2, 0.6), (2, 0.62), (5, 0.62))
#: Alike by this much it needs no more of them: half of the true ones do after two.
SETTLED_ORNAMENT = 0.95
#: A back carries the ornament when its print correlates with it by this much somewhere.
SAME_ORNAMENT = 0.7

#: Turning a card by half a turn, in mm.


@dataclass(frozen=True, slots=True)
class Guess:
    """A face that may lie at a pose, and how alike the picture is to it there, -1..1."""

    template: Template
    homography: Homography
    likeness: float


class _Sheet:
    """Faces drawn into one frame, each with the part of the frame that it fills, for comparing."""

    def __init__(self, inks: Sequence[Ink], weights: Sequence[Ink]) -> None:
        weight = np.stack([w.ravel() for w in weights], axis=1)
        ink = np.stack([i.ravel() for i in inks], axis=1)
        self._count = weight.sum(axis=0) + 1e-6
        centred = (ink - (ink * weight).sum(axis=0) / self._count) * weight
        self._face = (centred / (np.linalg.norm(centred, axis=0) + 1e-6)).astype(np.float32)
        self._weight = weight.astype(np.float32)

    def likeness(self, seen: Ink) -> npt.NDArray[np.float32]:
        """Return the weighted correlation of (rows, columns) ink with each face."""
        flat = seen.ravel()
        sums = flat @ self._weight
        spread = (flat * flat) @ self._weight - sums * sums / self._count
        scale = np.sqrt(np.maximum(spread, 0)) + 0.3
        return np.asarray((flat @ self._face) / scale, np.float32)


class Identifier:
    """The faces of a profile, made ready to be recognised."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self.templates = tuple(templates)
        if templates:
            self._card = _Sheet(
                [_rough(t.face.ink) for t in templates], [_rough(t.face.weight) for t in templates]
            )
        learnt = [
            (template, found)
            for template in templates
            if template.face.side is Side.BACK
            and (found := learn_ornament(_print_of(template), FACE_PX_PER_MM)) is not None
        ]
        self.ornament, kept = _common(learnt)
        if kept:
            kept = _placed(kept[0], [t for t in templates if t.face.side is Side.BACK])
        self._kept = kept
        if kept:
            self._ornament_level = _ornament_level(*kept[0])
            shades = self._ornament_level.ink.ravel() - self._ornament_level.ink.mean()
            self._ornament_shades = shades / (np.linalg.norm(shades) + 1e-6)
            width, height = self._ornament_level.size_mm
            rows, columns = self._ornament_level.ink.shape
            x = (np.arange(columns) + 0.5) * (width / columns) - width / 2
            y = (np.arange(rows) + 0.5) * (height / rows) - height / 2
            self._ornament_points = np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)
            self._to_ornament = np.array([[1.0, 0, -width / 2], [0, 1.0, -height / 2], [0, 0, 1]])
            for template, (x, y) in kept:
                template.tell_ornament(x - width / 2, y - height / 2, (width, height))
            self._around = _Around([c for _, c in kept])
            self._orn_sheet = _Sheet(
                [self._around.place(_float(t.face.ink), c) for t, c in kept],
                [self._around.place(_float(t.face.weight), c) for t, c in kept],
            )

    def ornament_likeness(
        self, grey: Grey, poses: Sequence[OrnamentPose]
    ) -> npt.NDArray[np.float32]:
        """Return how alike a picture's shades are to the ornament at rough poses, (n,) -1..1.

        `poses` are in px of `grey`. A quick look for ranking: the paper's own shades count.
        """
        linear = np.stack([pose.mm_to_px for pose in poses])
        at = np.array([(pose.x_px, pose.y_px) for pose in poses])
        seen = sampled(grey, self._ornament_points, linear, at)
        dark = seen.mean(axis=1, keepdims=True) - seen
        alike = dark @ self._ornament_shades / (np.linalg.norm(dark, axis=1) + 1e-6)
        return np.asarray(alike, np.float32)

    def exact_ornament(self, scene: Scene, pose: OrnamentPose) -> OrnamentPose | None:
        """Return an ornament's pose (in px of the picture) laid on exactly; None if it is none.

        A blob cut at one brightness has ragged ends, which its moments feel; its shades do not.
        """
        level = self._ornament_level
        laid: Homography | None = _affine(pose) @ self._to_ornament
        alike = 0.0
        for steps, least in ORNAMENT_STEPS:
            laid = None if laid is None else settle(scene, laid, level, steps)
            if laid is None:
                return None
            alike = likeness(scene, laid, level)
            if alike < least:
                return None
            if alike >= SETTLED_ORNAMENT:
                break
        about = laid @ np.linalg.inv(self._to_ornament)
        about = about / about[2, 2]
        return OrnamentPose(about[0, 2], about[1, 2], about[:2, :2], alike)

    def at_ornament(self, scene: Scene, pose: OrnamentPose) -> list[Guess]:
        """Return all backs as guesses for an ornament seen (in px of the picture), best first."""
        seen = self._around.seen(scene, pose)
        scores = self._orn_sheet.likeness(seen)
        guesses = [
            Guess(template, _about(pose, centre), float(score))
            for (template, centre), score in zip(self._kept, scores, strict=True)
        ]
        return sorted(guesses, key=lambda guess: -guess.likeness)

    def at_outline(self, scene: Scene, quad: npt.NDArray[np.float64]) -> list[Guess]:
        """Return all faces, both ways up, as guesses for an outline, (4, 2) px, best first."""
        pose = card_to_picture(portrait(quad))
        grey = scene.straightened(pose, ROUGH_PX_PER_MM)
        ink = ink_of(grey, ROUGH_PX_PER_MM)
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), ROUGH_BLUR_MM * ROUGH_PX_PER_MM), np.float32)
        guesses = []
        for turned, homography in ((ink, pose), (ink[::-1, ::-1], pose @ HALF_TURN)):
            scores = self._card.likeness(np.ascontiguousarray(turned))
            guesses += [
                Guess(t, homography, float(s)) for t, s in zip(self.templates, scores, strict=True)
            ]
        return sorted(guesses, key=lambda guess: -guess.likeness)


class _Around:
    """A frame about the ornament's centre in which every back has room."""

    def __init__(self, centres_mm: Sequence[tuple[float, float]]) -> None:
        xs, ys = [c[0] for c in centres_mm], [c[1] for c in centres_mm]
        self.left, self.top = -max(xs), -max(ys)
        self.width = max(xs) - min(xs) + CARD_WIDTH_MM
        self.height = max(ys) - min(ys) + CARD_HEIGHT_MM
        self.size = round(self.width * ROUGH_PX_PER_MM), round(self.height * ROUGH_PX_PER_MM)

    def place(self, picture: Ink, centre_mm: tuple[float, float]) -> Ink:
        """Return a face's picture (at FACE_PX_PER_MM) in this frame."""
        small = _shrunk(picture)
        x = round((-centre_mm[0] - self.left) * ROUGH_PX_PER_MM * 16)
        y = round((-centre_mm[1] - self.top) * ROUGH_PX_PER_MM * 16)
        shift = np.array([[1, 0, x / 16], [0, 1, y / 16]])
        return np.asarray(cv2.warpAffine(small, shift, self.size), np.float32)

    def seen(self, scene: Scene, pose: OrnamentPose) -> Ink:
        """Return the picture's rough ink about an ornament, in this frame."""
        shift = np.array([[1.0, 0, self.left], [0, 1.0, self.top], [0, 0, 1]])
        about = _affine(pose) @ shift
        grey = scene.straightened(about, ROUGH_PX_PER_MM, (self.width, self.height))
        ink = ink_of(grey, ROUGH_PX_PER_MM)
        return np.asarray(
            cv2.GaussianBlur(ink, (0, 0), ROUGH_BLUR_MM * ROUGH_PX_PER_MM), np.float32
        )


def _ornament_level(template: Template, centre_mm: tuple[float, float]) -> Level:
    """Return the ornament alone, cut from a back that carries it."""
    size = [round(side * FACE_PX_PER_MM) for side in ORNAMENT_ROOM_MM]
    at = tuple(side * FACE_PX_PER_MM - 0.5 for side in centre_mm)
    ink = cv2.getRectSubPix(_print_of(template), size, at)
    weight = np.ones_like(ink)
    return level_of(
        np.asarray(ink, np.float32),
        np.asarray(weight, np.float32),
        ORNAMENT_PX_PER_MM,
        blur_mm=ORNAMENT_BLUR_MM,
        stiffness=STIFFNESS[0],
        still_mm=ROUGH_STILL_MM,
    )


def _affine(pose: OrnamentPose) -> Homography:
    full = np.eye(3)
    full[:2, :2] = pose.mm_to_px
    full[:2, 2] = pose.x_px, pose.y_px
    return full


def _about(pose: OrnamentPose, centre_mm: tuple[float, float]) -> Homography:
    """Return the map from a card's mm to px that puts its ornament where one was seen."""
    shift = np.array([[1.0, 0, -centre_mm[0]], [0, 1.0, -centre_mm[1]], [0, 0, 1]])
    return np.asarray(_affine(pose) @ shift, np.float64)


#: Two backs' ornaments are one print when their shapes correlate by more and their sizes differ by
#: less (share of the area): they are learnt from other pictures each.
ONE_SHAPE, ONE_SIZE = 0.85, 0.35


def _common(
    learnt: Sequence[tuple[Template, tuple[Ornament, tuple[float, float]]]],
) -> tuple[Ornament | None, list[tuple[Template, tuple[float, float]]]]:
    """Return the ornament that most backs share, and those backs with its centre in mm."""
    best: list[tuple[Template, tuple[float, float]]] = []
    ornament = None
    for _, (model, _) in learnt:
        alike = [
            (template, centre)
            for template, (other, centre) in learnt
            if float(np.dot(other.patches[0], model.patches[0])) > ONE_SHAPE
            and abs(other.area_mm2 / model.area_mm2 - 1) < ONE_SIZE
        ]
        if len(alike) > len(best):
            best, ornament = alike, model
    return (ornament, best) if len(best) >= 2 else (None, [])


def _placed(
    model: tuple[Template, tuple[float, float]], backs: Sequence[Template]
) -> list[tuple[Template, tuple[float, float]]]:
    """Return all backs that carry the ornament, with its centre in mm on each."""
    size = tuple(round(side * FACE_PX_PER_MM) for side in ORNAMENT_ROOM_MM)
    at = tuple(side * FACE_PX_PER_MM - 0.5 for side in model[1])
    pattern = cv2.getRectSubPix(_print_of(model[0]), size, at)
    placed = []
    for back in backs:
        print_ = _print_of(back)
        scores = cv2.matchTemplate(print_, pattern, cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(scores)
        if best >= SAME_ORNAMENT:
            centre = (x + size[0] / 2) / FACE_PX_PER_MM, (y + size[1] / 2) / FACE_PX_PER_MM
            placed.append((back, centre))
    return placed


def _print_of(template: Template) -> Ink:
    """Return a face's ink where it counts, float32 0..1."""
    return _float(template.face.ink) * _float(template.face.weight)


def _float(picture: npt.NDArray[np.uint8]) -> Ink:
    return np.asarray(picture.astype(np.float32) / 255.0, np.float32)


def _shrunk(picture: Ink) -> Ink:
    shrink = ROUGH_PX_PER_MM / FACE_PX_PER_MM
    soft = cv2.GaussianBlur(picture, (0, 0), ROUGH_BLUR_MM * FACE_PX_PER_MM)
    return np.asarray(
        cv2.resize(soft, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.float32
    )


def _rough(picture: npt.NDArray[np.uint8]) -> Ink:
    return _shrunk(_float(picture))
