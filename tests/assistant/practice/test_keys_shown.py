"""The film of a player who shows keys: each slides in, rests, and makes room for the next."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.practice.keys_shown import NOISE, SLIDES, PicturesShown
from assistant.session import Frame
from assistant.vision.sighting import Picture

GREY, WHITE = 100, 200
RESTS = 6


def picture(level: int) -> Picture:
    """Return an even picture with a black bar in its first tenth, which tells how far it slid."""
    made = np.full((40, 200, 3), level, np.uint8)
    made[:, :20] = 0
    return made


def film() -> PicturesShown:
    return PicturesShown([picture(GREY), picture(WHITE)], rests=RESTS)


def frames(shown: PicturesShown) -> list[Frame]:
    read = []
    while (frame := shown.read()) is not None:
        read.append(frame)
    return read


def away_px(seen: Picture) -> int:
    """Return how far the bar lies to the right of where it comes to rest."""
    is_bar = seen.mean(axis=(0, 2)) < 50
    assert is_bar.sum() == 20
    # What slides over the edge comes in on the other side.
    [start] = np.flatnonzero(is_bar & ~np.roll(is_bar, 1)).tolist()
    return int(start)


def test_frames_are_numbered_and_timed_thirty_a_second_and_end_with_the_last() -> None:
    shown = film()
    read = frames(shown)
    assert len(read) == 2 * (SLIDES + RESTS)
    assert [frame.index for frame in read] == list(range(len(read)))
    assert [frame.time_s for frame in read] == pytest.approx([n / 30 for n in range(len(read))])
    assert shown.read(5.0) is None


def test_each_picture_slides_in_ever_slower_and_then_rests() -> None:
    read = frames(film())
    for start in (0, SLIDES + RESTS):
        away = [away_px(frame.picture) for frame in read[start : start + SLIDES + RESTS]]
        steps = -np.diff(away[: SLIDES + 1])
        assert 0 < away[SLIDES - 1] < 10
        assert (steps > 0).all()
        assert (np.diff(steps) <= 1).all()
        assert away[SLIDES:] == [0] * RESTS


def test_at_rest_a_picture_is_what_was_given_but_for_the_sensors_noise() -> None:
    read = frames(film())
    for number, frame in enumerate(read):
        if number % (SLIDES + RESTS) >= SLIDES:
            given = picture(GREY if number < SLIDES + RESTS else WHITE).astype(int)
            off = frame.picture.astype(int)[:, 20:] - given[:, 20:]
            assert off.std() == pytest.approx(NOISE, rel=0.1)
            assert abs(off.mean()) < 0.2
    # A sensor never gives the same picture twice on end.
    assert not np.array_equal(read[-1].picture, read[-2].picture)


def test_it_tells_which_picture_was_shown_last() -> None:
    shown = film()
    assert shown.shown == 0
    told = []
    while shown.read() is not None:
        told.append(shown.shown)
    assert told == [0] * (SLIDES + RESTS) + [1] * (SLIDES + RESTS)
    assert shown.shown == 1


def test_the_same_seed_shows_the_same_film() -> None:
    again = [frame.picture for frame in frames(film())]
    assert all(
        np.array_equal(frame.picture, other)
        for frame, other in zip(frames(film()), again, strict=True)
    )


def test_a_film_that_is_closed_is_over() -> None:
    shown = film()
    assert shown.read() is not None
    shown.close()
    assert shown.read() is None
    shown.close()
    assert shown.read() is None
