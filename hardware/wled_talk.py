"""The conversation with a WLED: Adalight frames, and now and then a question.

The question finds out what a WLED does not say by itself: that its owner took the lights over or
switched them off in WLED's app, and how many lights it has. While it answers it does not read, and
has room for little more than one frame, so frames wait until it is done.
"""

from __future__ import annotations

from hardware.adalight import PADDING
from hardware.adalight_talk import FrameStream
from hardware.lights import MOST_LIGHTS, LightFrame
from hardware.wled import INFO_ANSWER_S, INFO_QUESTION, TAKE_OVER, WledInfo, parse_info

#: Between two questions.
ASK_EVERY_S = 5.0

#: No answer of a WLED is longer.
_MOST_BYTES = 16_384


class WledTalk:
    """Frames, with a question every few seconds and the lights taken back where needed."""

    def __init__(self, build: str, lights: int | None) -> None:
        """Begin with a WLED that told its build; `lights` of it are used, if anybody said so."""
        self.info: WledInfo | None = None
        self._build, self._asked_for = build, lights
        self._stream = FrameStream(lights or MOST_LIGHTS)
        self._heard = b""
        self._ask_due_s = float("-inf")
        self._asked_s: float | None = None
        self._must_take_over = False
        self._news: list[str] = []

    @property
    def board(self) -> str:
        """What is at the other end, in words."""
        version = self.info.version if self.info else f"build {self._build}"
        count = f", {self.lights} lights" if self.info or self._asked_for else ""
        return f"WLED {version}{count}"

    @property
    def lights(self) -> int:
        """How many lights the board has, as far as is known."""
        most = self._asked_for or MOST_LIGHTS
        return min(self.info.lights, most) if self.info else most

    @property
    def is_settled(self) -> bool:
        """Whether the wanted frame has been told and told again."""
        return self._stream.is_settled and self._asked_s is None

    def want(self, frame: LightFrame) -> None:
        """Take the frame to show."""
        self._stream.want(frame)

    def hear(self, data: bytes, now_s: float) -> None:
        """Take answers; only the one to our question matters."""
        if self._asked_s is not None and now_s - self._asked_s > INFO_ANSWER_S:
            self._asked_s = None
        *lines, self._heard = (self._heard + data).split(b"\n")
        self._heard = self._heard[-_MOST_BYTES:]
        for line in lines:
            if (info := parse_info(line)) is not None:
                self._asked_s = None
                self._take(info)
            elif line.startswith(b'{"error"'):
                self._asked_s = None  # busy: asked again the next time

    def say(self, now_s: float) -> bytes:
        """Return a question or a frame when one is due, else b""."""
        if self._asked_s is not None and now_s - self._asked_s <= INFO_ANSWER_S:
            return b""
        self._asked_s = None
        if self._must_take_over:
            self._must_take_over = False
            self._stream.begin_anew()
            # Zeros give it time: it may swallow what follows a JSON line closely.
            return TAKE_OVER + PADDING
        if now_s >= self._ask_due_s:
            self._ask_due_s = now_s + ASK_EVERY_S
            self._asked_s = now_s
            return INFO_QUESTION
        return self._stream.say(now_s)

    def news(self) -> list[str]:
        """Return lines for the player, each told once."""
        told, self._news = self._news, []
        return told

    def _take(self, info: WledInfo) -> None:
        if self.info is None and info.lights < (self._asked_for or 0):
            self._news.append(
                f"the WLED is set to {info.lights} lights, {self._asked_for} are wanted; "
                "set the number in its LED preferences"
            )
        if not info.is_on or info.is_overridden:
            what = "the lights were taken over in WLED's app" if info.is_on else "the WLED is off"
            self._news.append(f"{what}; they are taken back for the game")
            self._must_take_over = True
        self.info = info
