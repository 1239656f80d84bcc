"""What can be printed in a keyhole: the shapes that the reader compares the hole with.

A `Glyph` is one possible picture in the hole: the ink of an icon, a digit or the Lady, at one
size. Icons come from the fronts of the player's own keys (`glyphs_from_fronts`): the same
drawings, printed smaller in the hole. How the digits look is not known before the player has shown
one, so each is drawn in many hands (`digit_shapes`). Of the Lady only her size and place are
printed facts; she is drawn as a head on a neck (`lady_shapes`) and told by being one large
solid blot. Glyphs learnt later from confirmed readings have the same type with `is_exact` set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import LADY, Content, Feature
from assistant.vision.strokes import DIGIT_HANDS, draw_digit, draw_head

#: Resolution of a glyph's ink and of the front patches that icons are learnt from.
GLYPH_PX_PER_MM = 10.0

#: Paper to leave around an icon's measured box in a front patch: prints are out of register.
FRONT_MARGIN_MM = 1.2

#: In the hole an icon's longer side is this long, whichever icon it is (measured on the pictures
#: of both editions: 6.9 to 7.8).
ICON_LONG_SIDE_MM = 7.25

#: Height of a Rendezvous digit (measured on both editions: 6.0 to 6.6).
DIGIT_HEIGHT_MM = 6.3

#: Where the Lady's box is centred, from the hole's circle centre, and her box, (x, y) in mm.
LADY_OFFSET_MM = (1.16, 0.81)
LADY_SIZE_MM = (7.85, 9.7)

#: Ink of one shape, (rows, columns) float32, 0 paper to 1 full ink.
Ink = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Glyph:
    """One shape that may be printed in the hole.

    `ink` is (rows, columns) float32 at GLYPH_PX_PER_MM, at the size printed in a hole, the centre
    of the array being the centre of the shape. `offset_mm` is where that centre lies from the
    centre of the hole's circle, (x, y), when the cards are in line. `is_exact`: taken from this
    deck's own print, so that a reading may ask for a close fit.
    """

    content: Content
    ink: Ink
    offset_mm: tuple[float, float] = (0.0, 0.0)
    is_exact: bool = False

    @property
    def size_mm(self) -> tuple[float, float]:
        """Return (width, height) of the array in mm."""
        rows, columns = self.ink.shape
        return columns / GLYPH_PX_PER_MM, rows / GLYPH_PX_PER_MM


def built_in_glyphs() -> tuple[Glyph, ...]:
    """Return the shapes known without any picture of the player's cards: digits and the Lady."""
    return digit_shapes() + lady_shapes()


def digit_shapes() -> tuple[Glyph, ...]:
    """Return the digits 1, 2 and 3, each drawn in many hands."""
    rows = round(DIGIT_HEIGHT_MM * GLYPH_PX_PER_MM)
    return tuple(
        Glyph(Content.digit(number), draw_digit(number, form, hand, rows))
        for number in (1, 2, 3)
        for form, hand in DIGIT_HANDS[number]
    )


def lady_shapes() -> tuple[Glyph, ...]:
    """Return rough silhouettes of the Lady: of the measured size and place, and a smaller one."""
    shapes = []
    for width_mm, height_mm, offset in (
        (*LADY_SIZE_MM, LADY_OFFSET_MM),
        (6.2, 7.6, (0.0, 0.0)),
    ):
        size = round(height_mm * GLYPH_PX_PER_MM), round(width_mm * GLYPH_PX_PER_MM)
        shapes += [Glyph(LADY, draw_head(size, bun), offset) for bun in (False, True)]
    return tuple(shapes)


def glyphs_from_fronts(
    patches: Mapping[Feature, Sequence[npt.NDArray[np.uint8]]],
) -> tuple[Glyph, ...]:
    """Return the icons as they appear in a hole, from their pictures on the keys' fronts.

    Each patch is a rectified grey picture, (rows, columns) uint8 at GLYPH_PX_PER_MM, of an icon's
    measured box with FRONT_MARGIN_MM around it; a hole may be cut into the icon in some. Patches
    of one feature are laid over each other, so their print may be out of register by less than
    the margin. Features without a patch that shows any ink are left out.
    """
    glyphs = []
    for feature, seen in patches.items():
        inks = [ink for ink in map(_ink_of_patch, seen) if ink is not None]
        if inks:
            ink = _trimmed(_laid_over(inks))
            if ink is not None:
                glyphs.append(Glyph(Content.icon(feature), _at_hole_size(ink), is_exact=True))
    return tuple(glyphs)


def _ink_of_patch(grey: npt.NDArray[np.uint8]) -> Ink | None:
    """Return the ink of a front patch, or None where it holds no icon."""
    paper, dark = np.percentile(grey, (90, 5))
    if paper - dark < 40:
        return None
    ink = np.clip((paper - grey.astype(np.float32)) / (paper - dark), 0, 1)
    return np.asarray(ink, np.float32)


def _laid_over(inks: Sequence[Ink]) -> Ink:
    """Return the inks aligned to each other and merged so that holes cut into some do not count."""
    rows = max(ink.shape[0] for ink in inks)
    columns = max(ink.shape[1] for ink in inks)
    margin = round(FRONT_MARGIN_MM * GLYPH_PX_PER_MM)
    padded = [
        cv2.copyMakeBorder(
            ink,
            margin,
            margin + rows - ink.shape[0],
            margin,
            margin + columns - ink.shape[1],
            cv2.BORDER_CONSTANT,
        )
        for ink in inks
    ]
    # Start from the patch with the most ink: the least cut by a hole.
    merged = max(padded, key=lambda ink: float(ink.sum()))[
        margin : margin + rows, margin : margin + columns
    ]
    for _ in range(2):
        aligned = []
        for ink in padded:
            scores = cv2.matchTemplate(ink, merged, cv2.TM_CCOEFF_NORMED)
            _, _, _, (left, top) = cv2.minMaxLoc(scores)
            aligned.append(ink[top : top + rows, left : left + columns])
        # Above the median: a hole cut into half of the patches takes ink away, nothing adds it.
        merged = np.percentile(np.stack(aligned), 70, axis=0).astype(np.float32)
    return np.asarray(merged, np.float32)


def _trimmed(ink: Ink) -> Ink | None:
    """Return the ink cut to the box of its own shape; what only touches the rim is a neighbour."""
    count, labels, stats, centres = cv2.connectedComponentsWithStats((ink > 0.5).astype(np.uint8))
    rows, columns = ink.shape
    kept = np.zeros(ink.shape, bool)
    for label in range(1, count):
        left, top, width, height, area = stats[label]
        x, y = centres[label]
        at_rim = left <= 1 or top <= 1 or left + width >= columns - 1 or top + height >= rows - 1
        near_rim = min(x, columns - x) < columns * 0.12 or min(y, rows - y) < rows * 0.12
        if area >= 12 and not (at_rim and near_rim):
            kept |= labels == label
    if not kept.any():
        return None
    ys, xs = np.nonzero(kept)
    soft = cv2.dilate(kept.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(np.float32)
    return np.asarray((ink * soft)[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], np.float32)


def _at_hole_size(ink: Ink) -> Ink:
    """Return a front icon's ink at the size it is printed in a hole."""
    scale = ICON_LONG_SIDE_MM * GLYPH_PX_PER_MM / max(ink.shape)
    size = max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale))
    return np.asarray(cv2.resize(ink, size, interpolation=cv2.INTER_AREA), np.float32)
