"""The wizard's steps, fed with pictures of the practice keys and times."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from assistant.core.terms import Feature, Location
from assistant.data import load_keys
from assistant.practice.truth import Shot
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Picture, Side
from calibration.begun import Begun
from calibration.conditions import Condition
from calibration.cut import cut_card
from calibration.wizard import ALL_SIDES, LOOKS, Progress, Step, Wizard
from tests.calibration.practice_shots import key_shots

FACTS = load_keys()
BARE = np.full((720, 1280, 3), (70, 60, 50), np.uint8)


class Player:
    """Lays pictures before a wizard: each comes in, rests, and is taken away again."""

    def __init__(self, wizard: Wizard) -> None:
        self.wizard = wizard
        self.now_s = 0.0

    def frame(self, picture: Picture) -> Progress:
        self.now_s += 0.1
        return self.wizard.show(picture, self.now_s)

    def lays(self, picture: Picture, frames: int = 12) -> list[Progress]:
        """Show a picture sliding in and resting; return what the wizard told at each frame."""
        told = [self.frame(np.roll(picture, 300, axis=1)), self.frame(np.roll(picture, 90, axis=1))]
        return told + [self.frame(picture) for _ in range(frames)]


def clear_shots() -> list[Shot]:
    """Every side once, on a table from which each card stands out."""
    chosen: dict[tuple[Location | None, Side | None], Shot] = {}
    for shot in key_shots(1):
        side = shot.truth.location, shot.truth.side
        if side not in chosen and cut_card(shot.picture_bgr) is not None:
            chosen[side] = shot
    return list(chosen.values())


@lru_cache(maxsize=1)
def shots() -> tuple[Shot, ...]:
    found = clear_shots()
    assert len(found) >= 20
    return tuple(found)


def shot_of(location: Location, side: Side) -> Shot:
    return next(
        shot for shot in shots() if (shot.truth.location, shot.truth.side) == (location, side)
    )


def some_shot(side: Side) -> Shot:
    return next(shot for shot in shots() if shot.truth.side is side)


@lru_cache(maxsize=1)
def whole_film() -> tuple[Wizard, list[list[Progress]]]:
    """A wizard that has been shown every side, and what it told at each."""
    wizard = Wizard(FACTS)
    player = Player(wizard)
    return wizard, [player.lays(shot.picture_bgr, frames=9) for shot in shots()]


def taught_whole() -> Wizard:
    return whole_film()[0]


def test_every_side_is_ticked_off_under_its_own_name_and_then_all_is_done() -> None:
    assert len(shots()) == len(ALL_SIDES)
    wizard, film = whole_film()
    for shot, told in zip(shots(), film, strict=True):
        news = [progress.seen for progress in told if progress.is_news]
        assert news == [(shot.truth.location, shot.truth.side)]
        assert not any(progress.step is Step.ASKING for progress in told)
    assert wizard.progress.step is Step.DONE
    assert wizard.progress.taught == ALL_SIDES
    assert wizard.lesson.complete
    assert wizard.lesson.missing == ()
    assert wizard.lesson.icons == set(Feature)


def test_the_outline_told_is_that_of_the_card() -> None:
    shot = some_shot(Side.FRONT)
    told = Player(Wizard(FACTS)).lays(shot.picture_bgr)[-1]
    assert told.corners is not None
    assert shot.truth.corners is not None
    seen, true = np.array(told.corners), np.array(shot.truth.corners)
    either_way_up = [np.linalg.norm(np.roll(seen, turn, axis=0) - true, axis=1) for turn in (0, 2)]
    assert min(float(apart.max()) for apart in either_way_up) < 10


def test_a_card_on_its_way_is_not_learnt() -> None:
    picture = some_shot(Side.BACK).picture_bgr
    player = Player(Wizard(FACTS))
    for step in range(20):
        told = player.frame(np.roll(picture, -15 * step, axis=1))
        assert told.step is Step.WAITING
        assert told.taught == frozenset()


def test_a_brightness_that_drifts_does_not_keep_a_card_from_resting() -> None:
    picture = some_shot(Side.FRONT).picture_bgr.astype(np.float32)
    player = Player(Wizard(FACTS))
    told = [
        player.frame(np.clip(picture + number * 1.5, 0, 255).astype(np.uint8))
        for number in range(8)
    ]
    assert told[-1].step is Step.TAUGHT


def test_an_empty_table_at_rest_says_that_nothing_stands_out() -> None:
    told = Player(Wizard(FACTS)).lays(BARE)[-1]
    assert told.step is Step.WAITING
    assert told.is_still


@pytest.mark.parametrize(
    ("condition", "spoilt"),
    [
        (Condition.BLURRED, lambda p: cv2.GaussianBlur(p, (0, 0), 4.0)),
        (Condition.DARK, lambda p: (p * 0.2).astype(np.uint8)),
        (Condition.FAR, lambda p: cv2.resize(p, (640, 360), interpolation=cv2.INTER_AREA)),
    ],
)
def test_a_card_seen_badly_is_told_in_words_and_learnt_once_it_is_seen_well(
    condition: Condition, spoilt: object
) -> None:
    assert callable(spoilt)
    picture = some_shot(Side.FRONT).picture_bgr
    player = Player(Wizard(FACTS))
    told = player.lays(spoilt(picture))[-1]
    assert told.step is Step.HINDERED
    assert told.conditions & {condition}
    assert told.taught == frozenset()
    assert player.lays(picture)[-1].step is Step.TAUGHT


def test_a_card_of_which_the_key_is_not_clear_is_asked_about_with_choices() -> None:
    player, told = asked()
    assert told.step is Step.ASKING
    assert 1 <= len(told.choices) <= 4
    assert told.taught == frozenset()
    answered = player.wizard.answer(told.choices[0])
    assert answered.step is Step.TAUGHT
    assert answered.taught == {(told.choices[0], Side.BACK)}


def test_a_question_left_open_is_not_asked_again_while_the_card_lies_there() -> None:
    player, _ = asked()
    told = player.wizard.answer(None)
    assert told.step is Step.WAITING
    # Two seconds: many times as long as a card lies before it is asked about.
    assert [player.frame(unclear_back()).step for _ in range(20)] == [Step.WAITING] * 20
    # Taken away and laid again it is.
    assert player.lays(unclear_back(), frames=5 + 3 * LOOKS)[-1].step is Step.ASKING


def asked() -> tuple[Player, Progress]:
    """Return a player whose card was just asked about."""
    player = Player(Wizard(FACTS))
    told = player.lays(unclear_back(), frames=5 + 3 * LOOKS)[-1]
    return player, told


@lru_cache(maxsize=1)
def unclear_back() -> Picture:
    """A back whose hole is painted over with its paper, so that only the words are left."""
    shot = some_shot(Side.BACK)
    corners = np.array(shot.truth.corners)
    location = shot.truth.location
    assert location is not None
    x_mm, y_mm = FACTS["keys"][location.value]["keyhole"]["circle_centre_mm"]
    to_px = cv2.getPerspectiveTransform(
        np.array([[0, 0], [44, 0], [44, 68], [0, 68]], np.float32), corners.astype(np.float32)
    )
    box = np.array([[[x_mm - 6, y_mm - 6], [x_mm + 6, y_mm - 6]]], np.float32)
    box = np.concatenate(
        [box, np.array([[[x_mm + 6, y_mm + 11], [x_mm - 6, y_mm + 11]]], np.float32)], axis=1
    )
    quad = np.rint(cv2.perspectiveTransform(box, to_px)).astype(np.int32)
    picture = shot.picture_bgr.copy()
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(corners).astype(np.int32), (1,))
    paper = np.percentile(picture[inside.astype(bool)], 75, axis=0)
    cv2.fillConvexPoly(picture, quad[0], tuple(int(v) for v in paper))
    return picture


def test_what_was_begun_goes_on_from_its_files_without_showing_anything_again() -> None:
    first = Wizard(FACTS)
    player = Player(first)
    half = shots()[:8]
    for shot in half:
        player.lays(shot.picture_bgr)
    files = first.files()
    again = Wizard(FACTS, earlier=CardProfile.from_files(files), begun=Begun.from_files(files))
    assert again.progress.taught == first.progress.taught
    assert again.progress.icons == first.progress.icons
    told = Player(again).lays(shots()[8].picture_bgr)[-1]
    assert told.taught == first.progress.taught | {
        (shots()[8].truth.location, shots()[8].truth.side)
    }
    assert not any("whole" in name or name.endswith((".png", ".jpg")) for name in files)


def test_one_key_is_taught_anew_and_the_others_stay() -> None:
    whole = taught_whole()
    files = whole.files()
    again = shots()[0].truth.location
    assert again is not None
    wizard = Wizard(
        FACTS,
        earlier=CardProfile.from_files(files),
        begun=Begun.from_files(files),
        again=again,
    )
    assert wizard.progress.missing == {(again, Side.FRONT), (again, Side.BACK)}
    kept_icons = Begun.from_files(wizard.files()).patches
    assert kept_icons
    assert all(location is not again for _, location in kept_icons)
    player = Player(wizard)
    other = next(s for s in shots() if s.truth.location is not again)
    told = player.lays(other.picture_bgr)[-1]
    assert told.seen == (other.truth.location, other.truth.side)
    assert wizard.progress.missing == {(again, Side.FRONT), (again, Side.BACK)}
    mine = [s for s in key_shots(1) if s.truth.location is again]
    for shot in (*mine, *[s for s in key_shots(2) if s.truth.location is again]):
        player.lays(shot.picture_bgr)
    assert wizard.progress.step is Step.DONE
    assert wizard.lesson.complete
    kept = {(f.location, f.side): f for f in wizard.lesson.profile.faces}
    before = {(f.location, f.side): f for f in whole.lesson.profile.faces}
    assert set(kept) == ALL_SIDES
    untouched = next(
        s for s in kept if s[0] is not again and s != (other.truth.location, other.truth.side)
    )
    assert np.array_equal(kept[untouched].ink, before[untouched].ink)


def test_a_card_that_is_no_key_gets_no_name_not_even_the_last_that_is_free() -> None:
    files = taught_whole().files()
    profile = CardProfile.from_files(files)
    last = next(face for face in profile.faces if face.side is Side.BACK)
    others = tuple(face for face in profile.faces if face is not last)
    wizard = Wizard(FACTS, earlier=replace(profile, faces=others), begun=Begun.from_files(files))
    card = np.full((720, 1280, 3), (60, 50, 40), np.uint8)
    cv2.rectangle(card, (500, 150), (742, 524), (215, 228, 232), -1)
    for row in range(190, 500, 24):
        cv2.putText(card, "no key of ours", (520, row), 0, 0.8, (30, 30, 30), 2, cv2.LINE_AA)
    grain = np.random.default_rng(3).normal(0, 3, card.shape)
    card = np.clip(card + grain, 0, 255).astype(np.uint8)
    told = Player(wizard).lays(card, frames=5 + 3 * LOOKS)
    assert all((last.location, last.side) not in progress.taught for progress in told)


def test_a_known_key_cut_out_askew_does_not_get_the_last_free_name() -> None:
    files = taught_whole().files()
    profile = CardProfile.from_files(files)
    free = next(f for f in profile.faces if f.side is Side.BACK)
    others = tuple(f for f in profile.faces if f is not free)
    wizard = Wizard(FACTS, earlier=replace(profile, faces=others), begun=Begun.from_files(files))
    for shot in [s for s in shots() if s.truth.side is Side.BACK]:
        if shot.truth.location is free.location:
            continue
        corners = np.array(shot.truth.corners, np.float32)
        askew = corners + np.array([[0, 0], [0, 45], [0, 45], [0, 0]], np.float32)
        push = cv2.getPerspectiveTransform(corners, askew)
        table = np.median(shot.picture_bgr[::9, ::9].reshape(-1, 3), axis=0)
        pushed = cv2.warpPerspective(
            shot.picture_bgr, push, (1280, 720), borderValue=tuple(float(v) for v in table)
        )
        told = Player(wizard).lays(np.asarray(pushed, np.uint8), frames=5 + 2 * LOOKS)
        assert all((free.location, free.side) not in progress.taught for progress in told)


def test_sides_that_were_learnt_badly_are_taken_back_and_asked_for_again() -> None:
    files = taught_whole().files()
    wizard = Wizard(FACTS, earlier=CardProfile.from_files(files), begun=Begun.from_files(files))
    assert wizard.progress.step is Step.DONE
    bad = {(Location.CORNHILL, Side.FRONT), (Location.ST_PAULS, Side.BACK)}
    told = wizard.take_back(bad)
    assert told.step is Step.WAITING
    assert told.missing == bad
    assert wizard.lesson.missing != ()
    player = Player(wizard)
    for location, side in bad:
        player.lays(shot_of(location, side).picture_bgr)
    assert wizard.progress.step is Step.DONE
