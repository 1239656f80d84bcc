"""A WLED, as a model: bytes in, bytes out, lights. Own code, written from its behaviour.

What a driver must cope with is in it: the first frame after a pause shows black; frames end 2.5 s
after the last one and WLED's own effect comes back; a byte after a JSON line is swallowed; a frame
half sent eats whatever comes next; its user may take the lights over; single bytes outside of a
frame are commands, one of which changes the line's speed.
"""

from __future__ import annotations

import json
from typing import Any

from hardware.adalight import BANNER
from hardware.lights import DARK, Rgb
from hardware.wled import TIMEOUT_S

BUILD = "2607201"

#: What its own effect shows: no colour of the game.
EFFECT = Rgb(255, 160, 0)

#: Bytes outside of a frame that change the line's speed: a host that sends one is lost.
_SPEEDS = range(0xB0, 0xB8)

#: A longer gap within a JSON line and the line is dropped.
_JSON_GAP_S = 0.1


class WledBoard:
    """The model; `override` and `is_on` are its user's to set."""

    def __init__(self, lights: int = 33) -> None:
        """Make a WLED with a strip of so many lights."""
        self.override = 0
        self.is_on = True
        self.speed_was_changed = False
        self._count = lights
        self._buffer = bytearray()
        self._pixels: tuple[Rgb, ...] | None = None
        self._frame_s = float("-inf")
        self._now_s = self._byte_s = 0.0

    @property
    def lights(self) -> tuple[Rgb, ...]:
        """What the lights show now: the frame, black, or its own effect."""
        if not self.is_on:
            return (DARK,) * self._count
        live = self._pixels is not None and self._now_s - self._frame_s < TIMEOUT_S
        if not live or self.override:
            return (EFFECT,) * self._count
        return self._pixels or ()

    def start(self, now_s: float) -> bytes:
        """Begin with its effect; return the banner."""
        self._buffer.clear()
        self._pixels, self._now_s = None, now_s
        return BANNER + b"\r\n"

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take bytes, or b"" as time goes by; return its answers."""
        self._now_s = now_s
        if self._pixels is not None and now_s - self._frame_s >= TIMEOUT_S:
            self._pixels = None
        if self._buffer[:1] == b"{" and now_s - self._byte_s > _JSON_GAP_S:
            self._buffer.clear()
        if data:
            self._byte_s = now_s
        self._buffer += data
        answers = b""
        while (used := self._next()) is not None:
            length, answer = used
            answers += answer
            del self._buffer[:length]
        return answers

    def _next(self) -> tuple[int, bytes] | None:
        """Return the length of the first thing in the buffer and its answer; None to wait."""
        if not self._buffer:
            return None
        first = self._buffer[0]
        if first == BANNER[0]:
            return self._adalight()
        if first == ord("{"):
            return self._json()
        if first == ord("v"):
            return 1, f"WLED {BUILD}\r\n".encode()
        if first in _SPEEDS:
            self.speed_was_changed = True
        return 1, b""

    def _adalight(self) -> tuple[int, bytes] | None:
        have = self._buffer
        for place in range(1, min(len(have), 3)):
            if have[place] != BANNER[place]:
                return place, b""
        if len(have) < 6:
            return None
        high, low, check = have[3:6]
        if check != high ^ low ^ 0x55:
            return 6, b""
        length = 6 + 3 * (high * 256 + low + 1)
        if len(have) < length:
            return None
        values = have[6:length]
        pixels = [Rgb(*values[start : start + 3]) for start in range(0, len(values), 3)]
        self._show(pixels)
        return length, b""

    def _show(self, pixels: list[Rgb]) -> None:
        if self.override:
            return
        is_first = self._pixels is None
        missing = [DARK] * (self._count - len(pixels))
        shown = [DARK] * self._count if is_first else (pixels + missing)[: self._count]
        self._pixels, self._frame_s = tuple(shown), self._now_s

    def _json(self) -> tuple[int, bytes] | None:
        end = self._buffer.find(b"}")
        while end >= 0:
            try:
                asked = json.loads(self._buffer[: end + 1])
            except ValueError:
                end = self._buffer.find(b"}", end + 1)
                continue
            if end + 1 >= len(self._buffer):
                return None  # the byte that it swallows is still to come
            return end + 2, self._obey(asked)
        return None

    def _obey(self, asked: dict[str, Any]) -> bytes:
        self.is_on = bool(asked.get("on", self.is_on))
        self.override = int(asked.get("lor", self.override))
        if not asked.get("v"):
            return b""
        answer = {
            "state": {"on": self.is_on, "bri": 128, "lor": self.override},
            "info": {"ver": "16.0.0", "brand": "WLED", "leds": {"count": self._count}},
        }
        return json.dumps(answer).encode() + b"\r\n"
