"""The card is cut out where it lies, on any table, or not at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.vision.card_outline import unlikeness
from assistant.vision.geometry import corners_in_picture
from assistant.vision.sighting import Corners, Picture
from calibration.cut import cut_card
from tests.calibration.practice_shots import key_shots

#: A card of 44 x 68 at 5.5 px per mm, seen a little from one side.
CORNERS: Corners = ((420.0, 150.0), (655.0, 170.0), (640.0, 545.0), (385.0, 520.0))

Colour = tuple[int, int, int]


def drawn_card(table: Colour, card: Colour, noise: float = 3.0) -> Picture:
    """A card without print on a table, drawn large and shrunk, with a sensor's noise."""
    big = np.empty((720 * 2, 1280 * 2, 3), np.uint8)
    big[:] = table
    quad = np.rint(np.array(CORNERS) * 2).astype(np.int32)
    cv2.fillConvexPoly(big, quad, card, cv2.LINE_AA)
    picture = cv2.resize(big, (1280, 720), interpolation=cv2.INTER_AREA).astype(np.float32)
    picture += np.random.default_rng(1).normal(0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def worst_corner_px(picture: Picture, corners: Corners) -> float:
    """How far the worst corner found is from the truth, either way up."""
    found = cut_card(picture)
    assert found is not None
    seen, true = np.array(corners_in_picture(found.homography)), np.array(corners)
    return min(
        float(np.linalg.norm(np.roll(seen, turn, axis=0) - true, axis=1).max()) for turn in (0, 2)
    )


@pytest.mark.parametrize(
    ("table", "card"),
    [
        pytest.param((40, 50, 60), (215, 230, 235), id="dark table"),
        pytest.param((235, 240, 240), (200, 215, 222), id="table paler than the card"),
        pytest.param((200, 185, 225), (190, 215, 220), id="pink table as pale as the card"),
        pytest.param((250, 250, 250), (225, 235, 240), id="white table"),
    ],
)
def test_a_card_is_cut_out_to_a_pixel_on_any_plain_table(table: Colour, card: Colour) -> None:
    assert worst_corner_px(drawn_card(table, card), CORNERS) < 1.0


def test_a_table_of_the_cards_own_colour_gives_no_card() -> None:
    assert cut_card(drawn_card((200, 215, 222), (200, 215, 222))) is None


def test_practice_keys_are_cut_out_to_a_millimetre_and_a_half_or_not_at_all() -> None:
    found = 0
    for shot in key_shots(1):
        corners = shot.truth.corners
        assert corners is not None
        if cut_card(shot.picture_bgr) is None:
            continue  # a table of the card's own tone
        found += 1
        px_per_mm = float(np.hypot(*(np.array(corners[3]) - corners[0]))) / 68
        assert worst_corner_px(shot.picture_bgr, corners) / px_per_mm < 1.5, shot.truth
    assert found >= 42


@pytest.mark.parametrize("grain", ["cloth", "planks"])
def test_a_bare_table_gives_no_card(grain: str) -> None:
    lots = np.random.default_rng(4)
    shape = (72, 128, 3) if grain == "cloth" else (1, 128, 3)
    coarse = lots.normal(120, 12, shape).astype(np.float32)
    table = cv2.resize(coarse, (1280, 720), interpolation=cv2.INTER_CUBIC)
    table = table + lots.normal(0, 3, table.shape)
    assert cut_card(np.clip(table, 0, 255).astype(np.uint8)) is None


def test_a_card_half_outside_the_picture_is_not_taken_for_a_whole_one() -> None:
    picture = drawn_card((40, 50, 60), (215, 230, 235))[:, 520:]
    found = cut_card(np.ascontiguousarray(picture))
    assert found is None or found.fit < 0.9


def test_unlikeness_is_low_over_the_table_under_a_slanting_light_and_high_on_the_card() -> None:
    picture = drawn_card((110, 120, 130), (215, 230, 235)).astype(np.float32)
    picture *= np.linspace(0.5, 1.0, 1280)[None, :, None]
    small = cv2.resize(np.clip(picture, 0, 255).astype(np.uint8), (320, 180))
    seen = unlikeness(np.asarray(small, np.uint8))
    assert seen[85, 130] > 120
    assert max(seen[10, 10], seen[10, 310], seen[170, 10], seen[170, 310]) < 60
