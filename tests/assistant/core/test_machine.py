"""Thousands of random games with all expansions beside a plain table that knows the hidden cards.

At every step one act, legal or not, is put to both. They must agree on whether the rules allow it.
After every act: no truth is struck out, the core's table lies as the plain one does, and now and
then undo of any length, redo, a house rule taken back, and the replay of the log must give the same
state again.
"""

from __future__ import annotations

import copy
import os
import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from assistant.core.events import (
    Act,
    Event,
    Overruled,
    Recorded,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seq,
    YouthAsked,
)
from assistant.core.game import Game, Phase
from assistant.core.settings import Expansion, Settings, TieReading
from assistant.core.state import State, fold
from assistant.core.stealth import Shown, Slot
from assistant.core.suits import Trait
from assistant.core.terms import Location
from assistant.core.turn_events import (
    ClueGained,
    FogUsed,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PawnMoved,
    PoetMoved,
    PoetPlaced,
    TracerPlaced,
    WaypointPlaced,
    YouthConfronted,
)
from assistant.data import load_board
from assistant.journal import decode, encode
from tests.assistant.core.tabletop import Tabletop

BOARD = load_board()
PHASES = {
    "lady": Phase.LADY,
    "poet": Phase.POET,
    "player": Phase.PLAYER,
    "flight": Phase.FLIGHT,
}
expansions = st.frozensets(st.sampled_from(Expansion)).filter(
    lambda chosen: not {Expansion.ELUSIVE, Expansion.AGGRESSIVE} <= chosen
)


class Play(RuleBasedStateMachine):
    """One game, played on the plain table and told to the core."""

    @initialize(
        seed=st.integers(0, 2**32),
        chosen=expansions,
        advance=st.booleans(),
        tie=st.sampled_from(TieReading),
    )
    def set_up(
        self, seed: int, chosen: frozenset[Expansion], advance: bool, tie: TieReading
    ) -> None:
        settings_ = Settings(advance_after_miss=advance, tie=tie)
        self.table = Tabletop(BOARD, random.Random(seed), chosen, settings_)
        self.log: list[Recorded] = []
        self.folded = fold(BOARD, [])
        #: The table before each act in force, and the game after it, for undo.
        self.before: list[Tabletop] = []
        self.states: list[Game] = []
        self.record(self.table.start())
        self.states.append(self.state().game)

    def record(self, event: Event) -> None:
        self.log.append(Recorded(Seq(len(self.log) + 1), "", event))
        self.folded = self.folded.after(self.log[-1])

    def state(self) -> State:
        """The state of the log, carried on from event to event; `replay` folds it anew."""
        return self.folded

    def put(self, act: Act) -> None:
        """Put an act to both; do it when it is legal."""
        state = self.state()
        allowed = self.table.allows(act)
        refused = state.refusal(act)
        assert (refused is None) is allowed, (act, refused)
        if not allowed:
            return
        self.before.append(copy.deepcopy(self.table, {id(BOARD): BOARD}))
        self.table.do(act)
        self.record(act)
        self.states.append(self.state().game)

    def shows(self) -> Shown:
        return (self.table.peek(1) or [Shown.UNSEEN])[0]

    # Steps of the turn. Most of what is put is what the table is waiting for.

    @rule()
    def go_on(self) -> None:
        """What has to come next, whatever it is."""
        table = self.table
        if table.owed and not table.over:
            self.put(ClueGained(table.clue_pile[len(table.held)]))
        elif table.place_poet:
            colour = BOARD.colour(table.pawn)
            for place in Location:
                if BOARD.colour(place) is colour and place is not table.pawn:
                    self.put(PoetPlaced(place))
                    break
        elif table.step == "poet":
            self.put(PoetMoved(min(table.poet_may(), key=str)))
        elif table.step == "flight":
            self.put(LadyFled(tuple(table.peek(len(table.held) + table.owed))))
        else:
            self.put(LadyUpdated(self.shows()))

    @rule(kinds=st.lists(st.integers(0, 6), min_size=1, max_size=8))
    def play_turns(self, kinds: list[int]) -> None:
        """Whole turns, so that games get long: what has to come, then one act of the player."""
        for kind in kinds:
            for _ in range(9):
                if self.table.step == "player" and not self.table.done:
                    break
                self.go_on()
            here = self.table.pawn
            ways = BOARD.neighbours(here)
            hit = here is self.table.lady_place
            acts: list[Act] = [
                PawnMoved(ways[kind % len(ways)]),
                SearchMade(here, hit),
                YouthAsked(here, self.table.icon[here]),
                RendezvousSought(here, self.table.number[here]),
                FogUsed(kind + 1, None, tuple(self.table.peek(kind % 3))),
                Passed(),
                PawnMoved(ways[-1]),
            ]
            self.put(SearchMade(here, hit) if hit and kind > 2 else acts[kind])

    @rule(place=st.sampled_from(Location), near=st.integers(0, 3))
    def move(self, place: Location, near: int) -> None:
        ways = BOARD.neighbours(self.table.pawn)
        self.put(PawnMoved(ways[near] if near < len(ways) else place))

    @rule(away=st.booleans(), place=st.sampled_from(Location))
    def ask(self, away: bool, place: Location) -> None:
        here = place if away else self.table.pawn
        self.put(YouthAsked(here, self.table.icon[here]))

    @rule(away=st.booleans(), place=st.sampled_from(Location))
    def seek(self, away: bool, place: Location) -> None:
        here = place if away else self.table.pawn
        self.put(RendezvousSought(here, self.table.number[here]))

    @rule(chase=st.booleans())
    def search(self, chase: bool) -> None:
        here = self.table.lady_place if chase else self.table.pawn
        self.put(SearchMade(here, hit=here is self.table.lady_place))

    @rule(act=st.sampled_from((Passed(), LadyUpdated(), LadyUpdated(Shown.FOG))))
    def idle_or_hurry(self, act: Act) -> None:
        if isinstance(act, LadyUpdated) and act.shows is Shown.FOG and self.shows() is Shown.FOG:
            act = LadyUpdated(Shown.CHURCH)  # a symbol where fog lies
        if act == LadyUpdated() and self.table.has_poet:
            act = LadyUpdated(self.shows())  # the Poet's move needs the symbol
        self.put(act)

    @rule(
        card=st.integers(1, 10),
        advance=st.integers(0, 3),
        counts=st.tuples(st.integers(0, 1), st.integers(0, 1)),
        returned=st.booleans(),
        to=st.none() | st.sampled_from(Location),
    )
    def use_fog(
        self, card: int, advance: int, counts: tuple[int, int], returned: bool, to: Location | None
    ) -> None:
        clues, discarded = counts
        shows = tuple(self.table.peek(advance))
        self.put(FogUsed(card, to, shows, clues, discarded, None, returned))

    @rule(place=st.sampled_from(Location), warning=st.sampled_from((0, 3, 5)))
    def mark(self, place: Location, warning: int) -> None:
        self.put(TracerPlaced(place, warning) if warning else WaypointPlaced(place))

    @rule(place=st.sampled_from(Location))
    def misplace(self, place: Location) -> None:
        for act in (PoetMoved(place), PoetPlaced(place)):
            self.put(act)

    @rule(shows=st.lists(st.just(Shown.UNSEEN), max_size=4))
    def flee_wrongly(self, shows: list[Shown]) -> None:
        table = self.table
        if table.step != "flight" or len(shows) != len(table.peek(len(table.held) + table.owed)):
            self.put(LadyFled(tuple(shows)))

    @precondition(lambda self: len(self.log) > 25)
    @rule()
    def confront_youth(self) -> None:
        self.put(YouthConfronted(self.table.hideout))

    @precondition(lambda self: len(self.log) > 60)
    @rule(right=st.booleans())
    def confront_lady(self, right: bool) -> None:
        table = self.table
        named = table.lady_traits if right else frozenset(list(Trait)[:3])
        due = Expansion.RENDEZVOUS in table.expansions
        found = table.lady_place is table.pawn
        shown = table.rendezvous if due else None
        self.put(LadyConfronted(named, found, table.lady_traits, shown))

    # Going back.

    @precondition(lambda self: len(self.before) > 0)
    @rule(steps=st.integers(1, 6))
    def undo_some(self, steps: int) -> None:
        for _ in range(min(steps, len(self.before))):
            taken_back = self.state().undo()
            assert taken_back is not None
            self.record(taken_back)
            self.table = self.before.pop()
            self.states.pop()
        assert self.state().game == self.states[-1]

    @precondition(lambda self: len(self.before) > 0)
    @rule(steps=st.integers(1, 4))
    def undo_and_redo(self, steps: int) -> None:
        for _ in range(min(steps, len(self.before))):
            taken_back = self.state().undo()
            assert taken_back is not None
            self.record(taken_back)
        for _ in range(min(steps, len(self.before))):
            again = self.state().redo()
            assert isinstance(again, Retracted)
            self.record(again)
        assert self.state().game == self.states[-1]

    @rule(place=st.sampled_from(Location))
    def overrule_and_take_back(self, place: Location) -> None:
        act = PawnMoved(place)
        refused = self.state().refusal(act)
        if refused is None:
            return
        self.record(Overruled(act, refused))
        assert self.state().game.pawn is place
        assert self.state().doubts == ()
        taken_back = self.state().undo()
        assert taken_back is not None
        self.record(taken_back)
        assert self.state().game == self.states[-1]

    @rule()
    def try_on_a_copy(self) -> None:
        before = self.state()
        other = before.what_if(Passed())
        assert other.game.acted or not before.game.tracked
        assert self.state().game == self.states[-1]

    @rule()
    def replay(self) -> None:
        lines = "".join(encode(entry.seq, entry.time, entry.event) for entry in self.log)
        replayed = decode(lines.encode())
        assert replayed.damage is None
        anew = fold(BOARD, replayed.events)
        assert anew.game == self.states[-1]
        assert anew.history == self.state().history
        assert anew.doubts == self.state().doubts

    # What must always hold.

    @invariant()
    def the_table_lies_the_same(self) -> None:
        game, table = self.state().game, self.table
        assert self.state().doubts == ()
        assert game.pawn is table.pawn
        assert game.phase is (Phase.OVER if table.over else PHASES[table.step])
        assert game.acted is table.done or table.step == "lady"
        assert game.fog_left == table.fog_pile
        assert game.clues_held == len(table.held) + table.owed
        assert game.deck.passes_left == table.passes
        assert game.deck.is_fog is (table.deck[0].kind == "fog")
        if table.has_poet:
            assert game.poet is table.poet
        if not table.over:
            assert game.deck.updates_until_escape() == table.until_escape()
        for name, marker in (("waypoint", game.deck.waypoint), ("tracer", game.deck.tracer)):
            uses, _, where = table.markers.get(name, [0, None, "free"])
            assert marker.uses == uses
            assert marker.in_deck is (where == "in deck")
            assert (marker.location is None) is (where == "free")
            if where == "in deck":
                assert (
                    self.cards_above(name)
                    == game.deck.updates_until(Slot(marker.slot or 0)) - marker.warning
                    or game.deck.slot == marker.slot
                )

    def cards_above(self, name: str) -> int:
        """How many updates until a marker's card comes up."""
        kinds = [card.kind for card in self.table.deck]
        return sum(kind in ("stealth", "fog") for kind in kinds[: kinds.index(name)])

    @invariant()
    def no_truth_is_struck_out(self) -> None:
        state, table = self.state(), self.table
        assert table.hideout in state.youth.candidates
        assert table.rendezvous in state.rendezvous.candidates
        assert table.lady_place in state.lady
        for slot, card in enumerate(table.order):
            assert card.place in state.chase.at(Slot(slot))
        assert table.lady_traits in state.identity.triples
        assert state.chase.conflict == ()


TestPlay: Any = Play.TestCase
TestPlay.settings = settings(max_examples=12, stateful_step_count=50, deadline=None)


def player(play: Play, chance: random.Random) -> None:
    """One act of a player who chases the Lady, and now and then something else."""
    table = play.table
    here, ways = table.pawn, BOARD.neighbours(table.pawn)
    lucky = chance.random()
    goal = table.lady_place if chance.random() < 0.6 else chance.choice(list(Location))
    if {Expansion.ELUSIVE} & table.expansions and chance.random() < 0.4:
        goal = table.poet
    nearer = min(ways, key=lambda place: (BOARD.distance(place, goal), chance.random()))
    if chance.random() < 0.15:
        play.mark(place=here, warning=chance.choice((0, 3, 5)))
    if lucky < 0.7 and table.deck[0].kind == "fog":
        advance, counts = chance.randrange(4), (chance.randrange(2), chance.randrange(2))
        to = chance.choice([None, *ways])
        play.use_fog(chance.randint(1, 10), advance, counts, chance.random() < 0.8, to)
    elif lucky < 0.8 and here is table.lady_place:
        play.search(chase=False)
    elif lucky < 0.3:
        chance.choice((play.ask, play.seek))(away=chance.random() < 0.1, place=nearer)
    elif lucky < 0.36:
        play.put(Passed())
    elif lucky < 0.42:
        play.search(chase=chance.random() < 0.2)
    play.put(PawnMoved(nearer))
    if chance.random() < 0.1:
        play.mark(place=here, warning=chance.choice((0, 3, 5)))


@pytest.mark.parametrize("seed", range(int(os.environ.get("BYSTANDER_GAMES", "8"))))
def test_long_games_of_a_player_who_chases_her_agree_with_the_table(seed: int) -> None:
    chance = random.Random(seed)
    rivals = chance.choice(([], [Expansion.ELUSIVE], [Expansion.AGGRESSIVE]))
    others = (Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.DARKER, Expansion.MARKERS)
    chosen = frozenset([*rivals, *(part for part in others if chance.random() < 0.8)])
    play = Play()
    play.set_up(seed, chosen, chance.random() < 0.7, chance.choice(list(TieReading)))
    last_turn = chance.randint(15, 60)
    for _ in range(400):
        if play.table.over or play.state().game.turn >= last_turn:
            break
        for _ in range(9):
            if play.table.step == "player" and not play.table.done:
                break
            if chance.random() < 0.1:
                play.misplace(place=chance.choice(list(Location)))
            if play.table.step == "flight" and chance.random() < 0.2:
                play.mark(place=play.table.pawn, warning=chance.choice((0, 3, 5)))
            play.go_on()
        player(play, chance)
        play.the_table_lies_the_same()
        play.no_truth_is_struck_out()
        if chance.random() < 0.04 and play.before:
            play.undo_and_redo(steps=chance.randint(1, 4))
            play.undo_some(steps=chance.randint(1, 6))
    for _ in range(9):
        if play.table.over or (play.table.step == "player" and not play.table.done):
            break
        play.go_on()
    play.confront_youth()
    play.confront_lady(right=chance.random() < 0.5)
    play.replay()
    play.the_table_lies_the_same()
