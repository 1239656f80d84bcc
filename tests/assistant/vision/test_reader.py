"""The reader on the practice table, whose pictures come with their truth."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Location
from assistant.practice.stage import Hardness
from assistant.practice.truth import Negative, Showing
from assistant.vision.geometry import card_to_picture
from assistant.vision.profile import CardProfile
from assistant.vision.reader import Reader
from assistant.vision.register import Template
from assistant.vision.scene import Scene, scale_of
from assistant.vision.sighting import Picture, Reason, Side
from assistant.vision.told import SURE_READS
from tests.assistant.vision.practice_profile import practice_profile, practice_table


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(practice_profile())


def turned(picture: Picture, degrees: float) -> Picture:
    """Return a picture turned about its middle, on a canvas that keeps all of it."""
    height, width = picture.shape[:2]
    side = int(np.hypot(width, height)) + 2
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    turn[:, 2] += (side - width) / 2, (side - height) / 2
    seen = cv2.warpAffine(picture, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def readable(location: Location | None = None) -> int:
    """Return the number of an easy still with an icon, of a key if one is named."""
    for number in range(400):
        truth = practice_table().still(number, Hardness.EASY, showing=Showing.ICON).truth
        if location in (None, truth.location):
            return number
    raise AssertionError(location)


def test_easy_stills_are_read_right_and_none_wrong(reader: Reader) -> None:
    right = 0
    for number in range(16):
        shot = practice_table().still(number, Hardness.EASY, showing=Showing.ICON)
        sighting = reader.read_still(shot.picture_bgr)
        if sighting.content is not None:
            assert sighting.content == shot.truth.content, number
            assert sighting.location == shot.truth.location, number
            right += 1
    assert right >= 14


def test_corners_are_those_of_the_key(reader: Reader) -> None:
    for number in range(8):
        shot = practice_table().still(number, Hardness.EASY, showing=Showing.NUMBER)
        sighting = reader.read_still(shot.picture_bgr)
        assert sighting.location is shot.truth.location, number
        assert shot.truth.corners is not None
        assert sighting.corners is not None
        px_per_mm = scale_of(card_to_picture(shot.truth.corners))
        off_px = np.linalg.norm(np.subtract(sighting.corners, shot.truth.corners), axis=1).max()
        assert off_px / px_per_mm < 1.5, number


@pytest.mark.parametrize("degrees", [*range(0, 360, 40), 45, 135, 225, 315])
def test_a_stack_is_read_at_every_turn(reader: Reader, degrees: int) -> None:
    shot = practice_table().still(readable(), Hardness.EASY, showing=Showing.ICON)
    sighting = reader.read_still(turned(shot.picture_bgr, degrees))
    assert sighting.content == shot.truth.content
    assert sighting.location == shot.truth.location


@pytest.mark.parametrize("negative", list(Negative))
def test_a_negative_gives_no_reading(reader: Reader, negative: Negative) -> None:
    for number in range(4):
        shot = practice_table().still(number, Hardness.NORMAL, negative=negative)
        # A card out of line may still show what it has at this key: then that is the truth.
        assert reader.read_still(shot.picture_bgr).content in (None, shot.truth.below), number


def test_a_front_is_told_as_the_other_side(reader: Reader) -> None:
    told = []
    for number in range(6):
        shot = practice_table().still(number, Hardness.EASY, negative=Negative.KEY_FRONT)
        sighting = reader.read_still(shot.picture_bgr)
        if sighting.found:
            assert sighting.location == shot.truth.location
            told.append((sighting.side, sighting.reason))
    # A front has no ornament: it is found where its outline shows.
    assert told.count((Side.FRONT, Reason.OTHER_SIDE)) == len(told) >= 1


def test_a_mirrored_stream_gives_no_reading(reader: Reader) -> None:
    for number in range(6):
        shot = practice_table().still(number, Hardness.EASY, showing=Showing.ICON)
        mirrored = np.ascontiguousarray(shot.picture_bgr[:, ::-1])
        assert reader.read_still(mirrored).content is None, number


def test_darkness_is_told_and_nothing_is_read(reader: Reader) -> None:
    assert reader.read_still(np.zeros((720, 1280, 3), np.uint8)).reason is Reason.DARK


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 3, 3), (8, 1000, 3), (40, 700, 3), (700, 40, 3)])
def test_odd_shapes_hold_no_key(reader: Reader, shape: tuple[int, int, int]) -> None:
    picture = np.full(shape, 180, np.uint8)
    assert reader.read_still(picture).reason is Reason.NO_KEY
    stream = Reader(reader.profile)
    assert [stream.look(picture).reason for _ in range(3)] == [Reason.NO_KEY] * 3


def test_noise_holds_no_key(reader: Reader) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    assert reader.read_still(noise).reason is Reason.NO_KEY


def test_a_still_remembers_nothing(reader: Reader) -> None:
    shot = practice_table().still(readable(), Hardness.EASY, showing=Showing.ICON)
    first = reader.read_still(shot.picture_bgr)
    reader.read_still(np.full((720, 1280, 3), 128, np.uint8))
    assert reader.read_still(shot.picture_bgr) == first


def test_a_frame_in_which_nothing_moved_is_not_read_again() -> None:
    reader = Reader(practice_profile())
    picture = practice_table().still(readable(), Hardness.EASY, showing=Showing.ICON).picture_bgr
    noise = np.random.default_rng(1).integers(-2, 3, picture.shape)
    noisy = np.clip(picture.astype(np.int16) + noise, 0, 255).astype(np.uint8)
    # Several frames must be read in their own right before one may stand for those to come.
    first, second = reader.look(picture), reader.look(noisy)
    assert second is not first
    for _ in range(SURE_READS):
        last = reader.look(picture)
    assert reader.look(noisy) is last
    assert last.content == first.content


def test_a_stack_that_moves_a_little_is_followed() -> None:
    reader = Reader(practice_profile())
    shot = practice_table().still(readable(), Hardness.EASY, showing=Showing.ICON)
    reader.look(shot.picture_bgr)
    moved = moved_by(shot.picture_bgr, 6, -4)
    sighting = reader.look(moved)
    assert sighting.content == shot.truth.content
    assert sighting.corners is not None
    assert shot.truth.corners is not None
    assert np.allclose(sighting.corners, np.add(shot.truth.corners, (6, -4)), atol=3.5)


def test_a_stack_that_is_gone_is_not_seen_any_more() -> None:
    reader = Reader(practice_profile())
    shot = practice_table().still(readable(), Hardness.EASY, showing=Showing.ICON)
    assert reader.look(shot.picture_bgr).found
    assert not reader.look(np.full((720, 1280, 3), 90, np.uint8)).found


def test_a_deck_without_learnt_faces_finds_nothing_and_breaks_nothing() -> None:
    profile = practice_profile()
    empty = Reader(CardProfile((), profile.keyholes, profile.glyphs))
    picture = practice_table().still(readable(), Hardness.EASY, showing=Showing.ICON).picture_bgr
    assert empty.read_still(picture).reason is Reason.NO_KEY


def test_one_learnt_face_is_found_on_its_own_key_and_taken_for_no_other() -> None:
    profile = practice_profile()
    only = next(f for f in profile.faces if f.side is Side.BACK)
    lone = Reader(CardProfile((only,), profile.keyholes, profile.glyphs))
    own = readable(only.location)
    for number in sorted({own, *range(12)}):
        shot = practice_table().still(number, Hardness.EASY, showing=Showing.ICON)
        sighting = lone.read_still(shot.picture_bgr)
        expected = only.location if shot.truth.location is only.location else None
        assert sighting.location is expected, number


def test_print_is_laid_on_from_a_rough_pose() -> None:
    lots = np.random.default_rng(5)
    for number in range(6):
        shot = practice_table().still(number, Hardness.EASY, showing=Showing.ICON)
        assert shot.truth.corners is not None
        assert shot.truth.location is not None
        face = practice_profile().face(shot.truth.location, Side.BACK)
        assert face is not None
        true = np.array(shot.truth.corners)
        px_per_mm = scale_of(card_to_picture(shot.truth.corners))
        rough = card_to_picture(true + lots.normal(0, 0.8 * px_per_mm, (4, 2)))
        exact = Template(face).refine(Scene(shot.picture_bgr), rough)
        assert exact is not None
        # Print and cut are out of register by up to a millimetre, as on a printed deck.
        assert corner_error(exact, true) / px_per_mm < 1.5, number


def corner_error(pose: npt.NDArray[np.float64], true: npt.NDArray[np.float64]) -> float:
    card = np.array([[0, 0, 1], [44, 0, 1], [44, 68, 1], [0, 68, 1.0]]) @ pose.T
    return float(np.linalg.norm(card[:, :2] / card[:, 2:] - true, axis=1).max())


def moved_by(picture: Picture, x: int, y: int) -> Picture:
    shift = np.array([[1.0, 0, x], [0, 1.0, y]])
    size = picture.shape[1], picture.shape[0]
    return np.asarray(
        cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
