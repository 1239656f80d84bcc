"""The landmark on a stealth card: practice decks with one landmark on all cards, printed cards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.core.terms import Feature, Location
from assistant.data import load_board, load_keys
from assistant.practice.deck import PracticeDeck, StealthCard
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Negative
from assistant.vision.geometry import card_to_picture, rectify
from assistant.vision.glyphs import FRONT_MARGIN_MM, GLYPH_PX_PER_MM, Glyph, glyphs_from_fronts
from assistant.vision.ink import Grey, grey_of
from assistant.vision.sighting import Picture
from assistant.vision.stealth_card import StealthReader, SymbolSettler, SymbolSighting
from tests.assistant.vision.practice_profile import practice_profile
from tests.printed_game import PRINTED_GAME, needs_printed_game

#: Cards with their landmark up that lie about in pictures of other things, told by looking.
BESIDE = {
    "life/hard/0000.jpg": Feature.RURAL,
    "life/normal/0017.jpg": Feature.RURAL,
    "life/normal/0008.jpg": Feature.TAVERN,
    "life/hard/0014.jpg": Feature.RIVERSIDE,
    "life/normal/0007.jpg": Feature.RESIDENCE,
    "life/hard/0020.jpg": Feature.TAVERN,
}

#: The cards that are the subject of their picture, told by looking; None where a hand or the
#: picture's edge cuts the frame.
SHOWN = {
    "hard/0007.jpg": Feature.COMMERCIAL,
    "hard/0011.jpg": None,
    "hard/0019.jpg": Feature.RIVERSIDE,
    "life/easy/0007.jpg": Feature.RIVERSIDE,
    "life/normal/0019.jpg": None,
    "life/hard/0007.jpg": Feature.COMMERCIAL,
    "life/hard/0027.jpg": Feature.COMMERCIAL,  # the one beside it; the tankard's frame is cut
}


@pytest.fixture(scope="module")
def reader() -> StealthReader:
    return StealthReader(practice_profile().glyphs)


def table_of(feature: Feature, seed: int = 1) -> VirtualTable:
    """Return a table on which every stealth card has the same landmark."""
    deck = PracticeDeck(load_board(), seed)
    deck.stealth = {place: StealthCard(place, feature, "ABCDEFGH") for place in Location}
    return VirtualTable(deck, seed)


def shown(feature: Feature, number: int, hardness: Hardness = Hardness.EASY) -> Picture:
    shot = table_of(feature).still(number, hardness, negative=Negative.STEALTH_BACK)
    return shot.picture_bgr


@pytest.mark.parametrize("feature", list(Feature))
def test_each_landmark_is_read_and_none_for_another(
    reader: StealthReader, feature: Feature
) -> None:
    read = [reader.look(shown(feature, n, h)) for n in range(2) for h in Hardness]
    assert {seen.feature for seen in read if seen is not None} == {feature}
    assert sum(seen is not None for seen in read) >= 4


def test_a_card_is_read_the_other_way_up_too(reader: StealthReader) -> None:
    picture = shown(Feature.TAVERN, 1)
    turned = np.ascontiguousarray(picture[::-1, ::-1])
    for seen in (reader.look(picture), reader.look(turned)):
        assert seen is not None
        assert seen.feature is Feature.TAVERN


def test_a_mirrored_landmark_that_is_nobodys_is_not_read(reader: StealthReader) -> None:
    # The commercial drawing leans to one side; its mirror picture is none of the seven.
    seen = reader.look(np.ascontiguousarray(shown(Feature.COMMERCIAL, 1)[:, ::-1]))
    assert seen is None or seen.feature is Feature.COMMERCIAL


@pytest.mark.parametrize("other", [n for n in Negative if n is not Negative.STEALTH_BACK])
def test_other_cards_fog_hands_and_the_bare_table_give_nothing(
    reader: StealthReader, other: Negative
) -> None:
    # Whatever stealth card lies beside them has the playhouse up.
    table = table_of(Feature.PLAYHOUSE, seed=9)
    for number in range(2):
        for hardness in (Hardness.EASY, Hardness.HARD):
            seen = reader.look(table.still(number, hardness, negative=other).picture_bgr)
            assert seen is None or seen.feature is Feature.PLAYHOUSE


def test_two_cards_with_different_landmarks_are_not_told(reader: StealthReader) -> None:
    left, right = shown(Feature.CHURCH, 0), shown(Feature.RURAL, 0)
    both = np.hstack([left, right])
    assert {s.feature for s in reader.candidates(both)} >= {Feature.CHURCH, Feature.RURAL}
    assert reader.look(both) is None


def test_a_hand_over_the_landmark_hides_it(reader: StealthReader) -> None:
    picture = shown(Feature.RESIDENCE, 2)
    seen = reader.look(picture)
    assert seen is not None
    x, y = np.mean(seen.corners, axis=0)
    reach = abs(seen.corners[1][0] - seen.corners[0][0]) + abs(
        seen.corners[1][1] - seen.corners[0][1]
    )
    covered = picture.copy()
    cv2.ellipse(covered, (round(x), round(y)), (round(reach / 3), round(reach / 5)), 30, 0, 360,
                (96, 128, 178), -1)  # fmt: skip
    assert reader.look(covered) is None


def test_half_a_landmark_is_not_read(reader: StealthReader) -> None:
    picture = shown(Feature.RIVERSIDE, 2)
    seen = reader.look(picture)
    assert seen is not None
    corners = np.array(seen.corners)
    along, across = (corners[3] - corners[0]) / 58, (corners[1] - corners[0]) / 34
    middle = corners.mean(axis=0) + along
    half = [middle - 10 * across, middle + 10 * across,
            middle + 10 * across + 14 * along, middle - 10 * across + 14 * along]  # fmt: skip
    x, y = (corners[0] + 8 * along + 8 * across).astype(int)
    paper = [int(value) for value in picture[y, x]]
    cv2.fillPoly(picture, [np.array(half, np.int32)], paper)
    assert next(reader.candidates(picture)).feature is Feature.RIVERSIDE
    assert reader.look(picture) is None


def test_where_two_icons_look_alike_neither_is_told() -> None:
    icons = {g.content.feature: g for g in practice_profile().glyphs if g.content.feature}
    icons[Feature.CHURCH] = replace(icons[Feature.CHURCH], ink=icons[Feature.TAVERN].ink)
    reader = StealthReader(list(icons.values()))
    assert reader.look(shown(Feature.TAVERN, 1)) is None
    assert reader.look(shown(Feature.RURAL, 1)) is not None


def test_too_small_a_card_and_an_odd_picture_give_nothing(reader: StealthReader) -> None:
    small = cv2.resize(shown(Feature.CHURCH, 0), (64, 36), interpolation=cv2.INTER_AREA)
    assert reader.look(np.asarray(small, np.uint8)) is None
    for picture in (np.zeros((1, 1, 3), np.uint8), np.full((720, 1280, 3), 255, np.uint8)):
        assert reader.look(picture) is None


def test_without_all_seven_icons_nothing_is_read() -> None:
    glyphs: Sequence[Glyph] = [g for g in practice_profile().glyphs
                               if g.content.feature is not Feature.RIVERSIDE]  # fmt: skip
    reader = StealthReader(glyphs)
    assert not reader.is_ready
    assert reader.look(shown(Feature.TAVERN, 1)) is None


def told(*looks: tuple[Feature, float] | None) -> list[Feature]:
    """Return what is told after looks at (landmark, mm to the right), 4 px a mm."""
    settler = SymbolSettler()
    found = []
    for look in looks:
        seen = None
        if look is not None:
            feature, x = look[0], look[1] * 4
            corners = ((x, 0.0), (x + 136, 0.0), (x + 136, 232.0), (x, 232.0))
            seen = SymbolSighting(feature, 0.9, 0.3, corners)
        found.append(settler.add(seen))
    return [feature for feature in found if feature is not None]


C, T = (Feature.CHURCH, 0.0), (Feature.TAVERN, 0.0)


def test_a_landmark_is_told_once_when_it_held_for_three_looks() -> None:
    assert told(None, C, C) == []
    assert told(None, C, C, C, C, C, C) == [Feature.CHURCH]
    assert told(None, C, T, C, T, C, T) == []
    assert told(None, C, C, None, C, C, None) == []


def test_the_card_that_lay_there_before_is_not_told_also_after_a_hand_reached_across() -> None:
    assert told(C, C, C, C, C) == []
    assert told(C, C, C, None, None, None, C, C, C) == []
    assert told(C, C, None, *[(Feature.CHURCH, 1.0)] * 3) == []
    assert told(C, C, None, *[(Feature.CHURCH, 9.0)] * 3) == [Feature.CHURCH]
    assert told(C, C, C, T, T, T) == [Feature.TAVERN]


def test_another_card_after_one_that_was_told_is_told_too() -> None:
    assert told(None, C, C, C, T, T, T) == [Feature.CHURCH, Feature.TAVERN]


def printed_glyphs(name: str) -> Sequence[Glyph]:
    """Return the icons of the printed fronts, cut out by their true corners."""
    folder = PRINTED_GAME / name
    icons: dict[Feature, list[Grey]] = {}
    for shot in json.loads((folder / "calibration.json").read_text()):
        if shot["side"] != "front":
            continue
        picture = picture_of(folder / "calibration" / shot["file"])
        pose = card_to_picture(shot["corners"])
        for icon in load_keys()["keys"][shot["key"]]["icons"]:
            (x, y), (wide, high) = icon["centre_mm"], icon["size_mm"]
            corner = (x - wide / 2 - FRONT_MARGIN_MM, y - high / 2 - FRONT_MARGIN_MM)
            size = (wide + 2 * FRONT_MARGIN_MM, high + 2 * FRONT_MARGIN_MM)
            patch = grey_of(rectify(picture, pose, corner, size, GLYPH_PX_PER_MM))
            icons.setdefault(Feature(icon["feature"]), []).append(patch)
    return glyphs_from_fronts(icons)


def picture_of(path: Path) -> Picture:
    found = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return np.asarray(found, np.uint8)


@needs_printed_game
@pytest.mark.parametrize("edition", ["", "life"])
def test_printed_landmarks_are_read_and_nothing_else(edition: str) -> None:
    reader = StealthReader(printed_glyphs(edition))
    names = {**BESIDE, **SHOWN}
    for level in ("easy", "normal", "hard"):
        for path in sorted((PRINTED_GAME / edition / level).glob("*.jpg")):
            name = "/".join(part for part in (edition, level, path.name) if part)
            seen = reader.look(picture_of(path))
            assert (None if seen is None else seen.feature) is names.get(name), name
