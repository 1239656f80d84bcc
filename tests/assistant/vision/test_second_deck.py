"""Another copy of the game: the die sat elsewhere, its holes are wider, its digits of another face.

Drawn by the practice table with that cut and face, learnt from its own keys as a player would, and
read at the sizes of a small and of a large camera.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from assistant.core.terms import Location
from assistant.data import load_board, load_keys
from assistant.practice import faces, handling, stack
from assistant.practice.deck import PracticeDeck, RendezvousCard
from assistant.practice.faces import Face
from assistant.practice.marks import PAPER, Fill, Points
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Negative, Showing
from assistant.vision.geometry import Keyhole
from assistant.vision.reader import Reader
from calibration.learning import learn

#: The die of this copy sat so far off (x, y), mm, and its circle is so much wider.
OFF_MM = (0.6, -0.5)
WIDER_MM = 0.2
DIGIT_MM = 6.6
SIZES = [(640, 480), (1920, 1080)]


def other_cut() -> dict[Location, Keyhole]:
    return {
        place: replace(
            hole,
            centre_x_mm=hole.centre_x_mm + OFF_MM[0],
            centre_y_mm=hole.centre_y_mm + OFF_MM[1],
            radius_mm=hole.radius_mm + WIDER_MM,
            bottom_mm=hole.bottom_mm + OFF_MM[1],
        )
        for place, hole in faces.keyholes().items()
    }


def digit_outlines(number: int) -> list[tuple[Points, bool]]:
    """Return a digit of Pillow's own face as outlines in mm about its middle; True: a counter."""
    sheet = Image.new("L", (400, 400), 0)
    ImageDraw.Draw(sheet).text((80, 40), str(number), font=ImageFont.load_default(260), fill=255)
    left, top, right, bottom = sheet.getbbox() or (0, 0, 1, 1)
    drawn = (np.asarray(sheet) > 127).astype(np.uint8)
    found, tree = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    scale, middle = DIGIT_MM / (bottom - top), ((left + right) / 2, (top + bottom) / 2)
    outlines = []
    for outline, (_, _, _, parent) in zip(found, tree[0], strict=True):
        points = tuple(
            (float((x - middle[0]) * scale), float((y - middle[1]) * scale))
            for ((x, y),) in outline
        )
        outlines.append((points, parent >= 0))
    return sorted(outlines, key=lambda one: one[1])


def other_face(card: RendezvousCard) -> Face:
    return tuple(
        Fill(
            tuple((x + hole.centre_x_mm, y + hole.centre_y_mm) for x, y in points),
            **({"rgb": PAPER} if is_counter else {}),
        )
        for place, hole in faces.keyholes().items()
        for points, is_counter in digit_outlines(card.numbers[place])
    )


@dataclass(frozen=True)
class Copy:
    """The second copy's table, and a reader that has learnt it."""

    table: VirtualTable
    reader: Reader


@pytest.fixture(scope="module")
def copy() -> Iterator[Copy]:
    with pytest.MonkeyPatch.context() as patch:
        cut = other_cut()
        patch.setattr(stack, "keyholes", lambda: cut)
        patch.setattr(handling, "keyholes", lambda: cut)
        patch.setattr(faces, "rendezvous_face", other_face)
        table = VirtualTable(PracticeDeck(load_board(), seed=21), seed=22)
        shots = [shot.picture_bgr for shot in table.calibration_shots(seed=23, count=22)]
        lesson = learn(shots, load_keys())
        assert lesson.complete, lesson.notes
        yield Copy(table, Reader(lesson.profile))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("showing", [s for s in Showing if s is not Showing.NEGATIVE])
def test_another_copy_is_read_after_its_own_calibration_and_never_wrong(
    copy: Copy, size: tuple[int, int], showing: Showing
) -> None:
    right = 0
    for number in range(4):
        shot = copy.table.still(number, Hardness.EASY, size, showing)
        sighting = copy.reader.read_still(shot.picture_bgr)
        if sighting.content is not None:
            truth = shot.truth
            assert (sighting.location, sighting.content) == (truth.location, truth.content), number
            right += 1
    assert right >= 3


def test_another_copys_negatives_give_no_reading(copy: Copy) -> None:
    told = Counter[Negative]()
    for number, negative in enumerate(Negative):
        if negative is not Negative.OUT_OF_LINE:
            shot = copy.table.still(number, Hardness.EASY, SIZES[0], negative=negative)
            told[negative] += copy.reader.read_still(shot.picture_bgr).content is not None
    assert told.total() == 0, told
