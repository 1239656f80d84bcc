"""Cutting the card out of a calibration shot: its outline, to a fraction of a pixel.

A calibration shot shows one card on a table that it stands out from, be it by paleness or by hue
alone. Rough outlines come from assistant.vision.card_outline, on two pictures: how pale a point
is, and how unlike the table. Each is drawn again (assistant.vision.card_edges); the outline whose
sides are straight, clear and of a card's proportions is the card's.
"""

from __future__ import annotations

from assistant.vision.card_edges import LEAST_FIT, CardCut, sharpened
from assistant.vision.card_outline import darkest_channel, outlines_in, unlikeness
from assistant.vision.sighting import Picture

#: Outlines of each of the two pictures that are drawn again.
MOST_OUTLINES = 6
#: An outline that fits so well needs no other to be tried.
SURE_FIT = 0.9


def cut_card(picture: Picture) -> CardCut | None:
    """Return the card of a shot, from mm to px, with how well it fits; None where none stands out.

    Which of its two ways up the card lies is not known yet: mm may count from either end.
    """
    best: CardCut | None = None
    for rough in outlines_in(picture, (unlikeness, darkest_channel), MOST_OUTLINES):
        cut = sharpened(picture, rough)
        if cut is not None and (best is None or cut.fit > best.fit):
            best = cut
        if best is not None and best.fit > SURE_FIT:
            break
    return None if best is None or best.fit < LEAST_FIT else best
