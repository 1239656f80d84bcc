"""The map in the terminal: where the Fair Youth may hide and what the rendezvous may be.

Each place stands where it is printed, under its name a line with what is still possible there:
the Youth's share of the chance and the features that may be the rendezvous, or a dash. A place
where the Youth may hide stands in capitals. Colour only repeats what the letters say, so a
terminal without it loses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from assistant.core.board import Board, Place
from assistant.core.terms import Feature, Location
from assistant.present.words import percent

WIDTH, HEIGHT = 80, 27

#: Between a place's row of letters and the edge of the map.
_SIDE = 1


@dataclass(frozen=True, slots=True)
class Style:
    """What the terminal can show."""

    unicode: bool = False
    colour: bool = False

    @property
    def road(self) -> str:
        """The mark a road is drawn with."""
        return "·" if self.unicode else "."

    @property
    def asked(self) -> str:
        """The mark of a place whose keyhole was read."""
        return "✓" if self.unicode else "*"


_BOLD, _DIM, _CYAN, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[36m", "\x1b[0m"


def terminal_map(
    board: Board,
    youth: Mapping[Location, float],
    rendezvous: Collection[Feature],
    asked: Collection[Location] = (),
    style: Style | None = None,
) -> str:
    """Return the map as HEIGHT lines of at most WIDTH characters.

    Args:
        board: the printed map.
        youth: the share of each place where the Fair Youth may hide.
        rendezvous: the features that may be the rendezvous.
        asked: places whose keyhole was read; they get a mark.
        style: what the terminal can show; plain ASCII when not given.
    """
    style = style or Style()
    cells = [[" "] * WIDTH for _ in range(HEIGHT)]
    paint: dict[tuple[int, int], str] = {}
    for road in board.roads:
        for (x0, y0), (x1, y1) in zip(road.polyline, road.polyline[1:], strict=False):
            for step in range(9):
                row, column = _cell(x0 + (x1 - x0) * step / 8, y0 + (y1 - y0) * step / 8)
                cells[row][column] = style.road
                paint[row, column] = _DIM
    for place in board.places.values():
        here = frozenset(rendezvous) & place.features
        lines = _label(place, youth.get(place.location), here, place.location in asked, style)
        alive = place.location in youth
        _write(cells, paint, place, lines, _BOLD + _CYAN if alive else _DIM)
    return "\n".join(_line(cells[row], row, paint, style) for row in range(HEIGHT))


def _label(
    place: Place, share: float | None, here: Collection[Feature], was_asked: bool, style: Style
) -> tuple[str, str]:
    name = place.location.value
    first = name.upper() if share is not None else name
    possible = ([f"Youth {percent(share)}"] if share is not None else []) + sorted(
        feature.value for feature in here
    )
    mark = f" {style.asked}" if was_asked else ""
    return f" {first}{mark} ", f" {', '.join(possible) or '-'} "


def _cell(x: float, y: float) -> tuple[int, int]:
    """Return (row, column) of a point in shares of the board."""
    row = round(1 + y * (HEIGHT - 3))
    column = round(_SIDE + x * (WIDTH - 1 - 2 * _SIDE))
    return min(max(row, 0), HEIGHT - 1), min(max(column, 0), WIDTH - 1)


def _write(
    cells: list[list[str]],
    paint: dict[tuple[int, int], str],
    place: Place,
    lines: tuple[str, str],
    ink: str,
) -> None:
    row, middle = _cell(place.x, place.y)
    for offset, line in enumerate(lines):
        start = min(max(middle - len(line) // 2, 0), WIDTH - len(line))
        for column, letter in enumerate(line, start):
            cells[row + offset][column] = letter
            paint[row + offset, column] = ink


def _line(letters: list[str], row: int, paint: Mapping[tuple[int, int], str], style: Style) -> str:
    if not style.colour:
        return "".join(letters).rstrip()
    out, ink = [], ""
    for column, letter in enumerate(letters):
        wanted = paint.get((row, column), "") if letter != " " else ink
        if wanted != ink:
            out.append(_PLAIN + wanted)
            ink = wanted
        out.append(letter)
    return "".join(out).rstrip() + (_PLAIN if ink else "")
