"""A drilling template for the lights, true to size, tiled over sheets of paper.

For an overlay that lies on the board (holes at the places) or a frame around it (holes beside
them); the game's own board is never drilled. All lengths are mm, from the board's top left corner,
x to the right and y down; a frame's holes lie outside of the board.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

#: Paper by name: width and height.
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}

#: What printers leave white, and the strip below the drawing for the ruler and the words.
_EDGE_MM, _FOOT_MM = 10.0, 16.0

#: Sheets repeat so much of their neighbours, to be laid over each other at the crosses.
OVERLAP_MM = 10.0

CROSS_EVERY_MM = 50.0
RULER_MM = 100.0

#: Between two holes' edges.
_GAP_MM = 3.0

#: Between the groups of two places on a frame, for the name.
_LABEL_MM = 6.0

_INK, _FAINT = 0.0, 0.55


@dataclass(frozen=True, slots=True)
class Hole:
    """One light's hole: its number, its centre, and the words above it.

    `in_column`: its neighbours are above and below, so its number stands beside it.
    """

    light: int
    x_mm: float
    y_mm: float
    label: str
    in_column: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the board, in shares of its width and height, and its lights' numbers."""

    name: str
    x: float
    y: float
    lights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be drilled. `frame_mm` is the frame's width, 0 for an overlay."""

    width_mm: float
    height_mm: float
    hole_mm: float
    frame_mm: float
    holes: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One sheet: its column and row from 0, and where its drawing begins and ends."""

    column: int
    row: int
    left_mm: float
    top_mm: float
    width_mm: float
    height_mm: float


def plan_holes(
    places: Sequence[Place], width_mm: float, height_mm: float, hole_mm: float, frame_mm: float
) -> Plan:
    """Return the holes for a board of this size.

    Raises:
        ValueError: the lengths cannot be, or the holes do not fit beside each other.
    """
    if not (50 <= width_mm <= 2000 and 50 <= height_mm <= 2000):
        raise ValueError("a board is 50 to 2000 mm wide and high")
    if not 1 <= hole_mm <= 30:
        raise ValueError("a hole is 1 to 30 mm wide")
    if frame_mm and not hole_mm + 2 * _GAP_MM <= frame_mm <= 200:
        raise ValueError(f"the frame is {hole_mm + 2 * _GAP_MM:g} to 200 mm wide for such holes")
    pitch_mm = hole_mm + _GAP_MM
    groups = {place.name: (place.x * width_mm, place.y * height_mm, "x", place) for place in places}
    if frame_mm:
        groups = _beside(places, width_mm, height_mm, frame_mm, pitch_mm)
    holes = []
    for x_mm, y_mm, along, place in groups.values():
        for number, light in enumerate(place.lights):
            off_mm = (number - (len(place.lights) - 1) / 2) * pitch_mm
            dx_mm, dy_mm = (off_mm, 0.0) if along == "x" else (0.0, off_mm)
            label = place.name if number == 0 else ""
            holes.append(Hole(light, x_mm + dx_mm, y_mm + dy_mm, label, along == "y"))
    return Plan(width_mm, height_mm, hole_mm, frame_mm, tuple(holes))


def _beside(
    places: Sequence[Place], width_mm: float, height_mm: float, frame_mm: float, pitch_mm: float
) -> dict[str, tuple[float, float, str, Place]]:
    """Return where each place's holes go on the frame: at its nearest side, not too close."""
    sides: dict[str, list[tuple[float, Place]]] = {}
    for place in places:
        x_mm, y_mm = place.x * width_mm, place.y * height_mm
        away = {"top": y_mm, "bottom": height_mm - y_mm, "left": x_mm, "right": width_mm - x_mm}
        side = min(away, key=lambda name: away[name])
        along_mm = x_mm if side in ("top", "bottom") else y_mm
        sides.setdefault(side, []).append((along_mm, place))
    fixed = {"top": -frame_mm / 2, "left": -frame_mm / 2}
    fixed |= {"bottom": height_mm + frame_mm / 2, "right": width_mm + frame_mm / 2}
    groups = {}
    for side, members in sides.items():
        ordered = sorted(members, key=lambda member: member[0])
        length_mm = width_mm if side in ("top", "bottom") else height_mm
        need_mm = [len(place.lights) * pitch_mm + _LABEL_MM for _, place in ordered]
        middles = _spread([along_mm for along_mm, _ in ordered], need_mm, length_mm)
        for middle_mm, (_, place) in zip(middles, ordered, strict=True):
            at = (middle_mm, fixed[side], "x", place)
            if side in ("left", "right"):
                at = (fixed[side], middle_mm, "y", place)
            groups[place.name] = at
    return groups


def _spread(wanted: Sequence[float], need: Sequence[float], length: float) -> list[float]:
    """Return middles as near to the wanted ones as their needs allow, in the same order.

    Raises:
        ValueError: they do not fit.
    """
    if sum(need) > length:
        raise ValueError(f"{len(need)} groups of holes do not fit on {length:g} mm of the frame")
    starts: list[float] = []
    free = 0.0
    for middle, room in zip(wanted, need, strict=True):
        starts.append(max(middle - room / 2, free))
        free = starts[-1] + room
    end = length
    for number in range(len(starts) - 1, -1, -1):
        starts[number] = min(starts[number], end - need[number])
        end = starts[number]
    return [start + room / 2 for start, room in zip(starts, need, strict=True)]


def tiles(plan: Plan, paper: str) -> list[Tile]:
    """Return the sheets that cover a plan, row by row, each overlapping its neighbours."""
    paper_width_mm, paper_height_mm = PAPERS_MM[paper]
    wide = paper_width_mm - 2 * _EDGE_MM
    high = paper_height_mm - 2 * _EDGE_MM - _FOOT_MM
    around = plan.frame_mm + 4.0
    return [
        Tile(column, row, left, top, wide, high)
        for row, top in enumerate(_starts(-around, plan.height_mm + around, high))
        for column, left in enumerate(_starts(-around, plan.width_mm + around, wide))
    ]


def _starts(first: float, last: float, size: float) -> list[float]:
    starts = [first]
    while starts[-1] + size < last:
        starts.append(starts[-1] + size - OVERLAP_MM)
    return starts


def write_template(out: Path | BinaryIO, plan: Plan, paper: str, names: Mapping[int, str]) -> int:
    """Write the template as a PDF; return the number of sheets.

    Args:
        out: the file, or where to write it.
        plan: what is to be drilled.
        paper: a key of PAPERS_MM.
        names: what each light is for, printed in a list on the last sheet.

    Raises:
        OSError: the file cannot be written.
    """
    size = tuple(side * mm for side in PAPERS_MM[paper])
    canvas = Canvas(str(out) if isinstance(out, Path) else out, pagesize=size, invariant=1)
    canvas.setTitle("Bystander: drilling template for the lights")
    canvas.setViewerPreference("PrintScaling", "None")
    sheets = tiles(plan, paper)
    for tile in sheets:
        _draw_sheet(canvas, plan, tile, paper, sheets)
        canvas.showPage()
    _draw_list(canvas, plan, paper, names)
    canvas.showPage()
    canvas.save()
    return len(sheets) + 1


def _draw_sheet(canvas: Canvas, plan: Plan, tile: Tile, paper: str, sheets: Sequence[Tile]) -> None:
    high_mm = PAPERS_MM[paper][1]
    canvas.saveState()
    window = canvas.beginPath()
    window.rect(_EDGE_MM * mm, (_EDGE_MM + _FOOT_MM) * mm, tile.width_mm * mm, tile.height_mm * mm)
    canvas.clipPath(window, stroke=1, fill=0)
    # From here on x is the board's, and y counts up from the board's top: minus the board's y.
    canvas.translate((_EDGE_MM - tile.left_mm) * mm, (high_mm - _EDGE_MM + tile.top_mm) * mm)
    _draw_board(canvas, plan)
    _draw_crosses(canvas, plan)
    for hole in plan.holes:
        _draw_hole(canvas, hole, plan.hole_mm)
    canvas.restoreState()
    columns = max(sheet.column for sheet in sheets) + 1
    rows = max(sheet.row for sheet in sheets) + 1
    words = f"column {tile.column + 1} of {columns}, row {tile.row + 1} of {rows}"
    _draw_foot(canvas, f"{words}; lay the sheets over each other at the crosses")


def _draw_board(canvas: Canvas, plan: Plan) -> None:
    canvas.setStrokeGray(_INK)
    canvas.setLineWidth(0.25 * mm)
    canvas.rect(0, -plan.height_mm * mm, plan.width_mm * mm, plan.height_mm * mm)
    if plan.frame_mm:
        around = plan.frame_mm
        canvas.rect(
            -around * mm,
            -(plan.height_mm + around) * mm,
            (plan.width_mm + 2 * around) * mm,
            (plan.height_mm + 2 * around) * mm,
        )


def _draw_crosses(canvas: Canvas, plan: Plan) -> None:
    canvas.setStrokeGray(_FAINT)
    canvas.setLineWidth(0.1 * mm)
    # A frame's sheets may hold nothing of the board, so that the crosses go on over the frame.
    before = math.ceil(plan.frame_mm / CROSS_EVERY_MM)
    columns = int((plan.width_mm + plan.frame_mm) // CROSS_EVERY_MM)
    rows = int((plan.height_mm + plan.frame_mm) // CROSS_EVERY_MM)
    for column in range(-before, columns + 2):
        for row in range(-before, rows + 2):
            x, y = column * CROSS_EVERY_MM, -row * CROSS_EVERY_MM
            canvas.line((x - 3) * mm, y * mm, (x + 3) * mm, y * mm)
            canvas.line(x * mm, (y - 3) * mm, x * mm, (y + 3) * mm)


def _draw_hole(canvas: Canvas, hole: Hole, hole_mm: float) -> None:
    x, y, radius = hole.x_mm, -hole.y_mm, hole_mm / 2
    canvas.setStrokeGray(_INK)
    canvas.setFillGray(_INK)
    canvas.setLineWidth(0.15 * mm)
    canvas.circle(x * mm, y * mm, radius * mm)
    canvas.line((x - radius - 1) * mm, y * mm, (x + radius + 1) * mm, y * mm)
    canvas.line(x * mm, (y - radius - 1) * mm, x * mm, (y + radius + 1) * mm)
    canvas.setFont("Helvetica", 6)
    if hole.in_column:
        canvas.drawString((x + radius + 1.6) * mm, (y - 0.8) * mm, str(hole.light))
    else:
        canvas.drawCentredString(x * mm, (y - radius - 3.2) * mm, str(hole.light))
    if hole.label:
        canvas.setFont("Helvetica", 7)
        canvas.drawString((x - radius) * mm, (y + radius + 1.6) * mm, hole.label)


def _draw_foot(canvas: Canvas, words: str) -> None:
    """Draw the ruler, from the first line's left edge to the last one's, and the words."""
    left, base = _EDGE_MM, _EDGE_MM + 3
    canvas.setStrokeGray(_INK)
    canvas.setFillGray(_INK)
    canvas.setLineWidth(0.2 * mm)
    canvas.line(left * mm, base * mm, (left + RULER_MM) * mm, base * mm)
    for tick in range(int(RULER_MM) + 1):
        length = 5 if tick % 50 == 0 else (3 if tick % 10 == 0 else 1.5)
        canvas.line((left + tick) * mm, base * mm, (left + tick) * mm, (base + length) * mm)
    canvas.setFont("Helvetica", 7)
    canvas.drawString((left + RULER_MM + 4) * mm, (base + 2.5) * mm, "100 mm: print at 100 %,")
    canvas.drawString((left + RULER_MM + 4) * mm, (base - 0.5) * mm, "then check with a ruler")
    canvas.drawString(left * mm, (base + 7) * mm, words)


def _draw_list(canvas: Canvas, plan: Plan, paper: str, names: Mapping[int, str]) -> None:
    top = PAPERS_MM[paper][1] - 20
    canvas.setFillGray(_INK)
    canvas.setFont("Helvetica-Bold", 12)
    canvas.drawString(15 * mm, top * mm, "The lights, in the order of the strip")
    canvas.setFont("Helvetica", 9)
    kind = f"frame of {plan.frame_mm:g} mm around it" if plan.frame_mm else "overlay"
    canvas.drawString(
        15 * mm,
        (top - 7) * mm,
        f"board {plan.width_mm:g} x {plan.height_mm:g} mm, {kind}, holes of {plan.hole_mm:g} mm; "
        "measured in mm from the board's top left corner",
    )
    for line, hole in enumerate(sorted(plan.holes, key=lambda hole: hole.light)):
        y = (top - 16 - 5.5 * line) * mm
        canvas.drawRightString(22 * mm, y, str(hole.light))
        canvas.drawString(26 * mm, y, names.get(hole.light, ""))
        canvas.drawRightString(110 * mm, y, f"{hole.x_mm:.1f}")
        canvas.drawRightString(130 * mm, y, f"{hole.y_mm:.1f}")
    _draw_foot(canvas, "do not drill the game's own board")
