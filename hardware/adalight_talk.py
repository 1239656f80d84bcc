"""The conversation with a board that only listens: frames, told again and again."""

from __future__ import annotations

from hardware.adalight import FLUSH, PADDING, adalight, safe
from hardware.lights import DARK, LightFrame, Rgb
from hardware.talk import ALIVE_EVERY_S, FRAME_EVERY_S
from hardware.wled import TIMEOUT_S


class FrameStream:
    """When an Adalight frame is due, and its bytes.

    Nothing tells whether a frame arrived, so a new one is told twice, a frame's time apart, and
    then every second. After a pause as long as a WLED's time-out the next goes out twice at once:
    the first one shows black there.
    """

    def __init__(self, lights: int) -> None:
        """Begin with a board that shows nothing; it is always told exactly `lights` colours."""
        self._lights = lights
        self._frame: LightFrame | None = None
        self._wanted: tuple[Rgb, ...] | None = None
        self._sent: tuple[Rgb, ...] | None = None
        self._sent_s = float("-inf")
        self._repeats_left = 0

    @property
    def is_settled(self) -> bool:
        """Whether the wanted frame has been told and told again."""
        return self._wanted is None or (self._sent == self._wanted and self._repeats_left == 0)

    def want(self, frame: LightFrame) -> None:
        """Take the frame to show."""
        if frame is self._frame:
            return
        self._frame = frame
        colours = safe(frame.scaled())[: self._lights]
        self._wanted = colours + (DARK,) * (self._lights - len(colours))

    def begin_anew(self) -> None:
        """Take note that the board no longer shows our frames."""
        self._sent_s = float("-inf")

    def say(self, now_s: float) -> bytes:
        """Return the frame when it is due, else b""."""
        if self._wanted is None:
            return b""
        since_s = now_s - self._sent_s
        if since_s < FRAME_EVERY_S:
            return b""
        is_new = self._wanted != self._sent
        if not (is_new or self._repeats_left or since_s >= ALIVE_EVERY_S):
            return b""
        self._repeats_left = 1 if is_new else max(self._repeats_left - 1, 0)
        self._sent, self._sent_s = self._wanted, now_s
        frame = PADDING + adalight(self._wanted)
        return frame * 2 if since_s > TIMEOUT_S - 0.5 else frame


class AdalightTalk:
    """Frames to a board that was named as an Adalight; it says at most its banner."""

    #: A board that was reset by the opening of its port needs this long to start.
    START_S = 2.0

    def __init__(self, lights: int, opened_s: float) -> None:
        """Begin; the number of lights must be the one the board is made for."""
        self._stream = FrameStream(lights)
        self._lights = lights
        self._ready_s = opened_s + self.START_S
        self._flushed = False

    @property
    def board(self) -> str:
        """What is at the other end, in words."""
        return f"an Adalight board (as you say; it cannot be asked), {self._lights} lights"

    @property
    def lights(self) -> int:
        """How many lights the board has, as far as is known."""
        return self._lights

    @property
    def is_settled(self) -> bool:
        """Whether the wanted frame has been told and told again."""
        return self._stream.is_settled

    def want(self, frame: LightFrame) -> None:
        """Take the frame to show."""
        self._stream.want(frame)

    def hear(self, data: bytes, now_s: float) -> None:
        """Take the banner as the sign that the board is ready."""
        if b"Ada" in data:
            self._ready_s = min(self._ready_s, now_s)

    def say(self, now_s: float) -> bytes:
        """Return the frame when it is due, else b""."""
        if now_s < self._ready_s:
            return b""
        flush = b"" if self._flushed else FLUSH
        self._flushed = True
        return flush + self._stream.say(now_s)

    def news(self) -> list[str]:
        """Return nothing: such a board has no news."""
        return []
