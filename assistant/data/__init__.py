"""The printed facts that ship with the product: the map, the keys, other names of the places."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from assistant.core.board import Board
from assistant.core.errors import DamagedError, UsageError
from assistant.core.suits import Clue, LadyCard, Mark, Suit, Trait, parse_counts
from assistant.core.terms import Location


def load_facts(name: str) -> dict[str, Any]:
    """Return one data file of this package as it stands.

    Raises:
        DamagedError: the file is missing from the installation or is not a JSON object.
    """
    try:
        facts = json.loads(resources.files(__name__).joinpath(name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DamagedError(f"{name} of Bystander cannot be read; install it again") from error
    if not isinstance(facts, dict):
        raise DamagedError(f"{name} of Bystander is no JSON object; install it again")
    return facts


@cache
def load_board() -> Board:
    """Return the printed map.

    Raises:
        DamagedError: the installed file is not what it should be.
    """
    try:
        return Board.from_facts(load_facts("board.json"))
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"board.json of Bystander is damaged ({error})") from error


@cache
def load_keys() -> Mapping[str, Any]:
    """Return the measures and printed text of the location keys, as `data/keys.json` has them.

    Raises:
        DamagedError: the installed file is not what it should be.
    """
    return load_facts("keys.json")


@cache
def load_aliases() -> Mapping[Location, tuple[str, ...]]:
    """Return other names under which players type the places.

    Raises:
        DamagedError: the installed file is not what it should be.
    """
    try:
        return {
            Location(name): tuple(str(alias) for alias in aliases)
            for name, aliases in load_facts("aliases.json").items()
        }
    except (TypeError, ValueError) as error:
        raise DamagedError(f"aliases.json of Bystander is damaged ({error})") from error


@cache
def load_ladies() -> tuple[LadyCard, ...]:
    """Return the Dark Ladies of the base game: a look-up for clue cards that lie face up.

    Raises:
        DamagedError: the installed file is not what it should be.
    """
    try:
        return tuple(_lady(entry) for entry in load_facts("ladies.json")["ladies"])
    except (KeyError, TypeError, ValueError, UsageError) as error:
        raise DamagedError(f"ladies.json of Bystander is damaged ({error})") from error


def _lady(entry: Mapping[str, Any]) -> LadyCard:
    marks = tuple(Mark(Suit(suit), parse_counts(mark)) for suit, mark in entry["row"].items())
    traits = frozenset(Trait(trait) for trait in entry["traits"])
    return LadyCard(Suit(entry["suit"]), Clue(traits, marks, str(entry["name"])))
