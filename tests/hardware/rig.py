"""A machine with USB ports and boards in simulated time: nothing waits, nothing is chance."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass, field

import serial

from hardware.board_model import Board
from hardware.keeper import Keeper, World
from hardware.lights import LightFrame, Loop, Rgb
from hardware.ports import Port, UsbId, in_words
from hardware.target import Target

PICO = UsbId(0x2E8A, 0x0005, "E661")

AZURE, DIM = Rgb(0, 120, 255), Rgb(200, 80, 0)


def few(*lit: int, lights: int = 33, colour: Rgb = DIM) -> LightFrame:
    """Return a frame with a few lights lit, within any budget."""
    dark = Rgb(0, 0, 0)
    return LightFrame(tuple(colour if light in lit else dark for light in range(lights)))


@dataclass
class Machine:
    """Ports, the boards on them, and what can happen to them."""

    boards: dict[str, Board] = field(default_factory=dict)
    usb: dict[str, UsbId] = field(default_factory=dict)
    now_s: float = 100.0
    #: Set by a test: called before each call on a port with its name; may raise.
    trouble: Callable[[str], None] = lambda _call: None
    #: What is done to bytes on their way to a board.
    noise: Callable[[bytes], bytes] = lambda data: data
    #: A board hears nothing for so long after its port was opened (it starts).
    boots_s: float = 0.0
    written: bytearray = field(default_factory=bytearray)
    writes: list[tuple[float, bytes]] = field(default_factory=list)
    opened: int = 0

    def plug(self, device: str, board: Board, usb: UsbId | None = PICO) -> None:
        """Plug a board in."""
        self.boards[device] = board
        if usb is not None:
            self.usb[device] = usb

    def unplug(self, device: str) -> None:
        """Pull a board out."""
        del self.boards[device]
        self.usb.pop(device, None)

    @property
    def world(self) -> World:
        """The machine as the keeper sees it."""
        return World(self.open, self.ports)

    def ports(self) -> list[Port]:
        """Return the USB ports."""
        return [Port(device, usb, "a board") for device, usb in self.usb.items()]

    def open(self, url: str, baud: int) -> MachineWire:
        """Open a port as pyserial does, its errors in words."""
        try:
            self.trouble("open")
            if url not in self.boards:
                raise serial.SerialException(errno.ENOENT, f"could not open port {url}")
        except OSError as error:
            raise in_words(url, error) from error
        self.opened += 1
        return MachineWire(self, url, self.boards[url])


class MachineWire:
    """An open port of the machine."""

    def __init__(self, machine: Machine, url: str, board: Board) -> None:
        self._machine, self._url, self._board = machine, url, board
        self._ready_s = machine.now_s + machine.boots_s
        self._started = False
        self._coming = b""
        self.is_closed = False

    def _check(self, call: str) -> None:
        assert not self.is_closed, "a closed port was used"
        self._machine.trouble(call)
        if self._machine.boards.get(self._url) is not self._board:
            raise serial.SerialException(errno.EIO, "device reports readiness to read but no data")

    def read(self, size: int) -> bytes:
        self._check("read")
        if self._machine.now_s >= self._ready_s:
            if not self._started:
                self._started = True
                self._coming += self._board.start(self._machine.now_s)
            self._coming += self._board.hear(b"", self._machine.now_s)
        data, self._coming = self._coming[:size], self._coming[size:]
        return data

    def write(self, data: bytes) -> int:
        self._check("write")
        self._machine.written += data
        self._machine.writes.append((self._machine.now_s, data))
        if self._started:
            heard = self._machine.noise(data)
            self._coming += self._board.hear(heard, self._machine.now_s)
        return len(data)

    def close(self) -> None:
        self.is_closed = True


class Evening:
    """A keeper on a machine, and the time that goes by."""

    def __init__(self, machine: Machine, target: Target, loop: Loop | None = None) -> None:
        self.said: list[str] = []
        self.machine = machine
        self.keeper = Keeper(target, machine.world, self.said.append)
        self.keeper.open_now()
        if loop is not None:
            self.show(loop)

    def show(self, loop: Loop | LightFrame) -> None:
        """Want a picture."""
        steady = Loop.steady(loop) if isinstance(loop, LightFrame) else loop
        self.keeper.want(steady, self.machine.now_s)

    def run(self, seconds: float, watch: Callable[[], None] = lambda: None) -> None:
        """Let time go by; `watch` is called after every step."""
        end_s = self.machine.now_s + seconds
        while self.machine.now_s < end_s:
            wait_s = self.keeper.step(self.machine.now_s)
            assert 0 < wait_s <= 0.5, "the keeper never spins and never sleeps long"
            watch()
            self.machine.now_s = min(self.machine.now_s + wait_s, end_s)
        self.keeper.step(self.machine.now_s)
