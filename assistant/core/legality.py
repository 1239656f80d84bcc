"""What the rules allow now, and for what they refuse the rule that says so.

`refusal` answers for one act; None means it is legal. The player may overrule a refusal (a house
rule): the log then holds an `Overruled` event with the reason. Only what no table can show
(`assistant.core.possible`) is no matter of rules: it is refused, and not to be overruled. Where a
game is not tracked turn by turn (no place for the pawn at the start), readings are always taken and
the turn's acts refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.core.events import (
    Act,
    RendezvousSought,
    SearchMade,
    SessionStarted,
    YouthAsked,
)
from assistant.core.game import CLUE_CARDS, Game, Phase
from assistant.core.poet import PoetMove, aggressive_move, elusive_move, placings
from assistant.core.possible import impossible
from assistant.core.settings import Expansion
from assistant.core.stealth import Marker, Shown
from assistant.core.suits import Suit, suits_in_play
from assistant.core.terms import Location
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    ClueReread,
    FogUsed,
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

Refusal = str | None

#: Told at any time, over or not yet begun, tracked or not.
_AT_ANY_TIME = (HelpUsed, BaseScored, SuitTold, ClueReread)
_READINGS = (YouthAsked, RendezvousSought, SearchMade)


def refusal(game: Game, act: Act) -> Refusal:
    """Return why the rules refuse an act now, None when it is legal."""
    never = impossible(game, act)
    if never is not None:
        return never
    if isinstance(act, SessionStarted):
        return "the game has already begun" if game.begun else _started(game, act)
    if isinstance(act, _AT_ANY_TIME):
        return _RULES[type(act)](game, act)
    if not game.tracked:
        return _untracked(act)
    at_once = isinstance(act, YouthConfronted) and game.lady_confronted is not None
    if game.phase is Phase.OVER and not at_once:
        return "the game is over"
    return _RULES[type(act)](game, act)


def poet_rule(game: Game) -> PoetMove | None:
    """Return what the rules have the Poet do at this update.

    None where he is not in play, or where it was not told what the stealth deck shows.
    """
    if game.poet is None or game.pawn is None or not game.has_poet:
        return None
    if game.shows is Shown.UNSEEN:
        return None
    symbol = game.shows.feature
    if game.is_elusive:
        return elusive_move(game.board, game.poet, game.pawn, symbol)
    tie = game.started.settings.tie
    return aggressive_move(game.board, game.poet, game.pawn, symbol, tie)


def moves_open(game: Game) -> tuple[Location, ...]:
    """Return where the pawn may go now, clockwise; empty when a move is not legal."""
    if game.pawn is None:
        return ()
    ways = game.board.neighbours(game.pawn)
    return tuple(place for place in ways if refusal(game, PawnMoved(place)) is None)


def _started(game: Game, act: SessionStarted) -> Refusal:
    both = {Expansion.ELUSIVE, Expansion.AGGRESSIVE}
    if both <= act.expansions:
        return "one Rival Poet is chosen, the Elusive or the Aggressive"
    strange = _suit_in_play(act, act.suit)
    if strange is not None:
        return strange
    if act.pawn is None or not both & act.expansions:
        return None
    places = placings(game.board, act.pawn)
    if act.poet not in places:
        names = " or ".join(place.value for place in places)
        return f"the Poet's pawn starts in the location with the matching colour: {names}"
    return None


def _suit_in_play(started: SessionStarted, suit: Suit | None) -> Refusal:
    if suit is None or suit in suits_in_play(started.expansions):
        return None
    return f"no Lady in play is of the suit {suit.value}"


def _untracked(act: Act) -> Refusal:
    if isinstance(act, _READINGS):
        return None
    return "this session follows no turns: it was started without a place for the pawn"


def _lady_updated(game: Game, act: LadyUpdated) -> Refusal:
    if game.phase is Phase.FLIGHT:
        return "after the search the stealth deck first advances one card for each clue held"
    if game.phase is Phase.POET:
        return "the Rival Poet is updated first, then you take your turn"
    if game.phase is Phase.PLAYER and not game.acted:
        return "you take your turn first: move, search, ask, seek, use a fog card, or pass"
    if game.poet_to_place:
        return "the Poet you caught first goes to a place of the matching colour"
    return _top_agrees(game, (act.shows,))


def _top_agrees(game: Game, shows: tuple[Shown, ...]) -> Refusal:
    """Refuse tops that the deck as it lies cannot show: fog where none lies, or none where it does.

    A symbol other than on the last time through is no refusal but a dispute, for the player to
    settle.
    """
    deck = game.deck
    for shown in shows:
        deck = deck.updated()
        if deck.escaped:
            return None
        if shown is Shown.FOG and not deck.is_fog:
            return "no fog card lies in this slot of the stealth deck; is an update missing?"
        if shown.feature is not None and deck.is_fog:
            return "a fog card lies in this slot of the stealth deck; is an update missing?"
    return None


def _poet_moved(game: Game, act: PoetMoved) -> Refusal:
    if not game.has_poet:
        return "no Rival Poet is in play"
    if game.phase is not Phase.POET:
        return "the Rival Poet is updated once a turn, after the Lady"
    rule = poet_rule(game)
    if rule is None:
        # Without the symbol the rule cannot be worked out: any step or none may be right.
        ways = () if game.poet is None else (game.poet, *game.board.neighbours(game.poet))
        return None if act.to in ways else "the Poet goes at most one road a turn"
    if act.to in (rule.move, *rule.alternatives):
        return None
    does = "stays" if rule.stays else f"goes to {rule.move.value}"
    return f"the Poet {does}: {rule.why}"


def _one_act(game: Game) -> Refusal:
    """Refuse a second act in a turn, or one before it is the player's step."""
    if game.phase is Phase.LADY:
        return "the Lady's location is updated first"
    if game.phase is Phase.POET:
        return "the Rival Poet's location is updated first"
    if game.acted or game.phase is Phase.FLIGHT:
        return "a turn has one act, and it is done"
    return None


def _unpinned_act(game: Game) -> Refusal:
    if game.is_pinned:
        return "the Aggressive Poet is in your location: you must use your turn to move away"
    return _one_act(game)


def _pawn_moved(game: Game, act: PawnMoved) -> Refusal:
    if game.pawn is not None and act.to not in game.board.neighbours(game.pawn):
        return f"no road leads from {game.pawn.value} to {act.to.value}"
    if game.is_aggressive and act.to is game.poet:
        return "you may never move to where the Aggressive Poet is"
    return _one_act(game)


def _here(game: Game, place: Location) -> Refusal:
    if place is not game.pawn and game.pawn is not None:
        return f"you are at {game.pawn.value}, not at {place.value}"
    return None


def _read(game: Game, act: YouthAsked | RendezvousSought, wanted: Expansion) -> Refusal:
    if wanted not in game.started.expansions:
        return f"the {wanted.value} expansion is not in play"
    if game.is_read_again(act):
        return None
    return _here(game, act.location) or _unpinned_act(game)


def _youth_asked(game: Game, act: YouthAsked) -> Refusal:
    return _read(game, act, Expansion.YOUTH)


def _rendezvous_sought(game: Game, act: RendezvousSought) -> Refusal:
    return _read(game, act, Expansion.RENDEZVOUS)


def _search_made(game: Game, act: SearchMade) -> Refusal:
    if game.is_read_again(act):
        return None
    early = _here(game, act.location) or _unpinned_act(game)
    if early is not None:
        return early
    if game.deck.is_fog:
        return "a search needs a stealth card on top, and fog is showing"
    if game.fog_left == 0:
        return "a search needs a fog card to take the stealth card's place, and none is left"
    return None


def _lady_fled(game: Game, act: LadyFled) -> Refusal:
    if game.phase is not Phase.FLIGHT:
        return "the Lady flees only after a search"
    if len(act.shows) != game.clues_held and not _escapes_within(game, len(act.shows)):
        return f"the deck advances one card for each clue held: {game.clues_held}"
    return _top_agrees(game, act.shows)


def _escapes_within(game: Game, updates: int) -> bool:
    """Whether a shorter flight is right because the countdown runs out in it."""
    return updates == game.deck.updates_until_escape() < game.clues_held


def _fog_used(game: Game, act: FogUsed) -> Refusal:
    early = _unpinned_act(game)
    if early is not None:
        return early
    if not game.deck.is_fog:
        return "you may use a fog card only when it is on top of the stealth deck"
    if game.is_aggressive and act.pawn_to is not None and act.pawn_to is game.poet:
        return "you may never move to where the Aggressive Poet is"
    if act.fog_discarded > game.fog_left:
        return f"the fog deck holds no more than this many cards: {game.fog_left}"
    if not act.returned and game.fog_left - act.fog_discarded < 1:
        return "no fog card is left to take its slot, so it goes back into the deck"
    if act.clues > CLUE_CARDS - game.clues_held:
        return f"the clue deck holds no more than this many cards: {CLUE_CARDS - game.clues_held}"
    return _suit_in_play(game.started, act.suit) or _top_agrees(game, act.shows)


def _passed(game: Game, _: Passed) -> Refusal:
    return _unpinned_act(game)


def _clue_gained(game: Game, act: ClueGained) -> Refusal:
    if not game.clues_due:
        return "no clue card is due to you"
    marks = [_suit_in_play(game.started, mark.suit) for mark in act.clue.marks]
    if marks and None not in marks:
        # Its marks are all of the other game's suits: it could never be read.
        return "this card is not of the Ladies in play"
    # The base game's twelve Ladies all differ in their traits; of the Darker nobody can say.
    is_base = Expansion.DARKER not in game.started.expansions
    if is_base and any(held.clue.traits == act.clue.traits for held in game.clues):
        return "a clue card with these three traits lies before you already"
    return None


def _clue_reread(game: Game, act: ClueReread) -> Refusal:
    return _suit_in_play(game.started, act.mark.suit)


def _suit_told(game: Game, act: SuitTold) -> Refusal:
    return _suit_in_play(game.started, act.suit)


def _always(_: Game, __: HelpUsed | BaseScored) -> Refusal:
    return None


def _poet_placed(game: Game, act: PoetPlaced) -> Refusal:
    if not game.poet_to_place or game.pawn is None:
        return "the Poet's pawn is put elsewhere only when you have caught him"
    places = placings(game.board, game.pawn)
    if act.to not in places:
        names = " or ".join(place.value for place in places)
        return f"the Poet goes to a place of the matching colour: {names}"
    return None


def _marker(game: Game, marker: Marker, name: str) -> Refusal:
    if Expansion.MARKERS not in game.started.expansions:
        return "Waypoints and Traces are not in play"
    if game.phase not in (Phase.PLAYER, Phase.FLIGHT):
        return "a marker is placed during your turn"
    if not marker.is_free:
        if marker.location is not None:
            return f"the {name} is in use until its card and its token have been set aside"
        return f"the {name} has been used twice"
    return None


def _waypoint_placed(game: Game, _: WaypointPlaced) -> Refusal:
    return _marker(game, game.deck.waypoint, "waypoint")


def _tracer_placed(game: Game, _: TracerPlaced) -> Refusal:
    return _marker(game, game.deck.tracer, "tracer")


def _youth_confronted(game: Game, _: YouthConfronted) -> Refusal:
    if Expansion.YOUTH not in game.started.expansions:
        return "the Fair Youth is not in play"
    if game.youth_confronted is not None:
        return "the Fair Youth has been confronted, and that happens once"
    if game.phase in (Phase.LADY, Phase.POET):
        return "you confront the Fair Youth during your turn"
    return None


def _lady_confronted(game: Game, act: LadyConfronted) -> Refusal:
    early = _unpinned_act(game)
    if early is not None:
        return early
    if len(act.named) != 3:
        return "name the Lady's three characteristics before you confront her"
    if (Expansion.RENDEZVOUS in game.started.expansions) is not (act.rendezvous is not None):
        return "with the Rendezvous in play its card is turned over first, without it there is none"
    return None


_RULES: Mapping[type[Any], Callable[[Game, Any], Refusal]] = {
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
    HelpUsed: _always,
    BaseScored: _always,
    PoetPlaced: _poet_placed,
    WaypointPlaced: _waypoint_placed,
    TracerPlaced: _tracer_placed,
    YouthConfronted: _youth_confronted,
    LadyConfronted: _lady_confronted,
}
