"""Is memory flat? `python -m tests.assistant.vision.memory_run [FRAMES] [EVERY] [WIDTHxHEIGHT]`.

For Linux. One reader looks at so many frames of the practice camera (20,000 of 1280x720 if none are
named), stacks laid and lifted all the time, and then at other tables, each a new camera. Printed at
every step: frames, the memory in use (MB, VmRSS), readings. What the first tenth fills (caches of
drawing, of cv2) is no growth: the last line compares the end with the first tenth. Exit 1 above
GROWTH_MB.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import cv2

from assistant.core.terms import Location
from assistant.data import load_board
from assistant.practice import stack
from assistant.practice.clips import Clip
from assistant.practice.deck import HiddenCard, PracticeDeck
from assistant.practice.faces import (
    Face,
    face_of,
    fog,
    key_back,
    key_front,
    rendezvous_back,
    stealth_back,
    youth_back,
)
from assistant.practice.stage import Hardness
from assistant.session import Frame, MemoryLog, Session
from assistant.vision.reader import Reader
from tests.assistant.vision.practice_profile import practice_profile

FRAMES, EVERY = 20_000, 1_000
SIZE = (1280, 720)
GROWTH_MB = 20.0


def main(arguments: list[str]) -> int:
    """Run and print; return 0, or 1 when memory grew."""
    frames = int(arguments[0]) if arguments else FRAMES
    every = int(arguments[1]) if len(arguments) > 1 else EVERY
    wide, high = arguments[2].split("x") if len(arguments) > 2 else SIZE
    cv2.setNumThreads(1)
    reader = Reader(practice_profile(), live=True)
    session = Session(load_board(), reader, MemoryLog())
    used: list[float] = []
    for number, frame in enumerate(films(frames, (int(wide), int(high))), start=1):
        session.see(frame)
        if number % every == 0:
            used.append(used_mb())
            say(f"{number} frames  {used[-1]:.1f} MB  {len(session.readings)} readings")
    begun = used[max(0, len(used) // 10 - 1)]
    grown = used[-1] - begun
    say(f"grown by {grown:.1f} MB since the first tenth ({begun:.1f} MB)")
    return 0 if grown <= GROWTH_MB else 1


def say(line: str) -> None:
    """Print a line at once: the run takes a while."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def films(frames: int, size: tuple[int, int]) -> Iterator[Frame]:
    """Yield so many frames of one film after the other, numbered on."""
    # One deck: the drawing of its faces is kept, that of ever new ones would be, too.
    deck, done = PracticeDeck(load_board(), 1), 0
    for face in faces_of(deck):
        stack._master(face)
    for seed in count(1):
        began = done
        hardness = list(Hardness)[seed % len(Hardness)]
        clip = Clip(deck, seed, hardness, layings=12, size=size)
        for frame in clip.frames():
            if done == frames:
                return
            done += 1
            yield Frame(frame.picture, began + frame.index, (began + frame.index) / 30)


def faces_of(deck: PracticeDeck) -> Iterator[Face]:
    """Yield all sides of cards that a practice table may show."""
    for place in Location:
        yield from (key_front(place), key_back(place))
    cards: tuple[HiddenCard, ...] = (
        *deck.youth.values(),
        *deck.rendezvous.values(),
        *deck.stealth.values(),
    )
    yield from (face_of(card) for card in cards)
    yield from (youth_back(), rendezvous_back(), fog(deck.fog))
    yield from (stealth_back(card) for card in deck.stealth.values())


def used_mb() -> float:
    """Return the memory in use by this process, MB."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("no VmRSS in /proc/self/status")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
