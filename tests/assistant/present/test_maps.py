"""The map in the terminal and as shapes: places stand where they are printed, nothing is lost."""

from __future__ import annotations

import json
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.present.map_shapes import MapShapes, label_box, map_shapes
from assistant.present.terminal_map import HEIGHT, WIDTH, Style, terminal_map

BOARD = load_board()
ALL = dict.fromkeys(Location, 1 / 11)

#: The printed map's own file: an outside truth for where the places are and what they have.
PRINTED = json.loads(resources.files("assistant.data").joinpath("board.json").read_text("utf-8"))


def position(drawn: str, name: str) -> tuple[int, int]:
    """Return (row, column) of a name's middle."""
    for row, line in enumerate(drawn.splitlines()):
        found = re.search(re.escape(name), line, re.IGNORECASE)
        if found:
            return row, (found.start() + found.end()) // 2
    raise AssertionError(f"{name} is not on the map")


youths = st.dictionaries(st.sampled_from(Location), st.floats(0.001, 1.0))
features = st.frozensets(st.sampled_from(Feature))
styles = st.builds(Style, unicode=st.booleans(), colour=st.booleans())


@given(youths, features, st.frozensets(st.sampled_from(Location)), styles)
def test_whatever_is_known_the_map_fits_the_terminal_and_names_every_place(
    youth: dict[Location, float],
    rendezvous: frozenset[Feature],
    asked: frozenset[Location],
    style: Style,
) -> None:
    drawn = terminal_map(BOARD, youth, rendezvous, asked, style)
    plain = re.sub(r"\x1b\[\d+m", "", drawn)
    assert len(plain.splitlines()) <= HEIGHT
    assert max(map(len, plain.splitlines())) <= WIDTH
    for place in Location:
        assert place.value.upper() in plain.upper()
    for place in youth:
        assert place.value.upper() in plain
    assert plain.count("Youth") == len(youth)


def test_without_unicode_and_colour_the_map_is_plain_ascii() -> None:
    drawn = terminal_map(BOARD, ALL, list(Feature), list(Location), Style())
    assert drawn.isascii()
    assert "\x1b" not in drawn


def test_the_places_stand_to_each_other_as_on_the_printed_map() -> None:
    drawn = terminal_map(BOARD, {}, ())
    places = PRINTED["locations"]
    for one in places:
        for other in places:
            row, column = position(drawn, one["name"])
            other_row, other_column = position(drawn, other["name"])
            if one["y"] - other["y"] > 0.1:
                assert row > other_row
            if one["x"] - other["x"] > 0.15:
                assert column > other_column


def test_each_place_tells_only_the_features_that_are_printed_there() -> None:
    drawn = terminal_map(BOARD, {}, [Feature.TAVERN]).splitlines()
    told = [line for line in drawn if "tavern" in line]
    assert len(told) == sum("tavern" in place["features"] for place in PRINTED["locations"])


def test_a_place_that_was_asked_has_a_mark() -> None:
    drawn = terminal_map(BOARD, {}, (), [Location.CORNHILL], Style(unicode=True))
    assert "Cornhill ✓" in drawn
    assert drawn.count("✓") == 1


def shapes() -> MapShapes:
    return map_shapes(BOARD, {Location.CORNHILL: 0.4}, [Feature.CHURCH], [Location.SOUTHWARK])


def test_rings_lie_where_the_printed_map_has_them() -> None:
    printed = {place["name"]: (place["x"], place["y"]) for place in PRINTED["locations"]}
    drawn = shapes()
    for ring in drawn.rings:
        x, y = printed[ring.location.value]
        assert (ring.x, ring.y) == pytest.approx((x, y * drawn.height))
    assert len(drawn.rings) == 11
    assert len(drawn.roads) == 15


def test_a_ring_says_what_is_possible_there() -> None:
    rings = {ring.location: ring for ring in shapes().rings}
    assert rings[Location.CORNHILL].words == ("Youth 40 %",)
    assert rings[Location.SOUTHWARK].words == ("church",)
    assert rings[Location.EASTCHEAP].words == ()
    assert rings[Location.SOUTHWARK].may_meet
    assert not rings[Location.CORNHILL].may_meet
    assert [place for place, ring in rings.items() if ring.was_read] == [Location.SOUTHWARK]


def test_no_name_lies_on_another_ring_or_off_the_map() -> None:
    rings = shapes().rings
    for ring in rings:
        (left, top), (right, bottom) = label_box(ring.side, ring.x, ring.y, ring.radius)
        assert left >= 0
        assert right <= 1
        for other in rings:
            if other is not ring:
                # A name may touch a ring's edge but not run into what is written inside.
                near_x = min(max(other.x, left), right)
                near_y = min(max(other.y, top), bottom)
                apart = ((near_x - other.x) ** 2 + (near_y - other.y) ** 2) ** 0.5
                assert apart >= other.radius * 0.6, (ring.location, other.location)
