"""What does not fit together, told calmly, with the likely slip and the ways to put it right."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from assistant.core.events import (
    Overruled,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seq,
    YouthAsked,
)
from assistant.core.game import Phase
from assistant.core.state import State
from assistant.core.turn_events import PawnMoved
from assistant.present.choices import Ask, Offer, ask
from assistant.present.event_words import event_words
from assistant.present.log_lines import correction_ask

_NEITHER, _NO_HURRY = (
    "Neither counts until one is taken back.",
    "No hurry: the game goes on.",
)


def trouble(state: State) -> Ask | None:
    """Return the first thing that does not fit, None when all does.

    A dispute before a conflict before a doubt: the first is the surest to be one slip.
    """
    for inquiry in (state.youth, state.rendezvous):
        for dispute in inquiry.disputes:
            seqs = [Seq(answer.by) for answer in dispute.answers]
            return _blame(
                state,
                f"{dispute.location.value} was read in two ways. Which was it?",
                seqs,
                _NEITHER if state.game.phase is Phase.OVER else f"{_NEITHER} {_NO_HURRY}",
            )
    for seen in state.chase.disputes:
        return _blame(
            state,
            "The same stealth card showed two symbols.",
            [Seq(entry.by) for entry in seen if entry.by],
            "One was mistyped, or an update of the deck is missing.",
        )
    return _conflict(state) or _doubt(state)


def _conflict(state: State) -> Ask | None:
    blamed: list[tuple[str, list[Seq]]] = []
    if state.youth.conflict is not None:
        seqs = [Seq(answer.by) for answer in state.youth.conflict.answers]
        blamed.append(("No hideout fits all that the bystanders said.", seqs))
    if state.rendezvous.conflict is not None:
        seqs = [Seq(answer.by) for answer in state.rendezvous.conflict.answers]
        blamed.append(("No symbol fits all the numbers.", seqs))
    if state.chase.conflict:
        seqs = [Seq(entry.by) for entry in state.chase.conflict if entry.by]
        blamed.append(("No way of the Lady fits what was seen.", seqs))
    if state.identity.conflict:
        seqs = [Seq(held.by) for held in state.identity.conflict]
        blamed.append(("No Lady fits all your clues.", seqs))
    if not blamed:
        return None
    title, seqs = blamed[0]
    return _blame(state, title, seqs, "Look at these again; one of them is a slip.")


def _blame(state: State, title: str, seqs: Iterable[Seq], note: str) -> Ask:
    offers = []
    for seq in dict.fromkeys(seqs):
        entry = next((entry for entry in state.in_force if entry.seq == seq), None)
        if entry is not None:
            question = partial(correction_ask, state, seq)
            offers.append(Offer(event_words(entry.event), question))
    return ask(title, offers, note)


def _doubt(state: State) -> Ask | None:
    """Return the question about the last act that the rules refuse where it stands."""
    if not state.doubts:
        return None
    doubt = state.doubts[-1]
    entry = next(entry for entry in state.in_force if entry.seq == doubt.seq)
    offers = [Offer("Take it back", Retracted(doubt.seq), "b")]
    event, pawn = entry.event, state.game.pawn
    readings = (YouthAsked, RendezvousSought, SearchMade)
    if isinstance(event, readings) and pawn is not None and event.location is not pawn:
        offers.append(
            Offer(
                f"My pawn is in {event.location.value}",
                Overruled(PawnMoved(event.location), doubt.rule),
                "m",
            )
        )
    offers.append(Offer("Look at the entry", partial(correction_ask, state, doubt.seq), "l"))
    return ask(f"{event_words(event)}: {doubt.rule}.", offers,
               "It counts all the same, as it happened at the table.")  # fmt: skip
