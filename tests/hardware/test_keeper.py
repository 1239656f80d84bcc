"""A board of Bystander's own is kept up to date, whatever happens to it and to its port."""

from __future__ import annotations

import errno
import random
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
import serial

from hardware.board_model import OwnBoard
from hardware.lights import LightFrame, Loop, Rgb, Step, dark
from hardware.ports import UsbId
from hardware.target import Target
from tests.hardware.rig import AZURE, PICO, Evening, Machine, few

OWN = Target("/dev/ttyACM0")


@pytest.fixture
def machine() -> Machine:
    made = Machine()
    made.plug("/dev/ttyACM0", OwnBoard())
    return made


def shown(machine: Machine, device: str = "/dev/ttyACM0") -> tuple[Rgb, ...]:
    return machine.boards[device].lights


def test_a_board_is_found_told_of_and_lit(machine: Machine) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(0, 32))
    evening.run(1.0)
    assert shown(machine) == few(0, 32).colours
    assert evening.said == [
        "LED board on /dev/ttyACM0: Bystander's firmware 0.1, 33 lights, 200 mA"
    ]


def test_nothing_but_the_newest_of_many_pictures_is_sent(machine: Machine) -> None:
    evening = Evening(machine, OWN)
    evening.run(1.0)
    machine.writes.clear()
    for light in range(33):
        evening.show(few(light))
    evening.run(1.0)
    assert len([said for _, said in machine.writes if said[3:4] == b"F"]) == 1
    assert shown(machine) == few(32).colours


def test_a_moving_picture_goes_out_ten_times_a_second_at_most_one_at_a_time(
    machine: Machine,
) -> None:
    evening = Evening(machine, OWN)
    evening.show(Loop(tuple(Step(few(light), 0.01) for light in range(33))))
    evening.run(5.0)
    times = [at_s for at_s, said in machine.writes if said[3:4] == b"F"]
    assert 30 < len(times) <= 51
    assert min(b - a for a, b in pairwise(times)) >= 0.0999


def test_a_steady_picture_stays_for_hours_with_a_sign_of_life_every_second(
    machine: Machine,
) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(3))
    evening.run(2.0)

    wanted = few(3).colours

    def lit() -> None:
        assert shown(machine) == wanted

    evening.run(3600.0, lit)
    gaps = [b[0] - a[0] for a, b in pairwise(machine.writes)]
    assert max(gaps) < 1.2
    assert len(machine.writes) < 1.3 * 3600


def test_the_lights_go_out_when_the_host_is_gone(machine: Machine) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(3))
    evening.run(2.0)
    machine.boards["/dev/ttyACM0"].hear(b"", machine.now_s + 3.1)
    assert shown(machine) == dark(33).colours


def test_a_machine_that_slept_tells_the_whole_picture_again(machine: Machine) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(3))
    evening.run(2.0)
    machine.now_s += 3600.0
    evening.run(0.5)
    assert shown(machine) == few(3).colours


def test_a_machine_that_slept_as_long_as_the_watchdog_tells_the_picture_at_once(
    machine: Machine,
) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(3))
    evening.run(1.0)
    machine.now_s += 3.2
    machine.boards["/dev/ttyACM0"].hear(b"", machine.now_s)
    assert shown(machine) == dark(33).colours
    evening.run(0.3)
    assert shown(machine) == few(3).colours


def test_a_board_that_was_reset_shows_the_picture_again(machine: Machine) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(3))
    evening.run(2.0)
    board = machine.boards["/dev/ttyACM0"]
    hello = board.start(machine.now_s)
    assert evening.keeper._talk is not None
    evening.keeper._talk.hear(hello, machine.now_s)
    evening.run(0.3)
    assert shown(machine) == few(3).colours


def test_a_board_that_lost_its_picture_silently_has_it_again_within_six_seconds(
    machine: Machine,
) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(3))
    evening.run(2.0)
    machine.boards["/dev/ttyACM0"].start(machine.now_s)
    evening.run(6.0)
    assert shown(machine) == few(3).colours


@pytest.mark.parametrize("boots_s", [0.0, 0.2, 1.6, 3.9])
def test_a_board_that_starts_when_its_port_is_opened_is_waited_for(
    machine: Machine, boots_s: float
) -> None:
    machine.boots_s = boots_s
    evening = Evening(machine, OWN)
    evening.show(few(5))
    evening.run(boots_s + 0.7)
    assert shown(machine) == few(5).colours
    assert machine.opened == 1


def test_noise_on_the_line_never_makes_a_wrong_light(machine: Machine) -> None:
    chance = random.Random(5)

    def noisy(data: bytes) -> bytes:
        if chance.random() < 0.7:
            return data
        changed = bytearray(data)
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.3:
            del changed[chance.randrange(len(changed)) :]
        return bytes(changed)

    machine.noise = noisy
    evening = Evening(machine, OWN)
    allowed = {dark(33).colours}

    def right() -> None:
        assert shown(machine) in allowed

    for light in range(60):
        frame = few(light % 33, (light * 7) % 33)
        allowed.add(frame.colours)
        evening.show(frame)
        evening.run(0.5, right)
    machine.noise = lambda data: data
    evening.run(6.0)
    assert shown(machine) == frame.colours


UNPLUGGED: list[Callable[[], Exception]] = [
    lambda: serial.SerialException("device reports readiness to read but returned no data"),
    lambda: OSError(errno.EIO, "Input/output error"),
]
if sys.platform != "win32":
    import termios

    UNPLUGGED.append(lambda: termios.error(errno.EIO, "Input/output error"))


@pytest.mark.parametrize("call", ["open", "read", "write"])
@pytest.mark.parametrize("error", UNPLUGGED)
@pytest.mark.parametrize("state", ["probing", "settled", "changing"])
def test_whatever_a_pulled_plug_raises_the_board_is_back_within_three_seconds(
    machine: Machine, call: str, error: Callable[[], Exception], state: str
) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(1))
    evening.run({"probing": 0.15, "settled": 2.0, "changing": 2.0}[state])
    if state == "changing":
        evening.show(few(2))
    gone = {"until_s": machine.now_s + 4.0}

    def trouble(called: str) -> None:
        if machine.now_s < gone["until_s"] and called in (call, "open"):
            raise error()

    machine.trouble = trouble
    evening.run(4.0)
    evening.show(few(7))
    evening.run(3.0)
    assert shown(machine) == few(7).colours


def test_a_board_that_comes_back_under_another_name_is_found_and_told_everything(
    machine: Machine,
) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(1))
    evening.run(2.0)
    machine.unplug("/dev/ttyACM0")
    evening.run(3.0)
    evening.show(few(4))
    machine.plug("/dev/ttyACM0", OwnBoard(), UsbId(0x2E8A, 0x0005, "another Pico"))
    machine.unplug("/dev/ttyACM0")
    machine.plug("/dev/ttyACM3", OwnBoard(), PICO)
    evening.run(3.0)
    assert shown(machine, "/dev/ttyACM3") == few(4).colours
    assert evening.said[1:] == [
        "the LED board is gone; plug it in again",
        "LED board on /dev/ttyACM3 again: Bystander's firmware 0.1, 33 lights, 200 mA",
    ]


def test_only_the_port_that_was_named_is_ever_opened(machine: Machine) -> None:
    other = OwnBoard()
    machine.plug("/dev/ttyUSB7", other, UsbId(0x1A86, 0x7523, None))
    evening = Evening(machine, OWN)
    evening.show(few(1))
    evening.run(2.0)
    machine.unplug("/dev/ttyACM0")
    evening.run(20.0)
    assert other.lights == dark(33).colours
    assert machine.opened == 1


def test_a_port_that_takes_nothing_is_let_go_and_opened_again(machine: Machine) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(1))
    evening.run(2.0)
    stuck_until_s = machine.now_s + 5.0

    def stuck(call: str) -> None:
        if call == "write" and machine.now_s < stuck_until_s:
            raise serial.SerialTimeoutException("Write timeout")

    machine.trouble = stuck
    evening.show(few(2))
    evening.run(8.0)
    assert shown(machine) == few(2).colours
    evening.run(20.0)
    assert evening.said[1:] == [
        "the LED board takes nothing any more; unplug it and plug it in again"
    ]


def test_a_port_that_another_program_holds_is_tried_until_it_is_free(machine: Machine) -> None:
    evening = Evening(machine, OWN)
    evening.show(few(1))
    evening.run(2.0)
    free_s = machine.now_s + 20.0

    def held(call: str) -> None:
        if machine.now_s < free_s:
            raise serial.SerialException(errno.EAGAIN, "Could not exclusively lock port")

    machine.trouble = held
    evening.run(19.0)
    assert [line for line in evening.said if "in use" in line] == [
        "/dev/ttyACM0 is in use: close the other program (a serial monitor, another Bystander)"
    ]
    evening.run(3.0)
    assert shown(machine) == few(1).colours


class Mute(OwnBoard):
    """Hears everything and says nothing."""

    def start(self, now_s: float) -> bytes:
        return b""

    def hear(self, data: bytes, now_s: float) -> bytes:
        return b""


class Modem(Mute):
    """Says back whatever it hears."""

    def hear(self, data: bytes, now_s: float) -> bytes:
        return data


@pytest.mark.parametrize("board", [Mute(), Modem()])
def test_a_port_with_something_else_on_it_is_asked_politely_and_told_of(board: OwnBoard) -> None:
    machine = Machine()
    machine.plug("/dev/ttyACM0", board)
    evening = Evening(machine, OWN)
    evening.run(20.0)
    assert len(evening.said) == 1
    assert "neither Bystander's firmware nor a WLED answers" in evening.said[0]
    assert machine.opened <= 3
    assert 3 not in machine.written
    assert 4 not in machine.written


class AtPrompt(OwnBoard):
    """A Pico that was left at MicroPython's prompt until Ctrl-D starts its program."""

    at_prompt = True

    def start(self, now_s: float) -> bytes:
        return b""

    def hear(self, data: bytes, now_s: float) -> bytes:
        if not self.at_prompt:
            return super().hear(data, now_s)
        if b"\x04" in data:
            self.at_prompt = False
            return super().start(now_s)
        return data + b"\r\n>>> " if data else b""


def test_a_pico_left_at_its_prompt_is_started_and_nothing_else_is() -> None:
    machine = Machine()
    machine.plug("/dev/ttyACM0", AtPrompt())
    evening = Evening(machine, OWN, Loop.steady(few(2)))
    evening.run(2.0)
    assert shown(machine) == few(2).colours
    bridge = Machine()
    bridge.plug("/dev/ttyACM0", AtPrompt(), UsbId(0x1A86, 0x7523, None))
    Evening(bridge, OWN, Loop.steady(few(2))).run(6.0)
    assert 4 not in bridge.written


def test_a_board_of_another_version_is_told_of() -> None:
    from hardware.protocol import Line, Side, encode

    class Later(OwnBoard):
        def start(self, now_s: float) -> bytes:
            return encode(Side.BOARD, Line(None, "h", "2;led=33"))

    machine = Machine()
    machine.plug("/dev/ttyACM0", Later())
    evening = Evening(machine, OWN)
    evening.run(1.0)
    assert "version 2" in evening.said[0]
    assert "flash" in evening.said[0]


def test_a_small_board_gets_the_lights_it_has() -> None:
    machine = Machine()
    machine.plug("/dev/ttyACM0", OwnBoard(lights=11))
    evening = Evening(machine, OWN, Loop.steady(few(0, 10, 32)))
    evening.run(1.0)
    assert shown(machine) == few(0, 10, lights=11).colours
    assert "the board has 11 lights, 33 are wanted" in evening.said


def test_the_budget_holds_on_the_board_and_is_told(machine: Machine) -> None:
    white = LightFrame((Rgb(255, 255, 255),) * 33)
    evening = Evening(machine, Target("/dev/ttyACM0", budget_ma=150), Loop.steady(white))
    evening.run(1.0)
    assert evening.keeper.status.brightness == 15
    assert "many lights at once: dimmed to 5 % to stay below 150 mA" in evening.said
    evening.show(LightFrame((Rgb(255, 255, 254),) * 33))
    assert len([line for line in evening.said if "dimmed" in line]) == 1
    assert sum(map(sum, shown(machine))) * 20 / 255 + 33 <= 150


def test_the_lights_are_put_out_at_the_end(machine: Machine) -> None:
    evening = Evening(machine, OWN, Loop.steady(few(1, colour=AZURE)))
    evening.run(1.0)
    assert shown(machine) != dark(33).colours
    evening.keeper.darken(machine.now_s)
    evening.run(0.5)
    assert shown(machine) == dark(33).colours
    assert evening.keeper.status.is_settled
    evening.keeper.close()
    evening.keeper.close()
