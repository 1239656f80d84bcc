"""What must give no reading, laid by hand on the practice table: and the reason that is told.

The stacks beside the negatives on the same tables are read, so a reader that reads nothing at all
does not pass.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assistant.core.terms import Location
from assistant.data import load_board
from assistant.practice.clips import Clip
from assistant.practice.faces import LADY_HEIGHT_MM, Face, key_back, key_front, keyholes
from assistant.practice.handling import hole_on_table
from assistant.practice.hands import Hand, draw_hand
from assistant.practice.marks import placed
from assistant.practice.shapes import LADY
from assistant.practice.stage import Hardness
from assistant.session import Frame, MemoryLog, Session
from assistant.vision.reader import Reader
from assistant.vision.sighting import Picture, Reason, Side, Sighting
from tests.assistant.vision.laid_table import (
    Card,
    Ground,
    filmed,
    front_alone,
    key_alone,
    on_a_screen,
    stack,
    youth_stack,
)
from tests.assistant.vision.practice_profile import practice_profile, practice_table

PLACES = list(Location)
SOME = PLACES[::3]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(practice_profile())


def told(reader: Reader, picture: Picture) -> tuple[Location | None, Reason | None]:
    sighting = reader.read_still(picture)
    assert sighting.content is None, sighting
    return sighting.location, sighting.reason


@pytest.mark.parametrize("ground", list(Ground))
def test_stacks_on_these_tables_are_read(reader: Reader, ground: Ground) -> None:
    for place in SOME:
        hideout = PLACES[(PLACES.index(place) + 3) % len(PLACES)]
        sighting = reader.read_still(filmed(ground, [youth_stack(place, hideout)]))
        shows = practice_table().deck.youth[hideout].shows(place)
        assert (sighting.location, sighting.content) == (place, shows)


# --- no card in the hole ------------------------------------------------------------------------


@pytest.mark.parametrize("ground", [Ground.CLOTH, Ground.WOOD])
def test_a_key_alone_on_cloth_and_wood_lacks_a_card(reader: Reader, ground: Ground) -> None:
    for seed, place in enumerate(SOME):
        assert told(reader, filmed(ground, [key_alone(place)], seed=seed)) == (
            place,
            Reason.NO_CARD,
        )


def test_a_key_alone_on_the_board_is_not_read_through(reader: Reader) -> None:
    # The map shows in the hole, icons and all. That no card lies there is not always told: over a
    # pattern the hole's edge is not seen whole, and then no key is named.
    for seed, place in enumerate(PLACES):
        location, reason = told(reader, filmed(Ground.BOARD, [key_alone(place)], seed=seed))
        assert location in (place, None)
        assert reason in (Reason.NO_CARD, Reason.NO_KEY, Reason.UNLIKE)


@pytest.mark.parametrize("side", list(Side))
def test_a_key_laid_on_another_key_gives_no_reading(reader: Reader, side: Side) -> None:
    for seed, place in enumerate(SOME):
        other = PLACES[(PLACES.index(place) + 5) % len(PLACES)]
        face = key_front(other) if side is Side.FRONT else key_back(other)
        cards = [Card(face, (other, side)), key_alone(place)]
        told(reader, filmed(Ground.WOOD, cards, seed=seed))


# --- a finger, the other side, upside down -----------------------------------------------------


def finger_over(place: Location, seed: int, turn_deg: float = 12.0) -> Hand:
    """Return a hand whose finger ends 6 mm beyond the middle of a key's hole."""
    x, y = hole_on_table(place, Side.BACK, turn_deg)
    lots = np.random.default_rng(seed)
    towards = float(lots.uniform(0, 360))
    along = math.radians(towards)
    tip = x + 6.0 * math.cos(along), y + 6.0 * math.sin(along)
    return draw_hand(tip, towards, seed % 7, lots)


@pytest.mark.parametrize("ground", list(Ground))
def test_a_hole_under_a_finger_gives_no_reading(reader: Reader, ground: Ground) -> None:
    reasons = []
    for seed, place in enumerate(PLACES[::2]):
        picture = filmed(ground, [youth_stack(place, place)], [finger_over(place, seed)], seed=seed)
        location, reason = told(reader, picture)
        assert location in (place, None)
        reasons += [] if location is None else [reason]
    # Where so much of the key is left that it is known, most often the finger is what is told. On
    # the board a hidden hole leaves a key that is not taken for one.
    if ground is not Ground.BOARD:
        assert reasons.count(Reason.COVERED) >= max(1, len(reasons) // 3), reasons
    assert set(reasons) <= {Reason.COVERED, Reason.NO_CARD, Reason.UNSURE, Reason.UNLIKE}


@pytest.mark.parametrize("ground", [Ground.CLOTH, Ground.WOOD])
def test_a_front_with_its_hole_is_the_other_side(reader: Reader, ground: Ground) -> None:
    for place in SOME:
        assert told(reader, filmed(ground, [front_alone(place)])) == (place, Reason.OTHER_SIDE)


def upside_down(place: Location) -> Face:
    """Return a card's side with the Lady at a place, her head down."""
    hole = keyholes()[place]
    middle = hole.centre_x_mm, hole.centre_y_mm
    return tuple(
        replace(
            mark,
            points=tuple((2 * middle[0] - x, 2 * middle[1] - y) for x, y in mark.points),
        )
        for mark in placed(LADY, middle, LADY_HEIGHT_MM)
    )


def test_a_silhouette_that_lies_upside_down_is_like_nothing_known(reader: Reader) -> None:
    for seed, place in enumerate(PLACES):
        picture = filmed(Ground.CLOTH, [stack(place, upside_down(place))], seed=seed)
        location, reason = told(reader, picture)
        assert location is place
        assert reason in (Reason.UNLIKE, Reason.BLURRED)


# --- two keys -----------------------------------------------------------------------------------


def two(one: Card, other: Card) -> list[Card]:
    return [replace(one, x_mm=-45.0), replace(other, x_mm=45.0, turn_deg=200.0)]


def test_of_two_keys_without_cards_none_is_read_and_both_are_counted(reader: Reader) -> None:
    for seed, place in enumerate(SOME):
        other = PLACES[(PLACES.index(place) + 4) % len(PLACES)]
        picture = filmed(Ground.CLOTH, two(key_alone(place), key_alone(other)), seed=seed)
        sighting = reader.read_still(picture)
        assert (sighting.content, sighting.reason) == (None, Reason.NO_CARD)
        assert sighting.location in (place, other)
        assert sighting.others == 1


def test_of_a_key_and_a_stack_the_stack_is_told(reader: Reader) -> None:
    for seed, place in enumerate(SOME):
        other = PLACES[(PLACES.index(place) + 4) % len(PLACES)]
        cards = two(key_alone(place), youth_stack(other, place))
        sighting = reader.read_still(filmed(Ground.CLOTH, cards, seed=seed))
        shows = practice_table().deck.youth[place].shows(other)
        assert (sighting.location, sighting.content, sighting.others) == (other, shows, 1)


# --- not a table at all -------------------------------------------------------------------------


def test_a_mirrored_stream_gives_no_reading() -> None:
    clip = Clip(practice_table().deck, 3, Hardness.EASY, layings=1, size=(640, 480))
    session = Session(load_board(), Reader(practice_profile(), live=True), MemoryLog())
    for frame in clip.frames():
        mirrored = np.ascontiguousarray(frame.picture[:, ::-1])
        session.see(Frame(mirrored, frame.index, frame.time_s))
    assert len(clip.stacks) == 1
    assert session.readings == ()


def test_a_key_shown_on_a_screen_without_a_hole_cut_in_it_gives_no_reading(reader: Reader) -> None:
    # The sheet of a deck that is not cut out yet, on paper or on a screen: bare paper where the
    # hole will be, which must not be taken for a blank.
    for seed, place in enumerate(SOME):
        sheet = filmed(Ground.WOOD, [Card(key_back(place))], seed=seed)
        assert told(reader, sheet)[1] is Reason.UNSURE
        told(reader, on_a_screen(sheet, seed=seed))


def test_a_screen_that_shows_a_stack_never_shows_another(reader: Reader) -> None:
    # A camera cannot tell a good picture of a stack from the stack. What it may do is read it
    # right or not at all, through bezel, moire and a bluish glare.
    for seed, place in enumerate(SOME):
        hideout = PLACES[(PLACES.index(place) + 2) % len(PLACES)]
        shown = filmed(Ground.CLOTH, [youth_stack(place, hideout, turn_deg=70.0 * seed)], seed=seed)
        for bright in (0.8, 1.4):
            sighting = reader.read_still(on_a_screen(shown, seed=seed, bright=bright))
            shows = practice_table().deck.youth[hideout].shows(place)
            assert is_nothing_else(sighting, place, shows)


def is_nothing_else(sighting: Sighting, place: Location, shows: object) -> bool:
    if sighting.content is None:
        return True
    return (sighting.location, sighting.content) == (place, shows)
