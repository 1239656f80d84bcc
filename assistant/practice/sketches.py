"""Small line drawings of our own for the fronts of the keys, one a location, in mm."""

from __future__ import annotations

from assistant.core.terms import Location
from assistant.practice.marks import BLACK, PAPER, Fill, Mark, Points, Stroke, arc, box, circle

#: Lines of the drawings.
_LINE_MM = 0.28


def sketch(location: Location) -> tuple[Mark, ...]:
    """Return the drawing of a location, about 30 mm wide and 20 high round (22, 38)."""
    return tuple(_SCENES[location])


def _lined(points: Points) -> list[Mark]:
    return [Fill(points, PAPER), Stroke(points, _LINE_MM, closed=True)]


def _house(x: float, floor: float, width: float, height: float) -> list[Mark]:
    eaves, ridge = floor - height, floor - height - width * 0.6
    marks = _lined(box(x, eaves, x + width, floor))
    marks += _lined(((x - 0.5, eaves), (x + width / 2, ridge), (x + width + 0.5, eaves)))
    marks.append(Fill(box(x + width * 0.38, floor - 2.0, x + width * 0.62, floor)))
    for share in (0.22, 0.78):
        middle = x + width * share
        marks.append(Stroke(box(middle - 0.5, eaves + 0.8, middle + 0.5, eaves + 2.0), _LINE_MM))
    marks += [
        Stroke(
            ((x + width * 0.55 + k * 0.6, eaves - 0.3), (x + width / 2 + k * 0.4, ridge + 1)), 0.2
        )
        for k in range(4)
    ]
    return marks


def _tower(x: float, floor: float, width: float, height: float, spire: float = 0) -> list[Mark]:
    top = floor - height
    marks = _lined(box(x, top, x + width, floor))
    if spire:
        marks += _lined(((x, top), (x + width / 2, top - spire), (x + width, top)))
    else:
        tooth = width / 5
        marks += [
            mark
            for k in (0, 2, 4)
            for mark in _lined(box(x + k * tooth, top - 1.1, x + (k + 1) * tooth, top))
        ]
    marks += [
        Fill(
            box(
                x + width * 0.42,
                floor - height * share,
                x + width * 0.58,
                floor - height * share + 1.6,
            )
        )
        for share in (0.45, 0.8)
    ]
    marks += [
        Stroke(((x + width * share, top + 0.5), (x + width * share, floor - 0.5)), 0.18)
        for share in (0.75, 0.82, 0.89)
    ]
    return marks


def _gate(x: float, floor: float, width: float, height: float) -> list[Mark]:
    half = width * 0.28
    middle = x + width / 2
    arch: Points = (
        (middle - half, floor),
        *arc(middle, floor - height * 0.4, half, 180, 360),
        (middle + half, floor),
    )
    return [*_lined(box(x, floor - height, x + width, floor)), Fill(arch)]


def _theatre(x: float, floor: float, width: float, height: float) -> list[Mark]:
    marks = _lined(box(x, floor - height, x + width, floor))
    marks += _lined(circle(x + width / 2, floor - height, width / 2, width * 0.16))
    marks += [
        Stroke(((x + width * k / 6, floor - height + 1.6), (x + width * k / 6, floor)), _LINE_MM)
        for k in range(1, 6)
    ]
    marks += [
        Fill(box(x + width * k / 6 + 1, floor - 3, x + width * k / 6 + 1.8, floor - 1.6))
        for k in range(6)
    ]
    pole = x + width / 2
    top = floor - height - 6
    marks.append(Stroke(((pole, floor - height), (pole, top)), _LINE_MM))
    marks.append(Fill(((pole, top), (pole + 3, top + 1), (pole, top + 2))))
    return marks


def _tree(x: float, floor: float, size: float) -> list[Mark]:
    crown = circle(x, floor - size, size * 0.5, size * 0.6, steps=9)
    return [
        Stroke(((x, floor), (x, floor - size)), 0.5),
        *_lined(crown),
        *(Stroke(arc(x, floor - size, size * share, 20, 110), 0.2) for share in (0.2, 0.32)),
    ]


def _water(y: float, left: float = 6, right: float = 38) -> list[Mark]:
    marks: list[Mark] = []
    for row in range(3):
        start = left + row * 1.5
        while start < right - 3:
            marks.append(Stroke(arc(start + 1.2, y + row * 1.3, 1.2, 200, 340), _LINE_MM))
            start += 3.1
    return marks


def _ground(y: float) -> list[Mark]:
    return [Stroke(((5, y), (14, y - 0.3), (27, y + 0.3), (39, y)), 0.4, BLACK)]


def _bridge() -> list[Mark]:
    marks = _lined(box(5, 37, 39, 41))
    for k in range(5):
        marks.append(Fill((*arc(8.4 + k * 6.8, 41, 2.2, 180, 360), (10.6 + k * 6.8, 41))))
        marks += _house(5.5 + k * 6.9, 37, 5, 4.5 + (k * 7) % 3)
    return marks + _water(43)


_SCENES: dict[Location, list[Mark]] = {
    Location.CLERKENWELL: _tree(8, 46, 6) + _house(11, 46, 13, 7) + _tower(24, 46, 6, 15)
    + _tree(35, 46, 8) + _ground(46),
    Location.CRIPPLEGATE: _house(5, 46, 7, 6) + _tower(12, 46, 6, 13) + _gate(18, 46, 9, 9)
    + _tower(27, 46, 6, 13) + _house(33, 46, 6, 5) + _ground(46),
    Location.SHOREDITCH: _tree(8, 46, 5) + _theatre(13, 46, 16, 9) + _tree(33, 46, 7)
    + _tree(37, 46, 5) + _ground(46),
    Location.BISHOPSGATE: _gate(5, 46, 10, 12) + _house(16, 46, 9, 6) + _tower(26, 46, 5, 11, 7)
    + _house(31, 46, 8, 5) + _ground(46),
    Location.CORNHILL: _house(5, 46, 7, 9) + _house(12.5, 46, 7, 7) + _tower(20, 46, 5, 17)
    + _house(26, 46, 6, 8) + _house(33, 46, 6, 6) + _ground(46),
    Location.EASTCHEAP: _house(5, 45, 8, 8) + _house(14, 45, 8, 5) + _house(23, 45, 7, 9)
    + _house(31, 45, 8, 6) + _ground(45),
    Location.LONDON_BRIDGE: _bridge(),
    Location.SOUTHWARK: _house(5, 46, 8, 5) + _tower(15, 46, 8, 16) + _house(23, 46, 14, 6)
    + _ground(46),
    Location.LIBERTY_OF_THE_CLINK: _house(5, 44, 7, 6) + _theatre(15, 44, 13, 8)
    + _house(31, 44, 7, 5) + _water(46),
    Location.BLACKFRIARS: _tower(5, 43, 5, 12) + _house(11, 43, 18, 8) + _house(31, 43, 7, 6)
    + _water(45),
    Location.ST_PAULS: _house(5, 46, 12, 8) + _tower(17, 46, 7, 14, 9) + _house(24, 46, 14, 8)
    + _ground(46),
}  # fmt: skip
