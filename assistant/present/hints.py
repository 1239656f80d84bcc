"""Hints: off, one button for each question, every use counted. What each one says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.advice import Advice
from assistant.core.game import Phase
from assistant.core.outlook import intercepts
from assistant.core.settings import Expansion
from assistant.core.state import Inquiry, State
from assistant.core.turn_events import Help
from assistant.present.event_words import HELP_NAMES
from assistant.present.words import counted, listed, percent


@dataclass(frozen=True, slots=True)
class HintButton:
    """A hint that can be asked for: its name and how often it was."""

    help: Help
    label: str
    used: int


def hint_buttons(state: State) -> tuple[HintButton, ...]:
    """Return the hints that make sense in this game."""
    used = Counter(state.game.helps)
    wanted = {
        Help.ASK: Expansion.YOUTH in state.started.expansions or not state.game.tracked,
        Help.SEEK: Expansion.RENDEZVOUS in state.started.expansions or not state.game.tracked,
        Help.INTERCEPT: state.game.tracked,
        Help.SURE: True,
    }
    return tuple(HintButton(each, HELP_NAMES[each], used[each]) for each in Help if wanted[each])


def hint_words(state: State, asked: Help) -> str:
    """Return what a hint says, in one or two sentences."""
    if asked is Help.ASK:
        return _advice(state.youth, state.next_to_ask(state.game.pawn), "hideout", "ask")
    if asked is Help.SEEK:
        return _advice(state.rendezvous, state.next_to_seek(state.game.pawn), "symbol", "seek")
    if asked is Help.INTERCEPT:
        ways = intercepts(state.game, state.chase)[:3]
        if not ways:
            return _why_not_headed_off(state)
        told = [
            f"{way.location.value} in {counted(way.updates, 'update')} ({percent(way.chance)})"
            for way in ways
        ]
        return f"Best chances to meet the Lady: {listed(told)}."
    return _surest(state)


def _why_not_headed_off(state: State) -> str:
    game = state.game
    if not game.tracked:
        return "Her way is not followed: this session has no place for your pawn."
    if game.phase is Phase.OVER:
        return "The game is over."
    if game.fog_left == 0:
        return "No fog card is left to take a stealth card's place, so no search is possible."
    if not state.lady:
        return "What was seen of her contradicts itself; that comes first."
    return "She escapes before you can search for her again."


def _advice(inquiry: Inquiry[Any, Any], advice: Sequence[Advice], thing: str, verb: str) -> str:
    if not inquiry.candidates:
        return f"No {thing} fits all that was seen; that comes first."
    if len(inquiry.candidates) == 1:
        return f"Nothing more is to be learnt: one {thing} is left."
    if not advice:
        return f"Nothing more is to be learnt: there is no place left to {verb} in."
    best = advice[0]
    left = f"leaves about {best.expected:.1f} {thing}s"
    if best.turns is None:
        return f"Best to {verb} in {best.location.value}: {left}."
    turns = counted(best.turns, "turn")
    return f"Best for your time: {verb} in {best.location.value} ({turns}, {left})."


def _surest(state: State) -> str:
    told = []
    for name, shares in (
        ("the Youth in", {p.value: s for p, s in state.youth.weights.items()}),
        ("the rendezvous", {f.value: s for f, s in state.rendezvous.weights.items()}),
        ("the Lady in", {p.value: s for p, s in state.lady.items()} if state.game.tracked else {}),
    ):
        best = _best(shares)
        if best is not None:
            told.append(f"{name} {best}")
    return f"Likeliest now: {'; '.join(told)}." if told else "Nothing is known yet."


def _best(shares: Mapping[str, float]) -> str | None:
    """Return the likeliest with its share, and what is as likely; None where nothing leads."""
    if not shares or (len(shares) > 1 and len({round(s, 9) for s in shares.values()}) == 1):
        return None
    most = max(shares.values())
    first = [name for name, share in shares.items() if round(share, 9) == round(most, 9)]
    each = " each" if len(first) > 1 else ""
    *others, last = first
    names = f"{', '.join(others)} or {last}" if others else last
    return f"{names} ({percent(most)}{each})"
