"""The album's names: what the player says stands, and takes the name from whatever had it."""

from __future__ import annotations

from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.vision.sighting import Side
from calibration.album import Album
from tests.assistant.vision.practice_profile import practice_profile


def test_a_pile_that_is_named_by_hand_takes_the_name_from_the_pile_that_had_it() -> None:
    faces = [face for face in practice_profile().faces if face.side is Side.FRONT][:2]
    album = Album(load_keys(), known=faces)
    one, other = album.piles
    wanted = faces[1].location
    assert (one.location, other.location) == (faces[0].location, wanted)
    tried = {(7, wanted, Side.FRONT), (7, Location.SOUTHWARK, Side.FRONT)}
    album._second._in_vain |= tried
    album.fix(one, wanted)
    assert (one.location, one.is_fixed) == (wanted, True)
    assert (other.location, other.is_fixed) == (None, False)
    # Its face is another now, so that what did not show the old one is tried at it again.
    assert album._second._in_vain == {(7, Location.SOUTHWARK, Side.FRONT)}


def test_a_front_s_name_leaves_the_back_of_that_key_alone() -> None:
    faces = practice_profile().faces
    front = next(face for face in faces if face.side is Side.FRONT)
    back = next(
        face for face in faces if face.side is Side.BACK and face.location is not front.location
    )
    album = Album(load_keys(), known=[front, back])
    album.fix(album.piles[0], back.location)
    assert (album.piles[1].location, album.piles[1].is_fixed) == (back.location, True)
