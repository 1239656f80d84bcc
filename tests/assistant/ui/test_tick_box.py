"""The boxes of check buttons: a tick in the colour of what is chosen, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.ui.palettes import PALETTES, Palette, rgb
from assistant.ui.tick_box import tick_box


def near(picture: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """Return which px have about a colour; (height, width) bool."""
    return np.asarray(np.abs(picture.astype(int) - colour).max(axis=2) < 24)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=str)
@pytest.mark.parametrize("side", [13, 23, 46])
def test_only_what_is_chosen_has_a_tick_and_it_is_no_cross(palette: Palette, side: int) -> None:
    empty, ticked = (np.asarray(tick_box(side, palette, is_ticked=on)) for on in (False, True))
    inner = slice(2, side - 2)
    assert near(empty[inner, inner], rgb(palette.panel)).all()
    assert near(ticked, rgb(palette.accent)).mean() > 0.5
    ink = near(ticked, rgb(palette.accent_ink))
    assert ink.any()
    # A tick has its long arm at the upper right, and none at the upper left as a cross has.
    third = slice(2, side // 3)
    right = slice(side - side // 3 - 1, side - 2)
    assert near(ticked[third, third], rgb(palette.accent)).all()
    assert not near(ticked[2 : side // 2, right], rgb(palette.accent)).all()
