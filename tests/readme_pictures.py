"""The README's film and its advice on camera and lamp, drawn by this repository's own code.

    python -m tests.readme_pictures FOLDER

writes film.webp, a practice game as the play window shows it (camera left, map right), and
camera-and-lamp.jpg, one table filmed well and badly, each with what the reader makes of it.
Nothing is left to chance, yet the files differ by some bytes from one OpenCV or Pillow to the next,
so a test asks the reader about the pictures, not for the same bytes.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from assistant.commands.demo_game import DemoGame
from assistant.commands.play_film import FilmMaker
from assistant.commands.play_window import small_pictures
from assistant.core.events import SessionStarted
from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.practice.camera import PracticeCamera
from assistant.practice.deck import PracticeDeck
from assistant.practice.faces import face_of, key_back
from assistant.practice.handling import hole_on_table
from assistant.practice.lens import Lens, Optics, Shine, packed
from assistant.practice.scene import lay_with_shadow
from assistant.practice.stack import Laid, card_seen
from assistant.practice.stage import Hardness, View, view_of
from assistant.practice.surfaces import Surface, surface_seen
from assistant.present.table_map import table_map
from assistant.present.words import counted, listed, reading_words
from assistant.session import MemoryLog, News, ReadingTaken, Session, Sighted
from assistant.ui.emblem_masks import emblem_masks
from assistant.ui.map_picture import draw_map
from assistant.ui.map_sheet import Fonts, MapLook
from assistant.ui.palettes import DARK, rgb
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture, Side, Sighting
from tests.assistant.vision.practice_profile import practice_profile

#: Of the first sixteen the one with the map on the table whose game ends with one of each left.
SEED = 14
FILM_PX, MAP_PX, WORDS_PX = (528, 297), (472, 392), 95

#: Every third of thirty frames a second is shown, and a reading stays long enough to be read.
EACH, EACH_MS, READING_MS, END_MS = 3, 100, 1700, 5000

STILL_PX = (1280, 720)


@cache
def font(px: int) -> ImageFont.FreeTypeFont:
    """Return the shipped font at a size."""
    return ImageFont.truetype(font_path(), px)


def font_path() -> str:
    """Return where the shipped font lies (in a clone it is a file)."""
    return str(resources.files("assistant.data") / "fonts" / "GentiumBasic-Bold.ttf")


class Cutter:
    """Hears the news of a practice game and cuts the film."""

    def __init__(self, start: State) -> None:
        self.images: list[Image.Image] = []
        self.durations_ms: list[int] = []
        self._maker = FilmMaker(font_path())
        self._maker.wanted_px = FILM_PX
        self._look = MapLook(DARK, Fonts(font_path()), emblem_masks(small_pictures()), letters=1.25)
        self._words = ["Lay the card on a location key, flip both."]
        self._state = start
        self._map = self._drawn_map()

    def told(self, news: News) -> None:
        """Take one piece of news."""
        if isinstance(news, ReadingTaken):
            self._state = news.state
            self._map = self._drawn_map()
            self._words = [
                reading_words(news.reading.location, news.reading.content),
                f"still possible: {counted(len(news.state.youth.candidates), 'place')}, "
                f"{counted(len(news.state.rendezvous.candidates), 'symbol')}",
            ]
            self._add(READING_MS)
        elif isinstance(news, Sighted):
            self._maker.saw(news)
            self._frame = news.frame
            if news.frame.index % EACH == 0:
                self._add(EACH_MS)

    def end(self) -> None:
        """Add the end, with what came out."""
        youth, symbol = self._state.youth.weights, self._state.rendezvous.weights
        self._words = [
            f"The Fair Youth: {listed(place.value for place in youth)}",
            f"The rendezvous: {listed(feature.value for feature in symbol)}",
        ]
        self._add(END_MS)

    def _drawn_map(self) -> Image.Image:
        return draw_map(table_map(self._state), self._look, MAP_PX)

    def _add(self, duration_ms: int) -> None:
        size = (FILM_PX[0] + MAP_PX[0], MAP_PX[1])
        image = Image.new("RGB", size, rgb(DARK.paper))
        image.paste(self._maker.picture(self._frame), (0, 0))
        image.paste(self._map, (FILM_PX[0], 0))
        draw = ImageDraw.Draw(image)
        for number, line in enumerate(self._words):
            ink = rgb(DARK.ink if number == 0 else DARK.faint)
            draw.text(
                (14, FILM_PX[1] + 14 + 36 * number), line, fill=ink, font=font(23 - 3 * number)
            )
        self.images.append(image)
        self.durations_ms.append(duration_ms)


def film(path: Path, seed: int = SEED) -> None:
    """Film a practice game and write it."""
    board = load_board()
    deck = PracticeDeck(board, seed=seed)
    youth = list(deck.youth.values())[seed % len(Location)]
    rendezvous = list(deck.rendezvous.values())[seed % len(Feature)]
    session = Session(board, Reader(practice_profile()), MemoryLog())
    session.enter(SessionStarted(frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS})))
    cutter = Cutter(session.state)
    session = Session(
        board, Reader(practice_profile()), MemoryLog(),
        earlier=session.events, listeners=[cutter.told],
    )  # fmt: skip
    game = DemoGame(session, PracticeCamera(deck, seed, Hardness.EASY), youth, rendezvous)
    game.play()
    cutter.end()
    first, *rest = cutter.images
    first.save(
        path, save_all=True, append_images=rest, duration=cutter.durations_ms, loop=0,
        quality=50, method=6,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """How a table is filmed; the defaults are those of good advice."""

    px_per_mm: float = 4.6
    tilt_deg: float = 12.0
    towards_deg: float = 0.0
    exposure: float = 1.0
    blur_px: float = 0.5
    glare: float = 0.0


#: What each picture shows: its caption, and how it is filmed.
SETTINGS: Mapping[str, tuple[str, Setting]] = {
    "good": ("Good: near, from above, light from the side", Setting()),
    "far": ("Too far away: bring the camera nearer", Setting(px_per_mm=1.25)),
    "tilted": ("Tilted too much: look down more steeply", Setting(px_per_mm=4.0, tilt_deg=62.0)),
    "glare": ("The lamp glares on the keyhole: move it aside", Setting(glare=1.6)),
    "dark": ("Too dark: a second lamp", Setting(exposure=0.12)),
    "blurred": ("Not in focus", Setting(blur_px=4.5)),
}


def still(setting: Setting) -> Picture:
    """Return the same stack on the same table, filmed so; (720, 1280, 3) uint8, BGR."""
    lots = np.random.default_rng(3)
    deck = PracticeDeck(load_board(), seed=1)
    place, turn_deg, light_deg = Location.CORNHILL, 24.0, 200.0
    width, height = STILL_PX
    view = view_of(STILL_PX, setting.px_per_mm, setting.tilt_deg, setting.towards_deg,
                   (width * 0.5, height * 0.5))  # fmt: skip
    frame = surface_seen(Surface.WOOD, lots, view.to_frame, view.size)
    laid = Laid(0.0, 0.0, turn_deg, light_deg - turn_deg, lower_mm=(0.3, -0.2))
    stack = card_seen(
        view, laid, key_back(place), (place, Side.BACK),
        lower=face_of(deck.youth[Location.SOUTHWARK]),
    )  # fmt: skip
    lay_with_shadow(frame, stack, view, light_deg, height_mm=0.8)
    lens = Lens(
        light=np.full((18, 32), setting.exposure, np.float32),
        cast_bgr=(0.97, 1.0, 1.03),
        shines=_glare(setting, view, hole_on_table(place, Side.BACK, turn_deg)),
        blur_px=setting.blur_px,
        smear=None,
        noise=1.6,
        jpeg=92,
    )
    return packed(Optics(lens, STILL_PX).seen(frame), lens, lots)


def _glare(setting: Setting, view: View, hole_mm: tuple[float, float]) -> tuple[Shine, ...]:
    if not setting.glare:
        return ()
    x, y = view.px_at(*hole_mm)
    wide = 9 * view.px_per_mm
    return (Shine(x, y, wide * 1.4, wide, 30.0, setting.glare),)


def read(picture: Picture) -> Sighting:
    """Return what the reader makes of a still of the practice deck."""
    return Reader(practice_profile()).read_still(picture)


def advice(path: Path, columns: int = 3, wide: int = 400, high: int = 225, foot: int = 34) -> None:
    """Write one sheet of all settings with their captions."""
    rows = math.ceil(len(SETTINGS) / columns)
    sheet = Image.new("RGB", (columns * wide, rows * (high + foot)), rgb(DARK.paper))
    draw = ImageDraw.Draw(sheet)
    for number, (caption, setting) in enumerate(SETTINGS.values()):
        left, top = number % columns * wide, number // columns * (high + foot)
        small = cv2.resize(still(setting), (wide - 6, high), interpolation=cv2.INTER_AREA)
        sheet.paste(Image.fromarray(np.ascontiguousarray(small[:, :, ::-1])), (left + 3, top + 3))
        good = number == 0
        draw.text((left + 8, top + high + 8), caption, fill=rgb(DARK.ink), font=font(17))
        box = (left + 3, top + 3, left + wide - 4, top + high + 2)
        draw.rectangle(box, outline=(80, 220, 110) if good else (235, 95, 80), width=3)
    sheet.save(path, quality=84)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    film(folder / "film.webp")
    advice(folder / "camera-and-lamp.jpg")
