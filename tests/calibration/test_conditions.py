"""What is told about light, sharpness and distance, on cards drawn to be just good or bad."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.vision.geometry import card_to_picture
from assistant.vision.sighting import Corners, Picture
from calibration.conditions import HINDERING, Condition, conditions_of, step_width_mm


def card(px_per_mm: float = 6.0, paper: int = 210, left: float = 400.0) -> tuple[Picture, Corners]:
    """A card with lines of print on a dark table, drawn large and shrunk."""
    grown = 4
    big = np.full((720 * grown, 1280 * grown, 3), 50, np.uint8)
    x, y = left, 120.0
    w, h = 44 * px_per_mm, 68 * px_per_mm
    corners: Corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))

    def at(mm_x: float, mm_y: float) -> tuple[int, int]:
        return round((x + mm_x * px_per_mm) * grown), round((y + mm_y * px_per_mm) * grown)

    cv2.rectangle(big, at(0, 0), at(44, 68), (paper,) * 3, -1)
    for row in range(10, 60, 6):
        for column in range(6, 38, 3):
            cv2.rectangle(
                big, at(column, row), at(column + 0.7, row + 3), (round(paper * 0.15),) * 3, -1
            )
    picture = np.asarray(cv2.resize(big, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.6), np.uint8), corners


def told(picture: Picture, corners: Corners) -> frozenset[Condition]:
    return conditions_of(picture, card_to_picture(corners))


def test_a_card_seen_well_has_nothing_wrong() -> None:
    assert told(*card()) == frozenset()


@pytest.mark.parametrize(("blur_mm", "is_blurred"), [(0.1, False), (0.4, True), (0.8, True)])
def test_blur_is_told_by_how_wide_the_steps_of_print_are(blur_mm: float, is_blurred: bool) -> None:
    picture, corners = card()
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur_mm * 6.0), np.uint8)
    assert (Condition.BLURRED in told(soft, corners)) == is_blurred


@pytest.mark.parametrize(("paper", "is_dark"), [(85, False), (60, True)])
def test_darkness_is_told_by_the_paper(paper: int, is_dark: bool) -> None:
    assert (Condition.DARK in told(*card(paper=paper))) == is_dark


@pytest.mark.parametrize(("px_per_mm", "is_far"), [(4.0, False), (3.0, True)])
def test_distance_is_told_by_the_cards_size(px_per_mm: float, is_far: bool) -> None:
    assert (Condition.FAR in told(*card(px_per_mm))) == is_far


def test_a_lamp_that_blows_out_a_part_of_the_card_is_glare_and_does_not_hinder() -> None:
    picture, corners = card()
    cv2.circle(picture, (500, 300), 75, (255, 255, 255), -1)
    assert told(picture, corners) == {Condition.GLARE}
    assert Condition.GLARE not in HINDERING


def test_a_corner_beyond_the_pictures_rim_is_told() -> None:
    picture, corners = card(left=-20.0)
    assert Condition.OUTSIDE in told(picture, corners)


def test_a_card_that_is_blown_out_all_over_hinders_and_stops_nothing() -> None:
    picture, corners = card()
    cv2.rectangle(picture, (395, 115), (670, 535), (255, 255, 255), -1)
    found = told(picture, corners)
    assert {Condition.GLARE, Condition.BLURRED} <= found
    assert found & HINDERING


def test_on_blank_paper_no_step_of_print_is_narrow() -> None:
    assert step_width_mm(np.full((272, 176), 255, np.uint8), 4.0) == float("inf")


def test_without_a_card_only_a_dark_picture_is_told() -> None:
    assert conditions_of(np.full((720, 1280, 3), 20, np.uint8), None) == {Condition.DARK}
    assert conditions_of(np.full((720, 1280, 3), 90, np.uint8), None) == frozenset()


def test_the_width_of_a_blurred_step_grows_as_the_blur_does() -> None:
    edge = np.full((272, 176), 220, np.uint8)
    edge[100:140, 40:136] = 30
    widths = [
        step_width_mm(np.asarray(cv2.GaussianBlur(edge, (0, 0), mm * 4), np.uint8), 4.0)
        for mm in (0.4, 0.8)
    ]
    # A Gaussian's steepest slope: the step over sigma times the root of 2 pi.
    assert widths == pytest.approx([0.4 * np.sqrt(2 * np.pi), 0.8 * np.sqrt(2 * np.pi)], rel=0.2)


def test_every_condition_has_words_that_say_what_to_do() -> None:
    for condition in Condition:
        assert condition.words.endswith(".")
        assert ":" in condition.words
