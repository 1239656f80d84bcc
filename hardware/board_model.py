"""A board with Bystander's firmware, as a model: bytes in, bytes out, lights. No port, no clock.

It behaves as the two firmwares do (they are tested against the same cases): for `bystander leds
simulate`, and for tests of the driver.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from hardware.current import DEFAULT_BUDGET_MA, highest_brightness
from hardware.lights import DARK, LightFrame, Rgb
from hardware.protocol import (
    VERSION,
    WATCHDOG_S,
    Fault,
    Hello,
    Line,
    LineDecoder,
    Side,
    encode,
    parse_frame,
)


class Board(Protocol):
    """Anything that a driver can talk to, seen from inside."""

    @property
    def lights(self) -> tuple[Rgb, ...]:
        """What the lights show now, brightness worked in."""
        ...

    def start(self, now_s: float) -> bytes:
        """Return what the board says when it gets its current."""
        ...

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take what the host said (b"" as time goes by); return what the board answers."""
        ...


class OwnBoard:
    """The model of Bystander's firmware."""

    def __init__(self, lights: int = 33, budget_ma: int = DEFAULT_BUDGET_MA) -> None:
        """Make a board with a strip of so many lights and its own current limit."""
        self._count, self._budget_ma = lights, budget_ma
        self._hello = Hello(
            VERSION, "0.1", lights, budget_ma, round(WATCHDOG_S * 1000), "simulated"
        )
        self._reset()

    def _reset(self) -> None:
        self._decoder = LineDecoder(Side.HOST)
        self._lights = (DARK,) * self._count
        self._watchdog_s = WATCHDOG_S
        self._heard_s = float("-inf")

    @property
    def lights(self) -> tuple[Rgb, ...]:
        """What the lights show now, brightness worked in."""
        return self._lights

    def start(self, now_s: float) -> bytes:
        """Begin dark; return the hello."""
        self._reset()
        self._heard_s = now_s
        return encode(Side.BOARD, Line(None, "h", self._hello.argument))

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take bytes; return the answers to the lines they complete."""
        answers = []
        if self._watchdog_s and now_s - self._heard_s >= self._watchdog_s:
            self._lights = (DARK,) * self._count
        for line in self._decoder.feed(data):
            if isinstance(line, Line) and line.seq is not None:
                answers.append(encode(Side.BOARD, self._answer(line, now_s)))
            else:
                fault = line if isinstance(line, Fault) else Fault.FRAME
                answers.append(encode(Side.BOARD, Line(None, "e", str(fault.value))))
        return b"".join(answers)

    def _answer(self, line: Line, now_s: float) -> Line:
        answered = self._obey(line)
        if isinstance(answered, Fault):
            return Line(line.seq, "e", str(answered.value))
        self._heard_s = now_s
        return replace(answered, seq=line.seq)

    def _obey(self, line: Line) -> Line | Fault:
        if line.letter == "F":
            frame = parse_frame(line.argument, self._count)
            return frame if isinstance(frame, Fault) else self._show(frame)
        if line.letter == "W":
            return self._set_watchdog(line.argument)
        if line.letter not in ("H", "P", "B"):
            return Fault.COMMAND
        if line.argument:
            return Fault.LENGTH
        if line.letter == "B":
            self._lights = (DARK,) * self._count
        argument = self._hello.argument if line.letter == "H" else ""
        return Line(None, line.letter.lower(), argument)

    def _show(self, frame: LightFrame) -> Line:
        missing = (DARK,) * (self._count - len(frame.colours))
        frame = replace(frame, colours=frame.colours + missing)
        used = highest_brightness(frame, self._budget_ma)
        self._lights = replace(frame, brightness=used).scaled()
        return Line(None, "a", f"{used:02X}")

    def _set_watchdog(self, argument: str) -> Line | Fault:
        if len(argument) != 2:
            return Fault.LENGTH
        if any(digit not in "0123456789ABCDEF" for digit in argument):
            return Fault.HEX
        self._watchdog_s = int(argument, 16) / 10
        return Line(None, "w")
