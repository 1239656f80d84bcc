"""`bystander sessions stats`: all sessions together, in one row; with --html a page with plots.

    {"sessions", "games", "won", "endings": {ending: count}, "turns": SPREAD,
     "scores": {expansions: SPREAD and "games", "won"}, "known_after": {"youth": SPREAD,
     "rendezvous": SPREAD, "triples": SPREAD}, "hints", "readings", "misread", "typed",
     "corrections", "frames_a_reading": SPREAD, "unread": [sessions that could not be read]}

SPREAD is {"count", "least", "median", "mean", "most"}. `games` are those played to their end;
`known_after` is in turns, or in readings where no turns were followed; `misread` are readings of
the camera that the player took back or put right.
"""

from __future__ import annotations

import json
from typing import Any

from assistant.adapters.safe_files import replace_file
from assistant.adapters.session_files import session_logs
from assistant.adapters.typed_paths import typed_path
from assistant.commands.sessions_log import open_log, tell
from assistant.core.errors import MissingError
from assistant.present.statistics import DEDUCTIONS, Figures, figures, summary


def stats(html: str | None, *, as_json: bool) -> int:
    """Print the figures and write the page; return 0.

    Raises:
        MissingError: the page cannot be written.
    """
    sessions: list[Figures] = []
    unread = []
    for log in reversed(session_logs()):
        try:
            sessions.append(figures(log.stem, open_log(str(log), say=False).story()))
        except MissingError as error:
            unread.append(log.stem)
            tell([str(error)])
    totals = summary(sessions) | {"unread": unread}
    print(json.dumps(totals, ensure_ascii=False) if as_json else "\n".join(_in_words(totals)))
    if html is not None:
        from assistant.present.page.plots import stats_page

        path = typed_path(html)
        try:
            replace_file(path, stats_page(sessions, totals).encode())
        except OSError as error:
            raise MissingError(f"{path} cannot be written ({error.strerror})") from error
        if not as_json:
            print(f"plots: {path}")
    return 0


def _in_words(totals: dict[str, Any]) -> list[str]:
    lines = [
        f"{totals['sessions']} sessions, {totals['games']} games played to the end, "
        f"{totals['won']} won",
    ]
    for ending, count in totals["endings"].items():
        lines.append(f"  {ending:<14} {count:>4}  {'#' * min(count, 40)}")
    lines += ["scores"]
    for played, row in totals["scores"].items():
        lines.append(f"  {played}: {_spread(row)} ({row['won']} of {row['games']} won)")
    lines += ["known after so many turns (or readings)"]
    lines += [f"  {words:<20} {_spread(totals['known_after'][kind])}" for kind, words in DEDUCTIONS]
    return [
        *lines,
        f"hints {totals['hints']}; cards read {totals['readings']}, of them put right "
        f"{totals['misread']}; typed {totals['typed']}; corrections {totals['corrections']}",
        f"frames a reading: {_spread(totals['frames_a_reading'])}",
    ]


def _spread(row: dict[str, Any]) -> str:
    if not row["count"]:
        return "-"
    return f"{row['least']:g} to {row['most']:g}, in the middle {row['median']:g}"
