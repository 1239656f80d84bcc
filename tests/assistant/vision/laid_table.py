"""Tables laid by hand for the tests: which surface, which cards where, whose hand, which camera.

What lies there is known because the test laid it. Light and lens are calm, so that whatever is not
read is not read because of what lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from assistant.core.terms import Location
from assistant.practice.faces import Face, face_of, key_back, key_front
from assistant.practice.hands import Hand, hand_seen
from assistant.practice.lens import Optics, packed
from assistant.practice.scene import draw_lens, lay_with_shadow, table_seen
from assistant.practice.stack import Laid, card_seen
from assistant.practice.stage import CALM, View, view_of
from assistant.practice.surfaces import Surface, surface_seen
from assistant.vision.sighting import Picture, Side
from tests.assistant.vision.practice_profile import practice_table

SIZE = (1280, 720)
LIGHT_DEG = 225.0


class Ground(Enum):
    """What the cards lie on."""

    CLOTH = "cloth"
    WOOD = "wood"
    BOARD = "board"


@dataclass(frozen=True)
class Card:
    """A card on the table: a side, whose hole, what lies below, and where (mm from the middle)."""

    face: Face
    key: tuple[Location, Side] | None = None
    lower: Face | None = None
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 12.0
    lower_mm: tuple[float, float] = (0.0, 0.0)
    lower_deg: float = 0.0


@dataclass(frozen=True)
class Camera:
    """How the table is filmed."""

    size: tuple[int, int] = SIZE
    px_per_mm: float = 5.5
    tilt_deg: float = 8.0
    towards_deg: float = 70.0

    def view(self) -> View:
        width, height = self.size
        middle = (width / 2, height / 2)
        return view_of(self.size, self.px_per_mm, self.tilt_deg, self.towards_deg, middle)


CALM_CAMERA = Camera()


def filmed(
    ground: Ground,
    cards: Sequence[Card],
    hands: Sequence[Hand] = (),
    camera: Camera = CALM_CAMERA,
    seed: int = 1,
) -> Picture:
    """Return the picture of a table with cards and hands, one after the other on top."""
    lots, view = np.random.default_rng((seed, 77)), camera.view()
    frame = _ground(ground, view, lots)
    for card in cards:
        laid = Laid(
            card.x_mm,
            card.y_mm,
            card.turn_deg,
            LIGHT_DEG - card.turn_deg,
            lower_mm=card.lower_mm,
            lower_deg=card.lower_deg,
        )
        sprite = card_seen(view, laid, card.face, card.key, card.lower)
        lay_with_shadow(frame, sprite, view, LIGHT_DEG, height_mm=0.8)
    for hand in hands:
        lay_with_shadow(frame, hand_seen(view, hand), view, LIGHT_DEG, height_mm=3.0, strength=0.5)
    return _seen(frame, camera.size, lots)


def key_alone(place: Location, **how: float) -> Card:
    """Return a key that lies back up with nothing below it."""
    return replace(Card(key_back(place), (place, Side.BACK)), **how)  # type: ignore[arg-type]


def front_alone(place: Location, **how: float) -> Card:
    """Return a key that lies front up, its hole in it, with nothing below it."""
    return replace(Card(key_front(place), (place, Side.FRONT)), **how)  # type: ignore[arg-type]


def stack(place: Location, lower: Face, **how: object) -> Card:
    """Return a key, back up, on some other card's side."""
    return replace(Card(key_back(place), (place, Side.BACK), lower), **how)  # type: ignore[arg-type]


def youth_stack(place: Location, hideout: Location, **how: object) -> Card:
    """Return a key on a Fair Youth card."""
    return stack(place, face_of(practice_table().deck.youth[hideout]), **how)


def _ground(ground: Ground, view: View, lots: np.random.Generator) -> Picture:
    if ground is Ground.BOARD:
        return table_seen(view, 1.0, lots)
    kind = Surface.CLOTH if ground is Ground.CLOTH else Surface.WOOD
    return surface_seen(kind, lots, view.to_frame, view.size)


def _seen(frame: Picture, size: tuple[int, int], lots: np.random.Generator) -> Picture:
    lens = draw_lens(CALM, size, LIGHT_DEG, (), lots)
    return packed(Optics(lens, size).seen(frame), lens, lots)


def on_a_screen(
    picture: Picture, ground: Ground = Ground.WOOD, seed: int = 1, *, bright: float = 1.15
) -> Picture:
    """Return a tablet that shows a picture: bezel, grid of its pixels (moire), a bluish light.

    The picture fills the tablet's screen, which fills 70 % of the frame's height.
    """
    lots, camera = np.random.default_rng((seed, 78)), Camera(px_per_mm=3.0)
    frame = _ground(ground, camera.view(), lots)
    height = round(SIZE[1] * 0.7)
    width = round(height * picture.shape[1] / picture.shape[0])
    shown = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    # The grids of screen and sensor beat: waves a few mm long.
    waves = 1 + 0.05 * np.sin(columns * 0.31 + rows * 0.07) * np.sin(rows * 0.29 - columns * 0.05)
    shown *= waves[..., None] * np.array((1.08, 1.0, 0.93), np.float32) * bright
    left, top = (SIZE[0] - width) // 2, (SIZE[1] - height) // 2
    bezel = 34
    frame[top - bezel : top + height + bezel, left - bezel : left + width + bezel] = (22, 20, 20)
    frame[top : top + height, left : left + width] = np.clip(shown, 0, 255).astype(np.uint8)
    return _seen(frame, SIZE, lots)
