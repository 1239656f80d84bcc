"""Whether the lower card of a stack sticks out from under the key.

The icon, the digit or the Lady tells by its own place how far the cards are out of line; blank
paper does not. But a card so far out of line that its print left the hole sticks out at one side
or two, and ends there in an edge that runs along the key's own. So brightness and colour are
followed outwards from each side of the key: beyond what a card in line reaches, nothing may change
all along the side at once. What lies before that edge must be like paper: the seam of two planks
is no card's edge. Where the table has the card's own tone, nothing is claimed.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.geometry import CARD_CORNERS_MM, Homography, project
from assistant.vision.sighting import Picture

#: A card in line ends within 1.5 mm of the key, and print and cut are out of register by 1 mm.
FROM_MM = 3.6
TO_MM = 12.0
#: Places of print are 10 mm apart and more: a card that shows the next one sticks out by nearly so.
FROM_NEXT_MM = 6.5
STEP_MM = 0.25
#: The edge is the difference between so far before and so far behind.
HALF_EDGE_MM = 0.5
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
    return _shows_on_one_side(picture, card_to_picture, FROM_MM, 0.0)


def slipped_a_place(picture: Picture, card_to_picture: Homography) -> bool:
    """Return whether a card sticks out so far that the hole may show the print of another place.

    Print in the middle of the hole speaks against it, so the strip must be all paper. Args as of
    `sticks_out`.
    """
    return _shows_on_one_side(picture, card_to_picture, FROM_NEXT_MM, SLIPPED_PAPER)


def _shows_on_one_side(
    picture: Picture, card_to_picture: Homography, from_mm: float, least_paper: float
) -> bool:
    """Return whether an edge shows on one of two opposite sides, beyond a strip of paper."""
    paper = _sampled(picture, card_to_picture, np.array([[22.0, 66.0], [22.0, 2.0]])[None])
    if np.isnan(paper).any():
        return False
    paper_bgr = np.maximum(paper.mean(axis=(0, 1)), 8.0)
    reach = np.arange(KEY_ENDS_MM, TO_MM + HALF_EDGE_MM, STEP_MM)
    shows = []
    for a, b in zip(CARD_CORNERS_MM, np.roll(CARD_CORNERS_MM, -1, axis=0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        outward = np.array([along[1], -along[0]])
        middle = a + np.linspace(*SIDE_SHARE, SAMPLES)[:, None] * (b - a)
        points = middle[:, None, :] + reach[None, :, None] * outward
        colours = np.asarray(_sampled(picture, card_to_picture, points) / paper_bgr, np.float32)
        edges = [at for at in _edges(colours) if reach[at] >= from_mm - HALF_EDGE_MM]
        dark_from = SLIPPED_DARK if least_paper else PAPER_LIGHTNESS[0]
        shows.append(
            any(_is_paper(colours[:, :at], dark_from).mean() >= least_paper for at in edges[:1])
        )
    # A sleeve shows its edge on opposite sides; a card that slipped on one of the two.
    return shows[0] != shows[2] or shows[1] != shows[3]


def _edges(colours: Floats) -> npt.NDArray[np.intp]:
    """Return where, of the (samples, reach, 3) colours, paper ends all along a side."""
    apart = round(2 * HALF_EDGE_MM / STEP_MM)
    change = colours[:, apart:] - colours[:, :-apart]
    # Where a sample lies outside the picture its change is no number, and so is the median.
    typical = np.median(change, axis=0)
    alike = (change * np.sign(typical) > LEAST_CHANGE / 2).mean(axis=0)
    is_edge = ((np.abs(typical) > LEAST_CHANGE) & (alike > LEAST_SHARE)).any(axis=1)
    before = np.median(colours[:, :-apart], axis=0)
    return np.flatnonzero(is_edge & _is_paper(before, PAPER_LIGHTNESS[0]))


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
