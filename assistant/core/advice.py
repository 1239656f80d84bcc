"""Where asking or seeking helps most: a help that the player may switch on.

For each place not yet asked: the expected number of candidates left after the answer, under the
weights of the deduction. For a player who has to walk there, the candidates struck out per turn:
each road is a turn, and asking is one more.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from assistant.core.board import Board
from assistant.core.deduction import Deduction
from assistant.core.terms import Location

Card = TypeVar("Card")
Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Advice:
    """What asking at a place is worth.

    `expected` is the mean number of candidates left. `turns` counts the walk from the pawn and the
    asking, `per_turn` the candidates struck out per turn; both are None where no pawn was given.
    """

    location: Location
    expected: float
    turns: int | None = None
    per_turn: float | None = None


def expected_left(deduction: Deduction[Card, Value], place: Location) -> Fraction:
    """Return the expected number of candidates after asking at a place.

    Never more than there are now; exactly as many where the answer is already known.
    """
    if place in deduction.asked:
        return Fraction(len(deduction.candidates))
    chance: dict[Value, Fraction] = {}
    count: dict[Value, int] = {}
    for card in deduction.candidates:
        values = deduction.puzzle.allowed[place][card]
        for value in values:
            chance[value] = chance.get(value, Fraction(0)) + deduction.shares[card] / len(values)
            count[value] = count.get(value, 0) + 1
    return sum((chance[value] * count[value] for value in chance), Fraction(0))


def advise(
    board: Board, deduction: Deduction[Card, Value], pawn: Location | None = None
) -> tuple[Advice, ...]:
    """Return the places not yet asked, the most useful first.

    Without a pawn the order is by candidates left, with one by candidates struck out per turn; ties
    keep the printed order of the map. Empty when fewer than two candidates are left.
    """
    if len(deduction.candidates) < 2:
        return ()
    now = len(deduction.candidates)
    worth: list[tuple[Fraction, Advice]] = []
    for place in Location:
        if place in deduction.asked:
            continue
        left = expected_left(deduction, place)
        if pawn is None:
            worth.append((left, Advice(place, float(left))))
            continue
        turns = board.distance(pawn, place) + 1
        per_turn = (now - left) / turns
        worth.append((-per_turn, Advice(place, float(left), turns, float(per_turn))))
    return tuple(advice for _, advice in sorted(worth, key=lambda pair: pair[0]))
