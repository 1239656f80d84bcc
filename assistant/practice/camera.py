"""The practice camera: a film of the virtual table in which stacks are laid and lifted on demand.

Nothing waits: the clock of the film is its frame number, 30 a second. The table, its light and the
camera stand still; a stack comes in from where the hand comes, slows down, rests; the hand goes
away, comes back when the stack is lifted, and takes it out:

    clear -lay()-> slides in -> rests, the hand leaves -lift()-> hand returns -> slides out -> clear

Only what moves is drawn and lit anew in each frame; noise and JPEG come over all of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from assistant.core.terms import Location
from assistant.practice.deck import HiddenCard, PracticeDeck
from assistant.practice.faces import face_of, key_back
from assistant.practice.handling import draw_hands, draw_laid, hole_on_table
from assistant.practice.hands import hand_seen
from assistant.practice.lens import Optics, packed
from assistant.practice.scene import draw_lens, draw_shines, lay_clutter, shadow_of, table_seen
from assistant.practice.sprite import Sprite, smear_kernel
from assistant.practice.stack import card_seen
from assistant.practice.stage import LEVELS, Hardness, corners_of, draw_view, outside
from assistant.session import Frame
from assistant.vision.sighting import Corners, Picture, Side

FRAMES_PER_S = 30.0

#: The shutter is open for this share of a frame.
_SHUTTER = 0.5
_LONGEST_SMEAR_PX = 26.0

#: Stacks are laid round the table's origin, this far off at most; other cards keep clear of it.
_SPOT_MM = 16.0
_CLEAR_MM = 100.0


@dataclass(slots=True)
class _Laying:
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


class PracticeCamera:
    """A CameraSource that films the practice deck. The same seed and acts give the same film.

    One thread at a time may use it.
    """

    def __init__(
        self,
        deck: PracticeDeck,
        seed: int,
        hardness: Hardness = Hardness.NORMAL,
        size: tuple[int, int] = (1280, 720),
        *,
        blackout: bool = False,
        last_frame: int | None = None,
    ) -> None:
        """`size` is (width, height) in px. `blackout` films with the cap on.

        `last_frame` ends the film after the frame of that number; without it the film never ends.
        """
        self.size = size
        self._lots = np.random.default_rng((seed, 30, list(Hardness).index(hardness)))
        self._level = replace(LEVELS[hardness], outside=min(LEVELS[hardness].outside, 0.02))
        self._blackout, self._last_frame = blackout, last_frame
        self._view = draw_view(self._level, size, self._lots.uniform(0, 360), self._lots)
        self._light_deg = self._lots.uniform(0, 360)
        shines = draw_shines(self._level.shine, self._view, (size[0] / 2, size[1] / 2), self._lots)
        self._optics = Optics(
            draw_lens(self._level, size, self._light_deg, shines, self._lots), size
        )
        self._bare = table_seen(self._view, self._level.on_map, self._lots)
        lay_clutter(
            self._bare,
            self._view,
            deck,
            most=self._level.clutter,
            clear_mm=_CLEAR_MM,
            light_deg=self._light_deg,
            lots=self._lots,
        )
        self._bare_seen = self._optics.seen(self._bare)
        self._still: tuple[object, Picture] | None = None
        self._laying: _Laying | None = None
        self._next = 0

    @property
    def next_frame(self) -> int:
        """The number of the frame that comes next."""
        return self._next

    @property
    def is_clear(self) -> bool:
        """Whether the table is empty in the next frame."""
        laying = self._laying
        return laying is None or (laying.lifted is not None and self._next >= laying.gone)

    @property
    def rests_from(self) -> int | None:
        """The number of the first frame in which the stack rests; None when the table is clear."""
        return None if self.is_clear or self._laying is None else self._laying.rests

    @property
    def leaves_from(self) -> int | None:
        """The number of the first frame in which a lifted stack moves; None when none is lifted."""
        laying = self._laying
        return None if laying is None or laying.lifted is None else laying.leaves

    @property
    def gone_from(self) -> int | None:
        """The number of the first frame without the lifted stack; None when none is lifted."""
        laying = self._laying
        return None if laying is None or laying.lifted is None else laying.gone

    @property
    def corners(self) -> Corners | None:
        """The corners of the key at rest, in px, from its printed top left; None when clear."""
        return None if self.is_clear or self._laying is None else self._laying.corners

    def lay(self, location: Location, card: HiddenCard) -> None:
        """Begin to slide a stack in; it rests until it is lifted.

        Raises:
            ValueError: another stack is on the table or not yet out of sight.
        """
        if not self.is_clear:
            raise ValueError("a stack lies on the table; lift it first")
        self._laying = self._drawn_laying(location, card)

    def lift(self) -> None:
        """Begin to take the stack away; without one, or with one already lifted, do nothing."""
        laying = self._laying
        if laying is None or laying.lifted is not None:
            return
        laying.lifted = max(self._next, laying.rests)
        returning = int(self._lots.integers(5, 8)) if laying.hand else 0
        laying.leaves = max(laying.lifted + returning, laying.hand_gone)
        laying.gone = laying.leaves + int(self._lots.integers(7, 11))

    def read(self, timeout_s: float = 0.0) -> Frame | None:
        """Return the next frame at once; None when the film is over."""
        del timeout_s
        number = self._next
        if self._last_frame is not None and number > self._last_frame:
            return None
        self._next += 1
        if self._blackout:
            picture = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        else:
            picture = packed(self._clean(number), self._optics.lens, self._lots)
        return Frame(picture, number, number / FRAMES_PER_S)

    def close(self) -> None:
        """Let go; there is nothing to let go of. The film ends here."""
        self._last_frame = self._next - 1

    def _clean(self, number: int) -> Picture:
        """Return the frame before noise; the one before, when nothing moved in between."""
        laying = self._laying
        places = None if laying is None else _places(laying, number)
        if self._still is not None and self._still[0] == places:
            return self._still[1]
        frame = self._bare_seen
        if laying is not None and places is not None:
            moved = _moved(laying, places, _places(laying, number - 1) or places)
            frame = self._composed(moved)
        self._still = (places, frame)
        return frame

    def _composed(self, sprites: list[Sprite]) -> Picture:
        """Return the lit frame with sprites laid on the bare table, lighting only their part."""
        if not sprites:
            return self._bare_seen
        width, height = self.size
        bounds = np.array([sprite.bounds() for sprite in sprites])
        pad = self._optics.reach_px
        left, top = (int(max(v - pad, 0)) for v in bounds[:, :2].min(axis=0))
        right = int(min(bounds[:, 2].max() + pad, width))
        bottom = int(min(bounds[:, 3].max() + pad, height))
        if left >= right or top >= bottom:
            return self._bare_seen
        # Twice the blur's reach of table is drawn; the outer half is not used.
        x0, y0, x1, y1 = (
            max(left - pad, 0),
            max(top - pad, 0),
            min(right + pad, width),
            min(bottom + pad, height),
        )
        piece = self._bare[y0:y1, x0:x1].copy()
        for sprite in sprites:
            sprite.lay(piece, x0, y0)
        seen = self._optics.seen(piece, x0, y0)
        frame = self._bare_seen.copy()
        frame[top:bottom, left:right] = seen[top - y0 : bottom - y0, left - x0 : right - x0]
        return frame

    def _drawn_laying(self, location: Location, card: HiddenCard) -> _Laying:
        lots, view = self._lots, self._view
        for _ in range(40):
            x_mm, y_mm = (float(v) for v in lots.uniform(-_SPOT_MM, _SPOT_MM, 2))
            turn = lots.uniform(0, 360)
            corners = corners_of(view.card(x_mm, y_mm, turn))
            if outside(corners, self.size) <= self._level.outside:
                break
        laid = replace(
            draw_laid(self._level, turn, self._light_deg, None, lots), x_mm=x_mm, y_mm=y_mm
        )
        hole = hole_on_table(location, Side.BACK, turn)
        hands = draw_hands(replace(self._level, hands=1.0), None, hole, turn, lots)[:1]
        hands = [
            replace(hand, tip_x_mm=hand.tip_x_mm + x_mm, tip_y_mm=hand.tip_y_mm + y_mm)
            for hand in hands
        ]
        card_sprite = card_seen(
            view, laid, key_back(location), (location, Side.BACK), face_of(card)
        )
        hand_sprite = hand_seen(view, hands[0]) if hands else None
        from_deg = hands[0].towards_deg + 180 if hands else lots.uniform(0, 360)
        enters, slide = self._next, int(lots.integers(8, 13))
        rests = enters + slide
        hand_leaves = rests + int(lots.integers(3, 7))
        return _Laying(
            stack=() if card_sprite is None else self._with_shadow(card_sprite, 0.8, 0.42),
            hand=() if hand_sprite is None else self._with_shadow(hand_sprite, 3.0, 0.5),
            corners=corners,
            away_px=self._way_out(from_deg, card_sprite),
            turn_deg=lots.uniform(-12, 12),
            enters=enters,
            rests=rests,
            hand_leaves=hand_leaves,
            hand_gone=hand_leaves + int(lots.integers(6, 10)),
        )

    def _with_shadow(self, sprite: Sprite, height_mm: float, strength: float) -> tuple[Sprite, ...]:
        return (shadow_of(sprite, self._view, self._light_deg, height_mm, strength), sprite)

    def _way_out(self, towards_deg: float, sprite: Sprite | None) -> tuple[float, float]:
        """Return the shortest way, in px, by which the sprite leaves the frame in a direction."""
        cos, sin = math.cos(math.radians(towards_deg)), math.sin(math.radians(towards_deg))
        if sprite is None:
            return cos * self.size[0], sin * self.size[0]
        left, top, right, bottom = sprite.bounds()
        width, height = self.size
        over_x = (width - left if cos > 0 else right) / max(abs(cos), 1e-6)
        over_y = (height - top if sin > 0 else bottom) / max(abs(sin), 1e-6)
        far = min(over_x, over_y) + 20
        return cos * far, sin * far


#: Where stack and hand are in a frame: how far out, as shares of the way (0 is at rest).
_Places = tuple[float, float]


def _places(laying: _Laying, number: int) -> _Places | None:
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


def _moved(laying: _Laying, places: _Places, before: _Places) -> list[Sprite]:
    """Return the sprites where they are, smeared by what they moved since the frame before."""
    sprites: list[Sprite] = []
    for group, out, was, turns in (
        (laying.stack, places[0], before[0], True),
        (laying.hand, places[1], before[1], False),
    ):
        if out >= 1.0:
            continue
        x, y = laying.away_px[0] * out, laying.away_px[1] * out
        moved = math.hypot(*laying.away_px) * abs(out - was) * _SHUTTER
        kernel = smear_kernel(
            min(moved, _LONGEST_SMEAR_PX),
            math.degrees(math.atan2(laying.away_px[1], laying.away_px[0])),
        )
        turn = laying.turn_deg * out if turns else 0.0
        if turn == 0.0 and kernel is None:
            sprites += [sprite.shifted(round(x), round(y)) for sprite in group]
        else:
            sprites += [sprite.turned(turn, (x, y), kernel) for sprite in group]
    return sprites
