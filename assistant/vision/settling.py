"""From sightings to readings: one stack laid down is one reading.

Sightings come in frame by frame and any of them may be wrong. A *run* is a stretch of sightings of
one key that stays where it is. Within a run a content is believed when enough of the last few
sightings claim it and none claims another; a blank, which rests on seeing nothing, takes more.

        found, same key, same place
      +----------------------------+
      v                            |
    [run] --enough agree--> [laid: told once] --found again--> [laid]        (nothing is told)
      ^                            |
      |                            | seen moving, then out of sight: lifted
      +----- found elsewhere  <----+ out of sight, then found elsewhere or with another content
             (a new laying)        + another stack settled and it is the only key in view

A hand over the stack hides it for a while, and it is found again where it lay: the same laying. A
stack pushed across the table while it is seen all the time is the same laying, too. When the value
of a stack that was never out of sight changes, only a long agreement tells it again, once.

Places are compared in shares of the card's height in the picture, as cameras differ.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assistant.core.terms import Content, ContentKind, Location
from assistant.vision.sighting import Side, Sighting

#: So many sightings must agree, of the last so many.
AGREEING = {
    ContentKind.ICON: 3,
    ContentKind.NUMBER: 3,
    ContentKind.LADY: 3,
    ContentKind.BLANK: 4,
}
SPARE = 2

#: Agreeing sightings lie within this time; older ones say nothing about now. So nothing settles
#: at less than one picture a second, and a blank not at less than one and a half.
AGREE_WITHIN_S = 2.0

#: From one sighting to the next, a stack at rest moves its centre and (on the mean) its corners at
#: most this share of its height. 0.005 is 1.5 px of a card 300 px high.
REST_CENTRE = 0.006
REST_CORNERS = 0.015

#: Over a whole run, no farther than this from where the run began.
DRIFT = 0.02

#: Found within this share of its height of where it was laid, it still lies there.
SAME_PLACE = 0.025

#: Seen this far from where it was laid, it is being moved.
MOVED = 0.04
FAR_SIGHTINGS = 2

#: Out of sight for so many sightings in a row, a stack may have been lifted; or, where few pictures
#: come, for at least two that span so long. A hand needs longer to lay another one there.
ABSENT_SIGHTINGS = 6
ABSENT_S = 0.45

#: A value that changes under an unmoved stack is told again after so many agreeing sightings.
CHANGED_AGREE = 15

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settled:
    """A reading: what a stack at rest shows, told once per laying.

    `first_frame` and `last_frame` are the first and last of the `frames` that agree.
    """

    location: Location
    content: Content
    confidence: float
    first_frame: int
    last_frame: int
    frames: int


@dataclass(frozen=True, slots=True)
class _Vote:
    content: Content
    confidence: float
    frame: int
    time_s: float


@dataclass(slots=True)
class _Run:
    """A key that stays where it is: where, and what its sightings claim."""

    location: Location
    anchor: Points
    latest: Points
    votes: deque[_Vote | None]
    is_alone: bool = True


@dataclass(slots=True)
class _Laying:
    """A stack whose reading was told and that may still lie there.

    `missed`: sightings in a row without it, from `missed_from_s` on. `was_away` and
    `far_sightings`: since it was last seen at rest, whether it was out of sight for long, and how
    often it was found far from its place.
    """

    content: Content
    place: Points
    missed: int = 0
    missed_from_s: float = 0.0
    was_away: bool = False
    far_sightings: int = 0
    is_gone: bool = False
    was_told_again: bool = False

    def is_missed(self, time_s: float) -> None:
        """Note that its key is not in view."""
        if not self.missed:
            self.missed_from_s = time_s
        self.missed += 1

    def is_found(self, here: Points, time_s: float) -> None:
        """Note that its key is in view."""
        long = self.missed >= 2 and time_s - self.missed_from_s >= ABSENT_S
        self.was_away = self.was_away or long or self.missed >= ABSENT_SIGHTINGS
        self.missed = 0
        if _apart(self.place, here) > MOVED:
            self.far_sightings += 1

    def lies_still(self, here: Points) -> None:
        """Note that it was seen at rest and is the same laying."""
        self.place = here
        self.was_away = False
        self.far_sightings = 0

    def is_over(self, here: Points, content: Content) -> bool:
        """Return whether what is now at rest here was laid down anew."""
        if self.is_gone:
            return True
        was_moved = self.far_sightings >= FAR_SIGHTINGS or _apart(self.place, here) > SAME_PLACE
        return self.was_away and (was_moved or content != self.content)


class Settler:
    """Takes sightings in the order of their frames. Not for several threads at once."""

    def __init__(self) -> None:
        self._run: _Run | None = None
        self._layings: dict[Location, _Laying] = {}

    def add(self, sighting: Sighting, frame: int, time_s: float) -> Settled | None:
        """Take one frame's sighting; return the reading where a stack has just settled.

        `frame` numbers rise; some may be left out. `time_s` is when the frame was grabbed.
        """
        location, corners = sighting.location, sighting.corners
        is_stack = location is not None and sighting.side is Side.BACK
        for other, laying in self._layings.items():
            if other is not location or not is_stack:
                laying.is_missed(time_s)
        if location is None or corners is None or not is_stack:
            if self._run is not None:
                self._run.votes.append(None)
            return None
        here = np.asarray(corners, np.float64)
        if location in self._layings:
            self._layings[location].is_found(here, time_s)
        run = self._run_with(location, here)
        run.is_alone = run.is_alone and sighting.others == 0
        if sighting.content is None or sighting.confidence is None:
            run.votes.append(None)
            return None
        run.votes.append(_Vote(sighting.content, sighting.confidence, frame, time_s))
        return self._settle(run, sighting.content, time_s)

    def _run_with(self, location: Location, here: Points) -> _Run:
        """Return the run that a found key belongs to; a new one where it moved."""
        run = self._run
        if run is None or run.location is not location or not _is_at_rest(run, here):
            run = self._run = _Run(location, here, here, deque(maxlen=CHANGED_AGREE + SPARE))
        run.latest = here
        return run

    def _settle(self, run: _Run, content: Content, time_s: float) -> Settled | None:
        """Return the reading where a run has just come to agree on a content not yet told."""
        votes = _agreeing(run, content, AGREEING[content.kind], time_s)
        if votes is None:
            return None
        laying = self._layings.get(run.location)
        is_same = laying is not None and not laying.is_over(run.latest, content)
        if laying is not None and is_same:
            laying.lies_still(run.latest)
            if laying.content == content or laying.was_told_again:
                return None
            votes = _agreeing(run, content, CHANGED_AGREE, None)
            if votes is None:
                return None
        self._layings[run.location] = _Laying(content, run.latest, was_told_again=is_same)
        if run.is_alone:
            # The only key in view: whatever lay on the table before is gone.
            for other, before in self._layings.items():
                before.is_gone = before.is_gone or other is not run.location
        return Settled(
            location=run.location,
            content=content,
            confidence=sum(vote.confidence for vote in votes) / len(votes),
            first_frame=votes[0].frame,
            last_frame=votes[-1].frame,
            frames=len(votes),
        )


def _agreeing(run: _Run, content: Content, needed: int, time_s: float | None) -> list[_Vote] | None:
    """Return the votes for a content if enough of the latest ones agree and none differs."""
    latest = list(run.votes)[-(needed + SPARE) :]
    votes = [vote for vote in latest if vote is not None]
    if time_s is not None:
        votes = [vote for vote in votes if time_s - vote.time_s <= AGREE_WITHIN_S]
    if len(votes) < needed or any(vote.content != content for vote in votes):
        return None
    return votes


def _height(points: Points) -> float:
    """Return a card's height in px: the mean of its two long sides."""
    left = float(np.hypot(*(points[3] - points[0])))
    right = float(np.hypot(*(points[2] - points[1])))
    return max((left + right) / 2, 1.0)


def _apart(before: Points, after: Points) -> float:
    """Return how far the corners moved on the mean, as a share of the card's height."""
    steps = np.hypot(*(after - before).T)
    return float(steps.mean()) / _height(before)


def _is_at_rest(run: _Run, here: Points) -> bool:
    centre = float(np.hypot(*(here.mean(axis=0) - run.latest.mean(axis=0)))) / _height(here)
    return (
        centre <= REST_CENTRE
        and _apart(run.latest, here) <= REST_CORNERS
        and _apart(run.anchor, here) <= DRIFT
    )
