"""Adalight frames and WLED's answers, as bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.adalight import FLUSH, TRIGGERS, adalight, safe
from hardware.lights import Rgb
from hardware.wled import INFO_QUESTION, TAKE_OVER, WledInfo, find_version, parse_info

FOLDER = Path(__file__).parents[2] / "fixtures/serial"
VECTORS: dict[str, Any] = json.loads((FOLDER / "wled.json").read_text(encoding="utf-8"))


def test_the_fixtures_are_the_ones_of_the_manifest() -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    for name, entry in manifest["files"].items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == entry["sha256"]


@pytest.mark.parametrize("vector", VECTORS["adalight"], ids=lambda vector: str(vector["what"]))
def test_a_frame_is_the_printed_header_and_the_colours_in_order(vector: dict[str, Any]) -> None:
    colours = [Rgb(light % 256, 2, 3) for light in range(vector["lights"])]
    written = adalight(colours)
    assert written[:6] == bytes.fromhex(vector["header"])
    assert [tuple(written[start : start + 3]) for start in range(6, len(written), 3)] == colours


def test_a_frame_without_lights_is_never_sent() -> None:
    with pytest.raises(ValueError, match="1 to 65536"):
        adalight([])


def test_the_bytes_that_are_commands_are_the_printed_ones() -> None:
    assert bytes.fromhex(VECTORS["triggers"]) == bytes(
        sorted(TRIGGERS, key=bytes.fromhex(VECTORS["triggers"]).index)
    )


@given(st.builds(Rgb, *[st.integers(0, 255)] * 3))
def test_a_safe_colour_holds_no_command_and_differs_by_eight_at_most(colour: Rgb) -> None:
    [made] = safe([colour])
    assert not TRIGGERS & set(made)
    assert all(0 <= was - now <= 8 for was, now in zip(colour, made, strict=True))


def test_what_ends_a_torn_frame_is_no_command_itself() -> None:
    assert set(FLUSH) == {0}
    assert len(FLUSH) >= 3 * 33


def test_a_wled_tells_its_build() -> None:
    vector = VECTORS["version"]
    assert find_version(b"noise" + vector["bytes"].encode()) == vector["build"]
    assert find_version(b"WLED 26") is None


@pytest.mark.parametrize("vector", VECTORS["info"], ids=lambda vector: str(vector["what"]))
def test_what_a_wled_says_of_itself(vector: dict[str, Any]) -> None:
    assert parse_info(vector["bytes"].encode()) == WledInfo(
        vector["version"], vector["lights"], vector["on"], vector["overridden"]
    )


@pytest.mark.parametrize("line", VECTORS["no_info"])
def test_other_lines_are_no_information(line: str) -> None:
    assert parse_info(line.encode()) is None


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reading_of_answers_raise(line: bytes) -> None:
    parse_info(line)
    find_version(line)


_ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
)


@given(
    values=st.fixed_dictionaries(dict.fromkeys(("on", "lor", "ver", "count", "leds"), _ODD_VALUES)),
    chosen=st.sets(st.sampled_from(["on", "lor", "ver", "count", "leds"])),
)
def test_an_answer_of_the_right_shape_with_any_values_names_one_light_at_least_or_nothing(
    values: dict[str, Any], chosen: set[str]
) -> None:
    state: dict[str, Any] = {"on": True, "lor": 0}
    info: dict[str, Any] = {"brand": "WLED", "ver": "16.0.0", "leds": {"count": 33}}
    for name in sorted(chosen):
        part = {"on": state, "lor": state, "count": info["leds"]}.get(name, info)
        part[name] = values[name]
    told = parse_info(json.dumps({"state": state, "info": info}).encode())
    assert told is None or told.lights >= 1
    assert chosen or told is not None


@pytest.mark.parametrize("count", ["1e999", "-1e999", "NaN", "-3", "0", "null", '"many"'])
def test_a_number_of_lights_that_no_strip_has_is_no_information(count: str) -> None:
    info = f'{{"brand":"WLED","ver":"16.0.0","leds":{{"count":{count}}}}}'
    assert parse_info(f'{{"state":{{"on":true}},"info":{info}}}\r\n'.encode()) is None


def test_json_ends_with_the_byte_that_a_wled_swallows() -> None:
    for said in (INFO_QUESTION, TAKE_OVER):
        assert said.endswith(b"}\n")
        json.loads(said)
