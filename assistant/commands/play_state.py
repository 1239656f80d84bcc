"""A state of the game as one JSON object, for programs that drive it line by line.

turn, phase (lady, poet, player, flight, over), acted, pawn, poet, poet_rule, poet_to_place
lady      {place: share} now                  coming   [{updates, slot, fog, places}] where known
lady_conflict   the numbers of the entries that no way of hers fits, [] where one does
lady_disputes   [[numbers of entries that saw other symbols on one slot]]: none of them is used
deck      slot, shows, fogged, passes_left, updates_to_escape, came_up, waypoint, tracer
youth, rendezvous   candidates, weights, struck_out, disputes, conflict
rendezvous_here   how likely its symbol is at the pawn's place, null without a pawn
identity  suit, triples (how many), traits {trait: certain|possible|out}, why, unread, conflict
clues     held, due                            fog_left, visited
legal     the kinds of act that are legal now  moves    where the pawn may go
score     ending, lines [{points, reason}], total       helps  {help: times}
doubts    [{seq, rule}] of the acts in the log that the rules refuse where they stand
expansions   those in play                    settings   the readings of the open rules used
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from assistant.core.deduction import Answer
from assistant.core.events import Act, RendezvousSought, SearchMade, YouthAsked
from assistant.core.game import Game
from assistant.core.identity import TRIPLES, Identity
from assistant.core.legality import moves_open, poet_rule, refusal
from assistant.core.outlook import coming, intercepts, marked, rendezvous_here
from assistant.core.poet import placings
from assistant.core.state import Inquiry, State
from assistant.core.stealth import Marker, Shown
from assistant.core.suits import Clue, Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    ClueGained,
    FogUsed,
    Help,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PoetPlaced,
    TracerPlaced,
    WaypointPlaced,
    YouthConfronted,
)
from assistant.journal.fields import to_json


def told(state: State) -> dict[str, Any]:
    """Return everything of a state that a program may want to check."""
    game = state.game
    rule = poet_rule(game)
    return {
        "turn": game.turn,
        "phase": game.phase.value,
        "acted": game.acted,
        "pawn": to_json(game.pawn),
        "poet": to_json(game.poet),
        "poet_rule": None
        if rule is None
        else {
            "move": rule.move.value,
            "stays": rule.stays,
            "alternatives": to_json(rule.alternatives),
            "why": rule.why,
        },
        "poet_to_place": game.poet_to_place,
        "lady": _shares(state.lady),
        "coming": _coming(state),
        "lady_conflict": [entry.by for entry in state.chase.conflict],
        "lady_disputes": [[seen.by for seen in disputed] for disputed in state.chase.disputes],
        "deck": _deck(game),
        "youth": _inquiry(state.youth),
        "rendezvous": _inquiry(state.rendezvous),
        "rendezvous_here": None
        if game.pawn is None
        else rendezvous_here(state.board, state.rendezvous.weights, game.pawn),
        "identity": _identity(state.identity),
        "clues": {"held": game.clues_held, "due": game.clues_due},
        "fog_left": game.fog_left,
        "visited": [place.value for place in Location if place in game.visited],
        "legal": legal_kinds(game),
        "moves": to_json(moves_open(game)),
        "score": {
            "ending": state.sheet.ending.value,
            "lines": [{"points": line.points, "reason": line.reason} for line in state.sheet.lines],
            "total": state.sheet.total,
        },
        "helps": {used.value: times for used, times in Counter(game.helps).items()},
        "doubts": [{"seq": doubt.seq, "rule": doubt.rule} for doubt in state.doubts],
        "expansions": to_json(state.started.expansions),
        "settings": to_json(state.started.settings),
    }


def help_told(state: State, asked: Help) -> Any:
    """Return what a help that the player asked for says.

    ask, seek: the places in order of worth; intercept: where to head the Lady off, the surest
    first; sure: the likeliest hideout, feature, place of the Lady, and triples left.
    """
    pawn = state.game.pawn
    if asked in (Help.ASK, Help.SEEK):
        advice = state.next_to_ask(pawn) if asked is Help.ASK else state.next_to_seek(pawn)
        return [to_json(entry) for entry in advice]
    if asked is Help.INTERCEPT:
        return [to_json(way) for way in intercepts(state.game, state.chase)[:10]]
    return {
        "youth": _surest({p.value: share for p, share in state.youth.weights.items()}),
        "rendezvous": _surest({f.value: share for f, share in state.rendezvous.weights.items()}),
        "lady": _surest(_shares(state.lady)),
        "triples": len(state.identity.triples),
    }


def _surest(shares: dict[str, float]) -> dict[str, Any] | None:
    if not shares:
        return None
    best = max(shares, key=lambda name: shares[name])
    return {"is": best, "share": shares[best]}


def legal_kinds(game: Game) -> list[str]:
    """Return the kinds of act of which at least one is legal now."""
    if not game.tracked or game.pawn is None:
        return []
    here, three = game.pawn, frozenset(list(Trait)[:3])
    held = {clue.clue.traits for clue in game.clues}
    new = next(triple for triple in TRIPLES if triple not in held)
    due = None
    if refusal(game, LadyConfronted(three, True, three, None)) is not None:
        due = Feature.CHURCH
    tries: list[Act] = [
        *(PoetPlaced(place) for place in placings(game.board, here)),
        LadyUpdated(),
        YouthAsked(here, Feature.CHURCH),
        RendezvousSought(here, 1),
        SearchMade(here, hit=False),
        FogUsed(1),
        Passed(),
        LadyFled((Shown.UNSEEN,) * min(game.clues_held, game.deck.updates_until_escape())),
        ClueGained(Clue(new, ())),
        WaypointPlaced(here),
        TracerPlaced(here, 3),
        YouthConfronted(here),
        LadyConfronted(three, True, three, due),
    ]
    kinds = [act.kind for act in tries if refusal(game, act) is None]
    if moves_open(game):
        kinds.append("pawn-moved")
    if game.phase.value == "poet":
        kinds.append("poet-moved")
    return sorted(set(kinds))


def _shares(shares: dict[Location, float]) -> dict[str, float]:
    return {place.value: share for place, share in shares.items()}


def _coming(state: State) -> list[dict[str, Any]]:
    """Return the slots ahead of which something was seen; of the others nothing is known."""
    known = {entry.slot for entry in state.chase.evidence}
    return [
        {
            "updates": ahead.updates,
            "slot": ahead.slot,
            "fog": ahead.fog,
            "places": _shares(ahead.places),
        }
        for ahead in coming(state.game, state.chase)
        if ahead.slot in known
    ]


def _deck(game: Game) -> dict[str, Any]:
    return {
        "slot": game.deck.slot,
        "shows": game.shows.value,
        "fogged": sorted(game.deck.fogged),
        "passes_left": game.deck.passes_left,
        "updates_to_escape": game.deck.updates_until_escape() if not game.deck.escaped else 0,
        "came_up": to_json(game.deck.came_up),
        "waypoint": _marker(game, game.deck.waypoint),
        "tracer": _marker(game, game.deck.tracer),
    }


def _marker(game: Game, marker: Marker) -> dict[str, Any]:
    found = marked(game, marker)
    told_of: dict[str, Any] = {"uses": marker.uses, "location": None}
    if found is not None:
        told_of |= {
            "location": found.location.value,
            "updates": found.updates,
            "card_in": found.card_in,
            "distance": found.distance,
        }
    return told_of


def _inquiry(inquiry: Inquiry[Any, Any]) -> dict[str, Any]:
    conflict = inquiry.conflict
    return {
        "candidates": [card.value for card in inquiry.candidates],
        "weights": {card.value: weight for card, weight in inquiry.weights.items()},
        "struck_out": {card.value: _answer(by) for card, by in inquiry.struck_out.items()},
        "disputes": [[_answer(answer) for answer in d.answers] for d in inquiry.disputes],
        "conflict": None if conflict is None else [_answer(answer) for answer in conflict.answers],
    }


def _answer(answer: Answer[Any]) -> dict[str, Any]:
    return {
        "seq": answer.by,
        "location": answer.location.value,
        "value": to_json(answer.value),
    }


def _identity(identity: Identity) -> dict[str, Any]:
    return {
        "suit": to_json(identity.suit),
        "triples": len(identity.triples),
        "traits": {trait.value: standing.value for trait, standing in identity.standing.items()},
        "weights": {trait.value: float(share) for trait, share in identity.weights.items()},
        "why": {
            trait.value: [held.by for held in identity.why(trait)]
            for trait in Trait
            if identity.why(trait)
        },
        "unread": [held.by for held in identity.unread],
        "conflict": [held.by for held in identity.conflict],
    }
