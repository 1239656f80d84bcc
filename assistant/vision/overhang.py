"""Whether the lower card of a stack sticks out from under the key.

The icon, the digit or the Lady tells by its own place how far the cards are out of line; blank
paper does not. But a card so far out of line that its print left the hole sticks out at one side
or at two that meet. So the picture is looked at from places all along each side of the key
outwards, for a card's edge there:

1. Colours step from place to place at one distance out, or at one that grows evenly for a card
   that is turned; and between the key and that line they hardly do. Print, a header and fingers
   on the card cost some places only; a map steps everywhere.
2. What lies before the line is the key's own paper, at half of the places at least, and what lies
   beyond is not.

Each line is given a score for both. Where table and card are of one tone, nothing is claimed. And
where the picture ends before a line could be seen, the key's own paper up to there is a card, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_CORNERS_MM, Homography, project
from assistant.vision.hole_evidence import is_skin
from assistant.vision.sighting import Picture

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

#: Places along a side and the part of it that they cover. The corners are round, and a card that
#: is out of line along the side, too, ends before the key does: a line may hold at three quarters.
PLACES, SIDE_SHARE = 32, (0.08, 0.92)
#: What is looked at outwards, mm, and inwards for the key's paper beside this side.
STEP_MM = 0.5
_REACH = np.arange(1.0, 15.01, STEP_MM)
_INWARDS = np.array([-1.2, -2.0, -3.0, -4.0])

#: Lines are looked for so far out at the middle of a side, leaning so much, mm per mm of the side:
#: a card in line ends within 1.5 mm of the key, and print and cut are out of register by 1 mm; a
#: card is turned by up to 6 degrees.
LINES_MM = np.arange(3.0, 12.01, STEP_MM)
LEANS = np.linspace(-0.108, 0.108, 13)
#: Nearer than this the key's own edge and its shadow step.
KEY_ENDS_MM = 2.5
#: A line nearer than this has little paper before it, and must be the clearer.
NEAR_MM, MORE_FOR_NEAR = 4.5, 0.25

#: From no step at all to a full one, as a share of paper: noise, and paper on a light table.
STEPS = (0.03, 0.1)
#: So many places must tell, and so many steps before a line. So many more are taken for seen, of
#: which no place steps at the line and a share before it: what is little counts for little.
LEAST_PLACES, LEAST_BEFORE = 12, 8
_SEEN_PLACES, _SEEN_BEFORE, _STEPS_BEFORE = 2.0, 10.0, 0.2

#: A line's clearness: the share of places that step at it, less what steps before it cost. Before
#: the edge of a card with print on it 0.2 of the steps are some, before lines on a map 0.2 to 0.5.
BEFORE_COSTS = 1.5
#: A line that is less clear is no edge, however large its step.
LEAST_CLEARNESS = 0.2
#: The middle one of its steps adds so much at most: 0.1 and more at most edges of cards, 0.02 to
#: 0.1 at lines on a map.
MOST_STEP = 0.5
#: Nothing is taken for darker, as a share of paper: under a coloured lamp a channel is nought.
FAINTEST = 0.02
#: What strays from the key's paper before it costs. On 95 of 100 cards tint strays by up to 0.009
#: and on 99 lightness by up to 0.07; on tables beside 232 stacks in line by 0.015 and 0.08 in the
#: middle.
TINT, TINT_COSTS = 0.01, 8.0
LIGHTNESS, LIGHTNESS_COSTS = 0.05, 3.0
#: Paper that is there again so many steps beyond, by so little more astray than before the line,
#: costs: the line is a road of a map, or the table ends at another card.
BEYOND_FROM, BEYOND, BEYOND_COSTS = 4, 0.02, 0.5

#: What a card's edge has. The best lines beside 622 stacks in line score up to 0.47 on the printed
#: game, and elsewhere up to 0.64, one 0.66; of 144 cards out of line that would be read wrong all
#: but six have more.
LEAST_SCORE = 0.65
#: So many steps of the strip must be seen where the picture ends too soon for a line, and at so
#: large a share of the places it must.
_LEAST_STRIP, MOST_CUT = 3, 0.5
#: A sleeve shows its edge on opposite sides, so nearly as far out on the one as on the other.
SLEEVE_MM = 1.0

#: Places of print are 10 mm apart along a row (to the next row it is 13 down and 5 aside): a card
#: that shows the next one sticks out by nearly so, to the left or right.
FROM_NEXT_MM, ROW_SIDES, ALL_SIDES = 6.5, (1, 3), (0, 1, 2, 3)
#: Far more stacks in line show print in the middle of the hole than none. In 1200 pictures with
#: few out of line a road of the map scored 0.78 beside one, and all others less than 0.7; of ten
#: cards that slipped nine have 0.93 and more.
LEAST_SCORE_NEXT = 0.8


@dataclass(frozen=True, slots=True)
class _Line:
    """A line along a side (clockwise from the top): how far out at its middle, and how it leans."""

    side: int
    lean: float
    out_mm: float
    score: float


def sticks_out(picture: Picture, card_to_picture: Homography) -> bool:
    """Return whether a card's edge shows beside the key, farther out than a card in line has it.

    Args:
        picture: (rows, columns, 3) uint8.
        card_to_picture: mm on the key to px.
    """
    around = _around(picture, card_to_picture)
    if around is None:
        return False
    lines = _lines(*around, ALL_SIDES)
    return any(_is_edge(line, lines, LEAST_SCORE) for line in lines) or _leaves_the_picture(*around)


def slipped_a_place(picture: Picture, card_to_picture: Homography) -> bool:
    """Return whether a card sticks out so far that the hole may show the print of another place.

    Print in the middle of the hole speaks against it, so the edge must be the surer. Args as of
    `sticks_out`.
    """
    around = _around(picture, card_to_picture)
    lines = [] if around is None else _lines(*around, ROW_SIDES)
    return any(
        _is_edge(line, lines, LEAST_SCORE_NEXT) for line in lines if line.out_mm >= FROM_NEXT_MM
    )


def _is_edge(line: _Line, lines: Sequence[_Line], least_score: float) -> bool:
    """Return whether a line is a card's edge and no sleeve's."""
    return line.score >= least_score and not any(
        other.score >= least_score and abs(other.out_mm - line.out_mm) <= SLEEVE_MM
        for other in lines
        if (other.side - line.side) % 4 == 2
    )


def _laid_out() -> tuple[Points, Indices]:
    """Return the places looked at, mm on the key: (sides, places, inwards and reach, 2), and lines.

    The lines are (sides, leans, lines, places) steps of the reach at which they pass the places.
    """
    points, lines = [], []
    for a, b in zip(CARD_CORNERS_MM, np.roll(CARD_CORNERS_MM, -1, axis=0), strict=True):
        length_mm = float(np.linalg.norm(b - a))
        along = (b - a) / length_mm
        at_mm = np.linspace(*SIDE_SHARE, PLACES) * length_mm
        outward = np.append(_INWARDS, _REACH)[:, None] * np.array([along[1], -along[0]])
        points.append((a + at_mm[:, None] * along)[:, None] + outward)
        out_mm = LINES_MM[:, None] + np.multiply.outer(LEANS, at_mm - length_mm / 2)[:, None]
        lines.append(np.rint((out_mm - _REACH[0]) / STEP_MM))
    return np.array(points), np.array(lines).astype(np.intp)


_POINTS, _PASSES = _laid_out()
_FIRST = int(np.searchsorted(_REACH, KEY_ENDS_MM))
#: Two places on each side of a step tell how large it is.
_LAST = len(_REACH) - 3
_IS_SEEN = (_PASSES >= _FIRST) & (_PASSES <= _LAST)
_PASSES = np.clip(_PASSES, _FIRST, _LAST)
#: The same, in all steps of all places in a row.
_FLAT = np.arange(4 * PLACES).reshape(4, 1, 1, PLACES) * len(_REACH) + _PASSES
#: Steps nearer to a line than this are its own.
_OWN = 3
_STEPS_TO = np.maximum(_PASSES - _OWN - _FIRST + 1, 0)
_IS_NEAR = LINES_MM < NEAR_MM
#: Where along a side a line holds: all of it, or three quarters.
_PARTS = (slice(0, PLACES), slice(0, PLACES * 3 // 4), slice(PLACES // 4, PLACES))
_IS_IN_PART = np.zeros((PLACES, len(_PARTS)), np.float32)
for _number, _part in enumerate(_PARTS):
    _IS_IN_PART[_part, _number] = 1.0
_ON_KEY = np.stack(np.meshgrid(np.linspace(4, 40, 6), np.linspace(3, 65, 8)), axis=-1).reshape(
    1, -1, 2
)


def _around(picture: Picture, card_to_picture: Homography) -> tuple[Floats, Floats] | None:
    """Return the colours inside and beside a key's sides, as shares of its paper.

    (sides, places, inwards, 3) and (sides, places, reach, 3); nan outside the picture. None where
    too little of the key's paper shows.
    """
    paper_bgr = _paper_bgr(picture, card_to_picture)
    if paper_bgr is None:
        return None
    seen = _sampled(picture, card_to_picture, _POINTS.reshape(4 * PLACES, -1, 2)) / paper_bgr
    seen = seen.reshape(4, PLACES, -1, 3)
    inside, beside = seen[:, :, : len(_INWARDS)], seen[:, :, len(_INWARDS) :].copy()
    # Neighbours smooth the sensor's noise and the weave of cloth.
    beside[:, 1:-1] = (beside[:, :-2] + beside[:, 1:-1] + beside[:, 2:]) / 3
    return inside, beside


def _leaves_the_picture(inside: Floats, beside: Floats) -> bool:
    """Return whether a card goes on beside the key to where the picture ends, and not elsewhere."""
    if not np.isnan(beside).any():
        return False
    strips = [_strip_beside(*side) for side in zip(inside, beside, strict=True)]
    # Where another side's table is of the card's tone, this one's is, too.
    elsewhere = [is_paper for is_paper, is_cut in strips if not is_cut]
    return (True, True) in strips and bool(elsewhere) and not any(elsewhere)


def _strip_beside(inside: Floats, beside: Floats) -> tuple[bool, bool]:
    """Return whether there is but the key's paper beside a side, and whether that is cut short.

    Cut short: the picture ends before a card's edge could be seen. Args as of `_around`, of one
    side. Where too little tells it is no paper.
    """
    is_out = np.asarray(np.isnan(beside).any(axis=-1))
    ends = np.where(is_out.any(axis=1), is_out.argmax(axis=1), len(_REACH))
    told = ends >= _FIRST + _LEAST_STRIP
    is_cut = bool((ends < len(_REACH)).mean() > MOST_CUT)
    on_key = inside[~np.isnan(inside).any(axis=-1)]
    if len(on_key) < LEAST_PLACES or told.sum() < LEAST_PLACES:
        return False, is_cut
    strips = [
        strip[_FIRST:end].mean(axis=0) for strip, end in zip(beside[told], ends[told], strict=True)
    ]
    strip = _as_share(np.median(strips, axis=0), np.median(on_key, axis=0))
    lightness = max(float(strip.mean()), FAINTEST)
    is_paper = abs(lightness - 1) <= LIGHTNESS and np.abs(strip / lightness - 1).max() <= TINT
    return bool(is_paper), is_cut


def _lines(inside: Floats, beside: Floats, sides: Sequence[int]) -> list[_Line]:
    """Return the likeliest line of some sides, near and farther out; args as of `_around`."""
    change, tells = _changes(beside)
    found = []
    for side, clear in zip(sides, _clearness(change, tells, sides), strict=True):
        for is_near in (True, False):
            of_range = np.where((_IS_NEAR if is_near else ~_IS_NEAR)[:, None], clear, -1.0)
            at = np.unravel_index(int(of_range.argmax()), of_range.shape)
            lean, line, part = (int(n) for n in at)
            if of_range[at] <= LEAST_CLEARNESS:
                continue
            places = np.arange(PLACES)[_PARTS[part]]
            passes = _PASSES[side, lean, line, places]
            open_ = tells[side, places, passes] & _IS_SEEN[side, lean, line, places]
            score = float(of_range[at]) - MORE_FOR_NEAR * is_near
            score += _like_a_cards(
                beside[side], inside[side], change[side], places[open_], passes[open_]
            )
            found.append(_Line(side, float(LEANS[lean]), float(LINES_MM[line]), score))
    return found


def _changes(beside: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return how colours change from step to step outwards, and where that tells something.

    `beside` holds (sides, places, reach, 3) colours as shares of the key's paper. What lies under a
    hand, or behind one, and what is out of the picture tell nothing.
    """
    change = np.full_like(beside, np.nan)
    change[:, :, 2:-2] = (
        beside[:, :, :-4] + beside[:, :, 1:-3] - beside[:, :, 3:-1] - beside[:, :, 4:]
    ) / 2
    tells = np.asarray(~np.isnan(change).any(axis=-1))
    is_hand = np.maximum.accumulate(is_skin(beside[:, :, 1:]), axis=2)
    tells[:, :, 3:] &= ~is_hand[:, :, :-2]
    return change, tells


def _clearness(change: Floats, tells: npt.NDArray[np.bool_], sides: Sequence[int]) -> Floats:
    """Return how clearly colours step along a line and not before it: (sides, leans, lines, parts).

    -1 where too little tells.
    """
    least, full = STEPS
    step = np.clip((np.abs(change).max(axis=-1) - least) / (full - least), 0.0, 1.0)
    step = np.nan_to_num(step)
    widened = step.copy()
    widened[:, :, 1:] = np.maximum(widened[:, :, 1:], step[:, :, :-1])
    widened[:, :, :-1] = np.maximum(widened[:, :, :-1], step[:, :, 1:])
    step[:, :, :_FIRST] = 0.0
    before = np.zeros_like(step)
    before[:, :, _OWN:] = np.cumsum(step, axis=2)[:, :, :-_OWN]
    chosen = list(sides)
    flat = _FLAT[chosen]
    told = tells.reshape(-1)[flat] & _IS_SEEN[chosen]
    places = _in_parts(told)
    steps_to = _in_parts(_STEPS_TO[chosen] * told)
    share = _in_parts(widened.reshape(-1)[flat] * told) / (places + _SEEN_PLACES)
    share_before = _in_parts(before.reshape(-1)[flat] * told) + _STEPS_BEFORE * _SEEN_BEFORE
    share_before /= steps_to + _SEEN_BEFORE
    is_told = (places >= LEAST_PLACES) & (steps_to >= LEAST_BEFORE)
    return np.asarray(np.where(is_told, share - BEFORE_COSTS * share_before, -1.0), np.float32)


def _in_parts(of_places: npt.NDArray[np.generic]) -> Floats:
    """Return the sums over each of the parts of a side, the last axis."""
    return np.asarray(of_places.astype(np.float32) @ _IS_IN_PART, np.float32)


def _like_a_cards(
    beside: Floats, inside: Floats, change: Floats, places: Indices, passes: Indices
) -> float:
    """Return what a line's strip and its step add to its score, or cost.

    `beside` holds the (places, reach, 3) colours along its side, `inside` those on the key and
    `change` how colours change outwards; `places` are those that tell, and `passes` is where the
    line passes them.
    """
    on_key = inside[~(np.isnan(inside).any(axis=-1) | is_skin(inside))]
    if len(on_key) < LEAST_PLACES:
        return -1.0
    paper = np.median(on_key, axis=0)
    reach = np.arange(len(_REACH))
    is_strip = (reach >= 2) & (reach < passes[:, None] - 1)
    farther = np.minimum(passes + BEYOND_FROM, len(_REACH) - 1)[:, None]
    is_beyond = (reach >= farther) & (reach < farther + 4)
    of_places = np.where(is_strip[..., None], beside[places], 0.0).sum(axis=1)
    of_places = _as_share(of_places / np.maximum(is_strip.sum(axis=1), 1)[:, None], paper)
    # A header, print or shade on the rest of the strip does not speak against it.
    strays = np.abs(of_places - 1).max(axis=-1)
    strip = of_places[np.argsort(strays)[: len(places) // 2]].mean(axis=0)
    beyond = beside[places][is_beyond]
    beyond = _as_share(beyond[~np.isnan(beyond).any(axis=-1)], paper)
    near = np.median(change[places[:, None], passes[:, None] + (-1, 0, 1)], axis=0)
    step = float(np.nan_to_num(np.abs(near)).max())
    lightness = max(float(strip.mean()), FAINTEST)
    tint = float(np.abs(strip / lightness - 1).max())
    is_paper_beyond = (
        len(beyond) > 0
        and np.abs(np.median(beyond, axis=0) - 1).max() < np.abs(strip - 1).max() + BEYOND
    )
    return (
        min(step, MOST_STEP)
        - TINT_COSTS * max(0.0, tint - TINT)
        - LIGHTNESS_COSTS * max(0.0, abs(lightness - 1) - LIGHTNESS)
        - BEYOND_COSTS * bool(is_paper_beyond)
    )


def _as_share(colours: Floats, paper: Floats) -> Floats:
    """Return (..., 3) colours as shares of paper; a channel without light tells nothing."""
    return np.asarray(np.where(paper < FAINTEST, 1.0, colours / np.maximum(paper, FAINTEST)))


def _paper_bgr(picture: Picture, card_to_picture: Homography) -> Floats | None:
    """Return the key's paper; None where too little of the key lies in the picture.

    The middle one of the lighter half of places all over the key: print and hands are the others.
    """
    seen = _sampled(picture, card_to_picture, _ON_KEY)[0]
    seen = seen[~np.isnan(seen).any(axis=1)]
    if len(seen) < len(_ON_KEY[0]) / 2:
        return None
    lightness = seen.mean(axis=1)
    return np.asarray(
        np.maximum(np.median(seen[lightness >= np.median(lightness)], axis=0), 8.0), np.float32
    )


def _sampled(
    picture: Picture, card_to_picture: Homography, points_mm: npt.NDArray[np.float64]
) -> Floats:
    """Return the (n, m, 3) colours at (n, m, 2) points in mm; nan outside the picture."""
    at = project(card_to_picture, points_mm.reshape(-1, 2)).reshape(points_mm.shape) - 0.5
    x, y = at[..., 0].astype(np.float32), at[..., 1].astype(np.float32)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR).astype(np.float32)
    height, width = picture.shape[:2]
    seen[(x < 0) | (y < 0) | (x > width - 1) | (y > height - 1)] = np.nan
    return np.asarray(seen, np.float32)
