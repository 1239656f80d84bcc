"""The second try: a shot joins the named face that it shows, and no other."""

from __future__ import annotations

from functools import cache

import numpy as np

from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.profile import Face
from assistant.vision.register import Template
from assistant.vision.sighting import Side
from calibration.album import Album
from calibration.pile import Pile
from calibration.prints import face_from
from calibration.second_try import SecondTry
from calibration.shot import Shot, cut_shot
from tests.calibration.practice_shots import key_shots

HOLES = keyholes_from_facts(load_keys())


@cache
def cut_backs() -> tuple[tuple[Location, Shot], ...]:
    """Every clear shot of a back, the right way up: the practice keys are shown upright.

    Cut once for all tests: nothing changes a shot.
    """
    found = []
    for number, shot in enumerate(key_shots(1)):
        cut = cut_shot(number, shot.picture_bgr)
        location, corners = shot.truth.location, shot.truth.corners
        if cut is None or location is None or corners is None or cut.side is not Side.BACK:
            continue
        if shot.truth.side is Side.BACK:
            upright = cut.homography @ (0.0, 0.0, 1.0)
            away = cut.homography @ (44.0, 68.0, 1.0)
            is_turned = upright[1] / upright[2] > away[1] / away[2]
            found.append((location, cut.turned() if is_turned else cut))
    return tuple(found)


def named(location: Location, shot: Shot) -> tuple[Pile, Face]:
    face = face_from([shot], location, HOLES)
    return Pile(Side.BACK, Template(face), face, location=location, is_fixed=True), face


def test_a_shot_joins_its_own_face_either_way_up_and_no_other() -> None:
    shots = cut_backs()
    faces = {location: named(location, shot) for location, shot in reversed(shots)}
    joined = 0
    for location, shot in shots:
        for way in (shot, shot.turned()):
            own = SecondTry().face_of(way, [faces[location]])
            joined += own is not None
            others = [entry for place, entry in faces.items() if place is not location]
            assert SecondTry().face_of(way, others) is None, location
    assert joined >= 2 * len(shots) - 4


def test_the_shot_is_laid_over_the_face_that_it_joins() -> None:
    shots = cut_backs()
    location, shot = shots[0]
    pile, face = named(location, shot)
    found = SecondTry().face_of(shot.turned(), [(pile, face)])
    assert found is not None
    corner_mm = np.array([10.0, 20.0, 1.0])
    before, after = shot.homography @ corner_mm, found[1].homography @ corner_mm
    apart_px = before[:2] / before[2] - after[:2] / after[2]
    assert float(np.hypot(*apart_px)) < 1.5


def test_what_was_tried_in_vain_is_not_tried_again() -> None:
    (one, shot), (other, another) = cut_backs()[0], cut_backs()[1]
    assert one is not other
    second = SecondTry()
    entry = named(other, another)
    assert second.face_of(shot, [entry]) is None
    assert second.face_of(shot, [(entry[0], named(one, shot)[1])]) is not None
    assert second.face_of(shot, [(entry[0], named(one, shot)[1])]) is None


def test_a_face_that_was_learnt_anew_is_matched_as_it_is_now() -> None:
    (one, shot), (other, another) = cut_backs()[0], cut_backs()[1]
    second = SecondTry()
    pile, right = named(one, shot)
    # Another card's print under this key's name, of as many shots: taught wrongly, then put right.
    wrong = face_from([another], one, HOLES)
    assert (wrong.location, wrong.shots) == (right.location, right.shots)
    assert other is not one
    assert second.face_of(another, [(Pile(Side.BACK, Template(wrong), wrong), wrong)]) is not None
    assert second.face_of(shot, [(pile, right)]) is not None


def test_what_was_tried_in_vain_is_tried_again_once_the_face_is_forgotten() -> None:
    (one, shot), (_, another) = cut_backs()[0], cut_backs()[1]
    second = SecondTry()
    pile, right = named(one, shot)
    wrong = face_from([another], one, HOLES)
    assert second.face_of(shot, [(pile, wrong)]) is None
    assert second.face_of(shot, [(pile, right)]) is None
    second.forget(one, Side.FRONT)
    assert second.face_of(shot, [(pile, right)]) is None
    second.forget(one, Side.BACK)
    assert second.face_of(shot, [(pile, right)]) is not None


def test_an_album_that_forgets_a_side_forgets_what_was_tried_at_it() -> None:
    album = Album(load_keys())
    sides = {(Location.CORNHILL, Side.BACK), (Location.CORNHILL, Side.FRONT)}
    tried = {(7, location, side) for location, side in sides}
    album._second._in_vain |= tried
    album.forget(frozenset({(Location.CORNHILL, Side.BACK)}))
    assert album._second._in_vain == {(7, Location.CORNHILL, Side.FRONT)}
