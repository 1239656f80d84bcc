"""`bystander leds simulate`: a board without hardware, for another terminal's `--leds`.

    bystander leds simulate [--window] [--lights N] [--as own|wled] [--seconds S]

Prints the port to name and draws the lights each time they change, until Ctrl-C or for S seconds.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant.core.errors import MissingError

if TYPE_CHECKING:
    from hardware.lights import Rgb
    from hardware.simulator import Simulator


def add_parser(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `leds simulate`."""
    parser = actions.add_parser("simulate", help="a board without hardware, drawn here")
    parser.add_argument("--window", action="store_true", help="draw on the map in a window")
    parser.add_argument("--lights", type=int, choices=[11, 33], default=33, help="default: 33")
    parser.add_argument(
        "--as", dest="kind", choices=["own", "wled"], default="own", help="what it is (own)"
    )
    parser.add_argument("--seconds", type=float, metavar="S", help="end by itself")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Be a board; return 0 when ended.

    Raises:
        MissingError: there is no display for --window.
    """
    from hardware.board_model import Board, OwnBoard
    from hardware.simulator import Simulator, open_channel
    from hardware.wled_model import WledBoard

    draw: Callable[[tuple[Rgb, ...]], None] = _in_terminal
    window = None
    if args.window:
        window = _open_window(args.lights)
        draw = window.put
    board: Board = OwnBoard(args.lights) if args.kind == "own" else WledBoard(args.lights)
    channel = open_channel()
    print(f"a simulated board: name it in another terminal: --leds {channel.name}", flush=True)
    simulator = Simulator(board, channel, draw)
    if args.seconds is not None:
        timer = threading.Timer(args.seconds, simulator.stop)
        timer.daemon = True
        timer.start()
    if window is None:
        _until_interrupted(simulator)
        return 0
    worker = threading.Thread(target=simulator.run, name="board", daemon=True)
    worker.start()
    window.run(worker.is_alive)
    simulator.stop()
    worker.join(2.0)
    return 0


def _until_interrupted(simulator: Simulator) -> None:
    try:
        simulator.run()
    except KeyboardInterrupt:
        return


def _in_terminal(lights: tuple[Rgb, ...]) -> None:
    from assistant.core.terms import Location
    from hardware.terminal_lights import draw_lights

    encoding = (sys.stdout.encoding or "ascii").lower()
    names = [place.value for place in Location]
    colour, unicode = sys.stdout.isatty(), encoding.startswith("utf")
    lines = draw_lights(lights, names, colour=colour, unicode=unicode)
    print("\n".join(["", *lines]), flush=True)


def _open_window(lights: int) -> LightsWindow:
    import tkinter

    from assistant.data import load_board
    from assistant.present.map_shapes import map_shapes
    from assistant.ui.lights_window import LightsWindow

    try:
        return LightsWindow(map_shapes(load_board(), {}, ()), lights)
    except tkinter.TclError as error:
        raise MissingError(f"no window can be opened ({error}); leave --window out") from error


if TYPE_CHECKING:
    from assistant.ui.lights_window import LightsWindow
