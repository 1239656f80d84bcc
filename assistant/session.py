"""The one engine: grab -> sight -> settle -> event -> journal (on disk) -> listeners.

Demo, reading of a film, and play all run on it. It knows no camera, file, or window: those are
given to it as the ports below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from assistant.vision.sighting import Picture, Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a source.

    `index` counts the source's frames from 0. `time_s` is when it was taken: seconds on the
    source's own clock (a film's by its frame rate), never running backwards.
    """

    picture: Picture
    index: int
    time_s: float


class CameraSource(Protocol):
    """Where frames come from: a camera, a film, a folder, the practice table."""

    def read(self, timeout_s: float) -> Frame | None:
        """Return the next frame (a live camera's newest); None when none came in `timeout_s`.

        A film, folder or script never waits: its None means that it is over.

        Raises:
            CameraLostError: the camera is gone or gives nothing any more; says what to try.
        """
        ...

    def close(self) -> None:
        """Let the source go; may be called twice and from any thread; never blocks for long."""
        ...


class Sight(Protocol):
    """Tells what one frame shows, remembering earlier frames (vision.Reader is one)."""

    def look(self, picture: Picture) -> Sighting:
        """Return what the picture claims."""
        ...
