"""Where the Fair Youth hides: what bystanders' icons say (rulebook, The Fair Youth, Game play)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from assistant.core.board import Board
from assistant.core.deduction import Answer, Deduction, Puzzle, deduce
from assistant.core.terms import Feature, Location

YouthAnswer = Answer[Feature]
YouthDeduction = Deduction[Location, Feature]


def icons_allowed(board: Board, asked: Location, hideout: Location) -> frozenset[Feature]:
    """Return the icons that a bystander at `asked` may show when the Youth hides at `hideout`.

    The icon is characteristic of the next location on a shortest way to the hideout; where several
    ways are equally short (up to three first steps) any of them may be meant. Asked in the hideout
    itself, the bystander tells which way he went the last time: any neighbour. Never empty.
    """
    steps = board.neighbours(asked) if asked is hideout else board.first_steps(asked, hideout)
    return frozenset[Feature]().union(*(board.features(step) for step in steps))


@lru_cache(maxsize=4)
def youth_puzzle(board: Board) -> Puzzle[Location, Feature]:
    """Return the eleven Fair Youth cards and the icons each may have at each place."""
    return Puzzle.of(Location, lambda asked, hideout: icons_allowed(board, asked, hideout))


def deduce_youth(board: Board, answers: Iterable[YouthAnswer]) -> YouthDeduction:
    """Return the hideouts that every answer allows, with weights, or the conflict.

    The place of asking is never struck out by its own answer unless no neighbour has the feature.
    """
    return deduce(youth_puzzle(board), answers)
