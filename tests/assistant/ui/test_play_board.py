"""Candidates on the live picture of the real board: learnt by four clicks, drawn where it lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageChops

from assistant.adapters.board_file import load_board_face
from assistant.commands.play_board import LOOK_EVERY_S, BoardWatch, learnt_from
from assistant.core.events import SessionStarted, YouthAsked
from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.practice.chart import chart
from assistant.practice.lens import Optics, packed
from assistant.practice.scene import draw_lens
from assistant.practice.stage import LEVELS, Hardness
from assistant.present.lights import Layer
from assistant.present.table_map import table_map
from assistant.session import Frame
from assistant.vision.board_finder import BoardFace
from assistant.vision.sighting import Picture
from tests.assistant.present.games import Played
from tests.assistant.ui.play_driver import Driven
from tests.assistant.vision.test_board_finder import POSES, SQUARE, drawn_board, laid

GONE = np.full((720, 1280, 3), 120, np.uint8)


def frame(picture: Picture) -> Frame:
    return Frame(picture, 0, 0.0)


@pytest.fixture
def watch() -> Iterator[BoardWatch]:
    watch = BoardWatch(pytest.fail)
    picture, _ = laid(drawn_board(), SQUARE)
    watch.use(learnt_from(frame(picture), [(x / 1280, y / 720) for x, y in SQUARE]))
    state = Played(SessionStarted(), YouthAsked(Location.CORNHILL, Feature.TAVERN)).state
    watch.table = table_map(state)
    yield watch
    assert watch.stop()


def drawn_over(watch: BoardWatch, picture: Picture) -> Image.Image:
    """Return what the overlay changed, as a picture of differences."""
    image = Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1]))
    before = image.copy()
    watch.draw(image, frame(picture), 1.0)
    return ImageChops.difference(image, before).convert("L")


def test_arcs_are_drawn_round_the_candidates_rings_and_nowhere_else(watch: BoardWatch) -> None:
    picture, truth = laid(drawn_board(), POSES["tilted"])
    watch.look(frame(picture))
    changed = np.asarray(drawn_over(watch, picture)) > 0
    board = load_board()
    assert watch.table is not None
    for place in watch.table.places:
        at = np.array([[[place.x, place.y]]])
        x, y = cv2.perspectiveTransform(at, truth).reshape(2)
        reach = 1.3 * board.ring_outer_over_width * 800
        near = changed[
            max(round(y - reach), 0) : round(y + reach), max(round(x - reach), 0) : round(x + reach)
        ]
        middle = changed[round(y - 8) : round(y + 8), round(x - 8) : round(x + 8)]
        assert not middle.any()
        if Layer.YOUTH in place.shares:
            assert near.sum() > 50, place.location


def test_a_board_that_lies_still_keeps_its_pose_to_the_pixel(watch: BoardWatch) -> None:
    picture, _ = laid(drawn_board(), POSES["turned"])
    watch.look(frame(picture))
    pose = watch.pose
    assert pose is not None
    grain = np.random.default_rng(2).normal(0, 4, picture.shape)
    watch.look(frame(np.clip(picture + grain, 0, 255).astype(np.uint8)))
    assert watch.pose is pose


def test_a_board_that_moved_is_followed_and_one_that_is_gone_is_forgotten(
    watch: BoardWatch,
) -> None:
    watch.look(frame(laid(drawn_board(), POSES["turned"])[0]))
    before = watch.pose
    watch.look(frame(laid(drawn_board(), POSES["straight"])[0]))
    assert watch.pose is not None
    assert watch.pose is not before
    watch.look(frame(GONE))
    assert watch.pose is not None  # a hand across the board for a moment
    watch.look(frame(GONE))
    assert watch.pose is None
    assert drawn_over(watch, GONE).getbbox() is None


def filmed(pose: str, number: int, *, cards: int = 0, cloth: bool = False) -> Picture:
    """Return the practice map on a table as the practice camera films it, frame after frame.

    The lens and its light stay the same, grain and JPEG are another in every frame. `cards` lie on
    the map; `cloth` covers all of it.
    """
    seen, _ = laid(chart(), POSES[pose])
    lots = np.random.default_rng(5)
    for _ in range(cards):
        x, y = int(lots.integers(300, 800)), int(lots.integers(100, 500))
        cv2.rectangle(seen, (x, y), (x + 70, y + 105), (205, 215, 222), -1)
    if cloth:
        cv2.fillPoly(seen, [np.array(POSES[pose], np.int32)], (70, 60, 120))
    lens = draw_lens(LEVELS[Hardness.NORMAL], (1280, 720), 40.0, (), lots)
    optics = Optics(lens, (1280, 720))
    return packed(optics.seen(seen), lens, np.random.default_rng(100 + number))


@pytest.fixture(scope="module")
def face() -> BoardFace:
    """The practice map, learnt from one picture of it."""
    corners = POSES["straight"]
    return learnt_from(frame(filmed("straight", 0)), [(x / 1280, y / 720) for x, y in corners])


@pytest.fixture
def practice(watch: BoardWatch, face: BoardFace) -> BoardWatch:
    watch.use(face)
    return watch


@pytest.mark.parametrize("pose", ["turned", "tilted", "upside down"])
def test_the_practice_map_is_found_as_it_is_filmed(practice: BoardWatch, pose: str) -> None:
    practice.look(frame(filmed(pose, 1, cards=3)))
    assert practice.pose is not None
    apart = np.array(practice.pose.corners) - np.array(POSES[pose])
    assert np.linalg.norm(apart, axis=1).max() < 8  # px; the lens bends what is far out


def test_arcs_on_the_practice_map_stand_still_to_the_pixel_while_it_lies_still(
    practice: BoardWatch,
) -> None:
    dark = np.zeros((720, 1280, 3), np.uint8)
    drawn = set()
    for number in range(5):
        # Cards are laid on it and lifted; the map lies still.
        practice.look(frame(filmed("tilted", number, cards=number % 4)))
        drawn.add(drawn_over(practice, dark).tobytes())
    assert len(drawn) == 1
    assert drawn_over(practice, dark).getbbox() is not None


def test_arcs_are_gone_within_a_second_of_the_practice_map_being_covered(
    practice: BoardWatch,
) -> None:
    practice.look(frame(filmed("tilted", 0)))
    assert practice.pose is not None
    looks = 0
    while practice.pose is not None:
        practice.look(frame(filmed("tilted", looks, cloth=True)))
        looks += 1
        assert looks < 9
    # The rest of the second is for the looks themselves, some tens of ms each.
    assert looks * LOOK_EVERY_S <= 0.7


class StillCamera:
    """Gives one picture for ever."""

    def __init__(self, picture: Picture) -> None:
        self.picture, self.index = picture, -1

    def read(self, timeout_s: float) -> Frame | None:
        self.index += 1
        return Frame(self.picture, self.index, self.index / 30)

    def close(self) -> None:
        pass


@pytest.mark.usefixtures("display")
def test_the_board_is_learnt_by_four_clicks_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    camera = StillCamera(laid(drawn_board(), SQUARE)[0])
    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: camera)
    driven = Driven(camera="7")
    driven.begin()
    driven.until(lambda: driven.window.film.size[0])
    driven.desk.shoot_board()
    driven.until(lambda: driven.window.page_shown() == "board")
    page = driven.window.board_page
    driven.until(lambda: page.view.size[0])
    driven.settle(0.2)
    for x, y in SQUARE:
        left, top = page.view.spot
        wide, high = page.view.size
        page.click(round(left + x / 1280 * wide), round(top + y / 720 * high))
    assert driven.window.page_shown() is None
    driven.until(lambda: driven.desk._views.board.pose)
    pose = driven.desk._views.board.pose
    assert pose is not None
    assert np.abs(np.array(pose.corners) - np.array(SQUARE)).max() < 4
    assert load_board_face() is not None
    assert driven.close()
