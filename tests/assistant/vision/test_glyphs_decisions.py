"""What of a front's picture belongs to an icon: neighbours at the rim, specks, faint print."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Feature
from assistant.vision.glyphs import Glyph, built_in_glyphs, digit_shapes, glyphs_from_fronts
from tests.assistant.vision.drawn_stack import front_patches

Patch = npt.NDArray[np.uint8]
RURAL = Feature.RURAL


def _clean() -> Patch:
    return front_patches()[RURAL][0].copy()


def _learnt(patch: Patch) -> Glyph | None:
    found = glyphs_from_fronts({RURAL: [patch]})
    return found[0] if found else None


def _bar(patch: Patch, side: str, deep: int) -> Patch:
    """Return the patch with a neighbour's dark edge along the middle of one side."""
    rows, columns = patch.shape
    marked = patch.copy()
    along, across = (
        slice(rows // 2 - 16, rows // 2 + 16),
        slice(columns // 2 - 16, columns // 2 + 16),
    )
    if side == "left":
        marked[along, :deep] = 40
    elif side == "right":
        marked[along, columns - deep :] = 40
    elif side == "top":
        marked[:deep, across] = 40
    else:
        marked[rows - deep :, across] = 40
    return marked


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_what_touches_one_side_and_lies_along_it_is_a_neighbour(side: str) -> None:
    clean, marked = _learnt(_clean()), _learnt(_bar(_clean(), side, 4))
    assert clean is not None
    assert marked is not None
    assert marked.size_mm == pytest.approx(clean.size_mm, abs=0.05)
    assert float(np.abs(marked.ink - clean.ink).max()) < 0.1


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_an_icon_that_reaches_one_side_of_its_picture_is_still_the_icon(side: str) -> None:
    patch = _clean()
    ys, xs = np.nonzero(patch < 120)
    cut = {
        "left": np.s_[:, xs.min() :],
        "right": np.s_[:, : xs.max() + 1],
        "top": np.s_[ys.min() :, :],
        "bottom": np.s_[: ys.max() + 1, :],
    }[side]
    clean, touching = _learnt(patch), _learnt(np.ascontiguousarray(patch[cut]))
    assert clean is not None
    assert touching is not None
    assert touching.size_mm == pytest.approx(clean.size_mm, abs=0.25)


def _with_spot(side_px: int, from_rim_px: int) -> Patch:
    """Return a small icon in the middle of wide paper, and a spot by itself at the left."""
    icon = _clean()
    wide = np.full((icon.shape[0] + 60, icon.shape[1] + 60), 215, np.uint8)
    wide[30:-30, 30:-30] = icon
    middle = wide.shape[0] // 2
    wide[middle : middle + side_px, from_rim_px : from_rim_px + side_px] = 35
    return wide


def test_a_speck_is_no_part_of_the_icon_and_a_leaf_of_its_own_is() -> None:
    clean = _learnt(_with_spot(0, 0))
    speck, leaf = _learnt(_with_spot(3, 24)), _learnt(_with_spot(9, 24))
    assert clean is not None
    assert speck is not None
    assert leaf is not None
    proportion = [g.size_mm[0] / g.size_mm[1] for g in (clean, speck, leaf)]
    assert proportion[1] == pytest.approx(proportion[0], abs=0.02)
    assert proportion[2] > proportion[0] + 0.1


@pytest.mark.parametrize(("contrast", "is_icon"), [(34, False), (50, True)])
def test_print_fainter_than_a_sixth_of_the_scale_is_no_icon(contrast: int, is_icon: bool) -> None:
    patch = _clean().astype(np.float64)
    share = contrast / (np.percentile(patch, 90) - np.percentile(patch, 5))
    faint = (215 + (patch - 215) * share).astype(np.uint8)
    found = _learnt(faint)
    assert (found is not None) is is_icon
    if found is not None:
        assert found.ink.max() > 0.95


def test_shapes_are_as_large_as_print_was_measured_in_the_hole() -> None:
    icon = _learnt(_clean())
    assert icon is not None
    assert 6.9 <= max(icon.size_mm) <= 7.8
    assert all(6.0 <= shape.size_mm[1] <= 6.6 for shape in digit_shapes())
    ladies = [g for g in built_in_glyphs() if g.content.number is None]
    larger, smaller = ladies[:2], ladies[2:]
    assert len(larger) == len(smaller) == 2
    for lady in larger:
        assert lady.size_mm == pytest.approx((7.85, 9.7), abs=0.06)
        assert lady.offset_mm == (1.16, 0.81)
    for lady in smaller:
        assert lady.size_mm == pytest.approx((6.2, 7.6), abs=0.06)
        assert lady.offset_mm == (0.0, 0.0)
    # One of each has her hair in a knot behind: more ink on that side.
    for plain, knotted in (larger, smaller):
        assert knotted.ink.sum() > plain.ink.sum()
