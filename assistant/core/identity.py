"""Who the Dark Lady is: clues over the 35 possible triples of traits.

A clue in the row of the Lady's suit says how many of the card's three traits she shares. A triple
is possible when every clue held allows it; all possible triples are equally likely. Which Ladies
were printed is not used: only the clues that the player holds. When the Lady's suit changes, every
clue is read again in the new row; a clue whose mark in that row is not known says nothing yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations

from assistant.core.suits import Clue, Suit, Trait

Triple = frozenset[Trait]

#: Every triple of traits a Lady could have, in the order of the traits.
TRIPLES: tuple[Triple, ...] = tuple(frozenset(three) for three in combinations(Trait, 3))


class Standing(Enum):
    """What is known of one trait of the Dark Lady."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class HeldClue:
    """A clue with the number of the event that brought it."""

    clue: Clue
    by: int = 0


@dataclass(frozen=True)
class Identity:
    """What the clues say of the Dark Lady."""

    suit: Suit | None
    clues: tuple[HeldClue, ...]
    #: The triples that every clue allows, in the order of `TRIPLES`; empty with a contradiction.
    triples: tuple[Triple, ...]

    @property
    def unread(self) -> tuple[HeldClue, ...]:
        """The clues whose mark for the Lady's suit is not known: look at the cards again."""
        if self.suit is None:
            return self.clues
        return tuple(held for held in self.clues if held.clue.counts(self.suit) is None)

    @cached_property
    def weights(self) -> dict[Trait, Fraction]:
        """How likely each trait is; they sum to three. All zero with a contradiction."""
        total = len(self.triples) or 1
        return {
            trait: Fraction(sum(trait in triple for triple in self.triples), total)
            for trait in Trait
        }

    @cached_property
    def standing(self) -> dict[Trait, Standing]:
        """Whether each trait is certain, possible or out; all out with a contradiction."""
        return {trait: _standing(share) for trait, share in self.weights.items()}

    def why(self, trait: Trait) -> tuple[HeldClue, ...]:
        """Return the smallest set of clues that alone makes a trait certain or out.

        The first such set in the order of the clues; empty for a trait that is merely possible.
        """
        standing = self.standing[trait]
        if standing is Standing.POSSIBLE or not self.triples:
            return ()
        against = _HAVING[trait] if standing is Standing.OUT else _EVERY & ~_HAVING[trait]
        return self._smallest(against)

    @cached_property
    def conflict(self) -> tuple[HeldClue, ...]:
        """The smallest set of clues that no triple allows; empty when they agree."""
        return () if self.triples else self._smallest(_EVERY)

    def _smallest(self, against: int) -> tuple[HeldClue, ...]:
        """Return the smallest set of clues that leaves none of some triples (as bits).

        Tries up to every set of clues, so the triples are bits of a number here.
        """
        masks = [_allowed(held.clue, self.suit) for held in self.clues]
        for size in range(1, len(masks) + 1):
            for some in combinations(range(len(masks)), size):
                left = against
                for number in some:
                    left &= masks[number]
                if not left:
                    return tuple(self.clues[number] for number in some)
        return ()


def deduce_identity(suit: Suit | None, clues: Iterable[HeldClue]) -> Identity:
    """Return what the clues held say of a Lady of a suit; nothing while the suit is unknown."""
    held = tuple(clues)
    return Identity(suit, held, _possible(suit, held))


def _possible(suit: Suit | None, clues: Sequence[HeldClue]) -> tuple[Triple, ...]:
    left = _EVERY
    for held in clues:
        left &= _allowed(held.clue, suit)
    return tuple(triple for bit, triple in enumerate(TRIPLES) if left >> bit & 1)


def _bits(wanted: Iterable[bool]) -> int:
    return sum(1 << bit for bit, is_in in enumerate(wanted) if is_in)


#: Every triple, and those with each trait, as bits in the order of `TRIPLES`.
_EVERY = (1 << len(TRIPLES)) - 1
_HAVING = {trait: _bits(trait in triple for triple in TRIPLES) for trait in Trait}


@lru_cache(maxsize=4096)
def _allowed(clue: Clue, suit: Suit | None) -> int:
    """Return the triples that a clue allows, as bits; all while its mark is not known."""
    counts = None if suit is None else clue.counts(suit)
    if counts is None:
        return _EVERY
    return _bits(len(triple & clue.traits) in counts for triple in TRIPLES)


def _standing(share: Fraction) -> Standing:
    if share == 1:
        return Standing.CERTAIN
    return Standing.OUT if share == 0 else Standing.POSSIBLE
