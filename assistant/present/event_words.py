"""Every event of the log as one line for the player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assistant.core.events import (
    Act,
    Corrected,
    Event,
    Overruled,
    RendezvousSought,
    Retracted,
    SearchMade,
    SessionStarted,
    YouthAsked,
)
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown
from assistant.core.suits import Trait
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
from assistant.present.words import counted, listed

#: What each help is called on its button.
HELP_NAMES: Mapping[Help, str] = {
    Help.ASK: "Where to ask",
    Help.SEEK: "Where to seek",
    Help.INTERCEPT: "Where to head her off",
    Help.SURE: "What is likeliest",
}


def event_words(event: Event) -> str:
    """Return an event as a short line: "Cornhill said church"."""
    if isinstance(event, Retracted):
        return f"entry {event.of} taken back"
    if isinstance(event, Corrected):
        return f"entry {event.of} put right: {event_words(event.event)}"
    if isinstance(event, Overruled):
        return f"{event_words(event.event)} (house rule)"
    return _WORDS[type(event)](event)


def shown_words(shown: Shown) -> str:
    """Return what the stealth deck shows: "church", "fog", "not noted"."""
    return "not noted" if shown is Shown.UNSEEN else shown.value


def trait_words(traits: Iterable[Trait]) -> str:
    """Return traits as a list, in the order of the tokens."""
    has = frozenset(traits)
    return listed(trait.value for trait in Trait if trait in has)


def _started(event: SessionStarted) -> str:
    parts = [e.value for e in Expansion if e in event.expansions]
    return f"a game begins ({listed(parts)})" if parts else "a game begins"


def fog_did(used: FogUsed) -> list[str]:
    """Return what a fog card's text made happen, a clause each; empty where nothing was told."""
    told = []
    if used.pawn_to is not None:
        told.append(f"your pawn went to {used.pawn_to.value}")
    if used.shows:
        told.append(f"the deck advanced by {counted(len(used.shows), 'card')}")
    if used.clues:
        told.append(f"{counted(used.clues, 'clue')} gained")
    if used.fog_discarded:
        told.append(f"{counted(used.fog_discarded, 'fog card')} discarded")
    if used.suit is not None:
        told.append(f"the Lady is now of the suit {used.suit.value}")
    if not used.returned:
        told.append("the card left the game")
    return told


def _fog(event: FogUsed) -> str:
    told = fog_did(event)
    return f"fog card {event.card} used" + (f": {listed(told)}" if told else "")


def _fled(event: LadyFled) -> str:
    if not event.shows:
        return "she fled"
    return f"she fled: {', '.join(map(shown_words, event.shows))}"


def _clue(event: ClueGained) -> str:
    name = f"{event.clue.name}: " if event.clue.name else ""
    marks = "" if event.clue.name else f", {event.clue.marks[0].text}" if event.clue.marks else ""
    return f"clue: {name}{trait_words(event.clue.traits)}{marks}"


def _lady(event: LadyConfronted) -> str:
    if not event.found:
        return "the Lady confronted: not revealed"
    return f"the Lady confronted: {trait_words(event.traits)}"


_WORDS: Mapping[type[Act], Callable[[Any], str]] = {
    SessionStarted: _started,
    YouthAsked: lambda e: f"{e.location.value} said {e.feature.value}",
    RendezvousSought: lambda e: f"{e.location.value} gave {e.number}",
    SearchMade: lambda e: f"search in {e.location.value}: {'she is here' if e.hit else 'nobody'}",
    LadyUpdated: lambda e: f"the Lady moved on: {shown_words(e.shows)}",
    PoetMoved: lambda e: f"the Poet: {e.to.value}",
    PawnMoved: lambda e: f"you went to {e.to.value}",
    FogUsed: _fog,
    Passed: lambda _: "you passed",
    LadyFled: _fled,
    ClueGained: _clue,
    ClueReread: lambda e: f"clue {e.of} read again: {e.mark.text}",
    SuitTold: lambda e: f"the Lady's suit is {e.suit.value}",
    PoetPlaced: lambda e: f"the Poet's pawn put to {e.to.value}",
    WaypointPlaced: lambda e: f"waypoint at {e.location.value}",
    TracerPlaced: lambda e: f"tracer ({e.warning}) at {e.location.value}",
    YouthConfronted: lambda e: f"the Youth confronted: {e.hideout.value} is on his card",
    LadyConfronted: _lady,
    HelpUsed: lambda e: f"hint: {HELP_NAMES[e.help].lower()}",
    BaseScored: lambda e: f"the base game gives {e.points}",
}
