"""`bystander bench --game`: what an event costs at the end of a long game.

A game of 60 turns with the Fair Youth, the Rendezvous, the Elusive Poet and the markers is played
by a fixed plan. Then, in ms, everything worked out anew (Youth, Rendezvous, the Lady's way, her
identity, score, doubts):

    after an event    the state carried on by one event more
    whole log         the same from the first line of the log, as when a session is opened
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

from assistant.core.board import Board
from assistant.core.events import (
    Act,
    Recorded,
    RendezvousSought,
    SearchMade,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.legality import poet_rule
from assistant.core.poet import placings
from assistant.core.rendezvous import rendezvous_puzzle
from assistant.core.settings import Expansion
from assistant.core.state import State, fold
from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    ClueGained,
    LadyFled,
    LadyUpdated,
    PawnMoved,
    PoetMoved,
    PoetPlaced,
    TracerPlaced,
    WaypointPlaced,
)
from assistant.core.youth import youth_puzzle
from assistant.data import load_board

TURNS = 60

#: A way round the map and back, once for the 26 slots of the stealth deck.
_ROUND = (
    "Cornhill", "Eastcheap", "London Bridge", "Southwark", "Liberty of the Clink", "Blackfriars",
    "St Paul's", "Cripplegate", "Shoreditch", "Bishopsgate", "Eastcheap", "Bishopsgate", "Cornhill",
    "St Paul's", "Blackfriars", "Clerkenwell", "Cripplegate", "Clerkenwell", "Blackfriars",
    "Liberty of the Clink", "Southwark", "London Bridge", "Eastcheap", "Cornhill", "Cripplegate",
    "St Paul's",
)  # fmt: skip


def run_game(as_json: bool, last: int = 40) -> int:
    """Play, measure over the last events of the game, and print; return 0."""
    board = load_board()
    log = long_game(board)
    # Other numbers, or what was worked out for the first row would be remembered for the second.
    other = [Recorded(Seq(entry.seq + len(log)), "", entry.event) for entry in log]
    after, whole = [], []
    for end in range(len(log) - last, len(log)):
        before = fold(board, log[:end])
        worked_out(before)
        after.append(_ms(lambda: before.after(log[end])))  # noqa: B023 - called at once
        whole.append(_ms(lambda: fold(board, other[: end + 1])))  # noqa: B023 - called at once
    for row in (_row("after an event", len(log), after), _row("whole log", len(log), whole)):
        words = f"{row['what']:<16}{row['median_ms']:8.2f} ms, worst {row['worst_ms']:.2f}"
        print(json.dumps(row) if as_json else f"{words} ({row['events']} events)")
    return 0


def worked_out(state: State) -> None:
    """Work out everything that a window would show."""
    _ = (state.game, state.doubts, state.youth.weights, state.rendezvous.weights)
    _ = (state.lady, state.chase.conflict, state.identity.standing, state.sheet)


def long_game(board: Board) -> list[Recorded]:
    """Return the log of a game of 60 turns; every act is legal."""
    start = SessionStarted(
        frozenset(Expansion) - {Expansion.AGGRESSIVE, Expansion.DARKER},
        pawn=Location.CORNHILL,
        poet=Location.CLERKENWELL,
        suit=Suit.ROSE,
        passes=3,
    )
    log = [Recorded(Seq(1), "", start)]
    state = fold(board, log)
    while state.game.turn < TURNS or not state.game.acted:
        act = next(act for act in _wishes(state) if state.refusal(act) is None)
        log.append(Recorded(Seq(len(log) + 1), "", act))
        state = state.after(log[-1])
    return log


def _wishes(state: State) -> Iterator[Act]:
    """Yield what the player would do next, the dearest first; the last is always legal."""
    game, board = state.game, state.board
    pawn = game.pawn or Location.CORNHILL
    clue = Clue(frozenset(list(Trait)[:3]), (Mark(Suit.ROSE, frozenset({0, 1, 2})),))
    yield ClueGained(clue)
    for place in placings(board, pawn):
        yield PoetPlaced(place)
    rule = poet_rule(game)
    if rule is not None:
        yield PoetMoved(rule.move)
    yield LadyFled(tuple(_top(state, ahead + 1) for ahead in range(game.clues_held)))
    if game.turn % 9 == 4:
        yield WaypointPlaced(pawn)
        yield TracerPlaced(pawn, 3)
    if _lady(state, 0) is pawn:
        yield SearchMade(pawn, hit=True)
    if game.turn % 3 == 1 and state.youth.value_at(pawn) is None:
        icons = youth_puzzle(board).allowed[pawn][Location.SOUTHWARK]
        yield YouthAsked(pawn, min(icons, key=lambda icon: icon.value))
    if game.turn % 3 == 2 and state.rendezvous.value_at(pawn) is None:
        numbers = rendezvous_puzzle(board, state.started.settings.steps).allowed[pawn]
        yield RendezvousSought(pawn, min(numbers[Feature.TAVERN]))
    ways = board.neighbours(pawn)
    yield PawnMoved(ways[game.turn % len(ways)])
    yield LadyUpdated(_top(state, 1))


def _lady(state: State, updates: int) -> Location:
    return Location(_ROUND[state.game.deck.slot_after(updates)])


def _top(state: State, updates: int) -> Shown:
    if state.game.deck.slot_after(updates) in state.game.deck.fogged:
        return Shown.FOG
    here = state.board.features(_lady(state, updates))
    return Shown(min(feature.value for feature in here))


def _ms(made: Callable[[], State]) -> float:
    start = perf_counter()
    worked_out(made())
    return (perf_counter() - start) * 1000


def _row(what: str, events: int, taken: Sequence[float]) -> dict[str, Any]:
    return {
        "what": what,
        "events": events,
        "turns": TURNS,
        "median_ms": round(statistics.median(taken), 3),
        "worst_ms": round(max(taken), 3),
    }
