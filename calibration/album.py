"""The shots of one set of keys, sorted into the faces that they show.

    add(shot) -> its pile: the shots whose print lies exactly over each other
    name()    -> which key each pile shows; what stayed without a name is tried once more against
                 the faces that have one, on either side and both ways up

A pile is made of shots alone, so a dark table that shows through the hole can keep two shots of
one face apart: where the hole is, nobody knows before the face has its name. The second try knows.

The wizard adds shots as they are shown and asks for names after each; headless learning adds all
of them and asks once. Faces that were learnt earlier (a profile begun before) are piles without
shots, whose names stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assistant.core.terms import Location
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.keyhole_places import HOLE_PX_PER_MM, outline_scores
from assistant.vision.printed import PrintedFacts, Scores, word_scores
from assistant.vision.printed_words import TextReader
from assistant.vision.profile import Face
from assistant.vision.register import Template
from assistant.vision.sighting import Side
from calibration.naming import (
    ICONS_WEIGHT,
    WORDS_WEIGHT,
    assign,
    icon_scores,
)
from calibration.pile import Pile
from calibration.prints import PERHAPS_SAME, face_from, fingerprint, laid_over, unnamed_face
from calibration.second_try import SecondTry
from calibration.shot import Shot

#: The likest piles that a shot is laid over.
MOST_TRIED = 3
#: Words are read when they are so alike to some key's (0..1): upside down they give below 0.35.
WORDS_READ = 0.5
#: Words that were read tell a key when they are so much less alike to all other keys'.
WORDS_LEAD = 0.15
#: A pile is a key's only if some shot shows nearly all of the outline of its hole so clearly, or
#: its words were read. Backs: the best shots of 33 keys show 0.78 and more (practice deck, both
#: editions); of some 500 of other cards (Fair Youth, Rendezvous, stealth, fog, the map) the likest
#: show 0.72 and 0.69: a fog card's blot and a stealth card's house. Fronts have a header, which
#: only stealth faces seem to have at times: 0.63 and more against 0.35.
LEAST_WHOLE = {Side.BACK: 0.75, Side.FRONT: 0.5}
#: Nor does it get a key's name when the outline of another's hole is so much clearer, be that
#: other key known already: this card was cut out badly, and is the other.
OTHER_OUTLINE = 0.15
#: The score of a key whose face is known: no other pile gets it.
NEVER = -9.0


class Album:
    """Sorts shots into faces and names them. Not for several threads at once."""

    def __init__(
        self,
        facts: Mapping[str, Any],
        read_text: TextReader | None = None,
        known: Iterable[Face] = (),
        *,
        least_lead: float = 0.0,
        most_shots: int | None = None,
    ) -> None:
        """Start with no shots.

        Args:
            facts: the measured facts of the keys (the layout of assistant/data/keys.json).
            read_text: reads printed words, where there is such a program; keyholes and icons do
                without it.
            known: faces learnt earlier, whose names stand.
            least_lead: by how much a name must lead (beyond what naming.py asks for anyway).
            most_shots: how many shots of a face are kept; all where None.
        """
        self.holes = keyholes_from_facts(facts)
        self._second = SecondTry()
        self.printed = PrintedFacts.from_facts(facts)
        self._read_text = read_text
        self._least_lead, self._most_shots = least_lead, most_shots
        self.piles: list[Pile] = [
            Pile(face.side, Template(face), face, location=face.location, is_fixed=True)
            for face in known
        ]

    def add(self, shot: Shot) -> Pile:
        """Put a shot on the pile of its face, a new one where it has none; return the pile."""
        pile, laid = self._place(shot, self.piles)
        if pile is None:
            pile = Pile(shot.side, Template(unnamed_face(shot)))
            self.piles.append(pile)
            laid = shot
        if laid is not None:
            self._put(pile, laid)
        return pile

    def name(self) -> None:
        """Give every pile that is clear enough its key's name; take the names of others away."""
        self._name_piles()
        for pile in [p for p in self.piles if p.location is None]:
            self._spread(pile)
        self.piles = [pile for pile in self.piles if pile.shots or pile.is_fixed]

    def fix(self, pile: Pile, location: Location) -> None:
        """Name a pile for good, as the player says; another pile of that name gives way."""
        for other in self.piles:
            if other is not pile and (other.side, other.location) == (pile.side, location):
                other.location, other.is_fixed = None, False
                self._second.forget(location, pile.side)
        pile.location, pile.is_fixed = location, True
        pile.is_turned = pile.side is Side.BACK and self._way(pile, location) == 1

    def forget(self, sides: frozenset[tuple[Location, Side]]) -> None:
        """Forget the faces of named sides and their shots, and what was tried at them."""
        for location, side in sides:
            self._second.forget(location, side)
        self.piles = [
            pile
            for pile in self.piles
            if pile.location is None or (pile.location, pile.side) not in sides
        ]

    def pile_of(self, number: int) -> Pile | None:
        """Return the pile that holds the shot of a number."""
        return next((p for p in self.piles if any(s.number == number for s in p.shots)), None)

    def choices(self, pile: Pile) -> list[Location]:
        """Return the keys that a pile may show, the likest first, those with a face left out."""
        taken = {p.location for p in self.piles if p.side is pile.side and p is not pile}
        free = [location for location in Location if location not in taken]
        return sorted(free, key=lambda location: -pile.total.get(location, 0.0))

    def lead(self, pile: Pile) -> float:
        """Return by how much a named pile fits its key better than any key without a face."""
        if pile.location is None:
            return 0.0
        free = [place for place in self.choices(pile) if place is not pile.location]
        rival = max((pile.total.get(place, 0.0) for place in free), default=0.0)
        return pile.total.get(pile.location, 0.0) - rival

    def faces(self) -> list[Face]:
        """Return the faces of the named piles."""
        made = [self.face(pile) for pile in self.piles]
        return [face for face in made if face is not None]

    def face(self, pile: Pile) -> Face | None:
        """Return the face of a pile; None as long as it has no name."""
        if pile.location is None:
            return None
        if not pile.shots:
            return pile.known
        return face_from(pile.upright(), pile.location, self.holes, pile.known)

    # --- sorting ---------------------------------------------------------------------------------

    def _place(self, shot: Shot, piles: Sequence[Pile]) -> tuple[Pile | None, Shot | None]:
        """Return the pile of a shot's face and the shot laid over it; (None, None) without one."""
        ways = (shot,) if shot.side is Side.FRONT else (shot, shot.turned())
        prints = [fingerprint(way.ink) for way in ways]
        alike = [
            (float(np.dot(print_, pile.print)), number, way)
            for print_, way in zip(prints, ways, strict=True)
            for number, pile in enumerate(piles)
            if pile.side is shot.side
        ]
        alike.sort(key=lambda entry: -entry[0])
        for score, number, way in alike[:MOST_TRIED]:
            laid = laid_over(piles[number].template, way) if score >= PERHAPS_SAME else None
            if laid is not None:
                return piles[number], laid
        return None, None

    def _put(self, pile: Pile, shot: Shot) -> None:
        pile.shots.append(shot)
        if self._most_shots is not None:
            del pile.shots[: -self._most_shots]
        pile.judged += 1
        ways = (shot,) if pile.side is Side.FRONT else (shot, shot.turned())
        for number, way in enumerate(ways):
            if len(pile.scores) <= number:
                pile.scores.append(dict.fromkeys(Location, 0.0))
            found = outline_scores(way.straight(HOLE_PX_PER_MM), self.holes, pile.side)
            for location, hole in found.items():
                pile.scores[number][location] += hole.score
                pile.outlines[location] = max(pile.outlines.get(location, 0.0), hole.score)
                pile.wholes[location] = max(pile.wholes.get(location, 0.0), hole.whole)

    # --- naming ----------------------------------------------------------------------------------

    def _name_piles(self) -> None:
        for side in Side:
            mine = [pile for pile in self.piles if pile.side is side]
            fixed = {pile.location for pile in mine if pile.is_fixed}
            for pile in mine:
                if pile.shots:
                    pile.total = self._total(pile)
            free = [pile for pile in mine if not pile.is_fixed]
            scores = [
                {place: NEVER if place in fixed else score for place, score in pile.total.items()}
                for pile in free
            ]
            for pile, location in zip(free, assign(scores), strict=True):
                is_key = location is not None and self._is_key(pile, location)
                pile.location = location if is_key else None
            for pile in [p for p in free if self.lead(p) < self._least_lead]:
                pile.location = None

    def _total(self, pile: Pile) -> Scores:
        """Return how well a pile fits each key, the better way up (which it notes).

        Words are read the way up that keyhole and icons tell; upside down they give nothing, so
        the other way is tried, too.
        """
        ways = [self._scores(pile, way) for way in range(len(pile.scores))]
        order = sorted(range(len(ways)), key=lambda way: -max(ways[way].values()))
        for way in order if self._read_text is not None else ():
            words = self._words(pile, way)
            ways[way] = {place: ways[way][place] + WORDS_WEIGHT * words[place] for place in words}
            if max(words.values()) > WORDS_READ:
                break
        best = max(order, key=lambda way: max(ways[way].values()))
        pile.is_turned = best == 1
        return ways[best]

    def _way(self, pile: Pile, location: Location) -> int:
        ways = range(len(pile.scores))
        return max(ways, key=lambda way: self._scores(pile, way)[location])

    def _scores(self, pile: Pile, way: int) -> dict[Location, float]:
        """Return how well a pile fits each key one way up, by keyhole and icons."""
        total = {place: score / pile.judged for place, score in pile.scores[way].items()}
        if pile.side is Side.FRONT:
            for location, score in icon_scores(pile.ink(), self.printed).items():
                total[location] += ICONS_WEIGHT * score
        return total

    def _words(self, pile: Pile, way: int) -> Scores:
        """Return how well the words of the sharpest shot fit each key, one way up."""
        shot = max(pile.shots, key=lambda shot: float(shot.ink.std()))
        seen = (way, shot.number)
        if seen not in pile.words:
            printed = self.printed.names if pile.side is Side.FRONT else self.printed.back_words
            read = (
                ""
                if self._read_text is None
                else self._read_text((shot, shot.turned())[way].words())
            )
            pile.words[seen] = word_scores(read, printed)
        return pile.words[seen]

    def _is_key(self, pile: Pile, location: Location) -> bool:
        """Whether a pile shows a key at all: what is left over must not get the last free name."""
        for (way, _), words in pile.words.items():
            others = max(score for place, score in words.items() if place is not location)
            if way == pile.is_turned and words[location] > max(WORDS_READ, others + WORDS_LEAD):
                return True
        mine = pile.outlines.get(location, 0.0)
        others = max(score for place, score in pile.outlines.items() if place is not location)
        is_whole = pile.wholes.get(location, 0.0) >= LEAST_WHOLE[pile.side]
        return is_whole and mine > others - OTHER_OUTLINE

    def _spread(self, pile: Pile) -> None:
        """Move an unnamed pile's shots to the named faces that they show."""
        named = [(other, face) for other in self.piles if (face := self.face(other)) is not None]
        moved = []
        for shot in pile.shots:
            found = self._second.face_of(shot, named)
            if found is not None:
                self._put(*found)
                moved.append(shot)
        if moved:
            left = [shot for shot in pile.shots if shot not in moved]
            pile.shots, pile.scores, pile.judged = [], [], 0
            pile.outlines, pile.wholes = {}, {}
            for shot in left:
                self._put(pile, shot)
