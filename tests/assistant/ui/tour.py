"""A tour of every screen and dialog, each photographed to be looked at by eye.

    python -m tests.assistant.ui.tour OUT [NAME-OF-A-SETTING ...]

Needs Xvfb. For each setting (dots per inch, theme, letters, size of the window; see SETTINGS) OUT
gets a folder of numbered PNGs, and sheets of six of them. Nothing is compared: somebody
looks whether anything is cut, ugly or unreadable.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import tempfile
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageGrab

from assistant.adapters import sources
from assistant.adapters.home import profile_folder
from assistant.adapters.profiles import save_profile
from assistant.commands.calibrate_chart import learnt_chart
from assistant.core.events import Event, Overruled, YouthAsked
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    ClueGained,
    LadyUpdated,
    PawnMoved,
    PoetMoved,
    SuitTold,
    WaypointPlaced,
)
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Negative, Showing
from assistant.present.choices import Ask
from assistant.present.map_shapes import map_shapes
from assistant.present.wizard_words import WizardScreen
from assistant.session import Frame
from assistant.ui.lights_window import LightsWindow
from assistant.ui.photo_clicks import PhotoClicks
from assistant.ui.plain_window import MapChanged, PlainWindow, Said
from assistant.ui.window_frame import WindowSettings
from assistant.ui.wizard_view import CHART_PX, LIVE_PX, ChartChanged, WizardWindow
from assistant.vision.sighting import Picture
from tests.assistant.ui.play_driver import Driven
from tests.assistant.ui.virtual_display import virtual_display
from tests.assistant.vision.practice_profile import practice_profile


@dataclass(frozen=True, slots=True)
class Setting:
    """What the windows are looked at with; `window` is the size in px, None for their own."""

    dpi: int = 96
    theme: str = "light"
    letters: float = 1.0
    screen: tuple[int, int] = (1200, 800)
    window: tuple[int, int] | None = None


SETTINGS = {
    "light": Setting(),
    "dark": Setting(theme="dark"),
    "light-2x": Setting(192, screen=(2400, 1600)),
    "dark-2x": Setting(192, "dark", screen=(2400, 1600)),
    "small": Setting(screen=(1100, 740), window=(1100, 700)),
    "small-large-letters": Setting(letters=1.5, screen=(1100, 740), window=(1100, 700)),
}

ALL = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS]
HARD = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.AGGRESSIVE, Expansion.DARKER,
        Expansion.MARKERS]  # fmt: skip

#: A turn, so that all panels have something to tell.
PLAYED: tuple[Event, ...] = (
    SuitTold(Suit.ROSE),
    LadyUpdated(Shown.RURAL),
    PoetMoved(Location.BLACKFRIARS),
    YouthAsked(Location.CORNHILL, Feature.TAVERN),
    WaypointPlaced(Location.SOUTHWARK),
    Overruled(ClueGained(Clue(frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING}),
                              (Mark(Suit.ROSE, frozenset({1, 2})),))), "dealt for the tour"),
)  # fmt: skip


class Photographer:
    """Takes the pictures of one setting."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        self.folder, self.setting, self.number = folder, setting, 0
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, name: str) -> None:
        self.number += 1
        for driven in Driven.left_open:
            while not (driven.window.map.is_drawn or driven.window._is_strip):
                driven.settle(0.05)
            driven.root.update()
        seen = ImageGrab.grab(xdisplay=os.environ["DISPLAY"])
        seen.save(self.folder / f"{self.number:02d}-{name}.png")

    def sheets(self) -> None:
        """Lay the pictures on sheets of six, to be looked at faster."""
        wide, high = 780, 520
        paths = sorted(self.folder.glob("[0-9]*.png"))
        for first in range(0, len(paths), 6):
            sheet = Image.new("RGB", (2 * wide, 3 * high))
            for place, path in enumerate(paths[first : first + 6]):
                with Image.open(path) as picture:
                    small = picture.convert("RGB")
                    small.thumbnail((wide - 6, high - 6), Image.Resampling.LANCZOS)
                    sheet.paste(small, (place % 2 * wide, place // 2 * high))
            sheet.save(self.folder / f"sheet-{first // 6 + 1:02d}.png")


class TableCamera:
    """Shows one still picture after the other, for as long as it is wanted."""

    def __init__(self, picture: Picture) -> None:
        self.picture, self.index = picture, -1

    def read(self, timeout_s: float) -> Frame | None:
        self.index += 1
        return Frame(self.picture, self.index, self.index / 30)

    def close(self) -> None:
        pass


def table_pictures() -> tuple[Picture, Picture, Picture]:
    """Return a stack to be read, a bare table, and a stealth card's landmark."""
    table = VirtualTable(PracticeDeck(load_board(), seed=1), seed=7)
    return (
        table.still(3, Hardness.EASY, showing=Showing.ICON).picture_bgr,
        table.still(3, Hardness.EASY, negative=Negative.TABLE).picture_bgr,
        table.still(2, Hardness.EASY, negative=Negative.STEALTH_BACK).picture_bgr,
    )


def driven_with(setting: Setting, camera: str = "") -> Driven:
    driven = Driven(camera, WindowSettings(theme=setting.theme, letters=setting.letters))
    if setting.window is not None:
        driven.root.geometry("{}x{}+0+0".format(*setting.window))
    driven.settle(0.6)
    return driven


def by_hand(shoot: Photographer, setting: Setting) -> None:
    """Photograph what a game without a camera shows."""
    driven = driven_with(setting)
    driven.until(lambda: driven.has("Begin"))
    driven.settle(0.5)
    shoot("first-start")
    driven.window.set_up.choose(HARD)
    driven.settle()
    shoot("set-up-with-everything")
    driven.window.set_up.choose(ALL)
    driven.begin()
    driven.settle(0.5)
    shoot("turn-1-update")
    for event in PLAYED:
        driven.until(lambda: driven.window._screen is not None)
        if isinstance(event, PoetMoved):
            driven.settle()
            shoot("the-poet-moves")
            driven.acts("Done")
            continue
        entries = len(driven.state.log)
        driven.desk.enter(event)
        driven.until(lambda entries=entries: len(driven.state.log) > entries)  # type: ignore[misc]
    driven.settle()
    shoot("the-lady-moves-on")
    on_to_your_turn(driven, "church")
    driven.acts("Move", "Eastcheap")
    on_to_your_turn(driven, "tavern")
    driven.settle(0.5)
    shoot("your-turn")
    questions(driven, shoot)
    panels(driven, shoot)
    pages(driven, shoot)
    driven.acts("Search", "Yes")
    driven.settle()
    shoot("she-flees")
    driven.acts("Done, symbols")
    on_to_your_turn(driven, "rural")
    for labels in (["Turn up"], ["Turn up", "chain", "heart", "quill"]):
        for label in labels:
            driven.answer(label)
        driven.settle()
        shoot(f"question-clue-{len(labels)}")
        while len(driven.window._stack) > 1:
            driven.press("Escape")
    trouble(driven, shoot)
    the_end(driven, shoot)
    driven.close()


def on_to_your_turn(driven: Driven, symbol: str) -> None:
    driven.acts(symbol)
    while driven.state.game.phase.value == "poet":
        driven.acts("Done")


def questions(driven: Driven, shoot: Photographer) -> None:
    """Photograph the questions of the player's step, each opened and left."""
    for name, labels in {
        "move": ["Move"], "ask": ["Ask"], "seek": ["Seek"], "search": ["Search"],
        "fog-card": ["Use the fog"], "fog-text": ["Use the fog", "3"],
        "confront-youth": ["Confront the Youth"], "tracer": ["Tracer", "3 moves"],
        "confront-lady": ["Confront the Lady", "crown", "music", "ring", "church"],
    }.items():  # fmt: skip
        if not driven.has(labels[0]):
            continue
        for label in labels:
            if driven.has(label) and isinstance(driven.offer(label).open(), Ask):
                driven.answer(label)
        driven.settle()
        shoot(f"question-{name}")
        while len(driven.window._stack) > 1:
            driven.press("Escape")
    driven.press(":")
    driven.settle()
    shoot("type-an-act")
    driven.window._typed("")
    driven.desk.enter(PawnMoved(Location.CLERKENWELL))
    driven.until(lambda: driven.asked.title.startswith("The rules say no"))
    driven.settle()
    shoot("the-rules-say-no")
    driven.press("Escape")


def panels(driven: Driven, shoot: Photographer) -> None:
    """Photograph the tabs, a hint, a correction, and a place that tells why."""
    tabs = driven.window.tabs
    for number, name in enumerate(("who-and-where", "lady", "log", "hints", "score")):
        tabs.book.select(number)  # type: ignore[no-untyped-call]
        driven.settle()
        shoot(f"tab-{name}")
    for help_ in [button.help for button in driven.window._screen.hints]:  # type: ignore[union-attr]
        driven.window.hint(help_)
        driven.settle(0.5)
        shoot(f"hint-{help_.value.replace(' ', '-')}")
    seq = next(e.seq for e in driven.state.log if isinstance(e.event, YouthAsked))
    driven.window.correct(seq)
    driven.settle()
    shoot("correction")
    driven.press("Escape")
    tabs.book.select(0)  # type: ignore[no-untyped-call]
    chart = driven.window.map
    chart.canvas.focus_set()
    for _ in range(5):
        chart._step(1)
    driven.settle()
    shoot("why-a-place-is-out")
    chart.canvas.event_generate("<Leave>")


def pages(driven: Driven, shoot: Photographer) -> None:
    """Photograph the pages over the map, the strip, the menus."""
    for name, show in (("camera-and-cards", driven.window.choose_source),
                       ("keys", driven.window.show_keys),
                       ("new-game", driven.window.show_set_up)):  # fmt: skip
        show()
        driven.settle(0.6)
        shoot(f"page-{name}")
        driven.press("Escape")
    driven.window.swap_views()
    driven.settle(0.5)
    shoot("picture-large-without-camera")
    driven.window.swap_views()
    driven.window.toggle_strip()
    driven.settle(0.6)
    shoot("strip")
    driven.window.toggle_strip()
    driven.settle(0.6)
    bar = driven.root.nametowidget(driven.root.cget("menu"))
    for number, name in enumerate(("game", "view", "camera", "help")):
        menu = bar.nametowidget(bar.entrycget(number, "menu"))
        menu.post(driven.root.winfo_rootx() + 20, driven.root.winfo_rooty() + 20)
        driven.settle()
        shoot(f"menu-{name}")
        menu.unpost()


def trouble(driven: Driven, shoot: Photographer) -> None:
    """Photograph a contradiction and what it leads to."""
    driven.desk.enter(Overruled(YouthAsked(Location.CORNHILL, Feature.CHURCH), "for the tour"))
    driven.until(driven.window.trouble.winfo_ismapped)
    driven.settle(0.5)
    shoot("trouble")
    driven.window.put_right()
    driven.settle()
    shoot("trouble-put-right")
    driven.press("Escape")


def the_end(driven: Driven, shoot: Photographer) -> None:
    """Photograph the end of a game."""
    while not driven.has("Confront the Lady"):
        driven.acts(driven.asked.offers[0].label)
    here = driven.state.board.features(driven.state.game.pawn or Location.CORNHILL)
    symbol = next(feature.value for feature in Feature if feature in here)
    driven.acts("Confront the Lady", "crown", "music", "ring", symbol, "Yes", "Yes")
    driven.settle(0.5)
    shoot("the-end")
    driven.answer("Enter the base")
    driven.settle()
    shoot("the-end-points")


def with_camera(shoot: Photographer, setting: Setting) -> None:
    """Photograph what a game with a camera shows."""
    stack, bare, landmark = table_pictures()
    camera = TableCamera(bare)
    sources.open_source = lambda name: camera  # noqa: ARG005 - the port's own name
    driven = driven_with(setting, camera="7")
    driven.window.set_up.choose(ALL)
    driven.until(lambda: driven.window.film.size[0])
    driven.settle(1.5)
    shoot("camera-before-a-game")
    driven.until(lambda: driven.desk._sight.is_ready, 120)
    camera.picture = landmark
    driven.until(lambda: "on top of the stealth deck" in driven.asked.title)
    driven.settle()
    shoot("camera-top-of-deck-offered")
    driven.press(" ")
    driven.settle()
    shoot("camera-top-of-deck-told")
    camera.picture = bare
    driven.settle(1.0)
    driven.begin()
    driven.settle(1.0)
    shoot("camera-turn-1")
    camera.picture = landmark
    driven.until(lambda: "camera sees" in driven.asked.note)
    driven.settle()
    shoot("camera-landmark-offered")
    on_to_your_turn(driven, driven.asked.offers[0].label)
    camera.picture = stack
    driven.until(lambda: any(isinstance(e.event, YouthAsked) for e in driven.state.log), 60)
    driven.settle(0.4)
    shoot("camera-reading-taken")
    driven.window.swap_views()
    driven.settle(0.6)
    shoot("camera-picture-large")
    driven.window.swap_views()
    driven.window.choose_source()
    driven.settle(0.6)
    shoot("camera-page")
    driven.press("Escape")
    camera.picture = bare
    driven.desk.shoot_board()
    driven.until(lambda: driven.window.page_shown() == "board")
    driven.settle(0.5)
    page = driven.window.board_page
    page.click(page.view.spot[0] + 40, page.view.spot[1] + 40)
    driven.settle()
    shoot("board-page")
    driven.press("Escape")
    driven.close()


def practice_table(shoot: Photographer, setting: Setting) -> None:
    """Photograph the practice table."""
    driven = driven_with(setting, camera="practice")
    driven.until(lambda: driven.window.film.size[0])
    driven.begin()
    driven.settle(1.5)
    shoot("practice-table")
    driven.close()


def other_windows(shoot: Photographer) -> None:
    """Photograph the wizard, the demo's window, the simulated board, the clicks on a photo."""
    sides = frozenset((place, side) for place in Location for side in ("front", "back"))
    some = frozenset(pair for pair in sides if pair[0].value < "E")
    screens = {
        "start": WizardScreen("Lay the first key down.", "Front up, in good light.",
                              taught=frozenset(), wanted=sides),
        "which-key": WizardScreen("Which key is this?", "It looks like one of these.",
                                  taught=some, wanted=sides,
                                  lit=(Location.LIBERTY_OF_THE_CLINK, "back"),
                                  choices=(Location.CORNHILL, Location.LIBERTY_OF_THE_CLINK,
                                           Location.LONDON_BRIDGE),
                                  warnings=("The picture is rather dark.",)),
        "done": WizardScreen("All is learnt.", "Close this window.", taught=sides, wanted=sides,
                             is_done=True, is_enough=True),
    }  # fmt: skip
    live = Image.fromarray(np.ascontiguousarray(table_pictures()[0][:, :, ::-1])).resize(LIVE_PX)
    for name, screen in screens.items():
        messages: queue.SimpleQueue[object] = queue.SimpleQueue()
        wizard = WizardWindow("Bystander", messages, lambda: live, lambda _: None)  # type: ignore[arg-type]
        messages.put(screen)
        messages.put(ChartChanged(learnt_chart(practice_profile(), CHART_PX)))
        shown(wizard._root, wizard.close, wizard.run, lambda name=name: shoot(f"wizard-{name}"))  # type: ignore[misc]
    said: queue.SimpleQueue[object] = queue.SimpleQueue()
    plain = PlainWindow("Bystander: demo", said, lambda: live.resize((640, 360)))  # type: ignore[arg-type]
    said.put(MapChanged(map_shapes(load_board(), {Location.CORNHILL: 0.5}, (Feature.TAVERN,))))
    said.put(Said("Cornhill: tavern. Not Clerkenwell, Blackfriars and St Paul's; 8 places left."))
    shown(plain._root, plain.close, plain.run, lambda: shoot("demo-window"))
    board = LightsWindow(map_shapes(load_board(), {}, ()), 33)
    board.put([(255, 110, 0)] * 12 + [(0, 0, 0)] * 21)
    shown(board._root, board.close, lambda: board.run(lambda: True), lambda: shoot("led-board"))
    photo = PhotoClicks(live, [place.value for place in Location])
    shown(photo._root, photo._root.destroy, photo._root.mainloop, lambda: shoot("photo-clicks"))


def shown(root: tk.Tk, close: Callable[[], None], run: Callable[[], None],
          shoot: Callable[[], None]) -> None:  # fmt: skip
    """Run a window for a moment, photograph it, close it."""

    def photographed() -> None:
        root.update_idletasks()
        shoot()
        close()

    root.geometry("+0+0")
    root.after(1500, photographed)
    run()


def tour(out: Path, name: str) -> None:
    """Photograph everything in one setting."""
    setting = SETTINGS[name]
    shoot = Photographer(out / name, setting)
    with tempfile.TemporaryDirectory() as home:
        os.environ["BYSTANDER_HOME"] = home
        with virtual_display(setting.screen, setting.dpi) as os.environ["DISPLAY"]:
            by_hand(shoot, setting)
            save_profile(practice_profile(), profile_folder())
            with_camera(shoot, setting)
            practice_table(shoot, setting)
            other_windows(shoot)
    shoot.sheets()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        tour(Path(sys.argv[1]), sys.argv[2])
        # The practice table's cards may still be being learnt in a thread: leave as the program
        # does, and let each setting have a process of its own.
        os._exit(0)
    for chosen in sys.argv[2:] or SETTINGS:
        subprocess.run([sys.executable, "-m", __spec__.name, sys.argv[1], chosen], check=True)
