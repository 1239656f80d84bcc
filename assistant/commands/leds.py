"""`bystander leds`: the LED board.

    leds list [--json]                    USB ports and what hangs on them
    leds test [PORT] [--seconds S]        one light after the other, each told in a line
    leds map                              which light belongs to which place
    leds map PORT                         … built by asking: a light goes on, you type its place
    leds map --order "Cornhill, …"        … one light a place, along the strip
    leds map --per-place 1|3              … along the strip in the printed order of the places
    leds simulate [--window] [--as wled]  a board without hardware: prints the port to name
    leds off [PORT]                       all lights out
    leds template OUT.pdf --width MM      a drilling template, true to size
    leds firmware FOLDER                  writes what to flash, the wiring and how to, there

PORT is a port, any pyserial URL, adalight:PORT,lights=N, or auto (the last board that answered;
the default). `list --json` prints {"port", "description", "known"} a line. Exit 3 when no board
answers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant.core.errors import BoardLostError, MissingError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from assistant.adapters.light_settings import LightSettings, Order
    from assistant.core.terms import Location
    from hardware.driver import Driver
    from hardware.lights import Loop

#: How long a board may take to be found, its start included, and then to answer.
FOUND_S, ANSWERED_S = 6.0, 3.0


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `leds` to the command line."""
    from assistant.commands import leds_simulate, leds_template

    parser = subparsers.add_parser("leds", help="the LED board: list, test, map, simulate, off")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="ports, and which board is known")
    listed.add_argument("--json", action="store_true", help="one JSON object per port")
    listed.set_defaults(run=run_list)
    test = actions.add_parser("test", help="one light after the other")
    _add_port(test)
    test.add_argument(
        "--seconds", type=float, default=0.6, metavar="S", help="how long each is on (0.6)"
    )
    test.set_defaults(run=run_test)
    mapped = actions.add_parser("map", help="which light belongs to which place")
    mapped.add_argument("port", nargs="?", metavar="PORT", help="ask light by light on this board")
    how = mapped.add_mutually_exclusive_group()
    how.add_argument("--order", metavar="PLACES", help="places along the strip, with commas")
    how.add_argument("--per-place", type=int, choices=[1, 3], help="along the printed order")
    mapped.set_defaults(run=run_map)
    off = actions.add_parser("off", help="all lights out")
    _add_port(off)
    off.set_defaults(run=run_off)
    firmware = actions.add_parser("firmware", help="what to flash, the wiring, and how to")
    firmware.add_argument("folder", metavar="FOLDER", help="where to write it")
    firmware.set_defaults(run=run_firmware)
    leds_simulate.add_parser(actions)
    leds_template.add_parser(actions)


def _add_port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("port", nargs="?", default="auto", metavar="PORT", help="default: auto")


def run_list(args: argparse.Namespace) -> int:
    """Print the ports; return 0."""
    from assistant.adapters.light_settings import load_light_settings
    from hardware.ports import usb_ports

    known = load_light_settings().port
    ports = usb_ports()
    for port in ports:
        is_known = known is not None and port.usb == known.usb
        if args.json:
            row = {"port": port.device, "description": port.description, "known": is_known}
            print(json.dumps(row))
        else:
            print(f"{port.device}  {port.description}{'  (auto)' if is_known else ''}")
    if not ports and not args.json:
        print("no board is plugged in; without one: bystander leds simulate")
    return 0


class OpenBoard:
    """A board that a command shows single pictures on, waiting for each."""

    def __init__(self, named: str, settings: LightSettings) -> None:
        """Open the port.

        Raises:
            UsageError, MissingError: see adapters.lights.open_lights.
        """
        import threading

        from assistant.adapters.lights import find_target, open_board, remember

        self.target = find_target(named, settings)
        self.lights: int | None = None
        self._found = threading.Event()
        self._trouble: list[str] = []

        def found(lights: int) -> None:
            self.lights = self.target.lights or lights
            remember(self.target.url, self._say)
            self._found.set()

        self._driver: Driver = open_board(self.target, self._say, found)

    def _say(self, line: str) -> None:
        self._trouble.append(line)
        print(f"bystander: {line}", file=sys.stderr)

    def __enter__(self) -> OpenBoard:
        """Wait until the board is known.

        Raises:
            BoardLostError: it does not answer.
        """
        if not self._found.wait(FOUND_S):
            self._driver.close()
            raise BoardLostError(self._trouble[-1] if self._trouble else "no board answers")
        return self

    def __exit__(self, *_: object) -> None:
        """Put the lights out."""
        self._driver.close()

    def show(self, loop: Loop) -> None:
        """Show a picture and wait until the board has it.

        Raises:
            BoardLostError: it does not answer.
        """
        import time

        self._driver.show(loop)
        end_s = time.monotonic() + ANSWERED_S
        while not self._driver.has_shown(loop):
            if time.monotonic() > end_s:
                raise BoardLostError("the LED board no longer answers")
            time.sleep(0.02)


def run_test(args: argparse.Namespace) -> int:
    """Light one light after the other; return 0.

    Raises:
        UsageError, MissingError: what was named is no board, or none answers.
    """
    import time

    from assistant.adapters.light_settings import load_light_settings

    settings = load_light_settings()
    with OpenBoard(args.port, settings) as board:
        order = settings.order_for(board.lights)
        count = board.lights or 1
        whose = dict(light_words(order))
        for light in range(count):
            board.show(_only(light, count))
            print(f"light {light}: {whose.get(light, 'no place')}", flush=True)
            time.sleep(max(args.seconds, 0.0))
    return 0


def _only(light: int, count: int) -> Loop:
    from hardware.lights import DARK, LightFrame, Loop, Rgb

    white = Rgb(160, 160, 160)
    return Loop.steady(LightFrame(tuple(white if n == light else DARK for n in range(count))))


def light_words(order: Order) -> list[tuple[int, str]]:
    """Return each light with its place in words, in the order of the strip."""
    from assistant.present.lights import LAYERS

    words = []
    for place, lights in order.items():
        for layer, light in zip(LAYERS, lights, strict=False):
            words.append((light, f"{place.value}{f', {layer.value}' if len(lights) > 1 else ''}"))
    return sorted(words)


def run_off(args: argparse.Namespace) -> int:
    """Put all lights out; return 0.

    Raises:
        UsageError, MissingError: what was named is no board, or none answers.
    """
    from assistant.adapters.light_settings import load_light_settings
    from hardware.lights import Loop, dark

    with OpenBoard(args.port, load_light_settings()) as board:
        board.show(Loop.steady(dark(board.lights or 1)))
    return 0


def run_map(args: argparse.Namespace) -> int:
    """Show or set which light belongs to which place; return 0.

    Raises:
        UsageError: the order told cannot be.
        MissingError: no board answers, or the settings cannot be kept.
    """
    from dataclasses import replace

    from assistant.adapters.light_settings import (
        check_order,
        load_light_settings,
        printed_order,
        save_light_settings,
    )

    settings = load_light_settings()
    order: Order | None = None
    if args.order is not None:
        names = [name for name in args.order.split(",") if name.strip()]
        order = {_place(name): (light,) for light, name in enumerate(names)}
    elif args.per_place is not None:
        order = printed_order(args.per_place)
    elif args.port is not None:
        order = _ask_order(args.port, settings, input)
    if order is not None:
        try:
            check_order(order)
        except ValueError as error:
            raise UsageError(str(error)) from error
        settings = replace(load_light_settings(), order=order)
        save_light_settings(settings)
    for light, words in light_words(settings.order_for(None)):
        print(f"light {light}: {words}")
    return 0


def _place(name: str) -> Location:
    from assistant.core.names import parse_location
    from assistant.data import load_aliases

    return parse_location(name.strip(), load_aliases())


def _ask_order(named: str, settings: LightSettings, ask: Callable[[str], str]) -> Order:
    """Light one light after the other and ask for its place."""
    order: dict[Location, tuple[int, ...]] = {}
    with OpenBoard(named, settings) as board:
        count = board.lights or 1
        for light in range(count):
            board.show(_only(light, count))
            place = _ask_place(light, ask)
            if place is not None:
                order[place] = (*order.get(place, ()), light)
    return order


def _ask_place(light: int, ask: Callable[[str], str]) -> Location | None:
    while True:
        try:
            name = ask(f"light {light} is on: which place? (Enter: none) ").strip()
        except EOFError as error:
            raise MissingError("no more answers; nothing was kept") from error
        if not name:
            return None
        try:
            return _place(name)
        except UnknownNameError as error:
            print(error)


def run_firmware(args: argparse.Namespace) -> int:
    """Write the firmware, the wiring diagrams and the README into a folder; return 0.

    Raises:
        MissingError: the folder cannot be written.
    """
    import shutil
    from importlib import resources
    from pathlib import Path

    folder = Path(args.folder)
    with resources.as_file(resources.files("hardware")) as shipped:
        try:
            for part in ("firmware", "wiring_diagrams"):
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(shipped / part, folder / part, ignore=ignored, dirs_exist_ok=True)
            shutil.copy(shipped / "README.md", folder)
        except OSError as error:
            raise MissingError(f"{folder} cannot be written ({error.strerror or error})") from error
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        print(path)
    return 0
