"""What lies under everything on the map: the river and the roads as they run."""

from __future__ import annotations

import math

from assistant.core.board import Point
from assistant.present.table_map import TableMap
from assistant.ui.map_sheet import MapSheet
from assistant.ui.palettes import mixed, rgb


def draw_river(sheet: MapSheet, table: TableMap) -> None:
    """Draw the river, on from the map's edges to those of the sheet, which may be wider."""
    colours, unit = sheet.colours, sheet.unit
    curve = _smooth([sheet.at(*point) for point in table.river])
    (x0, y0), (x1, y1) = curve[0], curve[-1]
    end = float(sheet.image.width)
    points = [(min(0.0, x0) - 9, y0), *curve, (max(end, x1) + 9, y1)]
    sheet.draw.polygon(_band(points, 0.031 * unit), fill=rgb(colours.water))
    for shift in (-0.016, 0.0, 0.016):
        moved = [(x, y + shift * unit) for x, y in points]
        sheet.line(moved, mixed(colours.water, colours.water_line, 0.6), 0.0016)


def draw_roads(sheet: MapSheet, table: TableMap) -> None:
    """Draw all roads, their edges first: where two meet they run into each other."""
    for colour, wide in ((sheet.colours.road_edge, 0.0085), (sheet.colours.road, 0.0058)):
        for road in table.roads:
            sheet.line([sheet.at(*point) for point in road], colour, wide)


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
