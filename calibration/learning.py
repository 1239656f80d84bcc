"""Headless calibration: pictures of key fronts and backs in, a card profile out.

    shots -> cut out -> side and way up -> grouped by face -> laid over each other -> named

The pictures carry no labels and none are asked for. Shots of one face find each other by their
print; pooling them makes faint outlines plain. A face is named by naming.py; what cannot be named
surely is reported, to be shown again, never guessed. From the fronts come the icons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.core.terms import Feature, Location
from assistant.vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    Homography,
    Keyhole,
    keyholes_from_facts,
    rectify,
)
from assistant.vision.glyphs import (
    FRONT_MARGIN_MM,
    GLYPH_PX_PER_MM,
    built_in_glyphs,
    glyphs_from_fronts,
)
from assistant.vision.ink import Grey, Ink, grey_of, ink_of
from assistant.vision.profile import FACE_PX_PER_MM, FACE_SHAPE, CardProfile, Face
from assistant.vision.register import Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Picture, Side
from calibration.cut import find_card
from calibration.keyhole import HOLE_PX_PER_MM, header_end, mirrored, outline_scores
from calibration.naming import (
    ICONS_WEIGHT,
    WORDS_WEIGHT,
    PrintedFacts,
    Scores,
    assign,
    icon_scores,
    word_scores,
)

#: Reads printed words from a grey picture; returns "" where it cannot.
TextReader = Callable[[Grey], str]

#: Two shots may show one face when their coarse ink correlates by this much, and do when so much
#: of the one's print lies in the other (the same face: 0.85 and more; another: up to 0.68).
PERHAPS_SAME = 0.3
SAME_FACE = 0.77
GROUP_PX_PER_MM = 1.5
#: Scale at which words are read.
WORDS_PX_PER_MM = 10.0
#: Ink this near to the card's rim or to the keyhole is not learnt: cards are cut out of register.
RIM_MM = 1.5
HOLE_MARGIN_MM = 1.2

HALF_TURN = np.array([[-1.0, 0, CARD_WIDTH_MM], [0, -1.0, CARD_HEIGHT_MM], [0, 0, 1]])


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a set of shots taught.

    `notes` say in words what went wrong with which shot (numbered from 1, as they were given).
    """

    profile: CardProfile
    icons: frozenset[Feature]
    missing: tuple[tuple[Location, Side], ...]
    notes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether all backs and all icons are known: enough to read every stack."""
        return not any(side is Side.BACK for _, side in self.missing) and len(self.icons) == len(
            Feature
        )


@dataclass(frozen=True, slots=True)
class _Shot:
    number: int
    picture: Picture
    homography: Homography
    side: Side
    ink: Ink

    def turned(self) -> _Shot:
        ink = np.ascontiguousarray(self.ink[::-1, ::-1])
        return replace(self, homography=self.homography @ HALF_TURN, ink=ink)

    def straight(self, px_per_mm: float) -> Grey:
        size = CARD_WIDTH_MM, CARD_HEIGHT_MM
        return grey_of(rectify(self.picture, self.homography, (0.0, 0.0), size, px_per_mm))


def learn(
    shots: Sequence[Picture], facts: Mapping[str, Any], read_text: TextReader | None = None
) -> Lesson:
    """Return what pictures of key fronts and backs teach, in any order, any number of each.

    Args:
        shots: one card each, on a table that it stands out from.
        facts: the measured facts of the keys (the layout of assistant/data/keys.json).
        read_text: reads printed words, where there is such a program; keyholes and icons do
            without it.
    """
    notes: list[str] = []
    cut = []
    for number, picture in enumerate(shots, start=1):
        shot = _cut(number, picture)
        if shot is None:
            notes.append(f"picture {number}: no card stands out from the table")
        else:
            cut.append(shot)
    holes = keyholes_from_facts(facts)
    printed = PrintedFacts.from_facts(facts)
    faces: list[tuple[Face, list[_Shot]]] = []
    for side in Side:
        groups = _grouped([shot for shot in cut if shot.side is side])
        judged = [_way_up(group, side, holes, printed, read_text) for group in groups]
        for (group, _), location in zip(judged, assign([s for _, s in judged]), strict=True):
            if location is None:
                told = ", ".join(str(shot.number) for shot in group)
                notes.append(f"picture {told}: a key's {side.value}, but not clear which key")
            else:
                faces.append((_face(group, location, side, holes[location]), group))
    return _lesson(faces, facts, holes, notes)


def _cut(number: int, picture: Picture) -> _Shot | None:
    """Return the card of a shot, with its side known (and a front the right way up)."""
    homography = find_card(picture)
    if homography is None:
        return None
    size = CARD_WIDTH_MM, CARD_HEIGHT_MM
    seen = grey_of(rectify(picture, homography, (0.0, 0.0), size, HOLE_PX_PER_MM))
    end = header_end(seen)
    ink = ink_of(
        grey_of(rectify(picture, homography, (0.0, 0.0), size, FACE_PX_PER_MM)), FACE_PX_PER_MM
    )
    shot = _Shot(number, picture, homography, Side.FRONT if end else Side.BACK, ink)
    return shot.turned() if end == -1 else shot


def _grouped(shots: Sequence[_Shot]) -> list[list[_Shot]]:
    """Return the shots by face, each group turned one way, print laid exactly over print."""
    groups: list[tuple[Template, list[_Shot]]] = []
    prints: list[npt.NDArray[np.float32]] = []
    for shot in shots:
        ways = (shot,) if shot.side is Side.FRONT else (shot, shot.turned())
        alike = [
            (float(np.dot(_fingerprint(way.ink), other)), index, way)
            for way in ways
            for index, other in enumerate(prints)
        ]
        alike.sort(key=lambda entry: -entry[0])
        for score, index, way in alike[:3]:
            model, group = groups[index]
            laid = _laid_over(model, way) if score >= PERHAPS_SAME else None
            if laid is not None:
                group.append(laid)
                break
        else:
            model = Template(Face(Location.CORNHILL, shot.side, _bytes(shot.ink), _weight(None)))
            groups.append((model, [shot]))
            prints.append(_fingerprint(shot.ink))
    return [group for _, group in groups]


def _fingerprint(ink: Ink) -> npt.NDArray[np.float32]:
    """Return a face's print, coarse, of mean 0 and length 1."""
    rim = round(2.5 * FACE_PX_PER_MM)
    inner = cv2.GaussianBlur(ink, (0, 0), 0.5 * FACE_PX_PER_MM)[rim:-rim, rim:-rim]
    shrink = GROUP_PX_PER_MM / FACE_PX_PER_MM
    small = cv2.resize(inner, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).ravel()
    small = small - small.mean()
    return np.asarray(small / (np.linalg.norm(small) + 1e-6), np.float32)


def _laid_over(model: Template, shot: _Shot) -> _Shot | None:
    """Return a shot with its print laid exactly over a face's, or None when it is another face."""
    scene = Scene(shot.picture)
    exact = model.refine(scene, shot.homography)
    if exact is None or model.agreement(scene, exact).support < SAME_FACE:
        return None
    laid = replace(shot, homography=exact)
    return replace(laid, ink=ink_of(laid.straight(FACE_PX_PER_MM), FACE_PX_PER_MM))


def _way_up(
    group: list[_Shot],
    side: Side,
    holes: Mapping[Location, Keyhole],
    printed: PrintedFacts,
    read_text: TextReader | None,
) -> tuple[list[_Shot], Scores]:
    """Return a group the right way up, and how well it fits each key."""
    ways = [group] if side is Side.FRONT else [group, [shot.turned() for shot in group]]
    judged = [(way, _scores(way, side, holes, printed, read_text)) for way in ways]
    return max(judged, key=lambda entry: max(entry[1].values()))


def _scores(
    group: Sequence[_Shot],
    side: Side,
    holes: Mapping[Location, Keyhole],
    printed: PrintedFacts,
    read_text: TextReader | None,
) -> Scores:
    """Return how well a group, lying as it does, fits each key."""
    total = dict.fromkeys(Location, 0.0)
    for shot in group:
        found = outline_scores(shot.straight(HOLE_PX_PER_MM), holes, side)
        for location, hole in found.items():
            total[location] += hole.score / len(group)
    if side is Side.FRONT:
        ink = np.asarray(np.mean([shot.ink for shot in group], axis=0), np.float32)
        for location, score in icon_scores(ink, printed).items():
            total[location] += ICONS_WEIGHT * score
    if read_text is not None:
        sharpest = max(group, key=lambda shot: float(shot.ink.std()))
        words = printed.names if side is Side.FRONT else printed.back_words
        for location, score in word_scores(read_text(_words_of(sharpest)), words).items():
            total[location] += WORDS_WEIGHT * score
    return total


def _words_of(shot: _Shot) -> Grey:
    """Return the part of a card that holds its words, for reading."""
    straight = shot.straight(WORDS_PX_PER_MM)
    if shot.side is Side.FRONT:
        return np.ascontiguousarray(straight[: round(24.5 * WORDS_PX_PER_MM)])
    return straight


def _face(group: Sequence[_Shot], location: Location, side: Side, hole: Keyhole) -> Face:
    ink = np.asarray(np.mean([shot.ink for shot in group], axis=0), np.float32)
    seen = hole if side is Side.BACK else mirrored(hole)
    return Face(location, side, _bytes(ink), _weight(seen), len(group))


def _bytes(ink: Ink) -> npt.NDArray[np.uint8]:
    return np.asarray(np.clip(np.rint(ink * 255), 0, 255), np.uint8)


def _weight(hole: Keyhole | None) -> npt.NDArray[np.uint8]:
    """Return where a face's ink counts: all but the rim and the hole."""
    weight = np.zeros(FACE_SHAPE, np.uint8)
    rim = round(RIM_MM * FACE_PX_PER_MM)
    weight[rim:-rim, rim:-rim] = 255
    if hole is not None:
        margin = 2 * round(HOLE_MARGIN_MM * FACE_PX_PER_MM) + 1
        window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (margin, margin))
        weight[cv2.dilate(hole.mask(0.0, 0.0, FACE_SHAPE, FACE_PX_PER_MM), window) > 32] = 0
    return weight


def _lesson(
    faces: Sequence[tuple[Face, list[_Shot]]],
    facts: Mapping[str, Any],
    holes: Mapping[Location, Keyhole],
    notes: Sequence[str],
) -> Lesson:
    patches: dict[Feature, list[Grey]] = {}
    for face, group in faces:
        if face.side is Side.FRONT:
            for icon in facts["keys"][face.location.value]["icons"]:
                feature = Feature(icon["feature"])
                patches.setdefault(feature, []).extend(_icon(shot, icon) for shot in group)
    glyphs = glyphs_from_fronts(patches)
    known = {(face.location, face.side) for face, _ in faces}
    return Lesson(
        profile=CardProfile(tuple(face for face, _ in faces), holes, glyphs + built_in_glyphs()),
        icons=frozenset(g.content.feature for g in glyphs if g.content.feature is not None),
        missing=tuple(
            (location, side)
            for side in Side
            for location in Location
            if (location, side) not in known
        ),
        notes=tuple(notes),
    )


def _icon(shot: _Shot, icon: Mapping[str, Any]) -> Grey:
    """Return an icon's box on a front, with its margin, at GLYPH_PX_PER_MM."""
    (x, y), (width, height) = icon["centre_mm"], icon["size_mm"]
    left_top = x - width / 2 - FRONT_MARGIN_MM, y - height / 2 - FRONT_MARGIN_MM
    size = width + 2 * FRONT_MARGIN_MM, height + 2 * FRONT_MARGIN_MM
    return grey_of(rectify(shot.picture, shot.homography, left_top, size, GLYPH_PX_PER_MM))
