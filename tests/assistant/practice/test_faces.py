"""The drawn sides of the cards against the measured places of the printed keys."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Feature, Location
from assistant.data import load_board, load_keys
from assistant.practice.deck import PracticeDeck
from assistant.practice.faces import (
    Face,
    key_back,
    key_front,
    keyhole_outline,
    keyholes,
    rendezvous_face,
    stealth_face,
    youth_face,
)
from assistant.practice.ink import inked
from assistant.practice.marks import Fill, Mark, Words, placed
from assistant.practice.shapes import ICONS, LADY, ORNAMENT

PX_PER_MM = 8.0
DECK = PracticeDeck(load_board(), 1)
EVERY_PLACE = pytest.mark.parametrize("place", Location, ids=lambda place: place.name.lower())

Ink = npt.NDArray[np.bool_]


def dark(marks: tuple[Mark, ...], size_mm: tuple[float, float] = (44, 68)) -> Ink:
    picture = inked(marks, size_mm, PX_PER_MM, (255, 255, 255))
    return np.asarray(picture.max(axis=2) < 90)


def disc(place: Location, radius_mm: float) -> Ink:
    hole = keyholes()[place]
    rows, columns = np.mgrid[0 : 68 * PX_PER_MM, 0 : 44 * PX_PER_MM] / PX_PER_MM
    return np.asarray(np.hypot(columns - hole.centre_x_mm, rows - hole.centre_y_mm) < radius_mm)


def hole(place: Location) -> Ink:
    mask = keyholes()[place].mask(0, 0, (round(68 * PX_PER_MM), round(44 * PX_PER_MM)), PX_PER_MM)
    return mask > 127


@EVERY_PLACE
def test_back_has_no_ink_where_its_keyhole_is_cut(place: Location) -> None:
    around = cv2.dilate(hole(place).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    back = dark(key_back(place))
    assert back.sum() > 5000
    assert not (back & around).any()


@EVERY_PLACE
def test_back_prints_the_lines_of_the_key_in_order_within_the_card(place: Location) -> None:
    words = [mark for mark in key_back(place) if isinstance(mark, Words)]
    assert [mark.text for mark in words] == load_keys()["keys"][place.value]["back_text"]
    assert [mark.baseline_mm for mark in words] == sorted(mark.baseline_mm for mark in words)
    back = dark(key_back(place))
    margin = round(1.5 * PX_PER_MM)
    assert not back[:, :margin].any()
    assert not back[:, -margin:].any()


def test_ornament_is_the_same_shape_the_same_way_up_on_every_back() -> None:
    shapes = set()
    for place in Location:
        fills = [mark for mark in key_back(place) if isinstance(mark, Fill)]
        points = np.concatenate([np.array(fill.points) for fill in fills])
        shapes.add(np.round(points - points[0], 6).tobytes())
    assert len(shapes) == 1


def test_ornament_is_one_solid_shape_that_tells_which_way_is_up() -> None:
    ink = dark(placed(ORNAMENT, (10, 5), 16), (20, 10))
    parts, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    assert parts == 2
    assert stats[1, cv2.CC_STAT_AREA] > 25 * PX_PER_MM**2
    turned = ink[::-1, ::-1]
    both = (ink & turned).sum() / (ink | turned).sum()
    assert both < 0.6


@EVERY_PLACE
def test_front_has_its_icons_at_the_measured_places(place: Location) -> None:
    front = dark(key_front(place))
    for icon in load_keys()["keys"][place.value]["icons"]:
        x, y = icon["centre_mm"]
        half = 5.0
        rows = slice(round((y - half) * PX_PER_MM), round((y + half) * PX_PER_MM))
        columns = slice(round((x - half) * PX_PER_MM), round((x + half) * PX_PER_MM))
        inside = np.argwhere(front[rows, columns]) / PX_PER_MM
        extent = np.ptp(inside, axis=0)
        assert extent.max() == pytest.approx(9.0, abs=0.8)
        middle = (inside.max(axis=0) + inside.min(axis=0)) / 2
        assert middle == pytest.approx([half, half], abs=0.4)


@EVERY_PLACE
@pytest.mark.parametrize(
    "face",
    [youth_face(DECK.youth[Location.CORNHILL]), rendezvous_face(DECK.rendezvous[Feature.CHURCH])],
    ids=["icons", "numbers"],
)
def test_icon_or_number_lies_whole_in_the_circle_of_its_keyhole(
    place: Location, face: Face
) -> None:
    ink = dark(face)
    whole = (ink & disc(place, 5.0)).sum()
    assert whole > 6 * PX_PER_MM**2
    assert (ink & disc(place, 4.5)).sum() > 0.97 * whole


@EVERY_PLACE
def test_lady_shows_in_one_keyhole_and_the_other_holes_see_bare_paper(place: Location) -> None:
    ink = dark(stealth_face(DECK.stealth[place]))
    seen = {other: (ink & disc(other, 4.5)).sum() / PX_PER_MM**2 for other in Location}
    assert seen.pop(place) > 20
    assert max(seen.values()) == 0
    rows, columns = np.nonzero(ink & disc(place, 9.0))
    assert np.ptp(rows) / PX_PER_MM == pytest.approx(9.7, abs=0.5)
    assert np.ptp(columns) / PX_PER_MM == pytest.approx(7.85, abs=0.6)


def test_icons_and_the_lady_differ_in_their_mass() -> None:
    shapes = {
        feature.value: dark(placed(shape, (5, 5), 9), (10, 10)) for feature, shape in ICONS.items()
    }
    shapes["lady"] = dark(placed(LADY, (5, 5), 9), (10, 10))
    for (a, one), (b, other) in combinations(shapes.items(), 2):
        alike = (one & other).sum() / (one | other).sum()
        assert alike < 0.72, f"{a} and {b} share {alike:.2f} of their ink"
        assert one.sum() > 15 * PX_PER_MM**2


@EVERY_PLACE
def test_line_to_cut_is_the_edge_of_the_measured_hole(place: Location) -> None:
    # cv2 fills a rim of half a pixel too much; at 20 px a mm that is small.
    fine = 20.0
    shape = round(68 * fine), round(44 * fine)
    drawn = np.zeros(shape, np.uint8)
    points = (np.array(keyhole_outline(keyholes()[place])) * fine - 0.5) * 16
    cv2.fillPoly(drawn, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA, 4)
    off = (drawn > 127) ^ (keyholes()[place].mask(0, 0, shape, fine) > 127)
    edge_mm = 45
    assert off.sum() / fine**2 < 0.03 * edge_mm
