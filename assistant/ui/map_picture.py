"""The map drawn with Pillow, smooth at any size; may run in any thread, for no Tk is touched.

Three layers of candidates lie round each ring, told apart by place, shape, and hatch as well as by
colour: the Youth an arc at the upper left (plain) with a disc, the rendezvous an arc at the upper
right (striped) with a diamond, the Lady an arc below (chequered) with a triangle. The arcs glow
with the weight; where a layer is out its arc is gone, and a place with none left fades.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from assistant.core.board import Point
from assistant.present.lights import Layer
from assistant.present.map_shapes import LabelSide
from assistant.present.table_map import PlaceMark, TableMap
from assistant.present.words import percent
from assistant.ui.palettes import Palette, mixed, rgb

#: Drawn so much larger, then made small: smooth edges. Pictures of more px need less of it.
_OVER, _OVER_LARGE, _LARGE_PX = 2.0, 1.4, 1_200_000

#: The arcs of the layers, degrees clockwise from the right, as Pillow counts: start, end.
_ARCS = {Layer.YOUTH: (155, 265), Layer.RENDEZVOUS: (275, 385), Layer.LADY: (35, 145)}

_LEGEND = {
    Layer.YOUTH: "the Youth may hide here",
    Layer.RENDEZVOUS: "may be the rendezvous",
    Layer.LADY: "the Lady may be here now",
}

#: A ring is drawn smaller than it is printed: names and shares need the room.
_RING_SHARE = 0.86

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


#: Room round the printed map, in shares of its width: names stand below the lowest rings.
_ABOVE, _BELOW, _BESIDE = 0.02, 0.05, 0.02


def draw_map(table: TableMap, look: MapLook, size: tuple[int, int]) -> Image.Image:
    """Return the map as an RGB picture of a size (width, height) in px."""
    return _Drawing(table, look, size).drawn()


class _Drawing:
    """One map on its way."""

    def __init__(self, table: TableMap, look: MapLook, size: tuple[int, int]) -> None:
        self._table, self._look, self._colours = table, look, look.palette
        self._size = size
        over = _OVER if size[0] * size[1] < _LARGE_PX else _OVER_LARGE
        large = (round(size[0] * over), round(size[1] * over))
        self._frame = MapFrame.fitting(table, large)
        self._unit = self._frame.width
        self._image = Image.new("RGB", large, rgb(self._colours.paper))
        self._draw = ImageDraw.Draw(self._image)
        self._ring = table.ring * self._unit * _RING_SHARE
        self._small = look.fonts.of(self._unit * 0.0155 * look.letters)
        self._name = look.fonts.of(self._unit * 0.0195 * look.letters)
        # What stands where names need the room grows less with the letters.
        self._fine = look.fonts.of(self._unit * 0.0155 * min(look.letters, 1.15))

    def drawn(self) -> Image.Image:
        self._river()
        self._roads()
        self._glow()
        for place in self._table.places:
            self._place(place)
        self._poet_arrow()
        for place in self._table.places:
            self._label(place)
        self._pawns()
        self._legend()
        return self._image.resize(self._size, Image.Resampling.BOX)

    def _at(self, x: float, y: float) -> Point:
        return self._frame.to_picture(x, y)

    def _river(self) -> None:
        curve = _smooth([self._at(*point) for point in self._table.river])
        # On from the map's edges to those of the picture, which may be wider.
        (x0, y0), (x1, y1) = curve[0], curve[-1]
        end = float(self._image.width)
        points = [(min(0.0, x0) - 9, y0), *curve, (max(end, x1) + 9, y1)]
        self._draw.polygon(_band(points, 0.031 * self._unit), fill=rgb(self._colours.water))
        for shift in (-0.016, 0.0, 0.016):
            moved = [(x, y + shift * self._unit) for x, y in points]
            self._line(moved, mixed(self._colours.water, self._colours.water_line, 0.6), 0.0016)

    def _roads(self) -> None:
        for colour, wide in ((self._colours.road_edge, 0.0085), (self._colours.road, 0.0058)):
            for road in self._table.roads:
                self._line([self._at(*point) for point in road], colour, wide)

    def _line(self, points: list[Point], colour: str, wide: float) -> None:
        width = max(round(wide * self._unit), 1)
        self._draw.line(points, fill=rgb(colour), width=width, joint="curve")
        for x, y in (points[0], points[-1]):
            half = width / 2 - 0.5
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=rgb(colour))

    def _glow(self) -> None:
        """Lay a soft light behind what is left, as strong as its weight."""
        quarter = 4
        small = (self._image.width // quarter, self._image.height // quarter)
        light = Image.new("RGBA", small, (*rgb(self._colours.paper), 0))
        draw = ImageDraw.Draw(light)
        for place in self._table.places:
            x, y = (value / quarter for value in self._at(place.x, place.y))
            for layer in self._layers(place):
                reach = self._ring * 1.5 / quarter
                alpha = round(200 * (0.25 + 0.75 * place.levels[layer]))
                box = (x - reach, y - reach, x + reach, y + reach)
                start, end = _ARCS[layer]
                draw.pieslice(box, start, end, fill=(*rgb(self._paint(layer)), alpha))
        light = light.filter(ImageFilter.GaussianBlur(self._ring / quarter * 0.22))
        light = light.resize(self._image.size, Image.Resampling.BILINEAR)
        self._image.paste(light, (0, 0), light.getchannel("A").point(lambda a: a * 0.75))

    def _layers(self, place: PlaceMark) -> list[Layer]:
        shown = self._table.known & frozenset(self._look.shown)
        return [layer for layer in Layer if layer in place.shares and layer in shown]

    def _is_out(self, place: PlaceMark) -> bool:
        """Whether a place is out for good, not for this turn: the Lady moves on."""
        lasting = self._table.known & frozenset(self._look.shown) - {Layer.LADY}
        return bool(lasting) and not lasting & place.shares.keys()

    def _paint(self, layer: Layer) -> str:
        paints = {
            Layer.YOUTH: self._colours.youth,
            Layer.RENDEZVOUS: self._colours.rendezvous,
            Layer.LADY: self._colours.lady,
        }
        return paints[layer]

    def _place(self, place: PlaceMark) -> None:
        x, y = self._at(place.x, place.y)
        out = self._is_out(place)
        ring = self._colours.ring(place.colour.value)
        if out:
            ring = mixed(ring, self._colours.paper, 0.6)
        self._disc(x, y, self._ring, ring)
        self._disc(x, y, self._ring * 0.8, self._colours.paper)
        for layer in self._layers(place):
            self._arc(x, y, layer, place.levels[layer])
        self._icons(place, x, y, out)
        self._arrow_tokens(place, x, y)
        if place.is_reachable:
            self._dots(x, y)

    def _disc(self, x: float, y: float, radius: float, colour: str) -> None:
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=rgb(colour))

    def _arc(self, x: float, y: float, layer: Layer, level: float) -> None:
        """Draw a layer's arc: thicker for more weight, hatched as the layer is."""
        outer = self._ring * 1.27
        wide = self._ring * (0.1 + 0.1 * level)
        start, end = _ARCS[layer]
        box = (x - outer, y - outer, x + outer, y + outer)
        paint = mixed(self._colours.paper, self._paint(layer), 0.45 + 0.55 * level)
        steps = {Layer.YOUTH: 1, Layer.RENDEZVOUS: 5, Layer.LADY: 9}[layer]
        each = (end - start) / (2 * steps - 1)
        for number in range(steps):
            begin = start + 2 * number * each
            self._draw.arc(box, begin, begin + each, fill=rgb(paint), width=round(wide))
            if number + 1 < steps:
                pale = mixed(self._colours.paper, paint, 0.35)
                self._draw.arc(
                    box, begin + each, begin + 2 * each, fill=rgb(pale), width=round(wide * 0.6)
                )

    def _dots(self, x: float, y: float) -> None:
        """Ring a place that the pawn can go to with dots."""
        reach, dot = self._ring * 1.42, self._ring * 0.05
        for number in range(20):
            turn = number * math.pi / 10
            at_x, at_y = x + reach * math.cos(turn), y + reach * math.sin(turn)
            self._disc(at_x, at_y, dot, self._colours.ink)

    def _icons(self, place: PlaceMark, x: float, y: float, out: bool) -> None:
        ink = mixed(self._colours.ink, self._colours.paper, 0.65 if out else 0.0)
        count = len(place.features)
        size = self._ring * (0.72 if count == 1 else 0.58 if count == 2 else 0.5)
        spots = {
            1: [(0.0, 0.0)],
            2: [(-0.36, 0.0), (0.36, 0.0)],
            3: [(-0.34, -0.26), (0.34, -0.26), (0.0, 0.34)],
        }[count]
        for feature, (dx, dy) in zip(place.features, spots, strict=True):
            self._mark(feature.value, x + dx * self._ring, y + dy * self._ring, size, ink)

    def _mark(self, word: str, x: float, y: float, size: float, colour: str) -> None:
        mask = self._look.masks.get(word)
        if mask is None:
            return
        side = max(round(size), 4)
        small = mask.resize((side, side), Image.Resampling.LANCZOS)
        spot = (round(x - side / 2), round(y - side / 2))
        self._image.paste(Image.new("RGB", (side, side), rgb(colour)), spot, small)

    def _arrow_tokens(self, place: PlaceMark, x: float, y: float) -> None:
        """Draw the rulebook's arrow tokens: from the place asked towards what was said."""
        for there in place.arrows:
            other = self._table.place(there)
            to_x, to_y = self._at(other.x, other.y)
            turn = math.atan2(to_y - y, to_x - x)
            self._arrow((x, y), turn, self._ring * 1.36, self._ring * 0.3, self._colours.youth)

    def _arrow(self, at: Point, turn: float, far: float, size: float, colour: str) -> None:
        x, y = at
        tip = (x + (far + size) * math.cos(turn), y + (far + size) * math.sin(turn))
        wings = [
            (x + far * math.cos(turn) + side * size * 0.6 * math.cos(turn + math.pi / 2),
             y + far * math.sin(turn) + side * size * 0.6 * math.sin(turn + math.pi / 2))
            for side in (-1, 1)
        ]  # fmt: skip
        self._draw.polygon([tip, *wings], fill=rgb(colour), outline=rgb(self._colours.paper))

    def _poet_arrow(self) -> None:
        points = [self._at(*point) for point in self._table.poet_path]
        if len(points) < 2:
            return
        self._line(points, self._colours.ink, 0.0035)
        (x0, y0), (x1, y1) = points[-2:]
        turn = math.atan2(y1 - y0, x1 - x0)
        self._arrow((x1, y1), turn, -self._ring * 0.25, self._ring * 0.4, self._colours.ink)

    def _label(self, place: PlaceMark) -> None:
        x, y = self._at(place.x, place.y)
        out = self._is_out(place)
        ink = mixed(self._colours.ink, self._colours.paper, 0.5 if out else 0.0)
        lines = self._badges(place)
        high, gap = self._name.size * 1.1, self._ring * 1.5
        width = max(self._name.getlength(place.location.value), self._badges_width(lines))
        total = high + (self._small.size * 1.25 if lines else 0)
        if place.side is LabelSide.BELOW:
            left, top = x - width / 2, y + gap * 0.93
        else:
            left = x + gap if place.side is LabelSide.RIGHT else x - gap - width
            top = y - total / 2
        left = min(max(left, 4.0), self._image.width - width - 4)
        top = min(top, self._image.height - total)
        centre = left + width / 2
        self._words(place.location.value, centre, top + high / 2, self._name, ink)
        at = centre - self._badges_width(lines) / 2
        for layer, text in lines:
            at = self._badge(layer, text, at, top + high + self._small.size * 0.6)

    def _words(self, text: str, x: float, y: float, font: Font, ink: str) -> None:
        self._draw.text(
            (x, y),
            text,
            fill=rgb(ink),
            font=font,
            anchor="mm",
            stroke_width=round(self._unit * 0.0022),
            stroke_fill=rgb(self._colours.paper),
        )

    def _badges(self, place: PlaceMark) -> list[tuple[Layer, str]]:
        return [(layer, percent(place.shares[layer])) for layer in self._layers(place)]

    def _badge_width(self, text: str) -> float:
        return self._small.getlength(text) + self._small.size * 1.45

    def _badges_width(self, lines: list[tuple[Layer, str]]) -> float:
        return sum(self._badge_width(text) for _, text in lines)

    def _badge(self, layer: Layer, text: str, left: float, y: float) -> float:
        size = self._small.size * 0.42
        x = left + size * 1.2
        paint = self._paint(layer)
        draw_layer_shape(self._draw, layer, (x, y), size, paint)
        begin = x + size * 1.6
        self._draw.text(
            (begin, y),
            text,
            fill=rgb(self._colours.ink),
            font=self._small,
            anchor="lm",
            stroke_width=round(self._unit * 0.002),
            stroke_fill=rgb(self._colours.paper),
        )
        return left + self._badge_width(text)

    def _pawns(self) -> None:
        table = self._table
        for place in table.places:
            x, y = self._at(place.x, place.y)
            if place.gave is not None:
                self._token(str(place.gave), x + self._ring * 0.95, y - self._ring * 0.95,
                            self._colours.rendezvous)  # fmt: skip
            for number, marker in enumerate(place.tokens):
                sign = "!" if marker == "waypoint" else "»"
                self._token(sign, x - self._ring * (1.3 - 0.8 * number), y + self._ring * 0.88,
                            self._colours.warn)  # fmt: skip
        for who, shift in ((table.poet, 1.0), (table.pawn, -1.0)):
            if who is not None:
                place = table.place(who)
                x, y = self._at(place.x, place.y)
                self._pawn(x + shift * self._ring, y + 0.15 * self._ring, is_poet=shift > 0)

    def _legend(self) -> None:
        """Tell at the lower left what the shapes mean, of the layers that are drawn."""
        layers = [layer for layer in Layer if layer in self._table.known
                  and layer in self._look.shown]  # fmt: skip
        x, y = self._at(0.015, self._table.height - 0.01 - 0.028 * (len(layers) - 1))
        for layer in layers:
            size = self._fine.size * 0.42
            draw_layer_shape(self._draw, layer, (x, y), size, self._paint(layer))
            self._draw.text((x + size * 2.4, y), _LEGEND[layer], fill=rgb(self._colours.faint),
                            font=self._fine, anchor="lm")  # fmt: skip
            y += self._unit * 0.028

    def _token(self, text: str, x: float, y: float, colour: str) -> None:
        radius = self._fine.size * 0.72
        self._disc(x, y, radius * 1.15, self._colours.paper)
        self._disc(x, y, radius, colour)
        self._draw.text((x, y), text, fill=rgb(self._colours.accent_ink), font=self._fine,
                        anchor="mm")  # fmt: skip

    def _pawn(self, x: float, y: float, *, is_poet: bool) -> None:
        """Draw a pawn standing: the player's light with a dark edge, the Poet's dark and hooded."""
        size = self._ring * 0.62
        edge, fill = self._colours.ink, "#ffffff"
        if is_poet:
            edge, fill = "#ffffff", "#26305e"
        for grow, colour in ((size * 0.13, edge), (0.0, fill)):
            body = [
                (x - size * 0.5 - grow, y + size * 0.75 + grow),
                (x + size * 0.5 + grow, y + size * 0.75 + grow),
                (x + size * 0.16 + grow, y - size * 0.3),
                (x - size * 0.16 - grow, y - size * 0.3),
            ]
            self._draw.polygon(body, fill=rgb(colour))
            head = size * 0.36 + grow
            if is_poet:
                hood = [(x - head, y - size * 0.1), (x + head, y - size * 0.1),
                        (x, y - size - grow * 1.5)]  # fmt: skip
                self._draw.polygon(hood, fill=rgb(colour))
            else:
                self._disc(x, y - size * 0.5, head, colour)


def draw_layer_shape(
    draw: ImageDraw.ImageDraw, layer: Layer, at: Point, size: float, paint: str
) -> None:
    """Draw a layer's shape: the Youth's disc, the rendezvous' diamond, the Lady's triangle."""
    x, y = at
    if layer is Layer.YOUTH:
        draw.ellipse((x - size, y - size, x + size, y + size), fill=rgb(paint))
    elif layer is Layer.RENDEZVOUS:
        big = size * 1.2
        draw.polygon([(x, y - big), (x + big, y), (x, y + big), (x - big, y)], fill=rgb(paint))
    else:
        big = size * 1.15
        draw.polygon([(x, y - big), (x + big, y + big * 0.85), (x - big, y + big * 0.85)],
                     fill=rgb(paint))  # fmt: skip


def _band(points: list[Point], half: float) -> list[Point]:
    """Return the outline of a band along points, `half` px to either side."""
    left, right = [], []
    for number, (x, y) in enumerate(points):
        x0, y0 = points[max(number - 1, 0)]
        x1, y1 = points[min(number + 1, len(points) - 1)]
        long = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = -(y1 - y0) / long * half, (x1 - x0) / long * half
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    return left + right[::-1]


def _smooth(points: list[Point], steps: int = 10) -> list[Point]:
    """Return a curve through the points (Catmull-Rom)."""
    ends = [points[0], *points, points[-1]]
    curve = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps):
            t = step / steps
            curve.append(tuple(
                0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t
                       + (3 * q - p - 3 * r + s) * t**3)
                for p, q, r, s in zip(a, b, c, d, strict=True)
            ))  # fmt: skip
    return [*[(x, y) for x, y in curve], points[-1]]
