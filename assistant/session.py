"""The one engine: grab -> sight -> settle -> event -> journal (on disk) -> listeners.

Demo, reading of a film, and play all run on it. It knows no camera, file, or window: those are
given to it as the ports below.

    CameraSource --Frame--> Sight --Sighting--> Settler --Settled--> Session._take
                                                                         |
        the player's acts ------------------------------------> Session.enter(event)
                                                                         |
                                   EventLog.append (synced) --> state = fold --> listeners

Films and scripts run synchronously: `follow` reads, sees, and returns when the source is over, the
same way every time. A live camera has threads of its own (live_run.py).

Every reading becomes an event. A stack that is laid down again *confirms* its earlier reading;
another value of the same card at the same key *disputes* it, and the state uses neither of the two
until the player has taken one back (see core.state).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from assistant.core.board import Board
from assistant.core.events import (
    Event,
    Recorded,
    RendezvousSought,
    SearchMade,
    Seen,
    Seq,
    YouthAsked,
    event_of,
)
from assistant.core.state import State, fold
from assistant.core.terms import BLANK, LADY, Content, Location
from assistant.vision.settling import Settled, Settler
from assistant.vision.sighting import Picture, Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a source.

    `index` counts the source's frames from 0. `time_s` is when it was taken: seconds on the
    source's own clock (a film's by its frame rate), never running backwards.
    """

    picture: Picture
    index: int
    time_s: float


class CameraSource(Protocol):
    """Where frames come from: a camera, a film, a folder, the practice table."""

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame (a live camera's newest); None when none came in `timeout_s`.

        A film, folder or script never waits: its None means that it is over.

        Raises:
            CameraLostError: the camera is gone or gives nothing any more; says what to try.
                A live camera raises it once per loss and may be read on: it may come back.
        """
        ...

    def close(self) -> None:
        """Let the source go; may be called twice and from any thread; never blocks for long."""
        ...


class Sight(Protocol):
    """Tells what one frame shows, remembering earlier frames (vision.Reader is one)."""

    def look(self, picture: Picture) -> Sighting:
        """Return what the picture claims."""
        ...


class EventLog(Protocol):
    """Where events are kept."""

    def append(self, event: Event) -> Recorded:
        """Keep the event, on disk when this returns; return it with its number, from 1."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """A sighting that held: what a stack showed. Numbered from 1 in the session.

    `frame` is the last frame the reading rests on, -1 for one of an earlier evening of the session;
    `seq` its event in the log. `confirms` and
    `disputes` name an earlier reading of the same card at the same key.
    """

    number: int
    location: Location
    content: Content
    confidence: float
    frame: int
    seq: Seq
    confirms: int | None = None
    disputes: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sighted:
    """News: a frame was looked at."""

    frame: Frame
    sighting: Sighting


@dataclass(frozen=True, slots=True)
class ReadingTaken:
    """News: a stack was read; `before` and `state` are the game without and with it."""

    reading: Reading
    before: State
    state: State


@dataclass(frozen=True, slots=True)
class EventEntered:
    """News: an event is in the log; the state has it already."""

    state: State


@dataclass(frozen=True, slots=True)
class Notice:
    """News for the player in one line: the camera was lost, the disk is full."""

    text: str


News = Sighted | ReadingTaken | EventEntered | Notice

#: Told in the thread in which it happened; must be quick (a window's puts it in a queue).
Listener = Callable[[News], None]


class Session:
    """One game at the table. `enter` may be called from any thread, `see` from one at a time."""

    def __init__(
        self,
        board: Board,
        sight: Sight,
        log: EventLog,
        *,
        earlier: Iterable[Recorded] = (),
        listeners: Iterable[Listener] = (),
    ) -> None:
        """Start with the events of an earlier log, or with none (enter SessionStarted next).

        Args:
            board: the printed map.
            sight: tells what a frame shows.
            log: keeps the events.
            earlier: what the log holds already.
            listeners: told of everything, in this order.
        """
        self._sight, self._log = sight, log
        self._events: list[Recorded] = list(earlier)
        self._listeners = list(listeners)
        self._settler = Settler()
        self._readings = _readings_in(self._events)
        self._lock = threading.RLock()
        self._state = fold(board, self._events)

    @property
    def state(self) -> State:
        """The game as it stands: the fold of all events."""
        with self._lock:
            return self._state

    @property
    def events(self) -> tuple[Recorded, ...]:
        """All events so far, in order."""
        with self._lock:
            return tuple(self._events)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All readings so far, in order."""
        with self._lock:
            return tuple(self._readings)

    def enter(self, event: Event) -> Seq:
        """Take an event into the game, typed or read: first on disk, then into the state.

        Returns:
            The event's number in the log.
        """
        with self._lock:
            recorded = self._log.append(event)
            self._events.append(recorded)
            self._state = self._state.after(recorded)
            self._tell(EventEntered(self._state))
            return recorded.seq

    def see(self, frame: Frame) -> Reading | None:
        """Look at one frame; return the reading where a stack has just settled."""
        return self.saw(frame, self.look(frame))

    def look(self, frame: Frame) -> Sighting:
        """Return what one frame claims; the game is as it was. One thread at a time."""
        return self._sight.look(frame.picture)

    def saw(self, frame: Frame, sighting: Sighting) -> Reading | None:
        """Take in what a frame claims; return the reading where a stack has just settled."""
        with self._lock:
            self._tell(Sighted(frame, sighting))
            settled = self._settler.add(sighting, frame.index, frame.time_s)
            return None if settled is None else self._take(settled)

    def follow(self, source: CameraSource, timeout_s: float = 1.0) -> None:
        """See every frame of a film, a folder, or a script, until it is over.

        Raises:
            CameraLostError: the source gave out before its end.
        """
        while (frame := source.read(timeout_s)) is not None:
            self.see(frame)

    def notice(self, text: str) -> None:
        """Tell the listeners something in one line."""
        with self._lock:
            self._tell(Notice(text))

    def _take(self, settled: Settled) -> Reading:
        before = self._state
        seen = Seen(settled.confidence, settled.frames)
        seq = self.enter(event_of(settled.location, settled.content, seen))
        confirms, disputes = self._earlier(settled, seq, before)
        reading = Reading(
            number=len(self._readings) + 1,
            location=settled.location,
            content=settled.content,
            confidence=settled.confidence,
            frame=settled.last_frame,
            seq=seq,
            confirms=confirms,
            disputes=disputes,
        )
        self._readings.append(reading)
        self._tell(ReadingTaken(reading, before, self._state))
        return reading

    def _earlier(self, settled: Settled, seq: Seq, before: State) -> tuple[int | None, int | None]:
        """Return the numbers of the readings that this event confirms and disputes.

        Which stealth card lies under a key nobody can tell, so a search only ever confirms one of
        the same outcome, and where turns are followed only one of the same turn: a Lady after a
        blank, and what a later turn shows, is another card.
        """
        by_seq = {reading.seq: reading.number for reading in self._readings}
        if settled.content.feature is not None:
            youth = self._state.youth
            return _named(by_seq, youth.confirms(seq)), _named(by_seq, youth.disputed_by(seq))
        if settled.content.number is not None:
            seek = self._state.rendezvous
            return _named(by_seq, seek.confirms(seq)), _named(by_seq, seek.disputed_by(seq))
        searched = SearchMade(settled.location, settled.content == LADY)
        if before.game.tracked and not before.game.is_read_again(searched):
            return None, None
        for reading in self._readings:
            same = (reading.location, reading.content) == (settled.location, settled.content)
            if same and reading.seq not in self._state.retracted:
                return reading.number, None
        return None, None

    def _tell(self, news: News) -> None:
        for listener in self._listeners:
            listener(news)


def _readings_in(events: Iterable[Recorded]) -> list[Reading]:
    """Return the camera's readings of an earlier evening, so that the numbers go on."""
    found: list[Reading] = []
    for entry in events:
        event = entry.event
        if isinstance(event, YouthAsked):
            content = Content.icon(event.feature)
        elif isinstance(event, RendezvousSought):
            content = Content.digit(event.number)
        elif isinstance(event, SearchMade):
            content = LADY if event.hit else BLANK
        else:
            continue
        if event.seen is not None:
            sure, number = event.seen.confidence, len(found) + 1
            found.append(Reading(number, event.location, content, sure, -1, entry.seq))
    return found


def _named(numbers: Mapping[Seq, int], seq: Seq | None) -> int | None:
    """Return the number of the reading that made an event; None for an event that was typed."""
    return None if seq is None else numbers.get(seq)


class MemoryLog:
    """A log that is kept nowhere: for a film that is only read, and for tests."""

    def __init__(self) -> None:
        """Start empty."""
        self.lines: list[Recorded] = []

    def append(self, event: Event) -> Recorded:
        """Keep the event in memory; it has no time."""
        self.lines.append(Recorded(Seq(len(self.lines) + 1), "", event))
        return self.lines[-1]
