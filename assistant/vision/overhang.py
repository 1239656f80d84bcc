"""Whether the lower card of a stack sticks out from under the key.

The icon, the digit or the Lady tells by its own place how far the cards are out of line; blank
paper does not. But a card so far out of line that its print left the hole sticks out at one side
or two, and ends there in an edge that runs along the key's own. So brightness and colour are
followed outwards from each side of the key: beyond what a card in line reaches, nothing may change
all along the side at once. What lies before that edge must be like paper: the seam of two planks
is no card's edge. Where the table has the card's own tone, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_CORNERS_MM, Homography, project
from assistant.vision.sighting import Picture

#: A card in line ends within 1.5 mm of the key, and print and cut are out of register by 1 mm.
FROM_MM = 3.6
TO_MM = 12.0
#: Places of print are 10 mm apart along a row (to the next row it is 13 down and 5 aside): a card
#: that shows the next one sticks out by nearly so, to the left or right.
FROM_NEXT_MM = 6.5
STEP_MM = 0.25
#: The edge is the difference between so far before and so far behind.
HALF_EDGE_MM = 0.5
#: What lies beyond the edge goes on so far at least: a line on a map is narrower.
BEYOND_MM = 3.0
#: The key's own edge and its shadow end so far out.
KEY_ENDS_MM = 1.0
#: Samples along a side, and the part of it that they cover.
SAMPLES = 32
SIDE_SHARE = (0.12, 0.88)
#: Change of a channel, as a share of the key's paper: of the side's middle sample, and the share
#: of the samples that change at least half as much the same way.
LEAST_CHANGE = 0.1
LEAST_SHARE = 0.75
#: Paper before the edge, beside the key's: its lightness, and how far its tint may stray (wood
#: strays by 0.3).
PAPER_LIGHTNESS = (0.5, 1.25)
MOST_TINT = 0.15
#: Past a card's corners, so far along the side, mm, there is the table: less of it than this is
#: nearer to the card's colour than to what lies beyond the edge. A map or a board goes on.
PAST_ENDS_MM, MOST_PAST = (4.0, 7.0), 0.5
#: Of the strip from the key to the edge so much is paper where a card slipped by a whole place:
#: 0.8 beside a line of the board's map.
SLIPPED_PAPER, SLIPPED_DARK = 0.85, 0.75

Floats = npt.NDArray[np.float32]


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


def _shows_on_one_side(
    picture: Picture, card_to_picture: Homography, from_mm: float, *, is_card: bool
) -> bool:
    """Return whether an edge shows on one of two opposite sides; if asked, a card's before it."""
    paper = _sampled(picture, card_to_picture, np.array([[22.0, 66.0], [22.0, 2.0]])[None])
    if np.isnan(paper).any():
        return False
    paper_bgr = np.maximum(paper.mean(axis=(0, 1)), 8.0)
    reach = np.arange(KEY_ENDS_MM, TO_MM + BEYOND_MM + HALF_EDGE_MM, STEP_MM)
    shows = []
    for a, b in zip(CARD_CORNERS_MM, np.roll(CARD_CORNERS_MM, -1, axis=0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        outward = reach[None, :, None] * np.array([along[1], -along[0]])

        def beside(starts: Floats, outward: Floats = outward) -> Floats:
            """Return the colours outwards of points (n, 2) of a side, as shares of the paper's."""
            points = starts[:, None, :] + outward
            seen = _sampled(picture, card_to_picture, points) / paper_bgr
            return np.asarray(seen, np.float32)

        side = beside(a + np.linspace(*SIDE_SHARE, SAMPLES)[:, None] * (b - a))
        edges = [at for at in _edges(side) if reach[at] >= from_mm - HALF_EDGE_MM]
        past = np.linspace(*PAST_ENDS_MM, 4)[:, None] * along
        ends = [beside(a - past), beside(b + past)] if is_card and edges else []
        shows.append(bool(edges) and (not is_card or _is_card(side, ends, edges[0])))
    # A sleeve shows its edge on opposite sides; a card that slipped on one of the two.
    return shows[1] != shows[3] or (not is_card and shows[0] != shows[2])


def _is_card(side: Floats, ends: Sequence[Floats], edge: int) -> bool:
    """Return whether a strip before an edge is a card's: all paper, and past its ends the table."""
    strip = side[:, :edge]
    if _is_paper(strip, SLIPPED_DARK).mean() < SLIPPED_PAPER:
        return False
    card = np.median(strip, axis=(0, 1))
    table = np.median(side[:, edge + round(BEYOND_MM / STEP_MM)], axis=0)
    like_card = [
        float((_apart(end[:, :edge], card) < _apart(end[:, :edge], table)).mean()) for end in ends
    ]
    return max(like_card) < MOST_PAST


def _apart(colours: Floats, other: Floats) -> Floats:
    """Return how far (..., 3) colours are from another one."""
    return np.asarray(np.abs(colours - other).max(axis=-1), np.float32)


def _edges(colours: Floats) -> npt.NDArray[np.intp]:
    """Return where, of the (samples, reach, 3) colours, paper ends all along a side."""
    apart = round(2 * HALF_EDGE_MM / STEP_MM)
    change = colours[:, apart:] - colours[:, :-apart]
    # Where a sample lies outside the picture its change is no number, and so is the median.
    typical = np.median(change, axis=0)
    alike = (change * np.sign(typical) > LEAST_CHANGE / 2).mean(axis=0)
    is_edge = ((np.abs(typical) > LEAST_CHANGE) & (alike > LEAST_SHARE)).any(axis=1)
    usual = np.median(colours, axis=0)
    is_edge &= _is_paper(usual[:-apart], PAPER_LIGHTNESS[0])
    far = round(BEYOND_MM / STEP_MM)
    after = _apart(usual[far:], usual[:-far]) > LEAST_CHANGE / 2
    return np.flatnonzero(is_edge[: len(after)] & after[: len(is_edge)])


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
