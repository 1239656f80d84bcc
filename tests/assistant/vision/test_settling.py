"""One stack laid down is one reading: scripted sightings, and laws over random ones."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.vision.settling import AGREEING, CHANGED_AGREE, Settled, Settler
from assistant.vision.sighting import Corners, Reason, Side, Sighting

CHURCH, TAVERN = Content.icon(Feature.CHURCH), Content.icon(Feature.TAVERN)
TWO = Content.digit(2)
CORNHILL, EASTCHEAP = Location.CORNHILL, Location.EASTCHEAP

#: A card 300 px high at (x, y).


def _at(x: float, y: float = 100.0) -> Corners:
    return (x, y), (x + 194, y), (x + 194, y + 300), (x, y + 300)


def _seen(
    content: Content | None, x: float = 100.0, key: Location = CORNHILL, others: int = 0
) -> Sighting:
    reason = None if content else Reason.UNSURE
    confidence = 0.95 if content else None
    return Sighting(key, Side.BACK, _at(x), content, confidence, reason, others)


NOTHING = Sighting(reason=Reason.NO_KEY)
COVERED = Sighting(CORNHILL, Side.BACK, _at(100), reason=Reason.COVERED)


def _slide(content: Content | None, start: float, end: float, frames: int = 8) -> list[Sighting]:
    return [_seen(content, start + (end - start) * i / frames) for i in range(frames)]


def _settled(sightings: Iterable[Sighting]) -> list[Settled]:
    settler = Settler()
    found = (settler.add(seen, frame, frame / 30) for frame, seen in enumerate(sightings))
    return [settled for settled in found if settled is not None]


def _contents(sightings: Iterable[Sighting]) -> list[Content]:
    return [settled.content for settled in _settled(sightings)]


def test_a_stack_that_lies_there_is_read_once_however_long() -> None:
    (reading,) = _settled([NOTHING] * 5 + [_seen(CHURCH)] * 2000)
    assert (reading.location, reading.content) == (CORNHILL, CHURCH)
    assert (reading.first_frame, reading.last_frame, reading.frames) == (5, 7, 3)
    assert abs(reading.confidence - 0.95) < 1e-9


def test_from_the_last_moving_frame_to_the_reading_are_five_frames_at_most() -> None:
    for content in (CHURCH, TWO, LADY, BLANK):
        arrives = _slide(content, 400, 100)
        (reading,) = _settled(arrives + [_seen(content)] * 60)
        assert len(arrives) + 1 <= reading.last_frame <= len(arrives) - 1 + 5


def test_nothing_is_read_from_a_stack_in_motion() -> None:
    assert not _settled(_slide(CHURCH, 600, 0, frames=200))


def test_a_creeping_stack_is_not_at_rest() -> None:
    # 2 px a frame of a card 300 px high.
    assert not _settled(_slide(CHURCH, 500, 100, frames=200))


def test_a_stack_at_rest_may_tremble_by_a_pixel() -> None:
    trembling = [_seen(CHURCH, 100 + (frame * 7 % 3) * 0.5) for frame in range(90)]
    assert _contents(trembling) == [CHURCH]


def test_a_blank_takes_more_frames_than_an_icon() -> None:
    assert AGREEING[BLANK.kind] > AGREEING[CHURCH.kind]
    assert not _settled([_seen(BLANK)] * 3)
    assert _contents([_seen(BLANK)] * 4) == [BLANK]


def test_one_wrong_frame_never_counts() -> None:
    for at in range(12):
        sightings = [_seen(CHURCH)] * 20
        sightings[at] = _seen(BLANK)
        assert _contents(sightings) == [CHURCH]


def test_frames_that_flicker_between_two_contents_are_never_read() -> None:
    assert not _settled([_seen(CHURCH), _seen(TAVERN)] * 100)
    assert not _settled([_seen(CHURCH), _seen(CHURCH), _seen(BLANK)] * 100)


def test_covered_and_unsure_frames_in_between_do_not_count() -> None:
    assert not _settled([_seen(CHURCH), COVERED, COVERED, COVERED] * 50)
    assert _contents([_seen(CHURCH), COVERED, _seen(CHURCH), _seen(CHURCH)]) == [CHURCH]


def test_a_hand_that_passes_over_the_stack_is_not_a_new_laying() -> None:
    lying = [_seen(CHURCH)] * 20
    for gap in ([NOTHING] * 40, [COVERED] * 40, [NOTHING, COVERED] * 20, [NOTHING] * 3):
        assert _contents(lying + gap + lying + gap + lying) == [CHURCH]


def test_one_false_pose_under_the_hand_is_not_a_new_laying() -> None:
    lying = [_seen(CHURCH)] * 20
    hand = [NOTHING] * 10 + [_seen(None, 300)] + [NOTHING] * 10
    assert _contents(lying + hand + lying) == [CHURCH]


def test_lifted_and_laid_down_again_it_is_read_again() -> None:
    lying, away = [_seen(CHURCH)] * 20, [NOTHING] * 20
    elsewhere = [_seen(CHURCH, 220)] * 20
    assert _contents(lying + away + elsewhere) == [CHURCH, CHURCH]
    leaves, comes = _slide(None, 100, 400), _slide(None, 400, 100)
    assert _contents(lying + leaves + away + comes + lying) == [CHURCH, CHURCH]
    assert _contents(lying + leaves + away + lying) == [CHURCH, CHURCH]
    assert _contents(lying + away + comes + lying) == [CHURCH, CHURCH]


def test_pushed_across_the_table_in_full_view_it_is_the_same_laying() -> None:
    lying, pushed = [_seen(CHURCH)] * 20, _slide(None, 100, 400)
    assert _contents(lying + pushed + [_seen(CHURCH, 400)] * 20) == [CHURCH]


def test_another_card_under_the_same_key_at_the_same_place_is_read() -> None:
    lying, away = [_seen(CHURCH)] * 20, [NOTHING] * 10
    assert _contents(lying + away + [_seen(TWO)] * 20) == [CHURCH, TWO]
    assert _contents(lying + away + [_seen(BLANK)] * 20) == [CHURCH, BLANK]


def test_another_stack_alone_on_the_table_means_that_the_first_is_gone() -> None:
    first, second = [_seen(CHURCH)] * 20, [_seen(TWO, key=EASTCHEAP)] * 20
    assert _contents(first + second + first) == [CHURCH, TWO, CHURCH]


def test_two_stacks_in_view_at_once_are_read_once_each() -> None:
    first = [_seen(CHURCH, others=1)] * 20
    second = [_seen(TWO, 400, EASTCHEAP, others=1)] * 20
    assert _contents((first + second) * 5) == [CHURCH, TWO]


def test_a_value_that_changes_under_an_unmoved_stack_is_told_once_after_long_agreement() -> None:
    lying = [_seen(CHURCH)] * 20
    assert _contents(lying + [_seen(BLANK)] * (CHANGED_AGREE - 1) + lying) == [CHURCH]
    assert _contents(lying + [_seen(BLANK)] * 40) == [CHURCH, BLANK]
    again = ([_seen(BLANK)] * 40 + [_seen(CHURCH)] * 40) * 4
    assert len(_contents(lying + again)) == 2


def test_slow_cameras_settle_too_and_old_frames_do_not_count() -> None:
    settler = Settler()
    at_5_fps = [settler.add(_seen(CHURCH), n, n / 5) for n in range(10)]
    assert [s.content for s in at_5_fps if s] == [CHURCH]
    settler = Settler()
    assert not any(settler.add(_seen(CHURCH), n, n * 1.5) for n in range(20))


def test_few_pictures_a_second_show_another_card_laid_at_the_same_place() -> None:
    settler = Settler()
    evening = [_seen(CHURCH)] * 4 + [NOTHING] * 3 + [_seen(TWO)] * 4 + [NOTHING] * 3
    evening += [_seen(CHURCH)] * 4
    told = [settler.add(seen, frame, frame / 4) for frame, seen in enumerate(evening)]
    assert [reading.content for reading in told if reading] == [CHURCH, TWO, CHURCH]
    # The same sightings within a moment are a hand that passed, or a frame misread.
    settler = Settler()
    told = [settler.add(seen, frame, frame / 30) for frame, seen in enumerate(evening)]
    assert [reading.content for reading in told if reading] == [CHURCH]


def test_a_front_is_no_stack() -> None:
    front = Sighting(CORNHILL, Side.FRONT, _at(100), reason=Reason.OTHER_SIDE)
    assert not _settled([front] * 100)
    assert _contents([_seen(CHURCH)] * 5 + [front] * 3 + [_seen(CHURCH)] * 5) == [CHURCH]


# Laws.

_CONTENTS = st.sampled_from([CHURCH, TAVERN, TWO, LADY, BLANK, None])
_SIGHTINGS = st.lists(
    st.one_of(
        st.just(NOTHING),
        st.just(COVERED),
        st.builds(
            _seen,
            _CONTENTS,
            st.sampled_from([100.0, 100.6, 101.0, 180.0, 400.0]),
            st.sampled_from([CORNHILL, EASTCHEAP]),
            st.sampled_from([0, 1]),
        ),
    ),
    max_size=120,
)


@given(_SIGHTINGS)
def test_no_reading_rests_on_fewer_frames_than_it_must(sightings: list[Sighting]) -> None:
    for reading in _settled(sightings):
        claims = [
            seen
            for seen in sightings[reading.first_frame : reading.last_frame + 1]
            if (seen.location, seen.content) == (reading.location, reading.content)
        ]
        assert reading.frames >= AGREEING[reading.content.kind]
        assert len(claims) == reading.frames


@given(_SIGHTINGS)
def test_a_reading_is_what_the_frame_shows_in_which_it_is_told(sightings: list[Sighting]) -> None:
    settler = Settler()
    for frame, seen in enumerate(sightings):
        settled = settler.add(seen, frame, frame / 30)
        if settled is not None:
            assert settled.last_frame == frame
            assert (settled.location, settled.content) == (seen.location, seen.content)


@given(st.lists(st.sampled_from([NOTHING, COVERED, _seen(CHURCH), _seen(None)]), max_size=200))
def test_an_unmoved_stack_is_read_at_most_once_whatever_comes_between(
    sightings: list[Sighting],
) -> None:
    assert len(_settled(sightings)) <= 1


@given(
    st.lists(st.tuples(_CONTENTS, st.floats(0, 600)), min_size=1, max_size=100),
)
def test_a_stack_that_never_rests_is_never_read(
    moves: list[tuple[Content | None, float]],
) -> None:
    x, sightings = 0.0, []
    for content, step in moves:
        x += 3.0 + step
        sightings.append(_seen(content, x))
    assert not _settled(sightings)


@given(_SIGHTINGS, st.integers(0, 50))
def test_only_the_order_of_frames_matters_not_their_numbers(
    sightings: list[Sighting], first: int
) -> None:
    settler = Settler()
    numbered = [settler.add(s, first + n * 2, n / 30) for n, s in enumerate(sightings)]
    assert [s.content for s in numbered if s] == _contents(sightings)
