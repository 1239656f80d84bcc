"""The bare reader: nothing learnt, so little is read, and nothing wrong."""

from __future__ import annotations

import json
from collections import Counter

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.practice.stage import Hardness
from assistant.practice.truth import Negative, Shot, Showing
from assistant.vision.bare import BareReader
from assistant.vision.bare_key import find_cards
from assistant.vision.geometry import CARD_CORNERS_MM, project
from assistant.vision.ink import Grey
from assistant.vision.sighting import Picture, Reason, Side
from assistant.vision.told import SURE_READS
from tests.assistant.vision.practice_profile import practice_table
from tests.printed_game import PRINTED_GAME, needs_printed_game


@pytest.fixture(scope="module")
def reader() -> BareReader:
    return BareReader(load_keys())


def easy(number: int, showing: Showing) -> Shot:
    return practice_table().still(number, Hardness.EASY, showing=showing)


def words_on(location: Location) -> str:
    return " ".join(load_keys()["keys"][location.value]["back_text"])


# --- what is the same on every copy -----------------------------------------------------------


@pytest.mark.parametrize("showing", [Showing.NUMBER, Showing.LADY])
def test_digits_and_the_lady_are_read_without_any_calibration(
    reader: BareReader, showing: Showing
) -> None:
    right = 0
    for number in (1, 3, 5):
        shot = easy(number, showing)
        sighting = reader.read_still(shot.picture_bgr)
        if sighting.content is not None:
            assert (sighting.location, sighting.content) == (
                shot.truth.location,
                shot.truth.content,
            )
            right += 1
    assert right >= 2


def test_an_icon_is_not_told_but_its_key_is(reader: BareReader) -> None:
    known = 0
    for number in (1, 3, 5):
        shot = easy(number, Showing.ICON)
        sighting = reader.read_still(shot.picture_bgr)
        assert sighting.content is None
        if sighting.found:
            assert sighting.location == shot.truth.location
            assert sighting.reason in (Reason.UNLIKE, Reason.UNSURE)
            known += 1
    assert known >= 2


def test_a_stack_turned_by_half_a_turn_is_the_same_key(reader: BareReader) -> None:
    shot = easy(5, Showing.LADY)
    turned = np.ascontiguousarray(shot.picture_bgr[::-1, ::-1])
    sighting = reader.read_still(turned)
    assert (sighting.location, sighting.content) == (shot.truth.location, shot.truth.content)
    height, width = turned.shape[:2]
    assert shot.truth.corners is not None
    there = np.array([width, height]) - np.array(shot.truth.corners)
    assert np.allclose(np.array(sighting.corners), there, atol=1.5 * px_per_mm(there))


def test_cards_are_cut_out_where_they_lie() -> None:
    near = 0
    for number in (1, 3, 5):
        shot = easy(number, Showing.LADY)
        true = np.array(shot.truth.corners)
        off_px = [
            float(np.linalg.norm(np.roll(cut, turn, axis=0) - true, axis=1).max())
            for card in find_cards(shot.picture_bgr)
            for cut in [project(card.homography, CARD_CORNERS_MM)]
            for turn in range(4)
        ]
        near += bool(off_px) and min(off_px) < 1.5 * px_per_mm(true)
    assert near >= 2


def px_per_mm(corners: npt.NDArray[np.float64]) -> float:
    return float(np.linalg.norm(corners[3] - corners[0])) / 68.0


def test_blank_waits_for_learnt_faces(reader: BareReader) -> None:
    # An outline may be that of two cards out of line: number 235 of such a table was read as blank.
    sighting = reader.read_still(easy(3, Showing.BLANK).picture_bgr)
    assert (sighting.location, sighting.reason) == (Location.BLACKFRIARS, Reason.UNSURE)


# --- what must not be read ---------------------------------------------------------------------


@pytest.mark.parametrize("negative", list(Negative))
def test_a_negative_gives_no_reading(reader: BareReader, negative: Negative) -> None:
    shot = practice_table().still(1, Hardness.EASY, negative=negative)
    assert reader.read_still(shot.picture_bgr).content is None


def test_a_front_is_told_as_the_other_side(reader: BareReader) -> None:
    told = 0
    for number in range(4):
        shot = practice_table().still(number, Hardness.EASY, negative=Negative.KEY_FRONT)
        sighting = reader.read_still(shot.picture_bgr)
        if sighting.location == shot.truth.location:
            assert (sighting.side, sighting.reason) == (Side.FRONT, Reason.OTHER_SIDE)
            told += 1
    assert told >= 1


def test_a_mirrored_digit_is_not_read(reader: BareReader) -> None:
    mirrored = np.ascontiguousarray(easy(3, Showing.NUMBER).picture_bgr[:, ::-1])
    assert reader.read_still(mirrored).content is None


@pytest.mark.parametrize(
    "picture",
    [
        np.full((1, 1, 3), 180, np.uint8),
        np.full((40, 700, 3), 180, np.uint8),
        np.random.default_rng(3).integers(0, 255, (720, 1280, 3)).astype(np.uint8),
    ],
)
def test_odd_shapes_and_noise_hold_no_key(reader: BareReader, picture: Picture) -> None:
    assert reader.read_still(picture).reason is Reason.NO_KEY


def test_darkness_is_told(reader: BareReader) -> None:
    assert reader.read_still(np.zeros((720, 1280, 3), np.uint8)).reason is Reason.DARK


# --- printed words, if something reads them ------------------------------------------------------


def test_words_of_another_key_take_the_key_away() -> None:
    shot = easy(3, Showing.LADY)
    lying = BareReader(load_keys(), lambda _: words_on(Location.EASTCHEAP))
    sighting = lying.read_still(shot.picture_bgr)
    assert (sighting.location, sighting.reason) == (None, Reason.WHICH_KEY)


@pytest.mark.parametrize("text", ["", "| ~"])
def test_words_that_cannot_be_read_change_nothing(reader: BareReader, text: str) -> None:
    picture = easy(3, Showing.LADY).picture_bgr
    assert BareReader(load_keys(), lambda _: text).read_still(picture) == reader.read_still(picture)


@pytest.mark.parametrize("negative", [Negative.YOUTH_CARD, Negative.STEALTH_FACE])
def test_no_words_make_a_key_of_a_card_that_is_none(negative: Negative) -> None:
    lying = BareReader(load_keys(), lambda _: words_on(Location.CORNHILL))
    shot = practice_table().still(1, Hardness.EASY, negative=negative)
    assert lying.read_still(shot.picture_bgr).content is None


def test_a_stream_never_waits_for_words() -> None:
    def never(_: Grey) -> str:
        raise AssertionError("words are read on a frame's path")

    shot = easy(3, Showing.LADY)
    assert BareReader(load_keys(), never).look(shot.picture_bgr).content == shot.truth.content


# --- streams ---------------------------------------------------------------------------------


def test_a_frame_in_which_nothing_moved_is_not_read_again() -> None:
    reader, picture = BareReader(load_keys()), easy(3, Showing.LADY).picture_bgr
    seen = [reader.look(picture) for _ in range(SURE_READS + 1)]
    assert seen[1] is not seen[0]
    assert seen[-1] is seen[-2]
    assert not reader.look(np.full((720, 1280, 3), 90, np.uint8)).found


# --- the printed game, where it lies beside the project ----------------------------------------


@needs_printed_game
@pytest.mark.parametrize(("kind", "least"), [("easy", 3), ("life/easy", 1)])
def test_the_printed_game_is_read_without_calibration_and_never_wrong(
    reader: BareReader, kind: str, least: int
) -> None:
    told: Counter[str] = Counter()
    entries = json.loads((PRINTED_GAME / kind / "truth.json").read_text("utf-8"))
    # Every other still: all of them take long, and are what figures are made of, not tests.
    for entry in entries[::2]:
        data = np.fromfile(PRINTED_GAME / kind / entry["file"], np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert picture is not None
        sighting = reader.read_still(np.asarray(picture, np.uint8))
        if sighting.content is None:
            continue
        assert entry["kind"] != "negative", entry["file"]
        assert sighting.location is not None
        value = sighting.content.value or sighting.content.kind.value
        assert (sighting.location.value, value) == (entry["key"], entry["value"]), entry["file"]
        told[sighting.content.kind.value] += 1
    assert told.total() >= least
