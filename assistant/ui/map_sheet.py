"""The sheet the map is drawn on: where the printed map lies on it, its letters, its plain strokes.

Pillow only: may be used in any thread, for no Tk is touched.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from assistant.core.board import Point
from assistant.present.lights import Layer
from assistant.present.table_map import TableMap
from assistant.ui.palettes import Palette, rgb

#: Drawn so much larger, then made small: smooth edges. Pictures of more px need less of it.
_OVER, _OVER_LARGE, _LARGE_PX = 2.0, 1.4, 1_200_000

#: A ring is drawn smaller than it is printed: names and shares need the room.
_RING_SHARE = 0.86

#: Room round the printed map, in shares of its width: names stand below the lowest rings.
_ABOVE, _BELOW, _BESIDE = 0.02, 0.062, 0.02

Font = ImageFont.FreeTypeFont
Masks = Mapping[str, Image.Image]


@dataclass(frozen=True, slots=True)
class Fonts:
    """The letters of the map: how to get a font of a height in px."""

    path: str

    def of(self, px: float) -> Font:
        """Return the font at a size."""
        return ImageFont.truetype(self.path, max(round(px), 6))


@dataclass(frozen=True, slots=True)
class MapLook:
    """How the map is wanted: size of letters (1 is normal), layers shown, icons, colours."""

    palette: Palette
    fonts: Fonts
    masks: Masks
    letters: float = 1.0
    shown: Collection[Layer] = tuple(Layer)


@dataclass(frozen=True, slots=True)
class MapFrame:
    """Where the printed map lies in a picture: its left and top and its width, in px."""

    left: float
    top: float
    width: float

    @classmethod
    def fitting(cls, table: TableMap, size: tuple[int, int]) -> MapFrame:
        """Return the largest map in a picture of a size (width, height), in its middle."""
        wide, high = size
        tall = table.height + _ABOVE + _BELOW
        width = max(min(wide / (1 + 2 * _BESIDE), high / tall), 80.0)
        return cls((wide - width) / 2, (high - tall * width) / 2 + _ABOVE * width, width)

    def to_map(self, x_px: float, y_px: float) -> Point:
        """Return where a px of the picture lies on the map, in shares of its width."""
        return (x_px - self.left) / self.width, (y_px - self.top) / self.width

    def to_picture(self, x: float, y: float) -> Point:
        """Return the px of a point of the map."""
        return self.left + x * self.width, self.top + y * self.width


class MapSheet:
    """Paper with a map's frame on it, drawn larger than wanted.

    `unit` is the printed map's width and `ring` the radius of a ring, in px of the sheet. The
    letters: `name` for places, `small` for shares, `fine` for what must not grow with the letters'
    size as much, because names need the room.
    """

    def __init__(self, table: TableMap, look: MapLook, size: tuple[int, int]) -> None:
        """Make an empty sheet for a picture of a size (width, height) in px."""
        self.look, self.colours, self._size = look, look.palette, size
        over = _OVER if size[0] * size[1] < _LARGE_PX else _OVER_LARGE
        large = (round(size[0] * over), round(size[1] * over))
        self._frame = MapFrame.fitting(table, large)
        self.unit = self._frame.width
        self.ring = table.ring * self.unit * _RING_SHARE
        self.image = Image.new("RGB", large, rgb(self.colours.paper))
        self.draw = ImageDraw.Draw(self.image)
        self.small = look.fonts.of(self.unit * 0.0155 * look.letters)
        self.name = look.fonts.of(self.unit * 0.0195 * look.letters)
        self.fine = look.fonts.of(self.unit * 0.0155 * min(look.letters, 1.15))

    def at(self, x: float, y: float) -> Point:
        """Return the px of a point of the map."""
        return self._frame.to_picture(x, y)

    def line(self, points: Sequence[Point], colour: str, wide: float) -> None:
        """Draw a line with round ends; `wide` in shares of the map's width."""
        width = max(round(wide * self.unit), 1)
        self.draw.line(points, fill=rgb(colour), width=width, joint="curve")
        half = width / 2 - 0.5
        for x, y in (points[0], points[-1]):
            self.draw.ellipse((x - half, y - half, x + half, y + half), fill=rgb(colour))

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """Draw a disc."""
        self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=rgb(colour))

    def icon(self, word: str, x: float, y: float, size: float, colour: str) -> None:
        """Draw the small picture of a word with its middle at a point; none where there is none."""
        mask = self.look.masks.get(word)
        if mask is None:
            return
        side = max(round(size), 4)
        small = mask.resize((side, side), Image.Resampling.LANCZOS)
        spot = (round(x - side / 2), round(y - side / 2))
        self.image.paste(Image.new("RGB", (side, side), rgb(colour)), spot, small)

    def words(self, text: str, at: Point, font: Font, ink: str, *, anchor: str = "mm") -> None:
        """Write a line with an edge of paper round it, so that a road behind does not mix in."""
        self.draw.text(at, text, fill=rgb(ink), font=font, anchor=anchor,
                       stroke_width=round(self.unit * 0.0034),
                       stroke_fill=rgb(self.colours.paper))  # fmt: skip

    def arrow_head(self, at: Point, turn: float, far: float, size: float, colour: str) -> None:
        """Draw an arrow's head, `far` px from a point in a direction (radians)."""
        x, y = at
        tip = (x + (far + size) * math.cos(turn), y + (far + size) * math.sin(turn))
        wings = [
            (x + far * math.cos(turn) + side * size * 0.6 * math.cos(turn + math.pi / 2),
             y + far * math.sin(turn) + side * size * 0.6 * math.sin(turn + math.pi / 2))
            for side in (-1, 1)
        ]  # fmt: skip
        self.draw.polygon([tip, *wings], fill=rgb(colour), outline=rgb(self.colours.paper))

    def finished(self) -> Image.Image:
        """Return the sheet at the size that was wanted."""
        return self.image.resize(self._size, Image.Resampling.BOX)
