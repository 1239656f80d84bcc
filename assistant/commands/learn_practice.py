"""Learns the practice deck in a process of its own: `python -m assistant.commands.learn_practice`.

Learning takes some seconds of pure work; in a thread of the window it would make the picture
stutter and take three times as long.
"""

from __future__ import annotations

import sys

from assistant.app import practice_profile
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck


def main() -> int:
    """Learn the deck where it is not learnt yet; return 0."""
    practice_profile(PracticeDeck(load_board(), seed=1), lambda _line: None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
