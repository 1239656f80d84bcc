"""Small pictures for traits, suits and fog, as outlines in a square from -1 to 1.

They are drawn for this program and copy no printed card; the words beside them say what they mean.
A patch that is not ink is cut out of those before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from assistant.core.board import Point


@dataclass(frozen=True, slots=True)
class Patch:
    """One closed outline, of ink or cut out."""

    points: tuple[Point, ...]
    ink: bool = True


Emblem = tuple[Patch, ...]


def _oval(x: float, y: float, wide: float, high: float, turn_deg: float = 0.0) -> tuple[Point, ...]:
    turn = math.radians(turn_deg)
    points = []
    for step in range(36):
        angle = step * math.pi / 18
        dx, dy = wide * math.cos(angle), high * math.sin(angle)
        points.append(
            (x + dx * math.cos(turn) - dy * math.sin(turn),
             y + dx * math.sin(turn) + dy * math.cos(turn))
        )  # fmt: skip
    return tuple(points)


def _hoop(at: Point, wide: float, high: float, thick: float, turn: float = 0.0) -> Emblem:
    x, y = at
    return (
        Patch(_oval(x, y, wide, high, turn)),
        Patch(_oval(x, y, wide - thick, high - thick, turn), ink=False),
    )


def _box(left: float, top: float, right: float, bottom: float) -> Patch:
    return Patch(((left, top), (right, top), (right, bottom), (left, bottom)))


def _heart(x: float = 0.0, y: float = 0.0, size: float = 0.95) -> Patch:
    points = []
    for step in range(48):
        t = step * math.pi / 24
        points.append(
            (x + size * math.sin(t) ** 3,
             y - size / 16 * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t)
                              - math.cos(4 * t)))
        )  # fmt: skip
    return Patch(tuple(points))


def _petals(count: int, far: float, size: float, start_deg: float = -90.0) -> Iterable[Patch]:
    for number in range(count):
        turn = math.radians(start_deg + number * 360 / count)
        yield Patch(_oval(far * math.cos(turn), far * math.sin(turn), size, size))


def _chain() -> Emblem:
    links = (*_hoop((-0.5, -0.5), 0.5, 0.34, 0.17, 45), *_hoop((0.5, 0.5), 0.5, 0.34, 0.17, 45))
    return (*links, *_hoop((0.0, 0.0), 0.5, 0.34, 0.17, 45))


def _crown() -> Emblem:
    points = ((-0.8, 0.45), (-0.95, -0.5), (-0.45, -0.05), (0.0, -0.8), (0.45, -0.05),
              (0.95, -0.5), (0.8, 0.45))  # fmt: skip
    tips = [Patch(_oval(x, y, 0.13, 0.13)) for x, y in ((-0.9, -0.55), (0.0, -0.82), (0.9, -0.55))]
    return (Patch(points), *tips, _box(-0.8, 0.55, 0.8, 0.85))


def _music() -> Emblem:
    return (
        Patch(_oval(-0.5, 0.62, 0.36, 0.27, -20)),
        Patch(_oval(0.5, 0.45, 0.36, 0.27, -20)),
        _box(-0.3, -0.65, -0.14, 0.6),
        _box(0.7, -0.85, 0.86, 0.43),
        Patch(((-0.3, -0.65), (0.86, -0.95), (0.86, -0.55), (-0.3, -0.25))),
    )


def _quill() -> Emblem:
    feather = ((-0.55, 0.55), (-0.45, 0.0), (0.0, -0.6), (0.9, -0.95), (0.75, -0.2), (0.3, 0.25),
               (-0.3, 0.5))  # fmt: skip
    shaft = ((-0.95, 0.95), (-0.85, 0.95), (0.55, -0.55), (0.45, -0.62))
    return (
        Patch(feather),
        Patch(((-0.4, 0.45), (0.62, -0.66), (0.7, -0.6), (-0.32, 0.5)), ink=False),
        Patch(shaft),
    )


def _rattle() -> Emblem:
    bells = [Patch(_oval(x, y, 0.16, 0.16)) for x, y in ((-0.85, -0.1), (0.35, -0.9), (0.3, 0.05))]
    return (
        Patch(_oval(-0.25, -0.4, 0.52, 0.52)),
        Patch(_oval(-0.25, -0.4, 0.26, 0.26), ink=False),
        Patch(((0.02, -0.02), (0.14, -0.14), (0.95, 0.78), (0.78, 0.95))),
        *bells,
    )


def _ring() -> Emblem:
    gem = ((-0.4, -0.7), (-0.2, -0.95), (0.2, -0.95), (0.4, -0.7), (0.0, -0.25))
    return (*_hoop((0.0, 0.3), 0.66, 0.66, 0.17), Patch(gem))


def _fog() -> Emblem:
    return (
        Patch(_oval(-0.4, 0.1, 0.5, 0.42)),
        Patch(_oval(0.15, -0.2, 0.52, 0.5)),
        Patch(_oval(0.55, 0.15, 0.4, 0.38)),
        _box(-0.55, 0.1, 0.65, 0.52),
        _box(-0.7, 0.66, 0.4, 0.78),
        _box(-0.3, 0.86, 0.8, 0.96),
    )


def _rose() -> Emblem:
    return (*_petals(5, 0.55, 0.42), Patch(_oval(0, 0, 0.3, 0.3), ink=False),
            Patch(_oval(0, 0, 0.2, 0.2)))  # fmt: skip


def _oak() -> Emblem:
    lobes = [Patch(_oval(x, y, 0.34, 0.3)) for y in (-0.45, 0.0, 0.42) for x in (-0.38, 0.38)]
    return (*lobes, Patch(_oval(0, -0.7, 0.3, 0.28)), _box(-0.3, -0.7, 0.3, 0.5),
            _box(-0.07, 0.4, 0.07, 1.0))  # fmt: skip


def _bluebell() -> Emblem:
    bell = ((-0.2, -0.55), (0.2, -0.55), (0.45, 0.0), (0.5, 0.45), (0.85, 0.75), (0.35, 0.65),
            (0.0, 0.95), (-0.35, 0.65), (-0.85, 0.75), (-0.5, 0.45), (-0.45, 0.0))  # fmt: skip
    return (Patch(bell), Patch(_oval(0, -0.72, 0.16, 0.24)))


def _acorn() -> Emblem:
    cup = Patch(_oval(0, -0.3, 0.68, 0.38))
    nut = ((-0.55, -0.1), (0.55, -0.1), (0.45, 0.45), (0.0, 0.95), (-0.45, 0.45))
    return (Patch(nut), _cut(-0.7, -0.12, 0.7, -0.04), cup, _box(-0.08, -0.98, 0.08, -0.5))


def _cut(left: float, top: float, right: float, bottom: float) -> Patch:
    return Patch(_box(left, top, right, bottom).points, ink=False)


def _thistle() -> Emblem:
    across = (-0.5, -0.25, 0, 0.25, 0.5)
    spikes = [Patch(((x - 0.12, 0.0), (x * 1.6, -0.95), (x + 0.12, 0.0))) for x in across]
    return (*spikes, Patch(_oval(0, 0.3, 0.55, 0.46)), _box(-0.08, 0.6, 0.08, 1.0))


def _sage() -> Emblem:
    leaves = [
        Patch(_oval(side * 0.42, y, 0.44, 0.2, side * -35))
        for y in (-0.45, 0.05, 0.5)
        for side in (-1, 1)
    ]
    return (*leaves, Patch(_oval(0, -0.75, 0.18, 0.26)), _box(-0.06, -0.7, 0.06, 1.0))


def _clubs() -> Emblem:
    return (
        *(Patch(_oval(x, y, 0.4, 0.4)) for x, y in ((0, -0.5), (-0.45, 0.15), (0.45, 0.15))),
        Patch(((-0.1, -0.1), (0.1, -0.1), (0.35, 0.95), (-0.35, 0.95))),
    )


def _spades() -> Emblem:
    turned = tuple((x, -y - 0.15) for x, y in _heart(0, 0, 0.82).points)
    return (Patch(turned), Patch(((-0.08, 0.2), (0.08, 0.2), (0.35, 0.95), (-0.35, 0.95))))


_DRAWN: Mapping[str, Callable[[], Emblem]] = {
    "chain": _chain,
    "crown": _crown,
    "heart": lambda: (_heart(),),
    "music": _music,
    "quill": _quill,
    "rattle": _rattle,
    "ring": _ring,
    "fog": _fog,
    "rose": _rose,
    "oak": _oak,
    "bluebell": _bluebell,
    "acorn": _acorn,
    "thistle": _thistle,
    "sage": _sage,
    "hearts": lambda: (_heart(),),
    "clubs": _clubs,
    "diamonds": lambda: (Patch(((0, -1), (0.7, 0), (0, 1), (-0.7, 0))),),
    "spades": _spades,
}


def emblems() -> dict[str, Emblem]:
    """Return the small pictures by their words: every trait, every suit, and fog."""
    return {word: draw() for word, draw in _DRAWN.items()}
