"""How a stack and the hand that brings it move through a film: in, at rest, out."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assistant.practice.sprite import Sprite, smear_kernel
from assistant.vision.sighting import Corners

#: The shutter is open for this share of a frame.
_SHUTTER = 0.5
_LONGEST_SMEAR_PX = 26.0


@dataclass(slots=True)
class Laying:
    """One stack on its way; numbers are of frames. `hand` and the shadows may be out of sight."""

    stack: tuple[Sprite, ...]
    hand: tuple[Sprite, ...]
    corners: Corners
    #: From rest to where it is out of sight, px; and how much it is turned there.
    away_px: tuple[float, float]
    turn_deg: float
    enters: int
    rests: int
    hand_leaves: int
    hand_gone: int
    lifted: int | None = None
    leaves: int = 0
    gone: int = 0


#: Where stack and hand are in a frame: how far out, as shares of the way (0 is at rest).
Places = tuple[float, float]


def places_of(laying: Laying, number: int) -> Places | None:
    """Return how far out the stack and the hand are; None before and after."""
    if number < laying.enters:
        return None
    lifted = laying.lifted
    if lifted is not None and number >= laying.leaves:
        if number >= laying.gone:
            return None
        out = ((number - laying.leaves + 1) / (laying.gone - laying.leaves + 1)) ** 1.5
        return out, out
    if number < laying.rests:
        out = (1 - (number - laying.enters + 1) / (laying.rests - laying.enters + 1)) ** 2.0
        return out, out
    hand = _ramp(number, laying.hand_leaves, laying.hand_gone)
    if lifted is not None:
        hand = min(hand, 1 - _ramp(number, lifted, laying.leaves - 1))
    return 0.0, hand


def _ramp(number: int, first: int, last: int) -> float:
    """Return 0 before `first`, 1 from `last` on, smooth between."""
    share = min(max((number - first) / max(last - first, 1), 0.0), 1.0)
    return share * share * (3 - 2 * share)


def moved_sprites(laying: Laying, places: Places, before: Places) -> list[Sprite]:
    """Return the sprites where they are, smeared by what they moved since the frame before."""
    sprites: list[Sprite] = []
    for group, out, was, turns in (
        (laying.stack, places[0], before[0], True),
        (laying.hand, places[1], before[1], False),
    ):
        if out >= 1.0:
            continue
        x, y = laying.away_px[0] * out, laying.away_px[1] * out
        way = math.hypot(*laying.away_px) * abs(out - was) * _SHUTTER
        kernel = smear_kernel(
            min(way, _LONGEST_SMEAR_PX),
            math.degrees(math.atan2(laying.away_px[1], laying.away_px[0])),
        )
        turn = laying.turn_deg * out if turns else 0.0
        if turn == 0.0 and kernel is None:
            sprites += [sprite.shifted(round(x), round(y)) for sprite in group]
        else:
            sprites += [sprite.turned(turn, (x, y), kernel) for sprite in group]
    return sprites
