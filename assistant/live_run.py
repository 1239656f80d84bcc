"""A live camera on a session, in two threads, so that neither camera nor reader holds the other up.

One grabs and keeps only the newest frame, one works on it; the preview takes the newest frame
whether or not it was worked on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from assistant.core.errors import CameraLostError
from assistant.session import CameraSource, Frame, Session
from assistant.vision.sighting import Sighting
from assistant.workers import Latest, fault_of

#: So many frames in a row may raise before a live run gives up: one odd picture must not end the
#: reading of an evening, and what fails every time must not fail in silence.
MOST_FAULTS = 30


class LiveRun:
    """A live camera on a session: a grabbing thread and a working thread, ended by `stop`.

    `preview` always holds the newest frame that was not taken yet, however slow the reader is.
    """

    def __init__(self, session: Session, source: CameraSource) -> None:
        """Start both threads; the source is closed by `stop`."""
        self.preview: Latest[Frame] = Latest()
        self._session, self._source = session, source
        self._newest: Latest[Frame] = Latest()
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._guard, args=(work,), name=name, daemon=True)
            for name, work in (("grab", self._grab), ("read", self._work))
        ]
        for thread in self._threads:
            thread.start()

    def stop(self, timeout_s: float = 2.0) -> bool:
        """Ask the threads to end and wait for them; return whether they did in time.

        A thread that is stuck inside a driver aborts the interpreter when it ends (exit 134): on
        False close the log and leave by os._exit.
        """
        self._stopping.set()
        self._source.close()
        self._newest.close()
        self.preview.close()
        for thread in self._threads:
            thread.join(timeout_s / len(self._threads))
        return not any(thread.is_alive() for thread in self._threads)

    def _guard(self, work: Callable[[], None]) -> None:
        fault = fault_of(work)
        if fault is not None:
            self._session.notice(f"reading has stopped: {type(fault).__name__}: {fault}")

    def _grab(self) -> None:
        while not self._stopping.is_set():
            try:
                frame = self._source.read(0.2)
            except CameraLostError as error:
                self._session.notice(str(error))
                continue
            if frame is not None:
                self.preview.put(frame)
                self._newest.put(frame)

    def _work(self) -> None:
        in_a_row = 0
        while not self._stopping.is_set():
            frame = self._newest.take(0.2)
            if frame is None:
                continue
            claim = self._looked_at(frame)
            if isinstance(claim, Sighting):
                in_a_row = 0
                # What fails from here on is no odd picture: it ends the run, and is told.
                self._session.saw(frame, claim)
                continue
            in_a_row += 1
            if in_a_row >= MOST_FAULTS:
                raise claim
            if in_a_row == 1:
                what = f"{type(claim).__name__}: {claim}"
                self._session.notice(f"one picture could not be read ({what}); reading goes on")

    def _looked_at(self, frame: Frame) -> Sighting | Exception:
        """Return what a frame claims, or what looking at it died of."""
        claims: list[Sighting] = []
        fault = fault_of(lambda: claims.append(self._session.look(frame)))
        return claims[0] if fault is None else fault
