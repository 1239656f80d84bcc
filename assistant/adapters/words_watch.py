"""The printed words of each new stack, read once in a thread of their own.

    Sighted, ReadingTaken (reading thread) -> the stack's frame -> words thread -> a notice, or none

The words never change a reading: where they are plainly another key's, the player is told and
decides. Whatever the program that reads them does (it is missing, lies, fails, hangs), the reading
thread only ever puts a frame into a queue, and leaves it where the queue is full.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from assistant.session import News, ReadingTaken, Sighted
from assistant.vision.printed_words import PrintedWords
from assistant.vision.sighting import Picture, Sighting
from assistant.workers import fault_of

#: Stacks that may wait for their words; nobody lays stacks faster than words are read.
MOST_WAITING = 2

#: Words that take longer than this, s, will not come: no more stacks are given to be read.
TIME_LIMIT_S = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    picture: Picture
    sighting: Sighting


class WordsWatch:
    """Tells where a new stack's words speak against its key. `told` is for one thread."""

    def __init__(
        self,
        words: PrintedWords,
        notice: Callable[[str], None],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Stand by; the thread starts with the first reading.

        Args:
            words: reads the words.
            notice: told one line for the player, in either thread.
            clock_s: seconds that never run backwards.
        """
        self._words, self._notice, self._clock_s = words, notice, clock_s
        self._last: Sighted | None = None
        self._waiting: queue.Queue[_Stack | None] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        #: Since when one stack's words are being read; None while none are.
        self._since_s: float | None = None
        self._has_given_up = False

    def told(self, news: News) -> None:
        """Remember the frame; on a new stack's reading have its words read. Never waits."""
        if isinstance(news, Sighted):
            self._last = news
            self._watch_time()
        elif isinstance(news, ReadingTaken) and news.reading.confirms is None:
            last = self._last
            if last is not None and last.sighting.location is news.reading.location:
                self._give(_Stack(last.frame.picture, last.sighting))

    def finish(self, timeout_s: float) -> bool:
        """Read what is waiting, then let the thread end; return whether it did in time."""
        if self._thread is None:
            return True
        with contextlib.suppress(queue.Full):
            self._waiting.put(None, timeout=timeout_s)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def close(self, timeout_s: float = 0.2) -> bool:
        """Leave what is waiting; return whether the thread ended. If not, it keeps nobody."""
        self._has_given_up = True
        return self.finish(timeout_s)

    def _give(self, stack: _Stack) -> None:
        if self._has_given_up:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="words", daemon=True)
            self._thread.start()
        try:
            self._waiting.put_nowait(stack)
        except queue.Full:
            return

    def _watch_time(self) -> None:
        since_s = self._since_s
        if since_s is None or self._has_given_up or self._clock_s() - since_s < TIME_LIMIT_S:
            return
        self._has_given_up = True
        self._notice("printed words cannot be read in time; keys are told by their faces alone")

    def _work(self) -> None:
        fault = fault_of(self._read_words)
        if fault is not None:
            self._has_given_up = True
            self._notice(f"printed words are not read any more ({type(fault).__name__}: {fault})")

    def _read_words(self) -> None:
        while (stack := self._waiting.get()) is not None and not self._has_given_up:
            self._since_s = self._clock_s()
            other = self._words.against(stack.picture, stack.sighting)
            self._since_s = None
            here = stack.sighting.location
            if other is not None and here is not None and not self._has_given_up:
                self._notice(
                    f"the words on this key look like {other.value}, but it was read as"
                    f" {here.value}: look at the key, and take the reading back if it is wrong"
                )
