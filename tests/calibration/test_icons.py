"""Icons cut out of fronts: whole where a keyhole bites into them, without their neighbours."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Feature, Location
from assistant.data import load_keys
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.glyphs import FRONT_MARGIN_MM, GLYPH_PX_PER_MM
from assistant.vision.keyhole_places import mirrored
from calibration.icons import whole_icons

FACTS = load_keys()
HOLES = keyholes_from_facts(FACTS)
Grey = npt.NDArray[np.uint8]

#: The rural icon is printed on two keys; the hole of one is cut into it.
BITTEN, WHOLE = Location.CLERKENWELL, Location.SHOREDITCH


def box_of(location: Location) -> tuple[float, float, int, int]:
    """Return left and top in mm, rows and columns in px, of the rural icon's patch."""
    icon = next(i for i in FACTS["keys"][location.value]["icons"] if i["feature"] == "rural")
    (x, y), (width, height) = icon["centre_mm"], icon["size_mm"]
    rows = round((height + 2 * FRONT_MARGIN_MM) * GLYPH_PX_PER_MM)
    columns = round((width + 2 * FRONT_MARGIN_MM) * GLYPH_PX_PER_MM)
    return x - width / 2 - FRONT_MARGIN_MM, y - height / 2 - FRONT_MARGIN_MM, rows, columns


def drawn(location: Location, shift_px: tuple[int, int] = (0, 0), light: float = 1.0) -> Grey:
    """Return a ring with a spoke on paper, where the rural icon is."""
    _, _, rows, columns = box_of(location)
    patch = np.full((rows, columns), 200, np.uint8)
    centre = columns // 2 + shift_px[0], rows // 2 + shift_px[1]
    cv2.circle(patch, centre, 36, (40,), 14)
    cv2.line(patch, centre, (centre[0] + 30, centre[1] - 20), (40,), 8)
    soft = np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.0), np.float32)
    return np.asarray(np.rint(soft * light), np.uint8)


def bitten(patch: Grey, through: int) -> Grey:
    left, top, rows, columns = box_of(BITTEN)
    inside = mirrored(HOLES[BITTEN]).mask(left, top, (rows, columns), GLYPH_PX_PER_MM) > 0
    assert inside.sum() > 500
    out = patch.copy()
    out[inside] = through
    return out


@pytest.mark.parametrize("through", [20, 120, 250])
def test_a_bite_is_filled_with_the_print_of_another_key_whatever_shows_through(
    through: int,
) -> None:
    true = drawn(BITTEN)
    seen = {
        (Feature.RURAL, BITTEN): [bitten(true, through)],
        (Feature.RURAL, WHOLE): [drawn(WHOLE, shift_px=(6, -4), light=0.8)],
    }
    made = whole_icons(seen, FACTS, HOLES)[Feature.RURAL]
    apart = np.abs(made[0].astype(int) - true.astype(int))
    assert float(apart.mean()) < 8
    assert float((apart > 80).mean()) < 0.02


def test_every_key_counts_once_however_often_it_was_shown() -> None:
    seen = {
        (Feature.RURAL, BITTEN): [drawn(BITTEN)] * 3,
        (Feature.RURAL, WHOLE): [drawn(WHOLE)],
    }
    assert len(whole_icons(seen, FACTS, HOLES)[Feature.RURAL]) == 2


def test_an_icon_that_one_key_shows_stays_as_it_is_seen() -> None:
    true = drawn(WHOLE)
    made = whole_icons({(Feature.RURAL, WHOLE): [true]}, FACTS, HOLES)[Feature.RURAL]
    assert np.abs(made[0].astype(int) - true).mean() < 4


def test_a_neighbours_print_at_the_patchs_rim_is_left_out() -> None:
    true = drawn(WHOLE)
    beside = true.copy()
    beside[30:80, 0:7] = 40
    made = whole_icons({(Feature.RURAL, WHOLE): [beside]}, FACTS, HOLES)[Feature.RURAL]
    assert made[0][30:80, 0:7].min() > 150
    assert np.abs(made[0].astype(int) - true).mean() < 4
