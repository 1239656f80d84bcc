"""The engine: order of disk and listeners, one reading per laying, confirming and disputing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assistant.adapters.log_file import LogFile
from assistant.core.events import (
    Corrected,
    Event,
    Recorded,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.state import fold
from assistant.core.stealth import Shown
from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.core.turn_events import LadyFled, LadyUpdated
from assistant.data import load_board
from assistant.journal import decode
from assistant.session import (
    EventEntered,
    Frame,
    MemoryLog,
    News,
    Reading,
    ReadingTaken,
    Session,
)
from assistant.vision.sighting import Corners, Picture, Reason, Side, Sighting
from tests.assistant.journal.whole_game import whole_game

CORNERS: Corners = ((100.0, 100.0), (188.0, 100.0), (188.0, 236.0), (100.0, 236.0))
NOTHING = Sighting(reason=Reason.NO_KEY)
BARE: Picture = np.zeros((4, 4, 3), np.uint8)

CHURCH_AT_CORNHILL = (Location.CORNHILL, Content.icon(Feature.CHURCH))
TAVERN_AT_CORNHILL = (Location.CORNHILL, Content.icon(Feature.TAVERN))


def sighting(location: Location, content: Content) -> Sighting:
    return Sighting(location, Side.BACK, CORNERS, content, 0.9)


def laid(*stacks: tuple[Location, Content], frames: int = 12) -> list[Sighting]:
    """Each stack lies still for a while, then the table is bare for a while."""
    film: list[Sighting] = []
    for location, content in stacks:
        film += [sighting(location, content)] * frames + [NOTHING] * frames
    return film


class ScriptedSight:
    """Says for each picture what the script says."""

    def __init__(self, script: Sequence[Sighting]) -> None:
        self._script = iter(script)

    def look(self, picture: Picture) -> Sighting:
        return next(self._script)


class Film:
    """So many bare frames at 30 a second, then None."""

    def __init__(self, frames: int) -> None:
        self._frames = iter(range(frames))
        self.is_closed = False

    def read(self, timeout_s: float) -> Frame | None:
        index = next(self._frames, None)
        return None if index is None else Frame(BARE, index, index / 30)

    def close(self) -> None:
        self.is_closed = True


def play(script: Sequence[Sighting], log: MemoryLog | LogFile | None = None) -> Session:
    session = Session(load_board(), ScriptedSight(script), log or MemoryLog())
    session.follow(Film(len(script)))
    return session


def test_one_stack_lying_for_long_is_one_reading_and_one_event() -> None:
    session = play(laid(CHURCH_AT_CORNHILL, frames=90))
    assert [(r.number, r.location, r.content) for r in session.readings] == [
        (1, *CHURCH_AT_CORNHILL)
    ]
    [recorded] = session.events
    assert isinstance(recorded.event, YouthAsked)
    assert recorded.event.feature is Feature.CHURCH
    assert recorded.event.seen is not None
    assert recorded.event.seen.confidence == 0.9


def test_the_reading_rests_on_frames_that_were_seen_and_comes_within_five() -> None:
    film = [NOTHING] * 7 + laid(CHURCH_AT_CORNHILL)
    [reading] = play(film).readings
    assert 7 <= reading.frame <= 7 + 5


def test_icons_ask_numbers_seek_and_silhouettes_search() -> None:
    session = play(
        laid(
            CHURCH_AT_CORNHILL,
            (Location.SOUTHWARK, Content.digit(2)),
            (Location.SHOREDITCH, LADY),
            (Location.EASTCHEAP, BLANK),
        )
    )
    events = [recorded.event for recorded in session.events]
    assert [type(event) for event in events] == [
        YouthAsked,
        RendezvousSought,
        SearchMade,
        SearchMade,
    ]
    assert [event.hit for event in events if isinstance(event, SearchMade)] == [True, False]


def test_the_same_stack_laid_again_confirms_its_first_reading() -> None:
    session = play(laid(CHURCH_AT_CORNHILL, (Location.EASTCHEAP, BLANK), CHURCH_AT_CORNHILL))
    assert [r.confirms for r in session.readings] == [None, None, 1]
    assert [r.disputes for r in session.readings] == [None, None, None]


def test_another_icon_at_the_same_key_disputes_and_neither_is_used() -> None:
    session = play(laid(CHURCH_AT_CORNHILL, (Location.EASTCHEAP, BLANK), TAVERN_AT_CORNHILL))
    assert [r.disputes for r in session.readings] == [None, None, 1]
    assert set(session.state.youth.candidates) == set(Location)


def test_the_lady_after_a_blank_at_one_key_is_another_card_and_no_dispute() -> None:
    session = play(laid((Location.EASTCHEAP, BLANK), (Location.EASTCHEAP, LADY)))
    assert [(r.confirms, r.disputes) for r in session.readings] == [(None, None), (None, None)]


def test_a_number_and_an_icon_at_one_key_are_two_cards() -> None:
    session = play(laid(CHURCH_AT_CORNHILL, (Location.CORNHILL, Content.digit(2))))
    assert [(r.confirms, r.disputes) for r in session.readings] == [(None, None), (None, None)]


def test_a_retracted_reading_is_neither_confirmed_nor_disputed() -> None:
    script = laid(CHURCH_AT_CORNHILL) + laid((Location.EASTCHEAP, BLANK)) + laid(TAVERN_AT_CORNHILL)
    session = Session(load_board(), ScriptedSight(script), MemoryLog())
    session.follow(Film(48))
    session.enter(Retracted(session.readings[0].seq))
    session.follow(Film(24))
    assert session.readings[-1].content == TAVERN_AT_CORNHILL[1]
    assert session.readings[-1].disputes is None


def test_a_retracted_search_is_not_confirmed_by_the_next() -> None:
    search, other = (Location.EASTCHEAP, BLANK), (Location.SHOREDITCH, BLANK)
    script = laid(search, other, search, other, search)
    session = Session(load_board(), ScriptedSight(script), MemoryLog())
    session.follow(Film(72))
    assert session.readings[2].confirms == 1
    session.enter(Retracted(session.readings[0].seq))
    session.enter(Retracted(session.readings[2].seq))
    session.follow(Film(48))
    assert session.readings[-1].location is Location.EASTCHEAP
    assert session.readings[-1].confirms is None


def test_a_search_laid_again_is_a_search_only_in_a_later_turn() -> None:
    seen = sighting(Location.CORNHILL, LADY)
    aside: Corners = ((160.0, 100.0), (248.0, 100.0), (248.0, 236.0), (160.0, 236.0))
    there = replace(seen, corners=aside)
    film = [frame for each in (seen, there, seen, there) for frame in [each] * 12 + [NOTHING] * 12]
    session = Session(load_board(), ScriptedSight(film), MemoryLog())
    source = Film(len(film))

    def lay() -> None:
        for _ in range(24):
            frame = source.read(0.0)
            assert frame is not None
            session.see(frame)

    session.enter(SessionStarted(pawn=Location.CORNHILL))
    session.enter(LadyUpdated())
    lay()
    once = session.state
    assert (once.game.clues_held, once.game.fog_left) == (1, 9)
    lay()
    assert (session.state.game, session.state.lady) == (once.game, once.lady)
    session.enter(LadyFled((Shown.UNSEEN,)))
    fled = session.state
    lay()
    assert (session.state.game, session.state.lady) == (fled.game, fled.lady)
    session.enter(LadyUpdated())
    lay()
    assert session.state.game.clues_held == 2
    assert session.state.doubts == ()
    assert [reading.confirms for reading in session.readings] == [None, 1, 1, None]


def test_a_film_with_nothing_on_the_table_gives_no_reading_and_no_event() -> None:
    session = play([NOTHING] * 60)
    assert session.readings == ()
    assert session.events == ()


def test_an_event_is_on_disk_before_any_listener_hears_of_it(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    on_disk: list[tuple[str, int]] = []

    def look_at_disk(news: News) -> None:
        if isinstance(news, EventEntered | ReadingTaken):
            on_disk.append((type(news).__name__, len(decode(path.read_bytes()).events)))

    script = laid(CHURCH_AT_CORNHILL, (Location.SOUTHWARK, Content.digit(2)))
    log = LogFile(path)
    session = Session(load_board(), ScriptedSight(script), log, listeners=[look_at_disk])
    session.enter(SessionStarted())
    session.follow(Film(len(script)))
    log.close()
    assert on_disk == [
        ("EventEntered", 1),
        ("EventEntered", 2),
        ("ReadingTaken", 2),
        ("EventEntered", 3),
        ("ReadingTaken", 3),
    ]


def test_a_session_goes_on_from_the_events_of_an_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    first = LogFile(path)
    before = play(laid(CHURCH_AT_CORNHILL), first).state
    first.close()
    again = LogFile(path)
    session = Session(load_board(), ScriptedSight([]), again, earlier=again.earlier)
    again.close()
    assert session.state.youth.candidates == before.youth.candidates
    assert len(before.youth.candidates) < len(Location)


def test_after_every_event_the_state_is_what_folding_the_whole_log_gives() -> None:
    board, entered = load_board(), 0
    for seed in (1, 13):
        log = MemoryLog()
        session = Session(board, ScriptedSight([]), log)
        for event in whole_game(seed, 24):
            session.enter(event)
            whole, state = fold(board, log.lines), session.state
            assert state.history == whole.history
            assert state.game == whole.game
            assert state.doubts == whole.doubts
            assert (state.youth, state.rendezvous) == (whole.youth, whole.rendezvous)
            entered += isinstance(event, Retracted | Corrected)
    # Entries that change what came before them were among those events.
    assert entered > 0


def test_news_of_a_reading_tells_what_it_ruled_out() -> None:
    told: list[ReadingTaken] = []

    def listen(news: News) -> None:
        if isinstance(news, ReadingTaken):
            told.append(news)

    film = laid(CHURCH_AT_CORNHILL)
    session = Session(load_board(), ScriptedSight(film), MemoryLog(), listeners=[listen])
    session.follow(Film(len(film)))
    [news] = told
    assert set(news.before.youth.candidates) == set(Location)
    assert set(news.state.youth.candidates) < set(Location)


def test_typed_events_and_readings_enter_by_one_door_in_one_order() -> None:
    class CountingLog(MemoryLog):
        def append(self, event: Event) -> Recorded:
            recorded = super().append(event)
            assert recorded.seq == Seq(len(self.lines))
            return recorded

    session = Session(load_board(), ScriptedSight([]), CountingLog())
    ask = YouthAsked(Location.CORNHILL, Feature.CHURCH)
    threads = [threading.Thread(target=session.enter, args=(ask,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [recorded.seq for recorded in session.events] == list(range(1, 9))
    readings: tuple[Reading, ...] = session.readings
    assert readings == ()
