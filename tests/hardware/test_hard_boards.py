"""Boards that make it hard: deaf for a while, small of buffer, reset by the opening of a port."""

from __future__ import annotations

import random
import socket
import threading
import time

import pytest
import serial
import serial.rfc2217

from hardware.board_model import OwnBoard
from hardware.driver import Driver
from hardware.lights import Loop, Rgb, Step, dark
from hardware.target import Target
from tests.hardware.devices import ArduinoDevice
from tests.hardware.rig import Evening, Machine, few
from tests.hardware.test_simulator import PATIENCE_S, Said

BYTE_S = 10 / 115_200


class DeafBoard(OwnBoard):
    """Takes one byte per byte time; deaf for 30 ms after a frame, with room for 64 bytes."""

    deaf_s, room = 0.03, 64

    def __init__(self) -> None:
        super().__init__()
        self.lost = 0
        self._line_free_s = 0.0
        self._deaf_until_s = 0.0
        self._waiting: list[tuple[float, int]] = []
        self._said = b""

    def hear(self, data: bytes, now_s: float) -> bytes:
        for byte in data:
            self._line_free_s = max(self._line_free_s, now_s) + BYTE_S
            self._waiting.append((self._line_free_s, byte))
        while self._waiting and self._waiting[0][0] <= now_s:
            arrived_s, byte = self._waiting.pop(0)
            if arrived_s < self._deaf_until_s:
                kept = sum(at_s < self._deaf_until_s for at_s, _ in self._waiting[: self.room])
                self.lost += kept >= self.room
                if kept >= self.room:
                    continue
            answer = super().hear(bytes([byte]), arrived_s)
            if b"a" in answer[:4]:
                self._deaf_until_s = arrived_s + self.deaf_s
            self._said += answer
        if now_s < self._deaf_until_s:
            return b""
        said, self._said = self._said, b""
        return said + super().hear(b"", now_s)


def test_a_board_that_is_deaf_while_it_lights_its_lights_loses_nothing() -> None:
    machine, board = Machine(), DeafBoard()
    machine.plug("/dev/ttyUSB0", board)
    evening = Evening(machine, Target("/dev/ttyUSB0"))
    evening.run(1.0)
    for turn in range(50):
        evening.show(few(turn % 33, colour=Rgb(100, turn, 0)))
        evening.run(0.17)
    evening.run(0.5)
    assert board.lost == 0
    assert board.lights == few(49 % 33, colour=Rgb(100, 49, 0)).colours
    assert machine.opened == 1


def test_the_deaf_board_does_lose_bytes_when_frames_are_not_answered_first() -> None:
    """The trap is real: without it the test above would prove nothing."""
    from hardware.protocol import Line, Side, encode, frame_argument

    board = DeafBoard()
    board.start(0.0)
    line = encode(Side.HOST, Line(1, "F", frame_argument(few(1))))
    for _ in range(50):
        board.hear(line, 1.0)
    board.hear(b"", 10.0)
    assert board.lost > 500


class ArduinoBoard:
    """The sketch in simavr as a board of the simulated machine: its time follows the machine's."""

    def __init__(self, device: ArduinoDevice) -> None:
        self.device = device
        self._began_s: float | None = None

    @property
    def lights(self) -> tuple[Rgb, ...]:
        return self.device.lights()

    def start(self, now_s: float) -> bytes:
        self._began_s = now_s - self.device.time_us / 1e6
        return b""

    def hear(self, data: bytes, now_s: float) -> bytes:
        assert self._began_s is not None
        if data:
            self.device.say(data)
        ahead_s = now_s - self._began_s - self.device.time_us / 1e6
        if ahead_s > 0:
            self.device.let_pass(ahead_s)
        return self.device.said()


def test_the_arduinos_firmware_is_kept_up_to_date_through_noise(arduino: ArduinoDevice) -> None:
    machine, chance = Machine(), random.Random(8)
    machine.plug("/dev/ttyUSB0", ArduinoBoard(arduino))
    evening = Evening(machine, Target("/dev/ttyUSB0"))
    evening.run(0.6)
    assert len(evening.said) == 1
    assert "33 lights, 200 mA" in evening.said[0]

    def noisy(data: bytes) -> bytes:
        changed = bytearray(data)
        if chance.random() < 0.3:
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        return bytes(changed)

    machine.noise = noisy
    allowed = {dark(33).colours}
    for turn in range(8):
        frame = few(turn, turn + 20)
        allowed.add(frame.colours)
        evening.show(frame)
        evening.run(0.25)
        assert arduino.lights() in allowed
    machine.noise = lambda data: data
    evening.run(0.5)
    assert arduino.lights() == frame.colours
    # What was refused is told again; the port is not opened anew for it.
    assert len(evening.said) == 1


def test_the_arduinos_firmware_follows_a_moving_picture(arduino: ArduinoDevice) -> None:
    machine = Machine()
    machine.plug("/dev/ttyUSB0", ArduinoBoard(arduino))
    steps = tuple(Step(few(light), 0.2) for light in range(10))
    evening = Evening(machine, Target("/dev/ttyUSB0"), Loop(steps))
    evening.run(0.6)
    before = arduino.frames
    evening.run(2.0)
    assert 9 <= arduino.frames - before <= 12


class UnoOnTheNet:
    """An RFC 2217 port with an Uno behind it: setting DTR resets it, and it starts for 1.6 s."""

    BOOTS_S = 1.6

    def __init__(self) -> None:
        self.board = OwnBoard()
        self.resets = self.swallowed = 0
        self._ready_s = float("inf")
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"rfc2217://127.0.0.1:{self._server.getsockname()[1]}"
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        host, _ = self._server.accept()
        host.settimeout(0.02)
        self._host = host
        manager = serial.rfc2217.PortManager(self._port(), self)
        started = False
        while True:
            try:
                data = host.recv(1024)
                if not data:
                    break
            except TimeoutError:
                data = b""
            except OSError:
                break
            heard = b"".join(manager.filter(data)) if data else b""
            now_s = time.monotonic()
            if now_s < self._ready_s:
                self.swallowed += len(heard)
                started = False
                continue
            answer = b"" if started else self.board.start(now_s)
            started = True
            answer += self.board.hear(heard, now_s)
            if answer:
                self.write(b"".join(manager.escape(answer)))
            with self._changed:
                self._changed.notify_all()
        host.close()
        self._server.close()

    def _port(self) -> serial.SerialBase:
        uno = self

        class Line(serial.serial_for_url("loop://", do_not_open=True).__class__):  # type: ignore[misc]
            """A port without a wire: only its DTR matters."""

            def _update_dtr_state(self) -> None:
                if self._dtr_state:
                    uno.resets += 1
                    uno._ready_s = time.monotonic() + uno.BOOTS_S
                super()._update_dtr_state()

        line = Line()
        line.port = "loop://"
        line.dtr = False
        line.open()
        return line

    def write(self, data: bytes) -> None:
        """Send to the host (what PortManager calls)."""
        self._host.sendall(data)

    def shows(self, wanted: tuple[Rgb, ...]) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.board.lights == wanted, PATIENCE_S)

    def join(self) -> None:
        self._thread.join(PATIENCE_S)


# pyserial's own thread is begun in a way that Python has since deprecated.
@pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning")
def test_an_uno_that_is_reset_by_the_opening_is_found_though_it_loses_the_first_hello() -> None:
    uno, said = UnoOnTheNet(), Said()
    driver = Driver(Target(uno.url), said)
    driver.show(Loop.steady(few(4)))
    assert uno.shows(few(4).colours)
    assert uno.resets >= 1
    assert uno.swallowed > 0
    assert driver.close(PATIENCE_S)
    uno.join()
