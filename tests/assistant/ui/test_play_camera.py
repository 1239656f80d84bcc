"""The play window with a camera: a practice game read by it, and what a hanging one does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assistant.adapters.home import profile_folder
from assistant.commands.play_sources import FilmPace, KeptSource, Sources
from assistant.commands.play_state import told
from assistant.core.errors import CameraLostError
from assistant.core.events import RendezvousSought, SearchMade, YouthAsked
from assistant.core.game import Phase
from assistant.core.settings import Expansion
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Showing
from assistant.session import Frame
from tests.assistant.ui.play_driver import Driven, replayed

pytestmark = pytest.mark.usefixtures("display")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    return tmp_path


def update(driven: Driven) -> None:
    """Go on to the player's step with the large key alone."""
    while driven.state.game.phase is not Phase.PLAYER or driven.state.game.acted:
        before = len(driven.state.log)
        driven.press(" ")
        driven.until(lambda before=before: len(driven.state.log) > before)  # type: ignore[misc]


def free(driven: Driven) -> None:
    """Go on to a step in which the pawn may act where it is: a Poet who caught it is left."""
    update(driven)
    while driven.state.game.is_pinned:
        driven.answer("Move")
        driven.acts(driven.asked.offers[0].label)
        update(driven)


def test_a_practice_game_is_read_by_the_camera_and_played_with_the_large_key(
    learnt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(learnt))
    monkeypatch.setattr("assistant.commands.play_sources.cards_of_the_evening", lambda: 3)
    driven = Driven(camera="practice")
    driven.until(lambda: driven.has("Begin"))
    driven.until(lambda: driven.desk._sources.table)
    table = driven.desk._sources.table
    assert table is not None
    chosen = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.MARKERS, Expansion.ELUSIVE]
    driven.window.set_up.choose(chosen)
    driven.begin()
    driven.until(lambda: driven.desk._sight.is_ready, 60)
    seen = {"F5": YouthAsked, "F6": RendezvousSought, "F7": SearchMade}
    for key, kind in seen.items():
        free(driven)
        driven.press(key)
        driven.until(lambda kind=kind: isinstance(driven.state.in_force[-1].event, kind), 60)  # type: ignore[misc]
    asked, sought, searched = (
        entry.event
        for entry in driven.state.in_force
        if isinstance(entry.event, tuple(seen.values()))
    )
    assert isinstance(asked, YouthAsked)
    assert asked.feature is table._youth.icons[asked.location]
    assert isinstance(sought, RendezvousSought)
    assert sought.number == table._rendezvous.numbers[sought.location]
    assert isinstance(searched, SearchMade)
    slot = next(s for s in driven.state.game.deck.fogged)
    assert searched.hit is (table.cards(chosen).way[slot] is searched.location)
    assert driven.window.film.size[0] > 100
    driven.press("F8")
    free(driven)
    driven.acts("Confront the Youth", "Turn his card")
    driven.acts("Confront the Lady", "chain", "crown", "heart")
    assert driven.state.game.phase is Phase.OVER
    assert driven.has("A new game")
    shown = told(driven.state)
    assert driven.close()
    assert told(replayed(learnt)) == shown


class HangingCamera:
    """Gives a frame, then hangs in read until it is let go, whatever is asked of it."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.hangs = threading.Event()
        self._given = False

    def read(self, timeout_s: float) -> Frame | None:
        if not self._given:
            self._given = True
            return Frame(np.full((720, 1280, 3), 90, np.uint8), 0, 0.0)
        self.hangs.set()
        self.let_go.wait(30)
        return None

    def close(self) -> None:
        pass


@pytest.fixture
def hanging(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HangingCamera]:
    camera = HangingCamera()
    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: camera)
    yield camera
    camera.let_go.set()


def test_a_camera_that_hangs_holds_nobody_up(hanging: HangingCamera) -> None:
    driven = Driven(camera="7")
    driven.until(hanging.hangs.is_set)
    driven.until(lambda: driven.window.film.size[0])
    driven.begin()
    driven.acts("rural")
    driven.acts("Pass")
    began_s = time.monotonic()
    assert not driven.close()  # a thread hangs in the driver: the program leaves hard
    assert time.monotonic() - began_s < 4
    hanging.let_go.set()


def test_a_slow_disk_holds_nobody_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driven = Driven()
    driven.begin()
    let_go, waits, sync = threading.Event(), threading.Event(), os.fsync

    def slow(handle: int) -> None:
        waits.set()
        let_go.wait(30)
        sync(handle)

    monkeypatch.setattr(os, "fsync", slow)
    before = len(driven.state.log)
    driven.answer("rural")
    driven.until(waits.is_set)
    driven.window.show_keys()
    driven.settle()
    assert driven.window.page_shown() == "keys"
    assert len(driven.state.log) == before  # on disk before anything is shown
    let_go.set()
    driven.until(lambda: len(driven.state.log) > before)
    assert driven.close()


def test_a_lost_camera_is_told_in_one_line_and_the_game_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lost:
        told = False

        def read(self, timeout_s: float) -> Frame | None:
            if not self.told:
                self.told = True
                raise CameraLostError("the camera 7 gives no new picture; is it still plugged in?")
            return None

        def close(self) -> None:
            pass

    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: Lost())
    driven = Driven(camera="7")
    driven.until(lambda: "still plugged in" in driven.window.row.note.cget("text"))
    driven.begin()
    driven.acts("rural")
    assert driven.close()


def test_an_old_picture_does_not_pass_for_a_live_one_when_the_camera_is_lost_and_comes_back(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unplugged:
        """Gives pictures, then none, then pictures again."""

        index, is_in = -1, True

        def read(self, timeout_s: float) -> Frame | None:
            time.sleep(0.02)
            if not self.is_in:
                return None
            self.index += 1
            return Frame(np.full((720, 1280, 3), 240, np.uint8), self.index, self.index / 50)

        def close(self) -> None:
            pass

    camera = Unplugged()
    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: camera)
    driven = Driven(camera="7")
    driven.begin()
    driven.until(lambda: driven.window.film.size[0])
    shown: list[int] = []
    show = driven.window.film.show

    def noted(picture: Image.Image) -> None:
        shown.append(max(picture.convert("L").resize((8, 8)).tobytes()))
        show(picture)

    monkeypatch.setattr(driven.window.film, "show", noted)
    driven.until(lambda: shown and shown[-1] > 200)
    camera.is_in = False
    driven.until(lambda: shown[-1] < 120)
    driven.until(lambda: "No new picture" in driven.window.seen.cget("text"))
    driven.acts("rural")
    camera.is_in = True
    driven.until(lambda: shown[-1] > 200)
    driven.until(lambda: "No new picture" not in driven.window.seen.cget("text"))
    assert driven.close()


def test_a_camera_that_is_none_is_told_and_everything_works_by_hand(home: Path) -> None:
    driven = Driven(camera="no such film.mp4")
    driven.until(lambda: "no such film" in driven.window.row.note.cget("text"))
    driven.begin()
    driven.acts("rural")
    assert driven.close()


def test_without_a_profile_it_is_told_what_to_do_and_numbers_are_read_all_the_same(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = VirtualTable(PracticeDeck(load_board(), seed=2), seed=2)
    shot = table.still(2, Hardness.EASY, showing=Showing.NUMBER)

    class Still:
        index = -1

        def read(self, timeout_s: float) -> Frame | None:
            self.index += 1
            time.sleep(0.02)
            return Frame(shot.picture_bgr, self.index, self.index / 30)

        def close(self) -> None:
            pass

    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: Still())
    driven = Driven(camera="7")
    driven.until(lambda: "Teach it my cards" in driven.window.row.note.cget("text"))
    driven.until(lambda: "not learnt yet" in driven.window.status.cget("text"))
    driven.begin()
    driven.until(lambda: isinstance(driven.state.in_force[-1].event, RendezvousSought), 60)
    sought = driven.state.in_force[-1].event
    assert isinstance(sought, RendezvousSought)
    assert (sought.location, sought.number) == (shot.truth.location, shot.truth.content.number)  # type: ignore[union-attr]
    assert driven.close()


def test_a_damaged_profile_is_told_and_not_taken_for_none(
    home: Path, hanging: HangingCamera
) -> None:
    profile_folder().mkdir(parents=True)
    (profile_folder() / "profile.toml").write_text("format = 77")
    driven = Driven(camera="7")
    driven.until(lambda: "profile" in driven.window.seen.cget("text"))
    assert "not learnt" not in driven.window.status.cget("text")
    hanging.let_go.set()
    assert driven.close()


def test_the_game_goes_on_by_hand_while_the_window_that_learns_cards_is_open(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    let_go = threading.Event()

    def wizard(_: Sources, camera: str) -> None:
        opened.append(camera)
        let_go.wait(30)

    class Grey:
        def read(self, timeout_s: float) -> Frame | None:
            time.sleep(0.03)
            return Frame(np.full((720, 1280, 3), 90, np.uint8), 0, 0.0)

        def close(self) -> None:
            pass

    monkeypatch.setattr(Sources, "run_wizard", wizard)
    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: Grey())
    driven = Driven(camera="7")
    driven.begin()
    driven.desk.calibrate()
    driven.until(lambda: opened == ["7"])
    driven.acts("rural")
    assert driven.desk._sources.name == ""  # it is lent
    driven.desk.calibrate()
    driven.until(lambda: "open already" in driven.window.row.note.cget("text"))
    let_go.set()
    driven.until(lambda: driven.desk._sources.name == "7")
    assert opened == ["7"]
    driven.until(lambda: driven.desk._sight.is_ready)
    assert driven.close()


def test_a_kept_source_gives_nothing_once_it_was_given_back() -> None:
    camera = HangingCamera()
    kept = KeptSource(camera)
    assert kept.read(0.1) is not None
    kept.close()
    assert kept.read(0.1) is None


def test_a_film_is_shown_frame_by_frame_to_its_end() -> None:
    class Film:
        frames = 3

        def read(self, timeout_s: float) -> Frame | None:
            if not self.frames:
                return None
            self.frames -= 1
            return Frame(np.zeros((9, 16, 3), np.uint8), 2 - self.frames, (2 - self.frames) / 100)

        def close(self) -> None:
            self.frames = 0

    film = FilmPace(Film())
    assert [frame.index for frame in iter(lambda: film.read(1.0), None)] == [0, 1, 2]
