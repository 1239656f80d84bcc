"""Whether the lower card of a stack sticks out from under the key.

The icon, the digit or the Lady tells by its own place how far the cards are out of line; blank
paper does not. But a card so far out of line that its print left the hole sticks out at one side
or two, and ends there in an edge that runs along the key's own. So brightness and colour are
followed outwards from each side of the key: beyond what a card in line reaches, nothing may change
all along the side at once. Where the table has the card's own tone, nothing is claimed.
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
STEP_MM = 0.25
#: The edge is the difference between so far before and so far behind.
HALF_EDGE_MM = 0.5
#: Samples along a side, and the part of it that they cover.
SAMPLES = 32
SIDE_SHARE = (0.12, 0.88)
#: Change of a channel, as a share of the key's paper: of the side's middle sample, and the share
#: of the samples that change at least half as much the same way.
LEAST_CHANGE = 0.1
LEAST_SHARE = 0.75


def sticks_out(picture: Picture, card_to_picture: Homography) -> bool:
    """Return whether a card's edge shows beside the key, farther out than a card in line has it.

    Args:
        picture: (rows, columns, 3) uint8.
        card_to_picture: mm on the key to px.
    """
    paper = _sampled(picture, card_to_picture, np.array([[22.0, 66.0], [22.0, 2.0]])[None])
    if np.isnan(paper).any():
        return False
    scale = max(float(paper.mean()), 8.0)
    reach = np.arange(FROM_MM - HALF_EDGE_MM, TO_MM + HALF_EDGE_MM, STEP_MM)
    apart = round(2 * HALF_EDGE_MM / STEP_MM)
    shows = []
    for a, b in zip(CARD_CORNERS_MM, np.roll(CARD_CORNERS_MM, -1, axis=0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        outward = np.array([along[1], -along[0]])
        middle = a + np.linspace(*SIDE_SHARE, SAMPLES)[:, None] * (b - a)
        points = middle[:, None, :] + reach[None, :, None] * outward
        colours = _sampled(picture, card_to_picture, points) / scale
        change = colours[:, apart:] - colours[:, :-apart]
        # Where a sample lies outside the picture its change is no number, and so is the median.
        typical = np.median(change, axis=0)
        alike = (change * np.sign(typical) > LEAST_CHANGE / 2).mean(axis=0)
        shows.append(bool(((np.abs(typical) > LEAST_CHANGE) & (alike > LEAST_SHARE)).any()))
    # A sleeve shows its edge on opposite sides; a card that slipped on one of the two.
    return shows[0] != shows[2] or shows[1] != shows[3]


def _sampled(
    picture: Picture, card_to_picture: Homography, points_mm: npt.NDArray[np.float64]
) -> npt.NDArray[np.float32]:
    """Return the (n, m, 3) colours at (n, m, 2) points in mm; nan outside the picture."""
    at = project(card_to_picture, points_mm.reshape(-1, 2)).reshape(points_mm.shape) - 0.5
    x, y = at[..., 0].astype(np.float32), at[..., 1].astype(np.float32)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR).astype(np.float32)
    height, width = picture.shape[:2]
    seen[(x < 0) | (y < 0) | (x > width - 1) | (y > height - 1)] = np.nan
    return np.asarray(seen, np.float32)
