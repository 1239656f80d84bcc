"""How much current the lights draw, and how it is kept within a budget."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.current import highest_brightness, limited_loop
from hardware.lights import DARK, LightFrame, Loop, Rgb, Step, dark

WHITE = Rgb(255, 255, 255)


def milliamps(frame: LightFrame) -> Fraction:
    """What the lights draw, exactly: 1 mA each when dark, and 20 mA a diode at its full duty."""
    duties = [
        Fraction(channel * frame.brightness, 255 * 255) for c in frame.colours for channel in c
    ]
    return len(frame.colours) + 20 * sum(duties, Fraction())


frames = st.builds(
    LightFrame,
    st.lists(st.builds(Rgb, *[st.integers(0, 255)] * 3), min_size=1, max_size=40).map(tuple),
    st.integers(0, 255),
)


@pytest.mark.parametrize(
    ("lights", "unlimited_ma", "at_400", "at_200"), [(11, 671, 150, 73), (33, 2013, 47, 21)]
)
def test_white_boards_draw_and_are_dimmed_to_the_printed_figures(
    lights: int, unlimited_ma: int, at_400: int, at_200: int
) -> None:
    frame = LightFrame((WHITE,) * lights)
    assert milliamps(frame) == unlimited_ma
    assert highest_brightness(frame, 400) == at_400
    assert highest_brightness(frame, 200) == at_200


@given(frames, st.integers(50, 1000))
def test_no_frame_draws_more_than_the_budget_and_none_is_dimmed_for_nothing(
    frame: LightFrame, budget_ma: int
) -> None:
    kept = limited_loop(Loop.steady(frame), budget_ma).at(0.0)
    assert kept.colours == frame.colours
    assert kept.brightness <= frame.brightness
    assert milliamps(kept) <= max(budget_ma, len(frame.colours))
    if kept.brightness < frame.brightness:
        brighter = LightFrame(frame.colours, kept.brightness + 1)
        assert milliamps(brighter) > budget_ma


def test_a_budget_below_the_lights_own_need_leaves_them_dark() -> None:
    assert highest_brightness(LightFrame((WHITE,) * 33), 20) == 0
    assert highest_brightness(dark(33), 20) == 255


def test_a_loop_keeps_one_brightness_so_that_the_board_does_not_pump() -> None:
    few = LightFrame((WHITE, *[DARK] * 32))
    many = LightFrame((WHITE,) * 33)
    loop = limited_loop(Loop((Step(few, 0.2), Step(many, 0.2))), 200)
    assert [step.frame.brightness for step in loop.steps] == [21, 21]


def test_a_loop_tells_its_frame_at_any_time() -> None:
    first, second = dark(1), LightFrame((WHITE,))
    loop = Loop((Step(first, 0.5), Step(second, 1.0)))
    told = [loop.at(at_s) for at_s in (0.0, 0.49, 0.5, 1.49, 1.5, 301.2)]
    assert told == [first, first, second, second, first, second]
    assert loop.period_s == 1.5
    assert not loop.is_steady
    assert Loop.steady(second).is_steady


def test_values_that_fit_no_byte_are_refused() -> None:
    with pytest.raises(ValueError, match="0 to 255"):
        LightFrame((Rgb(256, 0, 0),))
    with pytest.raises(ValueError, match="one light"):
        LightFrame(())
    with pytest.raises(ValueError, match="take time"):
        Loop((Step(dark(1), 0.0),))
