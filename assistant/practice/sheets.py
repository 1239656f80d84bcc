"""The practice deck to print and cut: a PDF, true to size, fronts and backs that match.

Cards stand in rows of four with small gaps. The page after each sheet of fronts holds their backs
in mirrored order, so that a printer that turns the paper over its long edge puts each back behind
its front. Cut marks stand at the corners, the keyholes are outlined on both sides, and a ruler of
100 mm tells whether the printer kept the scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from assistant.core.terms import Feature, Location
from assistant.practice.deck import PracticeDeck
from assistant.practice.faces import (
    Face,
    fog,
    key_back,
    key_front,
    keyhole_outline,
    keyholes,
    rendezvous_back,
    rendezvous_face,
    stealth_back,
    stealth_face,
    youth_back,
    youth_face,
)
from assistant.practice.marks import PAPER, Anchor, Fill, Mark, Points, Stroke
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM

_FONT = "GentiumBasic-Bold"

COLUMNS, ROWS = 4, 3
GAP_MM = 3.0
TOP_MM = 14.0
RULER_MM = 100.0

_CUT_GREY = 0.45


class Paper(Enum):
    """A size of paper; the value is its name, `size_mm` its width and height."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height in mm, upright."""
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)


@dataclass(frozen=True, slots=True)
class _Printed:
    """A card to print: both sides, and where to cut its hole, in mm on the back, if it has one."""

    front: Face
    back: Face
    hole: Points | None = None


def sheets(out: Path | BinaryIO, deck: PracticeDeck, paper: Paper = Paper.A4) -> int:
    """Write the PDF of a deck to a file or an open binary stream; return its number of pages.

    The same deck and paper give the same bytes.

    Raises:
        OSError: the file cannot be written.
    """
    _load_font()
    canvas = Canvas(
        str(out) if isinstance(out, Path) else out,
        pagesize=tuple(side * mm for side in paper.size_mm),
        invariant=1,
    )
    canvas.setTitle("Bystander practice deck")
    canvas.setAuthor("Bystander")
    cards = iter(_cards(deck))
    pages = 0
    while sheet := list(islice(cards, COLUMNS * ROWS)):
        for is_back in (False, True):
            _draw_page(canvas, sheet, paper, is_back=is_back, number=pages // 2 + 1)
            canvas.showPage()
            pages += 1
    canvas.save()
    return pages


def card_left_top_mm(place: int, paper: Paper, *, is_back: bool) -> tuple[float, float]:
    """Return where the top left corner of the card at a place (0 to 11) lies on its page, in mm."""
    row, column = divmod(place, COLUMNS)
    if is_back:
        column = COLUMNS - 1 - column
    block = COLUMNS * CARD_WIDTH_MM + (COLUMNS - 1) * GAP_MM
    left = (paper.size_mm[0] - block) / 2
    return left + column * (CARD_WIDTH_MM + GAP_MM), TOP_MM + row * (CARD_HEIGHT_MM + GAP_MM)


def ruler_left_mm(paper: Paper) -> tuple[float, float]:
    """Return where the ruler's zero lies on every front page, in mm from the top left."""
    return (paper.size_mm[0] - RULER_MM) / 2, paper.size_mm[1] - 16.0


def _cards(deck: PracticeDeck) -> Iterator[_Printed]:
    for place in Location:
        outline = keyhole_outline(keyholes()[place])
        yield _Printed(key_front(place), key_back(place), outline)
    yield _Printed(fog(deck.fog), fog(deck.fog))
    for place in Location:
        yield _Printed(youth_face(deck.youth[place]), youth_back())
    for feature in Feature:
        yield _Printed(rendezvous_face(deck.rendezvous[feature]), rendezvous_back())
    for place in Location:
        card = deck.stealth[place]
        yield _Printed(stealth_face(card), stealth_back(card))


def _load_font() -> None:
    if _FONT in pdfmetrics.getRegisteredFontNames():
        return
    with resources.as_file(
        resources.files("assistant.data").joinpath(f"fonts/{_FONT}.ttf")
    ) as path:
        pdfmetrics.registerFont(TTFont(_FONT, str(path)))


def _draw_page(
    canvas: Canvas, sheet: Sequence[_Printed], paper: Paper, *, is_back: bool, number: int
) -> None:
    canvas.saveState()
    # From here on: mm from the top left corner, y down, as the card sides are measured.
    canvas.translate(0, paper.size_mm[1] * mm)
    canvas.scale(mm, -mm)
    for place, card in enumerate(sheet):
        left, top = card_left_top_mm(place, paper, is_back=is_back)
        canvas.saveState()
        canvas.translate(left, top)
        _clip_to_card(canvas)
        _draw(canvas, card.back if is_back else card.front)
        if card.hole is not None:
            _draw_hole(canvas, card.hole, is_back=is_back)
        canvas.restoreState()
        _draw_cut_marks(canvas, left, top)
    side = "backs" if is_back else "fronts"
    _say(
        canvas, (paper.size_mm[0] / 2, 8.0), f"Bystander practice deck, sheet {number}, {side}", 3.4
    )
    if not is_back:
        _draw_ruler(canvas, paper)
        _draw_instructions(canvas, paper)
    canvas.restoreState()


def _clip_to_card(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(0, 0, CARD_WIDTH_MM, CARD_HEIGHT_MM)
    canvas.clipPath(path, stroke=0, fill=0)


def _draw(canvas: Canvas, marks: Iterable[Mark]) -> None:
    for mark in marks:
        red, green, blue = (1.0, 1.0, 1.0) if mark.rgb == PAPER else (v / 255 for v in mark.rgb)
        if isinstance(mark, Fill):
            canvas.setFillColorRGB(red, green, blue)
            canvas.drawPath(_path(canvas, mark.points, closed=True), stroke=0, fill=1)
        elif isinstance(mark, Stroke):
            canvas.setStrokeColorRGB(red, green, blue)
            canvas.setLineWidth(mark.width_mm)
            canvas.setLineJoin(1)
            canvas.setLineCap(1)
            canvas.drawPath(_path(canvas, mark.points, closed=mark.closed), stroke=1, fill=0)
        else:
            canvas.setFillColorRGB(red, green, blue)
            at = mark.x_mm, mark.baseline_mm
            _say(canvas, at, mark.text, mark.size_mm, mark.anchor, turned=mark.turned)


def _path(canvas: Canvas, points: Points, *, closed: bool) -> object:
    path = canvas.beginPath()
    path.moveTo(*points[0])
    for x, y in points[1:]:
        path.lineTo(x, y)
    if closed:
        path.close()
    return path


def _say(
    canvas: Canvas,
    at_mm: tuple[float, float],
    text: str,
    size_mm: float,
    anchor: Anchor = Anchor.MIDDLE,
    *,
    turned: bool = False,
) -> None:
    canvas.saveState()
    canvas.translate(*at_mm)
    # The page is turned upside down for the measures' sake; letters must stand.
    canvas.scale(*((-1, 1) if turned else (1, -1)))
    canvas.setFont(_FONT, size_mm)
    draw = {
        Anchor.LEFT: canvas.drawString,
        Anchor.MIDDLE: canvas.drawCentredString,
        Anchor.RIGHT: canvas.drawRightString,
    }[anchor]
    draw(0, 0, text)
    canvas.restoreState()


def _draw_hole(canvas: Canvas, outline: Points, *, is_back: bool) -> None:
    points = outline if is_back else tuple((CARD_WIDTH_MM - x, y) for x, y in outline)
    canvas.setStrokeGray(_CUT_GREY)
    canvas.setLineWidth(0.15)
    canvas.setDash(1.0, 0.6)
    canvas.setFillGray(1)
    canvas.drawPath(_path(canvas, points, closed=True), stroke=1, fill=1)
    canvas.setDash()


def _draw_cut_marks(canvas: Canvas, left: float, top: float) -> None:
    canvas.setStrokeGray(_CUT_GREY)
    canvas.setLineWidth(0.1)
    for x, away_x in ((left, -1), (left + CARD_WIDTH_MM, 1)):
        for y, away_y in ((top, -1), (top + CARD_HEIGHT_MM, 1)):
            canvas.line(x + away_x * 0.3, y, x + away_x * 1.3, y)
            canvas.line(x, y + away_y * 0.3, x, y + away_y * 1.3)


def _draw_ruler(canvas: Canvas, paper: Paper) -> None:
    left, y = ruler_left_mm(paper)
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    canvas.setLineWidth(0.2)
    canvas.line(left, y, left + RULER_MM, y)
    for step in range(int(RULER_MM) + 1):
        length = 4.0 if step % 10 == 0 else 2.6 if step % 5 == 0 else 1.6
        canvas.line(left + step, y, left + step, y - length)
    for step in (0, 50, 100):
        _say(canvas, (left + step, y - 5.0), str(step), 3.0)
    _say(canvas, (left + RULER_MM + 6.0, y), "mm", 3.0)


def _draw_instructions(canvas: Canvas, paper: Paper) -> None:
    _, ruler_y = ruler_left_mm(paper)
    lines = (
        "Print at 100 % (not “fit to page”) on both sides of stiff paper, over the long edge.",
        "The ruler must measure 100 mm and a card 44 by 68 mm. Cut along the marks; cut the dashed",
        "keyholes out. To play: lay a card on a key, align them, and flip both over together.",
    )
    canvas.setFillGray(0.15)
    first = ruler_y - 24.0
    for k, line in enumerate(lines):
        _say(canvas, (paper.size_mm[0] / 2, first + 4.6 * k), line, 3.5)
