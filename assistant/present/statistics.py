"""All sessions together: games, wins, scores, how soon each thing was known, hints, corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from assistant.core.events import (
    Corrected,
    RendezvousSought,
    Retracted,
    SearchMade,
    Seq,
    YouthAsked,
)
from assistant.core.score import Ending
from assistant.core.settings import Expansion
from assistant.present.story import Left, Step, is_act

#: What is deduced, by its field of `Left`, and its words.
DEDUCTIONS = (
    ("youth", "the Youth's hideout"),
    ("rendezvous", "the rendezvous"),
    ("triples", "the Lady's traits"),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """One session in figures."""

    name: str
    began: str
    expansions: frozenset[Expansion]
    ending: Ending
    total: int | None
    turns: int
    #: For each deduction the turn (or, without turns, the number of readings) after which it held.
    known_after: dict[str, int | None]
    helps: int
    #: Readings by the camera, and those of them that were taken back or put right.
    readings: int
    misread: int
    #: Asks, seeks and searches that were typed.
    typed: int
    #: Entries that take back or put right another.
    corrections: int
    #: Of each camera reading, the frames that agreed on it.
    frames: tuple[int, ...]

    @property
    def played(self) -> str:
        """The expansions as a word: "rendezvous+youth", "base"."""
        return "+".join(sorted(e.value for e in self.expansions)) or "base"


def figures(name: str, steps: Sequence[Step]) -> Figures:
    """Return the figures of a session; `steps` is its story, with at least one step."""
    state = steps[-1].state
    read = [step for step in steps if step.seen is not None and is_act(step)]
    typed = [
        step
        for step in steps
        if step.seen is None
        and isinstance(step.entry.event, YouthAsked | RendezvousSought | SearchMade)
    ]
    return Figures(
        name=name,
        began=steps[0].entry.time,
        expansions=state.started.expansions,
        ending=state.sheet.ending,
        total=state.sheet.total,
        turns=state.game.turn,
        known_after={kind: _known_after(kind, steps) for kind, _ in DEDUCTIONS},
        helps=len(state.game.helps),
        readings=len(read),
        misread=sum(not step.stands for step in read),
        typed=len(typed),
        corrections=sum(isinstance(s.entry.event, Retracted | Corrected) for s in steps),
        frames=tuple(step.seen.frames for step in read if step.seen is not None),
    )


def _known_after(kind: str, steps: Sequence[Step]) -> int | None:
    """Return when one candidate was left, for good; None when it never came to that."""
    if _left(steps[-1].left, kind) != 1:
        return None
    since = len(steps) - 1
    while since > 0 and _left(steps[since - 1].left, kind) == 1:
        since -= 1
    if steps[-1].state.game.tracked:
        return steps[since].turn
    seen: set[Seq] = {
        step.seq
        for step in steps[: since + 1]
        if isinstance(step.entry.event, YouthAsked | RendezvousSought)
    }
    return len(seen)


def _left(left: Left, kind: str) -> int | None:
    found: int | None = getattr(left, kind)
    return found


def summary(sessions: Iterable[Figures]) -> dict[str, Any]:
    """Return all sessions in one table of plain values."""
    every = list(sessions)
    ended = [each for each in every if each.ending is not Ending.OPEN]
    endings = Counter(each.ending.value for each in ended)
    frames = [count for each in every for count in each.frames]
    return {
        "sessions": len(every),
        "games": len(ended),
        "won": endings.get(Ending.WON.value, 0),
        "endings": dict(endings),
        "turns": _spread([each.turns for each in ended]),
        "scores": {
            played: _spread([e.total for e in every if e.played == played and e.total is not None])
            | {
                "games": sum(e.played == played for e in ended),
                "won": sum(e.played == played and e.ending is Ending.WON for e in ended),
            }
            for played in sorted({each.played for each in every})
        },
        "known_after": {
            kind: _spread(
                [after for each in every if (after := each.known_after[kind]) is not None]
            )
            for kind, _ in DEDUCTIONS
        },
        "hints": sum(each.helps for each in every),
        "readings": sum(each.readings for each in every),
        "misread": sum(each.misread for each in every),
        "typed": sum(each.typed for each in every),
        "corrections": sum(each.corrections for each in every),
        "frames_a_reading": _spread(frames),
    }


def _spread(values: Sequence[int]) -> dict[str, Any]:
    """Return how many, the least, the middle, the mean and the most; nulls where there is none."""
    if not values:
        return {"count": 0, "least": None, "median": None, "mean": None, "most": None}
    return {
        "count": len(values),
        "least": min(values),
        "median": median(values),
        "mean": round(mean(values), 2),
        "most": max(values),
    }
