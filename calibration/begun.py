"""A calibration that was begun: what must be kept beside a profile to go on with it another day.

The profile holds the faces; icons are learnt from several fronts laid over each other (a hole may
be cut into one of them), so the cut-out icons are kept until all is learnt, and for a key that is
taught again. They are pieces of some 10 mm, never a whole card.

    begun.npz    "<feature>/<location>/<n>" (rows, columns) uint8, grey, at GLYPH_PX_PER_MM
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assistant.core.errors import DamagedError
from assistant.core.terms import Feature, Location
from assistant.vision.ink import Grey
from assistant.vision.packed_arrays import unpacked

BEGUN_FILE = "begun.npz"

#: Each icon as each key's front showed it.
Patches = Mapping[tuple[Feature, Location], Sequence[Grey]]

#: More pictures of one icon on one key teach nothing new.
MOST_OF_ONE = 3


@dataclass(frozen=True, slots=True, eq=False)
class Begun:
    """The cut-out icons of fronts that were learnt earlier."""

    patches: Patches = field(default_factory=dict)

    def to_files(self) -> dict[str, bytes]:
        """Return the icons as a file name and its bytes."""
        arrays: dict[str, Grey] = {
            f"{feature.value}/{location.value}/{number}": patch
            for (feature, location), seen in self.patches.items()
            for number, patch in enumerate(seen[:MOST_OF_ONE])
        }
        packed = io.BytesIO()
        np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]  # names are ours
        return {BEGUN_FILE: packed.getvalue()}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes]) -> Begun:
        """Return the icons kept beside a profile; none where the profile has no such file.

        Raises: DamagedError: the file is there but cannot be used.
        """
        if BEGUN_FILE not in files:
            return cls()
        patches: dict[tuple[Feature, Location], list[Grey]] = {}
        try:
            for name, patch in sorted(unpacked(files[BEGUN_FILE]).items()):
                feature, location, _ = name.split("/")
                if patch.ndim != 2 or patch.dtype != np.uint8:
                    raise ValueError(f"{name} is {patch.dtype} {patch.shape}")
                key = Feature(feature), Location(location)
                patches.setdefault(key, []).append(patch)
        except ValueError as error:
            raise DamagedError(f"{BEGUN_FILE} is damaged ({error}); calibrate again") from error
        return cls(patches)
