"""The lights tell what the map tells, for any eyes, and never flicker."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.events import (
    Event,
    Recorded,
    RendezvousSought,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.settings import Expansion
from assistant.core.state import State, fold
from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.present.lights import (
    AMBER,
    AZURE,
    DEEP_BLUE,
    DEEP_RED,
    OFF,
    WHITE,
    Layer,
    LightLoop,
    Look,
    Paint,
    layer_levels,
    light_loop,
)
from assistant.present.map_shapes import map_shapes

BOARD = load_board()

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


def state_of(*events: Event) -> State:
    return fold(BOARD, [Recorded(Seq(n), "", event) for n, event in enumerate(events, 1)])


def tracked(pawn: Location, poet: Location | None = None) -> SessionStarted:
    with_poet = {Expansion.ELUSIVE} if poet else set()
    return SessionStarted(frozenset({Expansion.YOUTH, *with_poet}), pawn=pawn, poet=poet)


asks = st.builds(YouthAsked, st.sampled_from(Location), st.sampled_from(Feature))
seeks = st.builds(RendezvousSought, st.sampled_from(Location), st.integers(1, 3))
events = st.lists(st.one_of(asks, seeks), max_size=6)


def lit(loop: LightLoop, light: int) -> set[Location]:
    [step] = loop.steps
    return {place for place, paints in step.places.items() if paints[light] != OFF}


@given(events)
def test_three_lights_show_exactly_what_the_map_shows(happened: list[Event]) -> None:
    state = state_of(*happened)
    loop = light_loop(state, Look(per_place=3))
    rings = map_shapes(BOARD, state.youth.weights, state.rendezvous.candidates).rings
    assert lit(loop, 0) == {ring.location for ring in rings if ring.share is not None}
    assert lit(loop, 1) == {ring.location for ring in rings if ring.may_meet}
    assert lit(loop, 2) == set()


@given(events, st.sampled_from([Layer.YOUTH, Layer.RENDEZVOUS]))
def test_one_light_shows_the_chosen_layer(happened: list[Event], layer: Layer) -> None:
    state = state_of(*happened)
    [one] = light_loop(state, Look(per_place=1, layer=layer)).steps
    [three] = light_loop(state, Look(per_place=3)).steps
    light = [Layer.YOUTH, Layer.RENDEZVOUS].index(layer)
    assert {p: paints[0] for p, paints in one.places.items()} == {
        p: paints[light] for p, paints in three.places.items()
    }


def test_the_first_answer_leaves_the_printed_candidates_in_amber() -> None:
    state = state_of(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    [step] = light_loop(state, Look()).steps
    for place in Location:
        hue = step.places[place][0]
        if place in state.youth.candidates:
            assert hue.red > hue.green > hue.blue == 0
        else:
            assert hue == OFF


def test_a_likelier_place_is_brighter_in_three_steps_only() -> None:
    state = state_of(*(RendezvousSought(Location.CORNHILL, n) for n in (1,)))
    levels = layer_levels(state, Layer.RENDEZVOUS)
    shares = {
        place: sum(state.rendezvous.weights.get(f, 0) for f in BOARD.features(place))
        for place in levels
    }
    for one, other in product(levels, levels):
        if shares[one] >= shares[other]:
            assert levels[one] >= levels[other]
    assert set(levels.values()) <= {0.25, 0.6, 1.0}
    assert max(levels.values()) == 1.0


def test_the_lady_is_deep_red_once_the_game_is_followed() -> None:
    state = state_of(tracked(Location.CORNHILL))
    look = Look(still=True)
    [step] = light_loop(state, look).steps
    where = {p for p in Location if step.places[p][2] == DEEP_RED}
    assert where == {place for place, share in state.lady.items() if share > 0}
    assert where


def test_a_contradiction_leaves_its_layer_dark() -> None:
    for first, second in product(Feature, Feature):
        state = state_of(
            YouthAsked(Location.CORNHILL, first), YouthAsked(Location.CLERKENWELL, second)
        )
        if state.youth.conflict:
            assert lit(light_loop(state, Look()), 0) == set()
            return
    pytest.fail("no two answers contradict each other")


def test_the_players_place_fades_to_white_and_back_every_two_seconds() -> None:
    loop = light_loop(state_of(tracked(Location.CORNHILL)), Look())
    assert sum(step.duration_s for step in loop.steps) == pytest.approx(2.0)
    seen = [step.places[Location.CORNHILL] for step in loop.steps]
    assert seen[5] == (WHITE,) * 3
    greens = [paints[2].green for paints in seen]
    assert greens[:6] == sorted(greens[:6])
    assert greens[5:] == sorted(greens[5:], reverse=True)


def test_the_poets_place_blinks_twice_in_two_seconds() -> None:
    state = state_of(tracked(Location.CORNHILL, Location.SOUTHWARK))
    loop = light_loop(state, Look())
    blue = [step.places[Location.SOUTHWARK] == (DEEP_BLUE,) * 3 for step in loop.steps]
    assert blue == [True, False, True] + [False] * 7


def test_where_nothing_may_move_player_and_poet_take_lights_that_are_free() -> None:
    start = tracked(Location.CORNHILL, Location.SOUTHWARK)
    answered = state_of(start, YouthAsked(Location.CLERKENWELL, Feature.CHURCH))
    levels = {layer: layer_levels(answered, layer) for layer in Layer}
    [step] = light_loop(answered, Look(still=True)).steps
    for place in Location:
        free = [place not in levels[layer] for layer in Layer]
        for is_free, paint in zip(free, step.places[place], strict=True):
            if is_free and place is Location.CORNHILL:
                assert paint == Paint(55, 55, 55)
            elif is_free and place is Location.SOUTHWARK:
                assert paint == Paint(0, 0, 35)
            else:
                assert (paint == OFF) == is_free
    assert any(Location.CORNHILL not in levels[layer] for layer in Layer)


def test_layers_take_turns_of_equal_length_with_a_dark_one_first() -> None:
    state = state_of(tracked(Location.CORNHILL, Location.SOUTHWARK))
    loop = light_loop(state, Look(per_place=1, layer=None))
    colours = [{paints[0] for paints in step.places.values()} - {OFF} for step in loop.steps]
    assert colours[0] == set()
    assert colours[1] == {AMBER}
    assert all(AZURE.blue >= paint.blue > paint.red == 0 for paint in colours[2])
    assert colours[3:] == [{DEEP_RED}, {WHITE}, {DEEP_BLUE}]
    assert {step.duration_s for step in loop.steps} == {0.8}


LOOKS = [
    Look(per_place=per_place, layer=layer, still=still)
    for per_place, layer, still in product((1, 3), (*Layer, None), (False, True))
]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("poet", [None, Location.CORNHILL, Location.SOUTHWARK])
def test_no_light_flashes_more_than_three_times_in_a_second(
    look: Look, poet: Location | None
) -> None:
    """WCAG 2.3.1: a flash is a pair of opposing changes of luminance by 10 % or more."""
    loop = light_loop(state_of(tracked(Location.CORNHILL, poet)), look)
    steps = loop.steps * 4
    for place, light in product(Location, range(look.per_place)):
        times, at_s = [], 0.0
        values = [luminance(step.places[place][light]) for step in steps]
        for step, (before, after) in zip(steps, pairwise(values), strict=False):
            at_s += step.duration_s
            if abs(after - before) >= 0.1:
                times.append(at_s)
        # Three flashes are six changes.
        assert max((within_a_second(times, start) for start in times), default=0) <= 6
        if look.still:
            assert not times


def within_a_second(times: Iterable[float], start: float) -> int:
    return sum(start <= at_s < start + 1.0 for at_s in times)


def luminance(paint: Paint) -> float:
    return (0.2126 * paint.red + 0.7152 * paint.green + 0.0722 * paint.blue) / 255


#: Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
EYES = {
    "normal": np.eye(3),
    "protan": np.array([
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deutan": np.array([
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritan": np.array([
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip


def oklab(linear_rgb: Vector) -> Vector:
    """Return a colour in OKLab (Ottosson 2020), where distance is what eyes see as difference."""
    cones = np.array([
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ])  # fmt: skip
    opponents = np.array([
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ])  # fmt: skip
    lab: Vector = opponents @ np.cbrt(cones @ np.clip(linear_rgb, 0, None))
    return lab


@pytest.mark.parametrize("eyes", EYES)
def test_any_two_colours_are_told_apart_by_any_eyes(eyes: str) -> None:
    """0.15 in OKLab is far apart; red and green are 0.023 apart without green cones."""
    seen = [
        oklab(EYES[eyes] @ (np.array(paint) / 255))
        for paint in (AMBER, AZURE, DEEP_RED, WHITE, DEEP_BLUE)
    ]
    for number, one in enumerate(seen):
        for other in seen[number + 1 :]:
            assert np.linalg.norm(one - other) >= 0.15


def test_at_night_a_quarter_of_the_light_is_left() -> None:
    assert light_loop(state_of(), Look(night=True)).share == 0.25
    assert light_loop(state_of(), Look()).share == 1.0


def test_two_lights_a_place_are_refused() -> None:
    with pytest.raises(ValueError, match="one light or three"):
        Look(per_place=2)
