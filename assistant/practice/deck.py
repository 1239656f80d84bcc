"""The practice deck: which cards there are and what each shows in every keyhole.

The printed game keeps its Fair Youth and Rendezvous cards' icons and numbers to itself. Ours are
drawn by lot, once for each deck, among those the rules allow; so every deck is a fair game and no
deck is the printed one. The stealth cards have a silhouette at one place and letters of our own.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from assistant.core.board import Board
from assistant.core.rendezvous import numbers_allowed
from assistant.core.terms import BLANK, LADY, Content, Feature, Location, StepReading
from assistant.core.youth import icons_allowed

Lot = TypeVar("Lot", Feature, int)


@dataclass(frozen=True, slots=True)
class YouthCard:
    """A Fair Youth card: the hideout on its front, an icon for every place on its face."""

    hideout: Location
    icons: Mapping[Location, Feature]

    def shows(self, location: Location) -> Content:
        """Return what a location's keyhole shows of the face."""
        return Content.icon(self.icons[location])


@dataclass(frozen=True, slots=True)
class RendezvousCard:
    """A Rendezvous card: the feature on its front, a number for every place on its face."""

    feature: Feature
    numbers: Mapping[Location, int]

    def shows(self, location: Location) -> Content:
        """Return what a location's keyhole shows of the face."""
        return Content.digit(self.numbers[location])


@dataclass(frozen=True, slots=True)
class StealthCard:
    """A stealth card: a landmark on its back; on its face the Lady at one place, and letters."""

    location: Location
    symbol: Feature
    letters: str

    def shows(self, location: Location) -> Content:
        """Return what a location's keyhole shows of the face: the Lady, or blank paper."""
        return LADY if location is self.location else BLANK


@dataclass(frozen=True, slots=True)
class FogCard:
    """A fog card; both sides show a cloud. Nobody lays it on a key."""


#: A card that is laid on a key and flipped with it.
HiddenCard = YouthCard | RendezvousCard | StealthCard


class PracticeDeck:
    """Eleven Fair Youth cards, seven Rendezvous cards, stealth cards and a fog card.

    The same seed gives the same deck. Immutable once made. `steps` is how the Rendezvous numbers
    are counted.
    """

    def __init__(self, board: Board, seed: int, steps: StepReading = StepReading.WALK) -> None:
        lots = random.Random(f"practice deck {seed}")
        self.board = board
        self.seed = seed
        self.youth: Mapping[Location, YouthCard] = {
            hideout: YouthCard(
                hideout,
                {place: _drawn(lots, icons_allowed(board, place, hideout)) for place in Location},
            )
            for hideout in Location
        }
        self.rendezvous: Mapping[Feature, RendezvousCard] = {
            feature: RendezvousCard(
                feature,
                {
                    place: _drawn(lots, numbers_allowed(board, place, feature, steps))
                    for place in Location
                },
            )
            for feature in Feature
        }
        self.stealth: Mapping[Location, StealthCard] = {
            place: StealthCard(
                place,
                _drawn(lots, board.features(place)),
                "".join(lots.choices("ABCDEFGHJKLMNPRSTUVWXYZ", k=8)),
            )
            for place in Location
        }
        self.fog = FogCard()


def _drawn(lots: random.Random, among: Iterable[Lot]) -> Lot:
    # Sets have no order of their own; without one the same seed would give other decks.
    return lots.choice(sorted(among, key=str))
