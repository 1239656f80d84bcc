"""Lines of older versions lifted to the present one, a step at a time.

`v` of a line is the version of its layout. When the layout changes, `VERSION` goes up by one and
the step from the old version is registered here; a step takes and returns the line's JSON object.
Steps already there are never changed: old logs rely on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Line = dict[str, Any]

#: The version this program writes.
VERSION = 1

#: The step that lifts a line of a version to the next one.
UPCASTERS: Mapping[int, Callable[[Line], Line]] = {}


def upcast(
    line: Line,
    steps: Mapping[int, Callable[[Line], Line]] = UPCASTERS,
    version: int = VERSION,
) -> Line:
    """Return a line as the present version writes it.

    Raises:
        ValueError: the line has no version, a newer one, or one that no step leads from.
    """
    found = line.get("v")
    if type(found) is not int or found < 1:
        raise ValueError("it has no version")
    if found > version:
        raise ValueError(f"it is of version {found}, written by a newer Bystander")
    for step in range(found, version):
        if step not in steps:
            raise ValueError(f"nothing leads from version {step} to the present one")
        line = {**steps[step](dict(line)), "v": step + 1}
    return line
