"""What the reader makes of what is found and read, frame by frame: each threshold on both sides.

What lies on the table is written by the tests: which keys a search finds, where each lies in the
next frame and how much of its print shows there, and what its hole says. Only the reader is real.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.data import load_keys
from assistant.vision import reader as reader_module
from assistant.vision.claim import Found
from assistant.vision.finding import PARTS, Finder, Search
from assistant.vision.geometry import Homography, Keyhole, keyholes_from_facts
from assistant.vision.glyph_bank import Match
from assistant.vision.hole import HoleReader, HoleReading
from assistant.vision.hole_evidence import HoleSigns
from assistant.vision.outline import Outline
from assistant.vision.profile import FACE_SHAPE, CardProfile, Face
from assistant.vision.reader import AGAIN_STEPS, GLANCE_EVERY, Reader
from assistant.vision.register import STEPS, Agreement, Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Picture, Reason, Side, Sighting
from assistant.vision.told import SURE_READS
from tests.assistant.vision.test_claim_decisions import at

HOLES = keyholes_from_facts(load_keys())
CHURCH, TAVERN = Content.icon(Feature.CHURCH), Content.icon(Feature.TAVERN)
A, B, C, D = list(Location)[:4]
#: Keys lie side by side, 5 px per mm.
APART = 250.0
SIZE = (400, 1100)


def even(level: int = 120) -> Picture:
    return np.full((*SIZE, 3), level, np.uint8)


def waved(number: int, picture: Picture | None = None) -> Picture:
    """Return a frame in which something moves where no key lies."""
    seen = (even() if picture is None else picture).copy()
    seen[355:, :200] = 30 + 60 * (number % 4)
    return seen


class Card(Template):
    """A face on the table: where it is followed to, or found again, and how much shows there."""

    def __init__(self, location: Location, side: Side = Side.BACK, number: int = 0) -> None:
        nothing = np.zeros(FACE_SHAPE, np.uint8)
        self.face = Face(location, side, nothing, nothing, 1)
        self.lies = at(10 + APART * number, 10)
        self.followed: tuple[Homography | None, float] = self.lies, 0.9
        self.again: tuple[Homography | None, float] = None, 0.0
        self.follows = 0
        #: The sizes of the part of the picture in which it was followed.
        self.looked_in: list[tuple[int, ...]] = []

    def found(self, words: float = 0.9) -> Found:
        return Found(self, self.lies, words)

    def follow(self, scene: Scene, homography: Homography) -> Homography | None:
        self.follows += 1
        self.looked_in.append(scene.grey(0).shape)
        return self.followed[0]

    def refine(
        self, scene: Scene, homography: Homography, steps: Sequence[int] = STEPS
    ) -> Homography | None:
        assert steps == AGAIN_STEPS
        return self.again[0]

    def agreement(self, scene: Scene, homography: Homography) -> Agreement:
        _, words = self.followed if homography is self.followed[0] else self.again
        return Agreement(0.9, words, 40, 50)


class Searches(Finder):
    """Finds what it is told to find, and remembers how it was asked."""

    def __init__(self, *keys: Found, unnamed: bool = False) -> None:
        self.keys, self.unnamed = keys, unnamed
        self.asked: list[str] = []

    def _answer(self, how: str, scene: Scene) -> Search:
        # What is looked for may lie anywhere.
        assert scene.grey(0).shape == SIZE
        self.asked.append(how)
        return Search(self.keys, self.unnamed)

    def search(self, scene: Scene) -> Search:
        return self._answer("all", scene)

    def glance(self, scene: Scene, known: Sequence[Found]) -> Search:
        return self._answer("glance", scene)

    def search_in_parts(self, scene: Scene, turn: int) -> Search:
        return self._answer(f"part {turn}", scene)


def says(
    content: Content | None, reason: Reason | None = None, off_mm: tuple[float, float] = (0.0, 0.0)
) -> HoleReading:
    sure = None if content is None else 0.93
    match = Match(content or CHURCH, 0.9, off_mm, 0, 1.0, 0.1)
    return HoleReading(content, sure, reason, Outline(4.0, (0.0, 0.0)), HoleSigns(), (match,))


class Says(HoleReader):
    """Says of each key's hole what it is told to say, and remembers which were looked into."""

    def __init__(self, says: dict[Location, HoleReading]) -> None:
        self.says = says
        self.read_of: list[Location] = []

    def read(self, picture: Picture, card_to_picture: Homography, keyhole: Keyhole) -> HoleReading:
        [location] = [place for place, hole in HOLES.items() if hole is keyhole]
        self.read_of.append(location)
        return self.says[location]


class Desk:
    """A reader of a made-up table."""

    def __init__(self, *keys: Found, live: bool = False, unnamed: bool = False) -> None:
        self.reader = Reader(CardProfile((), HOLES, ()), live)
        self.search = Searches(*keys, unnamed=unnamed)
        self.holes = Says({key.location: says(CHURCH) for key in keys})
        self.reader._finder, self.reader._holes = self.search, self.holes

    def still(self, picture: Picture | None = None) -> Sighting:
        return self.reader.read_still(even() if picture is None else picture)

    def look(self, picture: Picture | None = None) -> Sighting:
        return self.reader.look(even() if picture is None else picture)


# A single picture.


def test_a_reading_is_told_with_its_key_and_where_it_lies() -> None:
    sighting = Desk(Card(A).found()).still()
    assert sighting == Sighting(
        A, Side.BACK, ((10, 10), (230, 10), (230, 350), (10, 350)), CHURCH, 0.93
    )


@pytest.mark.parametrize(
    ("level", "bright_share", "reason"),
    [
        (34, 0, Reason.DARK),
        (36, 0, Reason.NO_KEY),
        (5, 0.08, Reason.DARK),
        (5, 0.14, Reason.NO_KEY),
    ],
)
def test_where_nothing_is_found_it_may_be_too_dark(
    level: int, bright_share: float, reason: Reason
) -> None:
    picture = even(level)
    picture[: round(SIZE[0] * bright_share)] = 200
    assert Desk().still(picture).reason is reason


def test_a_key_that_has_no_name_is_told_of_even_in_the_dark() -> None:
    assert Desk(unnamed=True).still(even(5)).reason is Reason.WHICH_KEY
    assert Desk(Card(A).found(), unnamed=True).still().content == CHURCH


def test_a_front_is_the_other_side_and_has_no_hole_to_read() -> None:
    desk = Desk(Card(A, Side.FRONT).found())
    sighting = desk.still()
    assert (sighting.location, sighting.side) == (A, Side.FRONT)
    assert (sighting.content, sighting.reason) == (None, Reason.OTHER_SIDE)
    assert desk.holes.read_of == []


def test_of_several_keys_a_stack_comes_first_then_a_back_then_the_surer() -> None:
    front = Card(A, Side.FRONT, 0).found(0.99)
    empty, sure, stack = Card(B, number=1), Card(C, number=2), Card(D, number=3)
    desk = Desk(front, empty.found(0.7), sure.found(0.8), stack.found(0.6))
    desk.holes.says |= {B: says(None, Reason.NO_CARD), C: says(None, Reason.COVERED)}
    first = desk.still()
    assert (first.location, first.content, first.others) == (D, CHURCH, 3)
    desk.search.keys = desk.search.keys[:3]
    assert (desk.still().location, desk.still().reason) == (C, Reason.COVERED)
    assert desk.still().others == 2
    desk.search.keys = (front,)
    assert (desk.still().location, desk.still().others) == (A, 0)


@pytest.mark.parametrize(
    ("hole", "is_asked"),
    [
        (says(BLANK), True),
        (says(CHURCH, off_mm=(1.2, 0.0)), False),
        (says(CHURCH, off_mm=(1.3, 0.0)), True),
        (says(CHURCH, off_mm=(-0.9, 0.9)), True),
        (says(CHURCH, off_mm=(-0.8, 0.8)), False),
        (says(Content.digit(1), off_mm=(0.0, 2.0)), True),
        (says(LADY, off_mm=(3.0, 0.0)), True),
        (says(LADY, off_mm=(0.0, 1.0)), False),
        (says(None, Reason.UNSURE, off_mm=(3.0, 0.0)), False),
    ],
    ids=[
        "blank",
        "in line",
        "off",
        "off aslant",
        "in line aslant",
        "digit",
        "lady",
        "lady in line",
        "nothing",
    ],
)
def test_a_blank_or_print_off_its_place_may_be_a_card_that_sticks_out(
    monkeypatch: pytest.MonkeyPatch, hole: HoleReading, is_asked: bool
) -> None:
    asked: list[bool] = []

    def sticks_out(_: Picture, pose: Homography) -> bool:
        asked.append(True)
        return sticks

    monkeypatch.setattr(reader_module, "sticks_out", sticks_out)
    desk = Desk(Card(A).found())
    desk.holes.says[A] = hole
    for sticks in (False, True):
        asked.clear()
        sighting = desk.still()
        assert bool(asked) is is_asked
        if is_asked and sticks:
            assert (sighting.content, sighting.reason) == (None, Reason.OUT_OF_LINE)
        else:
            assert (sighting.content, sighting.reason) == (hole.content, hole.reason)


# A stream in which nothing moves.


def test_a_frame_like_those_before_is_not_looked_at_when_four_have_claimed_the_same() -> None:
    desk = Desk(Card(A).found())
    # Two more frames are looked at for another stack; the hole is read four times.
    seen = [desk.look() for _ in range(GLANCE_EVERY + 1)]
    assert (SURE_READS, GLANCE_EVERY) == (4, 5)
    assert desk.look() is seen[-1]
    assert desk.look() is seen[-1]
    assert len(desk.holes.read_of) == SURE_READS
    assert desk.search.asked == ["all", "glance"]


def test_a_claim_that_changes_must_be_made_four_times_anew() -> None:
    desk = Desk(Card(A).found())
    for number in range(3):
        desk.look()
        desk.holes.says[A] = says(TAVERN if number == 1 else CHURCH)
    # Church, church, tavern, and now church again.
    for _ in range(4):
        assert desk.look().content == CHURCH
    assert len(desk.holes.read_of) == 7
    desk.look()
    assert len(desk.holes.read_of) == 7


@pytest.mark.parametrize(("apart", "is_looked_at"), [(6, False), (7, True)])
def test_a_patch_that_differs_by_more_than_noise_is_a_movement(
    apart: int, is_looked_at: bool
) -> None:
    card = Card(A)
    desk = Desk(card.found())
    for _ in range(GLANCE_EVERY + 1):
        desk.look()
    follows = card.follows
    moved = even()
    moved[368:384, 800:900] += np.uint8(apart)
    desk.look(moved)
    assert (card.follows > follows) is is_looked_at


def test_after_a_movement_the_table_is_looked_at_again_though_the_claim_is_the_same() -> None:
    card = Card(A)
    desk = Desk(card.found())
    for _ in range(8):
        desk.look()
    assert card.follows == GLANCE_EVERY
    for number in range(6):
        desk.look(waved(number))
    assert card.follows == GLANCE_EVERY + 6


@pytest.mark.parametrize("moves", range(2 * GLANCE_EVERY))
def test_a_stack_that_came_to_rest_is_found_though_the_frame_it_stopped_in_was_blurred(
    moves: int,
) -> None:
    old, new = Card(A), Card(B, number=1)
    desk = Desk(old.found())
    for _ in range(8):
        desk.look()
    for number in range(moves + 1):
        desk.look(waved(number))
    desk.search.keys = (old.found(), new.found())
    desk.holes.says[B] = says(CHURCH)
    told = [desk.look(waved(moves)) for _ in range(GLANCE_EVERY)]
    assert told[-1].location == B


def test_a_stack_that_came_to_rest_beside_another_is_found_though_nothing_moves_any_more() -> None:
    for moves in range(2 * GLANCE_EVERY):
        old, new = Card(A), Card(B, number=1)
        desk = Desk(old.found())
        for _ in range(8):
            desk.look()
        for number in range(moves):
            desk.look(waved(number))
        # It lies there from now on; one frame shows that something moved, the rest are alike.
        desk.search.keys = (old.found(), new.found())
        desk.holes.says[B] = says(CHURCH)
        told = [desk.look(waved(moves)) for _ in range(GLANCE_EVERY + 1)]
        assert told[-1].location == B, moves


# A hole in which nothing moves.


def hole_shaded(by: int, level: int = 120) -> Picture:
    """Return a picture in which the hole of the first key is a little lighter."""
    seen = even(level).copy()
    hole = HOLES[A]
    x, y = (round(10 + 5 * mm) for mm in (hole.centre_x_mm, hole.centre_y_mm))
    seen[y - 20 : y + 20, x - 20 : x + 20] += np.uint8(by)
    return seen


# What is noise in a hole is a share of its lightest part: in the dark print differs by less, too.
@pytest.mark.parametrize(
    ("level", "lighter", "is_read"),
    [(120, 10, False), (120, 14, True), (40, 3, False), (40, 6, True), (200, 17, False)],
)
def test_a_hole_that_looks_as_it_did_is_not_read_again_while_a_hand_moves_elsewhere(
    level: int, lighter: int, is_read: bool
) -> None:
    desk = Desk(Card(A).found())
    for number in range(SURE_READS + 2):
        assert desk.look(waved(number, even(level))).content == CHURCH
    assert len(desk.holes.read_of) == SURE_READS
    desk.holes.says[A] = says(TAVERN)
    seen = desk.look(waved(1, hole_shaded(lighter, level)))
    assert seen.content == (TAVERN if is_read else CHURCH)


def test_what_is_noise_is_told_by_the_paper_and_not_by_the_print_on_it() -> None:
    desk = Desk(Card(A).found())
    hole = HOLES[A]
    x, y = (round(10 + 5 * mm) for mm in (hole.centre_x_mm, hole.centre_y_mm))
    for number, lighter in enumerate([0] * (SURE_READS + 1) + [10]):
        picture = hole_shaded(lighter)
        picture[y - 8 : y + 8, x - 8 : x + 8] = 10
        desk.look(waved(number, picture))
    assert len(desk.holes.read_of) == SURE_READS


def test_a_hole_is_read_anew_when_its_key_was_out_of_view() -> None:
    card = Card(A)
    desk = Desk(card.found())
    for number in range(SURE_READS + 2):
        desk.look(waved(number))
    assert len(desk.holes.read_of) == SURE_READS
    desk.search.keys, card.followed = (), (None, 0.0)
    desk.look(waved(1))
    desk.search.keys, card.followed = (card.found(),), (card.lies, 0.9)
    desk.holes.says[A] = says(TAVERN)
    assert desk.look(waved(2)).content == TAVERN


def test_a_hole_read_otherwise_once_is_read_four_times_more() -> None:
    desk = Desk(Card(A).found())
    for number, content in enumerate((CHURCH, CHURCH, CHURCH, TAVERN, CHURCH, CHURCH)):
        desk.holes.says[A] = says(content)
        assert desk.look(waved(number)).content == content
    assert len(desk.holes.read_of) == 6
    for number in range(4):
        desk.look(waved(number))
    assert len(desk.holes.read_of) == 8


def test_a_hole_that_cannot_be_read_is_told_so_as_long_as_it_is_the_same() -> None:
    desk = Desk(Card(A).found())
    desk.holes.says[A] = says(None, Reason.COVERED)
    for number in range(SURE_READS + 3):
        assert desk.look(waved(number)).reason is Reason.COVERED
    assert len(desk.holes.read_of) == SURE_READS


def test_another_key_at_the_same_place_is_read_for_itself() -> None:
    first = Card(A)
    desk = Desk(first.found())
    for number in range(SURE_READS + 1):
        desk.look(waved(number))
    first.followed = None, 0.0
    desk.search.keys = (Card(B).found(),)
    desk.holes.says[B] = says(TAVERN)
    sighting = desk.look(waved(1))
    assert (sighting.location, sighting.content) == (B, TAVERN)


# Keys that are followed.


def looked_twice(card: Card, words: float) -> Sighting:
    """Return what is told of a key that was found with such words, one frame later."""
    desk = Desk(card.found(words))
    desk.look(waved(0))
    desk.search.keys = ()
    return desk.look(waved(1))


MOVED, FOUND_AGAIN = at(30, 20), at(50, 30)


@pytest.mark.parametrize(
    ("words", "followed", "again", "corner"),
    [
        (0.9, 0.83, 0.0, (30, 20)),
        (0.9, 0.82, 0.73, (50, 30)),
        (0.9, 0.82, 0.71, None),
        (0.7, 0.95, 0.0, (30, 20)),
        (0.56, 0.55, 0.0, (30, 20)),
        (0.56, 0.54, 0.0, None),
        (0.6, 0.55, 0.56, (50, 30)),
        (0.6, 0.55, 0.54, None),
    ],
    ids=[
        "shows nearly as much",
        "is found again",
        "shows too little there, too",
        "shows more",
        "shows just enough",
        "shows too little",
        "shows just enough again",
        "shows too little again",
    ],
)
def test_a_key_is_followed_while_it_shows_nearly_as_much_as_it_did(
    words: float, followed: float, again: float, corner: tuple[int, int] | None
) -> None:
    card = Card(A)
    card.followed, card.again = (MOVED, followed), (FOUND_AGAIN, again)
    sighting = looked_twice(card, words)
    assert sighting.corners is None or sighting.corners[0] == corner
    assert sighting.found is (corner is not None)


def test_a_key_is_measured_by_the_most_that_it_ever_showed() -> None:
    card = Card(A)
    desk = Desk(card.found(0.7))
    desk.look(waved(0))
    desk.search.keys = ()
    for number, (words, found) in enumerate([(0.9, True), (0.83, True), (0.82, False)]):
        card.followed = at(20 + number, 20), words
        assert desk.look(waved(number + 1)).found is found


@pytest.mark.parametrize("pose", [None, at(300, 10) @ np.diag([-1.0, 1, 1])])
def test_a_key_that_ran_away_or_turned_inside_out_is_gone(pose: Homography | None) -> None:
    card = Card(A)
    card.followed = pose, 0.99
    assert not looked_twice(card, 0.9).found


# Looking for others.


def test_a_stream_waits_for_the_whole_search_unless_it_is_said_to_be_live() -> None:
    for live, asked in ((False, "all"), (True, "part 1")):
        desk = Desk()
        profile = CardProfile((), HOLES, ())
        desk.reader = Reader(profile, live) if live else Reader(profile)
        desk.reader._finder = desk.search
        desk.look()
        assert desk.search.asked == [asked]


def test_while_a_back_is_in_view_others_are_looked_for_every_fifth_frame() -> None:
    desk = Desk(Card(A).found())
    for number in range(1, 12):
        desk.look(waved(number))
        expected = ["all"] + ["glance"] * (number // 5)
        assert desk.search.asked == expected, number


def test_between_glances_only_what_lies_about_the_keys_is_looked_at() -> None:
    card = Card(A)
    desk = Desk(card.found())
    for number in range(1, 11):
        desk.look(waved(number))
    # It was found in the first frame; in the fifth and the tenth all of the picture is needed.
    assert [size == SIZE for size in card.looked_in] == [
        False, False, False, True, False, False, False, False, True,
    ]  # fmt: skip
    front = Card(B, Side.FRONT)
    desk = Desk(front.found())
    for number in range(3):
        desk.look(waved(number))
    assert front.looked_in == [SIZE, SIZE]


def test_without_a_back_every_frame_is_searched() -> None:
    desk = Desk(Card(A, Side.FRONT).found())
    for number in range(3):
        assert desk.look(waved(number)).reason is Reason.OTHER_SIDE
    assert desk.search.asked == ["all"] * 3


def test_a_bare_table_is_believed_when_each_part_of_the_search_had_its_turn() -> None:
    desk = Desk(live=True)
    told = [desk.look() for _ in range(PARTS + 8)]
    # The last of all parts is the first of four frames that claim the same.
    asked = PARTS + SURE_READS - 1
    assert desk.search.asked == [f"part {turn + 1}" for turn in range(asked)]
    assert {sighting.reason for sighting in told} == {Reason.NO_KEY}
    desk.look(waved(1))
    assert desk.search.asked[-1] == f"part {asked + 1}"
    # After a movement all parts must have their turn again.
    for _ in range(PARTS + 8):
        desk.look(waved(1))
    assert len(desk.search.asked) == 2 * asked


def test_a_back_that_one_part_of_the_search_cannot_name_is_told_until_all_had_their_turn() -> None:
    desk = Desk(live=True)
    desk.search.unnamed = True
    assert desk.look(waved(0)).reason is Reason.WHICH_KEY
    desk.search.unnamed = False
    told = [desk.look(waved(number)).reason for number in range(1, PARTS + 3)]
    assert told == [Reason.WHICH_KEY] * (PARTS - 1) + [Reason.NO_KEY] * 3


def test_a_stack_that_a_part_of_the_search_finds_is_read_in_the_next_frame() -> None:
    desk, card = Desk(live=True), Card(A)
    desk.look()
    desk.search.keys = (card.found(),)
    desk.holes.says[A] = says(CHURCH)
    # To find and to read in one frame would make a live picture late.
    assert desk.look().reason is Reason.NO_KEY
    assert desk.holes.read_of == []
    assert desk.look().content == CHURCH
    for _ in range(6):
        desk.look()
    assert len(desk.holes.read_of) == SURE_READS
    # It counts at once, though parts of the search have not had their turn; and a glance has its.
    assert card.follows == GLANCE_EVERY
    assert desk.search.asked == ["part 1", "part 2", "glance"]


def test_a_stack_found_when_a_bare_table_was_believed_is_not_forgotten_though_nothing_moves() -> (
    None
):
    desk = Desk(live=True)
    for _ in range(PARTS + SURE_READS - 2):
        desk.look()
    desk.search.keys = (Card(A).found(),)
    desk.holes.says[A] = says(CHURCH)
    assert [desk.look().content for _ in range(4)] == [None, CHURCH, CHURCH, CHURCH]


def test_a_stack_that_a_live_glance_finds_is_told_from_the_next_frame_on() -> None:
    desk, new, front = Desk(live=True), Card(B, number=1), Card(C, Side.FRONT, number=2)
    desk.search.keys = (Card(A).found(),)
    desk.holes.says |= {A: says(CHURCH), B: says(TAVERN)}
    for number in range(GLANCE_EVERY):
        desk.look(waved(number))
    desk.holes.read_of.clear()
    desk.search.keys = (new.found(), front.found())
    sighting = desk.look(waved(GLANCE_EVERY))
    assert (sighting.location, sighting.content, sighting.others) == (A, CHURCH, 0)
    assert B not in desk.holes.read_of
    sighting = desk.look(waved(GLANCE_EVERY + 1))
    assert (sighting.location, sighting.content, sighting.others) == (B, TAVERN, 2)


def test_a_stack_that_is_lost_and_found_again_in_every_live_frame_is_read_in_each() -> None:
    desk, card = Desk(live=True), Card(A)
    card.followed = card.again = None, 0.0
    desk.search.keys = (card.found(),)
    desk.holes.says[A] = says(CHURCH)
    told = [desk.look(waved(number)).content for number in range(4)]
    assert told == [None, CHURCH, CHURCH, CHURCH]


def test_nor_is_it_new_when_only_some_parts_of_the_search_find_it_again() -> None:
    desk, card = Desk(live=True), Card(A)
    card.followed = card.again = None, 0.0
    desk.holes.says[A] = says(CHURCH)
    told = []
    for number in range(2 * PARTS):
        desk.search.keys = (card.found(),) if number % 2 else ()
        told.append(desk.look(waved(number)).content)
    assert told == [None, None] + [None, CHURCH] * (PARTS - 1)
    # After all parts had their turn without it, it is.
    desk.search.keys = ()
    for number in range(PARTS):
        desk.look(waved(number))
    desk.search.keys = (card.found(),)
    assert [desk.look(waved(number)).content for number in (0, 1)] == [None, CHURCH]


#: How a table lies before a camera that is tilted by some 30 degrees.
TILTED = np.array([[1.0, 0.1, 20], [0.0, 1.0, 40], [0.0, 0.0008, 1.0]])


@pytest.mark.parametrize("tilt", [np.eye(3), TILTED], ids=["from above", "tilted"])
@pytest.mark.parametrize(
    ("live", "step_px", "glances"), [(True, 1, 2), (True, 5, 0), (False, 5, 2)]
)
def test_beside_a_key_that_is_being_moved_a_live_picture_is_not_searched(
    live: bool, step_px: int, glances: int, tilt: Homography
) -> None:
    # 5 px a mm: 1 px is how a key at rest wavers, 5 px in a frame are a push.
    card = Card(A)
    card.lies = tilt @ at(10, 10)
    desk = Desk(live=live)
    desk.search.keys = (card.found(),)
    desk.holes.says[A] = says(CHURCH)
    for number in range(11):
        card.followed = tilt @ at(10 + step_px * number, 10), 0.9
        desk.look(waved(number))
    assert desk.search.asked.count("glance") == glances


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("pushed", range(1, 10))
def test_what_was_laid_beside_a_key_that_was_pushed_is_told_though_the_picture_rests(
    live: bool, pushed: int
) -> None:
    card, new = Card(A), Card(B, number=1)
    desk = Desk(live=live)
    desk.search.keys = (card.found(),)
    desk.holes.says |= {A: says(CHURCH), B: says(TAVERN)}
    for number in range(pushed):
        card.followed = at(10 + 5 * number, 10), 0.9
        desk.look(waved(number))
    desk.search.keys = (new.found(),)
    told = [desk.look(waved(pushed)).location for _ in range(2 * GLANCE_EVERY)]
    assert told[-1] is B


def test_a_key_that_is_found_where_one_lies_already_is_not_another() -> None:
    desk = Desk(Card(A).found())
    desk.holes.says[B] = says(TAVERN)
    for number in range(1, 5):
        desk.look(waved(number))
    twin = Card(B)
    twin.lies = at(40, 30)
    desk.search.keys = (twin.found(),)
    sighting = desk.look(waved(5))
    assert desk.search.asked[-1] == "glance"
    assert (sighting.location, sighting.others) == (A, 0)


def test_of_several_the_newest_that_can_be_read_is_told() -> None:
    desk = Desk(Card(A).found())
    for number in range(1, 5):
        desk.look(waved(number))
    desk.search.keys = (Card(B, number=1).found(), Card(C, number=2).found())
    desk.holes.says |= {B: says(None, Reason.COVERED), C: says(TAVERN)}
    desk.holes.read_of.clear()
    sighting = desk.look(waved(5))
    assert (sighting.location, sighting.content, sighting.others) == (C, TAVERN, 2)
    # Those behind the one that is told need not be read.
    assert desk.holes.read_of == [B, C]


def test_three_keys_are_followed_and_backs_before_fronts() -> None:
    front, cards = Card(A, Side.FRONT), [Card(place, number=n) for n, place in enumerate((B, C, D))]
    desk = Desk(front.found(), *(card.found() for card in cards))
    desk.look(waved(0))
    desk.look(waved(1))
    assert [card.follows for card in cards] == [1, 1, 1]
    assert front.follows == 0
    desk = Desk(front.found(), cards[0].found())
    assert desk.look(waved(0)).location is B
    desk.look(waved(1))
    assert front.follows == 1


def test_where_no_stack_can_be_read_the_first_back_tells_why() -> None:
    desk = Desk(Card(A, Side.FRONT).found(), Card(B, number=1).found())
    desk.holes.says[B] = says(None, Reason.GLARE)
    sighting = desk.look()
    assert (sighting.location, sighting.reason, sighting.others) == (B, Reason.GLARE, 1)


# The hole reaches from 4.6 mm left of its middle to 4.6 mm right of it, and from 4.6 mm above to
# 9.5 mm below; its surroundings of 12 x 16 mm belong to its look. Where a change lies in px from
# the middle, 5 a mm, how large it is, and whether it is one of the hole.
@pytest.mark.parametrize(
    ("left", "top", "wide", "high", "is_read"),
    [
        (33, 0, 20, 20, False),
        (-60, 0, 20, 20, False),
        (-39, 0, 6, 20, False),
        (-10, 62, 20, 20, False),
        (-10, -60, 20, 20, False),
        (10, 30, 20, 20, True),
        (19, -5, 4, 10, True),
        (-23, -5, 4, 10, True),
        (-5, -23, 10, 4, True),
        (-5, 41, 10, 6, True),
    ],
)
def test_what_is_compared_of_a_hole_is_its_place_on_the_key(
    left: int, top: int, wide: int, high: int, is_read: bool
) -> None:
    hole = HOLES[A]
    x, y = (round(10 + 5 * mm) for mm in (hole.centre_x_mm, hole.centre_y_mm))
    desk = Desk(Card(A).found())
    for number in range(SURE_READS + 1):
        desk.look(waved(number))
    assert len(desk.holes.read_of) == SURE_READS
    changed = even()
    changed[y + top : y + top + high, x + left : x + left + wide] = 220
    desk.look(waved(SURE_READS + 1, changed))
    assert len(desk.holes.read_of) == SURE_READS + is_read
