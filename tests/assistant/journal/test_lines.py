"""The log's lines: there and back, torn, damaged, and of any bytes."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
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
from assistant.journal import LogOpened, Odd, decode, encode
from assistant.journal.upcast import VERSION, upcast
from tests.assistant.journal.strategies import register
from tests.assistant.journal.whole_game import whole_game

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
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "youth-asked", "location": "Cornhill",'
            b' "feature": "church", "seen": {"confidence": ' + b"9" * 400 + b', "frames": 1}}',
            "too large",
        ),
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "youth-asked", "location": "Cornhill",'
            b' "feature": "church", "seen": [0.9, 4]}',
            "no object",
        ),
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "lady-fled", "shows": "church"}',
            "no list",
        ),
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "corrected", "of": 1, "event": "passed"}',
            "none of the records",
        ),
        (
            b'{"v": 1, "seq": 2, "time": "t", "kind": "corrected", "of": 1,'
            b' "event": {"kind": "retracted", "of": 1}}',
            "none of the records",
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


def test_a_line_given_twice_counts_once_and_is_told() -> None:
    lines = log_of([ASKED, RendezvousSought(Location.CORNHILL, 2)]).splitlines(keepends=True)
    replay = decode(lines[0] + lines[0] + lines[1])
    assert [entry.seq for entry in replay.events] == [1, 2]
    assert replay.damage is None
    assert [(odd.line, odd.odd) for odd in replay.oddities] == [(2, Odd.TWICE)]


def test_a_number_given_to_two_things_is_damage() -> None:
    log = log_of([ASKED]) + encode(1, TIME, RendezvousSought(Location.CORNHILL, 2)).encode()
    replay = decode(log + encode(2, TIME, ASKED).encode())
    assert replay.damage is not None
    assert replay.damage.line == 2
    assert "says otherwise" in replay.damage.why


@given(st.permutations(range(5)))
def test_lines_out_of_order_are_put_in_order(order: list[int]) -> None:
    log = log_of([ASKED, *(RendezvousSought(Location.CORNHILL, n) for n in (1, 2, 3)), ASKED])
    lines = log.splitlines(keepends=True)
    replay = decode(b"".join(lines[at] for at in order))
    assert replay.events == decode(log).events
    assert replay.damage is None
    assert any(odd.odd is Odd.ORDER for odd in replay.oddities) is (order != sorted(order))


def test_times_that_run_backwards_change_nothing() -> None:
    log = encode(1, "2026-11-30T20:15:02+01:00", ASKED) + encode(2, "1999-01-01T00:00:00Z", ASKED)
    replay = decode(log.encode())
    assert [entry.seq for entry in replay.events] == [1, 2]
    assert replay.oddities == ()


@pytest.mark.parametrize(
    "line",
    [
        b'{"v": 2, "seq": 2, "time": "t", "kind": "danced", "with": ["whom"]}',
        b'{"v": 99, "seq": 2, "time": "t", "kind": "youth-asked", "of": 7}',
    ],
)
@pytest.mark.parametrize("comes_last", [True, False])
def test_what_a_newer_program_wrote_is_passed_over_and_kept(line: bytes, comes_last: bool) -> None:
    after = b"" if comes_last else encode(3, TIME, ASKED).encode()
    log = log_of([ASKED]) + line + b"\n" + after
    replay = decode(log)
    assert replay.damage is None
    assert len(replay.events) == (1 if comes_last else 2)
    assert [passed.seq for passed in replay.passed_over] == [2]
    assert [(odd.line, odd.odd) for odd in replay.oddities] == [(2, Odd.NEWER)]
    # Its number stays taken and its bytes stay in the file.
    assert replay.last_seq == (2 if comes_last else 3)
    assert replay.sound_bytes == len(log)


def test_numbers_that_are_missing_are_told() -> None:
    lines = log_of([ASKED] * 6).splitlines(keepends=True)
    replay = decode(b"".join(lines[at] for at in (1, 2, 5)))
    assert [(odd.line, odd.odd, odd.why) for odd in replay.oddities] == [
        (1, Odd.GAP, "number 1 is missing before it"),
        (3, Odd.GAP, "numbers 4 to 5 are missing before it"),
    ]


@pytest.mark.parametrize(
    "tail",
    [
        b"\x00" * 4096,
        b"\x00" * 20 + b"\n" + b"\x00" * 9,
        b'{"v": 2, "seq": 2, "ti\nrubbish\n\xff\n',
        '{"v": 2, "seq": 2, "time": "é'.encode()[:-1],
    ],
)
def test_whatever_comes_after_the_last_sound_line_is_a_torn_tail(tail: bytes) -> None:
    log = log_of([ASKED])
    replay = decode(log + tail)
    assert len(replay.trusted()) == 1
    assert replay.damage is not None
    assert replay.damage.torn
    assert replay.sound_bytes == len(log)


def test_the_log_notes_how_it_was_opened() -> None:
    note = LogOpened(program="0.1.0", camera="0", profile="mine", film=True)
    replay = decode((encode(1, TIME, note) + encode(2, TIME, ASKED)).encode())
    assert replay.opened == note
    assert [entry.seq for entry in replay.events] == [2]
    assert "stays on this machine" in note.holds
    assert decode(log_of([ASKED])).opened is None


FIXTURES = Path(__file__).parents[3] / "fixtures" / "logs"


def test_the_logs_of_each_version_are_as_they_were_written() -> None:
    manifest = json.loads((FIXTURES / "manifest.json").read_text())["files"]
    logs = {path.name: sha256(path.read_bytes()).hexdigest() for path in FIXTURES.glob("*.jsonl")}
    assert logs == {name: entry["sha256"] for name, entry in manifest.items()}
    firsts = [path.read_bytes().partition(b"\n")[0] for path in FIXTURES.glob("*.jsonl")]
    versions = {json.loads(line)["v"] for line in firsts}
    assert versions == set(range(1, VERSION + 1))


@pytest.mark.parametrize(
    ("name", "seed", "first"), [("v1-whole-game", 13, 1), ("v2-whole-game", 9, 2)]
)
def test_a_game_logged_by_each_version_is_read_as_it_was_played(
    name: str, seed: int, first: int
) -> None:
    replay = decode((FIXTURES / f"{name}.jsonl").read_bytes())
    assert replay.damage is None
    assert replay.oddities == ()
    assert [entry.event for entry in replay.events] == whole_game(seed, 24, first=first)


def test_the_demo_that_version_1_logged_is_read_as_it_was_told() -> None:
    replay = decode((FIXTURES / "v1-demo.jsonl").read_bytes())
    said = [
        f"{e.event.location.value}={e.event.feature.value}"
        for e in replay.events
        if isinstance(e.event, YouthAsked)
    ]
    assert said == [
        "Cornhill=church",
        "Cripplegate=church",
        "Blackfriars=riverside",
        "Liberty of the Clink=riverside",
        "Eastcheap=commercial",
    ]
    assert replay.opened is None


def test_a_long_log_is_read_whole() -> None:
    """Half a megabyte here; BYSTANDER_LOG_MB=50 is the long run."""
    size = float(os.environ.get("BYSTANDER_LOG_MB", "0.5")) * 1e6
    game, total = whole_game(13, 24), 0
    lines: list[str] = []
    while total < size:
        for event in game:
            lines.append(encode(len(lines) + 1, TIME, event))
            total += len(lines[-1])
    replay = decode("".join(lines).encode())
    assert replay.damage is None
    assert len(replay.events) == len(lines)
    assert replay.events[-1].event == game[-1]
