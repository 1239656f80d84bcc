"""Whole games, event by event, from a table where every hidden card is known. Seeded."""

from __future__ import annotations

import random
from collections.abc import Callable

from assistant.core.events import (
    Act,
    Corrected,
    Event,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seen,
    Seq,
    YouthAsked,
)
from assistant.core.settings import Expansion, Settings
from assistant.core.suits import Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    FogUsed,
    Help,
    HelpUsed,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PawnMoved,
    PoetMoved,
    PoetPlaced,
    WaypointPlaced,
    YouthConfronted,
)
from assistant.data import load_board
from tests.assistant.core.tabletop import Tabletop

ALL = frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS})
SEEN = Seen(0.98, 4)


class _Evening:
    """One player at one table, who asks, seeks, follows the Lady, and slips now and then."""

    def __init__(self, seed: int, turns: int, expansions: frozenset[Expansion], first: int) -> None:
        self.chance = random.Random(f"whole game {seed}")
        self.table = Tabletop(load_board(), self.chance, expansions, Settings(), passes=9)
        self.events: list[Event] = [self.table.start()]
        self.turns = turns
        self.first = first

    def play(self) -> list[Event]:
        for turn in range(self.turns):
            self._turn(turn)
        self._last_turn()
        return self.events

    def _do(self, act: Act) -> None:
        assert self.table.allows(act), act
        self.table.do(act)
        self.events.append(act)

    def _begin_turn(self) -> None:
        self._do(LadyUpdated(self.table.peek(1)[0]))
        if self.table.has_poet:
            self._do(PoetMoved(min(self.table.poet_may(), key=lambda p: p.value)))

    def _turn(self, turn: int) -> None:
        self._begin_turn()
        here = self.table.pawn
        if turn == 5 and Expansion.MARKERS in self.table.expansions:
            self._do(WaypointPlaced(here))
        if turn == 7:
            self.events.append(HelpUsed(Help.ASK))
        asked = Expansion.YOUTH in self.table.expansions
        acts: list[Callable[[], Act]] = [
            lambda: SearchMade(here, hit=here is self.table.lady_place, seen=SEEN),
            lambda: FogUsed(4, returned=True),
        ]
        if asked:
            acts.append(lambda: YouthAsked(here, self.table.icon[here], SEEN))
            acts.append(lambda: RendezvousSought(here, self.table.number[here], SEEN))
        self.chance.shuffle(acts)
        if here is self.table.lady_place:
            acts.insert(0, acts.pop(next(n for n, a in enumerate(acts) if self._is_search(a))))
        if turn % 2 and self._step():
            return
        for act in acts:
            if self.table.allows(act()):
                self._slip(act())
                self._do(act())
                self._after()
                return
        if not self._step():
            self._do(Passed())

    @staticmethod
    def _is_search(act: Callable[[], Act]) -> bool:
        return isinstance(act(), SearchMade)

    def _slip(self, act: Act) -> None:
        """Now and then a wrong entry first, which is taken back, or put right at once."""
        if not isinstance(act, YouthAsked) or self.chance.random() < 0.6:
            return
        wrong = next(f for f in Feature if f is not act.feature)
        self.events.append(YouthAsked(act.location, wrong))
        of = Seq(len(self.events) + self.first - 1)
        if self.chance.random() < 0.5:
            self.events.append(Corrected(of, YouthAsked(act.location, act.feature)))
        self.events.append(Retracted(of))

    def _step(self) -> bool:
        steps = [PawnMoved(place) for place in load_board().neighbours(self.table.pawn)]
        fresh = [s for s in steps if s.to not in self.table.seen_places] or steps
        for step in fresh:
            if self.table.allows(step):
                self._do(step)
                self._after()
                return True
        return False

    def _after(self) -> None:
        table = self.table
        while table.owed and table.clue_pile:
            self._do(ClueGained(table.clue_pile.pop()))
        if table.step == "flight":
            self._do(LadyFled(tuple(table.peek(len(table.held) + table.owed))))
        if table.place_poet:
            for place in Location:
                if table.allows(PoetPlaced(place)):
                    self._do(PoetPlaced(place))
                    return

    def _last_turn(self) -> None:
        """Go where the Lady is, if she can be met in a place that will do; confront both."""
        self._begin_turn()
        board, table = load_board(), self.table
        for _ in range(20):
            meets = table.rendezvous in board.features(table.pawn)
            if table.pawn is table.lady_place and meets and not table.pinned:
                break
            steps = [PawnMoved(p) for p in board.first_steps(table.pawn, table.lady_place)]
            step = next((step for step in steps if table.allows(step)), Passed())
            self._do(step if table.allows(step) else Passed())
            self._after()
            self._begin_turn()
        if Expansion.YOUTH in table.expansions:
            self._do(YouthConfronted(table.hideout))
        due = table.rendezvous if Expansion.RENDEZVOUS in table.expansions else None
        traits: frozenset[Trait] = table.lady_traits
        self._do(LadyConfronted(traits, table.pawn is table.lady_place, traits, due))
        self.events.append(BaseScored(31))


def whole_game(
    seed: int = 1, turns: int = 20, expansions: frozenset[Expansion] = ALL, first: int = 1
) -> list[Event]:
    """Return the events of a game in their order; their numbers run from `first`."""
    return _Evening(seed, turns, expansions, first).play()
