"""The map of the page, drawn once with an id for every part that the scrubber changes.

Three layers, told apart by place, shape and words as well as by colour: the Youth fills the inside
of a ring and stands in it as a percentage, the Lady is a broken circle around it, and what may be
the rendezvous is set in bold among the features under the name, the others struck through.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from assistant.core.state import State
from assistant.core.terms import Location
from assistant.present.lights import Layer
from assistant.present.page.labels import ROOM, Side, label_sides
from assistant.present.table_map import PlaceMark, TableMap, layer_shares, table_map
from assistant.present.words import percent

WIDTH = 1000
#: Above and below the printed map, for names at its edge.
_MARGIN = 34

_PLACES = tuple(Location)


def snapshot(state: State, layers: tuple[Layer, ...]) -> dict[str, Any]:
    """Return what the map shows of a state, as the script takes it; places by their numbers."""
    game = state.game
    return {
        "youth": _numbered(state, Layer.YOUTH, layers),
        "lady": _numbered(state, Layer.LADY, layers),
        "features": [f.value for f in state.rendezvous.candidates]
        if Layer.RENDEZVOUS in layers
        else None,
        "pawn": None if game.pawn is None else _PLACES.index(game.pawn),
        "poet": None if game.poet is None else _PLACES.index(game.poet),
        "notes": {number: note for number, note in enumerate(_notes(state)) if note},
    }


def _numbered(state: State, layer: Layer, layers: tuple[Layer, ...]) -> dict[int, str] | None:
    """Return the share of each place as [level of the likeliest, words]."""
    if layer not in layers:
        return None
    shares = layer_shares(state, layer)
    most = max(shares.values(), default=1.0) or 1.0
    return {
        _PLACES.index(place): f"{share / most:.2f} {percent(share)}"
        for place, share in shares.items()
    }


def _notes(state: State) -> list[str]:
    """Return for each place what was read there: "said church, gave 2, searched"."""
    found = []
    for place in _PLACES:
        said, gave = state.youth.value_at(place), state.rendezvous.value_at(place)
        here = [] if said is None else [f"said {said.value}"]
        here += [] if gave is None else [f"gave {gave}"]
        hits = {search.hit for search in state.searches if search.location is place}
        if hits:
            here.append("she was here" if True in hits else "searched")
        found.append(", ".join(here))
    return found


def map_svg(state: State, shown: Mapping[str, Any]) -> str:
    """Return the map of a state as an SVG element; `shown` is its snapshot."""
    shapes = table_map(state)
    high, wide = shapes.height * WIDTH, (1 + ROOM) * WIDTH
    sides = label_sides(shapes)
    # The window's map ends at its edge; here the river goes on to the edge of the paper.
    stream = (*shapes.river, (1.1 + ROOM, shapes.river[-1][1] + 0.02))
    river = " ".join(f"{x * WIDTH:.0f},{y * WIDTH:.0f}" for x, y in stream)
    parts = [
        f'<svg id="map" viewBox="0 {-_MARGIN} {wide:.0f} {high + 3.8 * _MARGIN:.0f}" role="img" '
        'aria-label="The map with what was still possible">',
        f'<rect class="paper" x="0" y="{-_MARGIN}" width="{wide:.0f}" '
        f'height="{high + 3.8 * _MARGIN:.0f}"/>',
        f'<polyline class="river-edge" points="{river}"/>',
        f'<polyline class="river" points="{river}"/>',
    ]
    for kind in ("road-edge", "road"):
        for road in shapes.roads:
            points = " ".join(f"{x * WIDTH:.1f},{y * WIDTH:.1f}" for x, y in road)
            parts.append(f'<polyline class="{kind}" points="{points}"/>')
    parts += [_place(mark, sides[mark.location], shapes.ring, shown) for mark in shapes.places]
    parts += [_token("poet", shapes, shown["poet"]), _token("pawn", shapes, shown["pawn"])]
    return "\n".join([*parts, "</svg>"])


def _place(mark: PlaceMark, side: Side, ring: float, shown: Mapping[str, Any]) -> str:
    number, radius = _PLACES.index(mark.location), ring * WIDTH
    x, y = mark.x * WIDTH, mark.y * WIDTH
    youth = _level(shown["youth"], number)
    lady = _level(shown["lady"], number)
    return (
        f'<g id="p{number}">'
        f'<circle class="lady" cx="{x:.1f}" cy="{y:.1f}" r="{radius + 7:.1f}" '
        f'style="opacity:{_seen(lady)}"/>'
        f'<circle class="ring {mark.colour.value}" cx="{x:.1f}" cy="{y:.1f}" r="{radius - 4:.1f}"/>'
        f'<circle class="youth" cx="{x:.1f}" cy="{y:.1f}" r="{radius - 13:.1f}" '
        f'style="opacity:{_seen(youth)}"/>'
        f'<text class="share" x="{x:.1f}" y="{y + 7:.1f}">{escape(youth[1])}</text>'
        f"{_label(mark, side, radius, shown, lady[1])}</g>"
    )


def _label(mark: PlaceMark, side: Side, radius: float, shown: Mapping[str, Any], lady: str) -> str:
    number, x, y = _PLACES.index(mark.location), mark.x * WIDTH, mark.y * WIDTH
    anchor, at = "middle", y + radius + 28
    if side is Side.ABOVE:
        at = y - radius - 62
    elif side is not Side.BELOW:
        at = y - 20
        anchor = "start" if side is Side.RIGHT else "end"
        x += radius + 16 if side is Side.RIGHT else -radius - 16
    features = " · ".join(
        f'<tspan class="{_standing(feature.value, shown)}" data-f="{feature.value}">'
        f"{feature.value}</tspan>"
        for feature in mark.features
    )
    rows = (
        ("name", 0, escape(mark.location.value)),
        ("features", 18, features),
        ("note-read", 35, escape(shown["notes"].get(number, ""))),
        ("note-lady", 52, f"Lady {escape(lady)}" if lady else ""),
    )
    return "".join(
        f'<text class="{kind}" text-anchor="{anchor}" x="{x:.1f}" y="{at + down:.1f}">'
        f"{words}</text>"
        for kind, down, words in rows
    )


def _standing(feature: str, shown: Mapping[str, Any]) -> str:
    if shown["features"] is None:
        return "open"
    return "may" if feature in shown["features"] else "out"


def _level(shares: Mapping[int, str] | None, number: int) -> tuple[float, str]:
    if shares is None or number not in shares:
        return 0.0, ""
    level, _, words = shares[number].partition(" ")
    return float(level), words


def _seen(level: tuple[float, str]) -> str:
    """Return how strongly a layer is drawn; whatever is possible can be seen."""
    return f"{0.2 + 0.8 * level[0]:.2f}" if level[1] else "0"


def _token(name: str, shapes: TableMap, number: int | None) -> str:
    """Return a pawn, at the upper right of its ring the player's, at the left the Poet's."""
    shape = (
        '<path d="M-13 20 Q-13 2 -5 -4 A11 11 0 1 1 5 -4 Q13 2 13 20 Z"/>'
        if name == "pawn"
        else '<path d="M0 -24 L15 -2 L0 20 L-15 -2 Z"/>'
    )
    side = 0.85 if name == "pawn" else -0.85
    spots = " ".join(
        f"{(mark.x + side * shapes.ring) * WIDTH:.0f},{(mark.y - 0.85 * shapes.ring) * WIDTH:.0f}"
        for mark in shapes.places
    )
    at = "" if number is None else f' transform="translate({spots.split()[number]})"'
    hidden = ' style="display:none"' if number is None else ""
    words = "your pawn" if name == "pawn" else "the Rival Poet"
    return (
        f'<g id="{name}" class="{name}" data-spots="{spots}"{at}{hidden}>'
        f"<title>{words}</title>{shape}</g>"
    )
