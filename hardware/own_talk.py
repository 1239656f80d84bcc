"""The conversation with Bystander's own firmware (protocol.py)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hardware.errors import BoardSilentError
from hardware.lights import MOST_LIGHTS, LightFrame
from hardware.protocol import (
    WATCHDOG_S,
    Fault,
    Hello,
    Line,
    LineDecoder,
    Side,
    encode,
    frame_argument,
)
from hardware.talk import ALIVE_EVERY_S, FRAME_EVERY_S

ANSWER_S = 0.5
#: After so many tries without an answer, or so many that were refused, the board is given up.
MOST_TRIES, MOST_REFUSALS = 3, 10

#: Every so often the whole frame is told instead of a sign of life: what a board lost by a knock at
#: its plug comes back without anybody noticing.
REPEAT_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """The one command that waits for its answer."""

    line: Line
    frame: LightFrame | None
    sent_s: float
    tries: int = 1
    refusals: int = 0
    is_refused: bool = False


class OwnTalk:
    """One command at a time, each answered; told again when its answer stays away."""

    def __init__(self, hello: Hello) -> None:
        """Begin with a board that has said its hello; what it shows is not known."""
        self.hello = hello
        self._decoder = LineDecoder(Side.BOARD)
        self._wanted: LightFrame | None = None
        self._shown: LightFrame | None = None
        self._under_way: _UnderWay | None = None
        self._seq = 0
        self._frame_sent_s = float("-inf")
        self._repeat_due_s = float("-inf")
        self._answered_s = float("-inf")
        self._news: list[str] = []

    @property
    def board(self) -> str:
        """What is at the other end, in words."""
        said = self.hello
        return f"Bystander's firmware {said.firmware}, {said.lights} lights, {said.budget_ma} mA"

    @property
    def lights(self) -> int:
        """How many lights the board has, as far as is known."""
        return self.hello.lights or MOST_LIGHTS

    @property
    def is_settled(self) -> bool:
        """Whether the board has answered to the frame that is wanted."""
        return self._wanted is None or (self._under_way is None and self._shown == self._wanted)

    def want(self, frame: LightFrame) -> None:
        """Take the frame to show; lights that the board does not have are left out."""
        has = self.hello.lights
        if 0 < has < len(frame.colours):
            if self._wanted is None:
                self._news.append(f"the board has {has} lights, {len(frame.colours)} are wanted")
            frame = replace(frame, colours=frame.colours[:has])
        self._wanted = frame

    def hear(self, data: bytes, now_s: float) -> None:
        """Take answers; whatever else comes is noise."""
        for line in self._decoder.feed(data):
            if isinstance(line, Fault):
                continue  # told again when the time for its answer is over
            if line.letter == "h" and line.seq is None:
                self._shown = None  # the board has just started: it is dark
            elif line.letter == "e":
                self._refused()
            elif self._under_way is not None and line.seq == self._under_way.line.seq:
                self._answered(self._under_way, line, now_s)

    def say(self, now_s: float) -> bytes:
        """Return the next command, or the one under way again when its answer stays away.

        Raises:
            BoardSilentError: no answer after three tries, or refused again and again.
        """
        waiting = self._under_way
        if waiting is not None:
            return self._again(waiting, now_s)
        if now_s - self._answered_s > WATCHDOG_S - ANSWER_S or now_s >= self._repeat_due_s:
            self._shown = None  # it may have gone dark, or this is the time to tell it again
        if self._wanted is not None and self._wanted != self._shown:
            if now_s - self._frame_sent_s < FRAME_EVERY_S:
                return b""
            self._frame_sent_s = now_s
            self._repeat_due_s = now_s + REPEAT_EVERY_S
            letter, argument = ("B", "")
            if not self._wanted.is_dark:
                letter, argument = ("F", frame_argument(self._wanted))
            return self._command(letter, argument, self._wanted, now_s)
        if now_s - self._answered_s >= ALIVE_EVERY_S:
            return self._command("P", "", None, now_s)
        return b""

    def news(self) -> list[str]:
        """Return lines for the player, each told once."""
        told, self._news = self._news, []
        return told

    def _command(self, letter: str, argument: str, frame: LightFrame | None, now_s: float) -> bytes:
        self._seq = (self._seq + 1) & 0xFF
        return self._send(_UnderWay(Line(self._seq, letter, argument), frame, now_s))

    def _send(self, command: _UnderWay) -> bytes:
        self._under_way = command
        return encode(Side.HOST, command.line)

    def _again(self, waiting: _UnderWay, now_s: float) -> bytes:
        """Return the command once more when it was refused or its answer stays away, else b""."""
        if waiting.is_refused:
            if waiting.refusals > MOST_REFUSALS:
                raise BoardSilentError("the LED board refuses what it is told")
            return self._send(replace(waiting, sent_s=now_s, is_refused=False))
        if now_s - waiting.sent_s < ANSWER_S:
            return b""
        if waiting.tries >= MOST_TRIES:
            raise BoardSilentError("the LED board no longer answers")
        return self._send(replace(waiting, sent_s=now_s, tries=waiting.tries + 1))

    def _refused(self) -> None:
        """Take note that noise made the command unreadable: it is told again at once."""
        if self._under_way is not None:
            count = self._under_way.refusals + 1
            self._under_way = replace(self._under_way, is_refused=True, refusals=count)

    def _answered(self, command: _UnderWay, line: Line, now_s: float) -> None:
        self._under_way = None
        self._answered_s = now_s
        if command.frame is not None and line.letter in ("a", "b"):
            self._shown = command.frame
