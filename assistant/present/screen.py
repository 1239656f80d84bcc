"""Everything the play window shows of a state, worked out at once, off the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.core.state import State
from assistant.present.choices import Ask
from assistant.present.hints import HintButton, hint_buttons
from assistant.present.log_lines import LogLine, log_lines
from assistant.present.panels import Rows, lady_rows, question_rows, score_rows
from assistant.present.table_map import TableMap, table_map
from assistant.present.trouble import trouble
from assistant.present.turn_row import Known, turn_row


@dataclass(frozen=True)
class Screen:
    """One state, ready to be drawn. `state` is for questions that lead on from here."""

    state: State
    row: Ask
    trouble: Ask | None
    map: TableMap
    questions: Rows
    lady: Rows
    score: Rows
    log: tuple[LogLine, ...]
    hints: tuple[HintButton, ...]


def screen_of(state: State, known: Known, clock: Callable[[str], str]) -> Screen:
    """Return what the window shows of a state.

    Args:
        state: the game.
        known: what the questions may lean on besides.
        clock: turns the log's time into the time of day.
    """
    return Screen(
        state=state,
        row=turn_row(state, known),
        trouble=trouble(state),
        map=table_map(state),
        questions=question_rows(state),
        lady=lady_rows(state),
        score=score_rows(state),
        log=log_lines(state, clock),
        hints=hint_buttons(state),
    )
