"""The candidates on the live picture of the real board: a watcher in a thread, rings drawn.

The board is looked for some three times a second while something moves, off the frame path. As long
as it lies still the first pose is kept, so nothing trembles; not found twice in a row it is gone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageDraw

from assistant.commands.frame_watch import FrameWatch
from assistant.present.lights import Layer
from assistant.present.table_map import TableMap
from assistant.session import Frame
from assistant.vision.board_finder import BoardFace, BoardFinder, learn_board
from assistant.vision.board_pose import BoardPose
from assistant.vision.stillness import Stillness

#: Between two looks, s; so often in a row it may be missed.
LOOK_EVERY_S, MOST_MISSED = 0.3, 1

_PAINTS = {
    Layer.YOUTH: (255, 150, 20),
    Layer.RENDEZVOUS: (70, 160, 255),
    Layer.LADY: (255, 60, 90),
}

#: The arcs of the layers round a ring, degrees clockwise from the right, as on the map.
_ARCS = {Layer.YOUTH: (155, 265), Layer.RENDEZVOUS: (275, 385), Layer.LADY: (35, 145)}


class BoardWatch(FrameWatch):
    """Knows where the board lies; `put`, `use` and `draw` may be called from any thread."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        """Start the thread; without a face nothing is looked for."""
        self.table: TableMap | None = None
        self._finder: BoardFinder | None = None
        self._pose: BoardPose | None = None
        self._missed = 0
        self._stillness = Stillness()
        super().__init__("board", warn)

    @property
    def pose(self) -> BoardPose | None:
        """Where the board lies; None where it is not in view."""
        return self._pose

    def use(self, face: BoardFace | None) -> None:
        """Look for this board from now on."""
        self._finder = None if face is None else BoardFinder(face)
        self._stillness = Stillness()
        self._pose = None

    @property
    def is_wanted(self) -> bool:
        """Whether there is a board to look for."""
        return self._finder is not None

    @property
    def pause_s(self) -> float:
        """Whether it is gone is found out soon; one that never was there is no hurry."""
        return LOOK_EVERY_S / 3 if self._is_unsure else LOOK_EVERY_S

    def look(self, frame: Frame) -> None:
        """Look at one frame (the thread does; tests may)."""
        finder = self._finder
        # While nothing moves the board lies where it lay, and one that was not there is not there;
        # only a miss is looked at again: it may have been a hand that passed.
        if self._stillness.holds(frame.picture) and not self._is_unsure:
            return
        found = None if finder is None else finder.find(frame.picture)
        if found is None:
            self._missed += 1
            if self._missed > MOST_MISSED:
                self._pose = None
            return
        self._missed = 0
        if self._pose is None or not found.is_near(self._pose):
            self._pose = found

    def draw(self, image: Image.Image, _frame: Frame, share: float) -> None:
        """Draw the candidates' arcs round the rings of the board (FilmMaker's overlay)."""
        pose, table = self._pose, self.table
        if pose is None or table is None:
            return
        draw = ImageDraw.Draw(image)
        for place in table.places:
            for layer in Layer:
                if layer in table.known and layer in place.shares:
                    arc = _arc(place.x, place.y, table.ring * 1.12, _ARCS[layer])
                    points = [(x * share, y * share) for x, y in pose.places(arc)]
                    wide = max(round(image.width / 320 * (1 + place.levels[layer])), 2)
                    draw.line(points, fill=(10, 10, 10), width=wide + 2, joint="curve")
                    draw.line(points, fill=_PAINTS[layer], width=wide, joint="curve")

    @property
    def _is_unsure(self) -> bool:
        """Whether it was missed, but not so often that it is gone."""
        return 0 < self._missed <= MOST_MISSED


def learnt_from(frame: Frame, corners: list[tuple[float, float]]) -> BoardFace:
    """Return the board learnt from a frame; corners in shares of its width and height.

    Raises:
        CornersError: the corners do not go clockwise round a board.
        ValueError: too little is to be seen of it.
    """
    high, wide = frame.picture.shape[:2]
    return learn_board(frame.picture, [(x * wide, y * high) for x, y in corners])


def _arc(
    x: float, y: float, radius: float, ends: tuple[int, int], steps: int = 14
) -> list[tuple[float, float]]:
    start, end = ends
    turns = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
