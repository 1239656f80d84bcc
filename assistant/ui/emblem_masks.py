"""Small pictures made from outlines, as masks: white where there is ink."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image, ImageDraw

from assistant.present.emblems import Emblem

_SIDE_PX = 96
_OVER = 3


def emblem_masks(emblems: Mapping[str, Emblem]) -> dict[str, Image.Image]:
    """Return each emblem as a square mask ("L"), large enough to be made smaller."""
    return {word: _mask(emblem) for word, emblem in emblems.items()}


def _mask(emblem: Emblem) -> Image.Image:
    side = _SIDE_PX * _OVER
    image = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(image)
    for patch in emblem:
        points = [((x * 0.94 + 1) / 2 * side, (y * 0.94 + 1) / 2 * side) for x, y in patch.points]
        draw.polygon(points, fill=255 if patch.ink else 0)
    return image.resize((_SIDE_PX, _SIDE_PX), Image.Resampling.BOX)
