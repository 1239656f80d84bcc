"""Bystander's own line protocol, version 1, as pure bytes.

One line of printable characters each way, one answer to each command, one command under way:

    host   '>' SS C ARG '*' CCCCCCCC LF
    board  '<' SS r ARG '*' CCCCCCCC LF        (a CR before the LF is stripped)

    SS        sequence number, two upper-case hex digits; the answer repeats it. An answer to
              something unreadable, and one that nobody asked for, has "--".
    C, r      one letter: the command, the answer
    ARG       the rest, upper-case hex (H answers in text); may be empty
    CCCCCCCC  CRC-32 (the one of zlib) of all between '>' or '<' and '*', eight upper-case digits

    command                          answer
    H        hello                   h1;fw=0.1;led=33;ma=200;wd=3000;id=…   version, then key=value
    F BB RRGGBB…  brightness, then   a SS   SS: the brightness really used after the board's own
             a colour per light;            current limit
             missing ones are off
    P        keep-alive              p
    B        blank: all off          b
    W TT     watchdog in 0.1 s,      w      (00: never)
             until the next start
    errors   e1 wrong CRC · e2 no frame · e3 no hex · e4 wrong length · e5 unknown command ·
             e6 line too long

A board says its hello by itself when it starts ("--h…"). Without a valid line for its watchdog's
time (3 s at start) it turns all lights off; the next frame brings them back.

Why text: a byte 03 would interrupt MicroPython and lose its input; CR, XON and XOFF survive no
terminal; and none of the bytes means anything to a WLED, so the hello can be said to any board.
'>' always begins a line anew and bytes outside of a line are noise, so a torn line costs itself
only. Why CRC-32: it is built into MicroPython, and a table of 16 words does on an ATmega.
Typed by hand: hello ``>00H*7C6BC3D3``, keep-alive ``>01P*761C6AC4``.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from enum import Enum

from hardware.lights import MOST_LIGHTS, LightFrame, Rgb

VERSION = 1

#: After this long without a valid line a board turns its lights off.
WATCHDOG_S = 3.0

#: The longest line, without its start and its end: a frame for MOST_LIGHTS.
LONGEST = 2 + 1 + 2 + 6 * MOST_LIGHTS + 1 + 8

_CRC_LENGTH = 9  # with its '*'


class Side(Enum):
    """Who says a line; the value is the byte that begins it."""

    HOST = ord(">")
    BOARD = ord("<")


class Fault(Enum):
    """What is wrong with a line that was heard; the value is the digit of the error answer."""

    CRC = 1
    FRAME = 2
    HEX = 3
    LENGTH = 4
    COMMAND = 5
    TOO_LONG = 6


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its sequence number (None for "--"), its letter, and the rest."""

    seq: int | None
    letter: str
    argument: str = ""


def encode(side: Side, line: Line) -> bytes:
    """Return a line as bytes, with its start, CRC and end."""
    number = "--" if line.seq is None else f"{line.seq & 0xFF:02X}"
    body = f"{number}{line.letter}{line.argument}".encode("ascii")
    return b"%c%b*%08X\n" % (side.value, body, zlib.crc32(body))


class LineDecoder:
    """Finds lines in any bytes in any cut; never raises. `noise` counts bytes outside of lines."""

    def __init__(self, side: Side) -> None:
        """Begin outside of a line; `side` is whose lines are heard."""
        self.noise = 0
        self._side = side
        self._line: bytearray | None = None

    def feed(self, data: bytes) -> list[Line | Fault]:
        """Return what these bytes complete, in order: lines, and the faults of broken ones."""
        found: list[Line | Fault] = []
        for byte in data:
            if byte == self._side.value:
                if self._line is not None:
                    self.noise += len(self._line) + 1
                self._line = bytearray()
            elif self._line is None:
                self.noise += 1
            elif byte == ord("\n"):
                found.append(_parse(bytes(self._line)))
                self._line = None
            elif len(self._line) > LONGEST:  # one more than that may be the CR
                self._line = None
                found.append(Fault.TOO_LONG)
            else:
                self._line.append(byte)
        return found


_BODY = re.compile(rb"([0-9A-F]{2}|--)([A-Za-z])([ -~]*)")


def _parse(text: bytes) -> Line | Fault:
    text = text.removesuffix(b"\r")
    body, check = text[:-_CRC_LENGTH], text[-_CRC_LENGTH:]
    if len(text) < 3 + _CRC_LENGTH or check[:1] != b"*":
        return Fault.FRAME
    if check[1:] != b"%08X" % zlib.crc32(body):
        return Fault.CRC
    match = _BODY.fullmatch(body)
    if match is None:
        return Fault.FRAME
    number, letter, argument = (part.decode("ascii") for part in match.groups())
    return Line(None if number == "--" else int(number, 16), letter, argument)


def hello() -> Line:
    """Return the question who is there; number it before it is sent."""
    return Line(0, "H")


def frame_argument(frame: LightFrame) -> str:
    """Return a frame as the argument of F."""
    colours = "".join(f"{red:02X}{green:02X}{blue:02X}" for red, green, blue in frame.colours)
    return f"{frame.brightness:02X}{colours}"


def parse_frame(argument: str, most_lights: int) -> LightFrame | Fault:
    """Return the frame that an argument of F tells, or what is wrong with it."""
    count, odd = divmod(len(argument) - 2, 6)
    if odd or not 1 <= count <= most_lights:
        return Fault.LENGTH
    if re.fullmatch("[0-9A-F]*", argument) is None:
        return Fault.HEX
    values = bytes.fromhex(argument)
    return LightFrame(
        tuple(Rgb(*values[start : start + 3]) for start in range(1, len(values), 3)), values[0]
    )


@dataclass(frozen=True, slots=True)
class Hello:
    """What a board says of itself; zeros and "" for what it leaves out."""

    version: int
    firmware: str
    lights: int
    budget_ma: int
    watchdog_ms: int
    board_id: str

    @property
    def argument(self) -> str:
        """The hello as the argument of h."""
        return (
            f"{self.version};fw={self.firmware};led={self.lights};ma={self.budget_ma};"
            f"wd={self.watchdog_ms};id={self.board_id}"
        )


def parse_hello(line: Line) -> Hello | None:
    """Return what a board's hello says, None when the line is none. Unknown keys are left out."""
    version, *rest = line.argument.split(";")
    if line.letter != "h" or not version.isdecimal():
        return None
    said = dict(part.split("=", 1) for part in rest if "=" in part)

    def number(key: str) -> int:
        text = said.get(key, "")
        return int(text) if text.isdecimal() and len(text) < 7 else 0

    return Hello(
        version=int(version),
        firmware=said.get("fw", ""),
        lights=number("led"),
        budget_ma=number("ma"),
        watchdog_ms=number("wd"),
        board_id=said.get("id", ""),
    )
