"""Bystander's own lines: the printed vectors, any bytes in any cut, and what noise can do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.lights import MOST_LIGHTS, LightFrame, Rgb
from hardware.protocol import (
    LONGEST,
    Fault,
    Hello,
    Line,
    LineDecoder,
    Side,
    encode,
    frame_argument,
    hello,
    parse_frame,
    parse_hello,
)

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures/serial/own.json").read_text(encoding="utf-8")
)

bytes_of_colours = st.builds(Rgb, *[st.integers(0, 255)] * 3)
frames = st.builds(
    LightFrame,
    st.lists(bytes_of_colours, min_size=1, max_size=MOST_LIGHTS).map(tuple),
    st.integers(0, 255),
)


def test_the_hello_and_the_keep_alive_are_the_printed_ones() -> None:
    assert encode(Side.HOST, hello()) == b">00H*7C6BC3D3\n"
    assert encode(Side.HOST, Line(1, "P")) == b">01P*761C6AC4\n"


@pytest.mark.parametrize("vector", VECTORS["lines"], ids=lambda vector: str(vector["what"]))
def test_each_line_of_the_fixture_is_written_and_read_as_told(vector: dict[str, Any]) -> None:
    side = Side[vector["side"].upper()]
    line = Line(vector["seq"], vector["letter"], vector["argument"])
    written = vector["bytes"].encode("ascii")
    assert encode(side, line) == written
    assert LineDecoder(side).feed(written) == [line]


@pytest.mark.parametrize("vector", VECTORS["faults"], ids=lambda vector: str(vector["what"]))
def test_each_broken_line_is_the_fault_that_the_fixture_names(vector: dict[str, Any]) -> None:
    found = LineDecoder(Side.HOST).feed(vector["bytes"].encode("latin-1"))
    assert found == [Fault[vector["fault"]]]


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: str(vector["what"]))
def test_each_frame_argument_is_taken_or_refused_as_told(vector: dict[str, Any]) -> None:
    parsed = parse_frame(vector["argument"], vector["lights"])
    if "fault" in vector:
        assert parsed is Fault[vector["fault"]]
    else:
        assert isinstance(parsed, LightFrame)
        assert parsed.brightness == vector["brightness"]
        assert [list(colour) for colour in parsed.colours] == vector["colours"]


@given(frames, st.integers(0, 255), st.data())
def test_a_frame_comes_through_whole_in_any_cut(
    frame: LightFrame, seq: int, data: st.DataObject
) -> None:
    written = encode(Side.HOST, Line(seq, "F", frame_argument(frame)))
    cut = data.draw(st.integers(0, len(written)))
    decoder = LineDecoder(Side.HOST)
    [line] = decoder.feed(written[:cut]) + decoder.feed(written[cut:])
    assert isinstance(line, Line)
    assert (line.seq, line.letter) == (seq, "F")
    assert parse_frame(line.argument, MOST_LIGHTS) == frame
    assert decoder.noise == 0


@given(st.binary(max_size=600), st.binary(max_size=40))
def test_no_bytes_make_the_decoder_raise_and_the_next_line_is_found(
    noise: bytes, more: bytes
) -> None:
    decoder = LineDecoder(Side.BOARD)
    decoder.feed(noise)
    decoder.feed(more)
    assert decoder.feed(encode(Side.BOARD, Line(7, "p")))[-1] == Line(7, "p")


@given(frames, st.data())
def test_no_single_changed_bit_makes_another_frame(frame: LightFrame, data: st.DataObject) -> None:
    written = bytearray(encode(Side.HOST, Line(3, "F", frame_argument(frame))))
    place = data.draw(st.integers(0, len(written) - 1))
    written[place] ^= 1 << data.draw(st.integers(0, 7))
    found = LineDecoder(Side.HOST).feed(bytes(written))
    assert not any(isinstance(line, Line) for line in found)


def test_a_line_that_was_torn_off_costs_itself_only() -> None:
    decoder = LineDecoder(Side.HOST)
    torn = encode(Side.HOST, Line(1, "F", "FF102030"))[:9]
    assert decoder.feed(torn + encode(Side.HOST, Line(2, "P"))) == [Line(2, "P")]
    assert decoder.noise == len(torn)


def test_a_line_ends_with_or_without_a_carriage_return() -> None:
    written = encode(Side.BOARD, Line(9, "p"))
    assert LineDecoder(Side.BOARD).feed(written.replace(b"\n", b"\r\n")) == [Line(9, "p")]


def test_the_longest_frame_fits_and_one_byte_more_is_too_long() -> None:
    argument = frame_argument(LightFrame((Rgb(1, 2, 3),) * MOST_LIGHTS))
    longest = encode(Side.HOST, Line(0, "F", argument))
    assert len(longest) == LONGEST + 2 == 256
    assert LineDecoder(Side.HOST).feed(longest) == [Line(0, "F", argument)]
    endless = b">" + b"0" * (LONGEST + 2)
    assert LineDecoder(Side.HOST).feed(endless) == [Fault.TOO_LONG]


def test_an_echo_of_our_own_lines_is_no_answer() -> None:
    assert LineDecoder(Side.BOARD).feed(encode(Side.HOST, hello())) == []


def test_no_line_holds_a_byte_that_interrupts_micropython() -> None:
    for letter in "HFPBW":
        assert set(encode(Side.HOST, Line(255, letter, "FF"))) <= {*range(0x20, 0x7F), 0x0A}


def test_a_hello_may_leave_things_out_and_say_more() -> None:
    said = parse_hello(Line(0, "h", "1;led=11;colour=blue;ma;wd=x"))
    assert said == Hello(1, "", 11, 0, 0, "")
    assert parse_hello(Line(0, "h", "one")) is None
    assert parse_hello(Line(0, "p", "1;led=11")) is None


@given(st.text(st.characters(codec="ascii"), max_size=40))
def test_no_hello_makes_the_parser_raise(argument: str) -> None:
    parse_hello(Line(None, "h", argument))
