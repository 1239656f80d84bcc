"""The second try: shots that found no face are laid over the named ones, whose holes are known."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from assistant.core.terms import Location
from assistant.vision.profile import Face
from assistant.vision.register import Template
from assistant.vision.scene import Scene
from assistant.vision.sighting import Side
from calibration.pile import Pile
from calibration.prints import PERHAPS_SAME, SAME_FACE, as_ink, fingerprint
from calibration.shot import Shot


class SecondTry:
    """Lays shots over named faces; remembers what was tried in vain."""

    def __init__(self) -> None:
        """Start with nothing tried."""
        self._in_vain: set[tuple[int, Location, Side]] = set()
        self._templates: dict[tuple[Location, Side], Template] = {}

    def face_of(self, shot: Shot, named: Iterable[tuple[Pile, Face]]) -> tuple[Pile, Shot] | None:
        """Return the named pile whose face a shot shows, and the shot laid over it, or None.

        The side may have been taken wrongly, and either end may be up: all is tried.
        """
        best: tuple[float, Pile, Shot] | None = None
        for pile, face in named:
            tried = shot.number, face.location, face.side
            if tried in self._in_vain:
                continue
            self._in_vain.add(tried)
            counted = face.weight > 0
            seen = fingerprint(as_ink(face.ink) * counted)
            for way in (shot, shot.turned()):
                if float(np.dot(seen, fingerprint(way.ink * counted))) < PERHAPS_SAME:
                    continue
                template = self._template(face)
                scene = Scene(way.picture)
                exact = template.refine(scene, way.homography)
                support = 0.0 if exact is None else template.agreement(scene, exact).support
                if exact is not None and support > (SAME_FACE if best is None else best[0]):
                    laid = Shot(way.number, way.picture, exact, pile.side, way.ink).laid(exact)
                    best = support, pile, laid.turned() if pile.is_turned else laid
        return None if best is None else best[1:]

    def forget(self, location: Location, side: Side) -> None:
        """Forget what was tried at a face that is another from now on: all may show the new one."""
        self._templates.pop((location, side), None)
        self._in_vain = {tried for tried in self._in_vain if tried[1:] != (location, side)}

    def _template(self, face: Face) -> Template:
        """Return a face made ready for matching, anew when its print is another."""
        kept = self._templates.get((face.location, face.side))
        if kept is None or not np.array_equal(kept.face.ink, face.ink):
            kept = Template(face)
            self._templates[face.location, face.side] = kept
        return kept
