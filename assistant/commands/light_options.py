"""The options of the LED board, for every command that plays a game.

A command adds them with `add_light_options(parser)` and plays inside of

    with lights_of(args, say) as listeners: …

which gives no listeners without --leds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.session import Listener


def add_light_options(parser: argparse.ArgumentParser) -> None:
    """Add --leds and what belongs to it."""
    lights = parser.add_argument_group("the LED board")
    lights.add_argument(
        "--leds",
        metavar="PORT",
        help="a port, any pyserial URL, auto (the last board that answered), or console; "
        "adalight:PORT,lights=N for a board that only listens; ,budget=MA for more current",
    )
    lights.add_argument(
        "--leds-layer",
        choices=["youth", "rendezvous", "lady", "turns"],
        help="what one light a place shows (three show all)",
    )
    lights.add_argument("--leds-still", action="store_true", help="no animation")
    lights.add_argument("--leds-night", action="store_true", help="a quarter of the brightness")


@contextmanager
def lights_of(
    args: argparse.Namespace, say: Callable[[str], None]
) -> Iterator[tuple[Listener, ...]]:
    """Give the listeners that show the session on the board named; the lights go out after.

    They wait for the first event.

    Args:
        args: what was typed, with the options of `add_light_options`.
        say: told news of the board in a line each, in the driver's thread.

    Raises:
        UsageError: what was typed names nothing.
        MissingError: the port cannot be opened; says what to do.
    """
    if args.leds is None:
        yield ()
        return
    from dataclasses import replace

    from assistant.adapters.light_settings import load_light_settings
    from assistant.adapters.lights import open_lights
    from assistant.present.lights import Layer

    settings = load_light_settings(say)
    if args.leds_layer is not None:
        layer = None if args.leds_layer == "turns" else Layer(args.leds_layer)
        settings = replace(settings, layer=layer)
    settings = replace(
        settings,
        still=settings.still or args.leds_still,
        night=settings.night or args.leds_night,
    )
    lights = open_lights(args.leds, settings, say, sys.stderr)
    try:
        yield (lights.told,)
    finally:
        lights.close()
