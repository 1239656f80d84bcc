"""The driver's thread and a simulated board on a real port of this machine."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from hardware.adalight import safe
from hardware.board_model import Board, OwnBoard
from hardware.driver import Driver
from hardware.errors import PortBusyError, PortMissingError
from hardware.keeper import World
from hardware.lights import DARK, Loop, Rgb, dark
from hardware.ports import Port, UsbId, Wire, open_wire
from hardware.simulator import Channel, Simulator, TcpChannel, open_channel
from hardware.target import Target
from hardware.terminal_lights import draw_lights
from hardware.wled_model import WledBoard
from tests.hardware.rig import few

#: How long a busy machine may take; nothing is measured by it.
PATIENCE_S = 20.0


class Lit:
    """A simulated board in a thread, and what its lights show."""

    def __init__(self, board: Board | None = None, channel: Channel | None = None) -> None:
        self.channel = channel or open_channel()
        self._changed = threading.Condition()
        self._lights: tuple[Rgb, ...] = ()
        self._seen: set[frozenset[int]] = set()
        self.simulator = Simulator(board or OwnBoard(), self.channel, self._drawn)
        self.thread = threading.Thread(target=self.simulator.run, daemon=True)
        self.thread.start()

    def _drawn(self, lights: tuple[Rgb, ...]) -> None:
        with self._changed:
            self._lights = lights
            self._seen.add(frozenset(n for n, colour in enumerate(lights) if colour != DARK))
            self._changed.notify_all()

    def now(self) -> tuple[Rgb, ...]:
        """Return what the lights show now."""
        with self._changed:
            return self._lights

    def seen(self) -> set[frozenset[int]]:
        """Return which lights were ever lit together."""
        with self._changed:
            return set(self._seen)

    def shows(self, wanted: tuple[Rgb, ...]) -> bool:
        """Wait until the lights are as wanted."""
        return self.shows_when(lambda lights: lights == wanted)

    def shows_when(self, is_so: Callable[[tuple[Rgb, ...]], bool]) -> bool:
        """Wait until what the lights show is so."""
        with self._changed:
            return self._changed.wait_for(lambda: is_so(self._lights), PATIENCE_S)

    def unplug(self) -> None:
        self.simulator.stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()


class Said:
    """What the driver says, waited for."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._changed = threading.Condition()

    def __call__(self, line: str) -> None:
        with self._changed:
            self.lines.append(line)
            self._changed.notify_all()

    def wait_for(self, is_there: Callable[[list[str]], bool]) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: is_there(self.lines), PATIENCE_S)


@pytest.fixture
def lit() -> Iterator[Lit]:
    board = Lit()
    yield board
    board.unplug()


def test_the_lights_follow_and_go_out_at_the_end(lit: Lit) -> None:
    said = Said()
    driver = Driver(Target(lit.channel.name), said)
    driver.show(Loop.steady(few(0, 5)))
    assert lit.shows(few(0, 5).colours)
    driver.show(Loop.steady(few(32)))
    assert lit.shows(few(32).colours)
    assert driver.close(PATIENCE_S)
    # By now, not when the board's watchdog bites.
    assert lit.now() == dark(33).colours
    assert said.lines[0].startswith(f"LED board on {lit.channel.name}: Bystander's firmware")


def test_a_wled_is_found_lit_and_left_black() -> None:
    wled, said = Lit(WledBoard()), Said()
    driver = Driver(Target(wled.channel.name), said)
    driver.show(Loop.steady(few(0, 5)))
    assert wled.shows(safe(few(0, 5).colours))
    assert driver.close(PATIENCE_S)
    assert wled.shows(dark(33).colours)
    assert said.lines == [f"LED board on {wled.channel.name}: WLED build 2607201"]
    wled.unplug()


def test_a_board_behind_a_url_is_a_board() -> None:
    lit = Lit(channel=TcpChannel())
    driver = Driver(Target(lit.channel.name), Said())
    driver.show(Loop.steady(few(2)))
    assert lit.shows(few(2).colours)
    assert driver.close(PATIENCE_S)
    lit.unplug()


@pytest.mark.skipif(sys.platform == "win32", reason="no pty on Windows")
def test_a_pulled_plug_is_told_and_the_board_found_again_under_another_name() -> None:
    first, usb = Lit(), UsbId(0x2E8A, 5, "E6")
    there: list[Port] = [Port(first.channel.name, usb, "Pico")]
    said = Said()
    driver = Driver(Target(first.channel.name), said, world=World(open_wire, lambda: list(there)))
    driver.show(Loop.steady(few(1)))
    assert first.shows(few(1).colours)
    # Held open, or the second pty could get the first one's name.
    second = Lit()
    there.clear()
    first.unplug()
    assert said.wait_for(lambda lines: "the LED board is gone; plug it in again" in lines)
    driver.show(Loop.steady(few(9)))
    there.append(Port(second.channel.name, usb, "Pico"))
    assert second.shows(few(9).colours)
    assert driver.close(PATIENCE_S)
    second.unplug()


def test_showing_never_waits_for_a_port_that_blocks() -> None:
    released = threading.Event()
    entered = threading.Event()

    class Blocking:
        def read(self, size: int) -> bytes:
            entered.set()
            released.wait(PATIENCE_S)
            return b""

        def write(self, data: bytes) -> int:
            return len(data)

        def close(self) -> None:
            released.set()

    driver = Driver(Target("x"), Said(), world=World(lambda _url, _baud: Blocking(), list))
    assert entered.wait(PATIENCE_S)
    # The port's thread is inside a call that does not return; ours is not held up by it.
    for light in range(33):
        driver.show(Loop.steady(few(light)))
    assert not driver.close(0.01)
    assert not released.is_set()
    released.set()
    assert driver.close(PATIENCE_S)


def test_a_port_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(PortMissingError, match="bystander leds list"):
        Driver(Target("/dev/no-such-port"), Said())
    with pytest.raises(PortMissingError, match="no port"):
        Driver(Target("nonsense://x"), Said())


@pytest.mark.skipif(sys.platform == "win32", reason="no pty on Windows")
def test_a_port_that_another_program_lets_go_is_opened_then(lit: Lit) -> None:
    other, said = open_wire(lit.channel.name, 115200), Said()

    def lets_go(line: str) -> None:
        said(line)
        other.close()

    driver = Driver(Target(lit.channel.name), lets_go)
    assert "in use" in said.lines[0]
    driver.show(Loop.steady(few(3)))
    assert lit.shows(few(3).colours)
    assert driver.close(PATIENCE_S)
    assert len(said.lines) == 2


def test_a_port_that_stays_in_use_is_tried_for_ten_seconds_and_told() -> None:
    now_s, said = [100.0], Said()
    tried_s: list[float] = []

    def busy(url: str, _baud: int) -> Wire:
        tried_s.append(now_s[0])
        raise PortBusyError(f"{url} is in use: close the other program")

    def pause(seconds: float) -> None:
        now_s[0] += seconds

    with pytest.raises(PortBusyError, match="close the other program"):
        Driver(Target("x"), said, world=World(busy, list), clock=lambda: now_s[0], pause=pause)
    assert (tried_s[0], tried_s[-1]) == (100.0, 110.0)
    assert len(tried_s) > 10
    assert len(said.lines) == 1


def test_a_host_that_hangs_up_can_call_again() -> None:
    lit = Lit(channel=TcpChannel())
    host, port = lit.channel.name.removeprefix("socket://").split(":")
    for _ in range(2):
        with socket.create_connection((host, int(port)), PATIENCE_S) as connection:
            connection.sendall(b">01P*761C6AC4\n")
            answer = b""
            while not answer.endswith(b"\n"):
                answer += connection.recv(100)
            assert answer.startswith(b"<01p*")
    lit.unplug()


def test_lights_in_letters_tell_their_colour_without_colour() -> None:
    colours = [Rgb(110, 0, 0), Rgb(0, 0, 0), Rgb(0, 120, 255), Rgb(9, 9, 9)]
    assert draw_lights(colours, ["one", "other"], colour=False, unicode=False) == [
        "one    R .",
        "other  B W",
    ]
    [line] = draw_lights([Rgb(255, 110, 0)], ["x"], colour=True, unicode=True)
    assert line == "x  \x1b[38;2;255;110;0m●\x1b[0m"
