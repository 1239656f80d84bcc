"""How late the game's loop is while the lights have trouble: a measurement, not a test.

    python -m tests.hardware.heartbeat [SECONDS]

A loop that wants to beat every 5 ms stands for the game. It tells the lights something new at every
beat, first without any lights, then with a board that answers, one that is unplugged and plugged in
again all the time, one that takes nothing, and with a port that another program holds. Printed is
by how much the worst beats were late. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hardware.board_model import OwnBoard
from hardware.driver import Driver
from hardware.keeper import World
from hardware.lights import Loop
from hardware.ports import Port, UsbId, open_wire
from hardware.simulator import PtyChannel, Simulator
from hardware.target import Kind, Target
from tests.hardware.rig import few

BEAT_S = 0.005

Show = Callable[[Loop], None]


@contextmanager
def without() -> Iterator[Show]:
    """No lights at all."""
    yield lambda _loop: None


@contextmanager
def answering() -> Iterator[Show]:
    """A board that answers."""
    simulator = _board()
    driver = Driver(Target(simulator[1]), lambda _line: None)
    yield driver.show
    driver.close()
    simulator[0].stop()


@contextmanager
def unplugged_all_the_time() -> Iterator[Show]:
    """A board that is pulled out four times a second and comes back under another name."""
    stopping, ports = threading.Event(), [_board()]
    usb = UsbId(0x2E8A, 5, "E6")
    world = World(open_wire, lambda: [Port(ports[0][1], usb, "Pico")])

    def shake() -> None:
        while not stopping.wait(0.25):
            old = ports[0][0]
            ports[0] = _board()
            old.stop()
        ports[0][0].stop()

    driver = Driver(Target(ports[0][1]), lambda _line: None, world=world)
    shaker = threading.Thread(target=shake)
    shaker.start()
    yield driver.show
    stopping.set()
    shaker.join()
    driver.close()


@contextmanager
def stuck() -> Iterator[Show]:
    """A board that reads nothing: writes fill its port and then block for half a second."""
    channel = PtyChannel()
    target = Target(channel.name, Kind.ADALIGHT, lights=300)
    driver = Driver(target, lambda line: print("   ", line))  # noqa: T201 - shows that it is stuck
    yield driver.show
    driver.close()
    channel.close()


@contextmanager
def held() -> Iterator[Show]:
    """A port that is lost and then held by another program."""
    board, channel = _board(), PtyChannel()
    holder = open_wire(channel.name, 115200)
    names = [channel.name, board[1]]
    world = World(
        lambda _url, baud: open_wire(names.pop() if len(names) > 1 else names[0], baud), list
    )
    driver = Driver(Target(board[1]), lambda line: print("   ", line), world=world)  # noqa: T201
    board[0].stop()
    yield driver.show
    driver.close()
    holder.close()
    channel.close()


def _board() -> tuple[Simulator, str]:
    channel = PtyChannel()
    simulator = Simulator(OwnBoard(), channel, lambda _lights: None)
    threading.Thread(target=simulator.run, daemon=True).start()
    return simulator, channel.name


def late_ms(show: Show, seconds: float) -> list[float]:
    """Return by how many ms each beat was late, sorted."""
    pictures = [Loop.steady(few(light)) for light in range(33)]
    late, due_s, number = [], time.monotonic() + BEAT_S, 0
    end_s = due_s + seconds
    while due_s < end_s:
        time.sleep(max(due_s - time.monotonic(), 0.0))
        late.append((time.monotonic() - due_s) * 1000)
        show(pictures[number % 33])
        number += 1
        due_s = max(due_s + BEAT_S, time.monotonic())
    return sorted(late)


def main(seconds: float) -> None:
    """Print a line per trouble."""
    for trouble in (without, answering, unplugged_all_the_time, stuck, held):
        with trouble() as show:
            late = late_ms(show, seconds)
        middle, p99, worst = late[len(late) // 2], late[len(late) * 99 // 100], late[-1]
        print(  # noqa: T201 - a measurement's output
            f"{trouble.__name__:<24} {len(late):>5} beats, late by {middle:5.2f} ms in the middle, "
            f"{p99:6.2f} ms at 99 %, {worst:6.2f} ms at worst"
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
