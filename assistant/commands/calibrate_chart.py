"""A picture of what was learnt: the seven icons, and the eleven keyholes on one card's outline."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from assistant.core.terms import Feature, Location
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Keyhole
from assistant.vision.glyphs import Glyph
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Side

_PAPER, _CARD, _INK, _GOOD = "#f4ecd8", "#fffaf0", "#2b2118", "#3f7a3a"
#: Lines of what is not learnt, and words that matter less.
_FAINT, _SOFT = "#b9a987", "#75654b"
_TILE_PX, _GAP_PX = 44, 6
#: Drawn so much larger and shrunk, for smooth edges.
_FINE = 3


def learnt_chart(profile: CardProfile, size_px: tuple[int, int], times: int = 1) -> Image.Image:
    """Return the chart, laid out for (width, height) px and drawn so many times as large."""
    width, height = size_px
    chart = Image.new("RGB", (width * _FINE, height * _FINE), _PAPER)
    draw = ImageDraw.Draw(chart)
    glyphs = {glyph.content.feature: glyph for glyph in profile.glyphs if glyph.content.feature}
    for number, feature in enumerate(Feature):
        _tile(chart, draw, number * (_TILE_PX + _GAP_PX), glyphs.get(feature))
    top = _TILE_PX + 12
    card_px = height - top
    backs = {face.location for face in profile.faces if face.side is Side.BACK}
    _holes(chart, profile.keyholes.items(), backs, top, card_px)
    left = round(card_px * CARD_WIDTH_MM / CARD_HEIGHT_MM) + 18
    lines = (
        (f"{len(glyphs)} of {len(Feature)} icons", _INK),
        (f"{len(backs)} of {len(Location)} keyholes,", _INK),
        ("all as seen from the back", _SOFT),
    )
    for number, (text, colour) in enumerate(lines):
        at = left * _FINE, (top + 8 + 22 * number) * _FINE
        draw.text(at, text, fill=colour, font=_font(15 * _FINE))
    return chart.resize((width * times, height * times), Image.Resampling.LANCZOS)


def _tile(chart: Image.Image, draw: ImageDraw.ImageDraw, left: int, glyph: Glyph | None) -> None:
    """Draw one icon on a piece of paper; a dot where it is not known."""
    side = _TILE_PX * _FINE
    box = (left * _FINE, 0, left * _FINE + side, side)
    draw.rounded_rectangle(box, 5 * _FINE, fill=_CARD, outline=_FAINT, width=_FINE)
    if glyph is None:
        middle, dot = (left * _FINE + side // 2, side // 2), 3 * _FINE
        draw.ellipse(
            (middle[0] - dot, middle[1] - dot, middle[0] + dot, middle[1] + dot), outline=_FAINT
        )
        return
    rows, columns = glyph.ink.shape
    scale = 0.76 * side / max(rows, columns)
    size = max(1, round(columns * scale)), max(1, round(rows * scale))
    cover = Image.fromarray(np.rint(glyph.ink * 255).astype(np.uint8)).resize(size)
    at = box[0] + (side - size[0]) // 2, (side - size[1]) // 2
    chart.paste(Image.new("RGB", size, _INK), at, cover)


def _holes(
    chart: Image.Image,
    holes: Iterable[tuple[Location, Keyhole]],
    known: set[Location],
    top: int,
    card_px: int,
) -> None:
    """Draw the holes on one card's outline: those of keys whose back is known are filled."""
    scale = card_px * _FINE / CARD_HEIGHT_MM
    size = round(CARD_WIDTH_MM * scale), card_px * _FINE
    at = 0, top * _FINE
    draw = ImageDraw.Draw(chart)
    corner = size[0] - 1, at[1] + size[1] - 1
    draw.rounded_rectangle((*at, *corner), 3 * scale, fill=_CARD, outline=_INK, width=_FINE)
    window = np.ones((2 * _FINE - 1, 2 * _FINE - 1), np.uint8)
    for location, hole in sorted(holes, key=lambda entry: entry[0] in known):
        inside = hole.mask(0.0, 0.0, size[::-1], scale)
        cover = inside if location in known else cv2.dilate(inside, window) - inside
        colour = _GOOD if location in known else _FAINT
        chart.paste(Image.new("RGB", size, colour), at, Image.fromarray(cover))


def _font(size: int) -> ImageFont.FreeTypeFont:
    file = resources.files("assistant.data") / "fonts" / "GentiumBasic-Bold.ttf"
    with resources.as_file(file) as path:
        return ImageFont.truetype(str(path), size)
