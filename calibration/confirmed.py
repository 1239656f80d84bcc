"""Digits and the Lady as this deck prints them, learnt from holes whose content is known.

How they look is not known before the player has shown some: the built-in glyphs are drawn. What
shows in the holes of stacks that were read surely, or that she confirmed, is laid over each other:

    holes -> ink of each, cut out straight -> laid on the first -> those that agree, pooled -> glyph

Spoiler-free: a glyph is all that stays of them, one for each content. It says how a 2 looks, not
which card shows one, at which key, how often or when. A content needs holes of two keys that agree:
one stack seen ten times could be misread ten times, in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Content, ContentKind
from assistant.vision.geometry import Homography, Keyhole
from assistant.vision.glyph_bank import GlyphBank
from assistant.vision.glyphs import GLYPH_PX_PER_MM, Glyph, built_in_glyphs
from assistant.vision.hole_evidence import view_hole
from assistant.vision.hole_patch import (
    FINE_PX_PER_MM,
    HolePatch,
    hole_mask,
    patch_centre_px,
    see_hole,
)
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Picture

#: What is learnt this way; icons come from the fronts of the keys.
LEARNT_KINDS = frozenset({ContentKind.NUMBER, ContentKind.LADY})
#: Different keys whose holes must agree on a content.
LEAST_KEYS = 2
#: Of many holes the sharpest are pooled.
MOST_HOLES = 8
#: Inks of one content agree when they correlate by this much where both were seen.
AGREEMENT = 0.9
#: Kept off the hole's edge: its shadow, and what is left of the error of its place.
EDGE_MM = 0.75
#: Rounds of laying: by the drawn shapes, then by what was learnt in the round before.
ROUNDS = 3
#: A shape is moved so far (px of the patch) to lie over the others.
NUDGE_PX = 2
#: The square around the shape's middle that is pooled: it holds every digit and the Lady.
SIDE_MM = 10.0
SIDE_PX = round(SIDE_MM * FINE_PX_PER_MM)
#: Beyond what was seen a shape is taken to go on for so long; a hole is moved by up to so much.
BEYOND_MM = 1.2
#: Ink below this is paper and its noise.
FAINT = 0.08
#: A shape's box holds all ink deeper than this.
INKED = 0.15
#: A shape is what hangs together of ink so deep (of its deepest), with its soft rim of some px.
SOLID = 0.5
RIM_PX = 9
#: A mask's pixels above this are inside.
HALF = 128

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ConfirmedHole:
    """A hole in a picture, with what is known to show in it.

    `homography` maps mm on the key's back (from its top left) to px of `picture`.
    """

    picture: Picture
    homography: Homography
    keyhole: Keyhole
    content: Content


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A shape seen in one hole: its ink, and which of it was seen, around the shape's middle.

    Ink and weight are (rows, columns) float32 at FINE_PX_PER_MM. `offset_mm`: where the middle
    lies from the centre of the hole's circle. `blur_mm`: how far the picture blurs it; `score`:
    how well it is like the shape that it was laid by.
    """

    keyhole: Keyhole
    ink: Floats
    weight: Floats
    offset_mm: tuple[float, float]
    blur_mm: float
    score: float


def learn_glyphs(holes: Sequence[ConfirmedHole]) -> tuple[Glyph, ...]:
    """Return the digits and the Lady as the holes show them, one glyph for each content.

    Contents with agreeing holes of fewer than LEAST_KEYS keys are left out, and so are icons and
    blanks. Ordered by content, whatever the order of the holes.
    """
    contents = sorted(
        {hole.content for hole in holes if hole.content.kind in LEARNT_KINDS},
        key=lambda content: (content.kind.value, content.number or 0),
    )
    learnt = [_learnt(content, [h for h in holes if h.content == content]) for content in contents]
    return tuple(glyph for glyph in learnt if glyph is not None)


def merged(profile: CardProfile, learnt: Sequence[Glyph]) -> CardProfile:
    """Return a profile with learnt glyphs in place of what was learnt before of their contents.

    The drawn ones stay beside them: of the practice deck's digits, one in eighty is out of shape
    (tilt, a soft corner) so that only a drawn hand fits it still.
    """
    contents = {glyph.content for glyph in learnt}
    kept = (g for g in profile.glyphs if not (g.is_exact and g.content in contents))
    return replace(profile, glyphs=(*kept, *learnt))


def print_of(profile: CardProfile) -> tuple[Glyph, ...]:
    """Return the digits and the Lady that a profile has learnt, as this deck prints them."""
    return tuple(g for g in profile.glyphs if g.is_exact and g.content.kind in LEARNT_KINDS)


def _learnt(content: Content, holes: Sequence[ConfirmedHole]) -> Glyph | None:
    """Return the glyph of one content; None when not enough holes agree."""
    glyphs = [glyph for glyph in built_in_glyphs() if glyph.content == content]
    for _ in range(ROUNDS):
        bank = GlyphBank(glyphs)
        laid = [seen for hole in holes if (seen := _laid(hole, bank)) is not None]
        laid = sorted(laid, key=lambda seen: (seen.blur_mm, -seen.score))[:MOST_HOLES]
        agreeing = _agreeing(laid)
        if _keys(agreeing) < LEAST_KEYS:
            return None
        glyphs = [_glyph(content, agreeing)]
    return glyphs[0]


def _keys(seen: Sequence[_Seen]) -> int:
    """Return how many different keys show shapes."""
    return len({one.keyhole for one in seen})


def _visible(patch: HolePatch, keyhole: Keyhole) -> Floats:
    """Return where on a patch the card below can be seen, 0..1."""
    is_hole = (hole_mask(keyhole) >= HALF).astype(np.uint8)
    inside_mm = cv2.distanceTransform(is_hole, cv2.DIST_L2, 5) / FINE_PX_PER_MM
    inner = np.clip((inside_mm - EDGE_MM) * FINE_PX_PER_MM + 0.5, 0, 1).astype(np.float32)
    x, y = patch_centre_px()
    shift = np.array([[1, 0, patch.hole_centre_px[0] - x], [0, 1, patch.hole_centre_px[1] - y]])
    moved = cv2.warpAffine(inner, shift.astype(np.float64), inner.shape[::-1])
    return np.asarray(moved * (patch.is_valid & ~patch.is_burnt), np.float32)


def _laid(hole: ConfirmedHole, bank: GlyphBank) -> _Seen | None:
    """Return the shape in a hole, laid as the bank's glyphs lie; None when nothing is seen."""
    patch = see_hole(hole.picture, hole.homography, hole.keyhole)
    view = view_hole(patch, hole.keyhole)
    weight = _visible(patch, hole.keyhole)
    matches = bank.matches(view.coarse, view.close)
    if not matches:
        return None
    match = matches[0]
    base = bank.glyphs[match.glyph].offset_mm
    offset = base[0] + match.offset_mm[0], base[1] + match.offset_mm[1]
    ink = np.clip(1.0 - patch.grey / max(view.signs.lightness, 0.05), 0.0, 1.0)
    x, y = (at + mm * FINE_PX_PER_MM for at, mm in zip(patch.hole_centre_px, offset, strict=True))
    middle = (SIDE_PX - 1) / 2
    shift = np.array([[1, 0, middle - x], [0, 1, middle - y]], np.float64)
    cut, shown = (
        np.asarray(cv2.warpAffine(one.astype(np.float32), shift, (SIDE_PX, SIDE_PX)), np.float32)
        for one in (ink, weight)
    )
    return _Seen(hole.keyhole, cut, shown, offset, match.blur_mm, match.score)


def _agreeing(seen: Sequence[_Seen]) -> list[_Seen]:
    """Return the shapes that look like what the others show together, moved to lie over it."""
    left = list(seen)
    while _keys(left) >= LEAST_KEYS:
        fits = [_fit(one, left[:at] + left[at + 1 :]) for at, one in enumerate(left)]
        worst = min(range(len(left)), key=lambda at: fits[at][0])
        if fits[worst][0] >= AGREEMENT:
            # The first stays where it is, or all would wander.
            return [left[0]] + [
                _moved(one, *fit[1]) for one, fit in zip(left[1:], fits[1:], strict=True)
            ]
        del left[worst]
    return []


def _fit(one: _Seen, others: Sequence[_Seen]) -> tuple[float, tuple[int, int]]:
    """Return how well a shape agrees with others pooled, -1..1, and the move (px) that does it."""
    pooled, shown = _pooled(others)
    best = -1.0, (0, 0)
    for x in range(-NUDGE_PX, NUDGE_PX + 1):
        for y in range(-NUDGE_PX, NUDGE_PX + 1):
            tried = _moved(one, x, y)
            score = _correlation(tried.ink, pooled, tried.weight * (shown > 0.5))
            best = max(best, (score, (x, y)))
    return best


def _moved(seen: _Seen, x_px: int, y_px: int) -> _Seen:
    """Return a shape moved on its square; what comes in from outside was not seen."""
    shift = np.array([[1, 0, x_px], [0, 1, y_px]], np.float64)
    ink, weight = (
        np.asarray(cv2.warpAffine(one, shift, (SIDE_PX, SIDE_PX)), np.float32)
        for one in (seen.ink, seen.weight)
    )
    x, y = seen.offset_mm
    offset = x - x_px / FINE_PX_PER_MM, y - y_px / FINE_PX_PER_MM
    return replace(seen, ink=ink, weight=weight, offset_mm=offset)


def _correlation(one: Floats, other: Floats, weight: Floats) -> float:
    total = float(weight.sum()) + 1e-6
    a = one - float((one * weight).sum()) / total
    b = other - float((other * weight).sum()) / total
    spread = float((a * a * weight).sum()) * float((b * b * weight).sum())
    return float((a * b * weight).sum()) / (math.sqrt(spread) + 1e-6)


def _pooled(seen: Sequence[_Seen]) -> tuple[Floats, Floats]:
    """Return the mean ink of shapes that lie over each other, and how often each pixel was seen."""
    shown = np.sum([one.weight for one in seen], axis=0, dtype=np.float32)
    ink = np.sum([one.ink * one.weight for one in seen], axis=0, dtype=np.float32)
    return np.asarray(ink / np.maximum(shown, 1e-3), np.float32), np.asarray(shown, np.float32)


def _glyph(content: Content, seen: Sequence[_Seen]) -> Glyph:
    """Return the glyph that shapes which lie over each other show together."""
    ink, shown = _pooled(seen)
    ink = _gone_on(ink, shown > 0.5)
    grown = GLYPH_PX_PER_MM / FINE_PX_PER_MM
    large = cv2.resize(ink, None, fx=grown, fy=grown, interpolation=cv2.INTER_CUBIC)
    shape = _one_shape(np.asarray(np.clip(large, 0, 1), np.float32))
    ys, xs = np.nonzero(shape > INKED)
    top, bottom, left, right = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    x, y = np.median([one.offset_mm for one in seen], axis=0)
    rows, columns = large.shape
    middle = (
        float(x + ((left + right) - columns) / 2 / GLYPH_PX_PER_MM),
        float(y + ((top + bottom) - rows) / 2 / GLYPH_PX_PER_MM),
    )
    return Glyph(
        content, np.ascontiguousarray(shape[top:bottom, left:right]), middle, is_exact=True
    )


def _gone_on(ink: Floats, seen: npt.NDArray[np.bool_]) -> Floats:
    """Return the ink with what no hole showed taken from the nearest that one did."""
    away, labels = cv2.distanceTransformWithLabels(
        (~seen).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    nearest = np.zeros(int(labels.max()) + 1, np.float32)
    nearest[labels[seen]] = ink[seen]
    return np.where(away <= BEYOND_MM * FINE_PX_PER_MM, nearest[labels], 0).astype(np.float32)


def _one_shape(ink: Floats) -> Floats:
    """Return the ink of the largest blot alone: digits and the Lady hang together.

    The rest is the shadow of the hole's edge and what else is printed near.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        (ink > SOLID * ink.max()).astype(np.uint8)
    )
    areas = stats[1:, cv2.CC_STAT_AREA]
    blot = (labels == 1 + int(areas.argmax())).astype(np.uint8)
    rim = cv2.dilate(blot, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (RIM_PX, RIM_PX)))
    return np.asarray(np.where((rim > 0) & (ink > FAINT), ink, 0), np.float32)
