"""A game as it stands after its events: whose step it is, what lies where, what has been gained.

A turn has these steps (rulebook, The Rival Poet, Game play):

    LADY    her location is updated                     LadyUpdated
    POET    the Rival Poet's is, when he is in play      PoetMoved
    PLAYER  one act, and free acts                       PawnMoved, SearchMade, YouthAsked, ...
    FLIGHT  after a search, before the deck advances     LadyFled, markers

and then LADY again. `Game` is a value; `advance` returns the game after one more event. It takes
events as facts and never refuses one: what the rules allow is `assistant.core.legality`'s matter.
Without a place for the pawn at the start (`tracked` is false) only readings are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from assistant.core.board import Board
from assistant.core.events import (
    Act,
    RendezvousSought,
    SearchMade,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.identity import HeldClue
from assistant.core.lady import Evidence, Searched, SymbolSeen
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown, Slot, StealthDeck
from assistant.core.suits import Clue, Suit
from assistant.core.terms import Location
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    ClueReread,
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
    SuitTold,
    TracerPlaced,
    WaypointPlaced,
    YouthConfronted,
)

#: Fog cards in the base game.
FOG_CARDS = 10

#: Clue cards: of twelve Ladies, base or Darker, all but the one who is hidden.
CLUE_CARDS = 11


#: An act that reads a stack.
StackRead = YouthAsked | RendezvousSought | SearchMade


class Phase(Enum):
    """The step of the turn that is next."""

    LADY = "lady"
    POET = "poet"
    PLAYER = "player"
    FLIGHT = "flight"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Game:
    """Where everything is. `acted`: the turn's one act has been done."""

    board: Board
    started: SessionStarted
    pawn: Location | None
    poet: Location | None
    suit: Suit | None
    deck: StealthDeck
    phase: Phase = Phase.LADY
    turn: int = 0
    acted: bool = False
    visited: frozenset[Location] = frozenset()
    fog_left: int = FOG_CARDS
    #: Clue cards that the player holds, turned up or not yet told to Bystander.
    clues_held: int = 0
    #: How many of them have not been told yet.
    clues_due: int = 0
    clues: tuple[HeldClue, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    #: The Elusive Poet was caught and his pawn waits for its new place.
    poet_to_place: bool = False
    #: The road on which the Poet went with his last update, to be drawn; None when he stayed.
    poet_path: tuple[Location, Location] | None = None
    #: The stack read this turn: reading it again costs nothing.
    read_this_turn: StackRead | None = None
    youth_confronted: tuple[YouthConfronted, Location | None, int] | None = None
    lady_confronted: tuple[LadyConfronted, Location | None, int] | None = None
    helps: tuple[Help, ...] = ()
    base_points: int | None = None
    #: Something has happened since the set-up.
    begun: bool = False

    @property
    def tracked(self) -> bool:
        """Whether the whole game is followed turn by turn."""
        return self.started.pawn is not None

    @property
    def shows(self) -> Shown:
        """What the top of the stealth deck shows, as far as it was told."""
        return self.shown_at(self.deck.slot)

    def shown_at(self, slot: Slot) -> Shown:
        """Return what a slot of the stealth deck shows, as it was last seen or laid there."""
        if slot in self.deck.fogged:
            return Shown.FOG
        for entry in reversed(self.evidence):
            if isinstance(entry, SymbolSeen) and entry.slot == slot:
                return Shown(entry.symbol.value)
        return Shown.UNSEEN

    @property
    def has_poet(self) -> bool:
        """Whether a Rival Poet is in play."""
        return self.is_elusive or self.is_aggressive

    @property
    def is_elusive(self) -> bool:
        """Whether the Elusive Poet is in play."""
        return Expansion.ELUSIVE in self.started.expansions

    @property
    def is_aggressive(self) -> bool:
        """Whether the Aggressive Poet is in play."""
        return Expansion.AGGRESSIVE in self.started.expansions

    @property
    def is_pinned(self) -> bool:
        """Whether the Aggressive Poet has caught the player, who must move away."""
        return self.is_aggressive and self.poet is not None and self.poet is self.pawn

    def is_read_again(self, act: StackRead) -> bool:
        """Whether a reading is of the stack that was read this turn already.

        For an ask or a seek it may show something else now: one of the two was misread. After a
        search another stealth card is on top, so only the same outcome is of the same stack.
        """
        read = self.read_this_turn
        if read is None or read.kind != act.kind or read.location is not act.location:
            return False
        if isinstance(read, SearchMade) and isinstance(act, SearchMade):
            return read.hit is act.hit
        return True

    @property
    def escaped(self) -> bool:
        """Whether the Lady got away: the countdown ran out before she was confronted."""
        return self.deck.escaped and self.lady_confronted is None


def new_game(board: Board, started: SessionStarted, by: Seq | int = 0) -> Game:
    """Return the game as it was set up. The player holds the key of his starting place."""
    game = Game(
        board=board,
        started=started,
        pawn=started.pawn,
        poet=started.poet,
        suit=started.suit,
        deck=StealthDeck.at_set_up(started.passes),
        visited=frozenset() if started.pawn is None else frozenset({started.pawn}),
    )
    if started.top.feature is None:
        return game
    return replace(game, evidence=(SymbolSeen(game.deck.slot, started.top.feature, by),))


def advance(game: Game, act: Act, by: Seq) -> Game:
    """Return the game after one more event; `by` is its number in the log."""
    if isinstance(act, SessionStarted):
        return new_game(game.board, act, by)
    if not game.begun:
        game = replace(game, begun=True)
    return _ADVANCE[type(act)](game, act, by)


def _deck_updated(game: Game, shows: Shown, by: Seq, **changes: Any) -> Game:
    """Return the game after an update of the deck, with other changes that come with it."""
    deck = game.deck.updated()
    if shows.feature is not None:
        changes["evidence"] = (*game.evidence, SymbolSeen(deck.slot, shows.feature, by))
    if deck.escaped:
        changes["phase"] = Phase.OVER
    return replace(game, deck=deck, **changes)


def _lady_updated(game: Game, act: LadyUpdated, by: Seq) -> Game:
    phase = Phase.POET if game.has_poet and game.poet is not None else Phase.PLAYER
    return _deck_updated(
        game, act.shows, by, phase=phase, turn=game.turn + 1, acted=False, read_this_turn=None
    )


def _poet_moved(game: Game, act: PoetMoved, _: Seq) -> Game:
    path = None if game.poet is None or game.poet is act.to else (game.poet, act.to)
    phase = Phase.PLAYER if game.phase is Phase.POET else game.phase
    return replace(game, poet=act.to, poet_path=path, phase=phase)


def _visited(game: Game, place: Location, **changes: Any) -> Game:
    """Put the pawn on a place; the last key taken uncovers the clue of the Lady's own suit."""
    new = place not in game.visited
    game = replace(game, pawn=place, visited=game.visited | {place}, **changes)
    return _clues_due(game, 1) if new and len(game.visited) == len(Location) else game


def _clues_due(game: Game, count: int) -> Game:
    """Return the game with clue cards to be turned up, as many as the clue deck still holds."""
    count = min(count, max(0, CLUE_CARDS - game.clues_held))
    return replace(game, clues_held=game.clues_held + count, clues_due=game.clues_due + count)


def _pawn_moved(game: Game, act: PawnMoved, _: Seq) -> Game:
    return _caught(_visited(game, act.to, acted=True))


def _caught(game: Game) -> Game:
    """Return the game after a move: in the Elusive Poet's place a fog card buys a clue of him."""
    if not game.is_elusive or game.poet is not game.pawn:
        return game
    game = replace(game, poet_to_place=True)
    if game.fog_left == 0:
        return game
    return _clues_due(replace(game, fog_left=game.fog_left - 1), 1)


def _youth_asked(game: Game, act: YouthAsked, _: Seq) -> Game:
    return replace(game, acted=True, read_this_turn=act)


def _rendezvous_sought(game: Game, act: RendezvousSought, _: Seq) -> Game:
    return replace(game, acted=True, read_this_turn=act)


def _search_made(game: Game, act: SearchMade, by: Seq) -> Game:
    if not game.tracked or game.is_read_again(act):
        return game
    found = Searched(game.deck.slot, act.location, act.hit, by)
    game = replace(
        game,
        acted=True,
        read_this_turn=act,
        evidence=(*game.evidence, found),
        deck=game.deck.searched(),
        fog_left=max(0, game.fog_left - 1),
    )
    if act.hit:
        game = _clues_due(game, 1)
    flees = act.hit or game.started.settings.advance_after_miss
    return replace(game, phase=Phase.FLIGHT) if flees and game.clues_held else game


def _lady_fled(game: Game, act: LadyFled, by: Seq) -> Game:
    game = replace(game, phase=Phase.PLAYER)
    for shows in act.shows:
        if game.phase is not Phase.OVER:
            game = _deck_updated(game, shows, by)
    return game


def _fog_used(game: Game, act: FogUsed, by: Seq) -> Game:
    fog_left = max(0, game.fog_left - act.fog_discarded - (not act.returned))
    game = replace(game, acted=True, fog_left=fog_left)
    if act.suit is not None:
        game = replace(game, suit=act.suit)
    if act.clues:
        game = _clues_due(game, act.clues)
    if act.pawn_to is not None:
        game = _caught(_visited(game, act.pawn_to))
    for shows in act.shows:
        if game.phase is not Phase.OVER:
            game = _deck_updated(game, shows, by)
    return game


def _passed(game: Game, _act: Passed, _: Seq) -> Game:
    return replace(game, acted=True)


def _clue_gained(game: Game, act: ClueGained, by: Seq) -> Game:
    held = HeldClue(act.clue, by)
    due = game.clues_due
    return replace(
        game,
        clues=(*game.clues, held),
        clues_due=max(0, due - 1),
        clues_held=game.clues_held if due else min(game.clues_held + 1, CLUE_CARDS),
    )


def _clue_reread(game: Game, act: ClueReread, _: Seq) -> Game:
    def reread(held: HeldClue) -> HeldClue:
        marks = (*(m for m in held.clue.marks if m.suit is not act.mark.suit), act.mark)
        return HeldClue(Clue(held.clue.traits, marks, held.clue.name), held.by)

    clues = tuple(reread(held) if held.by == act.of else held for held in game.clues)
    return replace(game, clues=clues)


def _suit_told(game: Game, act: SuitTold, _: Seq) -> Game:
    return replace(game, suit=act.suit)


def _poet_placed(game: Game, act: PoetPlaced, _: Seq) -> Game:
    return replace(game, poet=act.to, poet_to_place=False, poet_path=None)


def _waypoint_placed(game: Game, act: WaypointPlaced, _: Seq) -> Game:
    return replace(game, deck=game.deck.with_waypoint(act.location))


def _tracer_placed(game: Game, act: TracerPlaced, _: Seq) -> Game:
    return replace(game, deck=game.deck.with_tracer(act.location, act.warning))


def _youth_confronted(game: Game, act: YouthConfronted, _: Seq) -> Game:
    return replace(game, youth_confronted=(act, game.pawn, game.turn))


def _lady_confronted(game: Game, act: LadyConfronted, _: Seq) -> Game:
    return replace(game, lady_confronted=(act, game.pawn, game.turn), acted=True, phase=Phase.OVER)


def _help_used(game: Game, act: HelpUsed, _: Seq) -> Game:
    return replace(game, helps=(*game.helps, act.help))


def _base_scored(game: Game, act: BaseScored, _: Seq) -> Game:
    return replace(game, base_points=act.points)


_ADVANCE: Mapping[type[Any], Callable[[Game, Any, Seq], Game]] = {
    LadyUpdated: _lady_updated,
    PoetMoved: _poet_moved,
    PawnMoved: _pawn_moved,
    YouthAsked: _youth_asked,
    RendezvousSought: _rendezvous_sought,
    SearchMade: _search_made,
    LadyFled: _lady_fled,
    FogUsed: _fog_used,
    Passed: _passed,
    ClueGained: _clue_gained,
    ClueReread: _clue_reread,
    SuitTold: _suit_told,
    PoetPlaced: _poet_placed,
    WaypointPlaced: _waypoint_placed,
    TracerPlaced: _tracer_placed,
    YouthConfronted: _youth_confronted,
    LadyConfronted: _lady_confronted,
    HelpUsed: _help_used,
    BaseScored: _base_scored,
}
