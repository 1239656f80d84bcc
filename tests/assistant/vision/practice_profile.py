"""A card profile of the practice deck whose faces are cut out by their true corners.

The table knows where each card lies, so no code under test has a say in this profile.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from assistant.core.terms import Feature, Location
from assistant.data import load_board, load_keys
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Shot, Showing
from assistant.vision.geometry import card_to_picture, keyholes_from_facts, rectify
from assistant.vision.glyphs import (
    FRONT_MARGIN_MM,
    GLYPH_PX_PER_MM,
    built_in_glyphs,
    glyphs_from_fronts,
)
from assistant.vision.ink import Grey, Ink, grey_of, ink_of
from assistant.vision.profile import FACE_PX_PER_MM, FACE_SHAPE, CardProfile, Face
from assistant.vision.sighting import Side

RIM_PX = 6
HOLE_MARGIN_PX = 11


@lru_cache(maxsize=1)
def practice_table() -> VirtualTable:
    """Return the table that all tests of reading film."""
    return VirtualTable(PracticeDeck(load_board(), seed=1), seed=7)


@lru_cache(maxsize=1)
def easy_stacks() -> tuple[Shot, ...]:
    """Return easy stills of stacks, with an icon in the hole: ten of the eleven keys are there."""
    return tuple(
        practice_table().still(number, Hardness.EASY, showing=Showing.ICON) for number in range(16)
    )


@lru_cache(maxsize=1)
def practice_profile() -> CardProfile:
    """Return the practice deck's profile, from 22 calibration shots and their true corners."""
    facts = load_keys()
    holes = keyholes_from_facts(facts)
    inks: dict[tuple[Location, Side], list[Ink]] = {}
    icons: dict[Feature, list[Grey]] = {}
    for shot in practice_table().calibration_shots(seed=1, count=22):
        location, side = shot.truth.location, shot.truth.side
        assert location is not None
        assert side is not None
        inks.setdefault((location, side), []).append(_ink(shot))
        if side is Side.FRONT:
            for icon in facts["keys"][location.value]["icons"]:
                icons.setdefault(Feature(icon["feature"]), []).append(_icon(shot, icon))
    faces = []
    for (location, side), seen in inks.items():
        weight = np.zeros(FACE_SHAPE, np.uint8)
        weight[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = 255
        hole = holes[location].mask(0.0, 0.0, FACE_SHAPE, FACE_PX_PER_MM)
        hole = hole if side is Side.BACK else np.ascontiguousarray(hole[:, ::-1])
        weight[cv2.dilate(hole, np.ones((HOLE_MARGIN_PX, HOLE_MARGIN_PX))) > 32] = 0
        ink = np.asarray(np.rint(np.mean(seen, axis=0) * 255), np.uint8)
        faces.append(Face(location, side, ink, weight, len(seen)))
    return CardProfile(tuple(faces), holes, glyphs_from_fronts(icons) + built_in_glyphs())


def _ink(shot: Shot) -> Ink:
    assert shot.truth.corners is not None
    pose = card_to_picture(shot.truth.corners)
    seen = rectify(shot.picture_bgr, pose, (0.0, 0.0), (44.0, 68.0), FACE_PX_PER_MM)
    return ink_of(grey_of(seen), FACE_PX_PER_MM)


def _icon(shot: Shot, icon: dict[str, list[float]]) -> Grey:
    assert shot.truth.corners is not None
    (x, y), (width, height) = icon["centre_mm"], icon["size_mm"]
    return grey_of(
        rectify(
            shot.picture_bgr,
            card_to_picture(shot.truth.corners),
            (x - width / 2 - FRONT_MARGIN_MM, y - height / 2 - FRONT_MARGIN_MM),
            (width + 2 * FRONT_MARGIN_MM, height + 2 * FRONT_MARGIN_MM),
            GLYPH_PX_PER_MM,
        )
    )
