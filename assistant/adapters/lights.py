"""The session's state on an LED board: a listener that tells the board what to show.

    Session --news--> StateLights --Loop--> Driver (its own thread) --> port
                                         or ConsoleLights --> terminal

Whatever becomes of the board, the game does not notice: `told` computes colours and returns.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TextIO

from assistant.adapters.light_settings import LightSettings, Order, remember_port
from assistant.core.errors import BystanderError, MissingError, UsageError
from assistant.core.state import State
from assistant.core.terms import Location
from assistant.present.lights import LightLoop, light_loop
from assistant.session import EventEntered, News
from hardware.driver import Driver
from hardware.errors import PortError
from hardware.lights import DARK, FULL, LightFrame, Loop, Rgb, Step
from hardware.ports import usb_ports
from hardware.target import Target, parse_target
from hardware.terminal_lights import draw_lights

#: Places in a row of the terminal.
_COLUMNS = 3


class LightsOut(Protocol):
    """Where lights are shown."""

    def show(self, loop: Loop) -> None:
        """Show this from now on; returns at once."""
        ...

    def close(self) -> bool:
        """Put the lights out and let go."""
        ...


def to_loop(told: LightLoop, order: Order) -> Loop:
    """Return what numbered lights show for what places show."""
    count = max(light for lights in order.values() for light in lights) + 1
    brightness = round(FULL * told.share)
    steps = []
    for step in told.steps:
        colours = [DARK] * count
        for place, paints in step.places.items():
            for light, paint in zip(order[place], paints, strict=True):
                colours[light] = Rgb(*paint)
        steps.append(Step(LightFrame(tuple(colours), brightness), step.duration_s))
    return Loop(tuple(steps))


class StateLights:
    """Shows every state of a session; methods may be called from any thread."""

    def __init__(self, settings: LightSettings, lights: int | None = None) -> None:
        """Begin without a place to show; `show_on` gives one.

        Args:
            settings: how the board is wired and what it is to show.
            lights: how many lights the board has, None where that is not known yet.
        """
        self._settings, self._lights = settings, lights
        self._out: LightsOut | None = None
        self._state: State | None = None
        self._lock = threading.Lock()

    def show_on(self, out: LightsOut) -> None:
        """Show on this from now on."""
        with self._lock:
            self._out = out
            self._show()

    def told(self, news: News) -> None:
        """Show the state after an event (a session's listener)."""
        if isinstance(news, EventEntered):
            self.show(news.state)

    def show(self, state: State) -> None:
        """Show a state."""
        with self._lock:
            self._state = state
            self._show()

    def found(self, lights: int) -> None:
        """Take note of how many lights the board says it has."""
        with self._lock:
            if lights != self._lights:
                self._lights = lights
                self._show()

    def close(self) -> None:
        """Put the lights out."""
        with self._lock:
            out, self._out = self._out, None
        if out is not None:
            out.close()

    def _show(self) -> None:
        if self._out is None or self._state is None:
            return
        order = self._settings.order_for(self._lights)
        self._out.show(to_loop(light_loop(self._state, self._settings.look(order)), order))


class ConsoleLights:
    """Lights drawn in a terminal, once for every change."""

    def __init__(self, order: Order, stream: TextIO) -> None:
        """Draw on a stream; in colour where it is a terminal."""
        self._order, self._stream = order, stream
        self._colour = stream.isatty()
        self._unicode = (stream.encoding or "ascii").lower().startswith("utf")
        self._drawn: list[str] = []

    def show(self, loop: Loop) -> None:
        """Draw the lights as they are at the start of the loop."""
        frame = loop.steps[0].frame
        colours = [frame.colours[light] for place in Location for light in self._order[place]]
        names = [place.value for place in Location]
        lines = draw_lights(colours, names, colour=self._colour, unicode=self._unicode)
        if lines == self._drawn:
            return
        self._drawn = lines
        rows = -(-len(lines) // _COLUMNS)
        for row in range(rows):
            self._stream.write("lights  " + "   ".join(lines[row::rows]) + "\n")
        self._stream.flush()

    def close(self) -> bool:
        """Nothing to put out."""
        return True


def open_lights(
    named: str, settings: LightSettings, say: Callable[[str], None], stream: TextIO
) -> StateLights:
    """Return the lights that `--leds` names: a port, a URL, `auto`, or `console`.

    Args:
        named: what was typed.
        settings: how the board is wired and what it is to show.
        say: told news of the board in a line each, in the driver's thread (and here, that its port
            is in use).
        stream: where `console` draws.

    Raises:
        UsageError: what was typed names nothing.
        MissingError: the port cannot be opened; says what to do.
    """
    if named == "console":
        settings = replace(settings, still=True)
        lights = StateLights(settings)
        lights.show_on(ConsoleLights(settings.order_for(None), stream))
        return lights
    target = find_target(named, settings)
    lights = StateLights(settings, target.lights)

    def found(count: int) -> None:
        lights.found(target.lights or count)
        if count < len(Location):
            say(f"the LED board has {count} lights, the map {len(Location)} places")
        remember(target.url, say)

    lights.show_on(open_board(target, say, found))
    return lights


def find_target(named: str, settings: LightSettings) -> Target:
    """Return what is named as the board; `auto` is the last one that answered.

    Raises:
        UsageError: what was typed names nothing.
        MissingError: `auto`, and that board is not plugged in, or there was none yet.
    """
    if named.partition(",")[0] != "auto":
        return _parse_target(named)
    here = usb_ports()
    known = settings.port
    found = [port for port in here if known is not None and port.usb == known.usb]
    if found:
        return _parse_target(found[0].device + named.removeprefix("auto"))
    listed = ", ".join(f"{port.device} ({port.description})" for port in here)
    if known is not None:
        there = f"; there is {listed}" if listed else ""
        raise MissingError(f"the LED board ({known.description}) is not plugged in{there}")
    if listed:
        raise MissingError(f"no board is known yet; name it once: --leds PORT, of {listed}")
    raise MissingError("no board is plugged in; without one: bystander leds simulate")


def open_board(target: Target, say: Callable[[str], None], found: Callable[[int], None]) -> Driver:
    """Open a board's port and begin to talk; one in use is waited for some seconds, which is told.

    Raises:
        MissingError: the port cannot be opened; says what to do.
    """
    try:
        return Driver(target, say, found=found)
    except PortError as error:
        raise MissingError(str(error)) from error


def _parse_target(text: str) -> Target:
    try:
        return parse_target(text)
    except ValueError as error:
        raise UsageError(str(error)) from error


def remember(device: str, say: Callable[[str], None]) -> None:
    """Keep a board that answered for `auto`, where it is a USB port; say why where that fails."""
    for port in usb_ports():
        if port.device == device:
            try:
                remember_port(port)
            except BystanderError as error:
                say(str(error))
