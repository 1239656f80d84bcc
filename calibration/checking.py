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
from assistant.vision.geometry import Keyhole, keyholes_from_facts
from assistant.vision.keyhole_places import HOLE_PX_PER_MM, outline_scores
from assistant.vision.printed import PrintedFacts
from assistant.vision.profile import FACE_PX_PER_MM, CardProfile, Face
from assistant.vision.sighting import Side
from calibration.conditions import step_width_mm
from calibration.learning import icons_of
from calibration.naming import icon_scores
from calibration.prints import as_ink, fingerprint

#: Learnt print whose steps are wider than this is blurred. Both editions' and the practice deck's
#: show 0.5 to 0.63 mm, the same decks under a Gaussian of 0.5 mm 1.2 and more.
WIDEST_STEP_MM = 0.9
#: Another key's hole must show so clearly, and so much clearer than its own, for a name to be
#: wrong; so must another key's row of icons.
OTHER_OUTLINE = 0.6
OTHER_LEAD = 0.2
OTHER_ICONS_LEAD = 0.25
#: A row of icons that fits its own key by so much is its key's, whatever else it fits.
LEAST_ICONS = 0.5
#: Two faces of one side whose coarse prints correlate by this much are the same card.
ALIKE = 0.9


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a profile, in sentences.

    `bad`: it must not be read with; `blamed` are the faces to be shown again. `lacking`: it can
    be read with, but not everything can be read.
    """

    bad: tuple[str, ...]
    lacking: tuple[str, ...]
    blamed: frozenset[tuple[Location, Side]] = frozenset()


def verdict_on(profile: CardProfile, facts: Mapping[str, Any]) -> Verdict:
    """Return what is wrong with a profile, given the measured facts of the keys."""
    holes, printed = keyholes_from_facts(facts), PrintedFacts.from_facts(facts)
    faults: list[tuple[str, tuple[Face, ...]]] = [
        (fault, (face,))
        for face in profile.faces
        if (fault := _fault_of(face, holes, printed)) is not None
    ]
    faults += _twins(profile.faces)
    return Verdict(
        bad=tuple(fault for fault, _ in faults),
        lacking=tuple(_lacking(profile)),
        blamed=frozenset((face.location, face.side) for _, faces in faults for face in faces),
    )


def _fault_of(face: Face, holes: Mapping[Location, Keyhole], printed: PrintedFacts) -> str | None:
    """Return what is wrong with one face, as a sentence; None when nothing is."""
    paper = np.asarray(255 - face.ink, np.uint8)
    if step_width_mm(paper, FACE_PX_PER_MM) > WIDEST_STEP_MM:
        return f"{_name(face)} was learnt from blurred pictures; show it again."
    grown = HOLE_PX_PER_MM / FACE_PX_PER_MM
    size = round(paper.shape[1] * grown), round(paper.shape[0] * grown)
    large = np.asarray(cv2.resize(paper, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    found = outline_scores(large, holes, face.side)
    outlines = {place: hole.score for place, hole in found.items()}
    other = _better(outlines, face.location, OTHER_LEAD)
    if other is not None and outlines[other] >= OTHER_OUTLINE:
        return f"{_name(face)} has its keyhole where {other.value} has it; show both again."
    if face.side is Side.FRONT:
        rows = icon_scores(as_ink(face.ink), printed)
        other = _better(rows, face.location, OTHER_ICONS_LEAD)
        if other is not None and rows[face.location] < LEAST_ICONS:
            return f"{_name(face)} has the icons of {other.value}; show both again."
    return None


def _better(scores: Mapping[Location, float], mine: Location, lead: float) -> Location | None:
    """Return the key that fits better than a face's own by so much, if one does."""
    best = max(scores, key=lambda place: scores[place])
    return best if scores[best] > scores[mine] + lead else None


def _twins(faces: Sequence[Face]) -> list[tuple[str, tuple[Face, ...]]]:
    """Return a sentence for each two faces that show the same card, and the two."""
    prints = [fingerprint(as_ink(face.ink)) for face in faces]
    return [
        (f"{_name(face)} and {_name(other)} show the same card; show both again.", (face, other))
        for number, face in enumerate(faces)
        for earlier, other in enumerate(faces[:number])
        if face.side is other.side and float(np.dot(prints[number], prints[earlier])) > ALIKE
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
