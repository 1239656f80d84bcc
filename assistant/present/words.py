"""What Bystander says, in the rulebook's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.core.deduction import Answer
from assistant.core.terms import Content, ContentKind, Feature, Location

#: Why a picture gives no reading, by the command line's word for it.
WHY_NOT: Mapping[str, str] = {
    "no-key": "no location key is in view",
    "which-key": "a location key is in view, but which one cannot be told",
    "other-side": "the key shows its front; lay the card on it and flip both",
    "partly-outside": "the stack is partly outside the picture",
    "covered": "something covers the keyhole",
    "no-card": "no card lies under the key",
    "out-of-line": "the cards are out of line; align them",
    "blurred": "the picture is too blurred to read the keyhole",
    "small": "the key is too small in the picture; bring the camera nearer",
    "dark": "it is too dark to read the keyhole",
    "glare": "a lamp glares on the keyhole",
    "unlike": "what shows in the keyhole is like nothing that is known",
    "unsure": "what shows in the keyhole fits more than one thing",
    "unreadable-file": "the file cannot be read as a picture or video",
}


#: The same for these, where the player's own cards were never shown.
WHY_NOT_BARE: Mapping[str, str] = {
    reason: f"{what}; show me the fronts once (bystander calibrate)"
    for reason, what in (
        ("which-key", "a location key is in view, but which one cannot be told by its hole alone"),
        ("unlike", "what shows in the keyhole cannot be told without knowing your cards"),
        ("unsure", "what shows in the keyhole cannot be told without knowing your cards"),
    )
}


def content_words(content: Content) -> str:
    """Return what a keyhole showed: "church", "2", "the Dark Lady", "nothing printed"."""
    if content.kind is ContentKind.LADY:
        return "the Dark Lady"
    return content.value if content.value is not None else "nothing printed"


def reading_words(location: Location, content: Content) -> str:
    """Return a reading as one sentence without its end."""
    shown = content_words(content)
    if content.kind is ContentKind.ICON:
        return f"{location.value}: the Fair Youth card shows {shown}"
    if content.kind is ContentKind.NUMBER:
        return f"{location.value}: the Rendezvous card shows {shown}"
    return f"{location.value}: the stealth card shows {shown}"


def answer_words(answer: Answer[Any]) -> str:
    """Return an answer as it would be typed: "Cornhill=church"."""
    value = answer.value.value if isinstance(answer.value, Feature) else answer.value
    return f"{answer.location.value}={value}"


def listed(words: Iterable[str]) -> str:
    """Return words as a list in a sentence: "a, b and c"; "none" when there are none."""
    *most, last = list(words) or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int, thing: str) -> str:
    """Return a number of things: "1 place", "3 places"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def percent(share: float) -> str:
    """Return a share as a percentage that is never 0 % for something possible."""
    return "<1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")
