"""How a game ends and what it scores.

Source: rulebook, Confronting the Fair Youth; The Rendezvous; The Rival Poet, Scoring.

The base game's own points are worked out by the player; these are the add-ons, each with its
reason. A lost game has its lines too, for the story; it has no total.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from assistant.core.game import Game
from assistant.core.terms import Feature, Location


class Ending(Enum):
    """How a game ended; `OPEN` while it goes on."""

    OPEN = "open"
    WON = "won"
    WRONG_PLACE = "wrong place"
    NOT_HERE = "not here"
    WRONG_TRAITS = "wrong traits"
    ESCAPED = "escaped"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet."""

    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet; `total` is None while the game goes on or the base score is missing."""

    ending: Ending
    lines: tuple[Line, ...]
    total: int | None


def ending(game: Game) -> Ending:
    """Return how the game ended.

    With the Rendezvous its card is turned over first: its symbol must be present in the player's
    location, or all is lost before the Lady is revealed.
    """
    if game.lady_confronted is None:
        return Ending.ESCAPED if game.escaped else Ending.OPEN
    act, place, _ = game.lady_confronted
    if act.rendezvous is not None and act.rendezvous not in _features(game, place):
        return Ending.WRONG_PLACE
    if not act.found:
        return Ending.NOT_HERE
    return Ending.WON if act.named == act.traits else Ending.WRONG_TRAITS


def youth_found(game: Game) -> bool | None:
    """Return whether the Fair Youth was where he was confronted; None before that."""
    if game.youth_confronted is None:
        return None
    act, place, _ = game.youth_confronted
    return act.hideout is place


def score_sheet(game: Game) -> Sheet:
    """Return every line of the score with its reason."""
    end = ending(game)
    lines: list[Line] = []
    if game.base_points is not None:
        lines.append(Line(game.base_points, "the base game's score"))
    found = youth_found(game)
    if found is not None:
        hideout = "the Fair Youth was found" if found else "the Fair Youth eluded you"
        lines.append(Line(20 if found else -20, hideout))
    if end is Ending.WON:
        if found and _at_once(game):
            lines.append(Line(10, "the Fair Youth and the Dark Lady in one place at one time"))
        if game.lady_confronted is not None and game.lady_confronted[0].rendezvous is not None:
            lines.append(Line(15, "the Lady unmasked at the rendezvous"))
    if game.is_elusive:
        lines.append(Line(-10, "the Elusive Poet helped"))
    if game.is_aggressive:
        lines.append(Line(10, "the Aggressive Poet hampered"))
    complete = end is Ending.WON and game.base_points is not None
    return Sheet(end, tuple(lines), sum(line.points for line in lines) if complete else None)


def _at_once(game: Game) -> bool:
    """Whether both were confronted in the same place in the same turn."""
    if game.youth_confronted is None or game.lady_confronted is None:
        return False
    return game.youth_confronted[1:] == game.lady_confronted[1:]


def _features(game: Game, place: Location | None) -> frozenset[Feature]:
    return frozenset() if place is None else game.board.features(place)
