"""The two sets of colours of the play window: parchment by day, ink by night.

The layers' colours keep their meaning in both: amber the Youth, azure the rendezvous, red the Lady.
They were chosen with the LED board's, for eyes that tell no red from green too; shape and hatch say
the same.
"""

from __future__ import annotations

from dataclasses import dataclass

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they mean; "#rrggbb"."""

    name: str
    window: str
    panel: str
    paper: str
    ink: str
    faint: str
    line: str
    accent: str
    accent_ink: str
    button: str
    button_over: str
    warn: str
    water: str
    water_line: str
    road: str
    road_edge: str
    youth: str
    rendezvous: str
    lady: str
    rings: tuple[tuple[str, str], ...]

    def ring(self, colour: str) -> str:
        """Return the paint of a ring by the board's name of its colour."""
        return dict(self.rings)[colour]


LIGHT = Palette(
    name="light",
    window="#efe7d6",
    panel="#f8f3e7",
    paper="#f6efdd",
    ink="#2a2118",
    faint="#7d715f",
    line="#d3c6a9",
    accent="#7a3b2e",
    accent_ink="#fff8ea",
    button="#e6dbc3",
    button_over="#dccfae",
    warn="#9a4a12",
    water="#c3d6dd",
    water_line="#9db9c4",
    road="#b89f74",
    road_edge="#8f7a54",
    youth="#d97800",
    rendezvous="#0a6fd0",
    lady="#a8142c",
    rings=(
        ("blue", "#5f7fb5"),
        ("green", "#5f8f4e"),
        ("grey", "#858585"),
        ("purple", "#8f629f"),
        ("red", "#b3503f"),
    ),
)

DARK = Palette(
    name="dark",
    window="#1b1814",
    panel="#24201a",
    paper="#221e18",
    ink="#f0e6d2",
    faint="#a2937b",
    line="#453d31",
    accent="#d08a5a",
    accent_ink="#1b1410",
    button="#363026",
    button_over="#463e31",
    warn="#f0a050",
    water="#25404d",
    water_line="#3b6070",
    road="#7b6a4c",
    road_edge="#4c412f",
    youth="#ffae2e",
    rendezvous="#5ab0ff",
    lady="#ff5b73",
    rings=(
        ("blue", "#7f9fd8"),
        ("green", "#7fb26a"),
        ("grey", "#a5a5a5"),
        ("purple", "#b487c6"),
        ("red", "#d8735f"),
    ),
)

PALETTES = {palette.name: palette for palette in (LIGHT, DARK)}


def rgb(paint: str) -> Rgb:
    """Return "#rrggbb" as three numbers."""
    return int(paint[1:3], 16), int(paint[3:5], 16), int(paint[5:7], 16)


def mixed(start: str, end: str, share: float) -> str:
    """Return a colour between two."""
    mix = (round(a + (b - a) * share) for a, b in zip(rgb(start), rgb(end), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mix)
