"""Digits and the Lady learnt from the readings of a game: drawn by the tests themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.vision.geometry import Homography, Keyhole, corners_in_picture
from assistant.vision.glyphs import built_in_glyphs
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Picture, Side, Sighting
from calibration.played import MOST_OF_ONE, PlayedHoles, learn_played
from calibration.stacks import SURE
from tests.assistant.vision.drawn_stack import KEYHOLE, film, laid

ONE, OTHER = Location.CORNHILL, Location.SOUTHWARK
#: A hole at the same place, cut a hair larger: for all that learning knows, another key's.
KEYHOLES: dict[Location, Keyhole] = {
    ONE: KEYHOLE,
    OTHER: replace(KEYHOLE, radius_mm=KEYHOLE.radius_mm + 0.02),
}
WAYS: dict[Location, dict[str, object]] = {
    ONE: {"seed": 1},
    OTHER: {"seed": 2, "rolled_deg": -35.0, "px_per_mm": 5.0},
}
TWO = Content.digit(2)


def profile() -> CardProfile:
    return CardProfile((), KEYHOLES, built_in_glyphs())


@cache
def filmed(content: Content, place: Location) -> tuple[Picture, Homography]:
    return film(laid(content, **WAYS[place]))


def seen(content: Content, place: Location, sure: float = 0.95) -> Sighting:
    corners = corners_in_picture(filmed(content, place)[1])
    return Sighting(place, Side.BACK, corners, content, sure)


def game(*readings: tuple[Content, Location]) -> PlayedHoles:
    """Return the holes of a game with these readings, numbered from 1."""
    holes = PlayedHoles()
    for seq, (content, place) in enumerate(readings, start=1):
        holes.add(seq, filmed(content, place)[0], seen(content, place))
    return holes


def learnt(better: CardProfile | None) -> set[Content]:
    return {glyph.content for glyph in better.glyphs if glyph.is_exact} if better else set()


@pytest.mark.parametrize("content", [TWO, LADY], ids=str)
def test_what_two_keys_showed_is_learnt_and_the_drawn_glyphs_stay(content: Content) -> None:
    holes = game((content, ONE), (content, OTHER))
    better = learn_played(holes.standing({1: content, 2: content}), profile())
    assert better is not None
    assert learnt(better) == {content}
    drawn = [glyph.content for glyph in better.glyphs if not glyph.is_exact]
    assert drawn == [glyph.content for glyph in built_in_glyphs()]


def test_one_key_alone_teaches_nothing() -> None:
    holes = game((TWO, ONE), (TWO, ONE))
    assert learn_played(holes.standing({1: TWO, 2: TWO}), profile()) is None


@pytest.mark.parametrize("second", [None, Content.digit(3)], ids=["taken back", "put right"])
def test_a_reading_that_does_not_stand_teaches_nothing(second: Content | None) -> None:
    holes = game((TWO, ONE), (TWO, OTHER))
    shown = {1: TWO} if second is None else {1: TWO, 2: second}
    assert len(holes.standing(shown)) == 1
    assert learn_played(holes.standing(shown), profile()) is None


def test_what_is_learnt_already_is_not_learnt_again() -> None:
    holes = game((TWO, ONE), (TWO, OTHER))
    standing = holes.standing({1: TWO, 2: TWO})
    better = learn_played(standing, profile())
    assert better is not None
    assert learn_played(standing, better) is None


def test_what_would_change_a_reading_of_the_game_is_not_learnt() -> None:
    # Two keys agree on a 2 where both showed a 3, as they show it again later.
    three, holes, shown = Content.digit(3), game(), {}
    for seq, (content, place) in enumerate(
        [(TWO, ONE), (TWO, OTHER), (three, ONE), (three, OTHER)], start=1
    ):
        told = replace(seen(three, place), content=content)
        holes.add(seq, filmed(three, place)[0], told)
        shown[seq] = content
    assert len(holes.standing(shown)) == 4
    assert learn_played(holes.standing(shown), profile()) is None


@pytest.mark.parametrize(
    ("content", "sure"),
    [(Content.icon(Feature.TAVERN), 0.99), (BLANK, 0.99), (TWO, SURE - 0.01)],
    ids=str,
)
def test_icons_blanks_and_unsure_readings_are_not_kept(content: Content, sure: float) -> None:
    holes = PlayedHoles()
    holes.add(1, filmed(content, ONE)[0], seen(content, ONE, sure))
    assert len(holes) == 0


def test_of_one_content_at_one_key_the_newest_few_are_kept() -> None:
    holes = game(*[(TWO, ONE)] * (MOST_OF_ONE + 3), (LADY, ONE), (TWO, OTHER))
    assert len(holes) == MOST_OF_ONE + 2
    shown = dict.fromkeys(range(1, MOST_OF_ONE + 4), TWO)
    assert [one.seq for one in holes.standing(shown)] == list(range(4, MOST_OF_ONE + 4))


def test_no_more_than_the_card_is_kept_of_a_frame() -> None:
    (kept,) = game((TWO, ONE)).standing({1: TWO})
    rows, columns = kept.picture.shape[:2]
    whole = filmed(TWO, ONE)[0]
    assert rows < whole.shape[0]
    assert columns < whole.shape[1]
    assert kept.picture.base is None  # A view would keep all of the frame.
