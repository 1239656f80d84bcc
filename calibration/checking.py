"""Is a profile fit to read with? What is wrong with it, in words.

A profile can be whole and yet bad: learnt from blurred pictures, or with two keys' names changed
(a wrong answer to the wizard, a file edited by hand). What it holds is checked against what is
printed: each face's own ink must show its key's hole, and a front its key's row of icons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from assistant.core.terms import Feature, Location
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.ink import Grey
from assistant.vision.profile import FACE_PX_PER_MM, CardProfile, Face
from assistant.vision.sighting import Side
from calibration.conditions import step_width_mm
from calibration.keyhole import HOLE_PX_PER_MM, outline_scores
from calibration.learning import icons_of
from calibration.naming import PrintedFacts, icon_scores
from calibration.prints import as_ink, fingerprint

#: Learnt print whose steps are wider than this is blurred. Both editions' and the practice deck's
#: show 0.5 to 0.63 mm, the same decks under a Gaussian of 0.5 mm 1.2 and more.
WIDEST_STEP_MM = 0.9
#: Another key's hole must show so clearly, and so much clearer than its own, for a name to be
#: wrong; so must another key's row of icons.
OTHER_OUTLINE = 0.6
OTHER_LEAD = 0.2
OTHER_ICONS_LEAD = 0.25
#: Two faces of one side whose coarse prints correlate by this much are the same card.
ALIKE = 0.9


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a profile, in sentences.

    `bad`: it must not be read with. `lacking`: it can be, but not everything can be read.
    """

    bad: tuple[str, ...]
    lacking: tuple[str, ...]


def verdict_on(profile: CardProfile, facts: Mapping[str, Any]) -> Verdict:
    """Return what is wrong with a profile, given the measured facts of the keys."""
    holes, printed = keyholes_from_facts(facts), PrintedFacts.from_facts(facts)
    bad = []
    for face in profile.faces:
        name = _name(face)
        paper = _paper(face)
        if step_width_mm(paper, FACE_PX_PER_MM) > WIDEST_STEP_MM:
            bad.append(f"{name} was learnt from blurred pictures; show it again.")
            continue
        size = (
            round(paper.shape[1] * HOLE_PX_PER_MM / FACE_PX_PER_MM),
            round(paper.shape[0] * HOLE_PX_PER_MM / FACE_PX_PER_MM),
        )
        large = np.asarray(cv2.resize(paper, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        outlines = {
            place: found.score for place, found in outline_scores(large, holes, face.side).items()
        }
        other = _better(outlines, face.location, OTHER_LEAD)
        if other is not None and outlines[other] >= OTHER_OUTLINE:
            bad.append(f"{name} has its keyhole where {other.value} has it; show both again.")
        elif face.side is Side.FRONT:
            rows = icon_scores(as_ink(face.ink), printed)
            other = _better(rows, face.location, OTHER_ICONS_LEAD)
            if other is not None and rows[face.location] < 0.5:
                bad.append(f"{name} has the icons of {other.value}; show both again.")
    return Verdict((*bad, *_twins(profile.faces)), tuple(_lacking(profile)))


def _better(scores: Mapping[Location, float], mine: Location, lead: float) -> Location | None:
    """Return the key that fits better than a face's own by so much, if one does."""
    best = max(scores, key=lambda place: scores[place])
    return best if scores[best] > scores[mine] + lead else None


def _twins(faces: Sequence[Face]) -> list[str]:
    """Return a sentence for each two faces that show the same card."""
    prints = [fingerprint(as_ink(face.ink)) for face in faces]
    return [
        f"{_name(face)} and {_name(faces[other])} show the same card; show both again."
        for number, face in enumerate(faces)
        for other in range(number)
        if face.side is faces[other].side and float(np.dot(prints[number], prints[other])) > ALIKE
    ]


def _lacking(profile: CardProfile) -> list[str]:
    told = [
        f"The {side.value} of {place.value} was not shown."
        for side in (Side.BACK, Side.FRONT)
        for place in Location
        if profile.face(place, side) is None
    ]
    known = icons_of(profile.glyphs)
    return told + [
        f"The {feature.value} icon was not seen on any front."
        for feature in Feature
        if feature not in known
    ]


def _name(face: Face) -> str:
    return f"The {face.side.value} of {face.location.value}"


def _paper(face: Face) -> Grey:
    """Return a face's ink as dark print on white."""
    return np.asarray(255 - face.ink, np.uint8)
