"""The order of a search, and what each step asks for: each threshold with a find on both sides.

What shows in the picture is written by the tests: which dark blobs each cut gives, how alike their
shades are, how well each comes to lie, and which key is then claimed. Only the search is real.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Location
from assistant.vision import finding
from assistant.vision.claim import LEAST_WORDS, LONE_WORDS, Found
from assistant.vision.finding import PARTS, Finder, Search
from assistant.vision.geometry import CARD_CORNERS_MM, project
from assistant.vision.identify import Guess, Identifier
from assistant.vision.ornament import OrnamentPose
from assistant.vision.scene import Scene
from assistant.vision.sighting import Picture, Side
from tests.assistant.vision.test_claim_decisions import Print, at

PLACES = list(Location)
#: The cuts by name: halvings and window, and whether by levels.
FIRST, THIRD, FOURTH = "first", "third", "fourth"
#: How far apart the tests' keys lie, px: no card covers the ornament of another.
APART = 400.0
#: How alike what words beside a fingertip propose is; of ornaments all are alike by 0.9.
HELD = 0.05


@dataclass(frozen=True, eq=False)
class Blob:
    """Something dark. `likeness` of its `exact` pose is None where it does not come to lie.

    It is seen in the middle of a card, `number` cards to the right.
    """

    number: int
    shades: float = 0.9
    exact: float | None = 0.95
    names: Location | None = None
    words: float = 0.9
    off_px: float = 0.0

    @property
    def x_px(self) -> float:
        return 110.0 + APART * self.number + self.off_px

    @property
    def y_px(self) -> float:
        return 170.0


@dataclass(frozen=True, eq=False)
class Quad:
    """An outline: how alike the likest face is, and what is claimed of it."""

    number: float
    likeness: float = 0.5
    names: Location | None = None
    side: Side = Side.FRONT
    words: float = 0.8


@dataclass
class Table(Identifier):
    """What there is to be seen, and a record of what was asked."""

    blobs: dict[str, Sequence[Blob]] = field(default_factory=dict)
    quads: Sequence[Quad] = ()
    held: Sequence[Quad] = ()
    templates: tuple[Print, ...] = tuple(Print(place) for place in Location)
    ornament: object = "ornament"  # type: ignore[assignment]  # never looked into
    asked: list[str] = field(default_factory=list)
    laid: list[int] = field(default_factory=list)
    compared: list[tuple[int, int]] = field(default_factory=list)
    outlined: list[int] = field(default_factory=list)
    held_tried: list[int] = field(default_factory=list)
    least: set[float] = field(default_factory=set)

    def blob_at(self, pose: OrnamentPose) -> Blob:
        every = [blob for some in self.blobs.values() for blob in some]
        [blob] = [one for one in every if abs(one.x_px - pose.x_px) < 0.01]
        return blob

    # What the search asks.

    def cut(self, grey: npt.NDArray[np.uint8], dark: object, model: object) -> list[OrnamentPose]:
        assert model == self.ornament
        assert isinstance(dark, str)
        self.asked.append(dark)
        # The first cut is made as red shows it; all but the third at half size.
        assert (int(grey[0, 0]) > 150) is (dark == FIRST)
        grown = 1 if dark == THIRD else 2
        assert grey.shape == (64 // grown, 128 // grown)
        return [
            OrnamentPose(
                blob.x_px / grown - 0.5, blob.y_px / grown - 0.5, np.eye(2) * 6 / grown, 0.0
            )
            for blob in self.blobs.get(dark, ())
        ]

    def ornament_likeness(
        self, grey: npt.NDArray[np.uint8], poses: Sequence[OrnamentPose]
    ) -> npt.NDArray[np.float32]:
        some = self.blobs[self.asked[-1]]
        return np.array([blob.shades for blob in some[: len(poses)]], np.float32)

    def exact_ornament(self, scene: Scene, pose: OrnamentPose) -> OrnamentPose | None:
        blob = self.blob_at(pose)
        assert pose.y_px == blob.y_px
        assert pose.likeness == pytest.approx(blob.shades)
        # At full size, whatever the size at which it was seen.
        assert np.allclose(pose.mm_to_px, np.eye(2) * 6)
        self.laid.append(blob.number)
        exact = blob.exact
        return None if exact is None else OrnamentPose(blob.x_px, 170.0, pose.mm_to_px, exact)

    def at_ornament(self, scene: Scene, pose: OrnamentPose) -> list[Guess]:
        blob = self.blob_at(pose)
        return [Guess(_Claim(blob.names, Side.BACK, blob.words), at(blob.x_px - 110, 0), 0.9)]

    def at_outline(self, scene: Scene, quad: npt.NDArray[np.float64]) -> list[Guess]:
        # The picture is looked at at half its size, and this one is told the size of the whole.
        [one] = [q for q in (*self.quads, *self.held) if np.allclose(quad, _corners(q))]
        claim = _Claim(one.names, one.side, one.words)
        return [Guess(claim, at(one.number * APART, 0), one.likeness)]

    def claim(self, _: Scene, guesses: Sequence[Guess], most: int, least: float) -> Found | None:
        self.least.add(least)
        [guess] = guesses
        number = round(guess.homography[0, 2] // APART)
        if guess.likeness == 0.9:
            self.compared.append((number, most))
        elif guess.likeness == HELD:
            # Which way up its words lie may not be clear.
            assert most == 2
            self.held_tried.append(number)
        else:
            assert most == 1
            self.outlined.append(number)
        claim = guess.template
        assert isinstance(claim, _Claim)
        return Found(claim, guess.homography, claim.shown) if claim.is_named else None


class _Claim(Print):
    """A face that is claimed, or not."""

    def __init__(self, names: Location | None, side: Side, words: float) -> None:
        super().__init__(names or Location.CORNHILL, side)
        self.is_named, self.shown = names is not None, words


def _corners(quad: Quad) -> npt.NDArray[np.float64]:
    return project(at(quad.number * APART, 0), CARD_CORNERS_MM)


SCENE = Scene(np.full((64, 128, 3), (0, 0, 200), np.uint8))
PALE = np.zeros((32, 64), np.uint8)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table()
    names = {(13, 0.65): FIRST, (21, 0.6): THIRD, (13, 15): FOURTH}

    def darker(grey: npt.NDArray[np.uint8], window_px: int, by: float) -> str:
        return names[window_px, by]

    monkeypatch.setattr(finding, "darker_than_paper", darker)
    monkeypatch.setattr(finding, "darker_than_around", darker)
    monkeypatch.setattr(finding, "find_ornaments", table.cut)
    monkeypatch.setattr(finding, "clearest", table.claim)

    def outlines(pale: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.float64]]:
        assert pale is PALE
        table.asked.append("outlines")
        return [_corners(quad) / 2 for quad in table.quads]

    class Held:
        def __init__(self, templates: Sequence[Print]) -> None:
            assert templates is table.templates

        def outlines(self, picture: Picture) -> list[npt.NDArray[np.float64]]:
            assert picture is SCENE.picture
            if table.templates:
                table.asked.append("held")
            return [_corners(quad) for quad in table.held]

    monkeypatch.setattr(finding, "HeldFinder", Held)
    monkeypatch.setattr(finding, "paleness_at_width", lambda _: (PALE, 2.0))
    monkeypatch.setattr(finding, "find_outlines", outlines)
    return table


def search(table: Table) -> Search:
    return Finder(table).search(SCENE)


def names(found: Search) -> list[Location]:
    return [key.location for key in found.keys]


STAGES = [FIRST, "outlines", THIRD, FOURTH]
#: And in a picture that does not move, last, the words beside fingertips.
ALL_STAGES = [*STAGES, "held"]


# The order of the search.


def test_a_bare_table_is_searched_in_every_way_and_holds_nothing(table: Table) -> None:
    assert search(table) == Search((), unnamed=False)
    assert table.asked == ALL_STAGES
    assert (table.laid, table.compared, table.outlined) == ([], [], [])


@pytest.mark.parametrize(("stage", "asked"), [(FIRST, 1), (THIRD, 3), (FOURTH, 4)])
def test_the_search_ends_with_the_first_cut_that_shows_a_back(
    table: Table, stage: str, asked: int
) -> None:
    table.blobs = {stage: [Blob(1, names=PLACES[3])]}
    assert names(search(table)) == [PLACES[3]]
    assert table.asked == ALL_STAGES[:asked]


def test_a_back_found_by_its_outline_ends_it_and_a_front_does_not(table: Table) -> None:
    table.quads = [Quad(1, names=PLACES[2], side=Side.BACK)]
    assert names(search(table)) == [PLACES[2]]
    assert table.asked == ALL_STAGES[:2]
    table.asked.clear()
    table.quads = [Quad(1, names=PLACES[2])]
    assert names(search(table)) == [PLACES[2]]
    assert table.asked == STAGES


def test_backs_come_before_fronts_and_the_surest_first(table: Table) -> None:
    table.quads = [Quad(4, names=PLACES[4], words=0.99), Quad(5, names=PLACES[5], words=0.6)]
    table.blobs = {
        THIRD: [
            Blob(1, names=PLACES[1], words=0.7),
            Blob(2, names=PLACES[2], words=0.9),
            Blob(3, names=PLACES[3], words=0.8),
        ]
    }
    assert names(search(table)) == [PLACES[n] for n in (2, 3, 1, 4, 5)]


def test_a_profile_without_faces_finds_nothing_and_looks_for_nothing(table: Table) -> None:
    table.templates = ()
    table.blobs = {FIRST: [Blob(1, names=PLACES[1])]}
    assert search(table) == Search(())
    assert table.asked == []


def test_a_profile_without_an_ornament_finds_by_outlines_alone(table: Table) -> None:
    table.ornament = None
    table.blobs = {FIRST: [Blob(1, names=PLACES[1])]}
    table.quads = [Quad(2, names=PLACES[2])]
    assert names(search(table)) == [PLACES[2]]
    assert table.asked == ["outlines"]


def test_a_live_picture_is_searched_one_stage_a_frame_the_first_every_other_time(
    table: Table,
) -> None:
    for turn in range(2 * PARTS):
        assert Finder(table).search_in_parts(SCENE, turn) == Search(())
    once = [FIRST, "outlines", FIRST, THIRD, FIRST, FOURTH, FIRST, FIRST]
    assert table.asked == [*once, *once]


@pytest.mark.parametrize("turn", range(PARTS))
def test_what_shows_faintly_is_looked_at_again_in_the_last_part_only(
    table: Table, turn: int
) -> None:
    table.blobs = {FIRST: [Blob(1, shades=0.4, names=PLACES[1])]}
    found = Finder(table).search_in_parts(SCENE, turn)
    assert names(found) == ([PLACES[1]] if turn == PARTS - 1 else [])


def test_a_glance_is_the_first_cut_and_no_second_look(table: Table) -> None:
    table.blobs = {FIRST: [Blob(1, names=PLACES[1]), Blob(2, shades=0.4, names=PLACES[2])]}
    assert names(Finder(table).glance(SCENE, [])) == [PLACES[1]]
    table.blobs = {FIRST: [Blob(2, shades=0.4, names=PLACES[2])]}
    assert names(Finder(table).glance(SCENE, [])) == []
    assert table.asked == [FIRST, FIRST]


def test_what_a_key_must_show_hangs_on_whether_all_backs_are_known(table: Table) -> None:
    table.blobs = {FIRST: [Blob(1)]}
    search(table)
    table.templates = table.templates[1:]
    search(table)
    assert table.least == {LEAST_WORDS, LONE_WORDS}


# Shades.


@pytest.mark.parametrize(
    ("shades", "laid"), [(0.29, "never"), (0.31, "again"), (0.54, "again"), (0.56, "at once")]
)
def test_a_blob_whose_shades_are_like_the_ornaments_is_laid_on_at_once_or_when_all_else_failed(
    table: Table, shades: float, laid: str
) -> None:
    faint, clear = Blob(1, shades, names=PLACES[1]), Blob(2, shades=0.6, names=PLACES[2])
    table.blobs = {FIRST: [faint]}
    assert names(search(table)) == ([] if laid == "never" else [PLACES[1]])
    assert (table.asked == [FIRST]) is (laid == "at once")
    table.blobs = {FIRST: [faint, clear]}
    found = set(names(search(table)))
    assert found == ({PLACES[1], PLACES[2]} if laid == "at once" else {PLACES[2]})


def test_the_three_likest_of_a_cut_are_laid_on_in_their_order(table: Table) -> None:
    shades = (0.6, 0.9, 0.7, 0.95, 0.8)
    table.blobs = {FIRST: [Blob(number, shade) for number, shade in enumerate(shades)]}
    search(table)
    assert table.laid == [3, 1, 4]


def test_only_so_many_blobs_of_a_cut_are_looked_at(table: Table) -> None:
    others = [Blob(number, shades=0.1) for number in range(1, 80)]
    table.blobs = {FIRST: [*others, Blob(90, names=PLACES[1])]}
    assert names(search(table)) == [PLACES[1]]
    table.blobs = {FIRST: [*others, Blob(80, shades=0.1), Blob(90, names=PLACES[1])]}
    assert names(search(table)) == []


# How well it comes to lie.


def test_what_does_not_come_to_lie_is_no_ornament(table: Table) -> None:
    table.blobs = {FIRST: [Blob(1, exact=None, names=PLACES[1])]}
    assert search(table) == Search((), unnamed=False)
    assert table.compared == []


@pytest.mark.parametrize(
    ("exact", "guesses", "unnamed"),
    [(0.74, 2, False), (0.75, 2, False), (0.86, 2, False), (0.87, 3, True), (0.99, 3, True)],
)
def test_a_sure_ornament_has_a_guess_more_and_tells_of_a_key_that_has_no_name(
    table: Table, exact: float, guesses: int, unnamed: bool
) -> None:
    table.blobs = {FIRST: [Blob(1, exact=exact)]}
    assert search(table) == Search((), unnamed=unnamed)
    assert table.compared == [(1, guesses)]


@pytest.mark.parametrize(("exact", "at_once"), [(0.74, False), (0.75, True)])
def test_a_doubtful_ornament_is_tried_when_nothing_else_is_found(
    table: Table, exact: float, at_once: bool
) -> None:
    table.blobs = {FIRST: [Blob(1, exact=exact, names=PLACES[1])]}
    assert names(search(table)) == [PLACES[1]]
    assert table.asked == ([FIRST] if at_once else STAGES)
    table.blobs = {FIRST: [Blob(1, exact=exact, names=PLACES[1]), Blob(2, names=PLACES[2])]}
    assert len(names(search(table))) == (2 if at_once else 1)


def test_of_doubtful_ornaments_the_likest_eight_are_tried(table: Table) -> None:
    exact = (0.70, 0.74, 0.66, 0.72, 0.68, 0.73, 0.65, 0.71, 0.69)
    blobs = [Blob(number, exact=sure) for number, sure in enumerate(exact)]
    table.blobs = {FIRST: blobs[:3], THIRD: blobs[3:6], FOURTH: blobs[6:]}
    search(table)
    assert table.compared == [(number, 2) for number in (1, 5, 3, 7, 0, 8, 4, 2)]


def test_an_unnamed_key_is_not_told_of_beside_one_that_is_found(table: Table) -> None:
    table.blobs = {FIRST: [Blob(1), Blob(2, names=PLACES[2])]}
    assert not search(table).unnamed
    table.blobs = {FIRST: [Blob(1), Blob(2, exact=0.8)]}
    assert search(table).unnamed
    table.blobs = {FIRST: [Blob(1, shades=0.4)]}
    assert search(table).unnamed


# The same thing twice.


@pytest.mark.parametrize(("off_px", "tried"), [(3.9, 1), (4.0, 1), (4.1, 2)])
def test_an_ornament_that_another_cut_shows_again_is_tried_once(
    table: Table, off_px: float, tried: int
) -> None:
    table.blobs = {FIRST: [Blob(1)], THIRD: [Blob(1, off_px=off_px)]}
    search(table)
    assert table.laid == [1, 1]
    assert len(table.compared) == tried


def test_an_ornament_on_a_key_that_was_found_is_no_other_key(table: Table) -> None:
    # Both lie on one card: the second is some other print of it.
    on_it, beside = Blob(1, shades=0.8, off_px=60.0), Blob(2, shades=0.7, names=PLACES[2])
    table.blobs = {FIRST: [Blob(1, shades=0.9, names=PLACES[1]), on_it, beside]}
    assert names(search(table)) == [PLACES[1], PLACES[2]]
    assert [number for number, _ in table.compared] == [1, 2]


def test_a_doubtful_ornament_on_a_key_that_was_found_is_not_tried(table: Table) -> None:
    table.quads = [Quad(1, names=PLACES[1])]
    table.blobs = {THIRD: [Blob(1, exact=0.7), Blob(2, exact=0.7)]}
    search(table)
    # What lies on a front that was found is not even laid on.
    assert table.laid == [2]
    table.laid.clear()
    table.compared.clear()
    table.blobs = {FIRST: [Blob(1, exact=0.7), Blob(2, exact=0.7)]}
    search(table)
    assert (table.laid, table.compared) == ([1, 2], [(2, 2)])


def test_a_glance_looks_beside_the_keys_that_are_known(table: Table) -> None:
    known = Found(Print(PLACES[1]), at(1 * APART, 0), 0.9)
    table.blobs = {FIRST: [Blob(1, names=PLACES[1]), Blob(2, names=PLACES[2])]}
    assert names(Finder(table).glance(SCENE, [known])) == [PLACES[2]]
    assert table.laid == [2]


# Words beside fingertips.


def test_where_nothing_else_shows_the_first_key_that_words_beside_a_finger_name_is_claimed(
    table: Table,
) -> None:
    table.held = [
        Quad(1, HELD, side=Side.BACK),
        Quad(2, HELD, names=PLACES[2], side=Side.BACK),
        Quad(3, HELD, names=PLACES[3], side=Side.BACK),
    ]
    found = search(table)
    assert (names(found), found.keys[0].words) == ([PLACES[2]], 0.8)
    assert table.asked == ALL_STAGES
    assert table.held_tried == [1, 2]
    assert table.least == {LEAST_WORDS}


def test_words_beside_a_finger_are_not_looked_for_where_another_key_is_found(table: Table) -> None:
    table.held = [Quad(2, HELD, names=PLACES[2], side=Side.BACK)]
    for found_first in (FIRST, FOURTH):
        table.asked.clear()
        table.blobs = {found_first: [Blob(1, names=PLACES[1])]}
        assert names(search(table)) == [PLACES[1]]
        assert "held" not in table.asked
    assert table.held_tried == []


def test_an_unnamed_key_stays_so_unless_words_beside_a_finger_name_one(table: Table) -> None:
    table.blobs = {FIRST: [Blob(1)]}
    table.held = [Quad(2, HELD, side=Side.BACK)]
    assert search(table) == Search((), unnamed=True)
    table.held = [Quad(2, HELD, names=PLACES[2], side=Side.BACK)]
    found = search(table)
    assert (names(found), found.unnamed) == ([PLACES[2]], False)


def test_a_live_picture_has_no_time_for_words_beside_fingers(table: Table) -> None:
    table.held = [Quad(2, HELD, names=PLACES[2], side=Side.BACK)]
    assert Finder(table).glance(SCENE, []) == Search(())
    for turn in range(PARTS):
        assert Finder(table).search_in_parts(SCENE, turn) == Search(())
    assert "held" not in table.asked


# Outlines.


def test_of_twelve_outlines_the_four_likest_are_claimed(table: Table) -> None:
    alike = [0.1 + 0.03 * number for number in range(14)]
    table.quads = [Quad(number, likeness) for number, likeness in enumerate(alike)]
    search(table)
    assert table.outlined == [11, 10, 9, 8]


def test_an_outline_on_a_key_that_was_found_is_passed_over(table: Table) -> None:
    table.quads = [
        Quad(1, 0.8, names=PLACES[1]),
        Quad(2, 0.7, names=PLACES[2]),
        Quad(1.02, 0.6, names=PLACES[3]),  # hardly beside the first
    ]
    assert names(search(table)) == [PLACES[1], PLACES[2]]
    assert table.outlined == [1, 2]
