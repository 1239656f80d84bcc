"""Which key a face belongs to: its keyhole's place, its row of icons, its printed words.

Each source gives every key a score; none is trusted alone. The faces of one side are then given
to the keys all at once, each key at most one face, so that the total is greatest; a face that fits
another free key nearly as well is left unnamed rather than guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assistant.core.terms import Location
from assistant.vision.geometry import CARD_WIDTH_MM
from assistant.vision.ink import Ink
from assistant.vision.printed import PrintedFacts, Scores
from assistant.vision.profile import FACE_PX_PER_MM

#: What printed words weigh against a hole's outline (both 0..1): more, for they are longer.
WORDS_WEIGHT = 1.5
ICONS_WEIGHT = 0.6
#: A face must fit its key by so much better than any other free key.
LEAST_LEAD = 0.06
#: Rows of a front that hold the icons, mm.
ICON_ROWS_MM = (51.5, 62.5)


def icon_scores(ink: Ink, facts: PrintedFacts) -> Scores:
    """Return how well a front's row of icons lies where each key has its own, 0..1 each.

    Args:
        ink: (272, 176) float32, a front at FACE_PX_PER_MM, right way up.
        facts: where each key has its icons.
    """
    top, bottom = (round(mm * FACE_PX_PER_MM) for mm in ICON_ROWS_MM)
    seen = ink[top:bottom].mean(axis=0)
    x_mm = (np.arange(len(seen)) + 0.5) / FACE_PX_PER_MM
    inner = (x_mm > 2) & (x_mm < CARD_WIDTH_MM - 2)
    scores = {}
    for location, columns in facts.icon_columns_mm.items():
        expected = np.zeros(len(seen))
        for left, right in columns:
            expected[(x_mm >= left) & (x_mm <= right)] = 1.0
        scores[location] = max(0.0, _correlation(seen[inner], expected[inner]))
    return scores


def assign(scores: Sequence[Scores]) -> list[Location | None]:
    """Return the key of each face: together the best, each key once; None where it is not clear."""
    keys = list(Location)
    chosen = _best_assignment([[face[key] for key in keys] for face in scores])
    named: list[Location | None] = []
    for number, choice in enumerate(chosen):
        if choice is None:
            named.append(None)
            continue
        taken = {c for i, c in enumerate(chosen) if i != number and c is not None}
        free = [i for i in range(len(keys)) if i not in taken and i != choice]
        rival = max((scores[number][keys[i]] for i in free), default=0.0)
        swap = _best_swap(scores, chosen, number, keys)
        lead = min(scores[number][keys[choice]] - rival, swap)
        named.append(keys[choice] if lead >= LEAST_LEAD else None)
    return named


def _best_swap(
    scores: Sequence[Scores], chosen: Sequence[int | None], number: int, keys: Sequence[Location]
) -> float:
    """Return what is lost, at least, when this face and another change keys."""
    mine = chosen[number]
    losses = [float("inf")]
    for other, theirs in enumerate(chosen):
        if other == number or theirs is None or mine is None:
            continue
        now = scores[number][keys[mine]] + scores[other][keys[theirs]]
        then = scores[number][keys[theirs]] + scores[other][keys[mine]]
        losses.append(now - then)
    return min(losses)


def _best_assignment(table: Sequence[Sequence[float]]) -> list[int | None]:
    """Return the column of each row so that the total is greatest; a column serves once.

    A row may stay without, for a total of 0. Dynamic programming over the sets of columns used,
    each set a number; `came` notes the column by which a row reached each set.
    """
    columns = len(table[0]) if table else 0
    sets = np.arange(1 << columns)
    total = np.where(sets == 0, 0.0, -np.inf)
    came = np.full((len(table), len(sets)), -1)
    for number, row in enumerate(table):
        grown = total.copy()
        for column, gain in enumerate(row):
            with_it = sets[sets >> column & 1 == 1]
            reached = total[with_it ^ (1 << column)] + gain
            better = reached > grown[with_it]
            grown[with_it[better]] = reached[better]
            came[number, with_it[better]] = column
        total = grown
    used = int(np.argmax(total))
    path: list[int | None] = []
    for number in reversed(range(len(table))):
        column = int(came[number, used])
        path.append(None if column < 0 else column)
        used ^= 0 if column < 0 else 1 << column
    return path[::-1]


def _correlation(a: npt.NDArray[np.generic], b: npt.NDArray[np.generic]) -> float:
    x, y = a - a.mean(), b - b.mean()
    return float((x * y).sum() / (np.sqrt((x * x).sum() * (y * y).sum()) + 1e-9))
