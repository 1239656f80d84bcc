"""What a player names as the board: a port, with what cannot be found out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from hardware.current import DEFAULT_BUDGET_MA
from hardware.lights import MOST_LIGHTS

DEFAULT_BAUD = 115_200

#: A WLED may have more lights than Bystander's own firmware; nobody needs more than this.
_MOST_LIGHTS_NAMED = 300


class Kind(Enum):
    """Which protocol the board speaks; the value is the word that may stand before the port."""

    ASK = "ask"
    ADALIGHT = "adalight"


@dataclass(frozen=True, slots=True)
class Target:
    """A port and what is told of the board there. `lights` is None where nobody said it."""

    url: str
    kind: Kind = Kind.ASK
    baud: int = DEFAULT_BAUD
    lights: int | None = None
    budget_ma: int = DEFAULT_BUDGET_MA


def parse_target(text: str) -> Target:
    """Return what [adalight:]PORT[,baud=N][,lights=N][,budget=N] names; PORT may be any URL.

    Raises:
        ValueError: it cannot be understood; the message says what was expected.
    """
    port, *options = text.split(",")
    target = Target(port)
    if port.startswith("adalight:"):
        target = Target(port.removeprefix("adalight:"), Kind.ADALIGHT)
    for option in options:
        key, _, value = option.partition("=")
        if not value.isdecimal() or len(value) > 7:
            raise ValueError(f"{option!r} is no option of a board: say baud=N, lights=N, budget=N")
        target = _with_option(target, key, int(value))
    if not target.url:
        raise ValueError(f"{text!r} names no port")
    if target.kind is Kind.ADALIGHT and target.lights is None:
        raise ValueError("an Adalight board cannot be asked: say how many lights it has, lights=N")
    return target


def _with_option(target: Target, key: str, value: int) -> Target:
    if key == "baud" and 300 <= value <= 4_000_000:
        return replace(target, baud=value)
    most = _MOST_LIGHTS_NAMED if target.kind is Kind.ADALIGHT else MOST_LIGHTS
    if key == "lights" and 1 <= value <= most:
        return replace(target, lights=value)
    if key == "budget" and 50 <= value <= 10_000:
        return replace(target, budget_ma=value)
    raise ValueError(
        f"{key}={value} cannot be: baud is 300 to 4000000, lights 1 to {most}, "
        "budget 50 to 10000 (mA)"
    )
