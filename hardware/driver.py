"""The thread that keeps a board showing what it should; the only user of the port.

Nothing here waits for the board: `show` leaves the picture in a slot and returns. When the program
ends without `close`, the board's watchdog darkens it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from hardware.errors import PortBusyError
from hardware.keeper import REOPEN_S, Keeper, Status, World
from hardware.lights import Loop
from hardware.ports import open_wire, usb_ports
from hardware.target import Target

_LIGHTS_OUT_S = 1.0

#: A modem manager may hold a port for some seconds after a board was plugged in (field report 48).
BUSY_S = 10.0

THIS_MACHINE = World(open_wire, usb_ports)


class Driver:
    """A board on a port; methods may be called from any thread."""

    def __init__(
        self,
        target: Target,
        say: Callable[[str], None],
        *,
        found: Callable[[int], None] = lambda _lights: None,
        world: World = THIS_MACHINE,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Open the port and begin to talk; a port in use is waited for, BUSY_S at most.

        Args:
            target: which port.
            say: told news in a line each, in the driver's thread; that the port is in use, in the
                caller's.
            found: told how many lights the board has, whenever it is found; in the same thread.
            world: ports; a test gives its own.
            clock: seconds that never run backwards.
            pause: waits for so many seconds between two tries at a port in use.

        Raises:
            PortError: the port cannot be opened now; says what to do. What happens to it later is
                told as news only.
        """
        self._keeper = Keeper(target, world, say, found)
        self._clock, self._say = clock, say
        self._open(pause)
        self._changed = threading.Condition()
        self._latest: Loop | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._guard, name="lights", daemon=True)
        self._thread.start()

    @property
    def status(self) -> Status:
        """How it stands."""
        return self._keeper.status

    def show(self, loop: Loop) -> None:
        """Show this from now on; returns at once, whatever the board does."""
        with self._changed:
            self._latest = loop
            self._changed.notify()

    def has_shown(self, loop: Loop) -> bool:
        """Return whether the board shows this by now, as far as can be known."""
        status = self.status
        return status.is_settled and status.wanted is loop

    def close(self, timeout_s: float = 2.0) -> bool:
        """Put the lights out and let the port go; return whether that was done in time."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _open(self, pause: Callable[[float], None]) -> None:
        end_s = self._clock() + BUSY_S
        was_told = False
        while True:
            try:
                self._keeper.open_now()
            except PortBusyError as error:
                if self._clock() >= end_s:
                    raise
                if not was_told:
                    self._say(f"{error}; waiting for it, {BUSY_S:g} s at most")
                    was_told = True
                pause(REOPEN_S)
            else:
                return

    def _guard(self) -> None:
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - a worker's outermost frame: shown, not lost
            self._say(f"the lights have stopped: {type(error).__name__}: {error}")

    def _work(self) -> None:
        wait_s = 0.0
        while True:
            with self._changed:
                if self._latest is None and not self._stopping:
                    self._changed.wait(wait_s)
                latest, self._latest = self._latest, None
                stopping = self._stopping
            if latest is not None:
                self._keeper.want(latest, self._clock())
            if stopping:
                break
            wait_s = self._keeper.step(self._clock())
        self._put_out()
        self._keeper.close()

    def _put_out(self) -> None:
        """Darken a board that is there; one that is not does so by itself."""
        end_s = self._clock() + _LIGHTS_OUT_S
        self._keeper.darken(self._clock())
        self._keeper.step(self._clock())
        while self._keeper.status.board and not self._keeper.status.is_settled:
            if self._clock() >= end_s:
                return
            with self._changed:
                self._changed.wait(self._keeper.step(self._clock()))
