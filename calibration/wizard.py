"""The wizard's steps: frames and times in, what to tell the player out. No window, no clock.

The player lays a key under the camera, either side up, in any order. The wizard waits until the
card rests, cuts it out, finds out by itself which side of which key it is, and ticks it off:

               +-------------------- something moves -----------------------+
               v                                                            |
    [WAITING] --a card rests--> [LOOKING] --clear which key--> [TAUGHT] ----+
                                  |    |                                    |
                    seen badly <--+    +--not clear after some looks        |
                        |                  v                                |
                   [HINDERED] ----+     [ASKING] --answered--> [TAUGHT]     |
                                  |        |                                |
                                  +--------+--------------------------------+
    from any: all that was asked for is taught --> [DONE]

It asks for a name only when hole, icons and words leave it unsure; a card whose name stays open is
kept, and gets it when the other keys have theirs. Nothing here looks at Fair Youth, Rendezvous or
stealth cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from assistant.core.terms import Feature, Location
from assistant.vision.geometry import corners_in_picture
from assistant.vision.ink import Grey
from assistant.vision.printed_words import TextReader
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Corners, Picture, Side
from calibration.album import Album
from calibration.begun import MOST_OF_ONE, Begun
from calibration.conditions import HINDERING, Condition, conditions_of
from calibration.cut import cut_card
from calibration.icons import icon_patches
from calibration.learning import Lesson, lesson_from
from calibration.pile import Pile
from calibration.rest import RestWatch
from calibration.shot import shot_at

#: A card that lay still for so long rests; it is looked at so often, so many times before asking.
REST_S = 0.35
LOOK_EVERY_S = 0.15
LOOKS = 4
#: A card that is seen badly, or not at all, is looked at again after so long.
AGAIN_S = 0.5
#: Shots that are kept of a face.
MOST_SHOTS = 4
#: A name is sure when it leads every other free key by so much. Single pictures of keys that were
#: named wrongly (three of 176) led by up to 0.14.
SURE_LEAD = 0.16
#: A key is offered as an answer when it fits at most so much worse than the likest, and so many.
OFFERED_WITHIN = 0.35
MOST_OFFERED = 4

Sides = frozenset[tuple[Location, Side]]

ALL_SIDES: Sides = frozenset((location, side) for location in Location for side in Side)


class Step(Enum):
    """Where the wizard stands."""

    WAITING = "waiting"
    LOOKING = "looking"
    HINDERED = "hindered"
    ASKING = "asking"
    TAUGHT = "taught"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Progress:
    """What to tell the player after a frame.

    `seen` is the side in view: its key where that is known. `is_news` is set in the one frame in
    which the side was learnt. `choices` are the keys to choose from while asking, the likest
    first. `wanted` is all that was asked for, `taught` what is learnt of it and beside it.
    """

    step: Step
    wanted: Sides
    taught: Sides
    icons: frozenset[Feature]
    corners: Corners | None = None
    seen: tuple[Location | None, Side] | None = None
    is_news: bool = False
    choices: tuple[Location, ...] = ()
    conditions: frozenset[Condition] = field(default_factory=frozenset)
    is_still: bool = False
    """While waiting: nothing moves, yet no card stands out."""

    @property
    def missing(self) -> Sides:
        """What is still to be shown."""
        return self.wanted - self.taught

    @property
    def is_enough(self) -> bool:
        """Whether every stack could be read by now: all backs and all icons."""
        backs = {location for location, side in self.taught if side is Side.BACK}
        return len(backs) == len(Location) and len(self.icons) == len(Feature)


class Wizard:
    """Learns keys from a stream of frames. Not for several threads at once."""

    def __init__(
        self,
        facts: Mapping[str, Any],
        read_text: TextReader | None = None,
        *,
        earlier: CardProfile | None = None,
        begun: Begun | None = None,
        again: Location | None = None,
    ) -> None:
        """Start with nothing, or go on from an earlier profile.

        Args:
            facts: the measured facts of the keys (the layout of assistant/data/keys.json).
            read_text: reads printed words, where there is such a program.
            earlier: what was learnt before; its faces need not be shown again.
            begun: the icons kept beside the earlier profile.
            again: a key to be taught anew; only its two sides are asked for then.
        """
        self._facts, self._earlier = facts, earlier
        known = () if earlier is None else earlier.faces
        self._replaced = [face for face in known if face.location is again]
        self._album = Album(
            facts,
            read_text,
            [face for face in known if face.location is not again],
            least_lead=SURE_LEAD,
            most_shots=MOST_SHOTS,
        )
        self._patches = {
            key: list(seen)
            for key, seen in (begun or Begun()).patches.items()
            if key[1] is not again
        }
        self._wanted = ALL_SIDES if again is None else frozenset((again, side) for side in Side)
        self._rest = RestWatch()
        self._next_look_s = 0.0
        self._looks = 0
        self._pile: Pile | None = None
        self._number = 0
        self._lesson = self._learnt()
        self._told = self._progress(Step.WAITING)

    @property
    def progress(self) -> Progress:
        """What was told last."""
        return self._told

    @property
    def lesson(self) -> Lesson:
        """What is learnt so far; its profile may lack faces and icons."""
        return self._lesson

    @property
    def profile(self) -> CardProfile:
        """The profile to be kept: what is learnt, and the old sides of a key not shown anew yet."""
        learnt, taught = self._lesson.profile, self._taught()
        old = [face for face in self._replaced if (face.location, face.side) not in taught]
        return replace(learnt, faces=(*learnt.faces, *old))

    def files(self) -> dict[str, bytes]:
        """Return what is to be kept: the profile and what going on later needs."""
        return {**self.profile.to_files(), **Begun(self._all_patches()).to_files()}

    def show(self, picture: Picture, time_s: float) -> Progress:
        """Take the next frame and the time at which it was grabbed; return what to tell."""
        still_s = self._rest.still_for_s(picture, time_s)
        if self._told.step is Step.DONE:
            self._told = replace(self._told, corners=None, is_news=False)
        elif still_s < REST_S:
            self._looks, self._pile, self._next_look_s = 0, None, 0.0
            self._told = self._progress(Step.WAITING, conditions=conditions_of(picture, None))
        elif time_s >= self._next_look_s:
            self._told = self._look(picture, time_s)
        else:
            self._told = replace(self._told, is_news=False)
        return self._told

    def answer(self, location: Location | None) -> Progress:
        """Take the player's answer to which key is in view; None leaves it open."""
        pile = self._pile
        if self._told.step is Step.ASKING and pile is not None:
            if location is None:
                self._told = self._progress(Step.WAITING)
            else:
                self._album.fix(pile, location)
                self._album.name()
                self._lesson = self._learnt()
                self._told = self._progress(
                    Step.TAUGHT, corners=self._told.corners, pile=pile, is_news=True
                )
            self._next_look_s = float("inf")
        return self._told

    def take_back(self, sides: Iterable[tuple[Location, Side]]) -> Progress:
        """Forget sides that were learnt badly; they are to be shown again."""
        bad = frozenset(sides)
        self._album.forget(bad)
        fronts = {location for location, side in bad if side is Side.FRONT}
        self._patches = {key: seen for key, seen in self._patches.items() if key[1] not in fronts}
        self._lesson = self._learnt()
        self._looks, self._pile, self._next_look_s = 0, None, float("inf")
        self._told = self._progress(Step.WAITING)
        return self._told

    def _look(self, picture: Picture, time_s: float) -> Progress:
        """Look at what rests in view."""
        cut = cut_card(picture)
        self._next_look_s = time_s + AGAIN_S
        if cut is None:
            waiting = self._progress(Step.WAITING, conditions=conditions_of(picture, None))
            return replace(waiting, is_still=True)
        corners = corners_in_picture(cut.homography)
        bad = conditions_of(picture, cut.homography)
        if bad & HINDERING:
            return self._progress(Step.HINDERED, corners=corners, conditions=bad)
        self._next_look_s = time_s + LOOK_EVERY_S
        self._looks += 1
        before = self._taught()
        self._number += 1
        pile = self._album.add(shot_at(self._number, picture, cut.homography))
        self._album.name()
        self._pile = pile = self._album.pile_of(self._number) or pile
        taught = self._taught()
        if taught != before:
            self._lesson = self._learnt()
        if pile.location is not None:
            # One more look for the sake of the noise, then it is left alone.
            self._next_look_s = float("inf") if self._looks > 1 else self._next_look_s
            news = taught != before
            return self._progress(
                Step.TAUGHT, corners=corners, pile=pile, is_news=news, conditions=bad
            )
        if self._looks < LOOKS:
            return self._progress(Step.LOOKING, corners=corners, pile=pile, conditions=bad)
        self._next_look_s = float("inf")
        return self._progress(Step.ASKING, corners=corners, pile=pile, conditions=bad)

    def _progress(
        self,
        step: Step,
        *,
        corners: Corners | None = None,
        pile: Pile | None = None,
        is_news: bool = False,
        conditions: frozenset[Condition] = frozenset(),
    ) -> Progress:
        taught = self._taught()
        if self._wanted <= taught and step is not Step.ASKING:
            step = Step.DONE
        seen = None
        if pile is not None:
            seen = pile.location, pile.side
        choices = self._choices(pile) if step is Step.ASKING and pile is not None else ()
        return Progress(
            step,
            self._wanted,
            taught,
            self._lesson.icons,
            corners,
            seen,
            is_news,
            choices,
            conditions,
        )

    def _choices(self, pile: Pile) -> tuple[Location, ...]:
        likely = self._album.choices(pile)
        if not likely:
            return ()
        least = pile.total.get(likely[0], 0.0) - OFFERED_WITHIN
        return tuple(
            place for place in likely[:MOST_OFFERED] if pile.total.get(place, 0.0) >= least
        )

    def _taught(self) -> Sides:
        """Return the sides whose name is sure by now."""
        return frozenset(
            (pile.location, pile.side) for pile in self._album.piles if pile.location is not None
        )

    def _learnt(self) -> Lesson:
        return lesson_from(
            self._album, self._facts, earlier=self._earlier, patches=self._all_patches()
        )

    def _all_patches(self) -> dict[tuple[Feature, Location], list[Grey]]:
        """Return the icons of earlier fronts and of those shown now."""
        patches = dict(self._patches)
        for key, seen in icon_patches(self._album, self._facts).items():
            patches[key] = [*seen, *patches.get(key, [])][:MOST_OF_ONE]
        return patches
