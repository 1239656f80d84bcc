"""What a hidden card can be, given what it showed through the keyholes.

The Fair Youth card and the Rendezvous card are the same kind of puzzle. One of several cards lies
face down. Each card has one fixed value printed for each place (an icon, a number); the rules say
which values a card may have there. The player has seen some of the values.

* A card is a **candidate** when the rules allow it every value seen.
* A candidate's **weight** is its share of the chance. All cards were equally likely, each printed
  value is uniform among those allowed and independent of the other places, so a card's chance goes
  with the product of 1/|allowed| over the places seen. The same answer again adds nothing.
* No candidate at all is a **conflict**: some answer is wrong. The smallest set of answers that no
  card allows is to blame; where several are equally small the first in the order of the answers is
  named and the others are listed.

Values in, values out; exact fractions, so the order of the answers cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Generic, TypeVar

from assistant.core.terms import Location

Card = TypeVar("Card")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """What the hidden card showed at a place; `by` numbers who said so (an event, an argument)."""

    location: Location
    value: Value
    by: int = 0


@dataclass(frozen=True, slots=True)
class Conflict(Generic[Value]):
    """The smallest set of answers that no card allows, and the other sets as small."""

    answers: tuple[Answer[Value], ...]
    others: tuple[tuple[Answer[Value], ...], ...] = ()


@dataclass(frozen=True)
class Puzzle(Generic[Card, Value]):
    """The cards that may lie hidden, in printed order, and the values each may have at a place."""

    cards: tuple[Card, ...]
    allowed: Mapping[Location, Mapping[Card, frozenset[Value]]]

    @classmethod
    def of(
        cls, cards: Iterable[Card], allowed: Callable[[Location, Card], Iterable[Value]]
    ) -> Puzzle[Card, Value]:
        """Return the puzzle whose rule is a function of the place and the card."""
        ordered = tuple(cards)
        table = {
            place: {card: frozenset(allowed(place, card)) for card in ordered} for place in Location
        }
        return cls(ordered, table)

    def allows(self, card: Card, answer: Answer[Value]) -> bool:
        """Whether a card may show this value at this place."""
        return answer.value in self.allowed[answer.location][card]


@dataclass(frozen=True)
class Deduction(Generic[Card, Value]):
    """What follows from the answers: candidates with weights, who is out and why, or a conflict.

    `candidates` is empty exactly when `conflict` is set. `struck_out` gives, for each card that is
    out, every answer that rules it out, in the order given; never empty for a card. With a
    conflict it may lack cards: two values at one place rule out the pair, not any one card.
    """

    puzzle: Puzzle[Card, Value]
    answers: tuple[Answer[Value], ...]
    candidates: tuple[Card, ...]
    shares: Mapping[Card, Fraction]
    struck_out: Mapping[Card, tuple[Answer[Value], ...]]
    conflict: Conflict[Value] | None

    @property
    def weights(self) -> dict[Card, float]:
        """How likely each candidate is; sums to 1, empty with a conflict."""
        return {card: float(share) for card, share in self.shares.items()}

    @property
    def asked(self) -> frozenset[Location]:
        """The places whose value has been seen."""
        return frozenset(answer.location for answer in self.answers)


def deduce(puzzle: Puzzle[Card, Value], answers: Iterable[Answer[Value]]) -> Deduction[Card, Value]:
    """Return what the answers say about the hidden card.

    The same value at the same place again confirms and changes nothing. Two values at one place
    contradict each other, for a card has one value there.
    """
    distinct = _distinct(answers)
    struck_out = {
        card: tuple(answer for answer in distinct if not puzzle.allows(card, answer))
        for card in puzzle.cards
    }
    one_value_each = len({answer.location for answer in distinct}) == len(distinct)
    candidates = tuple(card for card in puzzle.cards if not struck_out[card] and one_value_each)
    return Deduction(
        puzzle=puzzle,
        answers=distinct,
        candidates=candidates,
        shares=_shares(puzzle, candidates, {answer.location for answer in distinct}),
        struck_out={card: against for card, against in struck_out.items() if against},
        conflict=None if candidates else smallest_conflict(puzzle, distinct),
    )


def smallest_conflict(
    puzzle: Puzzle[Card, Value], answers: Sequence[Answer[Value]]
) -> Conflict[Value]:
    """Return the smallest set of answers that no card allows, in the order of the answers.

    Raises:
        ValueError: some card allows them all.
    """
    for size in range(1, len(answers) + 1):
        blamed = [
            subset for subset in combinations(answers, size) if not _some_card(puzzle, subset)
        ]
        if blamed:
            return Conflict(blamed[0], tuple(blamed[1:]))
    raise ValueError("the answers do not contradict each other")


def _some_card(puzzle: Puzzle[Card, Value], answers: Sequence[Answer[Value]]) -> bool:
    if len({answer.location for answer in answers}) < len(answers):
        return False
    return any(all(puzzle.allows(card, answer) for answer in answers) for card in puzzle.cards)


def _distinct(answers: Iterable[Answer[Value]]) -> tuple[Answer[Value], ...]:
    """Return each value at each place once, the first time it was given."""
    first: dict[tuple[Location, Value], Answer[Value]] = {}
    for answer in answers:
        first.setdefault((answer.location, answer.value), answer)
    return tuple(first.values())


def _shares(
    puzzle: Puzzle[Card, Value], candidates: Sequence[Card], asked: Iterable[Location]
) -> dict[Card, Fraction]:
    places = tuple(asked)
    likelihood = {
        card: Fraction(1, prod(len(puzzle.allowed[place][card]) for place in places))
        for card in candidates
    }
    total = sum(likelihood.values(), Fraction(0))
    return {card: share / total for card, share in likelihood.items()}
