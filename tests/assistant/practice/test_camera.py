"""The practice camera's film: stacks come, rest, and go when told, and nothing else moves."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.practice.camera import PracticeCamera
from assistant.practice.clips import Clip
from assistant.practice.deck import PracticeDeck
from assistant.practice.faces import key_back
from assistant.practice.ink import inked
from assistant.practice.stage import Hardness
from assistant.vision.geometry import card_to_picture, rectify
from assistant.vision.sighting import Corners, Picture

DECK = PracticeDeck(load_board(), 1)
SMALL = (640, 360)

#: Noise alone changes a smoothed frame by less than STILL levels, a moving stack by MOVED or more.
STILL, MOVED = 6, 10


def film(camera: PracticeCamera, count: int) -> list[Picture]:
    frames = []
    for _ in range(count):
        frame = camera.read(1.0)
        assert frame is not None
        frames.append(frame.picture)
    return frames


def change(one: Picture, other: Picture) -> float:
    """Return the largest change between two frames that is not noise."""
    a, b = (cv2.GaussianBlur(p.astype(np.float32), (0, 0), 4) for p in (one, other))
    return float(np.abs(a - b).max())


def likeness(picture: Picture, corners: Corners, location: Location) -> float:
    card = rectify(picture, card_to_picture(corners), (0, 0), (44, 68), 4.0)
    drawn = inked(key_back(location), (44, 68), 4.0, (229, 216, 196))
    a, b = (
        cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (0, 0), 2)[12:-12, 12:-12].ravel()
        for p in (card, drawn)
    )
    return float(np.corrcoef(a, b)[0, 1])


def test_empty_table_stands_still_but_for_the_noise() -> None:
    first, second = film(PracticeCamera(DECK, 1, size=SMALL), 2)
    assert not np.array_equal(first, second)
    assert change(first, second) < STILL


def test_a_stack_slides_in_rests_and_is_gone_when_lifted() -> None:
    camera = PracticeCamera(DECK, 2, Hardness.EASY, SMALL)
    empty = film(camera, 1)[0]
    assert camera.is_clear
    camera.lay(Location.SOUTHWARK, DECK.youth[Location.CORNHILL])
    assert not camera.is_clear
    corners, rests = camera.corners, camera.rests_from
    assert corners is not None
    assert rests is not None
    sliding = film(camera, rests - camera.next_frame)
    assert 8 <= len(sliding) <= 13
    assert all(change(a, b) > MOVED for a, b in pairwise(sliding[2:-2]))
    resting = film(camera, 25)
    # The hand has gone by now; the stack lies still.
    assert change(resting[-1], resting[-2]) < STILL
    fits = {place: likeness(resting[-1], corners, place) for place in Location}
    assert max(fits, key=lambda place: fits[place]) is Location.SOUTHWARK
    camera.lift()
    leaving = 0
    while not camera.is_clear:
        film(camera, 1)
        leaving += 1
    assert leaving < 30
    assert change(film(camera, 1)[0], empty) < STILL


def test_numbers_of_resting_and_leaving_frames_are_those_of_the_film() -> None:
    clip = Clip(DECK, 3, Hardness.EASY, layings=2, size=SMALL)
    frames = [frame.picture for frame in clip.frames()]
    assert len(clip.stacks) == 2
    for stack in clip.stacks:
        assert stack.enters < stack.rests < stack.leaves < stack.gone
        assert likeness(frames[stack.leaves - 8], stack.corners, stack.location) > 0.6
        before = frames[stack.enters - 1]
        assert change(frames[stack.enters + 3], before) > MOVED
        assert change(frames[stack.gone], before) < STILL
        middle = card_to_picture(stack.corners)
        cards = [
            cv2.GaussianBlur(rectify(frame, middle, (8, 8), (28, 52), 3.0), (0, 0), 3)
            for frame in frames[stack.rests : stack.leaves]
        ]
        # The hand may come and go over a part of the card; most of it stays as it is.
        for one, other in pairwise(cards):
            assert np.median(np.abs(one.astype(np.float32) - other.astype(np.float32))) < 3


def test_clip_shows_what_its_truth_says() -> None:
    clip = Clip(DECK, 4, layings=5, size=(160, 90))
    assert sum(1 for _ in clip.frames()) > clip.stacks[-1].gone
    for stack in clip.stacks:
        shown = {card.shows(stack.location) for card in DECK.youth.values()}
        shown |= {card.shows(stack.location) for card in DECK.rendezvous.values()}
        shown |= {card.shows(stack.location) for card in DECK.stealth.values()}
        assert stack.content in shown


def test_same_seed_and_acts_give_the_same_film() -> None:
    films = []
    for _ in range(2):
        camera = PracticeCamera(DECK, 6, Hardness.HARD, SMALL)
        camera.lay(Location.CORNHILL, DECK.rendezvous[Feature.CHURCH])
        films.append(film(camera, 12))
    for one, other in zip(*films, strict=True):
        assert np.array_equal(one, other)


def test_blackout_films_nothing_and_the_stack_comes_and_goes_all_the_same() -> None:
    camera = PracticeCamera(DECK, 1, blackout=True)
    camera.lay(Location.CORNHILL, DECK.youth[Location.CORNHILL])
    frames = film(camera, 20)
    assert frames[0].shape == (720, 1280, 3)
    assert not any(frame.any() for frame in frames)
    camera.lift()
    while not camera.is_clear:
        film(camera, 1)


def test_second_stack_is_refused_while_one_is_in_sight() -> None:
    camera = PracticeCamera(DECK, 1, blackout=True)
    camera.lay(Location.CORNHILL, DECK.youth[Location.CORNHILL])
    film(camera, 15)
    camera.lift()
    with pytest.raises(ValueError, match="lift it first"):
        camera.lay(Location.SOUTHWARK, DECK.youth[Location.CORNHILL])


def test_frames_are_numbered_and_timed_and_the_film_ends_when_told() -> None:
    camera = PracticeCamera(DECK, 1, blackout=True, last_frame=2)
    frames = [camera.read(0.0) for _ in range(4)]
    assert [frame and frame.index for frame in frames] == [0, 1, 2, None]
    assert [frame.time_s for frame in frames if frame] == pytest.approx([0, 1 / 30, 2 / 30])
    endless = PracticeCamera(DECK, 1, blackout=True)
    assert endless.read(0.0) is not None
    endless.close()
    endless.close()
    assert endless.read(0.0) is None
