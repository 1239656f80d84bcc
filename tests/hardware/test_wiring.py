"""The wiring diagrams join what must be joined, and can be read."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import hardware.wiring
from hardware.wiring import DIAGRAMS, HEIGHT, WIDTH, svg, write_diagrams

SVG = "{http://www.w3.org/2000/svg}"

#: What must be joined, written down by hand from the parts' data sheets.
SHIFTED = {
    ("shifter.VCC (14)", "5 V"),
    ("shifter.GND (7)", "GND"),
    ("shifter.1OE (1)", "GND"),
    ("shifter.1Y (3)", "resistor.1"),
    ("resistor.2", "strip.DIN"),
    ("strip.5V", "5 V"),
    ("strip.GND", "GND"),
}
JOINED = {
    "pico": SHIFTED
    | {
        ("pico.VBUS (pin 40)", "5 V"),
        ("pico.GND (pin 38)", "GND"),
        ("pico.GP16 (pin 21)", "shifter.1A (2)"),
    },
    "arduino": {
        ("arduino.5V", "5 V"),
        ("arduino.GND", "GND"),
        ("arduino.D6", "resistor.1"),
        ("resistor.2", "strip.DIN"),
        ("strip.5V", "5 V"),
        ("strip.GND", "GND"),
    },
    "wled": SHIFTED
    | {
        ("esp32.5V (or VIN)", "5 V"),
        ("esp32.GND", "GND"),
        ("esp32.data pin", "shifter.1A (2)"),
    },
    "supply": {
        ("board.GND", "GND"),
        ("board.data", "resistor.1"),
        ("resistor.2", "strip.DIN"),
        ("strip.5V", "5 V"),
        ("strip.GND", "GND"),
        ("supply.+", "5 V"),
        ("supply.-", "GND"),
    },
}


@pytest.fixture(params=sorted(DIAGRAMS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def drawn(name: str) -> ET.Element:
    return ET.fromstring(svg(DIAGRAMS[name]))  # noqa: S314 - our own text


def test_exactly_the_right_pins_are_joined(name: str, drawn: ET.Element) -> None:
    joined = [
        (line.get("data-from"), line.get("data-to"))
        for line in drawn.iter(f"{SVG}polyline")
        if line.get("data-from") not in ("5 V", "GND")
    ]
    assert sorted(map(str, joined)) == sorted(map(str, JOINED[name]))


def test_no_wire_runs_through_a_part(drawn: ET.Element) -> None:
    boxes = [tuple(float(box.get(key, 0)) for key in ("x", "y", "width", "height"))
             for box in drawn.iter(f"{SVG}rect") if box.get("x")]  # fmt: skip
    assert boxes
    for line in drawn.iter(f"{SVG}polyline"):
        points = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
        (x1, y1), (x2, y2) = points[0], points[-1]
        for share in range(1, 50):
            x, y = x1 + (x2 - x1) * share / 50, y1 + (y2 - y1) * share / 50
            for left, top, wide, high in boxes:
                assert not (left < x < left + wide and top < y < top + high)


def test_words_stay_inside_of_the_picture_and_of_their_parts(drawn: ET.Element) -> None:
    boxes = [tuple(float(box.get(key, 0)) for key in ("x", "y", "width", "height"))
             for box in drawn.iter(f"{SVG}rect") if box.get("x")]  # fmt: skip
    for words in drawn.iter(f"{SVG}text"):
        x, y, size = (float(words.get(key, 0)) for key in ("x", "y", "font-size"))
        share = 0.62 if words.get("font-weight") else 0.56  # of the size, a letter of a wide face
        wide = share * size * len(words.text or "")
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[words.get("text-anchor", "")]
        assert left >= 0
        assert left + wide <= WIDTH
        assert size <= y <= HEIGHT
        for box_left, top, box_wide, high in boxes:
            if box_left <= x <= box_left + box_wide and top < y < top + high:
                assert box_left <= left
                assert left + wide <= box_left + box_wide


def test_the_kinds_of_wire_differ_without_colour(drawn: ET.Element) -> None:
    dashes = {line.get("stroke-dasharray") for line in drawn.iter(f"{SVG}polyline")}
    assert dashes == {None, "9 5", "2 4"}


def test_the_files_are_the_ones_that_are_drawn(tmp_path: Path) -> None:
    kept = Path(hardware.wiring.__file__).parent / "wiring_diagrams"
    for path in write_diagrams(tmp_path):
        assert (kept / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    assert len(list(kept.glob("*.svg"))) == len(DIAGRAMS)
