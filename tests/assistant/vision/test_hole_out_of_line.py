"""What a card far out of line, or upside down, leaves in the hole: no blank, no icon, no Lady."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assistant.core.terms import Content, Feature, Location
from assistant.practice.faces import LADY_HEIGHT_MM, face_of, keyholes
from assistant.practice.marks import placed
from assistant.practice.shapes import LADY as SILHOUETTE
from assistant.vision.glyphs import built_in_glyphs, glyphs_from_fronts
from assistant.vision.hole import read_hole
from assistant.vision.reader import Reader
from tests.assistant.vision.drawn_stack import KEYHOLE, film, front_patches, laid
from tests.assistant.vision.laid_table import Camera, Ground, filmed, stack
from tests.assistant.vision.practice_profile import practice_profile, practice_table


@pytest.mark.parametrize(
    ("content", "away_mm", "towards_deg"),
    [
        (Content.digit(1), 4.5, 0),
        (Content.digit(1), 5.5, 180),
        (Content.digit(1), 7.5, 90),
        (Content.digit(3), 6.5, 330),
        (Content.icon(Feature.TAVERN), 7.5, 90),
        (Content.icon(Feature.CHURCH), 6.5, 30),
    ],
    ids=str,
)
def test_print_at_the_rim_or_in_the_stem_is_no_blank(
    content: Content, away_mm: float, towards_deg: float
) -> None:
    along = math.radians(towards_deg)
    offset = away_mm * math.cos(along), away_mm * math.sin(along)
    picture, pose = film(laid(content, offset_mm=offset))
    glyphs = glyphs_from_fronts(front_patches()) + built_in_glyphs()
    assert read_hole(picture, pose, KEYHOLE, glyphs).content is None


@pytest.mark.parametrize(
    ("place", "x_mm", "y_mm"),
    [
        (Location.CRIPPLEGATE, -2.2, 1.7),
        (Location.LIBERTY_OF_THE_CLINK, 0.3, 3.1),
        (Location.SHOREDITCH, -1.5, 2.7),
        (Location.BISHOPSGATE, 2.3, 1.7),
        (Location.CLERKENWELL, -3.1, 0.7),
        (Location.BLACKFRIARS, -0.5, 3.3),
    ],
    ids=str,
)
def test_a_lady_upside_down_is_nothing_known_wherever_she_lies(
    place: Location, x_mm: float, y_mm: float
) -> None:
    hole = keyholes()[place]
    at = hole.centre_x_mm, hole.centre_y_mm
    turned = tuple(
        replace(mark, points=tuple((2 * at[0] - x, 2 * at[1] - y) for x, y in mark.points))
        for mark in placed(SILHOUETTE, (at[0] + x_mm, at[1] + y_mm), LADY_HEIGHT_MM)
    )
    reader = Reader(practice_profile())
    for px_per_mm in (4.0, 5.5):
        picture = filmed(Ground.CLOTH, [stack(place, turned)], camera=Camera(px_per_mm=px_per_mm))
        assert reader.read_still(picture).content is None


def test_a_stealth_card_laid_upside_down_never_shows_more_than_blank_paper() -> None:
    reader, deck = Reader(practice_profile()), practice_table().deck
    # Of all cards and keys these show a part of the Lady.
    for place, where in ((Location.SHOREDITCH, Location.CRIPPLEGATE),):
        card = stack(place, face_of(deck.stealth[where]), lower_deg=180.0)
        sighting = reader.read_still(filmed(Ground.CLOTH, [card]))
        assert sighting.location is place
        assert sighting.content is None
