"""`bystander solve`: what the icons and numbers seen say about the hidden cards.

    bystander solve --youth "Cornhill=church" --rendezvous "Blackfriars=2" --pawn Cornhill --json

One JSON object with `--json`: `youth` and `rendezvous` each with `candidates`, `weights` and `next`
(where asking helps; with `--pawn` also `turns` and `per_turn`, in that order of worth); `conflict`,
null or the smallest set of answers to blame; `also`, other sets as small; `why`, for each one that
is out the answer that rules it out; and `steps`, the reading of the rule that was used. What the
stealth deck showed and the clues held add `lady` and `identity` (`assistant.commands.solve_lady`).
Exit 0, or 1 when the answers contradict each other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from assistant.commands.solve_lady import add_lady_arguments, solve_lady
from assistant.core.advice import Advice, advise
from assistant.core.deduction import Answer, Deduction
from assistant.core.errors import UsageError
from assistant.core.names import parse_feature, parse_location
from assistant.core.rendezvous import NUMBERS, deduce_rendezvous
from assistant.core.terms import Feature, Location, StepReading
from assistant.core.youth import deduce_youth
from assistant.data import load_aliases, load_board
from assistant.present.set_up_form import STEP_WORDS
from assistant.present.words import answer_words

Card = TypeVar("Card", Location, Feature)
Value = TypeVar("Value", Feature, int)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `solve` to the command line."""
    parser = subparsers.add_parser("solve", help="deduce from icons and numbers that you type")
    parser.add_argument(
        "--youth",
        action="append",
        default=[],
        metavar="PLACE=ICON",
        help='an icon the Fair Youth card showed, such as "Cornhill=church"; repeatable',
    )
    parser.add_argument(
        "--rendezvous",
        action="append",
        default=[],
        metavar="PLACE=NUMBER",
        help='a number the Rendezvous card showed, such as "Blackfriars=2"; repeatable',
    )
    parser.add_argument(
        "--steps",
        choices=[reading.value for reading in StepReading],
        default=StepReading.WALK.value,
        help="how the steps of the Rendezvous are counted (default: walk)",
    )
    parser.add_argument("--pawn", metavar="PLACE", help="where you stand: advice per turn")
    add_lady_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what follows from the answers; return 0, or 1 when they contradict each other.

    Raises:
        UsageError: an answer or a name cannot be understood.
    """
    board, reading = load_board(), StepReading(args.steps)
    pawn = None if args.pawn is None else parse_location(args.pawn, load_aliases())
    youth = deduce_youth(board, _answers(args.youth, parse_feature))
    rendezvous = deduce_rendezvous(board, _answers(args.rendezvous, _number), reading)
    youth_next = advise(board, youth, pawn)
    rendezvous_next = advise(board, rendezvous, pawn)
    lady = solve_lady(args, board)
    conflicts = [_conflict("youth", youth), _conflict("rendezvous", rendezvous), *lady.conflicts]
    conflict = next((found for found in conflicts if found is not None), None)
    if args.json:
        told = {
            "youth": _told(youth, youth_next),
            "rendezvous": _told(rendezvous, rendezvous_next),
            "conflict": conflict,
            "also": [*_others(youth), *_others(rendezvous)],
            "why": {"youth": _why(youth), "rendezvous": _why(rendezvous)},
            "steps": reading.value,
            **lady.told,
        }
        print(json.dumps(told, ensure_ascii=False))
    else:
        # Without any answer both cards are told: what the rules alone say of them.
        is_bare = not (args.youth or args.rendezvous or lady.lines)
        blocks: list[tuple[str, ...]] = []
        if args.youth or is_bare:
            blocks.append(("The Fair Youth", *_lines(youth, youth_next, "ask")))
        if args.rendezvous or is_bare:
            counted = f"steps counted as {reading.value}: {STEP_WORDS[reading]}"
            lines = _lines(rendezvous, rendezvous_next, "seek")
            blocks.append((f"The Rendezvous ({counted})", *lines))
        if lady.lines:
            blocks.append(lady.lines)
        print("\n\n".join("\n".join(block) for block in blocks))
    return 0 if conflict is None else 1


def _answers(typed: Iterable[str], parse_value: Callable[[str], Value]) -> list[Answer[Value]]:
    return [_answer(text, number, parse_value) for number, text in enumerate(typed, start=1)]


def _answer(text: str, number: int, parse_value: Callable[[str], Value]) -> Answer[Value]:
    place, sign, value = text.partition("=")
    if not sign:
        raise UsageError(f'"{text}" is no answer; type it as "Cornhill=church" or "Cornhill=2"')
    return Answer(parse_location(place, load_aliases()), parse_value(value), number)


def _number(text: str) -> int:
    if text.strip() not in map(str, NUMBERS):
        raise UsageError(f'"{text}" is no number of a Rendezvous card; choose from 1, 2, 3')
    return int(text)


def _conflict(about: str, deduction: Deduction[Card, Value]) -> dict[str, Any] | None:
    if deduction.conflict is None:
        return None
    return {
        "about": about,
        "answers": [answer_words(answer) for answer in deduction.conflict.answers],
    }


def _others(deduction: Deduction[Card, Value]) -> list[list[str]]:
    """Return the other sets that are as small as the one to blame."""
    others = () if deduction.conflict is None else deduction.conflict.others
    return [[answer_words(answer) for answer in other] for other in others]


def _why(deduction: Deduction[Card, Value]) -> dict[str, str]:
    """Return for each card that is out the first answer that rules it out."""
    out = deduction.struck_out
    return {card.value: answer_words(against[0]) for card, against in out.items()}


def _told(deduction: Deduction[Card, Value], advice: Sequence[Advice]) -> dict[str, Any]:
    return {
        "candidates": [card.value for card in deduction.candidates],
        "weights": {card.value: weight for card, weight in deduction.weights.items()},
        "next": [_advice(entry) for entry in advice],
    }


def _advice(advice: Advice) -> dict[str, Any]:
    told: dict[str, Any] = {"location": advice.location.value, "expected": advice.expected}
    if advice.turns is not None:
        told |= {"turns": advice.turns, "per_turn": advice.per_turn}
    return told


def _lines(deduction: Deduction[Card, Value], advice: Sequence[Advice], verb: str) -> Iterable[str]:
    if deduction.conflict is not None:
        blamed = " and ".join(answer_words(answer) for answer in deduction.conflict.answers)
        yield f"  No card allows all of these answers. Look again at {blamed}."
        for other in deduction.conflict.others:
            yield f"  Or at {' and '.join(answer_words(answer) for answer in other)}."
        return
    for card, weight in deduction.weights.items():
        yield f"  {card.value:<22}{weight:6.1%}"
    for card, against in deduction.struck_out.items():
        yield f"  {card.value:<22}   out: {', '.join(answer_words(answer) for answer in against)}"
    if advice:
        best = ", ".join(_best(entry) for entry in advice[:3])
        yield f"  Best places to {verb}: {best}."


def _best(advice: Advice) -> str:
    turns = ""
    if advice.turns is not None:
        turns = " this turn" if advice.turns == 1 else f" in {advice.turns} turns"
    return f"{advice.location.value} (leaves {advice.expected:.1f}{turns})"
