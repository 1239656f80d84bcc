"""Sound copies of damaged logs: nothing that can be read is left behind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.core.events import RendezvousSought, YouthAsked
from assistant.core.terms import Feature, Location
from assistant.journal import LogRepaired, decode, encode, examine, repaired

TIME = "2026-11-30T20:15:02+01:00"
LINES = [
    encode(n, TIME, YouthAsked(place, Feature.CHURCH)).encode()
    for n, place in enumerate(Location, start=1)
]


def mended(data: bytes) -> bytes:
    return repaired(examine(data), "log.jsonl.damaged", TIME)


@given(st.lists(st.tuples(st.integers(0, 11), st.binary(max_size=30)), max_size=4))
def test_every_line_that_was_not_touched_is_in_the_copy(noise: list[tuple[int, bytes]]) -> None:
    parts = list(LINES)
    for at, rubbish in sorted(noise, reverse=True):
        parts.insert(at, rubbish.replace(b"\n", b"") + b"\n")
    copy = decode(mended(b"".join(parts)))
    assert copy.damage is None
    assert copy.oddities == ()
    assert copy.events == decode(b"".join(LINES)).events


@given(st.binary(max_size=300))
def test_any_bytes_are_mended_into_a_sound_log(data: bytes) -> None:
    copy = decode(mended(data))
    assert copy.damage is None
    assert len(copy.notes) >= 1


@given(st.lists(st.integers(0, 10), unique=True, max_size=6))
def test_a_mended_log_knows_which_numbers_it_lacks(gone: list[int]) -> None:
    parts = [b"rubbish\n" if at in gone else line for at, line in enumerate(LINES)]
    copy = decode(mended(b"".join(parts)))
    assert copy.oddities == ()
    [note] = [noted.note for noted in copy.notes]
    assert isinstance(note, LogRepaired)
    inside = [at + 1 for at in gone if any(other > at and other not in gone for other in range(11))]
    assert sorted(note.lost) == sorted(inside)


def test_a_record_that_was_appended_to_a_torn_line_is_rescued() -> None:
    log = LINES[0] + LINES[1][:30] + LINES[2]
    assert decode(log).events == decode(LINES[0]).events
    examined = examine(log)
    assert examined.rescued == 1
    assert [entry.seq for entry in decode(mended(log)).events] == [1, 3]


def test_a_record_behind_the_zero_bytes_of_a_power_cut_is_rescued() -> None:
    copy = decode(mended(LINES[0] + b"\x00" * 512 + LINES[1]))
    assert [entry.seq for entry in copy.events] == [1, 2]


def test_lines_out_of_order_and_given_twice_stand_in_order_once() -> None:
    copy = mended(LINES[2] + LINES[0] + LINES[1] + LINES[0])
    assert copy.startswith(b"".join(LINES[:3]))
    assert decode(copy).oddities == ()


def test_mending_a_mended_log_keeps_what_the_first_repair_noted() -> None:
    first = mended(LINES[0] + b"rubbish\n" + LINES[2])
    again = decode(mended(first + b"{torn"))
    assert again.oddities == ()
    assert [entry.seq for entry in again.events] == [1, 3]


def test_one_damaged_number_makes_no_endless_list() -> None:
    far = encode(10**15, TIME, RendezvousSought(Location.CORNHILL, 1)).encode()
    copy = decode(mended(LINES[0] + far + b"rubbish\n"))
    [note] = [noted.note for noted in copy.notes]
    assert isinstance(note, LogRepaired)
    assert note.lost == ()
