"""Acts that older programs took and this one refuses: their logs are read, and the acts doubted."""

from __future__ import annotations

import json
from typing import Any

from assistant.core.state import fold
from assistant.core.terms import Location
from assistant.data import load_board
from assistant.journal import decode
from assistant.present.log_lines import Fate, log_lines

LUCY = {
    "traits": ["chain", "crown", "heart"],
    "marks": [{"suit": "rose", "counts": [2]}],
    "name": "Lucy Morgan",
}
UNLIKELY = {"confidence": -5.0, "frames": -3}

#: What happened, and whether this program would refuse it where it stands.
ACTS: list[tuple[dict[str, Any], bool]] = [
    ({"kind": "session-started", "pawn": "Cornhill", "top": "fog", "passes": 500}, True),
    ({"kind": "session-started", "pawn": "Cornhill", "suit": "rose"}, False),
    ({"kind": "suit-told", "suit": "hearts"}, True),
    ({"kind": "suit-told", "suit": "rose"}, False),
    ({"kind": "lady-updated"}, False),
    ({"kind": "search-made", "location": "Cornhill", "hit": True, "seen": UNLIKELY}, True),
    ({"kind": "search-made", "location": "Cornhill", "hit": True}, False),
    ({"kind": "clue-gained", "clue": LUCY}, False),
    ({"kind": "lady-fled", "shows": ["unseen"]}, False),
    ({"kind": "clue-gained", "clue": LUCY}, True),
    ({"kind": "clue-reread", "of": 77, "mark": {"suit": "rose", "counts": [1]}}, True),
    ({"kind": "lady-updated"}, False),
    ({"kind": "fog-used", "card": 1, "clues": 1000, "fog_discarded": 1000}, True),
    ({"kind": "session-started"}, True),
    ({"kind": "session-started", "pawn": "Cornhill"}, False),
    ({"kind": "lady-updated"}, False),
    (
        {
            "kind": "lady-confronted",
            "named": ["chain", "crown", "heart"],
            "found": True,
            "traits": ["chain"],
        },
        True,
    ),
    ({"kind": "base-scored", "points": 10**400}, True),
    ({"kind": "retracted", "of": 1}, False),
]


def test_a_log_with_acts_that_are_refused_now_is_read_and_they_are_doubted() -> None:
    lines = [
        json.dumps({"v": 2, "seq": seq, "time": "2026-11-30T20:15:02+01:00", **act})
        for seq, (act, _) in enumerate(ACTS, start=1)
    ]
    replay = decode(("\n".join(lines) + "\n").encode())
    assert replay.damage is None
    assert len(replay.trusted()) == len(ACTS)
    state = fold(load_board(), replay.events)
    refused = {seq for seq, (_, is_refused) in enumerate(ACTS, start=1) if is_refused}
    assert {doubt.seq for doubt in state.doubts} == refused
    assert state.game.pawn is Location.CORNHILL
    doubted = {line.seq for line in log_lines(state, str) if line.fate is Fate.DOUBTED}
    assert doubted == refused
    # Cards are held as far as there are any.
    before_the_third_start = fold(load_board(), replay.events[:13]).game
    assert (before_the_third_start.clues_held, before_the_third_start.fog_left) == (11, 0)
