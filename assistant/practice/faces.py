"""The sides of the practice cards, as marks in mm from the top left of the side seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from assistant.core.terms import Colour, Feature, Location
from assistant.data import load_board, load_keys
from assistant.practice.deck import FogCard, HiddenCard, RendezvousCard, StealthCard, YouthCard
from assistant.practice.ink import width_of
from assistant.practice.marks import (
    PAPER,
    Anchor,
    Fill,
    Mark,
    Points,
    Rgb,
    Stroke,
    Words,
    arc,
    box,
    circle,
    placed,
    rounded,
)
from assistant.practice.shapes import ICONS, LADY, ORNAMENT
from assistant.practice.sketches import sketch
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Keyhole, keyholes_from_facts

Face = tuple[Mark, ...]

#: Icons on a key's front, on a Fair Youth face, and the number's em on a Rendezvous face.
FRONT_ICON_MM = 9.0
YOUTH_ICON_MM = 7.0
NUMBER_EM_MM = 10.5

#: The Lady on a stealth card: her height, and her middle seen from the keyhole's circle (measured
#: on the printed cards).
LADY_HEIGHT_MM = 9.7
LADY_OFFSET_MM = (1.16, 0.81)

#: The coloured bands with letters at both ends of a stealth card's face.
_BAND_MM = 12.8

_LINE_MM = 4.7
_TEXT_EM_MM = 3.9
_ORNAMENT_MM = 15.0

_HEADERS: dict[Colour, Rgb] = {
    Colour.BLUE: (162, 166, 180),
    Colour.GREEN: (165, 176, 140),
    Colour.GREY: (172, 165, 154),
    Colour.PURPLE: (180, 160, 160),
    Colour.RED: (193, 157, 144),
}


@cache
def keyholes() -> dict[Location, Keyhole]:
    """Return the hole of every key, in mm on its back."""
    return keyholes_from_facts(load_keys())


def keyhole_outline(hole: Keyhole) -> Points:
    """Return a keyhole's outline on the key's back: where to cut."""
    half_top, half_bottom = hole.stem_width_top_mm / 2, hole.stem_width_bottom_mm / 2
    widens = (half_bottom - half_top) / (hole.bottom_mm - hole.centre_y_mm)
    # The stem, which widens from the circle's middle down, leaves the circle where its side,
    # x = half_top + widens * y, meets x * x + y * y = r * r.
    a, b, c = 1 + widens**2, half_top * widens, half_top**2 - hole.radius_mm**2
    y = (-b + math.sqrt(b * b - a * c)) / a
    leaves_deg = math.degrees(math.atan2(y, half_top + widens * y))
    return (
        *arc(
            hole.centre_x_mm, hole.centre_y_mm, hole.radius_mm, 180 - leaves_deg, 360 + leaves_deg
        ),
        (hole.centre_x_mm + half_bottom, hole.bottom_mm),
        (hole.centre_x_mm - half_bottom, hole.bottom_mm),
    )


def key_front(location: Location) -> Face:
    """Return a key's front: header, name, drawing, and the row of icons."""
    facts = load_keys()["keys"][location.value]
    header_mm = float(facts["header_height_mm"])
    lines = location.value.rsplit(" ", 1) if header_mm > 20 else [location.value]
    first = header_mm / 2 + 2.3 - (len(lines) - 1) * 3.7
    size = min(7.4, 7.4 * 38 / max(width_of(line, 7.4) for line in lines))
    names = [
        Words(line, CARD_WIDTH_MM / 2, first + k * 7.4, size, anchor=Anchor.MIDDLE)
        for k, line in enumerate(lines)
    ]
    icons = [
        mark
        for icon in facts["icons"]
        for mark in placed(ICONS[Feature(icon["feature"])], tuple(icon["centre_mm"]), FRONT_ICON_MM)
    ]
    band = Fill(box(0, 0, CARD_WIDTH_MM, header_mm), _HEADERS[load_board().colour(location)])
    return (band, *names, *sketch(location), *icons)


@cache
def key_back(location: Location) -> Face:
    """Return a key's back: a couplet laid round the keyhole, and the ornament above or below."""
    hole = keyholes()[location]
    lines: list[str] = load_keys()["keys"][location.value]["back_text"]
    for em in (_TEXT_EM_MM * 0.98**k for k in range(30)):
        laid = _laid_out(lines, hole, em)
        if laid is not None:
            words, ornament = laid
            return (*words, *placed(ORNAMENT, ornament, _ORNAMENT_MM))
    raise ValueError(f"the lines on {location.value}'s back do not fit round its keyhole")


def _laid_out(
    lines: Sequence[str], hole: Keyhole, em: float
) -> tuple[list[Words], tuple[float, float]] | None:
    """Return the words and the ornament's middle; None when this size leaves no room."""
    best: tuple[float, list[Words], tuple[float, float]] | None = None
    for top in (k * 0.5 for k in range(10, 90)):
        words = _set_from(top, lines, hole, em)
        if words is None:
            continue
        bottom = words[-1].baseline_mm + 1.2
        skipped = bottom - top - _LINE_MM * len(lines)
        for x, y in ((22.0, bottom + 5.0), (22.0, top - 4.6), (31.0, bottom + 5.0)):
            off = abs((min(top, y - 4) + max(bottom, y + 4)) / 2 - 34) + skipped
            fits = 6 < y < 62 and _clear(x - 8, x + 8, y - 4.2, y + 4.2, hole)
            if fits and (best is None or off < best[0]):
                best = (off, words, (x, y))
    return None if best is None else best[1:]


def _set_from(top: float, lines: Sequence[str], hole: Keyhole, em: float) -> list[Words] | None:
    words: list[Words] = []
    for k, line in enumerate(lines):
        x = None
        while x is None and top < 60:
            x = _place_of(line, top, 2.2 * (k % 2), hole, em)
            # No room beside the hole: the line goes on below it.
            top += 0.5 if x is None else 0.0
        if x is None:
            return None
        words.append(Words(line, x, top + 3.4, em))
        top += _LINE_MM
    return words


def _place_of(line: str, top: float, indent: float, hole: Keyhole, em: float) -> float | None:
    width = width_of(line, em)
    beside = hole.centre_x_mm + hole.radius_mm + 1.2
    if not _clear(3.2, 40.8, top, top + 4.4, hole) and hole.centre_x_mm < CARD_WIDTH_MM / 2:
        choices: tuple[float, ...] = (beside + indent, beside)
    else:
        choices = (3.2 + indent, 3.2, 2.6)
    for left in choices:
        if left + width <= 41.6 and _clear(left, left + width, top, top + 4.4, hole):
            return left
    return None


def _clear(left: float, right: float, top: float, bottom: float, hole: Keyhole) -> bool:
    beside = right < hole.centre_x_mm - hole.radius_mm - 1 or left > (
        hole.centre_x_mm + hole.radius_mm + 1
    )
    above = bottom < hole.centre_y_mm - hole.radius_mm - 0.6
    return beside or above or top > hole.bottom_mm + 0.6


def youth_back() -> Face:
    """Return the side that lies up before a Fair Youth card is asked; the same on all eleven."""
    petals = [(22 + 6 * x, 36 + 6 * y) for x, y in circle(0, 0, 1, steps=5)]
    return (
        Stroke(rounded(3, 3, 41, 65, 2), 0.5, closed=True),
        Words("The Fair Youth", 22, 16, 5.2, anchor=Anchor.MIDDLE),
        *(Fill(circle(x, y, 5.2)) for x, y in petals),
        *(Fill(circle(x, y, 3.2), PAPER) for x, y in petals),
        Fill(circle(22, 36, 3.4)),
        Fill(circle(22, 36, 1.8), PAPER),
    )


def youth_face(card: YouthCard) -> Face:
    """Return the side of a Fair Youth card that shows in keyholes: an icon at each place.

    The hideout's name stands above, where no key has its hole.
    """
    name = card.hideout.value
    size = min(5.4, 5.4 * 36 / width_of(name, 5.4))
    return (
        Words(name, 22, 10.5, size, anchor=Anchor.MIDDLE),
        *(
            mark
            for location, hole in keyholes().items()
            for mark in placed(
                ICONS[card.icons[location]], (hole.centre_x_mm, hole.centre_y_mm), YOUTH_ICON_MM
            )
        ),
    )


def rendezvous_back() -> Face:
    """Return the side that lies up before the rendezvous is sought: all seven features."""
    spots = ((11, 28), (22, 28), (33, 28), (7.5, 42), (17, 42), (27, 42), (36.5, 42))
    return (
        Stroke(rounded(3, 3, 41, 65, 2), 0.5, closed=True),
        Words("The Rendezvous", 22, 16, 5.0, anchor=Anchor.MIDDLE),
        *(
            mark
            for feature, spot in zip(Feature, spots, strict=True)
            for mark in placed(ICONS[feature], spot, 7.0)
        ),
    )


def rendezvous_face(card: RendezvousCard) -> Face:
    """Return the side of a Rendezvous card that shows in keyholes: a number at each place.

    The feature stands above, where no key has its hole.
    """
    # Lining figures of this face are 0.63 em high; their middle lies on the circle's.
    drop = 0.315 * NUMBER_EM_MM
    numbers = [
        Words(
            str(card.numbers[location]),
            hole.centre_x_mm,
            hole.centre_y_mm + drop,
            NUMBER_EM_MM,
            anchor=Anchor.MIDDLE,
        )
        for location, hole in keyholes().items()
    ]
    name = Words(card.feature.value, 17, 10.5, 5.4)
    return (*placed(ICONS[card.feature], (11, 8.5), 9.0), name, *numbers)


def stealth_face(card: StealthCard) -> Face:
    """Return the side of a stealth card that shows in keyholes: the Lady at one place."""
    hole = keyholes()[card.location]
    middle = hole.centre_x_mm + LADY_OFFSET_MM[0], hole.centre_y_mm + LADY_OFFSET_MM[1]
    columns = [(7.0 + 10.0 * k, letter) for k, letter in enumerate(card.letters[:4])]
    below = [(37.0 - 10.0 * k, letter) for k, letter in enumerate(card.letters[4:])]
    return (
        Fill(box(0, 0, CARD_WIDTH_MM, _BAND_MM), (178, 166, 180)),
        Fill(box(0, CARD_HEIGHT_MM - _BAND_MM, CARD_WIDTH_MM, CARD_HEIGHT_MM), (196, 184, 132)),
        *(Words(letter, x, 8.6, 6, anchor=Anchor.MIDDLE) for x, letter in columns),
        *(
            Words(letter, x, CARD_HEIGHT_MM - 8.6, 6, anchor=Anchor.MIDDLE, turned=True)
            for x, letter in below
        ),
        *placed(LADY, middle, LADY_HEIGHT_MM),
    )


def stealth_back(card: StealthCard) -> Face:
    """Return the side of a stealth card that lies up in its deck: a framed landmark."""
    return (
        Stroke(rounded(4, 4, 40, 64, 1.2), 0.6, closed=True),
        *placed(ICONS[card.symbol], (22, 34), 14),
    )


def fog(card: FogCard) -> Face:
    """Return either side of a fog card: a bank of fog."""
    del card
    puffs = ((14, 38, 6), (21, 32, 7.5), (29, 35, 6.5), (33, 40, 4.5), (10, 41, 4.5), (22, 40, 7))
    return (
        Stroke(rounded(4, 4, 40, 64, 1.2), 0.6, closed=True),
        *(Fill(circle(x, y, radius), (70, 70, 74)) for x, y, radius in puffs),
        *(Stroke(((9, y), (18, y - 0.8), (27, y + 0.8), (35, y)), 0.9) for y in (49.0, 52.5)),
        Words("fog", 22, 39.5, 6, PAPER, Anchor.MIDDLE),
    )


def face_of(card: HiddenCard) -> Face:
    """Return the side of a card that shows in keyholes."""
    if isinstance(card, YouthCard):
        return youth_face(card)
    if isinstance(card, RendezvousCard):
        return rendezvous_face(card)
    return stealth_face(card)
