"""The play window over a long evening: `python -m tests.assistant.ui.long_run [FRAMES]`, on Linux.

A game is on, a camera of 1280x720 gives 30 pictures a second of stacks on the practice table, the
reader works, and the live picture is shown at 960x540 or more. Meanwhile the camera's driver hangs
for some seconds, the disk is slow, an LED board's port takes nothing more, Tesseract hangs.

Printed: pictures shown a second, how late a heartbeat of 50 ms came at worst in each time, memory,
items on the canvas. Exit 1 where a limit (see LIMITS) is broken. Needs a display of some 1600x1000:

    xvfb-run -a -s "-screen 0 1600x1000x24" python -m tests.assistant.ui.long_run 3000
"""

from __future__ import annotations

import os
import pty
import sys
import tempfile
import threading
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import cv2
import numpy as np

from assistant.adapters.profiles import save_profile
from assistant.adapters.words_watch import WordsWatch
from assistant.commands.light_options import lights_of
from assistant.commands.play_desk import DeskOptions, PlayDesk
from assistant.commands.play_window import small_pictures
from assistant.data import load_board, load_keys
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.session import Frame
from assistant.ui.emblem_masks import emblem_masks
from assistant.ui.play_window import PlayWindow
from assistant.ui.window_frame import WindowParts, WindowSettings
from assistant.vision.printed_words import PrintedWords
from assistant.vision.sighting import Picture
from tests.assistant.ui.play_driver import FONT, Driven
from tests.assistant.vision.practice_profile import practice_profile

SIZE = (1280, 720)
FPS = 30
LEAST_PREVIEW_PX = (960, 540)
BEAT_MS = 50
#: Frames before memory and speed are counted, and how long each trouble lasts.
WARM_UP, TROUBLE_S = 300, 5.0
LIMITS = SimpleNamespace(pictures_a_second=25.0, late_ms=150.0, growth_mb=20.0)


class Table:
    """A camera over stacks that are laid and lifted; `hang` holds its driver fast."""

    def __init__(self) -> None:
        deck = PracticeDeck(load_board(), seed=1)
        table, chance = VirtualTable(deck, seed=5), np.random.default_rng(5)
        stills = [table.still(number, Hardness.NORMAL, SIZE).picture_bgr for number in range(8)]
        self._pictures = [[noisy(still, chance) for _ in range(3)] for still in stills]
        self.given = 0
        self._began_s = time.monotonic()
        self.hang = threading.Event()

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame at its time; never sooner than the driver lets go."""
        while self.hang.is_set():
            time.sleep(0.01)
        now_s = time.monotonic() - self._began_s
        due_s = self.given / FPS
        if due_s > now_s:
            time.sleep(min(due_s - now_s, timeout_s))
        elif now_s - due_s > 1:
            self._began_s += now_s - due_s
        self.given += 1
        # A stack lies for three seconds.
        shown = self._pictures[self.given // (3 * FPS) % len(self._pictures)]
        return Frame(shown[self.given % 3], self.given, time.monotonic() - self._began_s)

    def close(self) -> None:
        """Let go."""
        self.hang.clear()


def noisy(picture: Picture, chance: np.random.Generator) -> Picture:
    """Return a picture with a sensor's noise."""
    noise = chance.integers(0, 4, picture.shape, np.uint8)
    return np.asarray(cv2.add(picture, noise), np.uint8)


class Evening:
    """The window, its beats and pictures, counted."""

    def __init__(self, table: Table, listeners: tuple[object, ...], profile: Path) -> None:
        self.table, self.shown = table, 0
        self.late_ms: list[float] = []
        options = DeskOptions(
            font_path=FONT,
            camera="0",
            profile=str(profile),
            listeners=listeners,  # type: ignore[arg-type]
        )
        self.driven = Driven.__new__(Driven)
        self.driven.desk = PlayDesk(options)
        parts = WindowParts(load_board(), FONT, emblem_masks(small_pictures()), WindowSettings())
        self.driven.window = PlayWindow(self.driven.desk, parts)
        self.root = self.driven.root = self.driven.window.root
        self.root.geometry("1400x900+0+0")
        self._count_pictures()
        self._due_s = time.monotonic()
        self._beat()

    def _count_pictures(self) -> None:
        film = self.driven.window.film
        show = film.show

        def counted(picture: object) -> None:
            self.shown += 1
            show(picture)  # type: ignore[arg-type]

        film.show = counted  # type: ignore[method-assign]

    def _beat(self) -> None:
        now_s = time.monotonic()
        self.late_ms.append((now_s - self._due_s) * 1000)
        self._due_s = now_s + BEAT_MS / 1000
        self.root.after(BEAT_MS, self._beat)

    def work(self, seconds: float) -> tuple[float, float]:
        """Let the window work; return pictures a second and the latest beat, ms."""
        shown, began_s = self.shown, time.monotonic()
        self.late_ms.clear()
        self.driven.settle(seconds)
        return (self.shown - shown) / (time.monotonic() - began_s), max(self.late_ms, default=9e9)

    @property
    def items(self) -> int:
        """How many items all canvases hold."""
        window = self.driven.window
        return sum(len(view.canvas.find_all()) for view in (window.film, window.map))


def used_mb() -> float:
    """Return the memory that this process holds, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def hangs(_picture: Picture) -> str:
    """Read text as a Tesseract that hangs does."""
    time.sleep(600)
    return ""


@contextmanager
def slow_disk() -> Iterator[None]:
    """Let every sync to disk take two seconds."""
    really = os.fsync

    def slow(handle: int) -> None:
        time.sleep(2.0)
        really(handle)

    with patch("os.fsync", slow):
        yield


@contextmanager
def hanging(table: Table) -> Iterator[None]:
    """Let the camera's driver hang."""
    table.hang.set()
    try:
        yield
    finally:
        table.hang.clear()


def main(arguments: list[str]) -> int:
    """Run and print; return 0, or 1 when a limit is broken."""
    frames = int(arguments[0]) if arguments else 3000
    cv2.setNumThreads(1)
    table = Table()
    with ExitStack() as opened, tempfile.TemporaryDirectory() as home:
        opened.enter_context(patch.dict(os.environ, {"BYSTANDER_HOME": home}))
        opened.enter_context(patch("assistant.adapters.sources.open_source", lambda _name: table))
        profile = Path(home) / "practice"
        save_profile(practice_profile(), profile)
        # A port whose other end never reads, and words that never come.
        _, port = pty.openpty()
        lights = opened.enter_context(
            lights_of(Namespace(leds=os.ttyname(port), leds_layer=None, leds_still=False,
                                leds_night=False), lambda _line: None)
        )  # fmt: skip
        words = WordsWatch(PrintedWords(load_keys(), hangs), lambda _line: None)
        evening = Evening(table, (*lights, words.told), profile)
        try:
            return judge(evening, frames)
        finally:
            table.close()
            evening.driven.close()


def judge(evening: Evening, frames: int) -> int:
    """Play the evening and print what was seen."""
    table, driven = evening.table, evening.driven
    driven.begin()
    driven.until(lambda: evening.shown > 10)
    if driven.window.film.size < LEAST_PREVIEW_PX:
        driven.window.swap_views()
    driven.until(lambda: table.given > WARM_UP, limit_s=60)
    say(f"live picture {driven.window.film.size}, {evening.items} items, {used_mb():.0f} MB")
    used, items, begun = used_mb(), evening.items, table.given
    rates: list[float] = []
    beats: list[float] = []

    def measure(trouble: AbstractContextManager[None], name: str = "") -> None:
        with trouble:
            rate, late_ms = evening.work(TROUBLE_S)
        beats.append(late_ms)
        if not name:
            rates.append(rate)
        say(f"{table.given - begun:6} frames  {rate:5.1f} pictures a second, beat at most "
            f"{late_ms:5.1f} ms late, {used_mb():.0f} MB  {name}")  # fmt: skip

    while table.given - begun < frames / 2:
        measure(nullcontext())
    measure(hanging(table), "the camera hangs")
    measure(slow_disk(), "the disk is slow")
    while table.given - begun < frames:
        measure(nullcontext())
    grown, mean = used_mb() - used, sum(rates) / len(rates)
    say(f"pictures a second: mean {mean:.1f}, least {min(rates):.1f}; beat at most "
        f"{max(beats):.1f} ms late; memory grown {grown:.1f} MB; items {items} -> {evening.items}; "
        f"log {len(driven.state.log)} entries")  # fmt: skip
    keeps = mean >= LIMITS.pictures_a_second and max(beats) <= LIMITS.late_ms
    return int(not (keeps and grown <= LIMITS.growth_mb and evening.items == items))


def say(line: str) -> None:
    """Print a line at once: the run takes a while."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
