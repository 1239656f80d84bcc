from __future__ import annotations

import math

import numpy as np
import pytest

from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.vision.geometry import (
    CARD_CORNERS_MM,
    Keyhole,
    card_to_picture,
    corners_in_picture,
    keyholes_from_facts,
    project,
    rectify,
)

CORNERS = ((100.0, 50.0), (320.0, 70.0), (300.0, 410.0), (80.0, 380.0))


def test_corners_go_to_px_and_come_back() -> None:
    pose = card_to_picture(CORNERS)
    assert np.allclose(project(pose, CARD_CORNERS_MM), CORNERS, atol=1e-3)
    assert np.allclose(corners_in_picture(pose), CORNERS, atol=1e-3)


def test_a_straight_card_maps_by_its_scale() -> None:
    pose = card_to_picture(((10, 20), (10 + 44 * 5, 20), (10 + 44 * 5, 20 + 68 * 5), (10, 360)))
    assert np.allclose(project(pose, np.array([[7.0, 3.0]])), [[45.0, 35.0]], atol=1e-3)


def test_a_piece_of_the_card_is_cut_out_where_it_lies() -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    # A white square from 10 to 20 mm across and 30 to 40 mm down, on a card at 5 px per mm.
    picture[20 + 150 : 20 + 200, 10 + 50 : 10 + 100] = 255
    pose = card_to_picture(((10, 20), (230, 20), (230, 360), (10, 360)))
    piece = rectify(picture, pose, (10.0, 30.0), (10.0, 10.0), 4.0)
    assert piece.shape == (40, 40, 3)
    assert piece[1:-1, 1:-1].min() > 250
    assert rectify(picture, pose, (21.0, 30.0), (10.0, 10.0), 4.0).max() == 0


def test_a_keyhole_is_a_circle_on_a_widening_stem() -> None:
    hole = Keyhole(10.0, 10.0, 4.5, 19.4, 2.6, 3.8)
    mask = hole.mask(0.0, 0.0, (300, 200), 10.0)
    circle = math.pi * 4.5**2
    # Below the circle the stem runs on to 19.4 mm, some 2.6 to 3.8 mm wide.
    stem = (19.4 - 14.5) * (3.2 + 3.8) / 2
    assert mask.sum() / 255 / 100 == pytest.approx(circle + stem, rel=0.03)
    assert mask[100, 100] == 255
    assert mask[190, 100] == 255
    assert mask[190, 60] == 0


def test_the_eleven_holes_lie_in_rows_of_four_three_and_four() -> None:
    holes = keyholes_from_facts(load_keys())
    assert set(holes) == set(Location)
    rows = sorted(round(hole.centre_y_mm / 13) for hole in holes.values())
    assert rows == [2] * 4 + [3] * 3 + [4] * 4
    assert all(5.7 < hole.centre_x_mm < 38.3 for hole in holes.values())
