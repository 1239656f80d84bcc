"""What the play window is shown: screens of states, pictures of the camera, what lies in view.

    states --screen thread--> screen_of --+
                                          +--told--> the window's messages
    frames --film thread----> FilmMaker --+--film--> the window's newest picture
                  |
                  +--> BoardWatch, LandmarkWatch (threads of their own)

The threads are the desk's: it calls `show_next` and `roll_next` again and again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from PIL import Image

from assistant.commands.play_board import BoardWatch
from assistant.commands.play_film import NO_PICTURE, FilmMaker, seen_words
from assistant.commands.play_landmark import LandmarkWatch
from assistant.commands.play_sources import LateSight
from assistant.live_run import LiveRun
from assistant.present.screen import screen_of
from assistant.present.turn_row import Known
from assistant.present.words import counted, listed, reading_words
from assistant.session import ReadingTaken, Sighted
from assistant.ui.desk import LandmarkShown, Message, Noted, ReadingSaid, ScreenChanged, SeenNow
from assistant.workers import Latest

if TYPE_CHECKING:
    from assistant.core.state import State


class Views:
    """Makes what is shown; its methods may be called from any thread but for the two `_next`."""

    def __init__(self, font_path: str, sight: LateSight, tell: Callable[[Message], None]) -> None:
        """Start the watchers; `tell` takes what the window is to be told."""
        self._sight, self._tell = sight, tell
        self._states: Latest[tuple[State, bool]] = Latest()
        self.film: Latest[Image.Image] = Latest()

        def note(text: str) -> None:
            tell(Noted(text))

        self.board = BoardWatch(note)
        self.landmark = LandmarkWatch(lambda feature: tell(LandmarkShown(feature)), note)
        self.maker = FilmMaker(font_path)
        self.maker.overlay = self.board.draw
        self._seen = ""

    def tell_state(self, state: State, *, is_on: bool) -> None:
        """Have a state shown; `is_on` tells whether a game was begun."""
        self._states.put((state, is_on))

    def saw(self, news: Sighted) -> None:
        """Tell what a frame showed, where it is another thing than before."""
        self.maker.saw(news)
        words = self._sight.why_not
        if self._sight.is_ready:
            words = seen_words(news.sighting, is_bare=self._sight.is_bare)
        self.tell_seen(words)

    def tell_seen(self, words: str) -> None:
        """Tell what the camera sees, where it is another thing than before."""
        if words != self._seen:
            self._seen = words
            self._tell(SeenNow(words))

    def show_next(self, known: Callable[[State], Known]) -> None:
        """Show the newest state, waiting for one a moment (the screen thread)."""
        newest = self._states.take(0.5)
        if newest is not None:
            state, is_on = newest
            screen = screen_of(state, known(state), _time_of_day)
            self.board.table = screen.map
            self._tell(ScreenChanged(screen, is_on))

    def roll_next(self, run: LiveRun | None, stopping: threading.Event) -> None:
        """Make the picture of the newest frame, waiting for one a moment (the film thread)."""
        if run is None:
            stopping.wait(0.1)
            return
        frame = run.preview.take(0.2)
        if frame is not None:
            self.film.put(self.maker.picture(frame))
            self.board.put(frame)
            self.landmark.put(frame)
            return
        lost = self.maker.lost()
        if lost is not None:
            # An old picture must not pass for a live one, nor what was seen in it.
            self.film.put(lost)
            self.tell_seen(f"{NO_PICTURE} from the camera")

    def wake(self) -> None:
        """Let no thread wait for a state any more."""
        self._states.close()

    def stop(self) -> bool:
        """End the watchers; return whether they ended in time."""
        ended = self.board.stop()
        return self.landmark.stop() and ended


def reading_said(news: ReadingTaken) -> ReadingSaid:
    """Return what is said of a reading: what it was, and what it ruled out."""
    reading = news.reading
    words = reading_words(reading.location, reading.content)
    if reading.disputes is not None:
        return ReadingSaid(words, "It was read otherwise before.")
    if reading.confirms is not None:
        return ReadingSaid(words, "The same as before.")
    before, after = news.before, news.state
    if reading.content.feature is not None:
        out: Iterable[str] = (p.value for p in before.youth.candidates
                              if p not in after.youth.candidates)  # fmt: skip
        left = counted(len(after.youth.candidates), "place")
    elif reading.content.number is not None:
        out = (f.value for f in before.rendezvous.candidates
               if f not in after.rendezvous.candidates)  # fmt: skip
        left = counted(len(after.rendezvous.candidates), "symbol")
    else:
        return ReadingSaid(words)
    gone = list(out)
    more = f"Not {listed(gone)}; {left} left." if gone else f"{left} left.".capitalize()
    return ReadingSaid(words, more)


def _time_of_day(stamp: str) -> str:
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime("%H:%M")
    except ValueError:
        return ""
