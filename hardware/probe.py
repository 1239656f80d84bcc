"""Who is at the other end of a port: the first conversation. No port, no clock, no thread.

Opening a port resets many boards, and a board that starts may lose what is said to it, so the
hello is said again and again for four seconds. It means nothing to a WLED, which is asked after
one second and after three, behind zeros that end a frame which another program left half sent. A
Pico that was left at MicroPython's prompt is told once to start its program.

    at 0 s listen · 0.1 s, then every 0.3 s hello · 1 s and 3 s zeros and 'v' · 4.5 s give up

Anything else that answers (an echoing modem, say) gets no more than this.
"""

from __future__ import annotations

from hardware.adalight import FLUSH
from hardware.errors import BoardSilentError
from hardware.own_talk import OwnTalk
from hardware.protocol import VERSION, Fault, LineDecoder, Side, encode, hello, parse_hello
from hardware.talk import Talk
from hardware.wled import VERSION_QUESTION, find_version
from hardware.wled_talk import WledTalk

LISTEN_S, HELLO_EVERY_S, GIVE_UP_S = 0.1, 0.3, 4.5
WLED_AT_S = (1.0, 3.0)

_PROMPT, _SOFT_REBOOT = b">>> ", b"\x04"


class Probe:
    """Asks who is there; `found` is the conversation to go on with, once that is known."""

    def __init__(self, opened_s: float, lights: int | None, *, is_pico: bool = False) -> None:
        """Begin with a port that was just opened.

        Args:
            opened_s: when.
            lights: how many lights of a WLED are used, None where nobody said it.
            is_pico: the port is a MicroPython Pico's, so a prompt there may be answered.
        """
        self.found: Talk | None = None
        self._opened_s, self._lights = opened_s, lights
        self._hello_due_s = opened_s + LISTEN_S
        self._wled_due_s = [opened_s + at_s for at_s in WLED_AT_S]
        self._may_reboot = is_pico
        self._must_reboot = False
        self._decoder = LineDecoder(Side.BOARD)
        self._tail = b""

    def hear(self, data: bytes) -> None:
        """Take what came; any bytes in any cut.

        Raises:
            BoardSilentError: Bystander's firmware, but of another version of the protocol.
        """
        for line in self._decoder.feed(data):
            said = None if isinstance(line, Fault) else parse_hello(line)
            if said is not None and said.version != VERSION:
                raise BoardSilentError(
                    f"the board speaks version {said.version} of the protocol, this program "
                    f"version {VERSION}; flash the firmware that came with this program"
                )
            if said is not None:
                self.found = OwnTalk(said)
                return
        self._tail = (self._tail + data)[-256:]
        build = find_version(self._tail)
        if build is not None:
            self.found = WledTalk(build, self._lights)
        elif _PROMPT in self._tail and self._may_reboot:
            self._may_reboot, self._must_reboot = False, True

    def say(self, now_s: float) -> bytes:
        """Return what is to be said now, b"" for nothing.

        Raises:
            BoardSilentError: nobody that is known answered in time.
        """
        if self._must_reboot:
            self._must_reboot = False
            return _SOFT_REBOOT
        if now_s >= self._opened_s + GIVE_UP_S:
            raise BoardSilentError(
                "neither Bystander's firmware nor a WLED answers; for a board that only listens "
                "say adalight:PORT,lights=N"
            )
        if self._wled_due_s and now_s >= self._wled_due_s[0]:
            self._wled_due_s.pop(0)
            return FLUSH + VERSION_QUESTION
        if now_s >= self._hello_due_s:
            self._hello_due_s = now_s + HELLO_EVERY_S
            return b"\n" + encode(Side.HOST, hello())
        return b""
