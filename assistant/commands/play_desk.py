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
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from assistant.adapters.board_file import load_board_face, save_board_face
from assistant.commands.calibrate_play import PlayedPrint
from assistant.commands.frame_watch import fault_words
from assistant.commands.play_board import learnt_from
from assistant.commands.play_film import still_of
from assistant.commands.play_sources import KeptSource, LateSight, Sources
from assistant.commands.play_views import Views, reading_said
from assistant.commands.play_words import parse_act
from assistant.core.errors import BystanderError, UsageError
from assistant.core.events import Act, Event, Overruled, Retracted, SessionStarted
from assistant.core.turn_events import Help, HelpUsed
from assistant.data import load_board, load_ladies
from assistant.present.choices import Offer, Wish, ask
from assistant.present.hints import hint_words
from assistant.present.rescan import repeats_an_error
from assistant.present.turn_row import Known
from assistant.session import (
    EventEntered,
    Frame,
    Listener,
    LiveRun,
    MemoryLog,
    News,
    Notice,
    ReadingTaken,
    Session,
    Sighted,
)
from assistant.ui.desk import (
    BoardShot,
    HintGiven,
    LineStatus,
    Message,
    Noted,
    Practice,
    Questioned,
)
from assistant.workers import fault_of

if TYPE_CHECKING:
    from assistant.core.state import State

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
        self._sight = LateSight()
        self._views = Views(options.font_path, self._sight, self._told.put)
        self._board_frame: Frame | None = None
        self._sources = Sources(self._sight, self._note, options.profile, self._views.landmark.use)
        self._teacher: threading.Thread | None = None
        self._opened = ExitStack()
        self._session: Session = self._idle_session()
        self._run: LiveRun | None = None
        self._log_name, self._is_on = "", False
        self._stopping = threading.Event()
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
            self._jobs.put(lambda: self._open(SessionStarted(), last))

    def enter(self, event: Event) -> None:
        """Take an event into the game; one that the rules refuse asks first."""
        self._jobs.put(lambda: self._enter(event))

    def undo(self) -> None:
        """Take the last thing back."""
        self._jobs.put(lambda: self._enter_some(self._session.state.undo(), "undo"))

    def redo(self) -> None:
        """Take the last undo back."""
        self._jobs.put(lambda: self._enter_some(self._session.state.redo(), "redo"))

    def hint(self, asked: Help) -> None:
        """Give a hint, counted."""

        def give() -> None:
            words = hint_words(self._session.state, asked)
            self._session.enter(HelpUsed(asked))
            self._told.put(HintGiven(words))

        self._jobs.put(give)

    def type_line(self, text: str) -> None:
        """Take a typed act."""

        def take() -> None:
            try:
                self._enter(parse_act(text, self._session.state))
            except UsageError as error:
                self._note(f"Not understood: {error}")

        self._jobs.put(take)

    def practise(self, what: Practice) -> None:
        """Lay or lift a stack at the practice table."""

        def do() -> None:
            table = self._sources.table
            if table is None:
                return
            state = self._session.state
            {
                Practice.YOUTH: lambda: table.lay_youth(state),
                Practice.RENDEZVOUS: lambda: table.lay_rendezvous(state),
                Practice.STEALTH: lambda: table.lay_stealth(state),
                Practice.LIFT: table.lift,
            }[what]()

        self._jobs.put(do)

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

        def lend() -> None:
            if self._teacher is not None and self._teacher.is_alive():
                self._note("The window that learns your cards is open already.")
                return
            name = self._sources.name
            self._use_camera("")
            self._note("The window that learns your cards is opening.")
            # It may be open for long; the game goes on by hand meanwhile.
            self._teacher = threading.Thread(
                target=self._guard, args=(partial(self._teach, name),), name="teach", daemon=True
            )
            self._teacher.start()

        self._jobs.put(lend)

    def shoot_board(self) -> None:
        """Tell a still picture to learn the board from."""

        def shoot() -> None:
            self._board_frame = self._views.maker.last
            if self._board_frame is None:
                self._note("There is no picture: choose a camera first.")
            else:
                self._told.put(BoardShot(still_of(self._board_frame)))

        self._jobs.put(shoot)

    def learn_board(self, corners: Sequence[tuple[float, float]]) -> None:
        """Learn the board on the last still, and keep it."""

        def learn() -> None:
            if self._board_frame is None:
                return
            try:
                face = learnt_from(self._board_frame, list(corners))
            except ValueError:
                self._note("Too little is to be seen of the board. Try with more light, or nearer.")
                return
            self._views.board.use(face)
            save_board_face(face)
            self._note("The board is learnt: candidates are drawn on it when it is in view.")

        self._jobs.put(learn)

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
        run = self._run
        ended = run is None or run.stop(timeout_s / 2)
        threads = self._threads if self._teacher is None else [*self._threads, self._teacher]
        for thread in threads:
            thread.join(max(end_s - time.monotonic(), 0.05))
        ended = self._views.stop() and ended
        ended = ended and not any(thread.is_alive() for thread in threads)
        if ended:
            self._opened.close()
        return self._sources.close() and ended

    # -- in the desk thread -----------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None or self._stopping.is_set():
                return
            try:
                job()
            except BystanderError as error:
                self._told.put(Noted(str(error), is_warning=True))

    def _begin(self) -> None:
        """Open what the command line named; each failure is told and the rest goes on."""
        self._tell_state(self._session.state)
        if self._options.resume is not None:
            with _telling(self._warn):
                self._open(SessionStarted(), self._options.resume)
        with _telling(self._warn):
            self._use_camera(self._options.camera)
        with _telling(self._warn):
            self._views.board.use(load_board_face())

    def _start(self, started: SessionStarted) -> None:
        table = self._sources.table
        self._open(started if table is None else table.dealt(started), None)

    def _open(self, started: SessionStarted, resume: Path | None) -> None:
        """Begin a session with a log, or go on with one; the camera turns to it."""
        from assistant.app import Keeping, recorded_session

        self._halt()
        self._opened.close()
        self._opened = ExitStack()
        pupil = PlayedPrint(self._sources.own_profile_folder, self._note)
        listeners = [self._news, pupil.told, *self._options.listeners]
        self._is_on = True
        options = self._options
        keeping = Keeping(
            self._sources.name or None, options.profile, options.pictures, options.film
        )
        try:
            session, path = self._opened.enter_context(
                recorded_session(self._sight, started, listeners, resume=resume, keeping=keeping)
            )
        except BystanderError:
            # No log: nothing may be entered as if it were kept.
            self._session, self._is_on = self._idle_session(), False
            raise
        self._opened.callback(pupil.close)
        self._session, self._log_name = session, path.name
        self._tell_state(session.state)
        self._roll_again()

    def _idle_session(self) -> Session:
        """Return a session that is kept nowhere: the camera is looked through before a game."""
        return Session(load_board(), self._sight, MemoryLog(), listeners=[self._idle_news])

    def _use_camera(self, name: str) -> None:
        self._halt()
        self._sources.open(name)
        self._roll_again()
        if name != self._options.camera:
            self._options.keep("camera", name)
        self._tell_status()
        self._tell_state(self._session.state)
        self._told.put(self._sources.choices())

    def _teach(self, name: str) -> None:
        """Run the wizard to its end, then take the camera back (in a thread of its own)."""
        try:
            self._sources.run_wizard(name or "0")
        except BystanderError as error:
            self._warn(str(error))
        self._jobs.put(lambda: self._taught(name))

    def _taught(self, name: str) -> None:
        self._sources.load_profile()
        if not self._sources.name:
            self._use_camera(name)

    def _halt(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.stop(1.5)

    def _roll_again(self) -> None:
        source = self._sources.source
        if source is not None and not self._stopping.is_set():
            self._run = LiveRun(self._session, KeptSource(source))

    def _enter(self, event: Event) -> None:
        session = self._session
        if not self._is_on and not isinstance(event, SessionStarted):
            self._note("Begin a game first.")
            return
        refused = session.state.refusal(event) if isinstance(event, Act) else None
        if refused is not None and isinstance(event, Act):
            self._told.put(
                Questioned(
                    ask(
                        f"The rules say no: {refused}.",
                        [
                            Offer("Leave it", Wish.BACK, "n"),
                            Offer("It happened (house rule)", Overruled(event, refused), "y"),
                        ],
                    )
                )
            )
            return
        session.enter(event)

    def _enter_some(self, event: Event | None, name: str) -> None:
        if event is None:
            self._note(f"There is nothing to {name}.")
        else:
            self._session.enter(event)

    # -- told by the session, in its threads -------------------------------------------------------

    def _idle_news(self, news: News) -> None:
        if isinstance(news, Sighted):
            self._views.saw(news)
        elif isinstance(news, Notice):
            self._note(news.text)

    def _news(self, news: News) -> None:
        if isinstance(news, Sighted):
            self._views.saw(news)
        elif isinstance(news, EventEntered):
            self._tell_state(news.state)
        elif isinstance(news, ReadingTaken):
            self._told.put(reading_said(news))
            seq = news.reading.seq
            if repeats_an_error(news.state, seq):
                self._jobs.put(lambda: self._set_aside(Retracted(seq)))
        elif isinstance(news, Notice):
            self._warn(news.text)

    def _set_aside(self, back: Retracted) -> None:
        self._session.enter(back)
        self._note("You had put that right before, so this repeat does not count. "
                   "It can be put back in the log.")  # fmt: skip

    def _tell_state(self, state: State) -> None:
        self._views.tell_state(state, is_on=self._is_on)

    def _note(self, text: str) -> None:
        self._told.put(Noted(text))

    def _warn(self, text: str) -> None:
        self._told.put(Noted(text, is_warning=True))

    # -- the other threads -------------------------------------------------------------------------

    def _show(self) -> None:
        ladies = load_ladies()

        def known() -> Known:
            table = self._sources.table
            cards = None if table is None else table.cards
            return Known(ladies, cards, is_filmed=self._sources.source is not None)

        while not self._stopping.is_set():
            self._views.show_next(known)

    def _roll(self) -> None:
        told_s = 0.0
        while not self._stopping.is_set():
            self._views.roll_next(self._run, self._stopping)
            if time.monotonic() - told_s > _STATUS_S:
                told_s = time.monotonic()
                self._tell_status()

    def _tell_status(self) -> None:
        camera = self._sources.words(self._views.maker.fps)
        if camera and not self._sight.is_ready:
            # Told even where no frame comes that could bring it up.
            self._views.tell_seen(self._sight.why_not, is_reading=False)
        log = f"log {self._log_name}" if self._log_name else ""
        self._told.put(LineStatus(camera, self._options.lights(), log))

    def _guard(self, work: Callable[[], None]) -> None:
        fault = fault_of(work)
        if fault is not None:
            self._warn(fault_words(fault))


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
