"""The candidates on the map: who may be where, in three layers round each ring.

They are told apart by place, shape, and hatch as well as by colour: the Youth an arc at the upper
left (plain) with a disc, the rendezvous an arc at the upper right (striped) with a diamond, the
Lady an arc below (chequered) with a triangle. The arcs glow with the weight; where a layer is out
its arc is gone, and a place with none left fades.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFilter

from assistant.core.board import Point
from assistant.present.lights import Layer
from assistant.present.table_map import PlaceMark, TableMap
from assistant.present.words import percent
from assistant.ui.map_sheet import MapSheet
from assistant.ui.palettes import mixed, rgb

#: The arcs of the layers, degrees clockwise from the right, as Pillow counts: start, end.
_ARCS = {Layer.YOUTH: (155, 265), Layer.RENDEZVOUS: (275, 385), Layer.LADY: (35, 145)}

#: How many pieces the arcs are cut into.
_PIECES = {Layer.YOUTH: 1, Layer.RENDEZVOUS: 5, Layer.LADY: 9}

_LEGEND = {
    Layer.YOUTH: "the Youth may hide here",
    Layer.RENDEZVOUS: "may be the rendezvous",
    Layer.LADY: "the Lady may be here now",
}


#: A layer and how likely it is, in words.
Share = tuple[Layer, str]


class Candidates:
    """Draws the candidates of a map on its sheet."""

    def __init__(self, sheet: MapSheet, table: TableMap) -> None:
        """Draw nothing yet."""
        self._sheet, self._table = sheet, table
        self._known = table.known & frozenset(sheet.look.shown)
        colours = sheet.colours
        self._paints = {
            Layer.YOUTH: colours.youth,
            Layer.RENDEZVOUS: colours.rendezvous,
            Layer.LADY: colours.lady,
        }

    def layers(self, place: PlaceMark) -> list[Layer]:
        """Return the layers drawn at a place."""
        return [layer for layer in Layer if layer in place.shares and layer in self._known]

    def is_out(self, place: PlaceMark) -> bool:
        """Whether a place is out for good, not for this turn: the Lady moves on."""
        lasting = self._known - {Layer.LADY}
        return bool(lasting) and not lasting & place.shares.keys()

    def glow(self) -> None:
        """Lay a soft light behind what is left, as strong as its weight."""
        sheet, quarter = self._sheet, 4
        small = (sheet.image.width // quarter, sheet.image.height // quarter)
        light = Image.new("RGBA", small, (*rgb(sheet.colours.paper), 0))
        draw = ImageDraw.Draw(light)
        reach = sheet.ring * 1.5 / quarter
        for place in self._table.places:
            x, y = (value / quarter for value in sheet.at(place.x, place.y))
            for layer in self.layers(place):
                alpha = round(200 * (0.25 + 0.75 * place.levels[layer]))
                box = (x - reach, y - reach, x + reach, y + reach)
                start, end = _ARCS[layer]
                draw.pieslice(box, start, end, fill=(*rgb(self._paints[layer]), alpha))
        light = light.filter(ImageFilter.GaussianBlur(sheet.ring / quarter * 0.22))
        light = light.resize(sheet.image.size, Image.Resampling.BILINEAR)
        sheet.image.paste(light, (0, 0), light.getchannel("A").point(lambda a: a * 0.75))

    def arcs(self, place: PlaceMark) -> None:
        """Draw the arcs round a place's ring: thicker for more weight, hatched as the layer is."""
        sheet = self._sheet
        x, y = sheet.at(place.x, place.y)
        outer = sheet.ring * 1.27
        box = (x - outer, y - outer, x + outer, y + outer)
        for layer in self.layers(place):
            level = place.levels[layer]
            wide = sheet.ring * (0.1 + 0.1 * level)
            paint = mixed(sheet.colours.paper, self._paints[layer], 0.45 + 0.55 * level)
            pale = mixed(sheet.colours.paper, paint, 0.35)
            (start, end), pieces = _ARCS[layer], _PIECES[layer]
            each = (end - start) / (2 * pieces - 1)
            for number in range(pieces):
                begin = start + 2 * number * each
                sheet.draw.arc(box, begin, begin + each, fill=rgb(paint), width=round(wide))
                if number + 1 < pieces:
                    sheet.draw.arc(box, begin + each, begin + 2 * each, fill=rgb(pale),
                                   width=round(wide * 0.6))  # fmt: skip

    def shares(self, place: PlaceMark) -> list[Share]:
        """Return how likely each layer drawn at a place is, in words."""
        return [(layer, percent(place.shares[layer])) for layer in self.layers(place)]

    def shares_width(self, shares: Sequence[Share]) -> float:
        """Return how wide a line of shares is, px."""
        return sum(self._share_width(text) for _, text in shares)

    def draw_shares(self, shares: Sequence[Share], left: float, y: float) -> None:
        """Write shares in a line, each after its layer's shape."""
        sheet = self._sheet
        size = sheet.small.size * 0.42
        for layer, text in shares:
            x = left + size * 1.2
            _draw_shape(sheet.draw, layer, (x, y), size, self._paints[layer])
            sheet.words(text, (x + size * 2.05, y), sheet.small, sheet.colours.ink,
                        anchor="lm")  # fmt: skip
            left += self._share_width(text)

    def legend(self) -> None:
        """Tell at the lower left what the shapes mean, of the layers that are drawn."""
        sheet = self._sheet
        layers = [layer for layer in Layer if layer in self._known]
        x, y = sheet.at(0.015, self._table.height - 0.01 - 0.028 * (len(layers) - 1))
        size = sheet.fine.size * 0.42
        for layer in layers:
            _draw_shape(sheet.draw, layer, (x, y), size, self._paints[layer])
            sheet.draw.text((x + size * 2.4, y), _LEGEND[layer], fill=rgb(sheet.colours.faint),
                            font=sheet.fine, anchor="lm")  # fmt: skip
            y += sheet.unit * 0.028

    def _share_width(self, text: str) -> float:
        return self._sheet.small.getlength(text) + self._sheet.small.size * 1.7


def _draw_shape(
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
