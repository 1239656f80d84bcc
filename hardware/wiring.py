"""The wiring diagrams: parts between a 5 V line above and a ground line below, signals between.

    python -m hardware.wiring FOLDER        writes them as SVG

Every wire names the two pins it joins and carries its meaning as a word and as a kind of line, so
that nothing rests on colour. Shown are parts and pins, not how they lie on a breadboard.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from itertools import pairwise
from pathlib import Path

WIDTH, HEIGHT = 980, 470
_SUPPLY_Y, _SIGNAL_Y, _GROUND_Y = 70, 230, 390


class Kind(Enum):
    """What a wire carries; the value is its colour and its dashes."""

    SUPPLY = ("#b3261e", "")
    GROUND = ("#1f1f1f", "9 5")
    DATA = ("#1a5fb4", "2 4")


@dataclass(frozen=True, slots=True)
class Part:
    """A box: where it is, what stands in it, and its pins.

    `above` are pins to the 5 V line, `below` to ground; `left` and `right` carry the signal.
    """

    name: str
    x: int
    wide: int
    words: Sequence[str]
    above: Sequence[str] = ()
    below: Sequence[str] = ()
    left: str = ""
    right: str = ""
    top: int = 140
    bottom: int = 320


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire from pin to pin ("part.pin"), or to one of the lines "5 V" and "GND"."""

    start: str
    end: str
    kind: Kind
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """A title, the parts from left to right, and what must be known beside it."""

    title: str
    parts: Sequence[Part]
    notes: Sequence[str]


_STRIP = Part("strip", 690, 190, ["WS2812B lights", "0, 1, 2 … on the strip"],
              ["5V"], ["GND"], left="DIN")  # fmt: skip
_RESISTOR = Part("resistor", 560, 80, ["330 Ω"], left="1", right="2", top=212, bottom=248)
_ORDER_NOTE = "The resistor sits at the first light. 11 lights: one a place; 33: three a place."
_USB_NOTE = "All current comes from the USB port: leave the limit at 200 mA and add at most 10 µF."

DIAGRAMS = {
    "pico": Diagram(
        "Raspberry Pi Pico, powered by USB",
        [
            Part("pico", 60, 170, ["Raspberry Pi Pico", "USB to the computer"],
                 ["VBUS (pin 40)"], ["GND (pin 38)"], right="GP16 (pin 21)"),
            Part("shifter", 330, 160, ["74AHCT125", "lifts 3.3 V to 5 V"],
                 ["VCC (14)"], ["1OE (1)", "GND (7)"], left="1A (2)", right="1Y (3)"),
            _RESISTOR,
            _STRIP,
        ],
        [_ORDER_NOTE, _USB_NOTE,
         "Put 100 nF between the chip's VCC and GND, close to it; tie its unused inputs to GND."],
    ),
    "arduino": Diagram(
        "Arduino Uno or Nano, powered by USB",
        [
            Part("arduino", 60, 190, ["Arduino Uno / Nano", "USB to the computer"],
                 ["5V"], ["GND"], right="D6"),
            _RESISTOR,
            _STRIP,
        ],
        [_ORDER_NOTE, _USB_NOTE],
    ),
    "wled": Diagram(
        "ESP32 board with WLED, powered by USB",
        [
            Part("esp32", 60, 190, ["ESP32 with WLED", "USB to the computer"],
                 ["5V (or VIN)"], ["GND"], right="data pin"),
            Part("shifter", 330, 160, ["74AHCT125", "lifts 3.3 V to 5 V"],
                 ["VCC (14)"], ["1OE (1)", "GND (7)"], left="1A (2)", right="1Y (3)"),
            _RESISTOR,
            _STRIP,
        ],
        [_ORDER_NOTE,
         "The data pin is the one set in WLED's LED preferences; set its current limit there too,",
         "to 200 mA: the ESP32 itself takes some hundred more, and a USB 2 port gives 500 mA."],
    ),
    "supply": Diagram(
        "A 5 V supply of its own, for more current than a USB port gives",
        [
            Part("board", 60, 190, ["Pico, Arduino, ESP32", "USB to the computer"],
                 [], ["GND"], right="data"),
            _RESISTOR,
            Part("strip", 690, 150, ["WS2812B lights"], ["5V"], ["GND"], left="DIN"),
            Part("supply", 860, 100, ["5 V supply", "1000 µF", "across it"],
                 ["+"], ["-"]),
        ],
        ["The grounds are joined; the supply's + never goes to VBUS or to the board's 5 V pin.",
         "A Pico or an ESP32 keeps its 74AHCT125, whose VCC is then the supply's +.",
         "Supply on before the board. Then raise BUDGET_MA in the firmware, and say ,budget=MA."],
    ),
}  # fmt: skip


def pins(part: Part) -> Iterator[tuple[str, float, float]]:
    """Yield a part's pins: name, x, y."""
    for names, y in ((part.above, part.top), (part.below, part.bottom)):
        for number, name in enumerate(names, 1):
            yield name, part.x + part.wide * number / (len(names) + 1), y
    if part.left:
        yield part.left, part.x, _SIGNAL_Y
    if part.right:
        yield part.right, part.x + part.wide, _SIGNAL_Y


def wires(diagram: Diagram) -> list[Wire]:
    """Return all wires: pins above to 5 V, pins below to ground, the signal from left to right."""
    found = []
    for part in diagram.parts:
        for name, x, y in pins(part):
            if name in part.above:
                found.append(_wire(part, name, "5 V", Kind.SUPPLY, (x, y), (x, _SUPPLY_Y)))
            elif name in part.below:
                found.append(_wire(part, name, "GND", Kind.GROUND, (x, y), (x, _GROUND_Y)))
    chain = [part for part in diagram.parts if part.left or part.right]
    for one, other in pairwise(chain):
        start, end = (one.x + one.wide, _SIGNAL_Y), (other.x, _SIGNAL_Y)
        found.append(_wire(one, one.right, f"{other.name}.{other.left}", Kind.DATA, start, end))
    return found


def _wire(part: Part, pin: str, end: str, kind: Kind, *points: tuple[float, float]) -> Wire:
    return Wire(f"{part.name}.{pin}", end, kind, points)


def svg(diagram: Diagram) -> str:
    """Return a diagram as SVG."""
    joined = wires(diagram)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">',
        f"<title>{escape(diagram.title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(30, 34, diagram.title, 20, "start", weight="bold"),
        *_rail(joined, Kind.SUPPLY, _SUPPLY_Y, "5 V"),
        *_rail(joined, Kind.GROUND, _GROUND_Y, "GND"),
    ]
    for wire in joined:
        lines.append(_line(wire.kind, wire.points, wire.start, wire.end))
        x, y = wire.points[-1]
        if wire.kind is not Kind.DATA:
            lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{wire.kind.value[0]}"/>')
    for part in diagram.parts:
        lines += _box(part)
    lines += [
        _text(30, 414 + 19 * number, note, 13, "start") for number, note in enumerate(diagram.notes)
    ]
    return "\n".join([*lines, "</svg>", ""])


def _rail(joined: Sequence[Wire], kind: Kind, y: int, name: str) -> list[str]:
    xs = [wire.points[-1][0] for wire in joined if wire.kind is kind]
    middle = (min(xs) + min([x for x in xs if x > min(xs)], default=max(xs))) / 2
    return [
        _line(kind, ((min(xs), y), (max(xs), y)), name, name),
        _text(middle, y - 8, name, 14, "middle", fill=kind.value[0], weight="bold"),
    ]


def _line(kind: Kind, points: Sequence[tuple[float, float]], start: str, end: str) -> str:
    colour, dashes = kind.value
    at = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<polyline points="{at}" fill="none" stroke="{colour}" stroke-width="3"{dashed} '
        f'data-from="{escape(start)}" data-to="{escape(end)}"/>'
    )


def _box(part: Part) -> list[str]:
    high = part.bottom - part.top
    lines = [
        f'<rect x="{part.x}" y="{part.top}" width="{part.wide}" height="{high}" rx="6" '
        'fill="#f3efe4" stroke="#3b352a" stroke-width="2"/>'
    ]
    middle = part.x + part.wide / 2
    # Words stand in the upper half, or the signal pins' names would run into them.
    is_small = high < 60
    first = part.top + high / 2 + 5 if is_small else part.top + 48
    lines += [
        _text(middle, first + 19 * number, words, 14, "middle", weight="bold" if not number else "")
        for number, words in enumerate(part.words)
    ]
    if is_small:
        return lines
    for name, x, y in pins(part):
        lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="#3b352a"/>')
        if name in part.above:
            lines.append(_text(x, y + 18, name, 12, "middle"))
        elif name in part.below:
            lines.append(_text(x, y - 9, name, 12, "middle"))
        elif name == part.left:
            lines.append(_text(x + 8, y + 4, name, 12, "start"))
        else:
            lines.append(_text(x - 8, y + 4, name, 12, "end"))
    return lines


def _text(
    x: float,
    y: float,
    words: str,
    size: int,
    anchor: str,
    *,
    fill: str = "#1f1f1f",
    weight: str = "",
) -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{fill}"{bold}>{escape(words)}</text>'
    )


def write_diagrams(folder: Path) -> list[Path]:
    """Write all diagrams into a folder; return the files.

    Raises:
        OSError: a file cannot be written.
    """
    written = []
    for name, diagram in DIAGRAMS.items():
        path = folder / f"{name}.svg"
        path.write_text(svg(diagram), encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    write_diagrams(Path(sys.argv[1]))
