"""Camera and card profile of the play window: opened, changed, told about (the desk thread)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.adapters import home
from assistant.adapters.session_files import read_log
from assistant.adapters.typed_paths import typed_path
from assistant.core.errors import BystanderError, MissingError
from assistant.journal import LogOpened, decode
from assistant.present.words import counted
from assistant.session import CameraSource, Frame
from assistant.ui.desk import Choices
from assistant.vision.sighting import Picture, Reason, Sighting
from assistant.workers import fault_of

if TYPE_CHECKING:
    from assistant.commands.play_practice import PracticeTable
    from assistant.session import Sight
    from assistant.vision.profile import CardProfile

PRACTICE = "practice"
#: How the log names the practice table: with the number of its cards.
_PRACTICE_CARDS = re.compile(f"{PRACTICE} ([0-9]{{1,9}})")

_READY_SOON = "Getting the cards ready …"

NOT_LEARNT = ("Your cards are not learnt yet: numbers and the Lady are read, icons when you have "
              "taught them. Camera menu, Teach it my cards.")  # fmt: skip

#: The exit code of our programs when something in the world is missing.
EXIT_MISSING = 3

#: So much of the end of what a program said is read: its last line is what counts.
_MOST_SAID_BYTES = 10_000


def cards_of_the_evening() -> int:
    """Return a number by which a practice table hides its cards: another every time."""
    return int(time.time()) % 10_000


def practice_cards(log: Path) -> int | None:
    """Return the number of the practice cards that a log first tells of; None without.

    A log that cannot be read has none: what is wrong with it is told where it is opened.
    """
    try:
        notes = decode(read_log(log)).notes
    except BystanderError:
        return None
    cameras = [noted.note.camera or "" for noted in notes if isinstance(noted.note, LogOpened)]
    told = (_PRACTICE_CARDS.fullmatch(camera) for camera in cameras)
    return next((int(match[1]) for match in told if match is not None), None)


class LateSight:
    """A Sight that may come later: until then every frame shows no key."""

    def __init__(self) -> None:
        """Start without one."""
        self._sight: Sight | None = None
        self.why_not = _READY_SOON
        #: Whether the cards in view were never shown, so that icons cannot be told.
        self.is_bare = False

    @property
    def is_ready(self) -> bool:
        """Whether frames are read."""
        return self._sight is not None

    def use(self, sight: Sight | None, why_not: str = "", *, is_bare: bool = False) -> None:
        """Read with this from now on; None: not at all, and why."""
        self._sight, self.why_not, self.is_bare = sight, why_not, is_bare

    def look(self, picture: Picture) -> Sighting:
        """Return what the picture claims."""
        sight = self._sight
        return Sighting(reason=Reason.NO_KEY) if sight is None else sight.look(picture)


class KeptSource:
    """A source that stays open when the run on it is stopped."""

    def __init__(self, source: CameraSource) -> None:
        """Lend a source."""
        self._source = source
        self._is_closed = False

    def read(self, timeout_s: float) -> Frame | None:
        """Return the source's next frame; None at once when given back."""
        if self._is_closed:
            return None
        frame = self._source.read(timeout_s)
        if frame is None and not self._is_closed:
            # A film that is over returns at once, again and again.
            time.sleep(0.02)
        return frame

    def close(self) -> None:
        """Give the source back."""
        self._is_closed = True


class FilmPace:
    """A film shown at its own pace, as a camera would give it: no frame before its time."""

    def __init__(
        self,
        film: CameraSource,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Show a film from its beginning; tests give their own `clock` and `sleep`."""
        self._film, self._clock, self._sleep = film, clock, sleep
        self._began_s = clock()
        self._next: Frame | None = None

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame when its time has come; None when it does not within the wait."""
        frame = self._film.read(timeout_s) if self._next is None else self._next
        self._next = None
        if frame is None:
            return None
        wait_s = self._began_s + frame.time_s - self._clock()
        if wait_s > 0:
            self._sleep(min(wait_s, timeout_s))
        if wait_s > timeout_s:
            self._next = frame
            return None
        return frame

    def close(self) -> None:
        """Close the film."""
        self._film.close()


class Sources:
    """What is open now. One thread uses it; `words` and `table` may be read by others."""

    def __init__(
        self,
        sight: LateSight,
        say: Callable[[str], None],
        profile: str | None,
        learnt: Callable[[CardProfile | None], None] = lambda _profile: None,
    ) -> None:
        """Open nothing yet; `profile` is a folder, None for the player's own.

        `learnt` is told the profile whenever it changes, for what else is read with it.
        """
        self._sight, self._say, self._profile = sight, say, profile
        self._learnt = learnt
        self.source: CameraSource | None = None
        self.table: PracticeTable | None = None
        self.name = ""
        self._loading: threading.Thread | None = None
        self._closing = threading.Event()
        self._wanted = 0
        #: For which cards the reader was got ready, None for none: without a camera none is.
        self._loaded_for_practice: bool | None = None

    @property
    def kept_name(self) -> str | None:
        """The source as the log keeps it: the practice table with the number of its cards."""
        return self.name or None if self.table is None else f"{PRACTICE} {self.table.seed}"

    def open(self, name: str, cards: int | None = None) -> None:
        """Open another source instead; "" for none.

        `cards`: the number by which a practice table hides its cards; another every time without.

        Raises:
            MissingError: it cannot be opened; none is open then.
        """
        old, self.source, self.name = self.source, None, ""
        self.table = None
        if old is not None:
            old.close()
        if name == PRACTICE:
            from assistant.commands.play_practice import PracticeTable

            self.table = PracticeTable(cards_of_the_evening() if cards is None else cards)
            self.source = self.table
        elif name:
            from assistant.adapters.sources import open_source
            from assistant.adapters.webcam import Webcam

            source = open_source(name)
            self.source = source if isinstance(source, Webcam) else FilmPace(source)
        self.name = name
        is_practice = self.table is not None
        if self.source is not None and self._loaded_for_practice is not is_practice:
            self.load_profile()

    def use_profile(self, folder: str) -> None:
        """Read with the profile of a folder from now on."""
        self._profile = folder
        self.load_profile()

    def own_profile_folder(self) -> Path | None:
        """Return the folder of the profile in use; None at the practice table. From any thread."""
        if self.table is not None:
            return None
        return home.profile_folder() if self._profile is None else typed_path(self._profile)

    def load_profile(self) -> None:
        """Get the reader ready in a thread of its own; the newest call counts."""
        self._wanted += 1
        self._loaded_for_practice = self.table is not None
        slowly = "Learning the practice cards …"
        self._sight.use(None, _READY_SOON if self.table is None else slowly)
        self._loading = threading.Thread(
            target=self._load, args=(self._wanted, self.table), name="profile", daemon=True
        )
        self._loading.start()

    def _load(self, number: int, table: PracticeTable | None) -> None:
        fault = fault_of(partial(self._get_ready, number, table))
        if fault is not None and number == self._wanted:
            why = f"The card profile cannot be used ({type(fault).__name__}: {fault})"
            self._sight.use(None, why)
            self._learnt(None)

    def _get_ready(self, number: int, table: PracticeTable | None) -> None:
        from assistant.app import card_profile, practice_profile
        from assistant.data import load_keys
        from assistant.vision.bare import BareReader
        from assistant.vision.reader import Reader

        sight: Sight | None = None
        known: CardProfile | None = None
        why, is_bare = "", False
        try:
            if table is not None:
                # Learnt in another process, so that the picture does not stutter meanwhile; the
                # same deck is learnt here should that fail.
                self._run([sys.executable, "-m", "assistant.commands.learn_practice"])
                profile = practice_profile(table.deck, self._say)
            else:
                profile = card_profile(self._profile)
            sight, known = Reader(profile, live=True), profile
        except BystanderError as error:
            why = str(error)
            folder = self.own_profile_folder()
            if folder is None or not folder.exists():
                # Nothing was ever learnt: what is known of every copy can be read all the same.
                sight, is_bare = BareReader(load_keys()), True
        if number == self._wanted:
            self._sight.use(sight, why, is_bare=is_bare)
            self._learnt(known)
            if is_bare and self.name:
                self._say(NOT_LEARNT)

    def choices(self) -> Choices:
        """Return what there is to choose from; asks the system, which may take a moment."""
        from assistant.adapters.camera_names import cameras_here

        cameras = [("", "No camera: I tell by hand what I see")]
        cameras += [(str(c.number), f"Camera {c.number}  {c.name}") for c in cameras_here()]
        cameras.append((PRACTICE, "The practice table (a virtual camera and deck)"))
        if self.name and self.name not in dict(cameras):
            cameras.append((self.name, _called(self.name)))
        own = home.profile_folder()
        here = "" if own.is_dir() else "  (not learnt yet)"
        profiles = [(str(own), f"My cards{here}")]
        in_use = self._profile or str(own)
        if in_use not in dict(profiles):
            profiles.append((in_use, in_use))
        return Choices(cameras, self.name, profiles, in_use, self.table is not None)

    def words(self, fps: float) -> str:
        """Return the camera's state in words; "" without a camera."""
        if not self.name:
            return ""
        name = "practice table" if self.name == PRACTICE else f"camera {self.name}"
        words = (
            f"{name}: {counted(round(fps), 'picture')} a second" if fps else f"{name}: no picture"
        )
        return f"{words}, cards not learnt yet" if self._sight.is_bare else words

    def run_wizard(self, camera: str) -> None:
        """Run the wizard in a process of its own and wait for it; in any thread.

        Raises:
            MissingError: the wizard could not work; says why.
        """
        folder = self._profile or str(home.profile_folder())
        code, said = self._run(
            [sys.executable, "-m", "assistant.cli", "calibrate", "--camera", camera,
             "--profile", folder]
        )  # fmt: skip
        if code == EXIT_MISSING and said:
            raise MissingError(said.splitlines()[-1].removeprefix("bystander: "))

    def _run(self, command: list[str]) -> tuple[int, str]:
        """Run a program of ours to its end, or until the window closes; return code and stderr.

        What it says goes to a file: a pipe that nobody empties would stop a program of many words.
        """
        with tempfile.TemporaryFile() as said:
            child = subprocess.Popen(  # noqa: S603 - our own program, with names from this window
                command, stdout=subprocess.DEVNULL, stderr=said
            )
            with child:
                while child.poll() is None and not self._closing.wait(0.05):
                    pass
                if child.poll() is None:
                    child.terminate()
            said.seek(max(0, said.seek(0, os.SEEK_END) - _MOST_SAID_BYTES))
            return child.returncode, said.read().decode(errors="replace").strip()

    def close(self) -> bool:
        """Let the source go; return whether nothing is left running."""
        self._closing.set()
        source, self.source = self.source, None
        if source is not None:
            source.close()
        loading = self._loading
        if loading is not None:
            loading.join(0.5)
        return loading is None or not loading.is_alive()

    def stop_waiting(self) -> None:
        """End whatever runs in a process of its own; from any thread."""
        self._closing.set()


def _called(source: str) -> str:
    """Return how a source is called that the system does not name."""
    return f"Camera {source}" if source.isdecimal() else source
