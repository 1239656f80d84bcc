"""Which feature is the rendezvous: what the numbers say (rulebook, The Rendezvous, Game play).

"You may go in any direction but must not double back" can be counted in three ways, and the printed
cards do not tell which was meant; `StepReading` names them. A walk contains a path contains a
shortest way, so the default, the walk, never strikes out the truth whichever was meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from assistant.core.board import Board
from assistant.core.deduction import Answer, Deduction, Puzzle, deduce
from assistant.core.terms import Feature, Location, StepReading

RendezvousAnswer = Answer[int]
RendezvousDeduction = Deduction[Feature, int]

#: The numbers printed on Rendezvous cards.
NUMBERS = (1, 2, 3)


@lru_cache(maxsize=1024)
def places_away(
    board: Board, start: Location, steps: int, reading: StepReading
) -> frozenset[Location]:
    """Return the locations exactly `steps` steps from `start` by a reading of the rule."""
    if reading is StepReading.SHORTEST:
        return frozenset(end for end in Location if board.distance(start, end) == steps)
    ways: list[tuple[Location, ...]] = [(start,)]
    for _ in range(steps):
        ways = [
            (*way, step)
            for way in ways
            for step in board.neighbours(way[-1])
            if not _doubles_back(way, step, reading)
        ]
    return frozenset(way[-1] for way in ways)


def _doubles_back(way: tuple[Location, ...], step: Location, reading: StepReading) -> bool:
    """Whether a step is forbidden: onto the place just left, or for a path onto any before."""
    left = way if reading is StepReading.PATH else way[-2:-1]
    return step in left


def numbers_allowed(
    board: Board, sought: Location, feature: Feature, reading: StepReading
) -> frozenset[int]:
    """Return the numbers that the card of `feature` may show at `sought`.

    The feature is present "in at least one location the indicated number of steps away"; that it
    is also nearer, or here, excludes nothing.
    """
    return frozenset(
        number
        for number in NUMBERS
        if any(
            feature in board.features(place)
            for place in places_away(board, sought, number, reading)
        )
    )


@lru_cache(maxsize=12)
def rendezvous_puzzle(board: Board, reading: StepReading) -> Puzzle[Feature, int]:
    """Return the seven Rendezvous cards and the numbers each may have at each place."""
    return Puzzle.of(
        Feature, lambda sought, feature: numbers_allowed(board, sought, feature, reading)
    )


def deduce_rendezvous(
    board: Board, answers: Iterable[RendezvousAnswer], reading: StepReading = StepReading.WALK
) -> RendezvousDeduction:
    """Return the features that every answer allows, with weights, or the conflict."""
    return deduce(rendezvous_puzzle(board, reading), answers)
