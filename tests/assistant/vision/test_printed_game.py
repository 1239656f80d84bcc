"""The printed game, as a webcam sends it, where such pictures lie beside the project.

They are the publisher's art and never enter the repo. Truth comes with them; calibration is from
the set's own shots, which carry no labels.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant.data import load_keys
from assistant.vision.geometry import card_to_picture
from assistant.vision.reader import Reader
from assistant.vision.scene import scale_of
from assistant.vision.settling import Settled, Settler
from assistant.vision.sighting import Picture, Sighting
from calibration.learning import learn
from tests.printed_game import PRINTED_GAME, needs_printed_game

pytestmark = needs_printed_game

#: Least share of the stacks to read right: what was seen, less one stack. Wrong is never allowed.
FLOORS = {
    "easy": 1.0,
    "normal": 0.93,
    "hard": 0.77,
    "life/easy": 1.0,
    "life/normal": 0.95,
    "life/hard": 0.75,
}


@dataclass
class Score:
    """What came of one set of stills."""

    stacks: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    off_mm: list[float] = field(default_factory=list)


def picture_at(path: Path) -> Picture:
    seen = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None, path
    return np.asarray(seen, np.uint8)


@lru_cache(maxsize=2)
def reader_of(edition: str) -> Reader:
    folder = PRINTED_GAME / edition / "calibration"
    shots = [picture_at(path) for path in sorted(folder.glob("*.jpg"))]
    lesson = learn(shots, load_keys())
    assert lesson.complete, lesson.missing
    return Reader(lesson.profile)


def edition_of(kind: str) -> str:
    return "life" if kind.startswith("life") else ""


def claimed(sighting: Sighting) -> str | None:
    content = sighting.content
    return None if content is None else content.value or content.kind.value


def scored(kind: str) -> Score:
    reader, score = reader_of(edition_of(kind)), Score()
    for entry in json.loads((PRINTED_GAME / kind / "truth.json").read_text("utf-8")):
        sighting = reader.read_still(picture_at(PRINTED_GAME / kind / entry["file"]))
        told = claimed(sighting)
        key = sighting.location.value if sighting.location else None
        if entry["kind"] == "negative":
            if told is not None:
                score.wrong.append(f"{entry['file']}: {entry['negative']} read as {key} {told}")
            continue
        score.stacks += 1
        if told is None:
            continue
        if (key, told) != (entry["key"], entry["value"]):
            score.wrong.append(f"{entry['file']}: {entry['key']} {entry['value']}, {key} {told}")
            continue
        score.right += 1
        assert sighting.corners is not None
        off_px = np.linalg.norm(np.subtract(sighting.corners, entry["corners"]), axis=1).max()
        score.off_mm.append(float(off_px) / scale(entry))
    return score


def scale(entry: dict[str, Any]) -> float:
    (a, b, c, d) = entry["corners"]
    return scale_of(card_to_picture(((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))))


@pytest.mark.parametrize("kind", list(FLOORS))
def test_stacks_are_read_right_and_nothing_is_read_wrong(kind: str) -> None:
    score = scored(kind)
    assert score.wrong == []
    assert score.right / score.stacks >= FLOORS[kind], score
    # Print and cut are out of register by about a millimetre in the second edition.
    assert float(np.median(score.off_mm)) < 1.5


@pytest.mark.parametrize("edition", ["", "life"])
def test_each_laying_of_a_film_is_one_right_reading(edition: str) -> None:
    reader, settler = Reader(reader_of(edition).profile), Settler()
    film = cv2.VideoCapture(str(PRINTED_GAME / edition / "session.mp4"))
    truth = json.loads((PRINTED_GAME / edition / "session.json").read_text("utf-8"))
    readings: list[Settled] = []
    frame = 0
    while True:
        ok, seen = film.read()
        if not ok:
            break
        settled = settler.add(reader.look(np.asarray(seen, np.uint8)), frame, frame / truth["fps"])
        readings += [settled] if settled is not None else []
        frame += 1
    film.release()
    told = [(r.location.value, r.content.value or r.content.kind.value) for r in readings]
    assert told == [(stack["key"], stack["value"]) for stack in truth["stacks"]]
    for reading, stack in zip(readings, truth["stacks"], strict=True):
        assert stack["enters"] < reading.last_frame < stack["leaves"]
