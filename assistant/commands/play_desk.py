"""The desk of the play window: does what the window asks in threads of its own, tells the outcome.

    window --Desk calls--> jobs --desk thread--> session (log on disk) --news--> states
                                                                                   |
    window <--messages-- screen thread (Views) <-----------------------------------+
    window <--newest---- film thread (Views) <--- LiveRun.preview (grab thread)

A slow disk holds the desk thread, a slow driver the grab thread, a slow reader the read thread:
none of them the window.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from assistant.adapters.board_file import load_board_face
from assistant.commands.frame_watch import fault_words
from assistant.commands.play_session import PlayedSession
from assistant.commands.play_sources import PRACTICE, LateSight, Sources, practice_cards
from assistant.commands.play_teaching import Teaching
from assistant.commands.play_views import Views
from assistant.core.errors import BystanderError
from assistant.core.events import Event, SessionStarted
from assistant.core.state import State
from assistant.core.turn_events import Help
from assistant.data import load_ladies
from assistant.present.turn_row import Known
from assistant.session import Listener
from assistant.ui.desk import LineStatus, Message, Noted, Practice
from assistant.workers import fault_of

#: So many messages are shown in one go, and the rest in the next: the window goes on drawing.
_BATCH = 40

_STATUS_S = 1.0


@dataclass(frozen=True, slots=True)
class DeskOptions:
    """What the desk is set up with."""

    font_path: str
    camera: str = ""
    profile: str | None = None
    resume: Path | None = None
    #: The log of the last game, to go on with when that is wished.
    last: Path | None = None
    #: What is kept beside the log: the camera's film, a small picture of each reading.
    film: bool = False
    pictures: bool = False
    #: Tells the state of the LED board in words; "" without one.
    lights: Callable[[], str] = lambda: ""
    listeners: tuple[Listener, ...] = ()
    keep: Callable[[str, str | float | bool], None] = lambda _name, _value: None


class PlayDesk:
    """See the module. Its public methods may be called from any thread and return at once."""

    def __init__(self, options: DeskOptions) -> None:
        """Start the threads; what the options name is opened in them."""
        self._options = options
        self._told: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        tell, later = self._told.put, self._jobs.put
        self._sight = LateSight()
        self._views = Views(options.font_path, self._sight, tell)
        self._sources = Sources(self._sight, self._note, options.profile, self._views.landmark.use)
        self._stopping = threading.Event()
        #: The number of the practice cards of the game that is on; None without.
        self._cards: int | None = None
        #: Those that any game of this window was played with.
        self._dealt: set[int] = set()
        self._played = PlayedSession(
            self._sight, self._sources, self._views, tell, later=later, stopping=self._stopping
        )
        self._teaching = Teaching(self._sources, self._views, tell, self._use_camera, later)
        self._threads = [
            threading.Thread(target=self._guard, args=(work,), name=name, daemon=True)
            for name, work in (
                ("desk", self._work), ("screen", self._show), ("film", self._roll),
            )
        ]  # fmt: skip
        self._jobs.put(self._begin)
        for thread in self._threads:
            thread.start()

    # -- what the window reads --------------------------------------------------------------------

    def messages(self) -> Sequence[Message]:
        """Return what is new, oldest first."""
        found: list[Message] = []
        with suppress(queue.Empty):
            while len(found) < _BATCH:
                found.append(self._told.get_nowait())
        return found

    def newest(self) -> Image.Image | None:
        """Return the newest picture; None when none is new."""
        return self._views.film.take(0.0)

    def want_film(self, width_px: int, height_px: int) -> None:
        """Have pictures fit into this size."""
        self._views.maker.wanted_px = (width_px, height_px)

    # -- what the window asks ---------------------------------------------------------------------

    def start(self, started: SessionStarted) -> None:
        """Begin a new game."""
        self._jobs.put(lambda: self._start(started))

    def resume(self) -> None:
        """Go on with the last game, as it stood."""
        last = self._options.last
        if last is not None:
            self._jobs.put(lambda: self._resume(last))

    def enter(self, event: Event) -> None:
        """Take an event into the game; one that the rules refuse asks first."""
        self._jobs.put(lambda: self._played.enter(event))

    def undo(self) -> None:
        """Take the last thing back."""
        self._jobs.put(self._played.undo)

    def redo(self) -> None:
        """Take the last undo back."""
        self._jobs.put(self._played.redo)

    def hint(self, asked: Help) -> None:
        """Give a hint, counted."""
        self._jobs.put(lambda: self._played.hint(asked))

    def type_line(self, text: str) -> None:
        """Take a typed act."""
        self._jobs.put(lambda: self._played.type_line(text))

    def practise(self, what: Practice) -> None:
        """Lay or lift a stack at the practice table."""
        self._jobs.put(lambda: self._practise(what))

    def use_camera(self, name: str) -> None:
        """Take the pictures from another source."""
        self._jobs.put(lambda: self._use_camera(name))

    def use_profile(self, folder: str) -> None:
        """Read with another card profile."""
        self._jobs.put(lambda: self._sources.use_profile(folder))

    def look_for_choices(self) -> None:
        """Tell the cameras and profiles that are there."""
        self._jobs.put(lambda: self._told.put(self._sources.choices()))

    def calibrate(self) -> None:
        """Lend the camera to the wizard's window, then take it back with what was learnt."""
        self._jobs.put(self._teaching.teach_cards)

    def shoot_board(self) -> None:
        """Tell a still picture to learn the board from."""
        self._jobs.put(self._teaching.shoot_board)

    def learn_board(self, corners: Sequence[tuple[float, float]]) -> None:
        """Learn the board on the last still, and keep it."""
        self._jobs.put(lambda: self._teaching.learn_board(corners))

    def want_landmark(self, wanted: bool, *, is_first: bool = False) -> None:
        """Look for the stealth card on top, from anew, or no more."""
        self._views.landmark.want(wanted, is_first=is_first)

    def keep(self, name: str, value: str | float | bool) -> None:
        """Remember a setting of the window."""
        self._jobs.put(lambda: self._options.keep(name, value))

    def close(self, timeout_s: float = 1.5) -> bool:
        """End everything; return whether all threads ended in time."""
        self._stopping.set()
        self._sources.stop_waiting()
        self._jobs.put(None)
        self._views.wake()
        end_s = time.monotonic() + timeout_s
        run, teacher = self._played.run, self._teaching.thread
        ended = run is None or run.stop(timeout_s / 2)
        threads = self._threads if teacher is None else [*self._threads, teacher]
        for thread in threads:
            thread.join(max(end_s - time.monotonic(), 0.05))
        ended = self._views.stop() and ended
        ended = ended and not any(thread.is_alive() for thread in threads)
        if ended:
            self._played.close()
        return self._sources.close() and ended

    # -- in the desk thread -----------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None or self._stopping.is_set():
                return
            with _telling(self._note):
                job()

    def _begin(self) -> None:
        """Open what the command line named; each failure is told and the rest goes on."""
        self._played.show()
        resume = self._options.resume
        if resume is not None:
            with _telling(self._note):
                self._resume(resume)
        with _telling(self._note):
            self._use_camera(self._options.camera)
        with _telling(self._note):
            self._views.board.use(load_board_face())

    def _start(self, started: SessionStarted) -> None:
        self._lay_out(None)
        table = self._sources.table
        self._open(started if table is None else table.dealt(started), None)

    def _resume(self, log: Path) -> None:
        """Go on with a game; at the practice table with the cards that were hidden for it."""
        self._lay_out(practice_cards(log))
        self._open(SessionStarted(), log)

    def _lay_out(self, cards: int | None) -> None:
        """Have a game's own cards on the practice table; without a number no other game's."""
        self._cards = cards
        table = self._sources.table
        if table is not None and (table.seed in self._dealt if cards is None
                                  else table.seed != cards):  # fmt: skip
            self._use_camera(PRACTICE)
        self._note_cards()

    def _note_cards(self) -> None:
        """Keep in mind which cards lie on the practice table for the game that is on or begins."""
        table = self._sources.table
        if table is not None:
            self._cards = table.seed
            self._dealt.add(table.seed)

    def _open(self, started: SessionStarted, resume: Path | None) -> None:
        from assistant.app import Keeping

        options, camera = self._options, self._sources.kept_name
        keeping = Keeping(camera, options.profile, options.pictures, options.film)
        self._played.open(started, resume, keeping, options.listeners)

    def _use_camera(self, name: str) -> None:
        self._played.halt()
        self._sources.open(name, self._cards)
        if self._played.is_on:
            self._note_cards()
        self._played.roll()
        if name != self._options.camera:
            self._options.keep("camera", name)
        self._tell_status()
        self._played.show()
        self._told.put(self._sources.choices())

    def _practise(self, what: Practice) -> None:
        table, state = self._sources.table, self._played.state
        if table is None:
            return
        if what is Practice.YOUTH:
            table.lay_youth(state)
        elif what is Practice.RENDEZVOUS:
            table.lay_rendezvous(state)
        elif what is Practice.STEALTH:
            table.lay_stealth(state)
        else:
            table.lift()

    def _note(self, text: str) -> None:
        self._told.put(Noted(text))

    # -- the other threads -------------------------------------------------------------------------

    def _show(self) -> None:
        ladies = load_ladies()

        def known(state: State) -> Known:
            table = self._sources.table
            cards = None if table is None else table.cards(state.started.expansions)
            return Known(ladies, cards, is_filmed=self._sources.source is not None)

        while not self._stopping.is_set():
            self._views.show_next(known)

    def _roll(self) -> None:
        told_s = 0.0
        while not self._stopping.is_set():
            self._views.roll_next(self._played.run, self._stopping)
            if time.monotonic() - told_s > _STATUS_S:
                told_s = time.monotonic()
                self._tell_status()

    def _tell_status(self) -> None:
        camera = self._sources.words(self._views.maker.fps)
        if camera and not self._sight.is_ready:
            # Told even where no frame comes that could bring it up.
            self._views.tell_seen(self._sight.why_not)
        name = self._played.log_name
        self._told.put(LineStatus(camera, self._options.lights(), f"log {name}" if name else ""))

    def _guard(self, work: Callable[[], None]) -> None:
        fault = fault_of(work)
        if fault is not None:
            self._note(fault_words(fault))


class _telling:  # noqa: N801 - a context manager reads as a verb
    """Tells errors of ours in a line instead of raising them."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, BystanderError):
            self._say(str(error))
            return True
        return False
