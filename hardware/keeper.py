"""Keeps a board showing what it should, whatever happens to its port. No thread, no clock.

    CLOSED --open--> PROBING --known--> TALKING
      ^                 |                  |
      +---- lost, silent, stuck: closed, opened again after a moment

`step(now_s)` does what is due and returns how long it can wait; the driver's thread does nothing
but call it. The port is looked for under its own name first, then by its USB numbers, because a
board that is plugged in again often gets another name. A board that comes back is told the whole
picture at once. Nothing that a port raises leaves this module.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hardware.adalight_talk import AdalightTalk
from hardware.current import limited_loop
from hardware.errors import BoardSilentError, PortError, PortMissingError
from hardware.lights import LightFrame, Loop, dark
from hardware.ports import PORT_ERRORS, STUCK_ERROR, Port, Wire
from hardware.probe import Probe
from hardware.talk import Talk
from hardware.target import Kind, Target

REOPEN_S = 0.5

#: Opening a port resets many boards, so one that never said anything is left alone for longer.
REOPEN_SILENT_S = 5.0

#: How soon to look again: while an answer or the next picture is awaited, and else. The second is
#: also how soon a pulled plug is noticed.
_BUSY_S, _IDLE_S = 0.01, 0.1

_MOST_BYTES = 4096

#: Not taken back when the port can be opened: that does not mean that it takes anything.
_STUCK = "the LED board takes nothing any more; unplug it and plug it in again"


@dataclass(frozen=True, slots=True)
class World:
    """What the keeper needs of the machine; a test gives its own."""

    open_wire: Callable[[str, int], Wire]
    usb_ports: Callable[[], list[Port]]


@dataclass(frozen=True, slots=True)
class Status:
    """How it stands: the board in words ("" while there is none) and the last trouble ("")."""

    board: str = ""
    trouble: str = ""
    #: The brightness, 0 to 255, that the current budget leaves of what was asked for.
    brightness: int = 0
    #: Whether the board shows `wanted`, as far as can be known.
    is_settled: bool = False
    wanted: Loop | None = None


@dataclass
class Keeper:
    """One board; every method is called from one thread only."""

    target: Target
    world: World
    #: Told each piece of news once, in a line.
    say: Callable[[str], None]
    #: Told how many lights the board has, whenever it is found or says another number.
    found: Callable[[int], None] = lambda _lights: None
    status: Status = field(default_factory=Status)
    _asked: Loop | None = None
    _loop: Loop | None = None
    _loop_since_s: float = 0.0
    _wire: Wire | None = None
    _probe: Probe | None = None
    _talk: Talk | None = None
    _port: Port | None = None
    _url: str = ""
    _open_due_s: float = float("-inf")
    _told: str = ""
    _was_found: bool = False
    _lights: int = 0
    _dimmed_told: bool = False

    def want(self, loop: Loop, now_s: float) -> None:
        """Take what is to be shown from now on."""
        self._asked = loop
        limit = limited_loop(loop, self.target.budget_ma)
        if limit != self._loop:
            self._loop, self._loop_since_s = limit, now_s
            self._tell_dimmed(loop, limit)

    def _tell_dimmed(self, asked: Loop, limit: Loop) -> None:
        """Say once that the current budget dims the lights."""
        whole, left = asked.steps[0].frame.brightness, limit.steps[0].frame.brightness
        if left < whole and not self._dimmed_told:
            self._dimmed_told = True
            self.say(
                f"many lights at once: dimmed to {100 * left // whole} % to stay below "
                f"{self.target.budget_ma} mA"
            )

    def step(self, now_s: float) -> float:
        """Do what is due; return after how many seconds to call again at the latest."""
        try:
            if self._wire is None:
                self._try_to_open(now_s)
            if self._wire is not None:
                self._carry(self._wire, now_s)
        except STUCK_ERROR:
            self._lose(_STUCK, now_s, REOPEN_SILENT_S)
        except PORT_ERRORS:
            self._lose("the LED board is gone; plug it in again", now_s)
        except BoardSilentError as error:
            reopen_s = REOPEN_S if self._talk is not None else REOPEN_SILENT_S
            self._lose(f"{self._url}: {error}", now_s, reopen_s)
        except PortError as error:
            self._lose(str(error), now_s)
        self._update_status(now_s)
        if self._wire is None:
            return max(min(self._open_due_s - now_s, REOPEN_S), _BUSY_S)
        is_quiet = self.status.is_settled and (self._loop is None or self._loop.is_steady)
        return _IDLE_S if is_quiet else _BUSY_S

    def darken(self, now_s: float) -> None:
        """Want all lights out."""
        lights = len(self._loop.steps[0].frame.colours) if self._loop else self.target.lights
        self.want(Loop.steady(dark(lights or 1)), now_s)

    def close(self) -> None:
        """Let the port go."""
        wire, self._wire, self._probe, self._talk = self._wire, None, None, None
        if wire is not None:
            try:
                wire.close()
            except PORT_ERRORS:
                return

    def open_now(self) -> None:
        """Open the port for the first time.

        Raises:
            PortError: it cannot be opened; says what to do.
        """
        self._port = next(
            (port for port in self.world.usb_ports() if port.device == self.target.url), None
        )
        self._wire = self.world.open_wire(self.target.url, self.target.baud)
        self._url = self.target.url

    def _try_to_open(self, now_s: float) -> None:
        if now_s < self._open_due_s:
            return
        self._open_due_s = now_s + REOPEN_S
        try:
            self._wire = self.world.open_wire(self.target.url, self.target.baud)
            self._url = self.target.url
        except PortMissingError:
            elsewhere = self._where_now()
            if elsewhere is None:
                return  # that it is gone was said when it went
            self._wire = self.world.open_wire(elsewhere.device, self.target.baud)
            self._url, self._port = elsewhere.device, elsewhere

    def _where_now(self) -> Port | None:
        """Return the port under which the board has come back, None when it is not there."""
        if self._port is None:
            return None
        return next((port for port in self.world.usb_ports() if port.usb == self._port.usb), None)

    def _carry(self, wire: Wire, now_s: float) -> None:
        heard = wire.read(_MOST_BYTES)
        if self._talk is None:
            self._get_acquainted(wire, heard, now_s)
            return
        self._talk.hear(heard, now_s)
        if self._talk.lights != self._lights:
            self._tell_lights(self._talk)
        if self._loop is not None:
            self._talk.want(self._frame(now_s))
        said = self._talk.say(now_s)
        if said:
            wire.write(said)
        for line in self._talk.news():
            self.say(line)

    def _get_acquainted(self, wire: Wire, heard: bytes, now_s: float) -> None:
        if self.target.kind is Kind.ADALIGHT:
            listener = AdalightTalk(self.target.lights or 1, now_s)
            listener.hear(heard, now_s)
            self._found(listener)
            return
        if self._probe is None:
            is_pico = self._port is not None and self._port.is_pico
            self._probe = Probe(now_s, self.target.lights, is_pico=is_pico)
        self._probe.hear(heard)
        if self._probe.found is not None:
            self._found(self._probe.found)
        elif said := self._probe.say(now_s):
            wire.write(said)

    def _found(self, talk: Talk) -> None:
        self._talk, self._probe = talk, None
        if self._told != _STUCK:
            back = " again" if self._was_found else ""
            self.say(f"LED board on {self._url}{back}: {talk.board}")
            self._told = ""
        self._was_found = True
        self._tell_lights(talk)

    def _tell_lights(self, talk: Talk) -> None:
        """Tell how many lights there are; a WLED says it some time after it was found."""
        self._lights = talk.lights
        self.found(talk.lights)

    def _frame(self, now_s: float) -> LightFrame:
        assert self._loop is not None  # noqa: S101 - asked for only with one
        return self._loop.at(max(now_s - self._loop_since_s, 0.0))

    def _lose(self, trouble: str, now_s: float, reopen_s: float = REOPEN_S) -> None:
        """Let go, and say what is wrong: once until it is right again or something else is."""
        self.close()
        self._open_due_s = now_s + reopen_s
        if trouble != self._told:
            self._told = trouble
            self.say(trouble)

    def _update_status(self, now_s: float) -> None:
        talk = self._talk
        self.status = Status(
            board="" if talk is None else talk.board,
            trouble=self._told,
            brightness=0 if self._loop is None else self._frame(now_s).brightness,
            is_settled=talk is not None and talk.is_settled,
            wanted=self._asked,
        )
