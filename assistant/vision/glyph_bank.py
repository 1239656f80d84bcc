"""All glyphs at all sizes, turns and blurs, matched with the ink in a hole at once.

The score is the normalised correlation of the hole's ink with a glyph's ink over the pixels of the
hole that can be trusted (its weight), which does not change with contrast or brightness. A first,
coarse look tries every glyph at every place; a second, finer one tries the best of each
content over sizes, turns and blurs near its best place. Both are matrix products: one row per
variant of a glyph, one column per place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Content
from assistant.vision.glyphs import GLYPH_PX_PER_MM, Glyph

Floats = npt.NDArray[np.float32]

#: Resolutions of the two looks, px per mm.
COARSE_PX_PER_MM = 2.0
CLOSE_PX_PER_MM = 3.0

#: How far from its place in line a glyph is looked for, in mm each way: 1.5 that the cards may be
#: out of line and 1 that print and die may be out of register.
REACH_MM = 2.5

#: So much of a glyph must be in sight to be tried at a place at all.
_MIN_SHARE = 0.45

_WINDOW_MM = (10.0, 11.0)  # width and height that hold every glyph
_COARSE_BLURS_MM = (0.3, 0.7)
_CLOSE_BLURS_MM = (0.2, 0.42, 0.68, 1.0)
#: Sizes tried of a shape that was taken from print, and of one that was drawn: (width, height).
_PRINTED_SIZES = ((0.94, 0.94), (1.0, 1.0), (1.07, 1.07))
_DRAWN_SIZES = ((0.9, 0.9), (1.0, 1.0), (1.1, 1.1), (0.88, 1.0), (1.14, 1.0))
_TURNS_DEG = (-2.0, 0.0, 2.0)


@dataclass(frozen=True, slots=True)
class Match:
    """How well the best glyph of one content fits the ink.

    `score`: normalised correlation, -1 to 1.
    `offset_mm`: (x, y) from where the glyph is when the cards are in line. `glyph`: its index.
    `shown`: the share of the glyph's ink that lies on trusted pixels. `blur_mm`: of its variant.
    """

    content: Content
    score: float
    offset_mm: tuple[float, float]
    glyph: int
    shown: float
    blur_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class InkView:
    """What is seen in a hole, at one resolution: arrays (rows, columns) float32.

    `ink` 0 is paper; `weight` 0 to 1 says how far a pixel is to be trusted. The hole's circle
    centre lies at `centre_px`, (x, y).
    """

    ink: Floats
    weight: Floats
    centre_px: tuple[float, float]
    px_per_mm: float


class GlyphBank:
    """The variants of a set of glyphs, ready to be matched. Immutable once made."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        self.glyphs = tuple(glyphs)
        self._coarse = _Stack(self.glyphs, COARSE_PX_PER_MM, is_coarse=True)
        self._close = _Stack(self.glyphs, CLOSE_PX_PER_MM, is_coarse=False)

    def matches(self, coarse: InkView, close: InkView, keep: int = 5) -> list[Match]:
        """Return the best match of each of the `keep` likeliest contents, best first."""
        if not self.glyphs:
            return []
        first = self._coarse.best_places(coarse, None)
        chosen: dict[Content, list[tuple[int, _Place]]] = {}
        for index in sorted(first, key=lambda i: -first[i].score):
            content = self.glyphs[index].content
            if len(chosen) < keep or content in chosen:
                of_content = chosen.setdefault(content, [])
                # Two hands of a digit may change places at the closer look.
                if len(of_content) < 2:
                    of_content.append((index, first[index]))
        near = {index: place for of in chosen.values() for index, place in of}
        second = self._close.best_places(close, near)
        best: dict[Content, Match] = {}
        for index, place in second.items():
            match = self._match(index, place)
            if match.content not in best or match.score > best[match.content].score:
                best[match.content] = match
        return sorted(best.values(), key=lambda match: -match.score)

    def _match(self, index: int, place: _Place) -> Match:
        return Match(
            content=self.glyphs[index].content,
            score=place.score,
            offset_mm=place.offset_mm,
            glyph=index,
            shown=place.shown,
            blur_mm=place.blur_mm,
        )


@dataclass(frozen=True, slots=True)
class _Place:
    score: float
    offset_mm: tuple[float, float]
    shown: float
    blur_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class _Fits:
    """For each variant (rows) at each place (columns): score, and share in sight."""

    score: npt.NDArray[np.float32]
    shown: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Variant:
    glyph: int
    size: tuple[float, float]
    turn_deg: float
    blur_mm: float


def _variants(glyphs: Sequence[Glyph], *, is_coarse: bool) -> list[_Variant]:
    """Return the variants of each glyph that a look tries, in the order of the glyphs."""
    found = []
    for index, glyph in enumerate(glyphs):
        sizes = _PRINTED_SIZES if glyph.is_exact else _DRAWN_SIZES
        if is_coarse:
            found += [_Variant(index, (1.0, 1.0), 0.0, blur) for blur in _COARSE_BLURS_MM]
        else:
            found += [
                _Variant(index, size, turn, blur)
                for size in sizes
                for turn in _TURNS_DEG
                for blur in _CLOSE_BLURS_MM
            ]
    return found


class _Stack:
    """Variants drawn at one resolution, a row each: their inks, the squares and sums of these."""

    def __init__(self, glyphs: Sequence[Glyph], px_per_mm: float, *, is_coarse: bool) -> None:
        self._glyphs = glyphs
        self._px_per_mm = px_per_mm
        self._variants = _variants(glyphs, is_coarse=is_coarse)
        self._window = tuple(round(side * px_per_mm) | 1 for side in _WINDOW_MM)
        self._rows: dict[int, slice] = {}
        width, height = self._window
        self._inks = np.zeros((len(self._variants), height * width), np.float32)
        for row, variant in enumerate(self._variants):
            start = self._rows[variant.glyph].start if variant.glyph in self._rows else row
            self._rows[variant.glyph] = slice(start, row + 1)
            drawn = _draw(glyphs[variant.glyph], variant, self._window, px_per_mm)
            self._inks[row] = drawn.ravel()
        self._squares = self._inks * self._inks
        self._amounts = np.maximum(self._inks.sum(axis=1, keepdims=True), 1e-6)

    def best_places(self, view: InkView, near: dict[int, _Place] | None) -> dict[int, _Place]:
        """Return each glyph's best place: anywhere in reach, or near a place already found."""
        total = float(view.weight.sum())
        if total < 1:
            return {}
        weighted = view.ink * view.weight
        mean = float(weighted.sum()) / total
        spread = float((weighted * view.ink).sum()) - mean * mean * total
        if spread <= 1e-9:
            return {}
        found: dict[int, _Place] = {}
        for (offset, reach), members in self._groups(near).items():
            shifts, corner = self._shifts(view, offset, reach)
            weights = _windows(view.weight, corner, shifts, self._window)
            values = _windows(weighted - mean * view.weight, corner, shifts, self._window)
            fits = self._fits(members, weights, values, (total, spread))
            at = 0
            for member in members:
                count = self._rows[member].stop - self._rows[member].start
                found[member] = self._best(member, fits, slice(at, at + count), offset, shifts)
                at += count
        return found

    def _groups(
        self, near: dict[int, _Place] | None
    ) -> dict[tuple[tuple[float, float], int], list[int]]:
        """Return the glyphs to try by where their middle is looked for and how far around."""
        groups: dict[tuple[tuple[float, float], int], list[int]] = {}
        for index, glyph in enumerate(self._glyphs):
            if near is None:
                key = (glyph.offset_mm, round(REACH_MM * self._px_per_mm))
            elif index in near:
                x, y = near[index].offset_mm
                key = ((glyph.offset_mm[0] + x, glyph.offset_mm[1] + y), 1)
            else:
                continue
            groups.setdefault(key, []).append(index)
        return groups

    def _fits(
        self, members: Sequence[int], weights: Floats, values: Floats, ink: tuple[float, float]
    ) -> _Fits:
        """Return how each variant of some glyphs fits at each place, (variants, places).

        `weights` and `values` (ink less its mean, times weight) are windows, (places, pixels);
        `ink` the sum of all weights and the ink's variation.
        """
        total, spread = ink
        rows = np.concatenate([np.arange(self._rows[m].start, self._rows[m].stop) for m in members])
        is_run = len(rows) == rows[-1] - rows[0] + 1
        part = slice(int(rows[0]), int(rows[-1]) + 1) if is_run else rows
        inks, squares = self._inks[part], self._squares[part]
        shown = inks @ weights.T
        cross = inks @ values.T
        own = np.maximum(squares @ weights.T - shown * shown / total, 1e-6)
        score = cross / np.sqrt(own * spread)
        # A glyph nearly all out of sight would fit anything.
        share = shown / self._amounts[part]
        scores = np.where(share > _MIN_SHARE, score, -1.0)
        return _Fits(*(np.asarray(one, np.float32) for one in (scores, share)))

    def _best(
        self,
        member: int,
        fits: _Fits,
        lines: slice,
        offset_mm: tuple[float, float],
        shifts: npt.NDArray[np.int64],
    ) -> _Place:
        """Return the best place of one glyph, whose variants are some lines of the fits."""
        scores = fits.score[lines]
        row, column = (int(at) for at in np.unravel_index(int(scores.argmax()), scores.shape))
        line = lines.start + row
        x_mm, y_mm = (float(px) / self._px_per_mm for px in shifts[column])
        base = self._glyphs[member].offset_mm
        return _Place(
            score=float(scores[row, column]),
            offset_mm=(offset_mm[0] - base[0] + x_mm, offset_mm[1] - base[1] + y_mm),
            shown=float(fits.shown[line, column]),
            blur_mm=self._variants[self._rows[member].start + row].blur_mm,
        )

    def _shifts(
        self, view: InkView, offset_mm: tuple[float, float], reach: int
    ) -> tuple[npt.NDArray[np.int64], tuple[int, int]]:
        """Return the shifts to try, (places, 2) px as (x, y), and the window's corner unshifted."""
        steps = np.arange(-reach, reach + 1)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        corner = (
            round(view.centre_px[0] + offset_mm[0] * self._px_per_mm - (self._window[0] - 1) / 2),
            round(view.centre_px[1] + offset_mm[1] * self._px_per_mm - (self._window[1] - 1) / 2),
        )
        return shifts, corner


def _windows(
    image: Floats,
    corner: tuple[int, int],
    shifts: npt.NDArray[np.int64],
    window: tuple[int, ...],
) -> Floats:
    """Return the window of an image at each shift, (places, window pixels); outside is 0."""
    width, height = window
    reach = int(shifts.max())
    padding = 2 * reach + max(window)
    padded = cv2.copyMakeBorder(
        image, padding, padding, padding, padding, cv2.BORDER_CONSTANT, value=0.0
    )
    left, top = corner[0] + padding - reach, corner[1] + padding - reach
    side = 2 * reach + 1
    area = padded[top : top + height + side - 1, left : left + width + side - 1]
    views = np.lib.stride_tricks.sliding_window_view(area, (height, width))
    return np.ascontiguousarray(views).reshape(side * side, height * width).astype(np.float32)


def _draw(glyph: Glyph, variant: _Variant, window: tuple[int, ...], px_per_mm: float) -> Floats:
    """Return a glyph's ink in the middle of a window, sized, turned and blurred."""
    width, height = window
    fine = 2
    scale = px_per_mm * fine / GLYPH_PX_PER_MM
    rows, columns = glyph.ink.shape
    middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
    turn = np.radians(variant.turn_deg)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    linear = turned @ np.diag(np.array(variant.size) * scale)
    shift = np.array([(width * fine - 1) / 2, (height * fine - 1) / 2]) - linear @ middle
    placed = np.column_stack([linear, shift])
    # Soften before shrinking, or thin strokes are lost between pixels.
    softened = cv2.GaussianBlur(glyph.ink, (0, 0), max(0.3, 0.35 / scale))
    drawn = cv2.warpAffine(softened, placed, (width * fine, height * fine), flags=cv2.INTER_LINEAR)
    drawn = cv2.GaussianBlur(drawn, (0, 0), variant.blur_mm * px_per_mm * fine)
    small = cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)
