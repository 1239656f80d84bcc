"""Headless calibration: pictures of key fronts and backs in, a card profile out.

    shots -> cut out (shot.py) -> sorted by face and named (album.py) -> faces, icons -> profile

The pictures carry no labels and none are asked for. Shots of one face find each other by their
print; pooling them makes faint outlines plain. A face is named by naming.py; what cannot be named
surely is reported, to be shown again, never guessed. From the fronts come the icons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.terms import Feature, Location
from assistant.vision.glyphs import (
    Glyph,
    built_in_glyphs,
    glyphs_from_fronts,
)
from assistant.vision.printed_words import TextReader
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Picture, Side
from calibration.album import Album
from calibration.begun import Patches
from calibration.icons import icon_patches, whole_icons
from calibration.shot import cut_shot


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


def learn(
    shots: Iterable[Picture], facts: Mapping[str, Any], read_text: TextReader | None = None
) -> Lesson:
    """Return what pictures of key fronts and backs teach, in any order, any number of each.

    Args:
        shots: one card each, on a table that it stands out from. They are gone through once, and
            only the cut-out cards are kept.
        facts: the measured facts of the keys (the layout of assistant/data/keys.json).
        read_text: reads printed words, where there is such a program; keyholes and icons do
            without it.
    """
    notes: list[str] = []
    album = Album(facts, read_text)
    for number, picture in enumerate(shots, start=1):
        shot = cut_shot(number, picture)
        if shot is None:
            notes.append(f"picture {number}: no card stands out from the table")
        else:
            album.add(shot)
    album.name()
    for pile in album.piles:
        if pile.location is None:
            told = ", ".join(str(shot.number) for shot in pile.shots)
            notes.append(f"picture {told}: a key's {pile.side.value}, but not clear which key")
    return lesson_from(album, facts, notes)


def lesson_from(
    album: Album,
    facts: Mapping[str, Any],
    notes: Sequence[str] = (),
    earlier: CardProfile | None = None,
    patches: Patches | None = None,
) -> Lesson:
    """Return what the named faces of an album teach.

    Args:
        album: the shots, sorted and named.
        facts: the measured facts of the keys.
        notes: what went wrong with which shot.
        earlier: a profile that this one goes on from: icons and digits that it knows and this
            album does not are kept.
        patches: the icons as cut out (default: those of the album's fronts).
    """
    seen = icon_patches(album, facts) if patches is None else patches
    icons = glyphs_from_fronts(whole_icons(seen, facts, album.holes))
    if earlier is None:
        glyphs = icons + built_in_glyphs()
    else:
        fresh = icons_of(icons)
        glyphs = icons + tuple(g for g in earlier.glyphs if g.content.feature not in fresh)
    faces = album.faces()
    known = {(face.location, face.side) for face in faces}
    return Lesson(
        profile=CardProfile(tuple(faces), album.holes, glyphs),
        icons=icons_of(glyphs),
        missing=tuple(
            (location, side)
            for side in Side
            for location in Location
            if (location, side) not in known
        ),
        notes=tuple(notes),
    )


def icons_of(glyphs: Sequence[Glyph]) -> frozenset[Feature]:
    """Return the features whose icons are among the glyphs."""
    return frozenset(g.content.feature for g in glyphs if g.content.feature is not None)
