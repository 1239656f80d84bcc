"""The drawn map: whatever is known, names and shares stand clear of each other and of the edges."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import pytest

from assistant.commands.play_window import small_pictures
from assistant.core.board import Point
from assistant.present.lights import Layer
from assistant.present.table_map import TableMap, table_map
from assistant.ui.emblem_masks import emblem_masks
from assistant.ui.map_picture import draw_map
from assistant.ui.map_sheet import Font, Fonts, MapLook, MapSheet
from assistant.ui.palettes import LIGHT
from tests.assistant.present.games import STARTED, Played
from tests.assistant.ui.play_driver import FONT

Box = tuple[float, float, float, float]

#: As many as a place can have, as wide as they can be.
SHARES = {Layer.YOUTH: 0.33, Layer.RENDEZVOUS: 0.33, Layer.LADY: 0.33}


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize(
    ("size", "letters"), [((811, 535), 1.0), ((1600, 1100), 1.0), ((678, 460), 1.5)]
)
def test_no_name_or_share_covers_another_or_is_cut(
    layers: int, size: tuple[int, int], letters: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, Box]] = []

    def noted(
        sheet: MapSheet, text: str, at: Point, font: Font, ink: str, *, anchor: str = "mm"
    ) -> None:
        written.append((text, sheet.draw.textbbox(at, text, font=font, anchor=anchor)))

    monkeypatch.setattr(MapSheet, "words", noted)
    look = MapLook(LIGHT, Fonts(FONT), emblem_masks(small_pictures()), letters)
    table = everywhere(layers)
    draw_map(table, look, size)
    sheet = MapSheet(table, look, size).image.size
    assert len(written) == len(table.places) * (1 + layers)
    for text, (left, top, right, bottom) in written:
        assert left >= 0, text
        assert top >= 0, text
        assert right <= sheet[0], text
        assert bottom <= sheet[1], text
    covered = [(a, b) for (a, one), (b, other) in combinations(written, 2) if meet(one, other)]
    assert covered == []


def everywhere(layers: int) -> TableMap:
    """Return a map on which so many layers are possible at every place."""
    table = table_map(Played(STARTED).state)
    shares = dict(list(SHARES.items())[:layers])
    places = tuple(
        dataclasses.replace(place, shares=shares, levels=dict.fromkeys(shares, 1.0))
        for place in table.places
    )
    return dataclasses.replace(table, places=places, known=frozenset(shares))


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes have a point in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
