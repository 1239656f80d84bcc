"""What is in the hole of a key whose pose is known: an icon, a digit, the Lady, blank, or why not.

A wrong reading is worse than none, so every claim needs evidence of its own:

1. The hole is cut out straight and lit evenly, and its outline is looked for (`hole_patch`).
2. Is paper of the key's own tint in the hole, or a table, a finger, glare (`hole_evidence`)?
3. If there is ink, every glyph is laid over it (`glyph_bank`); the best must fit well in itself and
   leave clearly less unexplained than the best glyph of any other content.
4. If there is none, the hole is blank only when its outline is seen, its paper is the card's, and
   the picture is sharp enough that ink would have shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.terms import BLANK, Content, ContentKind
from assistant.vision.geometry import Homography, Keyhole
from assistant.vision.glyph_bank import GlyphBank, Match
from assistant.vision.glyphs import Glyph
from assistant.vision.hole_evidence import HoleSigns, signs_and_views
from assistant.vision.hole_patch import see_hole
from assistant.vision.outline import Outline
from assistant.vision.sighting import Picture, Reason

#: Coarser pictures than this cannot tell icons apart.
MIN_PX_PER_MM = 1.9

#: Mean level of the key's paper, of 255, below which nothing is read.
MIN_PAPER_LEVEL = 28.0

#: Paper in the hole: its lightness over the key's own, and how far its tint may stray.
PAPER_LIGHTNESS = (0.8, 1.2)
MAX_PAPER_TINT = 0.06

#: Ink: the darkest part is at least so deep, and so large a share of the hole is dark.
INK_DEPTH = 0.22
INK_SHARE = 0.06

#: Blank: the darkest part is not deeper than this; between the two nothing is claimed.
BLANK_DEPTH = 0.13

#: A blank needs its outline so clear (up to 1 where there is no hole).
BLANK_CLEARNESS = 1.15

#: Glyphs must fit so well; a glyph that was taken from this deck fits better than one drawn.
MIN_SCORE = {ContentKind.ICON: 0.86, ContentKind.NUMBER: 0.80, ContentKind.LADY: 0.84}

#: Of what the second best content leaves unexplained, the best may leave this share.
MAX_UNEXPLAINED = {ContentKind.ICON: 0.72, ContentKind.NUMBER: 0.78, ContentKind.LADY: 0.72}

#: Farther from its place than this the cards are out of line: 1.5 that they may be, and the rest
#: that print and die may be out of register.
MAX_OFFSET_MM = {ContentKind.ICON: 2.7, ContentKind.NUMBER: 2.7, ContentKind.LADY: 3.4}


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

    def read(self, picture: Picture, card_to_picture: Homography, keyhole: Keyhole) -> HoleReading:
        """Return what is in a key's hole, or why that cannot be said.

        `card_to_picture` maps mm on the key's back (from its top left) to px.
        """
        patch = see_hole(picture, card_to_picture, keyhole)
        signs, coarse, close = signs_and_views(patch, keyhole)

        def none(reason: Reason, *matches: Match) -> HoleReading:
            return HoleReading(None, None, reason, patch.outline, signs, matches)

        if patch.picture_px_per_mm < MIN_PX_PER_MM:
            return none(Reason.SMALL)
        if not patch.is_valid.any() or signs.trusted_share < 0.55:
            is_glare = signs.glare_share > 0.2
            return none(Reason.GLARE if is_glare else Reason.PARTLY_OUTSIDE)
        if sum(patch.paper_bgr) / 3 < MIN_PAPER_LEVEL:
            return none(Reason.DARK)
        foreign = _what_is_no_paper(signs)
        if foreign is not None:
            return none(foreign)
        if signs.depth < BLANK_DEPTH:
            return self._blank_or_not(patch.outline, signs)
        if signs.depth < INK_DEPTH or signs.dark_share < INK_SHARE:
            return none(Reason.UNSURE)
        return self._glyph_or_not(patch.outline, signs, self._bank.matches(coarse, close))

    def _blank_or_not(self, outline: Outline, signs: HoleSigns) -> HoleReading:
        if outline.clearness < BLANK_CLEARNESS:
            reason = Reason.GLARE if signs.glare_share > 0.2 else Reason.UNSURE
            return HoleReading(None, None, reason, outline, signs)
        surety = min(1.0, (outline.clearness - BLANK_CLEARNESS) / 1.0)
        return HoleReading(BLANK, 0.9 + 0.09 * surety, None, outline, signs)

    def _glyph_or_not(
        self, outline: Outline, signs: HoleSigns, matches: Sequence[Match]
    ) -> HoleReading:
        def none(reason: Reason) -> HoleReading:
            return HoleReading(None, None, reason, outline, signs, tuple(matches), score, share)

        score, share = 0.0, 1.0
        if not matches:
            return none(Reason.UNSURE)
        best = matches[0]
        second = matches[1].score if len(matches) > 1 else 0.0
        score = best.score
        share = _unexplained(best.score) / max(_unexplained(second), 1e-6)
        kind = best.content.kind
        if score < MIN_SCORE[kind]:
            return none(Reason.UNLIKE)
        if share > MAX_UNEXPLAINED[kind]:
            return none(Reason.BLURRED if best.blur_mm > 0.6 else Reason.UNSURE)
        if math.hypot(*best.offset_mm) > MAX_OFFSET_MM[kind]:
            return none(Reason.OUT_OF_LINE)
        if kind is not ContentKind.LADY and best.shown < 0.7:
            return none(Reason.OUT_OF_LINE)
        confidence = _confidence(score - MIN_SCORE[kind], MAX_UNEXPLAINED[kind] - share)
        return HoleReading(
            best.content, confidence, None, outline, signs, tuple(matches), score, share
        )


def read_hole(
    picture: Picture, card_to_picture: Homography, keyhole: Keyhole, glyphs: Sequence[Glyph]
) -> HoleReading:
    """Return what is in a hole; for one picture only, as the glyphs are made ready each time."""
    return HoleReader(glyphs).read(picture, card_to_picture, keyhole)


def _what_is_no_paper(signs: HoleSigns) -> Reason | None:
    """Return why what lies in the hole is not the paper of a card; None where it is."""
    dark, light = PAPER_LIGHTNESS
    if dark <= signs.lightness <= light and signs.tint <= MAX_PAPER_TINT:
        return None
    blue, green, red = signs.middle_bgr
    # Against paper every skin is redder than green and greener than blue.
    is_skin = red > 1.12 * green and green > 1.05 * blue and signs.roughness < 0.08
    return Reason.COVERED if is_skin else Reason.NO_CARD


def _unexplained(score: float) -> float:
    """Return the share of the ink's variation that a fit of this score leaves."""
    return 1.0 - max(score, 0.0) ** 2


def _confidence(score_margin: float, share_margin: float) -> float:
    """Return how sure a reading is, from how far it is above what is asked of it."""
    return 0.8 + 0.1 * min(1.0, score_margin / 0.08) + 0.09 * min(1.0, share_margin / 0.3)
