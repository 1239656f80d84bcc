"""The virtual table: pictures of the practice deck with the truth about each.

A still is a pure function of the deck, the table's seed, the still's number and what is asked for;
so a test can name the one picture that failed. The order of drawing is that of the world: table,
other cards, the stack with its shadow, hands; then the light, the lens, the sensor, the JPEG.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assistant.core.terms import LADY, Content, Feature, Location
from assistant.practice.deck import HiddenCard, PracticeDeck
from assistant.practice.faces import Face, face_of, key_back, key_front
from assistant.practice.handling import draw_hands, draw_laid, hole_on_table
from assistant.practice.hands import hand_seen
from assistant.practice.lens import Optics, packed
from assistant.practice.scene import (
    any_other_side,
    draw_lens,
    draw_shines,
    lay_clutter,
    lay_with_shadow,
    table_seen,
)
from assistant.practice.stack import card_seen
from assistant.practice.stage import CALM, LEVELS, Hardness, Level, draw_view
from assistant.practice.truth import Negative, Shot, Showing, Truth
from assistant.vision.geometry import corners_in_picture
from assistant.vision.sighting import Side

DEFAULT_SIZE = (1280, 720)


#: How often a still shows what, when nobody asks.
_SHARES = {
    Showing.ICON: 0.3,
    Showing.NUMBER: 0.26,
    Showing.LADY: 0.14,
    Showing.BLANK: 0.12,
    Showing.NEGATIVE: 0.18,
}

#: A key without a card below gives no reading, whichever side is up.
_ALONE = {Side.FRONT: Negative.KEY_FRONT, Side.BACK: Negative.KEY_ALONE}


class VirtualTable:
    """Films the practice deck. The same deck and seed give the same pictures."""

    def __init__(self, deck: PracticeDeck, seed: int) -> None:
        self.deck = deck
        self.seed = seed

    def still(
        self,
        number: int,
        hardness: Hardness = Hardness.NORMAL,
        size: tuple[int, int] = DEFAULT_SIZE,
        showing: Showing | None = None,
        negative: Negative | None = None,
    ) -> Shot:
        """Return the still of that number; what it shows is by chance unless asked for.

        `size` is (width, height) in px. Raises: ValueError: a negative was asked for together
        with something to read.
        """
        lots = np.random.default_rng((self.seed, number, list(Hardness).index(hardness)))
        drawn = list(_SHARES)[int(lots.choice(len(_SHARES), p=list(_SHARES.values())))]
        drawn_negative = list(Negative)[int(lots.integers(len(Negative)))]
        if negative is not None and showing not in (None, Showing.NEGATIVE):
            raise ValueError(f"{negative} cannot show {showing}")
        showing = Showing.NEGATIVE if negative is not None else (showing or drawn)
        if showing is Showing.NEGATIVE:
            return self._negative(negative or drawn_negative, LEVELS[hardness], size, lots)
        place = list(Location)[int(lots.integers(len(Location)))]
        card = self._card(showing, place, lots)
        subject = _Subject(
            Truth(showing, place, Side.BACK, card.shows(place)),
            key_back(place),
            (place, Side.BACK),
            lower=face_of(card),
        )
        return self._shot(subject, LEVELS[hardness], size, lots)

    def calibration_shots(self, seed: int, count: int = 44) -> list[Shot]:
        """Return easy pictures of single keys, no card below: fronts and backs in turn.

        22 or more show every key from both sides. The same seed gives the same pictures.
        """
        shots = []
        lots = np.random.default_rng((self.seed, seed, 22))
        places = [list(Location)[k] for k in lots.permutation(len(Location))]
        for number in range(count):
            place = places[(number // 2) % len(places)]
            side = (Side.FRONT, Side.BACK)[number % 2]
            subject = _Subject(
                Truth(Showing.NEGATIVE, place, side, negative=_ALONE[side]),
                key_back(place) if side is Side.BACK else key_front(place),
                (place, side),
                # Shown to the camera as the wizard asks: upright, give or take.
                turn_deg=float(lots.normal(0, 6)),
            )
            shots.append(self._shot(subject, CALM, DEFAULT_SIZE, lots))
        return shots

    def stack_shots(self, seed: int) -> list[Shot]:
        """Return easy pictures of stacks: each digit and the Lady, each at three keys.

        As a player may lay them before set-up, so that their print is learnt. The same seed gives
        the same pictures.
        """
        lots = np.random.default_rng((self.seed, seed, 8))
        hidden: tuple[HiddenCard, ...] = (
            *self.deck.rendezvous.values(),
            *self.deck.stealth.values(),
        )
        shots = []
        for content in (*(Content.digit(number) for number in (1, 2, 3)), LADY):
            at: dict[Location, HiddenCard] = {
                place: card for card in hidden for place in Location if card.shows(place) == content
            }
            for choice in lots.permutation(len(at))[:3]:
                place, card = list(at.items())[int(choice)]
                showing = Showing.LADY if content == LADY else Showing.NUMBER
                subject = _Subject(
                    Truth(showing, place, Side.BACK, content),
                    key_back(place),
                    (place, Side.BACK),
                    lower=face_of(card),
                )
                shots.append(self._shot(subject, CALM, DEFAULT_SIZE, lots))
        return shots

    def _card(self, showing: Showing, place: Location, lots: np.random.Generator) -> HiddenCard:
        if showing is Showing.ICON:
            return self.deck.youth[list(Location)[int(lots.integers(len(Location)))]]
        if showing is Showing.NUMBER:
            return self.deck.rendezvous[list(Feature)[int(lots.integers(len(Feature)))]]
        if showing is Showing.LADY:
            return self.deck.stealth[place]
        elsewhere = [other for other in Location if other is not place]
        return self.deck.stealth[elsewhere[int(lots.integers(len(elsewhere)))]]

    def _negative(
        self, which: Negative, level: Level, size: tuple[int, int], lots: np.random.Generator
    ) -> Shot:
        place = list(Location)[int(lots.integers(len(Location)))]
        hidden = self._card(list(Showing)[int(lots.integers(4))], place, lots)
        key: tuple[Location, Side] | None = None
        face: Face | None = None
        lower: Face | None = None
        if which in (Negative.KEY_ALONE, Negative.HOLE_COVERED, Negative.OUT_OF_LINE):
            key, face = (place, Side.BACK), key_back(place)
            lower = None if which is Negative.KEY_ALONE else face_of(hidden)
        elif which is Negative.KEY_FRONT:
            key, face = (place, Side.FRONT), key_front(place)
        elif which not in (Negative.TABLE, Negative.HAND):
            face = any_other_side(self.deck, which.value, lots)
        truth = Truth(
            Showing.NEGATIVE,
            None if key is None else place,
            None if key is None else key[1],
            negative=which,
            below=None if lower is None else hidden.shows(place),
        )
        return self._shot(_Subject(truth, face, key, lower), level, size, lots)

    def _shot(
        self, subject: _Subject, level: Level, size: tuple[int, int], lots: np.random.Generator
    ) -> Shot:
        turn = lots.uniform(0, 360) if subject.turn_deg is None else subject.turn_deg
        light_deg = lots.uniform(0, 360)
        view = draw_view(level, size, turn, lots)
        frame = table_seen(view, level.on_map, lots)
        lay_clutter(
            frame,
            view,
            self.deck,
            most=level.clutter,
            clear_mm=64.0,
            light_deg=light_deg,
            lots=lots,
        )
        hole_mm = None if subject.key is None else hole_on_table(*subject.key, turn)
        hole_px = None if hole_mm is None else view.px_at(*hole_mm)
        corners = None
        if subject.face is not None:
            laid = draw_laid(level, turn, light_deg, subject.truth.negative, lots)
            sprite = card_seen(view, laid, subject.face, subject.key, subject.lower)
            lay_with_shadow(frame, sprite, view, light_deg, height_mm=0.8)
            corners = corners_in_picture(view.card(0, 0, turn))
        for hand in draw_hands(level, subject.truth.negative, hole_mm, turn, lots):
            lay_with_shadow(
                frame, hand_seen(view, hand), view, light_deg, height_mm=3.0, strength=0.5
            )
        lens = draw_lens(
            level, size, light_deg, draw_shines(level.shine, view, hole_px, lots), lots
        )
        picture = packed(Optics(lens, size).seen(frame), lens, lots)
        return Shot(picture, replace(subject.truth, corners=corners))


@dataclass(frozen=True, slots=True, eq=False)
class _Subject:
    """What lies at the table's origin."""

    truth: Truth
    face: Face | None
    key: tuple[Location, Side] | None
    lower: Face | None = None
    turn_deg: float | None = None
