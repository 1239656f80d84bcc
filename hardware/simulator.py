"""A board without hardware: a model behind a port that any program can open.

On Linux and macOS the port is a pty, named like a device; where there is none it is a TCP port on
this machine, named as a URL that `--leds` takes. The board's lights are handed to whoever draws
them each time they change.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import sys
import time
from collections.abc import Callable
from typing import Protocol

from hardware.board_model import Board
from hardware.lights import Rgb

#: How often time is told to the board while nothing comes.
_TICK_S = 0.02

_MOST_BYTES = 4096


class Channel(Protocol):
    """The board's end of a port."""

    @property
    def name(self) -> str:
        """What the other end opens."""
        ...

    def read(self, timeout_s: float) -> bytes:
        """Return what came, b"" when nothing did in time."""
        ...

    def write(self, data: bytes) -> None:
        """Send; what nobody takes is lost, as on a real line."""
        ...

    def close(self) -> None:
        """Pull the plug; may be called twice."""
        ...


def open_channel() -> Channel:
    """Return a pty where the system has them, else a TCP port of this machine."""
    return TcpChannel() if sys.platform == "win32" else PtyChannel()


class TcpChannel:
    """A port as a TCP server on this machine; one host at a time."""

    def __init__(self) -> None:
        """Listen on a free port."""
        self._server = socket.create_server(("127.0.0.1", 0))
        self._host: socket.socket | None = None

    @property
    def name(self) -> str:
        """The URL to open."""
        return f"socket://127.0.0.1:{self._server.getsockname()[1]}"

    def read(self, timeout_s: float) -> bytes:
        """Return what came, b"" when nothing did in time."""
        waiting = self._server if self._host is None else self._host
        try:
            if not select.select([waiting], [], [], timeout_s)[0]:
                return b""
            if self._host is None:
                self._host = self._server.accept()[0]
                self._host.setblocking(False)
                return b""
            data = self._host.recv(_MOST_BYTES)
        except (OSError, ValueError):
            data = b""
        if not data:
            self._hang_up()
        return data

    def write(self, data: bytes) -> None:
        """Send; what nobody takes is lost."""
        if self._host is not None:
            with contextlib.suppress(OSError):
                self._host.send(data)

    def close(self) -> None:
        """Close both ends."""
        self._hang_up()
        self._server.close()

    def _hang_up(self) -> None:
        if self._host is not None:
            self._host.close()
            self._host = None


if sys.platform != "win32":
    import tty

    class PtyChannel:
        """A port as a pty in raw mode: bytes come through as they are."""

        def __init__(self) -> None:
            """Open a pair; its far end stays open here, or a host's closing would end ours."""
            self._ours, self._theirs = os.openpty()
            tty.setraw(self._theirs)
            os.set_blocking(self._ours, False)
            self._name = os.ttyname(self._theirs)
            self._is_open = True

        @property
        def name(self) -> str:
            """The device to open."""
            return self._name

        def read(self, timeout_s: float) -> bytes:
            """Return what came, b"" when nothing did in time."""
            try:
                if not select.select([self._ours], [], [], timeout_s)[0]:
                    return b""
                return os.read(self._ours, _MOST_BYTES)
            except (OSError, ValueError):
                return b""

        def write(self, data: bytes) -> None:
            """Send; what nobody takes is lost."""
            with contextlib.suppress(OSError):
                os.write(self._ours, data)

        def close(self) -> None:
            """Close both ends: to a host that has it open this is a pulled plug."""
            if self._is_open:
                self._is_open = False
                os.close(self._ours)
                os.close(self._theirs)


class Simulator:
    """Carries bytes between a channel and a board; `run` is the only place where it works."""

    def __init__(
        self,
        board: Board,
        channel: Channel,
        draw: Callable[[tuple[Rgb, ...]], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the board.

        Args:
            board: the model.
            channel: its end of the port; closed when `run` ends.
            draw: told the lights at first and whenever they change, in the thread of `run`.
            clock: seconds that never run backwards.
        """
        self._board, self._channel, self._draw, self._clock = board, channel, draw, clock
        self._stopping = False

    def stop(self) -> None:
        """End `run` soon; from any thread."""
        self._stopping = True

    def run(self) -> None:
        """Be the board until stopped."""
        drawn: tuple[Rgb, ...] | None = None
        self._channel.write(self._board.start(self._clock()))
        try:
            while not self._stopping:
                heard = self._channel.read(_TICK_S)
                answer = self._board.hear(heard, self._clock())
                # Drawn first: the answer says that they are lit.
                if self._board.lights != drawn:
                    drawn = self._board.lights
                    self._draw(drawn)
                if answer:
                    self._channel.write(answer)
        finally:
            self._channel.close()
