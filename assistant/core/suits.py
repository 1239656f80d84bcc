"""The words of the Dark Lady's identity: traits, suits, clue cards.

A Lady has three of the seven traits. A clue card is another Lady: it shows her three traits and, in
the row of the Dark Lady's suit, how many of them the Dark Lady shares. A mark such as "0/2" leaves
two counts open. The base game has six suits of two Ladies, the Darker Ladies four of three.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from assistant.core.errors import UsageError
from assistant.core.settings import Expansion


class Trait(Enum):
    """One of the seven characteristics on the deduction tokens."""

    CHAIN = "chain"
    CROWN = "crown"
    HEART = "heart"
    MUSIC = "music"
    QUILL = "quill"
    RATTLE = "rattle"
    RING = "ring"


class Suit(Enum):
    """The suit of a Dark Lady's card: six of the base game, four of the Darker Ladies."""

    ROSE = "rose"
    OAK = "oak"
    BLUEBELL = "bluebell"
    ACORN = "acorn"
    THISTLE = "thistle"
    SAGE = "sage"
    HEARTS = "hearts"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    SPADES = "spades"


BASE_SUITS = (Suit.ROSE, Suit.OAK, Suit.BLUEBELL, Suit.ACORN, Suit.THISTLE, Suit.SAGE)
DARKER_SUITS = (Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)


def suits_in_play(expansions: Collection[Expansion]) -> tuple[Suit, ...]:
    """Return the suits of the Ladies in play: the Darker Ladies replace those of the base game."""
    return DARKER_SUITS if Expansion.DARKER in expansions else BASE_SUITS


@dataclass(frozen=True, slots=True)
class Mark:
    """What a clue card shows in the row of one suit: the counts of shared traits it leaves open."""

    suit: Suit
    counts: frozenset[int]

    def __post_init__(self) -> None:
        """Refuse a count that three traits cannot share."""
        if not self.counts or not self.counts <= {0, 1, 2, 3}:
            raise ValueError(f"a mark leaves counts from 0 to 3 open, not {sorted(self.counts)}")

    @property
    def text(self) -> str:
        """The mark as printed, such as "0/2"."""
        return "/".join(str(count) for count in sorted(self.counts))


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue card that lies face up: its traits and the marks that are known of it.

    A base card turned up is known by name with all its marks; one typed by what it shows has the
    mark of the suit of the moment.
    """

    traits: frozenset[Trait]
    marks: tuple[Mark, ...]
    name: str | None = None

    def __post_init__(self) -> None:
        """Refuse a card without exactly three traits or with two marks for one suit."""
        if len(self.traits) != 3:
            raise ValueError(f"a clue card has three traits, not {len(self.traits)}")
        if len({mark.suit for mark in self.marks}) != len(self.marks):
            raise ValueError("a clue card has one mark for a suit")

    def counts(self, suit: Suit) -> frozenset[int] | None:
        """Return the counts that the row of a suit leaves open, None where it is not known."""
        for mark in self.marks:
            if mark.suit is suit:
                return mark.counts
        return None


@dataclass(frozen=True, slots=True)
class LadyCard:
    """A Lady whose whole card is known: her own suit, and her card as a clue."""

    suit: Suit
    clue: Clue


def parse_counts(text: str) -> frozenset[int]:
    """Return the counts of a typed mark: "1", "0/2".

    Raises:
        UsageError: it is no such mark.
    """
    parts = text.replace(" ", "").split("/")
    if not all(part in ("0", "1", "2", "3") for part in parts):
        raise UsageError(f'"{text}" is no mark of a clue card; type it as "1" or "0/2"')
    return frozenset(int(part) for part in parts)
