"""The log's lines: there and back, torn, damaged, and of any bytes."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.errors import DamagedError
from assistant.core.events import (
    Event,
    Recorded,
    RendezvousSought,
    Seen,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.settings import Expansion
from assistant.core.terms import Feature, Location
from assistant.journal import decode, encode
from assistant.journal.upcast import upcast
from tests.assistant.journal.strategies import register

TIME = "2026-11-30T20:15:02+01:00"
ASKED = YouthAsked(Location.ST_PAULS, Feature.CHURCH, Seen(0.5, 4))

texts = st.text(max_size=12)
register()
events: st.SearchStrategy[Event] = st.one_of(*(st.from_type(kind) for kind in get_args(Event)))


def log_of(happened: list[Event]) -> bytes:
    return "".join(
        encode(number, TIME, event) for number, event in enumerate(happened, start=1)
    ).encode()


@given(st.lists(st.tuples(events, texts), max_size=5))
def test_what_was_written_is_read_back(happened: list[tuple[Event, str]]) -> None:
    lines = [encode(number, time, event) for number, (event, time) in enumerate(happened, start=1)]
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    replay = decode("".join(lines).encode())
    assert replay.damage is None
    assert replay.ends_clean or not happened
    assert replay.events == tuple(
        Recorded(Seq(number), time, event) for number, (event, time) in enumerate(happened, start=1)
    )


def test_a_line_looks_as_documented() -> None:
    assert json.loads(encode(3, TIME, ASKED)) == {
        "v": 2,
        "seq": 3,
        "time": TIME,
        "kind": "youth-asked",
        "location": "St Paul's",
        "feature": "church",
        "seen": {"confidence": 0.5, "frames": 4},
    }
    start = SessionStarted(frozenset({Expansion.YOUTH, Expansion.DARKER}))
    assert json.loads(encode(1, TIME, start))["expansions"] == ["darker", "youth"]


@given(st.integers(0, 400), st.sampled_from([b"", b"\x00" * 9, "é".encode()[:1], b"\xff{"]))
def test_a_log_cut_anywhere_gives_every_whole_line_before_the_cut(cut: int, tail: bytes) -> None:
    log = log_of([ASKED, RendezvousSought(Location.CORNHILL, 2), ASKED])
    torn = log[: min(cut, len(log) - 1)] + tail
    replay = decode(torn)
    assert len(replay.events) in (torn.count(b"\n"), torn.count(b"\n") + 1)
    assert replay.trusted() == decode(log).events[: len(replay.events)]
    assert replay.damage is None or replay.damage.torn
    # A writer that cuts the file back and goes on loses nothing more.
    sound = torn[: replay.sound_bytes] + (b"" if replay.ends_clean else b"\n")
    more = decode(sound + encode(replay.last_seq + 1, TIME, ASKED).encode())
    assert more.damage is None
    assert len(more.events) == len(replay.events) + 1


def test_a_whole_last_line_without_its_newline_counts() -> None:
    replay = decode(log_of([ASKED])[:-1])
    assert len(replay.events) == 1
    assert replay.damage is None
    assert not replay.ends_clean


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"garbage", "Expecting value"),
        (b"[]", "no JSON object"),
        (b"\xff\xfe", "utf-8"),
        (b'{"seq": 2}', "no version"),
        (b'{"v": 9, "seq": 2}', "no time"),
        (b'{"v": 1, "seq": 1, "time": "t", "kind": "retracted", "of": 1}', "says otherwise"),
        (b'{"v": 1, "seq": 0, "time": "t", "kind": "retracted", "of": 1}', "1 or more"),
        (b'{"v": 1, "seq": true, "time": "t", "kind": "retracted", "of": 1}', "number is True"),
        (b'{"v": 1, "seq": 2, "kind": "retracted", "of": 1}', "no time"),
        (b'{"v": 1, "seq": 2, "time": "t"}', "what happened"),
        (b'{"v": 1, "seq": 2, "time": "t", "kind": "retracted"}', "missing"),
        (b'{"v": 1, "seq": 2, "time": "t", "kind": "retracted", "of": "1"}', "no int"),
        (b'{"v": 1, "seq": 2, "time": "t", "kind": "retracted", "of": 1, "x": 1}', "no field"),
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "youth-asked", "location": "Rome",'
            b' "feature": "church"}',
            "Rome",
        ),
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "youth-asked", "location": "Cornhill",'
            b' "feature": "church", "seen": {"confidence": 1e999, "frames": 1}}',
            "too large",
        ),
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "rendezvous-sought", "location": "Cornhill",'
            b' "number": 4}',
            "1, 2 or 3",
        ),
        (b'{"v": 1, "seq": NaN}', "NaN"),
        (b"[" * 100_000, ""),
    ],
)
def test_a_bad_line_before_the_last_stops_the_load_and_is_named(line: bytes, why: str) -> None:
    log = log_of([ASKED])
    replay = decode(log + line + b"\n" + encode(3, TIME, ASKED).encode())
    assert len(replay.events) == 1
    assert replay.damage is not None
    assert not replay.damage.torn
    assert (replay.damage.line, replay.damage.offset) == (2, len(log))
    assert why in replay.damage.why
    assert replay.sound_bytes == len(log)
    with pytest.raises(DamagedError, match="line 2"):
        replay.trusted()


def test_empty_lines_are_nothing() -> None:
    log = b"\n" + log_of([ASKED]).replace(b"\n", b"\r\n") + b"  \n"
    replay = decode(log)
    assert len(replay.events) == 1
    assert replay.damage is None


@given(st.binary(max_size=200), st.integers(0, 300))
def test_any_bytes_are_taken_and_what_stood_before_them_is_kept(noise: bytes, at: int) -> None:
    log = log_of([ASKED, ASKED])
    cut = log.find(b"\n", min(at, len(log) - 2)) + 1
    replay = decode(log[:cut] + noise + log[cut:])
    assert replay.events[: log[:cut].count(b"\n")] == decode(log[:cut]).events
    assert 0 <= replay.sound_bytes <= len(log) + len(noise)


def test_an_old_line_is_lifted_a_step_at_a_time() -> None:
    def rename(line: dict[str, Any]) -> dict[str, Any]:
        return {"v": line["v"], "place": line["location"]}

    def shout(line: dict[str, Any]) -> dict[str, Any]:
        return {**line, "place": line["place"].upper()}

    steps = {1: rename, 2: shout}
    assert upcast({"v": 1, "location": "here"}, steps, version=3) == {"v": 3, "place": "HERE"}
    assert upcast({"v": 3, "place": "HERE"}, steps, version=3) == {"v": 3, "place": "HERE"}
    with pytest.raises(ValueError, match="nothing leads from version 2"):
        upcast({"v": 1, "location": "x"}, {1: rename}, version=3)
