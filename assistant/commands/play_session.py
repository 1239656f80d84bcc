"""The session that is on in the play window: its game, its log, and the camera turned to it.

Before a game is begun it is a session that is kept nowhere, so that the camera can be looked
through. Only the desk thread calls what is here; news comes in the threads of `LiveRun`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.calibrate_play import PlayedPrint
from assistant.commands.play_changes import CHANGES, Refused, parse_change, parted
from assistant.commands.play_sources import KeptSource, LateSight, Sources
from assistant.commands.play_views import Views, reading_said
from assistant.commands.play_words import parse_act
from assistant.core.errors import BystanderError, UsageError
from assistant.core.events import Act, Event, Overruled, Retracted, SessionStarted
from assistant.core.turn_events import Help, HelpUsed
from assistant.data import load_board
from assistant.live_run import LiveRun
from assistant.present.choices import Offer, Wish, ask
from assistant.present.hints import hint_words
from assistant.present.rescan import repeats_an_error
from assistant.session import (
    EventEntered,
    Listener,
    MemoryLog,
    News,
    Notice,
    ReadingTaken,
    Session,
    Sighted,
)
from assistant.ui.desk import HintGiven, Message, Noted, Questioned

if TYPE_CHECKING:
    from assistant.app import Keeping
    from assistant.core.state import State


class PlayedSession:
    """See the module."""

    def __init__(
        self,
        sight: LateSight,
        sources: Sources,
        views: Views,
        tell: Callable[[Message], None],
        *,
        later: Callable[[Callable[[], None]], None],
        stopping: threading.Event,
    ) -> None:
        """Begin with a session that is kept nowhere.

        Args:
            sight: what reads the pictures.
            sources: where they come from.
            views: what shows them and the game.
            tell: takes what the window is to be told.
            later: has something done in the desk thread.
            stopping: set when the window closes: no pictures are taken from then on.
        """
        self._sight, self._sources, self._views = sight, sources, views
        self._tell, self._later, self._stopping = tell, later, stopping
        self._opened = ExitStack()
        self._session = self._idle_session()
        #: The run of the camera's pictures through the session; None without a camera.
        self.run: LiveRun | None = None
        #: Whether a game was begun, and the name of its log.
        self.is_on, self.log_name = False, ""

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._session.state

    def open(
        self,
        started: SessionStarted,
        resume: Path | None,
        keeping: Keeping,
        listeners: Sequence[Listener],
    ) -> None:
        """Begin a game with a log, or go on with one; the camera turns to it.

        Raises:
            BystanderError: the log cannot be opened; no game is on then.
        """
        from assistant.app import recorded_session

        self.halt()
        self.close()
        pupil = PlayedPrint(self._sources.own_profile_folder, self._note)
        self.is_on = True
        try:
            session, path = self._opened.enter_context(
                recorded_session(self._sight, started, [self._news, pupil.told, *listeners],
                                 resume=resume, keeping=keeping)
            )  # fmt: skip
        except BystanderError:
            # No log: nothing may be entered as if it were kept.
            self._session, self.is_on = self._idle_session(), False
            raise
        self._opened.callback(pupil.close)
        self._session, self.log_name = session, path.name
        if resume is not None:
            # Nothing is entered that would tell them: a board of lights would stay dark.
            for listener in listeners:
                listener(EventEntered(session.state))
        self.show()
        self.roll()

    def close(self) -> None:
        """Close the log and what is kept beside it."""
        self._opened.close()
        self._opened = ExitStack()

    def show(self) -> None:
        """Have the game shown as it stands."""
        self._views.tell_state(self._session.state, is_on=self.is_on)

    def halt(self) -> None:
        """Take no more pictures."""
        run, self.run = self.run, None
        if run is not None:
            run.stop(1.5)

    def roll(self) -> None:
        """Take the camera's pictures, where there is one."""
        source = self._sources.source
        if source is not None and not self._stopping.is_set():
            self.run = LiveRun(self._session, KeptSource(source))

    def enter(self, event: Event) -> None:
        """Take an event into the game.

        One that the rules refuse asks first; what no table can show is told, and not taken.
        """
        if not self.is_on and not isinstance(event, SessionStarted):
            self._note("Begin a game first.")
            return
        if isinstance(event, HelpUsed):
            self.hint(event.help)
            return
        refused = self.state.refusal(event) if isinstance(event, Act) else None
        if refused is None or not isinstance(event, Act):
            self._session.enter(event)
            return
        impossible = self.state.impossible(event)
        if impossible is not None:
            # A slip of the keys: no house rule makes it true.
            self._note(_sentence(impossible))
            return
        offers = [
            Offer("Leave it", Wish.BACK, "n"),
            Offer("It happened (house rule)", Overruled(event, refused), "y"),
        ]
        self._tell(Questioned(ask(f"The rules say no: {refused}.", offers)))

    def type_line(self, text: str) -> None:
        """Take a typed line: an act, a help, or a change of what was entered."""
        try:
            self._take_line(*parted(text), text)
        except UsageError as error:
            self._note(f"Not understood: {error}")

    def _take_line(self, verb: str, rest: str, line: str) -> None:
        if verb in ("state", "what-if"):
            raise UsageError(f"{verb} is answered in lines only: bystander play --headless")
        if verb in CHANGES:
            self._change(verb, rest)
        else:
            self.enter(parse_act(line, self.state))

    def _change(self, verb: str, rest: str = "") -> None:
        change = parse_change(verb, rest, self.state)
        if isinstance(change, Refused):
            self._note(_sentence(change.rule))
            return
        for event in change:
            self.enter(event)

    def undo(self) -> None:
        """Take the last thing back."""
        self._change("undo")

    def redo(self) -> None:
        """Take the last undo back."""
        self._change("redo")

    def hint(self, asked: Help) -> None:
        """Give a hint, counted."""
        words = hint_words(self.state, asked)
        self._session.enter(HelpUsed(asked))
        self._tell(HintGiven(words))

    def _idle_session(self) -> Session:
        """Return a session that is kept nowhere."""
        return Session(load_board(), self._sight, MemoryLog(), listeners=[self._idle_news])

    def _idle_news(self, news: News) -> None:
        if isinstance(news, Sighted):
            self._views.saw(news)
        elif isinstance(news, Notice):
            self._note(news.text)

    def _news(self, news: News) -> None:
        if isinstance(news, Sighted):
            self._views.saw(news)
        elif isinstance(news, EventEntered):
            self._views.tell_state(news.state, is_on=self.is_on)
        elif isinstance(news, ReadingTaken):
            self._tell(reading_said(news))
            seq = news.reading.seq
            if repeats_an_error(news.state, seq):
                self._later(lambda: self._set_aside(Retracted(seq)))
        elif isinstance(news, Notice):
            self._note(news.text)

    def _set_aside(self, back: Retracted) -> None:
        self._session.enter(back)
        self._note("You had put that right before, so this repeat does not count. "
                   "It can be put back in the log.")  # fmt: skip

    def _note(self, text: str) -> None:
        self._tell(Noted(text))


def _sentence(reason: str) -> str:
    """Return a reason as a line of its own."""
    return f"{reason[:1].upper()}{reason[1:]}."
