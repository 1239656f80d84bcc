"""How much current the lights draw, and the brightness that keeps it within a budget.

Each WS2812 takes about 1 mA when dark and at most 20 mA per diode (the safe figure; newer ones take
12 to 19). With n lights and s the sum of all 3 n channel values:

    mA = n + s * brightness / 255 * 20 / 255

The firmware limits by the same sum in whole numbers, so host and board come to the same brightness.
"""

from __future__ import annotations

from dataclasses import replace

from hardware.lights import FULL, LightFrame, Loop, Step

#: A Raspberry Pi Pico asks the port for 250 mA, itself included; that leaves this for the lights.
DEFAULT_BUDGET_MA = 200

#: What a light takes when dark, and a diode at full duty.
DARK_MA, DIODE_MA = 1, 20


def highest_brightness(frame: LightFrame, budget_ma: int) -> int:
    """Return the frame's brightness, or the highest below it that stays within the budget."""
    left_ma = max(budget_ma - len(frame.colours) * DARK_MA, 0)
    total = _channel_sum(frame)
    if total * frame.brightness * DIODE_MA <= left_ma * FULL * FULL:
        return frame.brightness
    return left_ma * FULL * FULL // (DIODE_MA * total)


def limited_loop(loop: Loop, budget_ma: int) -> Loop:
    """Return the loop at the brightness of its hungriest frame.

    One brightness for all: otherwise the whole board would pump when one place fades to white.
    """
    lowest = min(highest_brightness(step.frame, budget_ma) for step in loop.steps)
    return Loop(
        tuple(
            Step(
                replace(step.frame, brightness=min(step.frame.brightness, lowest)), step.duration_s
            )
            for step in loop.steps
        )
    )


def _channel_sum(frame: LightFrame) -> int:
    return sum(sum(colour) for colour in frame.colours)
