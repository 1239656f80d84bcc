"""Lights drawn with letters, for `--leds console` and the simulator."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.lights import DARK, FULL, Rgb

_PLAIN = "\x1b[0m"


def draw_lights(
    colours: Sequence[Rgb], labels: Sequence[str], *, colour: bool, unicode: bool
) -> list[str]:
    """Return one line per label with its lights in a row; the lights are shared out evenly.

    Without colour a lit light is told by its strongest channel, R, G, B or W, so nothing is lost.

    Args:
        colours: what the lights show.
        labels: what each group of lights belongs to.
        colour: whether the terminal shows 24-bit colours.
        unicode: whether it shows more than ASCII.
    """
    each = max(len(colours) // max(len(labels), 1), 1)
    wide = max((len(label) for label in labels), default=0)
    lines = []
    for number, label in enumerate(labels):
        group = colours[number * each : (number + 1) * each]
        marks = " ".join(_mark(light, colour=colour, unicode=unicode) for light in group)
        lines.append(f"{label:<{wide}}  {marks}".rstrip())
    return lines


def _mark(light: Rgb, *, colour: bool, unicode: bool) -> str:
    if light == DARK:
        return "·" if unicode else "."
    if not colour:
        return _letter(light)
    # A diode at a fifth of its duty is bright to the eye; on a screen it would be near black.
    scale = max(FULL / max(light), 1.0) ** 0.7
    red, green, blue = (min(round(value * scale), FULL) for value in light)
    return f"\x1b[38;2;{red};{green};{blue}m{'●' if unicode else '@'}{_PLAIN}"


def _letter(light: Rgb) -> str:
    if min(light) * 2 > max(light):
        return "W"
    return "RGB"[light.index(max(light))]
