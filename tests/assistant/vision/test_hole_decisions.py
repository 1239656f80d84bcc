"""Each threshold of the hole's reader with a picture on both sides.

The stacks are drawn, then changed step by step from clearly readable to clearly not: made darker,
smaller, tinted, blurred, squeezed, shifted, mixed with another. Each row gives the last step that
is read and the first that is not, with the reason that must be told. What lies between the two is
the reader's own affair; a threshold that moves by more shows here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.terms import BLANK, LADY, Content, Feature
from assistant.vision.geometry import Homography
from assistant.vision.glyphs import built_in_glyphs, glyphs_from_fronts, lady_shapes
from assistant.vision.hole import HoleReader, HoleReading
from assistant.vision.sighting import Reason
from tests.assistant.vision.drawn_stack import (
    KEYHOLE,
    PAPER,
    Ink,
    Stack,
    content_ink,
    film,
    front_patches,
    laid,
)

Film = tuple[npt.NDArray[np.uint8], Homography]
CHURCH, TAVERN = Content.icon(Feature.CHURCH), Content.icon(Feature.TAVERN)
ONE, TWO = Content.digit(1), Content.digit(2)
WOOD = (60.0, 95.0, 140.0)


@pytest.fixture(scope="module")
def reader() -> HoleReader:
    return HoleReader((*built_in_glyphs(), *glyphs_from_fronts(front_patches())))


def _read(reader: HoleReader, filmed: Film) -> HoleReading:
    return reader.read(*filmed, KEYHOLE)


def _coloured(lightness: float, tint: float = 0.0) -> tuple[float, float, float]:
    """Return paper as light as so much of the key's, redder and less blue by a tint."""
    blue, green, red = (channel * lightness for channel in PAPER)
    return blue * (1 - tint), green, red * (1 + tint)


def _card_of(content: Content, lightness: float = 1.0, tint: float = 0.0) -> Film:
    """Film a card of other paper under the key, on a green table."""
    around, pose = film(laid(content, gain=0.7))
    card = laid(content, under="table", table=_coloured(lightness, tint), gain=0.7)
    x, y, w = pose @ np.array([KEYHOLE.centre_x_mm, KEYHOLE.centre_y_mm + 2.5, 1])
    mask = np.zeros(around.shape[:2], np.uint8)
    cv2.circle(mask, (round(x / w), round(y / w)), 37, 1, -1)
    return np.where(mask[..., None] == 1, film(card)[0], around), pose


def _inked(content: Content, strength: float) -> Film:
    ink = content_ink(content)
    assert ink is not None
    return film(replace(laid(content), ink=ink * np.float32(strength)))


def _squeezed(content: Content, across: float, down: float = 1.0) -> Film:
    ink = content_ink(content)
    assert ink is not None
    squeezed = np.asarray(cv2.resize(ink, None, fx=across, fy=down), np.float32)
    return film(replace(laid(content), ink=squeezed))


def _dot(radius_mm: float) -> Film:
    rows, columns = np.mgrid[:120, :120]
    dot = np.hypot(columns - 59.5, rows - 59.5) < radius_mm * 10
    return film(Stack(ink=np.asarray(dot, np.float32)))


def _church_and_tavern(share: float, **how: object) -> Film:
    """Film two icons printed over each other, so much of the ink being the tavern's."""
    church, tavern = content_ink(CHURCH), content_ink(TAVERN)
    assert church is not None
    assert tavern is not None
    rows, columns = np.maximum(church.shape, tavern.shape)

    def framed(ink: Ink) -> Ink:
        top, left = (rows - ink.shape[0]) // 2, (columns - ink.shape[1]) // 2
        below, right = rows - ink.shape[0] - top, columns - ink.shape[1] - left
        return np.asarray(cv2.copyMakeBorder(ink, top, below, left, right, 0), np.float32)

    mixed = framed(church) * np.float32(1 - share) + framed(tavern) * np.float32(share)
    return film(replace(Stack(ink=mixed), **how))  # type: ignore[arg-type]


def _with_faint_hole(content: Content, share: float) -> Film:
    """Film a stack whose hole has gone by so much: the rest is a key without one."""
    seen, pose = film(laid(content))
    without, _ = film(laid(content, under="print"))
    mixed = seen * (1 - share) + without * share
    return np.rint(mixed).astype(np.uint8), pose


def _with_turned_hole(content: Content, share: float) -> Film:
    """Film a hole that fades by a share while the same hole upside down appears by it."""
    seen, pose = film(laid(content, tilt=0.0))
    without, _ = film(laid(content, under="print", tilt=0.0))
    hole, _ = film(laid(BLANK, tilt=0.0))
    plain, _ = film(laid(BLANK, under="print", tilt=0.0))
    x, y, _ = pose @ np.array([KEYHOLE.centre_x_mm, KEYHOLE.centre_y_mm, 1])
    turn = np.array([[-1, 0, 2 * x], [0, -1, 2 * y]])
    edge = hole.astype(np.float64) - plain
    turned = cv2.warpAffine(edge, turn, plain.shape[1::-1])
    mixed = seen * (1 - share) + without * share + turned * share
    return np.clip(np.rint(mixed), 0, 255).astype(np.uint8), pose


def _with_wood_at_the_side(content: Content, wide_mm: float) -> Film:
    """Film a card so far out of line that a strip of the wooden table shows in the hole."""
    seen, pose = film(laid(content, table=WOOD, tilt=0.0))
    table, _ = film(laid(BLANK, under="table", table=WOOD, tilt=0.0))
    right = KEYHOLE.centre_x_mm - KEYHOLE.radius_mm + wide_mm
    strip = np.array([[0, 5, 1], [right, 5, 1], [right, 40, 1], [0, 40, 1]]) @ pose.T
    mask = np.zeros(seen.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(strip[:, :2]).astype(np.int32)], 1)
    return np.where(mask[..., None] == 1, table, seen), pose


def _cut(away_mm: float) -> Film:
    """Film a picture that ends so far right of the hole's centre (left where negative)."""
    seen, pose = film(laid(CHURCH))
    x, _, w = pose @ np.array([KEYHOLE.centre_x_mm, KEYHOLE.centre_y_mm, 1])
    left = round(x / w + away_mm * 4.6)
    moved = np.array([[1, 0, -left], [0, 1, 0], [0, 0, 1]]) @ pose
    return np.ascontiguousarray(seen[:, left:]), moved


def _laid(content: Content, **how: object) -> Film:
    return film(laid(content, **how))


def _shifted(content: Content, right_mm: float, down_mm: float = 0.0) -> Film:
    return _laid(content, offset_mm=(right_mm, down_mm), tilt=0.0)


Row = tuple[str, Callable[[float], Film], float, Content, float, Reason]

#: What is changed; how far it is still read, as what; from where on it is not, and why.
STEPS: list[Row] = [
    ("px per mm", lambda v: _laid(CHURCH, px_per_mm=v, tilt=0.0), 1.95, CHURCH, 1.85, Reason.SMALL),
    ("gain", lambda v: _laid(CHURCH, gain=v), 0.133, CHURCH, 0.122, Reason.DARK),
    ("dark card", lambda v: _card_of(CHURCH, v), 0.83, CHURCH, 0.77, Reason.NO_CARD),
    ("light card", lambda v: _card_of(CHURCH, v), 1.17, CHURCH, 1.23, Reason.NO_CARD),
    ("tinted card", lambda v: _card_of(CHURCH, 1, v), 0.055, CHURCH, 0.065, Reason.NO_CARD),
    ("dark blank", lambda v: _card_of(BLANK, v), 0.945, BLANK, 0.915, Reason.NO_CARD),
    ("light blank", lambda v: _card_of(BLANK, v), 1.075, BLANK, 1.1, Reason.NO_CARD),
    ("tinted blank", lambda v: _card_of(BLANK, 1, v), 0.035, BLANK, 0.045, Reason.NO_CARD),
    ("faint print", lambda v: _inked(CHURCH, v), 0.27, CHURCH, 0.25, Reason.UNSURE),
    ("fainter print", lambda v: _inked(CHURCH, v), 0.15, BLANK, 0.22, Reason.UNSURE),
    ("blurred icon", lambda v: _laid(CHURCH, blur_px=v), 3.3, CHURCH, 4.0, Reason.BLURRED),
    ("blurred blank", lambda v: _laid(BLANK, blur_px=v), 3.0, BLANK, 3.5, Reason.BLURRED),
    ("faint hole", lambda v: _with_faint_hole(BLANK, v), 0.83, BLANK, 0.86, Reason.UNSURE),
    ("finger", lambda v: _laid(CHURCH, finger_mm=v), -4.0, CHURCH, -3.5, Reason.COVERED),
    ("finger at blank", lambda v: _laid(BLANK, finger_mm=v), -4.0, BLANK, -3.0, Reason.COVERED),
    ("strip of wood", lambda v: _with_wood_at_the_side(CHURCH, v), 0.75, CHURCH, 1, Reason.COVERED),
    ("glare", lambda v: _laid(CHURCH, glare=900.0, glare_mm=v), 1.4, CHURCH, 1.9, Reason.GLARE),
    (
        "spot",
        lambda v: _laid(CHURCH, glare=900.0, glare_mm=v),
        1.5,
        CHURCH,
        1.7,
        Reason.OUT_OF_LINE,
    ),
    ("squeezed icon", lambda v: _squeezed(CHURCH, v), 0.8, CHURCH, 0.68, Reason.UNSURE),
    ("squashed icon", lambda v: _squeezed(CHURCH, 1, v), 0.87, CHURCH, 0.7, Reason.UNLIKE),
    ("squeezed digit", lambda v: _squeezed(TWO, v), 0.66, TWO, 0.61, Reason.UNLIKE),
    ("two icons", _church_and_tavern, 0.34, CHURCH, 0.41, Reason.UNSURE),
    ("1 too low", lambda v: _shifted(ONE, 0, v), 2.6, ONE, 3.0, Reason.OUT_OF_LINE),
    ("icon too low", lambda v: _shifted(CHURCH, 0, v), 2.4, CHURCH, 2.7, Reason.OUT_OF_LINE),
    ("squashed lady", lambda v: _squeezed(LADY, 1, v), 0.62, LADY, 0.5, Reason.BLURRED),
    ("turned blank", lambda v: _with_turned_hole(BLANK, v), 0.5, BLANK, 0.75, Reason.WHICH_KEY),
    ("turned icon", lambda v: _with_turned_hole(CHURCH, v), 0.65, CHURCH, 0.8, Reason.WHICH_KEY),
    ("turned digit", lambda v: _with_turned_hole(TWO, v), 0.65, TWO, 0.8, Reason.WHICH_KEY),
]


@pytest.mark.parametrize("row", STEPS, ids=lambda row: row[0])
def test_it_is_read_on_this_side_of_the_threshold_and_not_on_the_other(
    reader: HoleReader, row: Row
) -> None:
    _, change, just, content, beyond, reason = row
    assert _read(reader, change(just)).content == content
    refused = _read(reader, change(beyond))
    assert (refused.content, refused.reason) == (None, reason)
    assert refused.confidence is None


def test_a_spot_too_small_to_be_print_is_unsure_and_a_larger_one_is_like_nothing(
    reader: HoleReader,
) -> None:
    assert _read(reader, _dot(0.65)).reason is Reason.UNSURE
    assert _read(reader, _dot(0.9)).reason is Reason.UNLIKE


def test_two_icons_over_each_other_and_blurred_are_said_to_be_blurred(reader: HoleReader) -> None:
    assert _read(reader, _church_and_tavern(0.5, blur_px=1.0)).reason is Reason.BLURRED
    assert _read(reader, _church_and_tavern(0.5)).reason is Reason.UNSURE


def test_with_hardly_an_outline_print_must_fit_better_and_be_less_like_another(
    reader: HoleReader,
) -> None:
    faint = _read(reader, _church_and_tavern(0.26, under="print"))
    assert faint.outline.clearness < 0.6
    assert faint.content == CHURCH
    # With a clear outline both of these are read.
    assert _read(reader, _church_and_tavern(0.31)).content == CHURCH
    assert _read(reader, _church_and_tavern(0.31, under="print")).reason is Reason.UNSURE
    assert _read(reader, _church_and_tavern(0.35)).content == CHURCH
    assert _read(reader, _church_and_tavern(0.35, under="print")).reason is Reason.UNLIKE


def test_an_outline_that_is_fainter_than_a_blanks_is_enough_for_print(reader: HoleReader) -> None:
    seen, pose = _church_and_tavern(0.35)
    without, _ = _church_and_tavern(0.35, under="print")
    mixed = np.rint(seen * 0.12 + without * 0.88).astype(np.uint8)
    reading = _read(reader, (mixed, pose))
    assert 0.6 < reading.outline.clearness < 1.15
    assert reading.content == CHURCH


def test_with_hardly_an_outline_print_may_not_run_on_over_the_edge(reader: HoleReader) -> None:
    assert _read(reader, _laid(CHURCH, under="print", finger_mm=-4.5)).content == CHURCH
    assert _read(reader, _laid(CHURCH, under="print", finger_mm=-4.0)).reason is Reason.UNSURE
    assert _read(reader, _laid(CHURCH, finger_mm=-4.0)).content == CHURCH


def test_a_wooden_table_is_told_from_a_finger_by_the_edge_of_the_hole_however_blurred(
    reader: HoleReader,
) -> None:
    for blur_px in (1.0, 6.0, 12.0):
        wood = _laid(BLANK, under="table", table=WOOD, blur_px=blur_px)
        assert _read(reader, wood).reason is Reason.NO_CARD
    assert _read(reader, _laid(BLANK, finger_mm=3.0)).reason is Reason.COVERED


def test_where_nothing_else_is_known_a_shape_must_still_fit_in_itself() -> None:
    church = [g for g in glyphs_from_fronts(front_patches()) if g.content == CHURCH]
    only_church = HoleReader(church)
    assert _read(only_church, _squeezed(CHURCH, 1, 0.8)).content == CHURCH
    assert _read(only_church, _squeezed(CHURCH, 1, 0.72)).reason is Reason.UNLIKE
    only_lady = HoleReader(lady_shapes())
    assert _read(only_lady, _squeezed(LADY, 1, 0.6)).content == LADY
    assert _read(only_lady, _squeezed(LADY, 1, 0.4)).reason is Reason.UNLIKE
    for feature in Feature:
        assert _read(only_lady, _laid(Content.icon(feature))).reason is Reason.UNLIKE


@pytest.mark.parametrize(
    ("gain", "glare", "glare_mm"), [(1.06, 300.0, 4.0), (1.12, 600.0, 2.0), (1.15, 600.0, 2.0)]
)
def test_a_highlight_that_burns_part_of_an_icon_away_makes_no_other_icon_of_it(
    reader: HoleReader, gain: float, glare: float, glare_mm: float
) -> None:
    # The paper is so bright already that its red and green end with the scale; blue does not.
    filmed = _laid(CHURCH, gain=gain, glare=glare, glare_mm=glare_mm)
    assert _read(reader, filmed).content in (CHURCH, None)
    assert _read(reader, _laid(CHURCH, gain=gain)).content == CHURCH


@pytest.mark.parametrize(
    ("gain", "glare", "glare_mm"),
    [
        (1.2, 3000.0, 1.8),
        (1.2, 800.0, 2.1),
        (1.2, 800.0, 2.4),
        (1.22, 900.0, 2.3),
        (1.4, 1600.0, 1.8),
    ],
)
def test_a_small_reflection_on_overexposed_paper_makes_no_blank_of_a_digit(
    reader: HoleReader, gain: float, glare: float, glare_mm: float
) -> None:
    filmed = _laid(ONE, gain=gain, glare=glare, glare_mm=glare_mm)
    assert _read(reader, filmed).content in (ONE, None)


def test_at_the_end_of_the_picture_it_is_covered_until_most_of_the_hole_is_outside(
    reader: HoleReader,
) -> None:
    assert _read(reader, _cut(-1)).reason is Reason.COVERED
    assert _read(reader, _cut(0)).reason is Reason.PARTLY_OUTSIDE


@pytest.mark.parametrize("number", [1, 2, 3])
def test_where_the_icons_are_not_known_a_digit_must_fit_better(number: int) -> None:
    alone = HoleReader(built_in_glyphs())
    assert _read(alone, film(laid(Content.digit(number)))).content == Content.digit(number)
    squeezed = _squeezed(TWO, 0.7)
    assert _read(alone, squeezed).reason is Reason.UNLIKE


def test_the_lady_may_be_cut_by_the_holes_edge_and_lie_farther_off_than_an_icon(
    reader: HoleReader,
) -> None:
    far = _read(reader, _laid(LADY, offset_mm=(1.16 - 3.0, 0.81), tilt=0.0))
    assert far.content == LADY
    half_gone = _read(reader, _laid(LADY, offset_mm=(1.16 + 1.5, 0.81)))
    assert half_gone.content == LADY
    assert half_gone.matches[0].shown < 0.7
    assert _read(reader, _laid(LADY, offset_mm=(1.16 + 2.5, 0.81))).content is None


def test_a_clear_reading_is_surer_than_one_that_just_passes(reader: HoleReader) -> None:
    def sure(filmed: Film) -> float:
        reading = _read(reader, filmed)
        assert reading.confidence is not None
        return reading.confidence

    assert sure(film(laid(CHURCH))) == pytest.approx(0.99)
    assert 0.8 < sure(_church_and_tavern(0.35)) < 0.91
    assert 0.945 < sure(_church_and_tavern(0.3)) < 0.98
    # A blank is as sure as its outline is clear.
    assert 0.9 <= sure(_with_faint_hole(BLANK, 0.83)) < 0.91
    assert 0.94 < sure(film(laid(BLANK))) < 0.97
    assert sure(_card_of(BLANK, 0.95)) == pytest.approx(0.99)


def test_what_a_fit_leaves_is_the_variance_that_its_correlation_does_not_explain(
    reader: HoleReader,
) -> None:
    for filmed in (film(laid(CHURCH)), _church_and_tavern(0.35), film(laid(TWO))):
        reading = _read(reader, filmed)
        best, second = (match.score for match in reading.matches[:2])
        assert reading.score == best
        assert reading.unexplained == pytest.approx((1 - best * best) / (1 - second * second))
