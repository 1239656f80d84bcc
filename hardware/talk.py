"""What a conversation with a board is, whatever its protocol. No port, no clock, no thread.

The driver's loop carries bytes between a port and a `Talk` and tells it the time:

    driver: talk.want(frame)                 the newest frame; an older one not yet sent is dropped
    driver: talk.hear(port.read(), now_s)
    driver: port.write(talk.say(now_s))      b"" when nothing is due

Frames go out at most ten times a second and one at a time: a small board is deaf for a millisecond
while it lights its lights, and has room for 64 bytes.
"""

from __future__ import annotations

from typing import Protocol

from hardware.lights import LightFrame

#: Between two frames.
FRAME_EVERY_S = 0.1

#: Between two signs of life to a board while nothing changes.
ALIVE_EVERY_S = 1.0


class Talk(Protocol):
    """A conversation with one board; made when the board is known."""

    @property
    def board(self) -> str:
        """What is at the other end, in words."""
        ...

    @property
    def lights(self) -> int:
        """How many lights the board says it has, or is taken to have."""
        ...

    @property
    def is_settled(self) -> bool:
        """Whether the board shows the frame that is wanted, as far as can be known."""
        ...

    def want(self, frame: LightFrame) -> None:
        """Take the frame that the board is to show from now on."""
        ...

    def hear(self, data: bytes, now_s: float) -> None:
        """Take what the board said; any bytes in any cut."""
        ...

    def say(self, now_s: float) -> bytes:
        """Return what is to be said now, b"" for nothing.

        Raises:
            BoardSilentError: the board no longer answers; begin anew.
        """
        ...

    def news(self) -> list[str]:
        """Return lines for the player, each told once."""
        ...
