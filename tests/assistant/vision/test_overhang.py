from __future__ import annotations

import numpy as np
import pytest

from assistant.vision.geometry import card_to_picture
from assistant.vision.overhang import sticks_out
from assistant.vision.sighting import Picture

CORNERS = ((400.0, 150.0), (620.0, 150.0), (620.0, 490.0), (400.0, 490.0))
PX_PER_MM = 5.0
PAPER, CLOTH = (200, 215, 225), (60, 120, 40)


def stack(right_mm: float, table: tuple[int, int, int] = CLOTH) -> Picture:
    """Return a key whose lower card sticks out to the right by so much."""
    picture = np.full((720, 1280, 3), table, np.uint8)
    picture[150:490, 400 : 620 + round(right_mm * PX_PER_MM)] = PAPER
    return picture


@pytest.mark.parametrize(("right_mm", "out"), [(0.0, False), (1.5, False), (5.0, True)])
def test_a_card_in_line_does_not_stick_out_and_one_far_off_does(right_mm: float, out: bool) -> None:
    assert sticks_out(stack(right_mm), card_to_picture(CORNERS)) is out


def test_on_a_table_like_paper_nothing_is_claimed() -> None:
    assert not sticks_out(stack(5.0, table=(196, 212, 222)), card_to_picture(CORNERS))


def test_beyond_the_picture_nothing_is_claimed() -> None:
    outside = tuple((x + 660, y) for x, y in CORNERS)
    assert not sticks_out(stack(0.0), card_to_picture(outside))
