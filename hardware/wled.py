"""What is said to a WLED beside Adalight frames, and what it answers, as pure bytes.

    'v'            -> "WLED 2607201" CR LF (the number of the build)
    {"v":true} LF  -> {"state":{…},"info":{…}} CR LF (1.5 to 3 kB); {"error":3} LF when busy

It swallows one byte after the closing brace, so every JSON line ends with a LF. Frames end 2.5 s
after the last one; then its own effect comes back. The first frame after that is black, so it is
sent twice. `lor` above 0 means that its user took the lights over: frames are then ignored.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

VERSION_QUESTION = b"v"
INFO_QUESTION = b'{"v":true}\n'

#: Lights on, no override, and no word of it to other WLEDs of the house.
TAKE_OVER = b'{"on":true,"lor":0,"udpn":{"nn":true}}\n'

#: Frames end this long after the last one.
TIMEOUT_S = 2.5

#: How long the answer to INFO_QUESTION may take.
INFO_ANSWER_S = 1.5

_VERSION = re.compile(rb"WLED (\d+)\r?\n")


@dataclass(frozen=True, slots=True)
class WledInfo:
    """What a WLED says of itself."""

    version: str
    lights: int
    is_on: bool
    is_overridden: bool


def find_version(heard: bytes) -> str | None:
    """Return the build that a WLED answered with, None when there is no such answer."""
    match = _VERSION.search(heard)
    return None if match is None else match[1].decode("ascii")


def parse_info(line: bytes) -> WledInfo | None:
    """Return what an answer to INFO_QUESTION says, None for any other line."""
    try:
        answer = json.loads(line)
        state, info = answer["state"], answer["info"]
        if info["brand"] != "WLED":
            return None
        lights = int(info["leds"]["count"])
        if lights < 1:
            return None
        return WledInfo(
            version=str(info["ver"]),
            lights=lights,
            is_on=bool(state["on"]),
            is_overridden=int(state.get("lor", 0)) != 0,
        )
    except (ValueError, OverflowError, KeyError, TypeError, AttributeError, RecursionError):
        return None
