"""What a hole looks like, on patches painted in numbers: each sign worked out by hand.

A patch is light as a share of paper, 6 px per mm. X, Y and AWAY are mm from the circle's centre.
Each threshold has a patch on both sides.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from assistant.vision.hole_evidence import HoleSigns, HoleView, view_hole
from assistant.vision.hole_patch import (
    FINE_PX_PER_MM,
    HolePatch,
    hole_mask,
    patch_centre_px,
    patch_shape,
)
from assistant.vision.outline import Edges
from tests.assistant.vision.drawn_stack import KEYHOLE

Shades = npt.NDArray[np.float64]
Where = npt.NDArray[np.bool_]

ROWS, COLUMNS = patch_shape()
CENTRE = patch_centre_px()
X = np.broadcast_to((np.arange(COLUMNS) - CENTRE[0]) / FINE_PX_PER_MM, (ROWS, COLUMNS))
Y = np.broadcast_to(((np.arange(ROWS) - CENTRE[1]) / FINE_PX_PER_MM)[:, None], (ROWS, COLUMNS))
AWAY = np.hypot(X, Y)
EDGE_MM = KEYHOLE.radius_mm
IN_HOLE = (EDGE_MM > AWAY) | ((np.abs(X) < 1.65) & (Y > 0) & (Y < 9.5))
PAPER = np.ones((ROWS, COLUMNS, 3))
#: The circle in which ink is judged.
CIRCLE_MM2 = math.pi * 3.8**2
NOWHERE = np.zeros((ROWS, COLUMNS), bool)


def painted(where: Where, colour: float | tuple[float, float, float]) -> Shades:
    """Return paper with one colour where it is told, blue-green-red as shares of paper."""
    return np.where(where[..., None], np.broadcast_to(np.asarray(colour), (3,)), PAPER)


def patch_of(light: Shades, burnt: Where = NOWHERE, unseen: Where = NOWHERE) -> HolePatch:
    """Return a patch of such light whose hole lies where it is printed."""
    shares = light.astype(np.float32)
    grey = np.asarray(shares.mean(axis=2), np.float32)
    edges = Edges.of(grey, FINE_PX_PER_MM)
    return HolePatch(
        seen=np.clip(light * 200, 0, 255).astype(np.uint8),
        light=shares,
        grey=grey,
        is_valid=~unseen,
        is_burnt=burnt,
        paper_bgr=(200.0, 200.0, 200.0),
        hole_centre_px=CENTRE,
        edges=edges,
        outline=edges.outline(hole_mask(KEYHOLE)),
        picture_px_per_mm=5.0,
    )


def view(light: Shades, burnt: Where = NOWHERE, unseen: Where = NOWHERE) -> HoleView:
    return view_hole(patch_of(light, burnt, unseen), KEYHOLE)


def signs(light: Shades, burnt: Where = NOWHERE, unseen: Where = NOWHERE) -> HoleSigns:
    return view(light, burnt, unseen).signs


def blot(radius_mm: float, x_mm: float = 0.0, y_mm: float = 0.0) -> Where:
    return np.asarray(np.hypot(X - x_mm, Y - y_mm) < radius_mm)


def between(from_mm: float, to_mm: float) -> Where:
    """Return a ring about the circle's centre."""
    return np.asarray((from_mm < AWAY) & (to_mm > AWAY))


def test_even_paper_shows_nothing_but_its_lightness() -> None:
    seen = signs(PAPER * 0.9)
    assert seen.lightness == pytest.approx(0.9, abs=1e-3)
    assert seen.trusted_share == pytest.approx(1.0, abs=1e-6)
    others = [seen.tint, seen.dark_share, seen.depth, seen.roughness, seen.glare_share]
    others += [seen.skin_share, seen.spill, seen.stray_mm2]
    assert others == pytest.approx([0.0] * 8, abs=1e-3)


# Which paper?


def test_the_paper_is_told_by_the_rim_when_print_fills_most_of_the_hole() -> None:
    seen = signs(painted(blot(3.4), 0.6))
    assert seen.lightness == pytest.approx(1.0, abs=0.02)
    assert seen.tint == pytest.approx(0.0, abs=0.01)
    assert seen.dark_share == pytest.approx((3.4 / 3.8) ** 2, abs=0.05)


@pytest.mark.parametrize(
    ("colour", "tint"),
    [
        ((0.95, 1.0, 1.05), 0.05),
        ((1.05, 1.0, 0.95), 0.05),
        ((0.9, 1.05, 1.05), 0.1),
        ((0.45, 0.5, 0.55), 0.1),
    ],
)
def test_the_tint_is_the_channel_that_is_farthest_from_the_mean_on_either_side(
    colour: tuple[float, float, float], tint: float
) -> None:
    assert signs(PAPER * np.array(colour)).tint == pytest.approx(tint, abs=1e-3)


def test_roughness_is_that_of_the_light_parts() -> None:
    # Half of the circle and of the stem is a little darker: as paper it strays by half of that.
    assert signs(painted(X < 0, 0.95)).roughness == pytest.approx(0.025, abs=0.005)
    # Of what is no paper any more only the soft edge is left.
    assert signs(painted(X < 0, 0.89)).roughness < 0.03
    assert signs(painted(X < 0, 0.5)).roughness < 0.03


def test_the_tint_is_that_of_the_light_parts() -> None:
    assert signs(painted(X < 1.0, (0.7, 0.8, 0.9))).tint < 0.01


# How much is dark, and how dark?


@pytest.mark.parametrize(("shade", "share"), [(0.76, 0.5), (0.84, 0.0)])
def test_dark_is_what_is_a_fifth_darker_than_the_light_parts(shade: float, share: float) -> None:
    for lamp in (1.0, 0.5):
        seen = signs(painted(X < 0, shade) * lamp)
        assert seen.dark_share == pytest.approx(share, abs=0.04)


@pytest.mark.parametrize(("ring_mm", "counts"), [(4.2, False), (3.3, True)])
def test_ink_is_judged_in_the_circle_off_its_edge(ring_mm: float, counts: bool) -> None:
    ring = between(ring_mm, ring_mm + 0.45)
    assert (signs(painted(ring, 0.1)).dark_share > 0.05) is counts


def test_depth_is_how_dark_the_darkest_thirtieth_is() -> None:
    assert signs(painted(blot(1.2), 0.3)).depth == pytest.approx(0.7, abs=0.03)
    # Half a hundredth of the circle is no print.
    assert signs(painted(blot(0.27), 0.3)).depth < 0.1


def test_where_hardly_any_light_comes_from_all_figures_stay_finite() -> None:
    seen = view(PAPER * 0.02)
    assert seen.signs.depth == pytest.approx(0.6, abs=0.01)
    assert seen.coarse.ink[seen.coarse.weight > 0.9] == pytest.approx(0.6, abs=0.01)


# Glare, and what is not seen at all.


@pytest.mark.parametrize(
    ("colour", "is_burnt", "is_glare"),
    [
        ((1.2, 1.2, 1.2), True, True),
        ((1.12, 1.0, 1.0), True, True),
        ((1.05, 1.05, 1.05), True, False),
        ((1.2, 1.2, 1.2), False, False),
    ],
    ids=["brighter than paper", "in one channel", "burnt-out paper", "bright, not burnt out"],
)
def test_glare_is_burnt_out_and_brighter_than_paper(
    colour: tuple[float, float, float], is_burnt: bool, is_glare: bool
) -> None:
    spot = blot(2.0)
    seen = signs(painted(spot, colour), spot if is_burnt else NOWHERE)
    # It spreads by a pixel all around.
    share = math.pi * (2.0 + 1 / FINE_PX_PER_MM) ** 2 / CIRCLE_MM2 if is_glare else 0.0
    assert seen.glare_share == pytest.approx(share, abs=0.03)
    assert seen.trusted_share == pytest.approx(1 - share, abs=0.03)


def test_glare_outside_the_circle_does_not_count() -> None:
    spot = blot(1.0, 0.0, 6.0)
    assert signs(painted(spot, 1.3), spot).glare_share == 0.0


def test_what_lies_outside_the_picture_is_not_trusted() -> None:
    seen = signs(painted(X < 0, 0.0), unseen=X < 0)
    assert seen.trusted_share == pytest.approx(0.5, abs=0.03)
    assert seen.glare_share == 0.0
    assert seen.lightness == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(("wide", "high", "is_read"), [(13, 3, False), (8, 5, True)])
def test_of_fewer_than_forty_pixels_nothing_is_told(wide: int, high: int, is_read: bool) -> None:
    hidden = ~NOWHERE
    middle = round(CENTRE[0])
    hidden[middle : middle + high, middle : middle + wide] = False
    seen = signs(PAPER * 0.6, unseen=hidden)
    assert seen.lightness == pytest.approx(0.6 if is_read else 1.0, abs=1e-3)
    assert (seen.trusted_share > 0) is is_read
    told = [seen.tint, seen.depth, seen.roughness, seen.glare_share, seen.skin_share]
    assert told == pytest.approx([0.0] * 5, abs=1e-3)
    assert seen.dark_share == pytest.approx(0.0, abs=1e-3)


# Skin and wood: neither paper nor ink.


@pytest.mark.parametrize(
    ("colour", "is_skin"),
    [
        ((0.50, 0.65, 0.90), True),
        ((0.05, 0.10, 0.16), False),
        ((0.05, 0.10, 0.19), True),
        ((0.72, 0.80, 0.88), False),
        ((0.66, 0.80, 0.88), True),
        ((0.50, 0.87, 0.90), False),
        ((0.50, 0.82, 0.90), True),
        ((0.90, 0.65, 0.50), False),
        ((0.10, 0.10, 0.10), False),
    ],
    ids=[
        "skin",
        "too dark to tell",
        "dark",
        "hardly less blue",
        "less blue",
        "yellow",
        "orange",
        "blue",
        "ink",
    ],
)
def test_skin_is_redder_than_blue_and_than_green(
    colour: tuple[float, float, float], is_skin: bool
) -> None:
    assert signs(painted(X < 0, colour)).skin_share == pytest.approx(
        0.5 if is_skin else 0.0, abs=0.06
    )


# Dark over the edge.


@pytest.mark.parametrize("shade", [0.71, 0.1])
def test_a_shade_over_half_of_the_hole_and_its_edge_runs_on_into_half_of_the_band(
    shade: float,
) -> None:
    # Less what lies farther out than a millimetre from what is dark inside.
    assert signs(painted(X < 0, shade)).spill == pytest.approx(0.4, abs=0.05)


def test_a_light_shade_runs_on_nowhere() -> None:
    assert signs(painted(X < 0, 0.8)).spill == 0.0


def test_print_that_ends_at_the_edge_does_not_run_on_over_it() -> None:
    assert signs(painted((X < 0) & IN_HOLE, 0.1)).spill == pytest.approx(0.0, abs=0.01)


def test_what_is_dark_outside_only_does_not_run_on() -> None:
    assert signs(painted((X < 0) & ~IN_HOLE, 0.1)).spill < 0.02


@pytest.mark.parametrize(("into_mm", "runs_on"), [(0.35, True), (0.0, False)])
def test_it_must_reach_a_little_into_the_hole(into_mm: float, runs_on: bool) -> None:
    rim = (np.abs(Y) < 2) & (X < 0) & (EDGE_MM - into_mm < AWAY)
    assert (signs(painted(rim, 0.1)).spill > 0.05) is runs_on


@pytest.mark.parametrize(("beyond_mm", "runs_on"), [(0.8, True), (0.25, False)])
def test_it_must_reach_clear_over_the_edge(beyond_mm: float, runs_on: bool) -> None:
    over = (np.abs(Y) < 2) & (X < 0) & between(3.0, EDGE_MM + beyond_mm)
    assert (signs(painted(over, 0.1)).spill > 0.03) is runs_on


def test_print_of_the_key_near_the_hole_is_no_part_of_what_runs_on() -> None:
    # A finger reaches over the edge; print lies farther off than the band goes.
    finger = (X < 0) & (np.abs(Y) < 1.5) & between(3.0, EDGE_MM + 1.0)
    far = between(EDGE_MM + 1.5, EDGE_MM + 3.0)
    assert signs(painted(finger | far, 0.1)).spill == pytest.approx(
        signs(painted(finger, 0.1)).spill, abs=0.02
    )


@pytest.mark.parametrize(("from_mm", "runs_on"), [(3.9, True), (5.8, False)])
def test_a_finger_on_the_stem_hides_nothing(from_mm: float, runs_on: bool) -> None:
    assert (signs(painted(from_mm < Y, 0.1)).spill > 0.03) is runs_on


# Blots.


def test_a_blot_is_so_much_darker_than_paper() -> None:
    for lamp in (1.0, 0.6):
        assert signs(painted(blot(1.5), 0.76) * lamp).stray_mm2 == 0.0
        assert signs(painted(blot(1.5), 0.62) * lamp).stray_mm2 > 4.0
        # Of this its soft edge counts by half.
        dark = signs(painted(blot(1.5), 0.4) * lamp).stray_mm2
        assert dark == pytest.approx(math.pi * 1.5**2, rel=0.08)


def test_of_two_blots_the_larger_counts() -> None:
    two = blot(1.0, -1.5, 0) | blot(1.4, 2.0, 0)
    assert signs(painted(two, 0.0)).stray_mm2 == pytest.approx(math.pi * 1.4**2, rel=0.2)


@pytest.mark.parametrize(("inside_mm", "is_seen"), [(0.85, True), (0.25, False)])
def test_the_shadow_of_the_edge_is_no_blot(inside_mm: float, is_seen: bool) -> None:
    shadow = (EDGE_MM - inside_mm < AWAY) & (Y < 2)
    assert (signs(painted(shadow, 0.1)).stray_mm2 > 0.3) is is_seen


@pytest.mark.parametrize(("down_mm", "is_seen"), [(5.6, True), (7.9, False)])
def test_of_the_stem_only_the_upper_part_is_read(down_mm: float, is_seen: bool) -> None:
    assert (signs(painted(blot(0.8, 0.0, down_mm), 0.0)).stray_mm2 > 0.5) is is_seen


# Ink, and the place where the hole was found.


@pytest.mark.parametrize(("shade", "ink"), [(0.0, 1.0), (0.25, 0.75), (1.2, -0.2), (1.6, -0.3)])
def test_ink_is_what_is_missing_of_the_papers_light(shade: float, ink: float) -> None:
    seen = view(painted(blot(0.9), shade))
    for one in (seen.coarse, seen.close):
        x, y = (round(at) for at in one.centre_px)
        assert one.ink[y, x] == pytest.approx(ink, abs=0.02)


def test_what_glares_has_no_say_in_the_mean_of_the_ink() -> None:
    spot = blot(2.0, 2.0, 0.0)
    seen = view(painted(spot, 2.0), spot)
    for one in (seen.coarse, seen.close):
        # Where a pixel is partly glare the rest of it is paper.
        assert one.ink[one.weight > 0.05] == pytest.approx(0.0, abs=0.02)
        assert one.weight.min() == 0.0


def test_the_ink_lies_about_the_same_centre_at_both_resolutions() -> None:
    seen = view(painted(blot(1.5), 0.0))
    for one in (seen.coarse, seen.close):
        rows, columns = np.indices(one.ink.shape)
        ink = one.ink * (one.weight > 0.5)
        middle = (columns * ink).sum() / ink.sum(), (rows * ink).sum() / ink.sum()
        assert middle == pytest.approx(one.centre_px, abs=0.05)


def test_the_hole_is_judged_where_it_was_found() -> None:
    right_px, down_px = 5.0, -4.0
    ring = np.hypot(X - right_px / 6, Y - down_px / 6) > EDGE_MM - 0.3
    patch = patch_of(painted(ring, 0.1))
    moved = replace(patch, hole_centre_px=(CENTRE[0] + right_px, CENTRE[1] + down_px))
    there = view_hole(moved, KEYHOLE)
    rows, columns = np.nonzero(there.circle)
    assert (columns.mean(), rows.mean()) == pytest.approx(moved.hole_centre_px, abs=0.1)
    assert there.signs.dark_share == pytest.approx(0.0, abs=0.01)
    assert view_hole(patch, KEYHOLE).signs.dark_share > 0.05
