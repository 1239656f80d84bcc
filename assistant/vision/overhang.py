"""Whether the lower card of a stack sticks out from under the key.

The icon, the digit or the Lady tells by its own place how far the cards are out of line; blank
paper does not. But a card so far out of line that its print left the hole sticks out at one side
or two. So the picture is followed outwards from places all along each side of the key: over paper,
up to where paper ends. Where it ends in one line for most of a side, there is a card's edge;
fingers, a header and print on the card cost some places only. Where the table has the card's own
tone, nothing is claimed.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_CORNERS_MM, Homography, project
from assistant.vision.hole_evidence import is_skin
from assistant.vision.sighting import Picture

#: A card in line ends within 1.5 mm of the key, and print and cut are out of register by 1 mm.
FROM_MM = 3.6
TO_MM = 12.0
#: Places of print are 10 mm apart along a row (to the next row it is 13 down and 5 aside): a card
#: that shows the next one sticks out by nearly so, to the left or right.
FROM_NEXT_MM = 6.5
STEP_MM = 0.5
#: The key's own edge and its shadow end so far out.
KEY_ENDS_MM = 2.0
#: Where paper does not end at more of the places than this, the table is like paper itself.
MOST_ENDLESS = 0.2
#: Beyond its edge there is no paper for so far at least: a line on a map is narrower.
BEYOND_MM = 2.5

#: Places along a side, and the part of it that they cover; and so many past each end.
PLACES, PAST_PLACES = 28, 4
SIDE_SHARE = (0.1, 0.9)
#: How a card turned against the key leans, mm per mm of its side: by up to 6 degrees.
LEANS = np.linspace(-0.1, 0.1, 9)
#: So near to one line paper ends, mm, at so large a share of the places: of 129 stacks of the
#: printed game that lie in line one has 0.63, beside a road of the map.
IN_LINE_MM, LEAST_SHARE = 0.8, 0.65

#: Paper, beside the key's: its lightness, and how far its tint may stray (wood strays by 0.3).
PAPER_LIGHTNESS = (0.5, 1.25)
MOST_TINT = 0.15
#: Paper ends, too, where a channel changes by more within a step, as a share of paper; nearer to
#: the key than this it may be the key's shade on the card below.
LEAST_CHANGE, SHADE_ENDS_MM = 0.1, 3.2

#: Places that a hand covers tell nothing, but so many must tell.
LEAST_PLACES = 6

#: Past a card's corners, so far along the side, mm, there is the table: less of it than this is
#: nearer to the card's colour than to what lies beyond the edge. A map or a board goes on.
PAST_ENDS_MM, MOST_PAST = (4.0, 7.0), 0.5
#: Of the strip from the key to the edge so much is paper where a card slipped by a whole place:
#: 0.8 beside a line of the board's map.
SLIPPED_PAPER, SLIPPED_DARK = 0.85, 0.75

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]


def sticks_out(picture: Picture, card_to_picture: Homography) -> bool:
    """Return whether a card's edge shows beside the key, farther out than a card in line has it.

    Args:
        picture: (rows, columns, 3) uint8.
        card_to_picture: mm on the key to px.
    """
    return _shows_on_one_side(picture, card_to_picture, FROM_MM, is_card=False)


def slipped_a_place(picture: Picture, card_to_picture: Homography) -> bool:
    """Return whether a card sticks out so far that the hole may show the print of another place.

    Print in the middle of the hole speaks against it, so what sticks out must look like a card: all
    paper, and none past its corners. Args as of `sticks_out`.
    """
    return _shows_on_one_side(picture, card_to_picture, FROM_NEXT_MM, is_card=True)


def _laid_out() -> Points:
    """Return the places that are looked at, mm on the key: (sides, places, reach, 2).

    Clockwise from the top; the first and last PAST_PLACES of a side lie past its ends.
    """
    points = []
    for a, b in zip(CARD_CORNERS_MM, np.roll(CARD_CORNERS_MM, -1, axis=0), strict=True):
        length_mm = float(np.linalg.norm(b - a))
        along = (b - a) / length_mm
        past = np.linspace(*PAST_ENDS_MM, PAST_PLACES)
        at = np.concatenate([-past[::-1], _ON_SIDE * length_mm, length_mm + past])
        outward = _REACH[:, None] * np.array([along[1], -along[0]])
        points.append((a + at[:, None] * along)[:, None] + outward)
    return np.array(points)


_ON_SIDE = np.linspace(*SIDE_SHARE, PLACES)
_REACH = np.arange(KEY_ENDS_MM, TO_MM + BEYOND_MM + STEP_MM, STEP_MM)
_BEYOND = round(BEYOND_MM / STEP_MM)
#: A hand that holds the key is there within so many steps.
_SKIN_TO = 3
_BESIDE = _laid_out()
_ON_KEY = np.stack(np.meshgrid(np.linspace(4, 40, 6), np.linspace(3, 65, 8)), axis=-1).reshape(
    1, -1, 2
)
_LENGTHS_MM = np.linalg.norm(np.roll(CARD_CORNERS_MM, -1, axis=0) - CARD_CORNERS_MM, axis=1)


def _shows_on_one_side(
    picture: Picture, card_to_picture: Homography, from_mm: float, *, is_card: bool
) -> bool:
    """Return whether an edge shows on one of two opposite sides; if asked, a card's before it."""
    paper_bgr = _paper_bgr(picture, card_to_picture)
    if paper_bgr is None:
        return False
    # Places along a row lie aside: only to the left and right a card slips from one to the next.
    sides = (1, 3) if is_card else (0, 1, 2, 3)
    points = _BESIDE[list(sides)]
    seen = _sampled(picture, card_to_picture, points.reshape(-1, len(_REACH), 2)) / paper_bgr
    seen = np.asarray(seen.reshape(*points.shape[:3], 3), np.float32)
    shows = []
    for beside, length_mm in zip(seen, _LENGTHS_MM[list(sides)], strict=True):
        along = beside[PAST_PLACES:-PAST_PLACES]
        edge_mm = _edge_mm(along, length_mm)
        is_out = edge_mm is not None and from_mm <= edge_mm <= TO_MM
        if is_out and is_card:
            ends = beside[:PAST_PLACES], beside[-PAST_PLACES:]
            is_out = _is_card(along, ends, int(np.searchsorted(_REACH, edge_mm or 0.0)))
        shows.append(is_out)
    # A sleeve shows its edge on opposite sides; a card that slipped on one of the two.
    half = len(shows) // 2
    return any(one != other for one, other in zip(shows[:half], shows[half:], strict=True))


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


def _edge_mm(along: Floats, length_mm: float) -> float | None:
    """Return how far out paper ends in one line along a side, None where it does not.

    `along` holds the (places, reach, 3) colours outwards of the side, as shares of the key's paper.
    """
    ends = _where_paper_ends(along)
    if (ends == len(_REACH)).mean() > MOST_ENDLESS:
        return None
    told = ends < len(_REACH) - _BEYOND
    # What is no paper must go on for a while; outside of the picture nothing is told.
    behind = along[np.arange(len(along)), np.minimum(ends + _BEYOND, len(_REACH) - 1)]
    before = along[np.arange(len(along)), np.maximum(ends - 1, 0)]
    told &= ~(_apart(behind, before) <= LEAST_CHANGE / 2) & ~np.isnan(behind).any(axis=1)
    out_mm = _REACH[np.minimum(ends, len(_REACH) - 1)]
    leaning = out_mm - np.multiply.outer(LEANS * length_mm, _ON_SIDE - 0.5)
    near = np.abs(leaning[:, :, None] - leaning[:, None, :]) <= IN_LINE_MM / 2
    in_line = (near & told[None, None, :]).sum(axis=2) * told
    open_places = int((~is_skin(along[:, :_SKIN_TO]).any(axis=1)).sum())
    if in_line.max() < max(LEAST_SHARE * open_places, LEAST_PLACES):
        return None
    lean, place = np.unravel_index(int(in_line.argmax()), in_line.shape)
    return float(leaning[lean, place])


def _where_paper_ends(along: Floats) -> npt.NDArray[np.intp]:
    """Return the number of the first step outwards that is no paper; past the last one for none."""
    # Neighbours smooth the sensor's noise and the weave of cloth.
    smooth = np.asarray(cv2.blur(along, (1, 3)), np.float32)
    is_end = ~_is_paper(smooth, PAPER_LIGHTNESS[0])
    changes = _apart(smooth[:, 1:], smooth[:, :-1]) > LEAST_CHANGE
    is_end[:, 1:] |= changes & (_REACH[1:] > SHADE_ENDS_MM)
    return np.where(is_end.any(axis=1), is_end.argmax(axis=1), len(_REACH))


def _is_card(along: Floats, ends: tuple[Floats, Floats], edge: int) -> bool:
    """Return whether a strip before an edge is a card's: all paper, and past its ends the table."""
    strip = along[:, :edge]
    if _is_paper(strip, SLIPPED_DARK).mean() < SLIPPED_PAPER:
        return False
    beyond = along[:, min(edge + _BEYOND, len(_REACH) - 1)]
    card, table = np.median(strip, axis=(0, 1)), np.median(beyond, axis=0)
    like_card = [
        float((_apart(end[:, :edge], card) < _apart(end[:, :edge], table)).mean()) for end in ends
    ]
    return max(like_card) < MOST_PAST


def _apart(colours: Floats, other: Floats) -> Floats:
    """Return how far (..., 3) colours are from others."""
    return np.asarray(np.abs(colours - other).max(axis=-1), np.float32)


def _is_paper(colours: Floats, dark: float) -> npt.NDArray[np.bool_]:
    """Return which of the (..., 3) colours, as shares of the key's paper, are like paper."""
    lightness = colours.mean(axis=-1)
    tint = np.abs(colours / np.maximum(lightness, 0.05)[..., None] - 1).max(axis=-1)
    return np.asarray((lightness > dark) & (lightness < PAPER_LIGHTNESS[1]) & (tint < MOST_TINT))


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
