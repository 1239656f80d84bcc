"""`bystander rules`: the questions the rulebook leaves open, the reading taken, how to change it.

With `--json` one object per question: topic, question, reading, setting (null where there is only
one reading), values, change. `--set-up` prints instead the checklist of a game with the expansions
named after `--with`.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from assistant.core.errors import UsageError
from assistant.core.names import parse_word
from assistant.core.open_rules import OPEN_RULES
from assistant.core.set_up import set_up_steps
from assistant.core.settings import Expansion


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `rules` to the command line."""
    parser = subparsers.add_parser("rules", help="open questions of the rulebook, and set-up")
    parser.add_argument("--set-up", action="store_true", help="how to lay a game out")
    parser.add_argument(
        "--with",
        dest="expansions",
        metavar="EXPANSIONS",
        help="youth,rendezvous,elusive,aggressive,darker,markers",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the open questions, or the set-up; return 0.

    Raises:
        UsageError: an expansion cannot be understood, two Poets are chosen, or expansions are named
            without asking for the set-up.
    """
    if args.set_up:
        return _print_set_up(args)
    if args.expansions is not None:
        raise UsageError("--with is for the checklist: bystander rules --set-up --with LIST")
    for number, rule in enumerate(OPEN_RULES, start=1):
        if args.json:
            print(json.dumps(asdict(rule), ensure_ascii=False))
            continue
        print(f"{number}. {rule.topic}: {rule.question}")
        print(f"   Taken: {rule.reading}.")
        print(f"   To change: {rule.change}.")
    return 0


def _print_set_up(args: argparse.Namespace) -> int:
    words = [word for word in (args.expansions or "").split(",") if word.strip()]
    chosen = frozenset(parse_word(word, Expansion, "expansion") for word in words)
    for number, step in enumerate(set_up_steps(chosen), start=1):
        if args.json:
            told = {"step": number, "text": step.text, "source": step.source}
            print(json.dumps(told, ensure_ascii=False))
        else:
            print(f"[ ] {number}. {step.text}")
    return 0
