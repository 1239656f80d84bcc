"""The practice camera: a film of the virtual table in which stacks are laid and lifted on demand.

Nothing waits: the clock of the film is its frame number, 30 a second. The table, its light and the
camera stand still; a stack comes in from where the hand comes, slows down, rests; the hand goes
away, comes back when the stack is lifted, and takes it out:

    clear -lay()-> slides in -> rests, the hand leaves -lift()-> hand returns -> slides out -> clear

Only what moves is drawn and lit anew in each frame; noise and JPEG come over all of it.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from assistant.core.terms import Location
from assistant.practice.deck import HiddenCard, PracticeDeck
from assistant.practice.faces import face_of, key_back
from assistant.practice.handling import draw_hands, draw_laid, hole_on_table
from assistant.practice.hands import hand_seen
from assistant.practice.lens import Optics, packed
from assistant.practice.motion import Laying, moved_sprites, places_of
from assistant.practice.scene import (
    draw_lens,
    draw_shines,
    is_blinded,
    lay_clutter,
    shadow_of,
    table_seen,
)
from assistant.practice.sprite import Sprite
from assistant.practice.stack import card_seen
from assistant.practice.stage import LEVELS, Hardness, draw_view, outside
from assistant.session import Frame
from assistant.vision.geometry import corners_in_picture
from assistant.vision.sighting import Corners, Picture, Side

FRAMES_PER_S = 30.0

#: Stacks are laid round the table's origin, this far off at most; other cards keep clear of it.
_SPOT_MM = 16.0
_CLEAR_MM = 100.0


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
        shines = draw_shines(self._level.shine, self._view, None, self._lots)
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
        self._laying: Laying | None = None
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
        places = None if laying is None else places_of(laying, number)
        if self._still is not None and self._still[0] == places:
            return self._still[1]
        frame = self._bare_seen
        if laying is not None and places is not None:
            moved = moved_sprites(laying, places, places_of(laying, number - 1) or places)
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

    def _drawn_laying(self, location: Location, card: HiddenCard) -> Laying:
        lots, view = self._lots, self._view
        x_mm, y_mm, turn = self._drawn_spot(location)
        corners = corners_in_picture(view.card(x_mm, y_mm, turn))
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
        return Laying(
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

    def _drawn_spot(self, location: Location) -> tuple[float, float, float]:
        """Return where a stack is laid, x and y in mm, and its turn: in sight, out of the glare."""
        lots, view = self._lots, self._view
        x_mm, y_mm, turn = 0.0, 0.0, 0.0
        for _ in range(60):
            x_mm, y_mm = (float(v) for v in lots.uniform(-_SPOT_MM, _SPOT_MM, 2))
            turn = lots.uniform(0, 360)
            hole = hole_on_table(location, Side.BACK, turn)
            hole_px = view.px_at(hole[0] + x_mm, hole[1] + y_mm)
            over = outside(corners_in_picture(view.card(x_mm, y_mm, turn)), self.size)
            if over <= self._level.outside and not is_blinded(
                hole_px, self._optics.lens.shines, view.px_per_mm
            ):
                break
        return x_mm, y_mm, turn

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
