"""What is told of the keys that were seen, and when two frames say the same."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from assistant.core.terms import BLANK, Content, Feature, Location
from assistant.vision.geometry import Homography
from assistant.vision.scene import Scene
from assistant.vision.sighting import Corners, Picture, Reason, Side, Sighting
from assistant.vision.told import Seen, claims_same, told
from tests.assistant.vision.test_claim_decisions import at

CHURCH = Content.icon(Feature.CHURCH)
HERE: Corners = ((100.0, 50.0), (320.0, 50.0), (320.0, 390.0), (100.0, 390.0))


@dataclass(frozen=True, eq=False)
class Card:
    """A key that lies in the picture, its top left corner at (100, 50) px, 5 px per mm."""

    location: Location | None = Location.CORNHILL
    side: Side = Side.BACK
    homography: Homography = field(default_factory=lambda: at(100, 50))


def even(level: int) -> Picture:
    return np.full((240, 320, 3), level, np.uint8)


LIGHT = Scene(even(120))


def test_the_first_key_seen_is_told_and_the_others_counted() -> None:
    first = Seen(Card(), CHURCH, 0.9)
    others = [Seen(Card(Location.SOUTHWARK), BLANK, 0.99), Seen(Card(None), reason=Reason.GLARE)]
    only = Sighting(Location.CORNHILL, Side.BACK, HERE, CHURCH, 0.9)
    assert told(LIGHT, [first]) == only
    assert told(LIGHT, [first, *others]) == replace(only, others=2)


def test_of_a_key_whose_name_is_not_known_no_place_is_told() -> None:
    for side in Side:
        nameless = Seen(Card(None, side), reason=Reason.WHICH_KEY)
        assert told(LIGHT, [nameless]) == Sighting(reason=Reason.WHICH_KEY)


@pytest.mark.parametrize(
    ("level", "reason"), [(34, Reason.DARK), (36, Reason.NO_KEY), (120, Reason.NO_KEY)]
)
def test_where_no_key_is_seen_no_back_is_told_of_unless_one_was(level: int, reason: Reason) -> None:
    assert told(Scene(even(level)), []) == Sighting(reason=reason)
    nameless = told(Scene(even(level)), [], unnamed=True)
    assert nameless == Sighting(reason=Reason.WHICH_KEY)


def test_the_grain_of_a_dark_picture_does_not_light_it() -> None:
    rows, columns = np.indices((240, 320)) // 4
    grain = np.where((rows + columns) % 2, 60, 0).astype(np.uint8)
    assert told(Scene(np.dstack([grain] * 3)), []).reason is Reason.DARK


SAID = Sighting(Location.CORNHILL, Side.BACK, HERE, CHURCH, 0.9)


@pytest.mark.parametrize(
    ("now", "same"),
    [
        (SAID, True),
        (replace(SAID, confidence=0.7), True),
        (replace(SAID, corners=(HERE[1], HERE[2], HERE[3], HERE[0])), True),
        (replace(SAID, others=1), True),
        (replace(SAID, content=BLANK), False),
        (replace(SAID, location=Location.SOUTHWARK), False),
        (replace(SAID, content=None, confidence=None, reason=Reason.GLARE), False),
    ],
    ids=["all", "surer", "turned", "another beside it", "content", "place", "nothing read"],
)
def test_a_claim_is_the_same_when_place_content_and_reason_are(now: Sighting, same: bool) -> None:
    assert claims_same(now, SAID) is same
    assert claims_same(SAID, now) is same


def test_two_reasons_are_two_claims_and_the_first_frame_is_like_none() -> None:
    dark, bare = Sighting(reason=Reason.DARK), Sighting(reason=Reason.NO_KEY)
    assert claims_same(dark, dark)
    assert not claims_same(dark, bare)
    assert not claims_same(dark, None)


@pytest.mark.parametrize(
    ("other", "like"),
    [
        (Seen(Card(Location.SOUTHWARK), CHURCH, 0.7), True),
        (Seen(Card(), BLANK, 0.9), False),
        (Seen(Card(), reason=Reason.COVERED), False),
    ],
)
def test_two_readings_are_alike_when_they_say_the_same_of_the_hole(
    other: Seen[Card], like: bool
) -> None:
    assert Seen(Card(), CHURCH, 0.9).is_like(other) is like
    assert not Seen(Card(), reason=Reason.GLARE).is_like(other)
