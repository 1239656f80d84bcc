"""Each threshold of settling from both sides: what is just enough, and what is just not."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.vision.settling import Settled, Settler
from assistant.vision.sighting import Reason, Side, Sighting

CHURCH, TWO = Content.icon(Feature.CHURCH), Content.digit(2)
CORNHILL, EASTCHEAP = Location.CORNHILL, Location.EASTCHEAP
NOTHING = Sighting(reason=Reason.NO_KEY)

#: The card is 194 x 300 px, so a hundredth of its height is 3 px.
HALF = (97.0, 150.0)


def seen(
    content: Content | None,
    off_px: float = 0.0,
    turned_deg: float = 0.0,
    *,
    key: Location = CORNHILL,
    others: int = 0,
    confidence: float = 0.9,
) -> Sighting:
    """A stack off its place to the right, and turned about its own centre."""
    turn = math.radians(turned_deg)
    one, two, three, four = (
        (
            400 + off_px + x * HALF[0] * math.cos(turn) - y * HALF[1] * math.sin(turn),
            300 + x * HALF[0] * math.sin(turn) + y * HALF[1] * math.cos(turn),
        )
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    if content is None:
        return Sighting(key, Side.BACK, (one, two, three, four), reason=Reason.UNSURE)
    return Sighting(key, Side.BACK, (one, two, three, four), content, confidence, None, others)


def settled(sightings: Iterable[Sighting], seconds: float = 1 / 30) -> list[Settled]:
    settler = Settler()
    told = (settler.add(each, frame, frame * seconds) for frame, each in enumerate(sightings))
    return [reading for reading in told if reading is not None]


def contents(sightings: Iterable[Sighting]) -> list[Content]:
    return [reading.content for reading in settled(sightings)]


LYING = [seen(CHURCH)] * 20
AWAY = [NOTHING] * 20


@pytest.mark.parametrize(
    ("content", "needed"), [(CHURCH, 3), (TWO, 3), (LADY, 3), (BLANK, 4)], ids=str
)
def test_so_many_sightings_are_enough_and_one_less_is_not(content: Content, needed: int) -> None:
    assert contents([seen(content)] * needed) == [content]
    assert contents([seen(content)] * (needed - 1) + AWAY) == []


@pytest.mark.parametrize(("between", "read"), [(2, [CHURCH]), (3, [])])
def test_two_sightings_without_a_claim_may_come_between_and_no_third(
    between: int, read: list[Content]
) -> None:
    assert contents([seen(CHURCH), *[seen(None)] * between, seen(CHURCH), seen(CHURCH)]) == read


@pytest.mark.parametrize(("seconds", "read"), [(0.99, [CHURCH]), (1.01, [])])
def test_three_sightings_agree_only_within_two_seconds(seconds: float, read: list[Content]) -> None:
    assert [each.content for each in settled([seen(CHURCH)] * 9, seconds)] == read


@pytest.mark.parametrize(("step_px", "read"), [(1.7, [CHURCH]), (1.9, [])])
def test_a_stack_is_at_rest_when_its_centre_moves_by_less_than_six_thousandths(
    step_px: float, read: list[Content]
) -> None:
    # To and fro, so that it does not drift.
    assert contents([seen(CHURCH, step_px * (frame % 2)) for frame in range(30)]) == read


@pytest.mark.parametrize(("step_deg", "read"), [(1.4, [CHURCH]), (1.5, [])])
def test_a_stack_that_turns_about_its_centre_is_not_at_rest_either(
    step_deg: float, read: list[Content]
) -> None:
    # Its corners are 178.6 px from the centre: 1.44 degrees move them by 4.5 px.
    assert contents([seen(CHURCH, 0, step_deg * (frame % 2)) for frame in range(30)]) == read


@pytest.mark.parametrize(("step_px", "read"), [(5.8 / 14, [CHURCH, TWO]), (6.2 / 14, [CHURCH])])
def test_a_run_ends_two_hundredths_from_where_it_began(step_px: float, read: list[Content]) -> None:
    # A value that changes is told after fifteen sightings of one run; here it creeps meanwhile.
    creeping = [seen(TWO, step_px * frame) for frame in range(15)]
    assert contents([*LYING, seen(TWO, 50), *creeping]) == read


@pytest.mark.parametrize(("off_px", "read"), [(7.0, [CHURCH]), (8.0, [CHURCH, CHURCH])])
def test_found_again_farther_than_a_fortieth_away_it_was_laid_anew(
    off_px: float, read: list[Content]
) -> None:
    assert contents(LYING + AWAY + [seen(CHURCH, off_px)] * 20) == read


@pytest.mark.parametrize(("off_px", "read"), [(11.5, [CHURCH]), (12.5, [CHURCH, CHURCH])])
@pytest.mark.parametrize("away", [AWAY, [NOTHING] * 6])
def test_seen_twice_a_twenty_fifth_off_its_place_it_was_lifted(
    away: list[Sighting], off_px: float, read: list[Content]
) -> None:
    lifted = [seen(None, off_px), seen(None, off_px)]
    assert contents(LYING + lifted + away + LYING) == read
    assert contents(LYING + away + lifted + LYING) == read
    assert contents(LYING + lifted[:1] + away + LYING) == [CHURCH]


@pytest.mark.parametrize(("absent", "read"), [(5, [CHURCH]), (6, [CHURCH, BLANK])])
def test_six_sightings_without_it_and_another_card_may_lie_there(
    absent: int, read: list[Content]
) -> None:
    assert contents(LYING + [NOTHING] * absent + [seen(BLANK)] * 10) == read
    assert contents(LYING + [NOTHING] * absent + LYING) == [CHURCH]


@pytest.mark.parametrize(("agreeing", "read"), [(14, [CHURCH]), (15, [CHURCH, BLANK])])
def test_another_value_under_an_unmoved_stack_takes_fifteen_sightings(
    agreeing: int, read: list[Content]
) -> None:
    assert contents(LYING + [seen(BLANK, 50)] + [seen(BLANK)] * agreeing) == read


def test_what_it_was_out_of_sight_for_is_forgotten_once_it_was_seen_at_rest_again() -> None:
    back = LYING + AWAY + LYING
    assert contents([*back, seen(BLANK, 50), *[seen(BLANK)] * 14]) == [CHURCH]
    lifted = [seen(None, 30)]
    assert contents(LYING + lifted + LYING + lifted + LYING) == [CHURCH]
    assert contents(LYING + lifted + LYING + lifted + AWAY + LYING) == [CHURCH]


def test_a_second_stack_with_others_in_view_does_not_mean_that_the_first_is_gone() -> None:
    second = [seen(TWO, 300, key=EASTCHEAP, others=1)] * 20
    assert contents(LYING + second + LYING) == [CHURCH, TWO]
    alone = [seen(TWO, 300, key=EASTCHEAP)] * 20
    assert contents(LYING + alone + LYING) == [CHURCH, TWO, CHURCH]
    once_not_alone = [seen(TWO, 300, key=EASTCHEAP, others=1), *alone]
    assert contents(LYING + once_not_alone + LYING) == [CHURCH, TWO]


def test_a_reading_is_as_sure_as_the_sightings_it_rests_on_on_the_mean() -> None:
    (reading,) = settled(seen(CHURCH, confidence=sure) for sure in (0.9, 0.8, 0.97))
    assert reading.confidence == pytest.approx(0.89)
    assert (reading.first_frame, reading.last_frame, reading.frames) == (0, 2, 3)


def test_places_are_compared_in_shares_of_the_cards_height_however_large_it_is_seen() -> None:
    def smaller(sighting: Sighting) -> Sighting:
        assert sighting.corners is not None
        one, two, three, four = ((x / 3, y / 3) for x, y in sighting.corners)
        return Sighting(
            CORNHILL, Side.BACK, (one, two, three, four), sighting.content, sighting.confidence
        )

    at_rest = [seen(CHURCH, 1.7 * (frame % 2)) for frame in range(30)]
    moving = [seen(CHURCH, 1.9 * (frame % 2)) for frame in range(30)]
    assert contents(map(smaller, at_rest)) == [CHURCH]
    assert contents(map(smaller, moving)) == []


def test_a_key_that_shows_its_front_was_lifted() -> None:
    corners = seen(CHURCH).corners
    front = [Sighting(CORNHILL, Side.FRONT, corners, reason=Reason.OTHER_SIDE)]
    assert contents(LYING + front * 5 + [seen(BLANK)] * 10) == [CHURCH]
    assert contents(LYING + front * 6 + [seen(BLANK)] * 10) == [CHURCH, BLANK]


def test_a_stack_pushed_as_soon_as_it_was_read_is_the_same_laying() -> None:
    assert contents([seen(CHURCH)] * 3 + [seen(CHURCH, 60)] * 20) == [CHURCH]


def test_a_laying_just_told_has_not_been_away_or_moved_yet() -> None:
    read = [seen(CHURCH)] * 3
    assert contents([*read, seen(None, 30), *AWAY, *LYING]) == [CHURCH]
    assert contents([*read, *[NOTHING] * 5, *[seen(BLANK)] * 10]) == [CHURCH]
    assert contents([*read, *[NOTHING] * 6, *[seen(BLANK)] * 10]) == [CHURCH, BLANK]


def test_a_stack_is_out_of_sight_too_while_another_one_is_in_view() -> None:
    one, other = [seen(CHURCH, others=1)] * 20, [seen(TWO, 300, key=EASTCHEAP, others=1)]
    elsewhere = [seen(CHURCH, 60, others=1)] * 20
    assert contents(one + other * 5 + elsewhere) == [CHURCH, TWO]
    assert contents(one + other * 6 + elsewhere) == [CHURCH, TWO, CHURCH]
