"""A game told act by act, for tests that read like a turn at the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from assistant.core.events import Act, Event, Recorded, SearchMade, Seq, SessionStarted
from assistant.core.game import Game
from assistant.core.settings import Expansion, Settings
from assistant.core.state import State, fold
from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Suit, Trait
from assistant.core.terms import Location
from assistant.core.turn_events import ClueGained, LadyFled, LadyUpdated, Passed, PoetMoved
from assistant.data import load_board

BOARD = load_board()

#: As many different clue cards as there are, with nothing read off them.
CLUES = [Clue(frozenset(three), ()) for three in combinations(Trait, 3)][:11]
ANY_CLUE = CLUES[0]


class Told:
    """A tracked game; `do` insists that the rules allow the act."""

    def __init__(
        self,
        *expansions: Expansion,
        pawn: Location = Location.CORNHILL,
        poet: Location | None = None,
        settings: Settings | None = None,
        suit: Suit | None = None,
        passes: int = 2,
    ) -> None:
        self.log: list[Recorded] = []
        start = SessionStarted(
            frozenset(expansions), pawn=pawn, poet=poet, suit=suit, passes=passes
        )
        self.do(start if settings is None else replace(start, settings=settings))

    @property
    def state(self) -> State:
        return fold(BOARD, self.log)

    @property
    def game(self) -> Game:
        return self.state.game

    def record(self, event: Event) -> Seq:
        seq = Seq(len(self.log) + 1)
        self.log.append(Recorded(seq, "", event))
        return seq

    def do(self, act: Act) -> Seq:
        refused = self.state.refusal(act)
        assert refused is None, refused
        return self.record(act)

    def refused(self, act: Act) -> str:
        reason = self.state.refusal(act)
        assert reason is not None, f"{act} is allowed"
        return reason

    def allowed(self, acts: Iterable[Act]) -> list[Act]:
        return [act for act in acts if self.state.refusal(act) is None]

    def turn(self, shows: Shown = Shown.UNSEEN) -> None:
        """Update the Lady (and the Poet, who stays): it is the player's step."""
        self.do(LadyUpdated(shows))
        if self.game.phase.value == "poet" and self.game.poet is not None:
            self.do(PoetMoved(self.game.poet))

    def fog_turn(self) -> None:
        self.turn(Shown.FOG)

    def idle(self, turns: int) -> None:
        """Let whole turns pass."""
        for _ in range(turns):
            self.turn()
            self.do(Passed())

    def hit(self) -> None:
        """Search here with a hit, take the clue, and let the Lady flee."""
        assert self.game.pawn is not None
        self.do(SearchMade(self.game.pawn, hit=True))
        self.do(ClueGained(CLUES[len(self.game.clues)]))
        self.do(LadyFled((Shown.UNSEEN,) * self.game.clues_held))
