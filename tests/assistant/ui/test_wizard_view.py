"""The wizard's window, for real, on a virtual display: from nothing to a profile that reads."""

from __future__ import annotations

import queue
import threading
import time
import tkinter as tk
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageGrab

from assistant.adapters.profiles import load_profile
from assistant.commands.calibrate_wizard import Teaching, teach_in_window
from assistant.core.terms import Location
from assistant.data import load_board, load_keys
from assistant.practice.deck import PracticeDeck
from assistant.practice.keys_shown import PicturesShown
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Showing
from assistant.present.wizard_words import SIDES, WizardScreen
from assistant.session import Frame
from assistant.ui.wizard_view import (
    CHART_PX,
    LIVE_PX,
    Act,
    Chosen,
    FinishAsked,
    Message,
    NextAsked,
    WizardEnded,
    WizardWindow,
)
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture, Side
from calibration.cut import cut_card
from calibration.wizard import Step, Wizard
from tests.calibration.practice_shots import key_shots

GOOD, LIVE = (0x3F, 0x7A, 0x3A), (30, 60, 200)
NOTHING: frozenset[tuple[Location, str]] = frozenset()
ALL = frozenset((place, side) for place in Location for side in ("front", "back"))


def screen(**changes: object) -> WizardScreen:
    values: dict[str, object] = {
        "headline": "A headline",
        "hint": "A hint",
        "taught": NOTHING,
        "wanted": ALL,
        **changes,
    }
    return WizardScreen(**values)  # type: ignore[arg-type]


class Stand:
    """A window with what goes in and comes out."""

    def __init__(self) -> None:
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.acts: list[Act] = []
        self.window = WizardWindow("a test", self.messages, self.newest, self.acts.append)
        self.root = self.window._root
        self.root.geometry("+0+0")

    def newest(self) -> Image.Image | None:
        return Image.new("RGB", LIVE_PX, LIVE)

    def run(self, *steps: Callable[[], None]) -> None:
        """Run the window; do the steps one after the other, then close it."""
        for number, step in enumerate(steps):
            self.root.after(250 + 150 * number, step)
        self.root.after(250 + 150 * len(steps), lambda: self.messages.put(WizardEnded()))
        self.window.run()

    def press(self, key: str) -> None:
        self.root.focus_force()
        self.root.event_generate(key)


def share_of(picture: Image.Image, colour: tuple[int, int, int]) -> int:
    """Return how many px have about this colour."""
    apart = np.abs(np.asarray(picture.convert("RGB")).astype(int) - colour).max(axis=2)
    return int((apart < 12).sum())


def test_the_live_picture_and_a_tick_for_every_side_taught_are_shown(display: str) -> None:
    stand = Stand()
    taken: list[Image.Image] = []

    def shoot() -> None:
        taken.append(ImageGrab.grab(xdisplay=display))

    stand.messages.put(screen())
    few = frozenset({(Location.CORNHILL, "back")})
    stand.run(
        shoot,
        lambda: stand.messages.put(screen(taught=few)),
        shoot,
        lambda: stand.messages.put(screen(taught=ALL, is_done=True)),
        shoot,
    )
    assert share_of(taken[0], LIVE) > 0.95 * LIVE_PX[0] * LIVE_PX[1]
    none, one, every = (share_of(picture, GOOD) for picture in taken)
    assert none == 0
    assert 0 < one < every / 10


def test_space_goes_on_and_numbers_choose_among_the_keys_offered(display: str) -> None:
    stand = Stand()
    offered = (Location.CORNHILL, Location.ST_PAULS)
    stand.messages.put(screen(choices=offered))
    stand.run(
        lambda: stand.press("<space>"),
        lambda: stand.press("2"),
        lambda: stand.press("4"),
    )
    assert stand.acts == [NextAsked(), Chosen(Location.ST_PAULS)]


def test_every_key_offered_has_a_button_and_stopping_has_one_when_nothing_is_asked(
    display: str,
) -> None:
    stand = Stand()

    def click(number: int) -> None:
        button = stand.window._buttons.winfo_children()[number]
        assert isinstance(button, tk.Button)
        button.invoke()

    stand.messages.put(screen(choices=(Location.CORNHILL, Location.ST_PAULS)))
    stand.run(
        lambda: click(0),
        lambda: click(2),
        lambda: stand.messages.put(screen()),
        lambda: click(0),
    )
    assert stand.acts == [Chosen(Location.CORNHILL), NextAsked(), FinishAsked()]


def test_plus_and_minus_change_the_size_of_the_text(display: str) -> None:
    stand = Stand()
    sizes: list[int] = []

    def note() -> None:
        sizes.append(int(stand.window._text.cget("size")))

    stand.messages.put(screen())
    stand.run(
        note,
        lambda: stand.press("<plus>"),
        note,
        lambda: stand.press("<minus>"),
        lambda: stand.press("<minus>"),
        note,
    )
    assert sizes == [11, 12, 10]


@pytest.mark.parametrize("fine", [0.6, 1.0, 2.0])
@pytest.mark.parametrize("text_size", [11, 22])
def test_names_and_ticks_have_room_on_fine_and_on_small_screens(
    display: str, monkeypatch: pytest.MonkeyPatch, fine: float, text_size: int
) -> None:
    monkeypatch.setattr(WizardWindow, "_fitting_scale", lambda _: fine)
    stand = Stand()
    found: list[tuple[int, int, int]] = []

    def note() -> None:
        table = stand.window._table
        names = [i for i in table.find_all() if str(table.type(i)) == "text"][len(SIDES) :]
        ticks = [i for i in table.find_all() if str(table.type(i)) == "oval"]
        right = max(table.bbox(i)[2] for i in names)
        left = min(table.bbox(i)[0] for i in ticks)
        found.append((right, left, table.winfo_width() - max(table.bbox(i)[2] for i in ticks)))
        sizes.append((stand.window._photo.width(), stand.window._chart.width()))

    sizes: list[tuple[int, int]] = []
    stand.messages.put(screen())
    grown = [lambda: stand.press("<plus>")] * (text_size - 11)
    stand.run(*grown, note)
    [(right, left, beside)] = found
    assert 0 < right < left
    assert beside > 0
    assert sizes == [(round(LIVE_PX[0] * fine), round(CHART_PX[0] * fine))]


def test_the_window_has_room_on_the_screen(display: str) -> None:
    stand = Stand()
    sizes: list[tuple[int, int]] = []
    stand.messages.put(screen())
    stand.run(lambda: sizes.append((stand.root.winfo_width(), stand.root.winfo_height())))
    [(width, height)] = sizes
    assert width <= 1400
    assert height <= 800


def test_one_picture_item_is_kept_however_many_frames_come(display: str) -> None:
    stand = Stand()
    counts: list[int] = []

    def count() -> None:
        counts.append(len(stand.root.tk.splitlist(stand.root.tk.call("image", "names"))))

    stand.messages.put(screen())
    stand.run(count, lambda: None, lambda: None, lambda: None, count)
    assert counts[0] == counts[1]


def test_closing_early_leaves_nothing_to_be_called(
    display: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for delay_ms in (1, 15, 40, 90):
        stand = Stand()
        stand.messages.put(screen())
        stand.root.after(delay_ms, stand.window.close)
        stand.window.run()
    assert capfd.readouterr().err == ""


class Film(PicturesShown):
    """Every side once, each on a table that it stands out from; tells when it is over."""

    def __init__(self) -> None:
        chosen: dict[tuple[Location | None, Side | None], Picture] = {}
        for shot in key_shots(1):
            side = shot.truth.location, shot.truth.side
            if side not in chosen and cut_card(shot.picture_bgr) is not None:
                chosen[side] = shot.picture_bgr
        super().__init__(list(chosen.values()), rests=15)
        self.is_over = threading.Event()

    def read(self, timeout_s: float = 0.0) -> Frame | None:
        frame = super().read(timeout_s)
        if frame is None:
            self.is_over.set()
        return frame


def test_from_nothing_to_a_profile_that_reads_in_one_sitting(display: str, tmp_path: Path) -> None:
    wizard, film = Wizard(load_keys()), Film()
    folder = tmp_path / "profile"
    teaching = Teaching(wizard, film, folder, load_keys(), at_pace=False)
    threading.Thread(target=press_when_over, args=(teaching, wizard, film), daemon=True).start()
    teach_in_window(teaching, "a test")
    assert wizard.progress.step is Step.DONE
    assert teaching.verdict is not None
    assert teaching.verdict.bad == ()
    reader = Reader(load_profile(folder))
    table = VirtualTable(PracticeDeck(load_board(), 1), seed=8)
    for number in range(3):
        shot = table.still(number, Hardness.EASY, showing=Showing.ICON)
        sighting = reader.read_still(shot.picture_bgr)
        assert (sighting.location, sighting.content) == (shot.truth.location, shot.truth.content)


def press_when_over(teaching: Teaching, wizard: Wizard, film: Film) -> None:
    """Press space when all is learnt, as the player does; give up where that never comes."""
    film.is_over.wait()
    teaching.act(NextAsked() if wizard.progress.step is Step.DONE else FinishAsked())


class SilentSource:
    """A camera whose read hangs until it is closed for good."""

    def __init__(self) -> None:
        self.release = threading.Event()

    def read(self, timeout_s: float) -> Frame | None:
        self.release.wait(20)
        return None

    def close(self) -> None:
        """Close; a hung driver does not notice."""


def test_the_window_closes_within_two_seconds_though_the_camera_hangs(
    display: str, tmp_path: Path
) -> None:
    source = SilentSource()
    teaching = Teaching(Wizard(load_keys()), source, tmp_path / "p", load_keys(), at_pace=False)
    threading.Timer(0.6, lambda: teaching.messages.put(WizardEnded())).start()
    began_s = time.monotonic()
    teach_in_window(teaching, "a test")
    spent_s = time.monotonic() - began_s
    source.release.set()
    assert spent_s < 0.6 + 2.0
    assert not (tmp_path / "p").exists()


def test_what_was_learnt_before_the_window_was_closed_is_kept(display: str, tmp_path: Path) -> None:
    wizard = Wizard(load_keys())
    pictures = [shot.picture_bgr for shot in key_shots(1)[:3]]
    source = PicturesShown(pictures, rests=18)
    teaching = Teaching(wizard, source, tmp_path / "p", load_keys(), at_pace=True)
    teach_in_window(teaching, "a test")
    kept = {(f.location, f.side) for f in load_profile(tmp_path / "p").faces}
    assert kept == wizard.progress.taught
    assert len(kept) >= 2
