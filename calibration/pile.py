"""A pile: the shots of one face, and what is known of which key it shows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from assistant.core.terms import Location
from assistant.vision.ink import Ink
from assistant.vision.printed import Scores
from assistant.vision.profile import Face
from assistant.vision.register import Template
from assistant.vision.sighting import Side
from calibration.prints import as_ink, fingerprint
from calibration.shot import Shot


@dataclass(slots=True, eq=False)
class Pile:
    """Shots of one face, print over print, all turned the way of the first.

    `scores` hold for each way up (as it lies, turned) what each key was given by every shot's
    keyhole, summed; `words` what each key was given by the printed words of the sharpest shot.
    """

    side: Side
    template: Template
    known: Face | None = None
    """The face as it was learnt earlier, with which the shots are pooled."""
    shots: list[Shot] = field(default_factory=list)
    judged: int = 0
    """How many shots the scores are the sum of; older shots may be gone."""
    scores: list[dict[Location, float]] = field(default_factory=list)
    outlines: dict[Location, float] = field(default_factory=dict)
    """How clearly the best shot shows each key's hole, either way up."""
    wholes: dict[Location, float] = field(default_factory=dict)
    """How clearly the best shot shows nearly all of each key's hole."""
    words: dict[tuple[int, int], Scores] = field(default_factory=dict)
    """By way up and the number of the shot that was read; a call takes long."""
    location: Location | None = None
    is_turned: bool = False
    """Whether the named face lies the other way up than the shots."""
    is_fixed: bool = False
    """Whether its name stands, whatever the scores say."""
    total: Scores = field(default_factory=dict)
    """How well it fits each key, the better way up."""
    print: npt.NDArray[np.float32] = field(init=False)
    """The first shot's print, coarse."""

    def __post_init__(self) -> None:
        """Note the print by which shots look for their pile."""
        self.print = fingerprint(as_ink(self.template.face.ink))

    def ink(self) -> Ink:
        """Return the mean ink of the shots, as they lie."""
        return np.asarray(np.mean([shot.ink for shot in self.shots], axis=0), np.float32)

    def upright(self) -> list[Shot]:
        """Return the shots the right way up, once the pile has its name."""
        return [shot.turned() for shot in self.shots] if self.is_turned else list(self.shots)
