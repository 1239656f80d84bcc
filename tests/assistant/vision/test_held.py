"""Keys held by a finger on their ornament, on a table of their own tone: found by their words."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Location
from assistant.practice.truth import Shot
from assistant.vision.geometry import (
    CARD_CORNERS_MM,
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    card_to_picture,
    project,
    rectify,
)
from assistant.vision.held import LEAST_POINTS, MOST_TIPS, HeldFinder, _laid, fingertips
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture
from tests.assistant.vision.practice_profile import easy_stacks, practice_profile

PAPER, SKIN, DARK_SKIN = (215, 226, 232), (120, 150, 205), (40, 60, 98)
PX_PER_MM = 4.0
SIZE = (720, 1280, 3)

Points = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(practice_profile())


@pytest.fixture(scope="module")
def held(reader: Reader) -> HeldFinder:
    return HeldFinder(reader._finder._identifier.templates)


def clear_stack(location: Location) -> Shot:
    """Return an easy still of a stack of a key."""
    return next(shot for shot in easy_stacks() if shot.truth.location is location)


def pose(
    turn_deg: float, px_per_mm: float = PX_PER_MM, at: tuple[float, float] = (640, 360)
) -> Homography:
    """Return the pose of a card whose middle lies at a place of the picture: mm to px."""
    turn = np.deg2rad(turn_deg)
    c, s = px_per_mm * np.cos(turn), px_per_mm * np.sin(turn)
    middle = np.array([[c, -s], [s, c]]) @ (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
    return np.array([[c, -s, at[0] - middle[0]], [s, c, at[1] - middle[1]], [0, 0, 1]])


def on_its_own_tone(shot: Shot, card: Homography) -> Picture:
    """Return a picture in which nothing but its print tells the card from the table."""
    assert shot.truth.corners is not None
    true = card_to_picture(shot.truth.corners)
    size_mm = (CARD_WIDTH_MM, CARD_HEIGHT_MM)
    straight = rectify(shot.picture_bgr, true, (0.0, 0.0), size_mm, 8.0).astype(np.float32)
    # As bright as the table all over: its light goes, its print stays.
    light = cv2.GaussianBlur(cv2.dilate(straight, np.ones((41, 41))), (0, 0), 25)
    straight = np.minimum(straight / light, 1.0) * np.array(PAPER, np.float32)
    straight[:12], straight[-12:], straight[:, :12], straight[:, -12:] = (PAPER,) * 4
    to_picture = card @ np.diag([1 / 8, 1 / 8, 1.0])
    seen = np.full(SIZE, PAPER, np.float32)
    cv2.warpPerspective(straight, to_picture, (SIZE[1], SIZE[0]), seen, cv2.INTER_AREA,
                        cv2.BORDER_TRANSPARENT)  # fmt: skip
    seen += np.random.default_rng(3).normal(0, 2.0, SIZE).astype(np.float32)
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.6), 0, 255).astype(np.uint8)


def with_finger(
    picture: Picture, at: Points, comes_from: tuple[int, int], colour: tuple[int, int, int] = SKIN
) -> Picture:
    """Return the picture with a finger laid on a point."""
    covered = picture.copy()
    tip = round(float(at[0])), round(float(at[1]))
    cv2.line(covered, comes_from, tip, colour, 64, cv2.LINE_AA)
    return covered


def off_mm(outline: Points, card: Homography, px_per_mm: float = PX_PER_MM) -> float:
    """Return how far an outline's corners lie from a card's, at most."""
    off_px = np.linalg.norm(outline - project(card, CARD_CORNERS_MM), axis=1)
    return float(off_px.max() / px_per_mm)


def ornament_px(reader: Reader, location: Location, card: Homography) -> Points:
    """Return where a key's ornament lies in the picture."""
    centres = {t.face.location: at for t, at in reader._finder._identifier._kept}
    return np.asarray(project(card, np.array([centres[location]]))[0])


KEYS = [Location.CORNHILL, Location.SOUTHWARK, Location.SHOREDITCH]


@pytest.mark.parametrize("colour", [SKIN, DARK_SKIN])
@pytest.mark.parametrize("location", KEYS)
def test_a_key_whose_ornament_a_finger_hides_is_found_by_its_words(
    reader: Reader,
    location: Location,
    colour: tuple[int, int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shot, card = clear_stack(location), pose(200.0)
    at = ornament_px(reader, location, card)
    away = at - project(card, np.array([[CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2]]))[0]
    start = at + away / np.linalg.norm(away) * 900
    picture = with_finger(on_its_own_tone(shot, card), at, tuple(map(round, start)), colour)
    sighting = reader.read_still(picture)
    assert sighting.location is location
    assert sighting.corners is not None
    hole = reader.profile.keyholes[location]
    middle = np.array([[hole.centre_x_mm, hole.centre_y_mm]])
    seen_at = project(card_to_picture(sighting.corners), middle)
    assert np.linalg.norm(seen_at - project(card, middle)) < 1.5 * PX_PER_MM
    if sighting.content is not None:
        assert sighting.content == shot.truth.content
    # Nothing else finds it.
    monkeypatch.setattr(HeldFinder, "outlines", lambda *_: [])
    assert reader.read_still(picture).location is None


@pytest.mark.parametrize("px_per_mm", [2.8, 4.0, 5.5])
@pytest.mark.parametrize("turn_deg", [0.0, 45.0, 135.0, 290.0])
def test_the_outline_is_told_to_a_few_mm_however_the_key_lies(
    reader: Reader, held: HeldFinder, turn_deg: float, px_per_mm: float
) -> None:
    location, card = Location.EASTCHEAP, pose(turn_deg, px_per_mm)
    picture = on_its_own_tone(clear_stack(location), card)
    at = ornament_px(reader, location, card)
    picture = with_finger(picture, at, (-40, 360) if at[0] < 640 else (1320, 360))
    (outline, *_) = held.outlines(picture)
    assert off_mm(outline, card, px_per_mm) < 4.0


def test_a_picture_that_stands_upright_is_looked_at_as_finely(
    reader: Reader, held: HeldFinder
) -> None:
    location, card = Location.EASTCHEAP, pose(90.0, 5.5)
    picture = on_its_own_tone(clear_stack(location), card)
    at = ornament_px(reader, location, card)
    upright = np.ascontiguousarray(np.rot90(with_finger(picture, at, (-40, 360))))
    (outline, *_) = held.outlines(upright)
    turned = np.stack([1280 - 1 - outline[:, 1], outline[:, 0]], axis=1)
    assert off_mm(turned, card, 5.5) < 4.0


@pytest.mark.parametrize("at", [(110, 150), (1170, 150), (110, 570), (1170, 570)])
def test_a_key_in_a_corner_of_the_picture_is_found(
    reader: Reader, held: HeldFinder, at: tuple[float, float]
) -> None:
    location, card = Location.EASTCHEAP, pose(0.0, at=at)
    tip = ornament_px(reader, location, card)
    picture = on_its_own_tone(clear_stack(location), card)
    picture = with_finger(picture, tip, (-40 if at[0] < 640 else 1320, round(tip[1])))
    (outline, *_) = held.outlines(picture)
    assert off_mm(outline, card) < 4.0


def test_two_keys_that_two_hands_hold_are_proposed_both(reader: Reader, held: HeldFinder) -> None:
    left, right = pose(10.0, at=(350, 360)), pose(170.0, at=(930, 360))
    picture = on_its_own_tone(clear_stack(Location.EASTCHEAP), left)
    other = on_its_own_tone(clear_stack(Location.CORNHILL), right)
    picture[:, 640:] = other[:, 640:]
    picture = with_finger(picture, ornament_px(reader, Location.EASTCHEAP, left), (-40, 200))
    picture = with_finger(picture, ornament_px(reader, Location.CORNHILL, right), (1320, 500))
    outlines = sorted(held.outlines(picture), key=lambda outline: float(outline[0, 0]))
    assert len(outlines) == 2
    assert off_mm(outlines[0], left) < 4.0
    assert off_mm(outlines[1], right) < 4.0


def test_an_empty_hand_does_not_hide_the_key_that_another_holds(
    reader: Reader, held: HeldFinder
) -> None:
    location, card = Location.EASTCHEAP, pose(0.0)
    at = ornament_px(reader, location, card)
    picture = with_finger(on_its_own_tone(clear_stack(location), card), at, (-40, 360))
    # The larger hand, so the one that is looked at first.
    cv2.rectangle(picture, (1000, 0), (1280, 300), SKIN, -1)
    (outline, *_) = held.outlines(picture)
    assert off_mm(outline, card) < 4.0


def test_a_small_picture_is_looked_at_as_it_is(reader: Reader, held: HeldFinder) -> None:
    location, card = Location.EASTCHEAP, pose(0.0, 5.5)
    at = ornament_px(reader, location, card)
    picture = with_finger(on_its_own_tone(clear_stack(location), card), at, (-40, 360))
    small = cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA)
    (outline, *_) = held.outlines(np.asarray(small, np.uint8))
    assert off_mm(outline * 2, card, 5.5) < 4.0


def test_a_grey_picture_shows_no_hand(held: HeldFinder) -> None:
    assert held.outlines(np.full((720, 1280), 200, np.uint8)) == []


def test_without_a_hand_nothing_is_looked_at(held: HeldFinder) -> None:
    picture = on_its_own_tone(clear_stack(Location.CORNHILL), pose(30.0))
    assert fingertips(picture) == []
    assert held.outlines(picture) == []


def test_a_hand_that_holds_nothing_proposes_nothing(held: HeldFinder) -> None:
    empty = np.full(SIZE, PAPER, np.uint8)
    picture = with_finger(empty, np.array([500.0, 300.0]), (-50, 340))
    assert len(fingertips(picture)) == 1
    assert held.outlines(picture) == []


def test_without_backs_nothing_is_proposed() -> None:
    picture = with_finger(np.full(SIZE, PAPER, np.uint8), np.array([500.0, 300.0]), (-50, 340))
    assert HeldFinder([]).outlines(picture) == []


@pytest.mark.parametrize("colour", [SKIN, DARK_SKIN, (150, 185, 235)])
@pytest.mark.parametrize(
    ("comes_from", "tip"),
    [((-50, 300), (420, 380)), ((1330, 100), (700, 200)), ((640, 760), (600, 300)),
     ((200, -60), (300, 400))],
)  # fmt: skip
def test_a_finger_s_tip_is_its_end_inside_the_picture(
    comes_from: tuple[int, int], tip: tuple[int, int], colour: tuple[int, int, int]
) -> None:
    picture = with_finger(np.full(SIZE, PAPER, np.uint8), np.array(tip), comes_from, colour)
    (seen,) = fingertips(picture)
    assert np.linalg.norm(np.array(seen) - tip) < 50


def test_a_finger_that_comes_from_nowhere_has_two_ends_and_no_more_than_two_are_looked_at() -> None:
    empty = np.full(SIZE, PAPER, np.uint8)
    floating = with_finger(empty, np.array([500.0, 300.0]), (300, 320))
    left, right = sorted(fingertips(floating))
    assert np.linalg.norm(np.array(left) - (300, 320)) < 50
    assert np.linalg.norm(np.array(right) - (500, 300)) < 50
    more = with_finger(floating, np.array([900.0, 600.0]), (1100, 500))
    assert len(fingertips(more)) == MOST_TIPS


def test_wood_is_no_hand() -> None:
    wood = np.full(SIZE, (70, 110, 165), np.uint8)
    wood[::7] = (60, 95, 150)
    assert fingertips(wood) == []


def test_a_speck_of_the_colour_of_skin_is_no_hand() -> None:
    picture = np.full(SIZE, PAPER, np.uint8)
    cv2.circle(picture, (300, 300), 20, SKIN, -1)
    assert fingertips(picture) == []


@pytest.mark.parametrize("colour", [(180, 130, 200), (120, 190, 180), (230, 180, 150)])
def test_what_is_only_redder_or_only_less_blue_is_no_hand(colour: tuple[int, int, int]) -> None:
    picture = np.full(SIZE, PAPER, np.uint8)
    cv2.rectangle(picture, (-10, 200), (400, 400), colour, -1)
    assert fingertips(picture) == []


def test_a_line_of_the_colour_of_skin_is_no_hand() -> None:
    picture = np.full(SIZE, PAPER, np.uint8)
    cv2.line(picture, (-10, 100), (1290, 100), SKIN, 12)
    cv2.line(picture, (300, -10), (300, 730), SKIN, 12)
    assert fingertips(picture) == []


@pytest.mark.parametrize(
    ("lie_right", "lie_anywhere", "count"),
    [(12, 0, 12), (12, 12, 12), (LEAST_POINTS, 0, LEAST_POINTS), (LEAST_POINTS - 1, 0, 0),
     (LEAST_POINTS - 1, 3, 0), (0, 12, 0)],
)  # fmt: skip
def test_so_many_points_must_lie_as_on_one_card(
    lie_right: int, lie_anywhere: int, count: int
) -> None:
    lots = np.random.default_rng(2)
    many = lie_right + lie_anywhere
    at_mm = lots.uniform((0, 0), (CARD_WIDTH_MM, CARD_HEIGHT_MM), (many, 2)).astype(np.float32)
    points = at_mm * np.float32(3) + np.array((50, 20), np.float32)
    points[lie_right:] = lots.uniform(0, 210, (lie_anywhere, 2))
    each_its_own = np.eye(many, 128, dtype=np.float32)
    seen, laid = _laid(at_mm, each_its_own, points, each_its_own)
    assert seen == count
    if count:
        assert laid is not None
        assert np.allclose(laid, [[3, 0, 50], [0, 3, 20]], atol=0.1)
    else:
        assert laid is None
