"""The map of the play window: what stands where, which candidates are left, and why.

All lengths are shares of the map's width. Three layers of candidates, told apart by place, shape
and hatch as well as by colour, are the view's to draw; here are their shares and their words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.core.board import Point
from assistant.core.game import Game
from assistant.core.legality import moves_open
from assistant.core.outlook import MarkedPlace, marked, rendezvous_places
from assistant.core.settings import Expansion
from assistant.core.state import Inquiry, State
from assistant.core.terms import Colour, Feature, Location
from assistant.present.lights import Layer
from assistant.present.map_shapes import LabelSide, map_shapes
from assistant.present.words import counted, percent

#: The river as our own map draws it, in shares of width and height: between the places on its
#: banks, under London Bridge.
_RIVER: tuple[Point, ...] = (
    (-0.05, 0.87), (0.08, 0.80), (0.2, 0.735), (0.33, 0.715), (0.48, 0.735), (0.62, 0.775),
    (0.74, 0.80), (0.85, 0.81), (1.05, 0.83),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A place of the map with all that is known of it."""

    location: Location
    x: float
    y: float
    colour: Colour
    features: tuple[Feature, ...]
    side: LabelSide
    #: The share of each layer that may be here; a layer that may not is left out.
    shares: Mapping[Layer, float]
    #: The same, of the likeliest place's share, 0 to 1.
    levels: Mapping[Layer, float]
    #: What the bystander said and the number that showed here.
    said: Feature | None
    gave: int | None
    #: Where the arrow tokens point: neighbours with the icon that was said.
    arrows: tuple[Location, ...]
    is_reachable: bool
    why: tuple[str, ...]
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableMap:
    """The whole map; `layers` are those in play, `struck_out` places have no layer left."""

    height: float
    ring: float
    river: tuple[Point, ...]
    roads: tuple[tuple[Point, ...], ...]
    places: tuple[PlaceMark, ...]
    layers: tuple[Layer, ...]
    #: Those of which something was seen: before that every place is alike, and nothing is drawn.
    known: frozenset[Layer] = frozenset()
    pawn: Location | None = None
    poet: Location | None = None
    poet_path: tuple[Point, ...] = field(default=())

    def place_at(self, x: float, y: float) -> PlaceMark | None:
        """Return the place whose ring or surroundings hold a point, None where none does."""
        reach = (1.5 * self.ring) ** 2
        near = min(self.places, key=lambda place: (place.x - x) ** 2 + (place.y - y) ** 2)
        return near if (near.x - x) ** 2 + (near.y - y) ** 2 <= reach else None

    def place(self, location: Location) -> PlaceMark:
        """Return a place."""
        return next(place for place in self.places if place.location is location)


def table_map(state: State) -> TableMap:
    """Return the map of a state. Shows nothing that the player has not seen or concluded."""
    board, game = state.board, state.game
    shapes = map_shapes(board, {}, ())
    layers = layers_in_play(state)
    shares = {layer: layer_shares(state, layer) for layer in layers}
    most = {layer: max(found.values(), default=1.0) or 1.0 for layer, found in shares.items()}
    open_moves = frozenset(moves_open(game))
    places = []
    for ring in shapes.rings:
        here = ring.location
        mine = {layer: found[here] for layer, found in shares.items() if here in found}
        said = state.youth.value_at(here)
        places.append(
            PlaceMark(
                location=here,
                x=ring.x,
                y=ring.y,
                colour=ring.colour,
                features=tuple(f for f in Feature if f in board.features(here)),
                side=ring.side,
                shares=mine,
                levels={layer: share / most[layer] for layer, share in mine.items()},
                said=said,
                gave=state.rendezvous.value_at(here),
                arrows=() if said is None else tuple(
                    n for n in board.neighbours(here) if said in board.features(n)
                ),
                is_reachable=here in open_moves,
                why=tuple(why_lines(state, here)),
                tokens=_tokens(game, here),
            )
        )  # fmt: skip
    return TableMap(
        height=shapes.height,
        ring=board.ring_outer_over_width,
        river=tuple((x, y * shapes.height) for x, y in _RIVER),
        roads=shapes.roads,
        places=tuple(places),
        layers=layers,
        known=_known(state),
        pawn=game.pawn,
        poet=game.poet,
        poet_path=_poet_path(state),
    )


def layers_in_play(state: State) -> tuple[Layer, ...]:
    """Return the layers worth showing: what is in play, or what was read all the same."""
    chosen, alone = state.started.expansions, not state.game.tracked
    layers = []
    if Expansion.YOUTH in chosen or state.youth.answers or alone:
        layers.append(Layer.YOUTH)
    if Expansion.RENDEZVOUS in chosen or state.rendezvous.answers or alone:
        layers.append(Layer.RENDEZVOUS)
    if state.game.tracked:
        layers.append(Layer.LADY)
    return tuple(layers)


def layer_shares(state: State, layer: Layer) -> dict[Location, float]:
    """Return the share of each place that a layer leaves; the others are left out."""
    if layer is Layer.YOUTH:
        return dict(state.youth.weights)
    if layer is Layer.LADY:
        return dict(state.lady)
    return rendezvous_places(state.board, state.rendezvous.weights)


def _known(state: State) -> frozenset[Layer]:
    """Return the layers of which something was seen."""
    seen = {
        Layer.YOUTH: bool(state.youth.answers),
        Layer.RENDEZVOUS: bool(state.rendezvous.answers),
        Layer.LADY: state.game.tracked and bool(state.game.evidence),
    }
    return frozenset(layer for layer, was_seen in seen.items() if was_seen)


def why_lines(state: State, place: Location) -> list[str]:
    """Return why a place is in or out, a line for each thing."""
    lines = []
    layers = layers_in_play(state)
    if Layer.YOUTH in layers:
        lines.append(_why_youth(state.youth, place))
    if Layer.RENDEZVOUS in layers:
        lines += [_why_symbol(state.rendezvous, feature) for feature in Feature
                  if feature in state.board.features(place)]  # fmt: skip
    if Layer.LADY in layers:
        share = state.lady.get(place)
        if share:
            lines.append(f"The Lady may be here now: {percent(share)}.")
        elif state.lady:
            lines.append("The Lady is not here now.")
    game = state.game
    if game.pawn is not None and place is not game.pawn:
        lines.append(f"{counted(state.board.distance(game.pawn, place), 'road')} from your pawn.")
    lines += _marker_lines(game, place)
    return lines


def _why_youth(youth: Inquiry[Location, Feature], place: Location) -> str:
    out = youth.struck_out.get(place)
    if out is not None:
        return f"The Youth is not here: {out.location.value} said {out.value.value}."
    if not youth.answers:
        return "The Youth may be here; nobody was asked yet."
    return f"The Youth may be here: {percent(youth.weights[place])}. Every answer fits."


def _why_symbol(rendezvous: Inquiry[Feature, int], feature: Feature) -> str:
    name = feature.value.capitalize()
    out = rendezvous.struck_out.get(feature)
    if out is not None:
        return f"{name} is not the symbol: {out.location.value} gave {out.value}."
    return f"{name} may be the symbol: {percent(rendezvous.weights[feature])}."


def _marker_lines(game: Game, place: Location) -> list[str]:
    lines = []
    for name, marker in (("waypoint", game.deck.waypoint), ("tracer", game.deck.tracer)):
        found = marked(game, marker)
        if found is not None and found.location is place:
            lines.append(f"The {name}: {_marker_words(found)}.")
    return lines


def _marker_words(found: MarkedPlace) -> str:
    """Return when a marker's card comes up, and how long after it the slot that it marks."""
    if found.card_in is None:
        return f"what it marks is on top in {counted(found.updates, 'update')}"
    comes = f"its card comes up in {counted(found.card_in, 'update')}"
    later = found.updates - found.card_in
    return f"{comes}, what it marks {later} later" if later else f"{comes}, with what it marks"


def _tokens(game: Game, place: Location) -> tuple[str, ...]:
    tokens = []
    if game.deck.waypoint.location is place:
        tokens.append("waypoint")
    if game.deck.tracer.location is place:
        tokens.append("tracer")
    return tuple(tokens)


def _poet_path(state: State) -> tuple[Point, ...]:
    """Return the road that the Poet has just gone, from start to end; empty when he stayed."""
    path = state.game.poet_path
    if path is None:
        return ()
    try:
        road = state.board.road(*path)
    except ValueError:
        return ()  # he was put there, or a house rule sent him farther
    high = state.board.height_over_width
    points = tuple((x, y * high) for x, y in road.polyline)
    return points if road.a is path[0] else points[::-1]
