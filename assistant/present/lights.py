"""What each place's lights show: candidates in colours, the player and the Poet in motion.

Three layers, each with its colour: amber where the Fair Youth may be, azure where the rendezvous'
symbol may be, deep red where the Dark Lady may be. With three lights a place each layer has its
own light, in this order; with one light a chosen layer is shown, or the layers take turns.

The colours were chosen for eyes that see no red or no green as well (distances worked out for
each kind); colour is never the only cue, the light's place, its slot in time, or its motion is the
other. How likely a candidate is shows in three fixed steps of brightness, for amber and azure only.
The player's place fades to white and back every two seconds, the Poet's blinks blue twice in two
seconds. Nothing flashes more than three times a second (WCAG 2.3.1); with `still` nothing moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from assistant.core.outlook import rendezvous_places
from assistant.core.state import State
from assistant.core.terms import Location


class Paint(NamedTuple):
    """The duty of a light's red, green and blue, 0 to 255 each."""

    red: int
    green: int
    blue: int


OFF = Paint(0, 0, 0)
AMBER, AZURE, DEEP_RED = Paint(255, 110, 0), Paint(0, 120, 255), Paint(110, 0, 0)
WHITE, DEEP_BLUE = Paint(220, 220, 220), Paint(0, 0, 140)


class Layer(Enum):
    """What one light shows; the value is its name in settings and on the command line."""

    YOUTH = "youth"
    RENDEZVOUS = "rendezvous"
    LADY = "lady"


#: The order of three lights at a place.
LAYERS = (Layer.YOUTH, Layer.RENDEZVOUS, Layer.LADY)

COLOURS = {Layer.YOUTH: AMBER, Layer.RENDEZVOUS: AZURE, Layer.LADY: DEEP_RED}

#: Brightness of a candidate by its share of the likeliest one's: at least so much, so bright.
LEVELS = ((2 / 3, 1.0), (1 / 3, 0.6), (0.0, 0.25))

STEP_S = 0.2
SLOT_S = 0.8

#: How white the player's place is, step by step, and in which steps the Poet's is blue.
_FADE = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 0.8, 0.6, 0.4, 0.2)
_BLINK_STEPS = (0, 2)

#: Of full brightness, for a table at night.
NIGHT_SHARE = 0.25

#: The player and the Poet where nothing may move: on lights that are free, not brighter than this.
_STILL_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Look:
    """How the player wants the lights. `layer` None: the layers take turns (one light a place)."""

    per_place: int = 3
    layer: Layer | None = Layer.YOUTH
    still: bool = False
    night: bool = False

    def __post_init__(self) -> None:
        """Refuse anything but one or three lights a place."""
        if self.per_place not in (1, 3):
            raise ValueError(f"a place has one light or three, not {self.per_place}")


@dataclass(frozen=True, slots=True)
class LightStep:
    """What all places show for a while: for each, one paint per light."""

    places: Mapping[Location, tuple[Paint, ...]]
    duration_s: float


@dataclass(frozen=True, slots=True)
class LightLoop:
    """Steps shown one after the other for ever; one alone is steady. `share` of full brightness."""

    steps: tuple[LightStep, ...]
    share: float = 1.0


def light_loop(state: State, look: Look) -> LightLoop:
    """Return what the lights show for a state."""
    share = NIGHT_SHARE if look.night else 1.0
    levels = {layer: layer_levels(state, layer) for layer in LAYERS}
    if look.per_place == 1 and look.layer is None and not look.still:
        return LightLoop(_slots(state, levels), share)
    shown = LAYERS if look.per_place == 3 else (look.layer or Layer.YOUTH,)
    places = {
        place: tuple(_paint(layer, levels[layer].get(place, 0.0)) for layer in shown)
        for place in Location
    }
    pawn, poet = state.game.pawn, state.game.poet
    if look.still:
        return LightLoop((LightStep(_marked(places, pawn, poet), 1.0),), share)
    if pawn is None and poet is None:
        return LightLoop((LightStep(places, 1.0),), share)
    steps = tuple(
        LightStep(_moved(places, pawn, poet, number), STEP_S) for number in range(len(_FADE))
    )
    return LightLoop(steps, share)


def layer_levels(state: State, layer: Layer) -> dict[Location, float]:
    """Return how bright each candidate place of a layer is, 0 to 1; the others are left out."""
    if layer is Layer.YOUTH:
        return _levels(state.youth.weights)
    if layer is Layer.RENDEZVOUS:
        return _levels(rendezvous_places(state.board, state.rendezvous.weights))
    if not state.game.tracked:
        return {}  # without the pawn nobody knows what the searches were worth
    return dict.fromkeys(state.lady, 1.0)


def _levels(shares: Mapping[Location, float]) -> dict[Location, float]:
    most = max(shares.values(), default=0.0) or 1.0
    return {
        place: next(level for least, level in LEVELS if share / most >= least - 1e-9)
        for place, share in shares.items()
    }


def _paint(layer: Layer, level: float) -> Paint:
    return _mix(OFF, COLOURS[layer], level)


def _mix(start: Paint, end: Paint, share: float) -> Paint:
    return Paint(*(round(a + (b - a) * share) for a, b in zip(start, end, strict=True)))


def _moved(
    places: Mapping[Location, tuple[Paint, ...]],
    pawn: Location | None,
    poet: Location | None,
    number: int,
) -> dict[Location, tuple[Paint, ...]]:
    """Return a step of the motion: the player's place fades, the Poet's blinks over it."""
    moved = dict(places)
    if pawn is not None:
        moved[pawn] = tuple(_mix(paint, WHITE, _FADE[number]) for paint in moved[pawn])
    if poet is not None and number in _BLINK_STEPS:
        moved[poet] = (DEEP_BLUE,) * len(moved[poet])
    return moved


def _marked(
    places: Mapping[Location, tuple[Paint, ...]], pawn: Location | None, poet: Location | None
) -> dict[Location, tuple[Paint, ...]]:
    """Return the places with player and Poet on the lights that are free there."""
    marked = dict(places)
    for place, colour in ((poet, DEEP_BLUE), (pawn, WHITE)):
        if place is not None:
            faint = _mix(OFF, colour, _STILL_SHARE)
            marked[place] = tuple(faint if paint == OFF else paint for paint in places[place])
    return marked


def _slots(state: State, levels: Mapping[Layer, Mapping[Location, float]]) -> tuple[LightStep, ...]:
    """Return the turns: dark first, so that it can be told which is which, then each layer."""
    slots = [dict.fromkeys(Location, OFF)]
    slots += [
        {place: _paint(layer, levels[layer].get(place, 0.0)) for place in Location}
        for layer in LAYERS
        if layer is not Layer.LADY or levels[layer]
    ]
    for place, colour in ((state.game.pawn, WHITE), (state.game.poet, DEEP_BLUE)):
        if place is not None:
            slots.append({p: colour if p is place else OFF for p in Location})
    return tuple(LightStep({p: (paint,) for p, paint in slot.items()}, SLOT_S) for slot in slots)
