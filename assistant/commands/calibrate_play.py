"""What a game teaches: the deck's own digits and Lady, from readings that the player let stand.

A session's listener. It keeps the cut-out card of each sure reading in memory; when the game is
over, or the session closes, a thread of its own learns from those that still count (played.py) and
puts the bettered profile into the old one's place. The player is told in one line; the readings of
this game are not touched.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import BystanderError
from assistant.core.events import RendezvousSought, SearchMade
from assistant.core.game import Phase
from assistant.core.terms import BLANK, LADY, Content
from assistant.present.words import listed
from assistant.session import EventEntered, News, ReadingTaken, Sighted
from assistant.workers import fault_of

if TYPE_CHECKING:
    from assistant.core.state import State
    from calibration.played import PlayedHoles

#: Closing waits so long for what is being learnt, s: a full game's holes take a second or two.
PATIENCE_S = 4.0


class PlayedPrint:
    """Learns from a session's readings. `told` is for one thread at a time."""

    def __init__(self, folder: Callable[[], Path | None], notice: Callable[[str], None]) -> None:
        """Stand by.

        Args:
            folder: the folder of the profile in use; None where none may be changed.
            notice: told one line for the player, in the learning thread.
        """
        self._folder, self._notice = folder, notice
        self._holes: PlayedHoles | None = None
        self._last: Sighted | None = None
        self._state: State | None = None
        self._thread: threading.Thread | None = None

    def told(self, news: News) -> None:
        """Remember frame and state; keep what a reading shows; learn when the game is over."""
        if isinstance(news, Sighted):
            self._last = news
        elif isinstance(news, ReadingTaken):
            self._keep(news)
        elif isinstance(news, EventEntered):
            self._state = news.state
            if news.state.game.phase is Phase.OVER:
                self._learn()

    def close(self, timeout_s: float = PATIENCE_S) -> bool:
        """Learn, if the game did not come to its end; return whether all is done in time."""
        self._learn()
        if self._thread is not None:
            self._thread.join(timeout_s)
        return self._thread is None or not self._thread.is_alive()

    def _keep(self, news: ReadingTaken) -> None:
        from calibration.played import PlayedHoles

        last, reading = self._last, news.reading
        if last is None or self._thread is not None:
            return
        seen = last.sighting
        if (seen.location, seen.content) == (reading.location, reading.content):
            if self._holes is None:
                self._holes = PlayedHoles()
            self._holes.add(reading.seq, last.frame.picture, seen)

    def _learn(self) -> None:
        """Learn in a thread, once in a session."""
        if self._thread is None and self._holes is not None and self._state is not None:
            self._thread = threading.Thread(target=self._work, name="print", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        fault = fault_of(self._better)
        if isinstance(fault, BystanderError):
            self._notice(f"what this game taught about your deck's print is not kept: {fault}")
        elif fault is not None:
            self._notice(f"nothing is learnt from this game ({type(fault).__name__}: {fault})")

    def _better(self) -> None:
        from assistant.adapters.profiles import load_profile, profile_files, save_files
        from calibration.played import learn_played

        folder = self._folder()
        if folder is None or self._holes is None or self._state is None:
            return
        profile = load_profile(folder)
        better = learn_played(self._holes.standing(_shown(self._state)), profile)
        if better is None:
            return
        # What the wizard keeps beside the profile stays.
        save_files({**profile_files(folder), **better.to_files()}, folder)
        known = {glyph.content for glyph in profile.glyphs if glyph.is_exact}
        learnt = {glyph.content for glyph in better.glyphs if glyph.is_exact} - known
        words = listed(sorted(_word(content) for content in learnt))
        self._notice(f"learnt from this game, for the next: how your deck prints {words}")


def _shown(state: State) -> dict[int, Content]:
    """Return what each act in force says that a stack showed, by its number in the log."""
    shown: dict[int, Content] = {}
    for entry in state.in_force:
        event = entry.event
        if isinstance(event, RendezvousSought):
            shown[entry.seq] = Content.digit(event.number)
        elif isinstance(event, SearchMade):
            shown[entry.seq] = LADY if event.hit else BLANK
    # Answers that speak against each other were not all read right.
    seek = state.rendezvous
    disputed = [answer for dispute in seek.disputes for answer in dispute.answers]
    for answer in seek.answers if seek.conflict is not None else disputed:
        shown.pop(answer.by, None)
    return shown


def _word(content: Content) -> str:
    return "the Lady" if content == LADY else str(content.value)
