"""Whole films of the virtual table with the truth about every laying, for tests and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assistant.core.terms import Content, Feature, Location
from assistant.practice.camera import PracticeCamera
from assistant.practice.deck import HiddenCard, PracticeDeck
from assistant.practice.stage import Hardness
from assistant.session import Frame
from assistant.vision.sighting import Corners


@dataclass(frozen=True, slots=True)
class StackTruth:
    """One laying of a film. `enters`, `rests`, `leaves`, `gone` are numbers of frames.

    The stack is in sight from `enters` to before `gone`, and lies still from `rests` to before
    `leaves`.
    """

    location: Location
    content: Content
    corners: Corners
    enters: int
    rests: int
    leaves: int
    gone: int


class Clip:
    """A film of several layings; its frames are made as they are asked for, and not kept.

    The same deck, seed and hardness give the same film.
    """

    def __init__(
        self,
        deck: PracticeDeck,
        seed: int,
        hardness: Hardness = Hardness.NORMAL,
        *,
        layings: int = 4,
        size: tuple[int, int] = (1280, 720),
    ) -> None:
        self.stacks: list[StackTruth] = []
        self._deck, self._seed, self._hardness = deck, seed, hardness
        self._layings, self._size = layings, size

    def frames(self) -> Iterator[Frame]:
        """Yield the film's frames; `stacks` holds each laying once it is gone."""
        self.stacks.clear()
        lots = np.random.default_rng((self._seed, 4))
        camera = PracticeCamera(self._deck, self._seed, self._hardness, self._size)
        yield from _some(camera, int(lots.integers(4, 9)))
        for _ in range(self._layings):
            location = list(Location)[int(lots.integers(len(Location)))]
            card = _any_card(self._deck, location, lots)
            enters = camera.next_frame
            camera.lay(location, card)
            corners, rests = camera.corners, camera.rests_from
            if rests is None or corners is None:
                raise ValueError("a stack was laid and does not rest")
            yield from _some(camera, rests - enters + int(lots.integers(14, 22)))
            camera.lift()
            leaves, gone = camera.leaves_from, camera.gone_from
            if leaves is None or gone is None:
                raise ValueError("a stack was lifted and does not leave")
            while not camera.is_clear:
                yield from _some(camera, 1)
            shown = card.shows(location)
            self.stacks.append(StackTruth(location, shown, corners, enters, rests, leaves, gone))
            yield from _some(camera, int(lots.integers(3, 7)))


def _some(camera: PracticeCamera, count: int) -> Iterator[Frame]:
    for _ in range(count):
        frame = camera.read()
        if frame is None:
            raise ValueError("the practice film ended too soon")
        yield frame


def _any_card(deck: PracticeDeck, location: Location, lots: np.random.Generator) -> HiddenCard:
    """Return a Fair Youth, a Rendezvous, or a stealth card, half of these with the Lady there."""
    which = int(lots.integers(3))
    place = list(Location)[int(lots.integers(len(Location)))]
    if which == 0:
        return deck.youth[place]
    if which == 1:
        return deck.rendezvous[list(Feature)[int(lots.integers(len(Feature)))]]
    return deck.stealth[location if lots.random() < 0.5 else place]
