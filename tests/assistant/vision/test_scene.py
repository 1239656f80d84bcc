from __future__ import annotations

import numpy as np
import pytest

from assistant.vision.geometry import card_to_picture
from assistant.vision.scene import Scene, scale_of


def test_the_pyramid_halves_also_odd_sizes() -> None:
    scene = Scene(np.zeros((101, 203, 3), np.uint8))
    assert [scene.grey(n).shape for n in range(3)] == [(101, 203), (50, 101), (25, 50)]


def test_a_tiny_picture_never_shrinks_to_nothing() -> None:
    assert Scene(np.zeros((1, 1, 3), np.uint8)).grey(3).shape == (1, 1)


def test_straightening_finds_the_card_where_it_lies_at_every_scale() -> None:
    picture = np.full((720, 1280, 3), 90, np.uint8)
    picture[100 : 100 + 680, 300 : 300 + 440] = 200
    picture[100 + 300 : 100 + 400, 300 + 200 : 300 + 260] = 20  # 20..26 mm across, 30..40 down
    pose = card_to_picture(((300, 100), (740, 100), (740, 780), (300, 780)))
    for px_per_mm in (1.0, 2.0, 5.0):
        seen = Scene(picture).straightened(pose, px_per_mm)
        assert seen.shape == (round(68 * px_per_mm), round(44 * px_per_mm))
        dark = np.argwhere(seen < 60)
        centre = (dark.mean(axis=0) + 0.5) / px_per_mm
        assert centre == pytest.approx([35.0, 23.0], abs=0.3)


def test_in_red_brown_skin_is_paler_than_ink_however_dark_it_is_in_grey() -> None:
    picture = np.full((40, 80, 3), (150, 175, 190), np.uint8)  # paper
    picture[:, 20:40] = (26, 42, 86)  # a dark finger
    picture[:, 60:80] = (30, 32, 34)  # ink
    scene = Scene(picture)
    for halvings in (0, 1):
        paper, skin, ink = (int(scene.red(halvings)[5, x >> halvings]) for x in (10, 30, 70))
        assert (paper, skin, ink) == (190, 86, 34)
    assert Scene(scene.grey(0)).red(1).shape == (20, 40)


@pytest.mark.parametrize("corner", [(640, 250), (3, 5), (900, 380), (-120, -60)])
def test_around_a_card_it_is_straightened_as_in_the_whole_picture(corner: tuple[int, int]) -> None:
    picture = np.random.default_rng(3).integers(0, 256, (720, 1280, 3), np.uint8)
    x, y = corner
    pose = card_to_picture(((x, y), (x + 190, y + 31), (x + 160, y + 310), (x - 30, y + 280)))
    whole, part = Scene(picture), Scene(picture, [pose])
    for px_per_mm in (1.0, 2.0, 4.0):
        # The smallest level ends where the part does; a pixel's difference at its rim is no matter.
        seen, all_seen = (s.straightened(pose, px_per_mm).astype(int) for s in (part, whole))
        assert np.abs(seen - all_seen).max() <= 1
    assert part.grey(0).size < 0.35 * whole.grey(0).size


def test_around_a_card_outside_the_picture_nothing_breaks() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    away = card_to_picture(((5000, 5000), (5100, 5000), (5100, 5150), (5000, 5150)))
    assert Scene(picture, [away]).straightened(away, 2.0).shape == (136, 88)


def test_scale_is_px_per_mm_where_it_is_asked() -> None:
    straight = card_to_picture(((0, 0), (44 * 3, 0), (44 * 3, 68 * 3), (0, 68 * 3)))
    assert scale_of(straight) == pytest.approx(3.0, rel=1e-4)
    # Tilted away: the far end is smaller than the near one.
    tilted = card_to_picture(((30, 0), (114, 0), (140, 200), (0, 200)))
    assert scale_of(tilted, (22.0, 5.0)) < 2.6 < scale_of(tilted, (22.0, 63.0))
