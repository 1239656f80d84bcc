"""The ornament is drawn here as a shape of the test's own, so that its place is known exactly."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.vision.ornament import (
    Ornament,
    darker_than_around,
    darker_than_paper,
    find_ornaments,
    learn_ornament,
)

#: A hook with a heavy end, in mm about its box's corner: 15 x 7.5 mm, no symmetry.
HOOK_MM = np.array(
    [[0, 3], [1, 0.5], [4, 0], [6, 2.5], [8.5, 4.5], [15, 3], [14, 5.5], [9, 7.5], [5, 6], [2.5, 3]]
)


def drawn(
    turn_deg: float, px_per_mm: float = 2.2, squeeze: float = 1.0
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Return paper with the hook (360 x 640), and the map (2, 3) from the hook's mm to px."""
    turn = np.radians(turn_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    linear = np.diag([1.0, squeeze]) @ turned * px_per_mm
    place = np.array([330.0, 170.0]) - linear @ HOOK_MM.mean(axis=0)
    affine = np.hstack([linear, place[:, None]])
    fine = np.full((1440, 2560), 210, np.uint8)
    points = (HOOK_MM @ linear.T + place) * 4
    cv2.fillPoly(fine, [np.round(points).astype(np.int32)], 25)
    return np.asarray(cv2.resize(fine, (640, 360), interpolation=cv2.INTER_AREA)), affine


@pytest.fixture(scope="module")
def hook() -> tuple[Ornament, npt.NDArray[np.float64]]:
    """Return the hook as learnt at 4 px per mm, and its centre in its own mm."""
    ink = np.zeros((60, 90), np.uint8)
    cv2.fillPoly(ink, [np.round(HOOK_MM * 4 + 12).astype(np.int32)], 255)
    learnt = learn_ornament((ink / np.float32(255)).astype(np.float32), 4.0)
    assert learnt is not None
    return learnt[0], np.array(learnt[1]) - 3.0


def centre_error_px(
    found: tuple[float, float], affine: npt.NDArray[np.float64], centre: npt.NDArray[np.float64]
) -> float:
    true = affine[:, :2] @ centre + affine[:, 2]
    return float(np.linalg.norm(np.array(found) + 0.5 - true))


@pytest.mark.parametrize("turn_deg", [0, 45, 90, 135, 180, 225, 270, 315, 17, 100, 201, 333])
def test_it_is_found_at_every_turn_with_the_right_turn(
    hook: tuple[Ornament, npt.NDArray[np.float64]], turn_deg: float
) -> None:
    model, centre = hook
    picture, affine = drawn(turn_deg)
    best = find_ornaments(picture, darker_than_around(picture, 41, 12), model)[0]
    assert centre_error_px((best.x_px, best.y_px), affine, centre) < 1.5
    off = np.linalg.inv(affine[:, :2]) @ best.mm_to_px
    assert abs(np.degrees(np.arctan2(off[1, 0], off[0, 0]))) < 12
    assert np.sqrt(np.linalg.det(off)) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("squeeze", [0.7, 0.82])
def test_tilt_does_not_matter(
    hook: tuple[Ornament, npt.NDArray[np.float64]], squeeze: float
) -> None:
    model, centre = hook
    picture, affine = drawn(30, squeeze=squeeze)
    best = find_ornaments(picture, darker_than_around(picture, 41, 12), model)[0]
    assert centre_error_px((best.x_px, best.y_px), affine, centre) < 2.0


def test_what_a_finger_leaves_of_it_tells_where_the_whole_is(
    hook: tuple[Ornament, npt.NDArray[np.float64]],
) -> None:
    model, centre = hook
    picture, affine = drawn(0)
    covered = picture.copy()
    edge = int(affine[0, :2] @ (10.0, 4.0) + affine[0, 2])
    covered[:, edge:] = 140  # a wide finger over the last third
    dark = darker_than_paper(covered, 25, 0.5)
    poses = find_ornaments(covered, dark, model)
    assert any(centre_error_px((p.x_px, p.y_px), affine, centre) < 5.0 for p in poses)


def test_paper_and_noise_hold_none(hook: tuple[Ornament, npt.NDArray[np.float64]]) -> None:
    model, _ = hook
    blank = np.full((360, 640), 200, np.uint8)
    assert find_ornaments(blank, darker_than_around(blank, 25, 12), model) == []


def test_the_work_is_bounded_on_a_picture_full_of_blobs(
    hook: tuple[Ornament, npt.NDArray[np.float64]],
) -> None:
    model, _ = hook
    picture = np.full((720, 1280), 220, np.uint8)
    for row in range(0, 700, 14):
        for column in range(0, 1260, 20):
            picture[row : row + 7, column : column + 13] = 60
    dark = darker_than_around(picture, 25, 12)
    assert cv2.connectedComponents(dark)[0] > 2000
    assert len(find_ornaments(picture, dark, model)) <= 150


def test_an_empty_face_has_no_ornament() -> None:
    assert learn_ornament(np.zeros((272, 176), np.float32), 4.0) is None


def test_a_speck_is_learnt_without_its_parts_or_not_at_all() -> None:
    for side in range(1, 9):
        ink = np.zeros((272, 176), np.float32)
        ink[100 : 100 + side, 60 : 60 + side] = 1.0
        learnt = learn_ornament(ink, 4.0)
        assert learnt is None or np.isfinite(learnt[0].patches).all()
