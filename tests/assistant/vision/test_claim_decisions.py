"""What it takes to say that a key lies here: each threshold with a guess on both sides.

No picture is looked at. A `Print` is a face whose answers the tests write themselves: where it
comes to lie when it is laid on, and how much of it shows at which pose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from assistant.core.terms import Location
from assistant.vision.claim import (
    CERTAIN_WORDS,
    CLEAR_GUESS,
    CLEAR_WORDS,
    FINE_STEPS,
    LEAST_BLOCKS,
    LEAST_GUESS,
    LEAST_LEAD,
    LEAST_SUPPORT,
    LEAST_WORDS,
    LONE_WORDS,
    MOST_RIVALS,
    ROUGH_STEPS,
    Found,
    clearest,
    is_card_like,
    least_words,
    middle_of,
)
from assistant.vision.geometry import Homography, card_to_picture
from assistant.vision.identify import Guess
from assistant.vision.profile import FACE_SHAPE, Face
from assistant.vision.register import STEPS, Agreement, Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Side

SCENE = Scene(np.zeros((64, 64, 3), np.uint8))
PLACES = list(Location)


def at(x_px: float, y_px: float, px_per_mm: float = 5.0) -> Homography:
    """Return the pose of a card that lies straight, its top left corner at a point."""
    return np.array([[px_per_mm, 0, x_px], [0, px_per_mm, y_px], [0, 0, 1.0]])


#: Where the tests' guesses say that a card lies, where it lies a step on, and where exactly.
GUESSED, ROUGH, EXACT = at(100, 50), at(101, 51), at(103, 52)


class Print(Template):
    """A face that shows what it was told to show, and remembers whether it was laid on.

    `words`, `blocks`: what agrees at its exact pose. `support`: after the rough steps. `elsewhere`:
    the share of its words that shows where it is laid as a rival, at `rival_pose`.
    """

    def __init__(
        self,
        location: Location,
        side: Side = Side.BACK,
        *,
        words: float = 0.0,
        blocks: int = 40,
        support: float = 0.9,
        elsewhere: float = 0.0,
        rival_pose: Homography = EXACT,
        rough: Homography | None = ROUGH,
        exact: Homography | None = EXACT,
    ) -> None:
        nothing = np.zeros(FACE_SHAPE, np.uint8)
        self.face = Face(location, side, nothing, nothing, 1)
        self._support, self._words_shown, self._block_count = support, words, blocks
        self._elsewhere, self._rival_pose = elsewhere, rival_pose
        self._rough, self._exact = rough, exact
        self.was_laid_on = False

    def refine(
        self, scene: Scene, homography: Homography, steps: Sequence[int] = STEPS
    ) -> Homography | None:
        self.was_laid_on = True
        if steps == ROUGH_STEPS:
            assert homography is GUESSED
            return self._rough
        assert steps == FINE_STEPS
        assert homography is self._rough
        return self._exact

    def agreement(self, scene: Scene, homography: Homography) -> Agreement:
        if homography is self._rough:
            return Agreement(self._support, 0.0, 0, 64)
        if homography is self._exact:
            return Agreement(0.0, self._words_shown, self._block_count, 64)
        assert np.allclose(homography, self._rival_pose)
        return Agreement(0.0, self._elsewhere, 0, 64)


def guess(face: Print, likeness: float = 0.9, pose: Homography = GUESSED) -> Guess:
    return Guess(face, pose, likeness)


def is_claimed(*guesses: Guess, most: int = 4, least: float = LEAST_WORDS) -> bool:
    return clearest(SCENE, guesses, most, least) is not None


# One guess.


def test_what_is_claimed_is_the_face_where_it_lies_exactly() -> None:
    face = Print(Location.CORNHILL, words=0.9)
    found = clearest(SCENE, [guess(face)], 1, LEAST_WORDS)
    assert found is not None
    assert (found.template, found.words) == (face, 0.9)
    assert found.homography is EXACT
    assert (found.location, found.side) == (Location.CORNHILL, Side.BACK)


@pytest.mark.parametrize(("likeness", "claimed"), [(0.27, False), (0.28, True), (0.5, True)])
def test_a_guess_that_is_hardly_alike_is_not_even_laid_on(likeness: float, claimed: bool) -> None:
    face = Print(Location.CORNHILL, words=0.9)
    assert is_claimed(guess(face, likeness)) is claimed
    assert face.was_laid_on is claimed


@pytest.mark.parametrize(
    ("likeness", "support", "claimed"),
    [(0.61, 0.35, False), (0.61, 0.36, True), (0.62, 0.1, True), (0.4, 0.3, False)],
)
def test_after_rough_steps_it_must_be_supported_unless_it_looked_very_alike(
    likeness: float, support: float, claimed: bool
) -> None:
    face = Print(Location.CORNHILL, words=0.9, support=support)
    assert is_claimed(guess(face, likeness)) is claimed


@pytest.mark.parametrize(
    ("rough", "exact"),
    [(None, EXACT), (ROUGH, None), (ROUGH, at(500, 50) @ np.diag([-1.0, 1, 1]))],
    ids=["runs away roughly", "runs away finely", "comes to lie mirrored"],
)
def test_a_face_that_does_not_come_to_lie_like_a_card_is_no_key(
    rough: Homography | None, exact: Homography | None
) -> None:
    assert not is_claimed(guess(Print(Location.CORNHILL, words=0.9, rough=rough, exact=exact)))


@pytest.mark.parametrize(
    ("words", "blocks", "claimed"),
    [(0.87, 10, True), (0.87, 9, False), (0.6, 10, True), (0.59, 40, False)],
)
def test_it_must_show_enough_of_its_words_in_enough_places(
    words: float, blocks: int, claimed: bool
) -> None:
    face = Print(Location.CORNHILL, words=words, blocks=blocks)
    assert is_claimed(guess(face), least=0.6) is claimed


# Several guesses.


def test_of_several_that_show_enough_the_one_that_shows_most_is_claimed() -> None:
    for shown in ((0.6, 0.69, 0.65), (0.69, 0.6, 0.65), (0.6, 0.65, 0.69)):
        faces = [Print(place, words=words) for place, words in zip(PLACES[:3], shown, strict=True)]
        found = clearest(SCENE, [guess(face) for face in faces], 3, 0.55)
        assert found is not None
        assert found.words == 0.69


def test_of_two_that_show_as_much_the_liker_one_is_claimed() -> None:
    first, second = (Print(place, words=0.65) for place in PLACES[:2])
    found = clearest(SCENE, [guess(first, 0.8), guess(second, 0.7)], 2, 0.55)
    assert found is not None
    assert found.template is first


@pytest.mark.parametrize(("words", "goes_on"), [(0.69, True), (0.7, False)])
def test_after_one_that_shows_clearly_no_other_is_laid_on(words: float, goes_on: bool) -> None:
    first, second = Print(PLACES[0], words=words), Print(PLACES[1], words=0.5)
    assert is_claimed(guess(first), guess(second))
    assert second.was_laid_on is goes_on


def test_a_guess_that_comes_to_nothing_does_not_keep_the_next_from_its_turn() -> None:
    weak, hopeless = Print(PLACES[0], words=0.2), Print(PLACES[1], rough=None)
    good = Print(PLACES[2], words=0.9)
    found = clearest(SCENE, [guess(weak), guess(hopeless), guess(good)], 3, 0.55)
    assert found is not None
    assert found.template is good


def test_no_more_guesses_are_laid_on_than_were_asked_for() -> None:
    faces = [Print(place, words=0.1) for place in PLACES[:4]]
    assert not is_claimed(*(guess(face) for face in faces), most=3)
    assert [face.was_laid_on for face in faces] == [True, True, True, False]


def test_where_there_is_no_guess_there_is_no_key() -> None:
    assert clearest(SCENE, [], 4, LEAST_WORDS) is None


# Rivals.


@pytest.mark.parametrize(
    ("words", "rival", "claimed"),
    [(0.7, 0.49, True), (0.7, 0.51, False), (0.84, 0.65, False), (0.84, 0.63, True),
     (0.85, 0.84, True)],
)  # fmt: skip
def test_it_must_lead_clearly_over_other_keys_unless_it_shows_nearly_all(
    words: float, rival: float, claimed: bool
) -> None:
    face, other = Print(PLACES[0], words=words), Print(PLACES[1], elsewhere=rival)
    assert is_claimed(guess(face), guess(other, 0.1), most=1) is claimed


def test_the_strongest_of_the_likest_three_rivals_counts() -> None:
    for place in range(5):
        shown = [0.0] * 5
        shown[place] = 0.69
        rivals = [
            Print(key, elsewhere=words) for key, words in zip(PLACES[1:6], shown, strict=True)
        ]
        guesses = [guess(rival, 0.1) for rival in rivals]
        face = Print(PLACES[0], words=0.7)
        assert is_claimed(guess(face), *guesses, most=1) is (place >= 3)


def test_a_key_is_no_rival_of_itself_the_other_way_up() -> None:
    face = Print(PLACES[0], words=0.7)
    same, front = Print(PLACES[0], elsewhere=0.69), Print(PLACES[0], Side.FRONT, elsewhere=0.69)
    assert is_claimed(guess(face), guess(same, 0.1), guess(front, 0.1), most=1)


def test_a_rival_is_laid_where_the_key_came_to_lie_by_its_own_way_up() -> None:
    turned = GUESSED @ np.array([[-1.0, 0, 44], [0, -1, 68], [0, 0, 1]])
    there = EXACT @ np.array([[-1.0, 0, 44], [0, -1, 68], [0, 0, 1]])
    rival = Print(PLACES[1], elsewhere=0.69, rival_pose=there)
    assert not is_claimed(guess(Print(PLACES[0], words=0.7)), guess(rival, 0.1, turned), most=1)


# How much a profile asks for.


def test_a_profile_that_lacks_a_back_asks_for_more() -> None:
    backs = [Print(place) for place in Location]
    fronts = [Print(place, Side.FRONT) for place in Location]
    assert least_words([*backs, *fronts]) == least_words(backs) == 0.55
    assert least_words([*backs[1:], *fronts]) == 0.72
    assert least_words(fronts) == least_words([]) == 0.72


def test_the_thresholds_stand_in_the_order_that_their_meaning_asks() -> None:
    assert LEAST_GUESS < CLEAR_GUESS
    assert LEAST_GUESS < LEAST_SUPPORT
    assert LEAST_WORDS < CLEAR_WORDS < LONE_WORDS < CERTAIN_WORDS
    assert LEAST_LEAD < LEAST_WORDS
    assert (LEAST_BLOCKS, MOST_RIVALS) == (10, 3)


# Where a key lies.


def found_at(pose: Homography) -> Found:
    return Found(Print(Location.CORNHILL), pose, 0.9)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "covers"),
    [(1, 1, True), (43, 67, True), (0, 0, True), (44, 68, True), (-0.5, 30, False),
     (44.5, 30, False), (20, -0.5, False), (20, 68.5, False), (50, 90, False)],
)  # fmt: skip
def test_a_key_covers_the_points_of_its_card(x_mm: float, y_mm: float, covers: bool) -> None:
    for scale in (1.0, -4.0):
        x, y = 100 + 4 * x_mm, 60 + 4 * y_mm
        assert found_at(at(100, 60, 4.0) * scale).covers(x, y) is covers


def test_a_key_that_is_seen_aslant_covers_what_lies_within_its_corners() -> None:
    corners = ((100, 100), (300, 120), (280, 380), (80, 400))
    key = found_at(card_to_picture(corners))
    assert key.covers(105, 110)
    assert key.covers(190, 250)
    assert not key.covers(95, 95)
    assert not key.covers(296, 360)
    assert middle_of(key.homography) == pytest.approx((190, 250), abs=1e-3)


def test_two_finds_are_one_key_when_the_middle_of_the_one_lies_on_the_other() -> None:
    one = found_at(at(100, 100))
    assert one.overlaps(found_at(at(200, 250)))
    # Half of a card is 110 px wide and 170 px high.
    assert one.overlaps(found_at(at(205, 265)))
    assert not one.overlaps(found_at(at(215, 100)))
    assert not one.overlaps(found_at(at(100, 275)))


# Which poses a card can have.


def leaning(angle_deg: float) -> Homography:
    """Return a card as a parallelogram with sides of their own lengths at so large an angle."""
    lean = math.radians(angle_deg)
    return np.array([[5.0, 5 * math.cos(lean), 200], [0, 5 * math.sin(lean), 50], [0, 0, 1]])


def tilted(times: float) -> Homography:
    """Return a card whose lower edge is so many times as far away as its upper one."""
    return np.array([[5.0, 22 * 5 * (times - 1) / 68, 0], [0, 7.0, 0], [0, (times - 1) / 68, 1]])


@pytest.mark.parametrize(
    ("pose", "can_be"),
    [
        (at(10, 10), True),
        (at(10, 10) @ np.diag([68 / 44 / 1.13, 1.0, 1.0]), True),
        (at(10, 10) @ np.diag([68 / 44 / 1.07, 1.0, 1.0]), False),
        (at(10, 10) @ np.diag([68 / 44 / 2.15, 1.0, 1.0]), True),
        (at(10, 10) @ np.diag([68 / 44 / 2.25, 1.0, 1.0]), False),
        (leaning(35), True),
        (leaning(32), False),
        (leaning(145), True),
        (leaning(148), False),
        (leaning(34) @ np.array([[1, 0, 0], [0, 1, 0], [0, 0.3 / 68, 1]]), False),
        (tilted(1.55), True),
        (tilted(1.65), False),
        (at(300, 10) @ np.diag([-1.0, 1.0, 1.0]), False),
        (tilted(-0.5), False),
    ],
    ids=[
        "straight",
        "short",
        "too short",
        "long",
        "too long",
        "leaning right",
        "too far right",
        "leaning left",
        "too far left",
        "too far at the two lower corners",
        "tilted",
        "too tilted",
        "mirrored",
        "partly behind the camera",
    ],
)
def test_a_card_on_a_table_lies_in_a_pose_that_a_camera_can_see(
    pose: Homography, can_be: bool
) -> None:
    assert is_card_like(pose) is can_be


@pytest.mark.parametrize("turn_deg", range(0, 360, 30))
def test_it_may_lie_at_any_angle(turn_deg: int) -> None:
    turn = math.radians(turn_deg)
    c, s = math.cos(turn), math.sin(turn)
    pose = np.array([[c, -s, 400], [s, c, 400], [0, 0, 1.0]]) @ tilted(1.3)
    assert is_card_like(pose)
    assert not is_card_like(pose @ np.array([[-1.0, 0, 44], [0, 1, 0], [0, 0, 1]]))


def test_a_card_whose_corners_fold_over_is_none() -> None:
    crossed = card_to_picture(((100, 100), (300, 100), (100, 400), (300, 400)))
    assert not is_card_like(crossed)
