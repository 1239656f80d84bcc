"""The choices of the set-up page, the checklist that follows, and the game's first event."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from assistant.core.board import Board
from assistant.core.events import SessionStarted
from assistant.core.game import new_game
from assistant.core.legality import refusal
from assistant.core.poet import placings
from assistant.core.set_up import Step, set_up_steps
from assistant.core.settings import DEFAULT_SETTINGS, Expansion, Settings, TieReading
from assistant.core.stealth import Shown
from assistant.core.suits import Suit, suits_in_play
from assistant.core.terms import Feature, Location, StepReading
from assistant.present.choices import Ask, Offer, TopTold, Wish

#: The question while no game is on.
FIRST = Ask(
    "Set the table up, then begin.",
    (
        Offer("Begin", Wish.BEGIN, "b"),
        Offer("Choose a camera", Wish.CAMERA, "c"),
        Offer("No cards at hand? Try the practice table", Wish.PRACTICE, "p"),
    ),
    "Tick above what you play with. The camera is not needed: all can be told by hand as well.",
    is_about_deck=True,
)


def first_question(last_game: str) -> Ask:
    """Return the question while no game is on; `last_game` tells of one to go on with, or is ""."""
    if not last_game:
        return FIRST
    go_on = Offer(f"Go on with the last game ({last_game})", Wish.RESUME, "g")
    return replace(FIRST, offers=(*FIRST.offers, go_on))


def is_first(asked: Ask) -> bool:
    """Whether a question is the one while no game is on, whatever the camera made of it."""
    return any(offer.then is Wish.BEGIN for offer in asked.offers)


def top_shown_to_camera(first: Ask, feature: Feature, form: SetUpForm) -> Ask:
    """Return the first question with the landmark that the camera sees as its first answer.

    It is offered, not taken: the large key confirms it. What the form says already is not offered.
    """
    shown = Shown(feature.value)
    if form.top is shown:
        return first
    seen = Offer(feature.value, TopTold(shown), "t", picture=feature.value)
    return replace(first, title=f"{feature.value.capitalize()} on top of the stealth deck?",
                   note="So the camera sees it: space takes it.",
                   offers=(seen, *first.offers))  # fmt: skip


POETS = frozenset({Expansion.ELUSIVE, Expansion.AGGRESSIVE})

#: What each expansion is called, and one line about it.
EXPANSION_WORDS: Mapping[Expansion, tuple[str, str]] = {
    Expansion.YOUTH: ("The Fair Youth", "20 points"),
    Expansion.RENDEZVOUS: ("The Rendezvous", "15 points"),
    Expansion.ELUSIVE: ("The Elusive Poet", "easier, 10 points less"),
    Expansion.AGGRESSIVE: ("The Aggressive Poet", "harder, 10 points more"),
    Expansion.DARKER: ("The Darker Ladies", "harder to tell"),
    Expansion.MARKERS: ("Waypoints and Traces", "markers for her way"),
}


def expansion_name(expansion: Expansion) -> str:
    """Return what an expansion is called inside a sentence: "the Fair Youth"."""
    name = EXPANSION_WORDS[expansion][0]
    return f"the {name.removeprefix('The ')}" if name.startswith("The ") else name


#: The readings of the open rules in words: after "Steps are counted", "Ties … are told".
STEP_WORDS: Mapping[StepReading, str] = {
    StepReading.WALK: "never straight back",
    StepReading.PATH: "no place twice",
    StepReading.SHORTEST: "the shortest way",
}
TIE_WORDS: Mapping[TieReading, str] = {
    TieReading.DRAWN: "by the roads drawn",
    TieReading.STRAIGHT: "by straight lines",
}


#: After how many passes of the stealth deck the Lady may escape.
PASSES = (1, 2, 3)


def passes_words(count: int) -> str:
    """Return how long the game lasts: "2 passes of the deck"."""
    return f"{count} pass{'es' if count > 1 else ''} of the deck"


@dataclass(frozen=True, slots=True)
class SetUpForm:
    """What the player has chosen so far."""

    expansions: frozenset[Expansion] = frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS})
    pawn: Location | None = Location.CORNHILL
    poet: Location | None = None
    suit: Suit | None = None
    top: Shown = Shown.UNSEEN
    passes: int = 2
    settings: Settings = field(default=DEFAULT_SETTINGS)


def with_expansion(chosen: Collection[Expansion], which: Expansion) -> frozenset[Expansion]:
    """Return the expansions with one more; of the two Poets only the new one stays."""
    kept = frozenset(chosen) - POETS if which in POETS else frozenset(chosen)
    return kept | {which}


def poet_places(board: Board, form: SetUpForm) -> tuple[Location, ...]:
    """Return where the Poet's pawn may start; empty without a Poet or a pawn."""
    if form.pawn is None or not form.expansions & POETS:
        return ()
    return placings(board, form.pawn)


def checklist(form: SetUpForm) -> tuple[Step, ...]:
    """Return how the table is laid out for these choices."""
    return set_up_steps(form.expansions)


def started(board: Board, form: SetUpForm) -> SessionStarted:
    """Return the event that begins the game; what does not fit together is left out."""
    places = poet_places(board, form)
    poet = form.poet if form.poet in places else (places[0] if places else None)
    suit = form.suit if form.suit in suits_in_play(form.expansions) else None
    return SessionStarted(
        form.expansions, form.settings, form.pawn, poet, suit, form.top, form.passes
    )


def hindrance(board: Board, form: SetUpForm) -> str | None:
    """Return why the game cannot begin with these choices; None when it can."""
    return refusal(new_game(board, SessionStarted()), started(board, form))
