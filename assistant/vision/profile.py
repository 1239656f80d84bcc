"""A card profile: what Bystander has learnt of one player's printed cards.

It holds no photograph. Of each face of each key it keeps the ink (where print is dark, in shades
of grey at four dots per mm, see ink.py) and a weight that leaves out the keyhole and the rim; of
the seven icons, the digits and the Lady it keeps the glyphs. A profile is a value: it turns into
named files (a readable profile.toml and a cards.npz without pickle) and back; folders are the
adapters' work.

Format 1:
    profile.toml   format, made_by, keys = [[location, side, shots], ...], glyphs = [...]
    cards.npz      "<side>/<location>/ink" (272, 176) uint8, ".../weight" the same; "glyph/<n>"
"""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from assistant.core.errors import DamagedError
from assistant.core.terms import Content, ContentKind, Feature, Location
from assistant.vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Keyhole
from assistant.vision.glyphs import Glyph
from assistant.vision.packed_arrays import unpacked
from assistant.vision.sighting import Side

FORMAT = 1
TOML_FILE = "profile.toml"
ARRAYS_FILE = "cards.npz"

#: Scale of the ink that is kept of a face.
FACE_PX_PER_MM = 4
#: (rows, columns) of that ink.
FACE_SHAPE = (round(CARD_HEIGHT_MM * FACE_PX_PER_MM), round(CARD_WIDTH_MM * FACE_PX_PER_MM))

#: Rows and columns that a glyph has at most: it shows in a hole of 14 mm.
MOST_GLYPH_PX = 400

#: How far a glyph's middle may lie from where it is expected in the hole, which is 9.1 mm wide.
MOST_OFFSET_MM = 4.5

#: A profile is some hundred kB; anything far larger is none, and is not read.
MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a key: its ink and where that ink counts, both FACE_SHAPE uint8."""

    location: Location
    side: Side
    ink: npt.NDArray[np.uint8]
    weight: npt.NDArray[np.uint8]
    shots: int = 1

    def __post_init__(self) -> None:
        """Refuse arrays of another shape or type."""
        for name, array in (("ink", self.ink), ("weight", self.weight)):
            if array.shape != FACE_SHAPE or array.dtype != np.uint8:
                raise ValueError(f"{name} of {self.location} is {array.dtype} {array.shape}")


@dataclass(frozen=True, slots=True)
class CardProfile:
    """The faces, keyholes and glyphs of one set of printed cards."""

    faces: tuple[Face, ...]
    keyholes: Mapping[Location, Keyhole]
    glyphs: tuple[Glyph, ...]
    made_by: str = field(default="bystander")

    def face(self, location: Location, side: Side) -> Face | None:
        """Return a key's face, or None where it was never shown."""
        return next((f for f in self.faces if (f.location, f.side) == (location, side)), None)

    def to_files(self) -> dict[str, bytes]:
        """Return the profile as file names and their bytes."""
        arrays: dict[str, npt.NDArray[np.generic]] = {}
        lines = [f"format = {FORMAT}", f"made_by = {json.dumps(self.made_by)}", ""]
        for face in self.faces:
            stem = f"{face.side.value}/{face.location.value}"
            arrays[f"{stem}/ink"], arrays[f"{stem}/weight"] = face.ink, face.weight
            lines += ["[[face]]", f'location = "{face.location.value}"']
            lines += [f'side = "{face.side.value}"', f"shots = {face.shots}", ""]
        for location, hole in self.keyholes.items():
            lines += ["[[keyhole]]", f'location = "{location.value}"']
            lines += [f"{name} = {getattr(hole, name)}" for name in _HOLE_FIELDS] + [""]
        for number, glyph in enumerate(self.glyphs):
            arrays[f"glyph/{number}"] = glyph.ink
            lines += ["[[glyph]]", f'kind = "{glyph.content.kind.value}"']
            if glyph.content.value is not None:
                lines.append(f'value = "{glyph.content.value}"')
            lines += [f"offset_mm = [{glyph.offset_mm[0]}, {glyph.offset_mm[1]}]"]
            lines += [f"is_exact = {str(glyph.is_exact).lower()}", ""]
        packed = io.BytesIO()
        np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]  # names are ours
        return {TOML_FILE: "\n".join(lines).encode(), ARRAYS_FILE: packed.getvalue()}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes]) -> CardProfile:
        """Return the profile that the named files hold.

        Raises: DamagedError: a file is missing or damaged, or made by another version.
        """
        for name in (TOML_FILE, ARRAYS_FILE):
            if name not in files:
                raise DamagedError(f"the profile has no {name}; calibrate again")
            if len(files[name]) > MOST_BYTES:
                raise DamagedError(f"the profile's {name} is too large to be one; calibrate again")
        try:
            facts = tomllib.loads(files[TOML_FILE].decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise DamagedError(f"the profile's {TOML_FILE} is damaged ({error})") from error
        if facts.get("format") != FORMAT:
            raise DamagedError(
                f"the profile has format {facts.get('format')!r}, this version reads {FORMAT};"
                " calibrate again"
            )
        if odd := sorted(set(facts) - _TABLES):
            # A glyph under a misspelt name would give its place, and its shape, to the next one.
            raise DamagedError(f"the profile's {TOML_FILE} has {odd[0]!r}; calibrate again")
        try:
            arrays = unpacked(files[ARRAYS_FILE])
            if len(facts.get("glyph", [])) != sum(name.startswith("glyph/") for name in arrays):
                raise ValueError("it names more or fewer glyphs than it holds")
            return cls(
                faces=tuple(_face(entry, arrays) for entry in facts.get("face", [])),
                keyholes=_keyholes(facts.get("keyhole", [])),
                glyphs=tuple(
                    _glyph(number, entry, arrays)
                    for number, entry in enumerate(facts.get("glyph", []))
                ),
                made_by=str(facts.get("made_by", "")),
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise DamagedError(f"the profile is damaged ({error}); calibrate again") from error


_TABLES = frozenset({"format", "made_by", "face", "keyhole", "glyph"})

_HOLE_FIELDS = tuple(Keyhole.__slots__)


def _keyholes(entries: Sequence[Mapping[str, Any]]) -> dict[Location, Keyhole]:
    """Return the holes of all keys.

    Raises: ValueError: a key has none, or one that no knife cuts.
    """
    holes = {
        Location(entry["location"]): Keyhole(
            **{name: _length(entry[name]) for name in _HOLE_FIELDS}
        )
        for entry in entries
    }
    if missing := [location.value for location in Location if location not in holes]:
        raise ValueError(f"no keyhole of {missing[0]}")
    for location, hole in holes.items():
        is_open = min(hole.radius_mm, hole.stem_width_top_mm, hole.stem_width_bottom_mm) > 0
        if not (is_open and 0 < hole.centre_y_mm < hole.bottom_mm and hole.centre_x_mm > 0):
            raise ValueError(f"the keyhole of {location.value} is no hole")
    return holes


def _length(value: Any) -> float:
    """Return a length on a card.

    Raises: ValueError: it is longer than a card, or no length at all.
    """
    if not -CARD_HEIGHT_MM <= (length := float(value)) <= CARD_HEIGHT_MM:
        raise ValueError(f"{value} is no length on a card")
    return length


def _face(entry: Mapping[str, object], arrays: Mapping[str, npt.NDArray[np.uint8]]) -> Face:
    location, side = Location(entry["location"]), Side(entry["side"])
    stem = f"{side.value}/{location.value}"
    shots = entry.get("shots", 1)
    return Face(
        location,
        side,
        arrays[f"{stem}/ink"],
        arrays[f"{stem}/weight"],
        shots if isinstance(shots, int) else 1,
    )


def _glyph(
    number: int, entry: Mapping[str, object], arrays: Mapping[str, npt.NDArray[np.float32]]
) -> Glyph:
    kind, value = ContentKind(entry["kind"]), entry.get("value")
    content = Content(
        kind,
        feature=Feature(value) if kind is ContentKind.ICON else None,
        number=int(str(value)) if kind is ContentKind.NUMBER else None,
    )
    ink = arrays[f"glyph/{number}"]
    if ink.ndim != 2 or ink.dtype != np.float32:
        raise ValueError(f"glyph {number} is {ink.dtype} {ink.shape}")
    if not 1 <= min(ink.shape) <= max(ink.shape) <= MOST_GLYPH_PX or not np.isfinite(ink).all():
        raise ValueError(f"glyph {number} is no shape that fits into a hole")
    offset = entry["offset_mm"]
    if not isinstance(offset, list) or len(offset) != 2:
        raise ValueError(f"glyph {number} has offset_mm = {offset!r}")
    x_mm, y_mm = float(offset[0]), float(offset[1])
    if not max(abs(x_mm), abs(y_mm)) <= MOST_OFFSET_MM:
        raise ValueError(f"glyph {number} has offset_mm = {offset!r}")
    return Glyph(content, ink, (x_mm, y_mm), bool(entry["is_exact"]))
