"""From frames to the pictures that the window shows: made small, the stack outlined and named."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from assistant.present.words import WHY_NOT, content_words, percent
from assistant.session import Frame, Sighted
from assistant.vision.sighting import Sighting

#: How far behind the picture shown a sighting may be for its outline to be drawn, in frames.
_FRAMES_BEHIND = 12

_READ_RGB, _SEEN_RGB, _INK_RGB = (80, 220, 110), (255, 190, 60), (20, 18, 14)

#: A camera that gave nothing for so long is taken for lost; a film for over.
LOST_AFTER_S = 2.0
NO_PICTURE = "No new picture"

Overlay = Callable[[Image.Image, Frame, float], None]


#: What is said where the cards were never shown: what to do about it.
_WHY_NOT_BARE = {
    reason: f"{what}: teach me your cards (Camera menu)"
    for reason, what in (
        ("which-key", "a key, but which one cannot be told by its hole alone"),
        ("unlike", "the icon is not known yet"),
        ("unsure", "what shows in the keyhole is not known yet"),
    )
}


def seen_words(sighting: Sighting, *, is_bare: bool = False) -> str:
    """Return what the camera sees, in words; `is_bare`: the cards were never shown to it."""
    if sighting.content is not None and sighting.location is not None:
        sure = percent(sighting.confidence or 0.0)
        return f"{sighting.location.value}: {content_words(sighting.content)}, {sure} sure"
    why = "" if sighting.reason is None else WHY_NOT[sighting.reason.value]
    if is_bare and sighting.reason is not None:
        why = _WHY_NOT_BARE.get(sighting.reason.value, why)
    if sighting.location is not None:
        return f"{sighting.location.value}: {why}"
    return why[:1].upper() + why[1:]


def still_of(frame: Frame) -> Image.Image:
    """Return a frame as a picture, whole."""
    return Image.fromarray(np.ascontiguousarray(frame.picture[:, :, ::-1]))


class FilmMaker:
    """Makes pictures of a wanted size; used by one thread, told by others."""

    def __init__(self, font_path: str) -> None:
        """Start without a sighting; `font_path` is a TrueType font for the words beside it."""
        self._font_path = font_path
        self._fonts: dict[int, ImageFont.FreeTypeFont] = {}
        self.wanted_px = (320, 180)
        self._sighted: Sighted | None = None
        self._times_s: deque[float] = deque(maxlen=31)
        #: The newest frame.
        self.last: Frame | None = None
        #: Draws further things on a picture: (picture, its frame, px of picture for one of frame).
        self.overlay: Overlay | None = None

    def saw(self, news: Sighted) -> None:
        """Remember what a frame showed."""
        self._sighted = news

    @property
    def fps(self) -> float:
        """Pictures a second, over the last thirty; 0 when none came for two seconds."""
        times = tuple(self._times_s)
        if len(times) < 2 or time.monotonic() - times[-1] > LOST_AFTER_S:
            return 0.0
        return (len(times) - 1) / max(times[-1] - times[0], 1e-6)

    def lost(self) -> Image.Image | None:
        """Return the last picture, dark and with words, once when no other came for a while."""
        times, frame = tuple(self._times_s), self.last
        if frame is None or not times or time.monotonic() - times[-1] < LOST_AFTER_S:
            return None
        self._times_s.clear()
        image, _ = self._small(frame)
        image = image.point(lambda value: value // 3)
        font = self._font(max(image.width // 20, 12))
        ImageDraw.Draw(image).text((image.width / 2, image.height / 2), NO_PICTURE,
                                   fill=_SEEN_RGB, font=font, anchor="mm")  # fmt: skip
        return image

    def picture(self, frame: Frame) -> Image.Image:
        """Return the picture of a frame, as large as fits the size wanted."""
        self._times_s.append(time.monotonic())
        self.last = frame
        image, share = self._small(frame)
        if self.overlay is not None:
            self.overlay(image, frame, share)
        sighted = self._sighted
        if sighted is not None and 0 <= frame.index - sighted.frame.index <= _FRAMES_BEHIND:
            self._outline(image, sighted.sighting, share)
        return image

    def _small(self, frame: Frame) -> tuple[Image.Image, float]:
        """Return a frame at the size wanted, and px of it for one of the frame."""
        high, wide = frame.picture.shape[:2]
        share = min(self.wanted_px[0] / wide, self.wanted_px[1] / high)
        size = (max(round(wide * share), 16), max(round(high * share), 9))
        method = cv2.INTER_AREA if share < 0.6 else cv2.INTER_LINEAR
        small = cv2.resize(frame.picture, size, interpolation=method)
        return Image.fromarray(np.ascontiguousarray(small[:, :, ::-1])), share

    def _outline(self, image: Image.Image, sighting: Sighting, share: float) -> None:
        if sighting.corners is None:
            return
        draw = ImageDraw.Draw(image)
        paint = _READ_RGB if sighting.content is not None else _SEEN_RGB
        corners = [(x * share, y * share) for x, y in sighting.corners]
        draw.line([*corners, corners[0]], fill=paint, width=max(image.width // 240, 2),
                  joint="curve")  # fmt: skip
        font = self._font(max(image.width // 32, 11))
        words = seen_words(sighting) if image.width > 500 else _short(sighting)
        left = min(x for x, _ in corners)
        top = min(y for _, y in corners)
        box = draw.textbbox((0, 0), words, font=font)
        wide, high = box[2] - box[0] + 10, box[3] - box[1] + 10
        x = min(max(left, 2), max(image.width - wide - 2, 2))
        y = top - high - 4
        if y < 2:
            y = min(max(py for _, py in corners) + 4, image.height - high - 2)
        draw.rectangle((x, y, x + wide, y + high), fill=paint)
        draw.text((x + 5 - box[0], y + 5 - box[1]), words, fill=_INK_RGB, font=font)

    def _font(self, px: int) -> ImageFont.FreeTypeFont:
        if px not in self._fonts:
            self._fonts[px] = ImageFont.truetype(self._font_path, px)
        return self._fonts[px]


def _short(sighting: Sighting) -> str:
    place = "" if sighting.location is None else sighting.location.value
    if sighting.content is None:
        return place
    return f"{place}: {content_words(sighting.content)}"
