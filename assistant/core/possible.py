"""What no table can show, whatever house rules are played by: more cards than there are, and such.

`impossible` answers for one act. A refusal of the rules (`assistant.core.legality`) may be
overruled, for the table may differ from what Bystander believes; this may not. It is asked where an
act enters: a log of an older program may hold such acts, and is still read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.core.events import (
    Act,
    RendezvousSought,
    SearchMade,
    SessionStarted,
    YouthAsked,
)
from assistant.core.game import CLUE_CARDS, FOG_CARDS, Game, StackRead
from assistant.core.stealth import Shown
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    ClueReread,
    FogUsed,
    LadyConfronted,
)

#: More points than any game gives, or takes, and more passes than an evening has.
_MOST_POINTS, _MOST_PASSES = 999_999, 99

#: Traits on a Lady's card.
_TRAITS = 3


def impossible(game: Game, act: Act) -> str | None:
    """Return why no table can show an act, None where one can."""
    look = _IMPOSSIBLE.get(type(act))
    return None if look is None else look(game, act)


def _started(_: Game, act: SessionStarted) -> str | None:
    if act.top is Shown.FOG:
        return "at set-up a stealth card lies on top; fog comes into the deck with the searches"
    if act.passes > _MOST_PASSES:
        return f"the countdown card comes up at most {_MOST_PASSES} times"
    return None


def _read(_: Game, act: StackRead) -> str | None:
    if act.seen is None:
        return None
    if not 0 <= act.seen.confidence <= 1:
        return f"a reading is sure by a share from 0 to 1, not {act.seen.confidence:g}"
    return "a reading does not rest on fewer frames than none" if act.seen.frames < 0 else None


def _fog_used(_: Game, act: FogUsed) -> str | None:
    if act.clues > CLUE_CARDS:
        return f"there are {CLUE_CARDS} clue cards, not {act.clues}"
    if act.fog_discarded > FOG_CARDS:
        return f"there are {FOG_CARDS} fog cards, not {act.fog_discarded}"
    return None


def _clue_gained(game: Game, _: ClueGained) -> str | None:
    if len(game.clues) >= CLUE_CARDS:
        return f"there are {CLUE_CARDS} clue cards, and all lie before you"
    return None


def _clue_reread(game: Game, act: ClueReread) -> str | None:
    if any(held.by == act.of for held in game.clues):
        return None
    return f"entry {act.of} is no clue card that you hold"


def _base_scored(_: Game, act: BaseScored) -> str | None:
    return "no game gives so many points" if abs(act.points) > _MOST_POINTS else None


def _lady_confronted(_: Game, act: LadyConfronted) -> str | None:
    # A card that stayed unseen has none.
    if len(act.traits) == _TRAITS or not (act.found or act.traits):
        return None
    return f"the Lady's card shows three traits, not {len(act.traits)}"


_IMPOSSIBLE: Mapping[type[Any], Callable[[Game, Any], str | None]] = {
    SessionStarted: _started,
    YouthAsked: _read,
    RendezvousSought: _read,
    SearchMade: _read,
    FogUsed: _fog_used,
    ClueGained: _clue_gained,
    ClueReread: _clue_reread,
    BaseScored: _base_scored,
    LadyConfronted: _lady_confronted,
}
