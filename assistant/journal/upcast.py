"""Lines of older versions lifted to the present one, a step at a time.

`v` of a line is the version of its layout. When the layout changes, `VERSION` goes up by one and
the step from the old version is registered here; a step takes and returns the line's JSON object.
Steps already there are never changed: old logs rely on them.

    1  events only; times in UTC
    2  lines of the log about itself (`log-opened`, `log-repaired`) among the events, numbered with
       them; times with the offset of the table's own zone
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Line = dict[str, Any]

#: The version this program writes.
VERSION = 2


def _from_1(line: Line) -> Line:
    """Return the line as it was: all that version 1 could say, version 2 says alike."""
    return line


#: The step that lifts a line of a version to the next one.
UPCASTERS: Mapping[int, Callable[[Line], Line]] = {1: _from_1}


class NewerLineError(ValueError):
    """A line is of a version that this program does not know yet."""


def upcast(
    line: Line,
    steps: Mapping[int, Callable[[Line], Line]] = UPCASTERS,
    version: int = VERSION,
) -> Line:
    """Return a line as the present version writes it.

    Raises:
        NewerLineError: a newer program wrote it.
        ValueError: the line has no version, or one that no step leads from.
    """
    found = line.get("v")
    if type(found) is not int or found < 1:
        raise ValueError("it has no version")
    if found > version:
        raise NewerLineError(f"it is of version {found}, written by a newer Bystander")
    for step in range(found, version):
        if step not in steps:
            raise ValueError(f"nothing leads from version {step} to the present one")
        line = {**steps[step](dict(line)), "v": step + 1}
    return line
