"""The Dark Lady's part of `bystander solve`: where she is, and who.

    --symbols "tavern,residence,fog,church"    what the top of the stealth deck showed, oldest
                                               first, "?" where you did not look; the last is now
    --search "Cornhill=miss" "Cornhill=hit@2"  a search with the card on top now, or with the one
                                               that was the second of the symbols
    --stay off                                 a sequence in which she never stays
    --suit rose --clue florio --clue "chain,crown,heart=0/2"

With `--json` they add `lady` (`candidates` and `weights` now, `way`: the same for each symbol) and
`identity` (`suit`, `triples`: how many of the 35 are left, `traits`: certain, possible or out,
`weights`, `why`: the clues that say so).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.core.board import Board
from assistant.core.errors import UsageError
from assistant.core.identity import HeldClue, Identity, Standing, deduce_identity
from assistant.core.lady import Chase, Evidence, Searched, SymbolSeen, chase
from assistant.core.names import parse_lady, parse_location, parse_word
from assistant.core.stealth import SLOTS, Shown, Slot
from assistant.core.suits import Clue, Mark, Suit, Trait, parse_counts
from assistant.data import load_aliases, load_ladies


@dataclass(frozen=True)
class LadySolved:
    """What is to be told of the Lady; all empty where nothing was asked."""

    told: dict[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    conflicts: tuple[dict[str, Any] | None, ...] = ()


def add_lady_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the Dark Lady to `solve`."""
    parser.add_argument(
        "--symbols", metavar="LIST", help='what the stealth deck showed: "tavern,fog,church"'
    )
    parser.add_argument(
        "--search",
        action="append",
        default=[],
        metavar="PLACE=hit|miss[@N]",
        help="a search, with the card on top now or with the Nth symbol's; repeatable",
    )
    parser.add_argument(
        "--stay", choices=["on", "off"], default="on", help="whether she may stay (default: on)"
    )
    parser.add_argument("--suit", metavar="SUIT", help="the Dark Lady's suit")
    parser.add_argument(
        "--clue",
        action="append",
        default=[],
        metavar="LADY|TRAITS=MARK",
        help='a clue card turned up: "florio", or "chain,crown,heart=0/2"; repeatable',
    )


def solve_lady(args: argparse.Namespace, board: Board) -> LadySolved:
    """Return what the symbols, searches and clues say of the Dark Lady.

    Raises:
        UsageError: something cannot be understood, or a suit or symbols are missing.
    """
    told: dict[str, Any] = {}
    lines: list[str] = []
    conflicts: list[dict[str, Any] | None] = []
    if args.symbols is not None or args.search:
        shown = _shown(args.symbols)
        found = chase(board, args.stay == "on", _evidence(shown, args.search))
        told["lady"] = _told_way(found, shown)
        lines += _way_lines(found, shown)
        conflicts.append(_chase_conflict(found))
    if args.suit is not None or args.clue:
        identity = _identity(args)
        told["identity"] = _told_identity(identity, args.clue)
        lines += _identity_lines(identity, args.clue)
        if identity.conflict:
            blamed = [args.clue[held.by] for held in identity.conflict]
            conflicts.append({"about": "clues", "answers": blamed})
    return LadySolved(told, tuple(lines), tuple(conflicts))


def _shown(text: str | None) -> list[Shown]:
    words = [word.strip() for word in (text or "").split(",")]
    if not all(words):
        raise UsageError('tell the symbols as a list: --symbols "tavern,fog,church"')
    if len(words) > SLOTS:
        raise UsageError(f"the stealth deck has {SLOTS} steps; give the last {SLOTS} symbols")
    return [Shown.UNSEEN if word == "?" else parse_word(word, Shown, "symbol") for word in words]


def _evidence(shown: Sequence[Shown], searches: Iterable[str]) -> list[Evidence]:
    """Return the evidence; `by` is n for the nth symbol, minus n for the nth search."""
    evidence: list[Evidence] = [
        SymbolSeen(Slot(slot), symbol.feature, slot + 1)
        for slot, symbol in enumerate(shown)
        if symbol.feature is not None
    ]
    for number, text in enumerate(searches, start=1):
        place, sign, rest = text.partition("=")
        ended, _, at = rest.partition("@")
        if not sign or ended not in ("hit", "miss"):
            raise UsageError(
                f'"{text}" is no search; type it as "Cornhill=miss" or "Cornhill=hit@2"'
            )
        nth = len(shown)
        if at:
            if not (at.isascii() and at.isdigit() and 1 <= int(at) <= len(shown)):
                raise UsageError(f'"{text}": there is no symbol number {at}')
            nth = int(at)
        where = parse_location(place, load_aliases())
        evidence.append(Searched(Slot(nth - 1), where, ended == "hit", -number))
    return evidence


def _told_way(found: Chase, shown: Sequence[Shown]) -> dict[str, Any]:
    way = [
        {place.value: share for place, share in found.at(Slot(slot)).items()}
        for slot in range(len(shown))
    ]
    return {"candidates": list(way[-1]), "weights": way[-1], "way": way}


def _way_lines(found: Chase, shown: Sequence[Shown]) -> Iterable[str]:
    yield f"The Dark Lady ({'she may stay' if found.may_stay else 'she never stays'})"
    if found.conflict:
        yield f"  No way fits. Look again at {' and '.join(map(_entry, found.conflict))}."
        return
    for number, symbol in enumerate(shown, start=1):
        places = found.at(Slot(number - 1))
        told = ", ".join(f"{place.value} {share:.0%}" for place, share in places.items())
        yield f"  {number:>2} {symbol.value:<11}{told}"


def _entry(entry: Evidence) -> str:
    if isinstance(entry, SymbolSeen):
        return f"symbol {entry.by} ({entry.symbol.value})"
    ended = "hit" if entry.hit else "miss"
    return f"{entry.location.value}={ended}@{entry.slot + 1}"


def _chase_conflict(found: Chase) -> dict[str, Any] | None:
    if not found.conflict:
        return None
    return {"about": "lady", "answers": [_entry(entry) for entry in found.conflict]}


def _identity(args: argparse.Namespace) -> Identity:
    if args.suit is None:
        raise UsageError("tell the Dark Lady's suit with the clues: --suit rose")
    suit = parse_word(args.suit, Suit, "suit")
    return deduce_identity(
        suit, (HeldClue(_clue(text, suit), number) for number, text in enumerate(args.clue))
    )


def _clue(text: str, suit: Suit) -> Clue:
    traits, sign, mark = text.partition("=")
    if not sign:
        clue = parse_lady(text, load_ladies()).clue
        if clue.counts(suit) is None:
            raise UsageError(
                f'"{text}": a clue card of the base game has no row for {suit.value}; tell the '
                "card's traits and its mark: chain,crown,heart=0/2"
            )
        return clue
    words = [word for word in traits.replace(",", " ").split() if word]
    try:
        named = frozenset(parse_word(word, Trait, "trait") for word in words)
        return Clue(named, (Mark(suit, parse_counts(mark)),))
    except ValueError as error:
        raise UsageError(f'"{text}": {error}') from error


def _told_identity(identity: Identity, clues: Sequence[str]) -> dict[str, Any]:
    return {
        "suit": None if identity.suit is None else identity.suit.value,
        "triples": len(identity.triples),
        "traits": {trait.value: standing.value for trait, standing in identity.standing.items()},
        "weights": {trait.value: float(share) for trait, share in identity.weights.items()},
        "why": {
            trait.value: [clues[held.by] for held in identity.why(trait)]
            for trait in Trait
            if identity.why(trait)
        },
    }


def _identity_lines(identity: Identity, clues: Sequence[str]) -> Iterable[str]:
    suit = "" if identity.suit is None else f" of the suit {identity.suit.value}"
    yield f"Who she is: {len(identity.triples)} of 35 triples left for a Lady{suit}"
    if identity.conflict:
        blamed = " and ".join(clues[held.by] for held in identity.conflict)
        yield f"  No triple fits. Look again at {blamed}."
        return
    for trait, standing in identity.standing.items():
        why = ", ".join(clues[held.by] for held in identity.why(trait))
        share = (
            "" if standing is not Standing.POSSIBLE else f" {float(identity.weights[trait]):.0%}"
        )
        yield f"  {trait.value:<8}{standing.value}{share}{f' ({why})' if why else ''}"
