"""The printed sheets: true to size, and backs behind their fronts."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import Location
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.faces import keyholes
from assistant.practice.sheets import Paper, card_left_top_mm, ruler_left_mm, sheets

DECK = PracticeDeck(load_board(), 1)
PAPERS = pytest.mark.parametrize("paper", Paper, ids=lambda paper: paper.value)

DPI = 254
PX_PER_MM = DPI / 25.4

needs_poppler = pytest.mark.skipif(
    shutil.which("pdftoppm") is None, reason="poppler's pdftoppm is not there to measure with"
)

Grey = npt.NDArray[np.uint8]


def printed(folder: Path, paper: Paper, page: int) -> Grey:
    """Return one page as a printer of 10 dots a mm would print it."""
    pdf = folder / "deck.pdf"
    sheets(pdf, DECK, paper)
    words = ["pdftoppm", "-r", str(DPI), "-gray", "-f", str(page), "-l", str(page), "-singlefile"]
    subprocess.run([*words, str(pdf), str(folder / "page")], check=True, timeout=60)
    found = cv2.imread(str(folder / "page.pgm"), cv2.IMREAD_GRAYSCALE)
    assert found is not None
    return np.asarray(found, np.uint8)


@PAPERS
def test_pages_have_the_size_of_the_paper_and_alternate_fronts_and_backs(paper: Paper) -> None:
    out = io.BytesIO()
    pages = sheets(out, DECK, paper)
    assert pages == 8
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", out.getvalue())
    assert len(boxes) == pages
    width, height = (float(v) / 72 * 25.4 for v in boxes[0])
    expected = (210, 297) if paper is Paper.A4 else (215.9, 279.4)
    assert (width, height) == pytest.approx(expected, abs=0.05)


def test_same_deck_prints_the_same_bytes_and_another_deck_others() -> None:
    first, again, other = io.BytesIO(), io.BytesIO(), io.BytesIO()
    sheets(first, DECK)
    sheets(again, DECK)
    sheets(other, PracticeDeck(load_board(), 2))
    assert first.getvalue() == again.getvalue()
    assert first.getvalue() != other.getvalue()


@PAPERS
@pytest.mark.parametrize("place", range(12))
def test_back_lies_behind_its_front_when_turned_over_the_long_edge(
    paper: Paper, place: int
) -> None:
    left, top = card_left_top_mm(place, paper, is_back=False)
    back_left, back_top = card_left_top_mm(place, paper, is_back=True)
    assert back_top == top
    assert left + 44 + back_left == pytest.approx(paper.size_mm[0])
    # Printers leave some 5 mm free at the edges.
    assert left > 5
    assert left + 44 < paper.size_mm[0] - 5
    assert top > 5
    assert top + 68 < ruler_left_mm(paper)[1] - 20


@needs_poppler
@PAPERS
def test_printed_ruler_measures_100_mm(paper: Paper, tmp_path: Path) -> None:
    page = printed(tmp_path, paper, 1)
    left, y = ruler_left_mm(paper)
    # A row just above the ruler's line crosses every tick.
    columns = slice(round((left - 5) * PX_PER_MM), round((left + 103) * PX_PER_MM))
    row = page[round((y - 1.0) * PX_PER_MM), columns]
    ticks = np.flatnonzero((row[1:] < 140) & (row[:-1] >= 140))
    assert len(ticks) == 101
    assert (ticks[-1] - ticks[0]) / PX_PER_MM == pytest.approx(100, abs=0.15)
    assert np.diff(ticks) == pytest.approx(PX_PER_MM, abs=2)


@needs_poppler
@PAPERS
def test_coloured_header_is_as_wide_as_a_card_and_the_marks_as_far_apart(
    paper: Paper, tmp_path: Path
) -> None:
    page = printed(tmp_path, paper, 1)
    left, top = card_left_top_mm(0, paper, is_back=False)
    row = page[round((top + 1.5) * PX_PER_MM), : round((left + 45.5) * PX_PER_MM)]
    band = np.flatnonzero(row < 240)
    assert (band[-1] - band[0] + 1) / PX_PER_MM == pytest.approx(44, abs=0.2)
    # The cut marks left of the card, above and below: 68 mm apart.
    column = page[: round((top + 70) * PX_PER_MM), round((left - 0.8) * PX_PER_MM)]
    marks = np.flatnonzero(column < 220)
    near = [m for m in marks if abs(m / PX_PER_MM - top) < 1 or abs(m / PX_PER_MM - top - 68) < 1]
    assert (near[-1] - near[0]) / PX_PER_MM == pytest.approx(68, abs=0.3)


@needs_poppler
def test_keyholes_to_cut_lie_behind_each_other_on_both_sides(tmp_path: Path) -> None:
    front, back = (printed(tmp_path, Paper.A4, page) for page in (1, 2))
    turned = back[:, ::-1]
    for k, place in enumerate(Location):
        hole = keyholes()[place]
        left, top = card_left_top_mm(k, Paper.A4, is_back=False)
        # Seen from the front the hole is mirrored.
        x, y = left + 44 - hole.centre_x_mm, top + hole.centre_y_mm
        angles = np.radians(np.arange(180, 361, 2))
        for page in (front, turned):
            rings = {}
            for radius in (hole.radius_mm - 0.8, hole.radius_mm):
                columns = np.round((x + radius * np.cos(angles)) * PX_PER_MM - 0.5).astype(int)
                rows = np.round((y + radius * np.sin(angles)) * PX_PER_MM - 0.5).astype(int)
                rings[radius] = (page[rows, columns] < 235).mean()
            inner, line = rings.values()
            assert inner == 0
            assert line > 0.3
