"""What is in the hole of a key whose pose is known: an icon, a digit, the Lady, blank, or why not.

A wrong reading is worse than none, so every claim needs evidence of its own:

1. The hole is cut out straight and lit evenly, and its outline is looked for (`hole_patch`).
2. Is paper of the key's own tint in the hole, or a table, a finger, glare (`hole_evidence`)?
3. If there is ink, every glyph is laid over it (`glyph_bank`); the best must fit well in itself and
   leave clearly less unexplained than the best glyph of any other content.
4. If there is none, the hole is blank only when its outline is seen, its paper is the card's and
   not the table's, and ink would have shown (`blank_evidence`).
5. The outline must not be clearer upside down: a key turned by 180 degrees has another key's hole
   nearly where its own is, and 1, boat and blank look alike both ways up.

The thresholds stand between what was measured on the pictures of both editions, moved, blurred and
relit, and on false holes: other keys' places, keys turned round, tables, fingers, other print.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.terms import BLANK, LADY, Content, ContentKind, Feature
from assistant.vision.blank_evidence import (
    is_nearer_paper,
    is_the_cards_paper,
    sharpness,
    would_ink_show,
)
from assistant.vision.geometry import Homography, Keyhole
from assistant.vision.glyph_bank import GlyphBank, Match
from assistant.vision.glyphs import Glyph
from assistant.vision.hole_evidence import HoleSigns, HoleView, view_hole
from assistant.vision.hole_patch import HolePatch, clearness_upside_down, see_hole
from assistant.vision.outline import Outline
from assistant.vision.sighting import Picture, Reason

#: Coarser pictures than this cannot tell icons apart.
MIN_PX_PER_MM = 1.9

#: Mean level of the key's paper, of 255, below which nothing is read.
MIN_PAPER_LEVEL = 28.0

#: The share of the circle that must be seen, and the glare that is told as the cause where it is
#: not; else the picture ends there.
MIN_TRUSTED, GLARING = 0.55, 0.2

#: Paper in the hole: its lightness over the key's own, and how far its tint may stray. Under a
#: blank it must be nearer: measured 0.97 to 1.07 and up to 0.017, 0.04 where glare bends colours.
PAPER_LIGHTNESS = (0.8, 1.2)
MAX_PAPER_TINT = 0.06
BLANK_LIGHTNESS = (0.93, 1.09)
MAX_BLANK_TINT = 0.04
MAX_BLANK_ROUGHNESS = 0.03

#: Ink: the darkest part is at least so deep, and so large a share of the hole is dark.
INK_DEPTH = 0.22
INK_SHARE = 0.06

#: Blank: the darkest part is not deeper than this; between the two nothing is claimed. A shadow at
#: the hole's edge and noise go up to 0.17; a 1 blurred until the key's own print is too soft for a
#: blank keeps 0.3, on all pictures of the printed game.
BLANK_DEPTH = 0.18

#: Nor may a blot larger than this be anywhere in the hole, mm2: 0.03 at most on true blanks, from
#: 0.6 where a card out of line shows the edge of its icon, digit or Lady at the rim or in the stem.
BLANK_STRAY_MM2 = 0.25

#: A blank needs its outline so clear (up to 1 where there is no hole).
BLANK_CLEARNESS = 1.15

#: What is coloured like skin, as wood is too, is a table if the edge of the hole is so clear.
THROUGH_CLEARNESS = 2.0

#: Under a blank the key's own print must be so sharp: 0.35 and more on all blanks of the pictures,
#: 0.2 when their print is blurred by 1.2 mm and a digit's stroke leaves next to nothing.
BLANK_SHARPNESS = 0.22

#: With an outline fainter than this, a glyph needs a better fit, and no print that runs on.
FAINT_CLEARNESS = 0.6
FAINT_SCORE = 0.94
FAINT_UNEXPLAINED = {ContentKind.ICON: 0.5, ContentKind.NUMBER: 0.5, ContentKind.LADY: 0.65}
FAINT_SPILL = 0.04

#: What lies on top: measured up to 0.005 and 0.056 on open holes.
MAX_SKIN = 0.04
MAX_SPILL = 0.10

#: Turned round, a hole that is this clear or clearer may be the truth, if it leads by so much:
#: true holes by at most 0.16 (0.6 with a glyph's own edges in it); those turned by 1 and more.
MIN_TURNED_CLEARNESS = 1.2
MAX_TURNED_LEAD_BLANK = 0.3
MIN_TURNED_CLEARNESS_GLYPH = 1.6
MAX_TURNED_LEAD_GLYPH = 0.65

#: Glyphs must fit so well; a glyph that was taken from this deck fits better than one drawn.
MIN_SCORE = {ContentKind.ICON: 0.86, ContentKind.NUMBER: 0.80, ContentKind.LADY: 0.84}

#: Digits drawn by a pen resemble some icons; where not all icons are known they must fit better.
MIN_DIGIT_SCORE_ALONE = 0.90

#: Of what the second best content leaves unexplained, the best may leave this share.
MAX_UNEXPLAINED = {ContentKind.ICON: 0.72, ContentKind.NUMBER: 0.78, ContentKind.LADY: 0.72}

#: A glyph that misses that by so little is looked at twice more, a fraction of a millimetre aside:
#: the hole's edge falls on other pixels there. Both looks must be clear and tell the same.
A_HAIR = 0.05
ASIDE_MM = ((0.15, 0.0), (0.0, 0.15))

#: Farther from its place than this the cards are out of line: 1.5 mm that they may be, and the rest
#: that print and die may be out of register.
MAX_OFFSET_MM = {ContentKind.ICON: 2.7, ContentKind.NUMBER: 2.7, ContentKind.LADY: 3.4}

#: More blurred than this all icons are blots; the readings on the pictures go up to 0.7.
MAX_BLUR_MM = 0.9

#: An icon that leaves much unexplained and fits blurred only is none where the key's own print is
#: sharp: blur (mm) times sharpness is up to 0.33 on the icons of all pictures, 0.5 and more where a
#: Lady that lies upside down looks like one.
DOUBTED_UNEXPLAINED = 0.6
DOUBTED_BLUR_MM = 0.6
MAX_BLUR_TIMES_SHARPNESS = 0.42

#: So much of a glyph's ink must be in sight. The Lady is larger than the hole: 0.58 to 0.95 of her
#: shows; up to 0.57 fits a part of her that lies upside down.
MIN_SHOWN = 0.62
MIN_LADY_SHOWN = 0.575


@dataclass(frozen=True, slots=True)
class HoleReading:
    """What one picture says is in the hole.

    `content` and `confidence` (0 to 1), or `reason`. `outline`: how clearly the hole's edge shows.
    `score`: the fit of the best glyph; `unexplained`: what it leaves, as a share of what the
    second best content leaves. `matches`: the best contents, best first.
    """

    content: Content | None
    confidence: float | None
    reason: Reason | None
    outline: Outline
    signs: HoleSigns
    matches: tuple[Match, ...] = ()
    score: float = 0.0
    unexplained: float = 1.0


class HoleReader:
    """Reads holes with one set of glyphs; made once, used for every picture."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        self._bank = GlyphBank(glyphs)
        known = {glyph.content.feature for glyph in glyphs if glyph.content.feature is not None}
        self._min_score = dict(MIN_SCORE)
        if known != set(Feature):
            self._min_score[ContentKind.NUMBER] = MIN_DIGIT_SCORE_ALONE

    def read(self, picture: Picture, card_to_picture: Homography, keyhole: Keyhole) -> HoleReading:
        """Return what is in a key's hole, or why that cannot be said.

        `card_to_picture` maps mm on the key's back (from its top left) to px.
        """
        reading = self._read(picture, card_to_picture, keyhole)
        if not self._lacks_a_hair(reading):
            return reading
        again = [
            self._read(picture, card_to_picture @ _moved(*aside), keyhole) for aside in ASIDE_MM
        ]
        if any(other.content != reading.matches[0].content for other in again):
            return reading
        return min(again, key=lambda other: other.confidence or 0.0)

    def _lacks_a_hair(self, reading: HoleReading) -> bool:
        """Whether a glyph was denied for a rival that all but left as little unexplained."""
        if reading.reason not in {Reason.UNSURE, Reason.BLURRED} or not reading.matches:
            return False
        kind = reading.matches[0].content.kind
        return (
            reading.score >= self._min_score[kind]
            and reading.outline.clearness >= FAINT_CLEARNESS
            and reading.unexplained <= MAX_UNEXPLAINED[kind] + A_HAIR
        )

    def _read(self, picture: Picture, card_to_picture: Homography, keyhole: Keyhole) -> HoleReading:
        """Return what one look at the hole tells."""
        patch = see_hole(picture, card_to_picture, keyhole)
        view = view_hole(patch, keyhole)
        reason = _why_nothing(patch, view.signs)
        if reason is not None:
            return HoleReading(None, None, reason, patch.outline, view.signs)
        if view.signs.depth < BLANK_DEPTH:
            reading = _blank_or_not(picture, card_to_picture, patch, view)
        elif view.signs.depth < INK_DEPTH or view.signs.dark_share < INK_SHARE:
            return HoleReading(None, None, Reason.UNSURE, patch.outline, view.signs)
        else:
            reading = self._glyph_or_not(patch.outline, view)
        if _is_too_soft(reading) and (
            reading.matches[0].blur_mm * sharpness(picture, card_to_picture)
            > MAX_BLUR_TIMES_SHARPNESS
        ):
            return _denied(reading, Reason.UNLIKE)
        if reading.content is not None and _is_turned(reading, patch, keyhole):
            return _denied(reading, Reason.WHICH_KEY)
        return reading

    def _glyph_or_not(self, outline: Outline, view: HoleView) -> HoleReading:
        """Return the glyph that the ink in a hole is, if it can be no other."""
        matches = self._bank.matches(view.coarse, view.close)
        if not matches:
            return HoleReading(None, None, Reason.UNSURE, outline, view.signs)
        best = matches[0]
        second = matches[1].score if len(matches) > 1 else 0.0
        share = _unexplained(best.score) / max(_unexplained(second), 1e-6)
        kind = best.content.kind
        min_score, max_share = self._min_score[kind], MAX_UNEXPLAINED[kind]
        if outline.clearness < FAINT_CLEARNESS:
            min_score, max_share = FAINT_SCORE, FAINT_UNEXPLAINED[kind]
        reading = HoleReading(
            content=best.content,
            confidence=_confidence(best.score - min_score, max_share - share),
            reason=None,
            outline=outline,
            signs=view.signs,
            matches=tuple(matches),
            score=best.score,
            unexplained=share,
        )
        if outline.clearness < FAINT_CLEARNESS and view.signs.spill > FAINT_SPILL:
            return _denied(reading, Reason.UNSURE)
        if best.score < min_score:
            return _denied(reading, Reason.UNLIKE)
        if best.blur_mm > MAX_BLUR_MM:
            return _denied(reading, Reason.BLURRED)
        if share > max_share:
            return _denied(reading, Reason.BLURRED if best.blur_mm > 0.6 else Reason.UNSURE)
        is_cut = best.shown < (MIN_LADY_SHOWN if kind is ContentKind.LADY else MIN_SHOWN)
        if is_cut or math.hypot(*best.offset_mm) > MAX_OFFSET_MM[kind]:
            return _denied(reading, Reason.OUT_OF_LINE)
        return reading


def read_hole(
    picture: Picture, card_to_picture: Homography, keyhole: Keyhole, glyphs: Sequence[Glyph]
) -> HoleReading:
    """Return what is in a hole; for one picture only, as the glyphs are made ready each time."""
    return HoleReader(glyphs).read(picture, card_to_picture, keyhole)


def _moved(right_mm: float, down_mm: float) -> Homography:
    """Return the map that moves by some mm."""
    return np.array([[1.0, 0, right_mm], [0, 1.0, down_mm], [0, 0, 1]])


def _denied(reading: HoleReading, reason: Reason) -> HoleReading:
    """Return a reading's evidence without its claim."""
    return HoleReading(
        None,
        None,
        reason,
        reading.outline,
        reading.signs,
        reading.matches,
        reading.score,
        reading.unexplained,
    )


def _why_nothing(patch: HolePatch, signs: HoleSigns) -> Reason | None:
    """Return why a hole cannot be read whatever is in it; None where it can."""
    if patch.picture_px_per_mm < MIN_PX_PER_MM:
        return Reason.SMALL
    if signs.trusted_share < MIN_TRUSTED:
        return Reason.GLARE if signs.glare_share > GLARING else Reason.PARTLY_OUTSIDE
    if sum(patch.paper_bgr) / 3 < MIN_PAPER_LEVEL:
        return Reason.DARK
    if signs.spill > MAX_SPILL:
        return Reason.COVERED
    dark, light = PAPER_LIGHTNESS
    is_paper = dark <= signs.lightness <= light and signs.tint <= MAX_PAPER_TINT
    if not is_paper:
        # Seen through the hole, a table shows the hole's edge all round.
        edge = THROUGH_CLEARNESS if signs.skin_share > MAX_SKIN else BLANK_CLEARNESS
        return Reason.NO_CARD if patch.outline.clearness > edge else Reason.COVERED
    if signs.skin_share > MAX_SKIN:
        return Reason.COVERED
    return None


def _blank_or_not(
    picture: Picture, card_to_picture: Homography, patch: HolePatch, view: HoleView
) -> HoleReading:
    """Return blank, if everything that a blank needs is seen."""
    signs, clearness = view.signs, patch.outline.clearness
    surety = min(1.0, (clearness - BLANK_CLEARNESS) / 1.5)
    reading = HoleReading(BLANK, 0.9 + 0.09 * surety, None, patch.outline, signs)
    if signs.stray_mm2 > BLANK_STRAY_MM2:
        return _denied(reading, Reason.OUT_OF_LINE)
    if not would_ink_show(patch, view.circle):
        return _denied(reading, Reason.GLARE)
    if sharpness(picture, card_to_picture) < BLANK_SHARPNESS:
        return _denied(reading, Reason.BLURRED)
    if clearness < BLANK_CLEARNESS:
        is_card = is_the_cards_paper(picture, card_to_picture, patch)
        return _denied(reading, Reason.UNSURE if is_card else Reason.COVERED)
    dark, light = BLANK_LIGHTNESS
    is_paper = dark <= signs.lightness <= light and signs.tint <= MAX_BLANK_TINT
    if not is_paper or signs.roughness > MAX_BLANK_ROUGHNESS:
        return _denied(reading, Reason.NO_CARD)
    if not is_nearer_paper(picture, card_to_picture, patch, view.circle):
        return _denied(reading, Reason.NO_CARD)
    return reading


def _is_too_soft(reading: HoleReading) -> bool:
    """Return whether an icon fits blurred only, and not by far the best."""
    return (
        reading.content is not None
        and reading.content.kind is ContentKind.ICON
        and reading.unexplained > DOUBTED_UNEXPLAINED
        and reading.matches[0].blur_mm > DOUBTED_BLUR_MM
    )


def _is_turned(reading: HoleReading, patch: HolePatch, keyhole: Keyhole) -> bool:
    """Return whether the hole's outline shows better the other way up."""
    if reading.content == LADY:
        # Upside down she is like no glyph, and her own edges blur the outline's.
        return False
    turned = clearness_upside_down(patch, keyhole)
    lead = turned - patch.outline.clearness
    if reading.content == BLANK:
        return turned > MIN_TURNED_CLEARNESS and lead > MAX_TURNED_LEAD_BLANK
    return turned > MIN_TURNED_CLEARNESS_GLYPH and lead > MAX_TURNED_LEAD_GLYPH


def _unexplained(score: float) -> float:
    """Return the share of the ink's variation that a fit of this score leaves."""
    return 1.0 - max(score, 0.0) ** 2


def _confidence(score_margin: float, share_margin: float) -> float:
    """Return how sure a reading is, from how far it is above what is asked of it."""
    return 0.8 + 0.1 * min(1.0, score_margin / 0.08) + 0.09 * min(1.0, share_margin / 0.3)
