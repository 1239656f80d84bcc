"""The map drawn with Pillow, smooth at any size; may run in any thread, for no Tk is touched.

ground (river, roads) -> candidates' light -> places (ring, arcs, icons) -> names -> pieces
"""

from __future__ import annotations

import math

from PIL import Image

from assistant.present.lights import Layer
from assistant.present.map_shapes import LabelSide
from assistant.present.table_map import PlaceMark, TableMap
from assistant.ui.map_candidates import Candidates, Share
from assistant.ui.map_ground import draw_river, draw_roads
from assistant.ui.map_pieces import draw_arrow_tokens, draw_pawns, draw_poets_way, draw_tokens
from assistant.ui.map_sheet import MapLook, MapSheet
from assistant.ui.palettes import mixed

#: Letters so large leave room for one share in a line between two places.
_LARGE_LETTERS = 1.25


def draw_map(table: TableMap, look: MapLook, size: tuple[int, int]) -> Image.Image:
    """Return the map as an RGB picture of a size (width, height) in px."""
    sheet = MapSheet(table, look, size)
    candidates = Candidates(sheet, table)
    draw_river(sheet, table)
    draw_roads(sheet, table)
    candidates.glow()
    for place in table.places:
        _draw_ring(sheet, candidates, place)
        draw_arrow_tokens(sheet, table, place)
        if place.is_reachable:
            _draw_dots(sheet, place)
    draw_poets_way(sheet, table)
    for place in table.places:
        _draw_name(sheet, candidates, place)
    for place in table.places:
        draw_tokens(sheet, place)
    draw_pawns(sheet, table)
    candidates.legend()
    return sheet.finished()


def _draw_ring(sheet: MapSheet, candidates: Candidates, place: PlaceMark) -> None:
    """Draw a place's ring with its candidates' arcs round it and its icons in it."""
    x, y = sheet.at(place.x, place.y)
    paper, is_out = sheet.colours.paper, candidates.is_out(place)
    ring = sheet.colours.ring(place.colour.value)
    sheet.disc(x, y, sheet.ring, mixed(ring, paper, 0.6) if is_out else ring)
    sheet.disc(x, y, sheet.ring * 0.8, paper)
    candidates.arcs(place)
    count = len(place.features)
    size = sheet.ring * (0.72 if count == 1 else 0.58 if count == 2 else 0.5)
    spots = {
        1: [(0.0, 0.0)],
        2: [(-0.36, 0.0), (0.36, 0.0)],
        3: [(-0.34, -0.26), (0.34, -0.26), (0.0, 0.34)],
    }[count]
    ink = mixed(sheet.colours.ink, paper, 0.65 if is_out else 0.0)
    for feature, (dx, dy) in zip(place.features, spots, strict=True):
        sheet.icon(feature.value, x + dx * sheet.ring, y + dy * sheet.ring, size, ink)


def _draw_dots(sheet: MapSheet, place: PlaceMark) -> None:
    """Ring a place that the pawn can go to with dots."""
    x, y = sheet.at(place.x, place.y)
    reach, dot = sheet.ring * 1.42, sheet.ring * 0.05
    for number in range(20):
        turn = number * math.pi / 10
        at_x, at_y = x + reach * math.cos(turn), y + reach * math.sin(turn)
        sheet.disc(at_x, at_y, dot, sheet.colours.ink)


def _draw_name(sheet: MapSheet, candidates: Candidates, place: PlaceMark) -> None:
    """Write a place's name with its candidates' shares below it."""
    x, y = sheet.at(place.x, place.y)
    high, gap = sheet.name.size * 1.1, sheet.ring * 1.62  # beyond the dots of a place to go to
    lines = _share_lines(sheet, candidates, place)
    widths = [candidates.shares_width(line) for line in lines]
    width = max(sheet.name.getlength(place.location.value), *widths, 0)
    total = high + sheet.small.size * 1.25 * len(lines)
    if place.side is LabelSide.BELOW:
        left, top = x - width / 2, y + sheet.ring * 1.4
    else:
        left = x + gap if place.side is LabelSide.RIGHT else x - gap - width
        top = y - total / 2
    left = min(max(left, 4.0), sheet.image.width - width - 4)
    top = min(top, sheet.image.height - total)
    centre = left + width / 2
    ink = mixed(sheet.colours.ink, sheet.colours.paper, 0.5 if candidates.is_out(place) else 0.0)
    sheet.words(place.location.value, (centre, top + high / 2), sheet.name, ink)
    for number, (line, wide) in enumerate(zip(lines, widths, strict=True)):
        at_y = top + high + sheet.small.size * (0.6 + 1.25 * number)
        candidates.draw_shares(line, centre - wide / 2, at_y)


def _share_lines(sheet: MapSheet, candidates: Candidates, place: PlaceMark) -> list[list[Share]]:
    """Return a place's shares in lines: names that stand beside their rings may face each other."""
    shares = candidates.shares(place)
    most = 1 if sheet.look.letters > _LARGE_LETTERS else 2
    if place.side is LabelSide.BELOW:
        most = len(Layer)
    return [shares[first : first + most] for first in range(0, len(shares), most)]
