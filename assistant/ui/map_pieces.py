"""What the player has put on the map: pawns, tokens, and the rulebook's arrow tokens."""

from __future__ import annotations

import math

from assistant.present.table_map import PlaceMark, TableMap
from assistant.ui.map_sheet import MapSheet
from assistant.ui.palettes import rgb

#: The edge of the player's pawn, by day and by night.
_DARK = "#2a2118"

_MARKER_SIGNS = {"waypoint": "!", "tracer": "»"}


def draw_arrow_tokens(sheet: MapSheet, table: TableMap, place: PlaceMark) -> None:
    """Draw the rulebook's arrow tokens: from the place asked towards what was said."""
    x, y = sheet.at(place.x, place.y)
    for there in place.arrows:
        other = table.place(there)
        to_x, to_y = sheet.at(other.x, other.y)
        turn = math.atan2(to_y - y, to_x - x)
        sheet.arrow_head((x, y), turn, sheet.ring * 1.34, sheet.ring * 0.42, sheet.colours.youth)


def draw_poets_way(sheet: MapSheet, table: TableMap) -> None:
    """Draw the Poet's move along its road as an arrow, where he moves now."""
    points = [sheet.at(*point) for point in table.poet_path]
    if len(points) < 2:
        return
    sheet.line(points, sheet.colours.ink, 0.0035)
    (x0, y0), (x1, y1) = points[-2:]
    turn = math.atan2(y1 - y0, x1 - x0)
    sheet.arrow_head((x1, y1), turn, -sheet.ring * 0.25, sheet.ring * 0.4, sheet.colours.ink)


def draw_tokens(sheet: MapSheet, place: PlaceMark) -> None:
    """Draw the number token of a place and the markers' tokens."""
    x, y = sheet.at(place.x, place.y)
    if place.gave is not None:
        _draw_token(sheet, str(place.gave), x + sheet.ring * 0.95, y - sheet.ring * 0.95,
                    sheet.colours.rendezvous)  # fmt: skip
    for number, marker in enumerate(place.tokens):
        _draw_token(sheet, _MARKER_SIGNS[marker], x - sheet.ring * (1.3 - 0.8 * number),
                    y + sheet.ring * 0.88, sheet.colours.warn)  # fmt: skip


def draw_pawns(sheet: MapSheet, table: TableMap) -> None:
    """Draw both pawns: the player's light with a dark edge, the Poet's dark and hooded."""
    for who, shift in ((table.poet, 1.08), (table.pawn, -1.08)):
        if who is not None:
            place = table.place(who)
            x, y = sheet.at(place.x, place.y)
            _draw_pawn(sheet, x + shift * sheet.ring, y + 0.15 * sheet.ring, is_poet=shift > 0)


def _draw_token(sheet: MapSheet, text: str, x: float, y: float, colour: str) -> None:
    radius = sheet.fine.size * 0.72
    sheet.disc(x, y, radius * 1.15, sheet.colours.paper)
    sheet.disc(x, y, radius, colour)
    sheet.draw.text((x, y), text, fill=rgb(sheet.colours.accent_ink), font=sheet.fine,
                    anchor="mm")  # fmt: skip


def _draw_pawn(sheet: MapSheet, x: float, y: float, *, is_poet: bool) -> None:
    size = sheet.ring * 0.62
    edge, fill = _DARK, "#ffffff"
    if is_poet:
        edge, fill = fill, "#26305e"
    for grow, colour in ((size * 0.13, edge), (0.0, fill)):
        body = [
            (x - size * 0.5 - grow, y + size * 0.75 + grow),
            (x + size * 0.5 + grow, y + size * 0.75 + grow),
            (x + size * 0.16 + grow, y - size * 0.3),
            (x - size * 0.16 - grow, y - size * 0.3),
        ]
        sheet.draw.polygon(body, fill=rgb(colour))
        head = size * 0.36 + grow
        if is_poet:
            hood = [(x - head, y - size * 0.1), (x + head, y - size * 0.1),
                    (x, y - size - grow * 1.5)]  # fmt: skip
            sheet.draw.polygon(hood, fill=rgb(colour))
        else:
            sheet.disc(x, y - size * 0.5, head, colour)
