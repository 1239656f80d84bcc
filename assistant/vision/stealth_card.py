"""Which landmark is printed on the side of a stealth card that lies up in its deck.

The player may show the card that came up instead of telling its symbol. It looks like this: a line
drawn as a frame some 5 mm inside the edge, one of the map's seven icons large in its middle, bare
paper between. The icons are the drawings on the keys' fronts, so the profile's glyphs know them;
how large they are printed here is tried out. The frame is found by itself: its line is dark on any
paper, however pale the table. A fog card has another picture in its middle, the other cards have
no frame or more in it: these fit none of the seven well.

    frames (dark lines round paper) -> the inside, seen straight on -> which icon, how large,
        where, which way up -> does it fit well, and no other nearly so?

Whatever is missing makes it "don't know"; nothing is guessed. A look takes some tens of ms and is
worth it only while the symbol is asked for. `SymbolSettler` then wants several looks to agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Feature
from assistant.vision.glyphs import Glyph
from assistant.vision.ink import Grey, Ink, grey_of
from assistant.vision.sighting import Corners, Picture

#: The frame's inside, (width, height) in mm: 33 x 57 printed, 35 x 59 on the practice deck.
FRAME_MM = (34.0, 58.0)

#: All eleven landmarks of printed cards that lie whole in the test pictures fit 0.93 and more with
#: leads of 0.19 and more; in 378 pictures of the practice deck's, 19 fall below. What is none of
#: the seven (fog fits best), or lies half under a hand, fits up to 0.70 with leads up to 0.11.
LEAST_FIT = 0.84
LEAST_LEAD = 0.17

#: Scale of the frame's inside when it is seen straight on.
_PX_PER_MM = 2.0

#: A frame's inside as a share of the picture; a smaller one cannot be read.
_LEAST_AREA, _MOST_AREA = 0.006, 0.6
#: Long side by short side of a frame, seen at up to 35 degrees from either side.
_LEAST_ASPECT, _MOST_ASPECT = 1.3, 2.25
#: The frame's inside fills so much of its four sides; fingers lie in the rest.
_LEAST_FILL, _MOST_FILL = 0.8, 1.05
#: Corners of a frame's outline, with those that fingers add.
_MOST_CORNERS = 7
_MOST_FRAMES = 4
#: Two frames this close and this near in size are one, cut at two levels (px of the search; share).
_ONE_PX, _ONE_AREA = 4.0, 0.1

#: The window in which a line is darker than what is around it, px, and by how many levels.
_WINDOW_PX = 41
_LEAST_STEPS = (6, 12)

#: The longer side of an icon on the card: 14 mm on the practice deck, 18 to 24 printed.
_ICON_SIDES_MM = tuple(12.0 * 1.055**step for step in range(16))
#: How far the icon's middle may be from the frame's, and the bare paper asked for around it.
_REACH_MM = 6.0
_MARGIN_MM = 2.5
#: Wider than the widest solid part of an icon: what is painted over with its paper.
_PAPER_WINDOW_MM = 19.0

#: A frame within this of where it was is that of the same card, mm.
_SAME_PLACE_MM = 2.5

_Quad = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SymbolSighting:
    """A landmark that one picture shows.

    `fit` is its correlation with the icon (0..1), `lead` by how much it fits better than any other.
    `corners` are those of the frame's inside in px, clockwise, from either end of the card.
    """

    feature: Feature
    fit: float
    lead: float
    corners: Corners


class StealthReader:
    """Reads the landmark side of stealth cards. Immutable once made; any threads."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        """Draw the icons that are among the glyphs at every size; nothing is read without all."""
        inks = {g.content.feature: g.ink for g in glyphs if g.content.feature is not None}
        self._icons = {feature: _variants(ink) for feature, ink in inks.items()}

    @property
    def is_ready(self) -> bool:
        """Whether all seven icons are known; without one it could be taken for another."""
        return len(self._icons) == len(Feature)

    def look(self, picture: Picture) -> SymbolSighting | None:
        """Return the landmark of the stealth card in the picture; None where that is not sure.

        Two cards with different landmarks are not sure either: which one is meant?

        Args:
            picture: (rows, columns, 3) uint8, blue-green-red.
        """
        sure = [seen for seen in self.candidates(picture)
                if seen.fit >= LEAST_FIT and seen.lead >= LEAST_LEAD]  # fmt: skip
        if len({seen.feature for seen in sure}) != 1:
            return None
        return max(sure, key=lambda seen: seen.fit)

    def candidates(self, picture: Picture) -> Iterator[SymbolSighting]:
        """Yield the likeliest landmark of each frame in the picture, however unlikely."""
        if not self.is_ready:
            return
        grey = grey_of(picture)
        for quad in _frames(grey):
            ink = _inside(grey, quad)
            fits = {feature: max(_fit(ink, drawn) for drawn in variants)
                    for feature, variants in self._icons.items()}  # fmt: skip
            first, second = sorted(fits, key=lambda feature: -fits[feature])[:2]
            (a, b, c, d) = quad.tolist()
            corners: Corners = ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))
            yield SymbolSighting(first, fits[first], fits[first] - fits[second], corners)


class SymbolSettler:
    """Takes one look after the other; tells a landmark when it held. One thread.

    The card on top when the question begins is the one of the turn before: it is not told. Only
    when another landmark shows, or the same at another place, has the deck moved on; a hand that
    reached across it has not moved it.
    """

    #: So many looks in a row must agree.
    HELD = 3

    def __init__(self) -> None:
        """Begin with a question."""
        self._old: SymbolSighting | None = None
        self._is_first = True
        self._run: list[SymbolSighting] = []

    def add(self, seen: SymbolSighting | None) -> Feature | None:
        """Take a look's outcome; return a landmark once, when it held."""
        if seen is None:
            self._run.clear()
            self._is_first = False
            return None
        if self._is_first:
            self._old, self._is_first = seen, False
        if self._run and self._run[-1].feature is not seen.feature:
            self._run.clear()
        self._run.append(seen)
        if self._is_old(seen) or len(self._run) < self.HELD:
            return None
        self._old = seen
        return seen.feature

    def _is_old(self, seen: SymbolSighting) -> bool:
        old = self._old
        if old is None or old.feature is not seen.feature:
            return False
        corners = np.array(old.corners)
        reach = _SAME_PLACE_MM / FRAME_MM[1] * float(np.linalg.norm(corners[0] - corners[3]))
        away = np.array(seen.corners).mean(axis=0) - corners.mean(axis=0)
        return bool(np.linalg.norm(away) < reach)


def _variants(ink: Ink) -> list[Ink]:
    """Return an icon's ink at every size, either way up, with bare paper around it."""
    found = []
    pad = round(_MARGIN_MM * _PX_PER_MM)
    for side_mm in _ICON_SIDES_MM:
        scale = side_mm * _PX_PER_MM / max(ink.shape)
        size = max(round(ink.shape[1] * scale), 1), max(round(ink.shape[0] * scale), 1)
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        drawn = cv2.GaussianBlur(cv2.resize(ink, size, interpolation=method), (0, 0), 0.6)
        drawn = cv2.copyMakeBorder(drawn, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0.0)
        upright = np.asarray(drawn, np.float32)
        found += [upright, np.ascontiguousarray(upright[::-1, ::-1])]
    return found


def _fit(ink: Ink, drawn: Ink) -> float:
    """Return how well an icon with its margin fits anywhere near the middle, -1 to 1."""
    (rows, columns), (high, wide) = ink.shape, drawn.shape
    reach = round(_REACH_MM * _PX_PER_MM)
    top, left = max((rows - high) // 2 - reach, 0), max((columns - wide) // 2 - reach, 0)
    area = ink[top : rows - top, left : columns - left]
    if area.shape[0] < high or area.shape[1] < wide:
        return -1.0
    return float(cv2.matchTemplate(area, drawn, cv2.TM_CCOEFF_NORMED).max())


def _inside(grey: Grey, quad: _Quad) -> Ink:
    """Return the ink inside a frame, seen straight on, (rows, columns) at _PX_PER_MM."""
    width, height = (round(side * _PX_PER_MM) for side in FRAME_MM)
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_inside = cv2.getPerspectiveTransform(
        np.asarray(quad - 0.5, np.float32), np.asarray(whole - 0.5, np.float32)
    )
    seen = cv2.warpPerspective(
        grey, to_inside, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    size = round(_PAPER_WINDOW_MM * _PX_PER_MM) | 1
    window = np.ones((size, size), np.uint8)
    paper = cv2.morphologyEx(cv2.GaussianBlur(seen, (3, 3), 0), cv2.MORPH_CLOSE, window)
    smooth = cv2.blur(paper, (size, size)).astype(np.float32)
    ink = 1.0 - seen.astype(np.float32) / np.maximum(smooth, 1.0)
    return np.asarray(np.clip(ink, 0.0, 1.0), np.float32)


def _frames(grey: Grey) -> list[_Quad]:
    """Return the insides of frames as (4, 2) px, clockwise from a short side, the largest first."""
    found: list[tuple[float, _Quad]] = []
    smooth = cv2.GaussianBlur(grey, (3, 3), 0)
    for step in _LEAST_STEPS:
        dark = cv2.adaptiveThreshold(
            smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _WINDOW_PX, step
        )
        dark = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        contours, links = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        # An inside has a line around it; wood grain makes hundreds of lines without one.
        insides = () if links is None else np.flatnonzero(links[0, :, 3] >= 0).tolist()
        for contour in (contours[number] for number in insides):
            area = cv2.contourArea(contour)
            if _LEAST_AREA * grey.size <= area <= _MOST_AREA * grey.size:
                quad = _four_sides(np.asarray(contour, np.int32), area)
                if quad is not None and not any(_is_same(quad, area, *other) for other in found):
                    found.append((area, quad))
    found.sort(key=lambda entry: -entry[0])
    return [quad for _, quad in found[:_MOST_FRAMES]]


def _is_same(quad: _Quad, area: float, other_area: float, other: _Quad) -> bool:
    apart = float(np.abs(quad.mean(axis=0) - other.mean(axis=0)).max())
    return apart < _ONE_PX and abs(area / other_area - 1.0) < _ONE_AREA


def _four_sides(contour: npt.NDArray[np.int32], area: float) -> _Quad | None:
    """Return the quadrilateral of an outline's four longest sides, None where that is no frame."""
    outline = cv2.approxPolyDP(cv2.convexHull(contour), 0.04 * float(np.sqrt(area)), True)
    polygon = outline.reshape(-1, 2).astype(np.float64)
    if not 4 <= len(polygon) <= _MOST_CORNERS:
        return None
    sides = np.roll(polygon, -1, axis=0) - polygon
    longest = np.sort(np.argsort(-np.linalg.norm(sides, axis=1), kind="stable")[:4])
    quad = np.empty((4, 2))
    for corner, (before, after) in enumerate(zip(np.roll(longest, 1), longest, strict=True)):
        d, e = sides[before], sides[after]
        cross = d[0] * e[1] - d[1] * e[0]
        if abs(cross) < 0.5 * float(np.linalg.norm(d) * np.linalg.norm(e)):
            return None
        gap = polygon[after] - polygon[before]
        quad[corner] = polygon[before] + (gap[0] * e[1] - gap[1] * e[0]) / cross * d
    return _as_frame(quad, area)


def _as_frame(quad: _Quad, area: float) -> _Quad | None:
    """Return a frame's corners from a short side on; None where it is none."""
    whole = abs(cv2.contourArea(np.asarray(quad, np.float32)))
    if not cv2.isContourConvex(np.asarray(quad, np.float32)):
        return None
    if not _LEAST_FILL * whole <= area <= _MOST_FILL * whole:
        return None
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        quad, sides = np.roll(quad, -1, axis=0), np.roll(sides, -1)
    aspect = float((sides[1] + sides[3]) / (sides[0] + sides[2]))
    return quad if _LEAST_ASPECT <= aspect <= _MOST_ASPECT else None
