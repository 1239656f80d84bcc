"""The questions that put a wrong set-up right: what was in play, where it stood, how it is read.

The start cannot be taken back, but another may stand in its place: everything that came after it
counts as it would have from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assistant.core.board import Board
from assistant.core.events import Corrected, Seq, SessionStarted
from assistant.core.settings import Expansion, Settings, TieReading
from assistant.core.stealth import Shown
from assistant.core.suits import suits_in_play
from assistant.core.terms import Location, StepReading
from assistant.present.choices import Ask, Offer, even_ask, place_offers
from assistant.present.set_up_form import (
    EXPANSION_WORDS,
    PASSES,
    STEP_WORDS,
    TIE_WORDS,
    SetUpForm,
    passes_words,
    poet_places,
    started,
    with_expansion,
)
from assistant.present.symbol_asks import shown_offers, suit_offers

Put = Callable[[SetUpForm], Corrected]


def start_ask(board: Board, seq: Seq, act: SessionStarted) -> Ask:
    """Return the question what was wrong with a game's set-up; each answer puts one thing right."""
    form = SetUpForm(
        act.expansions, act.pawn, act.poet, act.suit, act.top, act.passes, act.settings
    )

    def put(other: SetUpForm) -> Corrected:
        return Corrected(seq, started(board, other))

    offers = [Offer("What is in play", _expansions_ask(form, put))]
    if form.pawn is not None:
        offers += _places(board, form, put)
        suits = [suit for suit in suits_in_play(form.expansions) if suit is not form.suit]
        question = even_ask("Which suit is on the back of the Dark Lady's card?",
                            suit_offers(suits, lambda suit: put(replace(form, suit=suit)))
                            )  # fmt: skip
        offers.append(Offer("The Lady's suit", question))
        offers.append(Offer("Top of the stealth deck", _top_ask(form, put)))
        passes = [
            Offer(passes_words(n), put(replace(form, passes=n)), str(n))
            for n in PASSES
            if n != form.passes
        ]
        question = even_ask("She escapes after how many passes?", passes)
        offers.append(Offer("When she escapes", question))
    offers.append(Offer("How an open rule is read", _rules_ask(form, put)))
    return even_ask("The set-up: what was otherwise?", offers,
                    "The game so far is told anew from there.")  # fmt: skip


def _expansions_ask(form: SetUpForm, put: Put) -> Ask:
    def toggled(which: Expansion) -> Corrected:
        chosen = form.expansions
        chosen = chosen - {which} if which in chosen else with_expansion(chosen, which)
        return put(replace(form, expansions=chosen))

    offers = [
        Offer(f"{'Without' if which in form.expansions else 'With'} {name}", toggled(which))
        for which, (name, _) in EXPANSION_WORDS.items()
    ]
    return even_ask("What was in play?", offers)


def _places(board: Board, form: SetUpForm, put: Put) -> list[Offer]:
    """Return the offers where the pawns began; the Poet's follows the player's."""

    def poet_began(other: SetUpForm) -> Ask | Corrected:
        places = [place for place in poet_places(board, other) if place is not other.poet]
        if len(places) == 1:
            return put(replace(other, poet=places[0]))
        return even_ask("Where did the Poet's pawn begin?",
                        place_offers(places, lambda place: put(replace(other, poet=place)))
                        )  # fmt: skip

    def pawn_began(place: Location) -> Ask | Corrected:
        other = replace(form, pawn=place, poet=None)
        return poet_began(other) if poet_places(board, other) else put(other)

    elsewhere = [place for place in Location if place is not form.pawn]
    question = even_ask("Where did your pawn begin?", place_offers(elsewhere, pawn_began))
    offers = [Offer("Where my pawn began", question)]
    if len(poet_places(board, form)) > 1:
        offers.append(Offer("Where the Poet began", poet_began(form)))
    return offers


def _top_ask(form: SetUpForm, put: Put) -> Ask:
    offers = shown_offers(lambda shown: put(replace(form, top=shown)))
    wrong = {Shown.FOG.value, form.top.value}
    noted = [offer for offer in offers if offer.picture is not None or form.top is not Shown.UNSEEN]
    return even_ask("What showed on top of the stealth deck?",
                    [offer for offer in noted if offer.picture not in wrong])  # fmt: skip


def _rules_ask(form: SetUpForm, put: Put) -> Ask:
    def read(**change: StepReading | TieReading | bool) -> Corrected:
        settings: Settings = replace(form.settings, **change)  # type: ignore[arg-type]
        return put(replace(form, settings=settings))

    old = form.settings
    offers = [
        Offer(f"Steps are counted: {words}", read(steps=steps))
        for steps, words in STEP_WORDS.items()
        if steps is not old.steps
    ]
    stay = "She never stays a turn" if old.may_stay else "She may stay a turn"
    flees = "She stays after a miss" if old.advance_after_miss else "She flees after a miss"
    offers += [
        Offer(stay, read(may_stay=not old.may_stay)),
        Offer(flees, read(advance_after_miss=not old.advance_after_miss)),
    ]
    offers += [
        Offer(f"Ties of the Poet: {words}", read(tie=tie))
        for tie, words in TIE_WORDS.items()
        if tie is not old.tie and Expansion.AGGRESSIVE in form.expansions
    ]
    return even_ask("How is it read?", offers)
