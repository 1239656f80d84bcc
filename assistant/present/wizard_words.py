"""What the calibration wizard says and shows, as values that any window can draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.core.terms import Feature, Location
from assistant.present.words import counted, listed

#: The sides of a key as the wizard names them.
SIDES = ("front", "back")


@dataclass(frozen=True, slots=True)
class WizardScreen:
    """One state of the wizard's window.

    `taught` and `wanted` hold (location, "front" or "back"). `lit` is the side in view. `choices`
    are the keys to choose from where the wizard asks.
    """

    headline: str
    hint: str
    taught: frozenset[tuple[Location, str]]
    wanted: frozenset[tuple[Location, str]]
    warnings: tuple[str, ...] = ()
    lit: tuple[Location, str] | None = None
    choices: tuple[Location, ...] = ()
    icons: frozenset[Feature] = frozenset()
    is_enough: bool = False
    is_done: bool = False

    @property
    def share(self) -> float:
        """How much of what was asked for is taught, 0..1."""
        return len(self.wanted & self.taught) / max(1, len(self.wanted))


def headline(step: str, seen: tuple[Location | None, str] | None, is_wanted: bool) -> str:
    """Return the one line that says what the wizard sees or wants.

    Args:
        step: the wizard's step by its word.
        seen: the side in view, its key where that is known.
        is_wanted: whether this side was asked for.
    """
    location, side = seen or (None, "")
    if step == "done":
        return "All is learnt."
    if step == "taught" and location is not None:
        if not is_wanted:
            return f"This is {location.value}; another key was asked for."
        return f"{location.value}, {side}: learnt."
    if step == "asking":
        return f"A key's {side}: which key is it?"
    if step == "looking":
        return "Looking …"
    if step == "hindered":
        return "A card lies there, but it cannot be seen well."
    return "Lay one location key in view, alone."


def hint(
    step: str,
    seen: tuple[Location | None, str] | None,
    missing: frozenset[tuple[Location, str]],
    is_still: bool,
) -> str:
    """Return what to do next.

    Args:
        step: the wizard's step by its word.
        seen: the side in view.
        missing: what is still to be shown.
        is_still: whether nothing moves in the picture.
    """
    if step == "done":
        return "The profile is kept. Space closes the window."
    if step == "asking":
        return "Click its name, or press its number. Space leaves it open: it may come by itself."
    if step == "taught" and seen is not None:
        other = SIDES[1 - SIDES.index(seen[1])]
        if seen[0] is not None and (seen[0], other) in missing:
            return f"Turn it over to its {other}, or take any other key."
        return still_missing(missing)
    if step == "hindered":
        return "It is learnt as soon as it can be seen well."
    if step == "waiting" and is_still:
        return (
            "Nothing stands out. If a key lies there, put something of another colour under it, "
            "and take all other cards away."
        )
    return "Either side up, in any order; take your hand away."


def still_missing(missing: Iterable[tuple[Location, str]]) -> str:
    """Return what is still to be shown: by name when it is little, else by number."""
    left = sorted(missing, key=lambda side: (list(Location).index(side[0]), side[1]))
    if not left:
        return "Nothing is missing."
    if len(left) <= 3:
        return f"Still to show: {listed(f'{place.value} ({side})' for place, side in left)}."
    return f"Next key. {counted(len(left), 'side')} still to show."
