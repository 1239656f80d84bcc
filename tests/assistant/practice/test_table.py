"""Stills of the virtual table: the truth they carry is what they show."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.terms import LADY, Content, ContentKind, Location
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.faces import key_back, key_front, keyholes
from assistant.practice.ink import inked
from assistant.practice.stack import Laid, card_seen
from assistant.practice.stage import LEVELS, Hardness, draw_view, view_of
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Negative, Shot, Showing
from assistant.vision.geometry import card_to_picture, corners_in_picture, project, rectify
from assistant.vision.sighting import Side

TABLE = VirtualTable(PracticeDeck(load_board(), 1), 1)
PX_PER_MM = 6.0
SMALL = (640, 360)


def straight(shot: Shot) -> npt.NDArray[np.float32]:
    assert shot.truth.corners is not None
    card = rectify(
        shot.picture_bgr, card_to_picture(shot.truth.corners), (0, 0), (44, 68), PX_PER_MM
    )
    return np.asarray(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), np.float32)


@cache
def drawn(location: Location, side: Side) -> npt.NDArray[np.float32]:
    face = key_back(location) if side is Side.BACK else key_front(location)
    picture = inked(face, (44, 68), PX_PER_MM, (229, 216, 196))
    return smoothed(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32))


def smoothed(grey: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    soft = cv2.GaussianBlur(grey, (0, 0), 2)[20:-20, 20:-20]
    return np.asarray((soft - soft.mean()) / soft.std(), np.float32)


def best_fit(shot: Shot) -> tuple[Location, Side]:
    """Return the key's side that the picture, straightened by the truth's corners, is most like."""
    seen = smoothed(straight(shot))
    faces = [(place, side) for place in Location for side in Side]
    return max(faces, key=lambda face: float((seen * drawn(*face)).mean()))


def ink_in_hole(shot: Shot) -> float:
    """Return the share of the keyhole's circle that is much darker than its lightest part."""
    assert shot.truth.location is not None
    hole = keyholes()[shot.truth.location]
    card = straight(shot)
    rows, columns = np.mgrid[0 : card.shape[0], 0 : card.shape[1]] / PX_PER_MM
    inside = card[np.hypot(columns - hole.centre_x_mm, rows - hole.centre_y_mm) < 3.9]
    paper = np.percentile(inside, 95)
    return float((inside < 0.62 * paper).mean())


def test_a_still_is_the_same_each_time_and_another_number_is_another() -> None:
    first, again = TABLE.still(3, Hardness.HARD), TABLE.still(3, Hardness.HARD)
    assert np.array_equal(first.picture_bgr, again.picture_bgr)
    assert first.truth == again.truth
    other = TABLE.still(4, Hardness.HARD)
    assert not np.array_equal(first.picture_bgr, other.picture_bgr)
    elsewhere = VirtualTable(TABLE.deck, 2).still(3, Hardness.HARD)
    assert not np.array_equal(first.picture_bgr, elsewhere.picture_bgr)


@pytest.mark.parametrize("number", range(12))
def test_corners_lead_to_the_key_that_the_truth_names(number: int) -> None:
    shot = TABLE.still(number, Hardness.EASY, showing=Showing.ICON)
    assert best_fit(shot) == (shot.truth.location, Side.BACK)


@pytest.mark.parametrize("hardness", [Hardness.EASY, Hardness.NORMAL])
@pytest.mark.parametrize("showing", [Showing.ICON, Showing.NUMBER, Showing.LADY, Showing.BLANK])
def test_hole_shows_ink_unless_the_truth_says_blank(showing: Showing, hardness: Hardness) -> None:
    for number in range(6):
        shot = TABLE.still(number, hardness, showing=showing)
        content = shot.truth.content
        assert content is not None
        assert content.kind is ContentKind(showing.value)
        ink = ink_in_hole(shot)
        assert ink < 0.01 if showing is Showing.BLANK else ink > 0.08, (number, ink)


@pytest.mark.parametrize("negative", Negative)
def test_negatives_carry_no_content_and_name_what_they_are(negative: Negative) -> None:
    shot = TABLE.still(7, Hardness.NORMAL, negative=negative)
    truth = shot.truth
    assert truth.showing is Showing.NEGATIVE
    assert truth.negative is negative
    assert truth.content is None
    with_key = {
        Negative.KEY_ALONE: Side.BACK,
        Negative.HOLE_COVERED: Side.BACK,
        Negative.OUT_OF_LINE: Side.BACK,
        Negative.KEY_FRONT: Side.FRONT,
    }
    assert truth.side is with_key.get(negative)
    assert (truth.location is None) is (negative not in with_key)
    assert (truth.corners is None) is (negative in (Negative.TABLE, Negative.HAND))


def test_table_shows_through_the_hole_of_a_key_alone() -> None:
    def difference(shot: Shot) -> float:
        """Return how much the hole's lightest part differs in light from the paper round it."""
        assert shot.truth.location is not None
        hole = keyholes()[shot.truth.location]
        card = straight(shot)
        rows, columns = np.mgrid[0 : card.shape[0], 0 : card.shape[1]] / PX_PER_MM
        away = np.hypot(columns - hole.centre_x_mm, rows - hole.centre_y_mm)
        paper = np.percentile(card[(away > 5.3) & (away < 6.3)], 80)
        return abs(float(np.percentile(card[away < 4], 90) / paper) - 1)

    alone = [TABLE.still(k, Hardness.EASY, negative=Negative.KEY_ALONE) for k in range(10)]
    blank = [TABLE.still(k, Hardness.EASY, showing=Showing.BLANK) for k in range(10)]
    # Pale tables are as light as paper; most are darker, cloth and wood by far.
    assert np.median([difference(shot) for shot in alone]) > 0.12
    assert max(difference(shot) for shot in alone) > 0.5
    assert max(difference(shot) for shot in blank) < 0.15


def test_asking_for_a_negative_with_content_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot show"):
        TABLE.still(0, showing=Showing.ICON, negative=Negative.FOG)


@pytest.mark.parametrize("size", [SMALL, (1920, 1080)])
def test_other_sizes_show_the_same_scene_larger_or_smaller(size: tuple[int, int]) -> None:
    shot = TABLE.still(2, Hardness.EASY, size, showing=Showing.ICON)
    assert shot.picture_bgr.shape == (size[1], size[0], 3)
    assert shot.picture_bgr.dtype == np.uint8
    usual = TABLE.still(2, Hardness.EASY, showing=Showing.ICON)
    grown = np.array(shot.truth.corners) / size[0]
    assert grown == pytest.approx(np.array(usual.truth.corners) / 1280, abs=0.003)


@pytest.mark.parametrize("hardness", Hardness)
def test_scale_of_a_card_is_that_of_its_hardness(hardness: Hardness) -> None:
    low, high = LEVELS[hardness].px_per_mm
    for number in range(10):
        corners = TABLE.still(number, hardness, showing=Showing.NUMBER).truth.corners
        area_px = cv2.contourArea(np.array(corners, np.float32))
        # A leaning camera sees a card shorter by up to the cosine of its lean.
        assert 0.78 * low < np.sqrt(area_px / (44 * 68)) < 1.08 * high


@given(
    st.floats(2.6, 7.0),
    st.floats(0, 35),
    st.floats(0, 360),
    st.tuples(st.floats(200, 1080), st.floats(150, 570)),
    st.floats(0, 360),
)
def test_no_view_mirrors_a_card(
    px_per_mm: float, tilt: float, towards: float, at: tuple[float, float], turn: float
) -> None:
    view = view_of((1280, 720), px_per_mm, tilt, towards, at)
    corners = np.array(corners_in_picture(view.card(0, 0, turn)), np.float32)
    assert cv2.contourArea(corners, oriented=True) > 0
    assert view.px_at(0, 0) == pytest.approx(at, abs=1e-6)
    assert view.table_at(*at) == pytest.approx((0, 0), abs=1e-6)


def test_view_from_straight_above_keeps_the_scale() -> None:
    view = view_of((1280, 720), 5.0, 0, 0, (640, 360))
    corners = np.array(corners_in_picture(view.card(0, 0, 0)))
    assert np.ptp(corners, axis=0) == pytest.approx([220, 340])
    assert corners[0] == pytest.approx([530, 190])


def test_calibration_shows_every_key_from_both_sides_and_alone() -> None:
    shots = TABLE.calibration_shots(seed=1, count=22)
    seen = {(shot.truth.location, shot.truth.side) for shot in shots}
    assert seen == {(place, side) for place in Location for side in Side}
    for shot in shots:
        assert best_fit(shot) == (shot.truth.location, shot.truth.side)
        assert shot.truth.content is None


@pytest.mark.parametrize("hardness", Hardness)
def test_no_card_is_seen_flatter_than_a_leaning_camera_shows_it(hardness: Hardness) -> None:
    most = np.radians(LEVELS[hardness].tilt_deg[1] + 4)
    for seed in range(150):
        lots = np.random.default_rng(seed)
        view = draw_view(LEVELS[hardness], (1280, 720), seed * 2.4, lots)
        card = view.card(0, 0, seed * 2.4)
        steps = np.array([(22.0, 34.0), (22.1, 34.0), (22.0, 34.1)])
        here, right, down = project(card, steps)
        narrow, wide = sorted(np.linalg.svd(np.array([right - here, down - here]))[1])
        assert narrow / wide > 0.98 * np.cos(most)


def test_stacks_to_learn_from_show_each_digit_and_the_lady_at_three_keys() -> None:
    shots = TABLE.stack_shots(seed=1)
    at: dict[Content, set[Location]] = {}
    for shot in shots:
        assert shot.truth.content is not None
        assert shot.truth.location is not None
        at.setdefault(shot.truth.content, set()).add(shot.truth.location)
    digits = [Content.digit(number) for number in (1, 2, 3)]
    assert {content: len(places) for content, places in at.items()} == dict.fromkeys(
        [*digits, LADY], 3
    )
    # What the truth says is printed there: the Lady is far more ink than a digit.
    ink = {shot.truth.content: ink_in_hole(shot) for shot in shots}
    assert ink[LADY] > 1.3 * max(ink[digit] for digit in digits)


@pytest.mark.parametrize("right_mm", [1.0, 5.0, 9.0])
def test_a_card_out_of_line_is_seen_as_far_as_it_sticks_out(right_mm: float) -> None:
    view = view_of(SMALL, 4.0, 0.0, 0.0, (320.0, 180.0))
    laid = Laid(0.0, 0.0, 0.0, lower_mm=(right_mm, 0.0))
    key = (Location.CORNHILL, Side.BACK)
    sprite = card_seen(view, laid, key_back(Location.CORNHILL), key, key_front(Location.CORNHILL))
    assert sprite is not None
    across = np.flatnonzero((sprite.cover > sprite.cover.max() / 2).any(axis=0))
    assert np.ptp(across) + 1 == pytest.approx((44 + right_mm) * 4.0, abs=2)
