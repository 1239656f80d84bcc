"""The README's film and pictures show what is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from assistant.core.terms import Content, Location
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from tests.readme_pictures import SETTINGS, advice, read, still

PICTURES = Path(__file__).resolve().parents[1] / "fixtures" / "pictures"


def test_the_table_that_is_called_good_is_read_right() -> None:
    sighting = read(still(SETTINGS["good"][1]))
    shown = PracticeDeck(load_board(), seed=1).youth[Location.SOUTHWARK].shows(Location.CORNHILL)
    assert isinstance(shown, Content)
    assert (sighting.location, sighting.content) == (Location.CORNHILL, shown)


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("far", {"small"}),
        ("glare", {"glare"}),
        ("dark", {"dark"}),
        ("blurred", {"blurred"}),
        # From so low many things are wrong at once; which is told first does not matter.
        ("tilted", {"which-key", "small", "blurred", "no-key", "unlike", "unsure"}),
    ],
)
def test_the_others_are_not_read_and_the_reason_is_the_one_in_the_caption(
    name: str, reasons: set[str]
) -> None:
    sighting = read(still(SETTINGS[name][1]))
    assert sighting.content is None
    assert sighting.reason is not None
    assert sighting.reason.value in reasons


def test_the_sheet_has_all_of_them(tmp_path: Path) -> None:
    advice(tmp_path / "sheet.jpg")
    with Image.open(tmp_path / "sheet.jpg") as drawn:
        size = drawn.size
    with Image.open(PICTURES / "camera-and-lamp.jpg") as kept:
        assert kept.size == size


def test_the_film_is_short_and_small() -> None:
    path = PICTURES / "film.webp"
    assert path.stat().st_size <= 2_000_000
    seconds = 0.0
    with Image.open(path) as film:
        frames = getattr(film, "n_frames", 1)
        for number in range(frames):
            film.seek(number)
            film.load()
            seconds += film.info["duration"] / 1000
    assert 50 < frames < 300
    assert 10 < seconds < 45
