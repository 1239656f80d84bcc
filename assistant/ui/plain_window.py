"""A plain window: the film on the left, the map on the right, what was said below.

It draws what it is given and decides nothing. Other threads never touch it: pictures come through
a function that gives the newest, everything else through a queue; both are polled by `after`.
One picture item and one PhotoImage are kept and written over: a new one per frame would grow the
memory and the time per frame without end.
"""

from __future__ import annotations

import queue
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageTk

from assistant.present.map_shapes import LabelSide, MapShapes, RingShape, label_box

FILM_PX = (640, 360)
MAP_WIDTH_PX = 600

_POLL_MS = 20

_ANCHORS: dict[LabelSide, Literal["n", "w", "e"]] = {
    LabelSide.BELOW: "n",
    LabelSide.RIGHT: "w",
    LabelSide.LEFT: "e",
}

_RINGS = {
    "blue": "#6f8fc0",
    "green": "#6f9a5a",
    "grey": "#8c8c8c",
    "purple": "#9a6fa8",
    "red": "#b8584a",
}
#: A ring is drawn smaller than it is printed: the words need the room.
_RING_SHARE = 0.8

#: Names may stand a little over the map's edges, more so below.
_BESIDE_PX, _ABOVE_PX = 14, 40

_PANEL = "#fbf6e8"
_PAPER, _INK, _FAINT, _ROAD = "#f4ecd8", "#2b2118", "#9b8f7c", "#cdbf9f"


@dataclass(frozen=True, slots=True)
class Said:
    """A line to show under the film."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class MapChanged:
    """The map to show from now on."""

    shapes: MapShapes


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more will come; the window closes after `linger_ms`."""

    linger_ms: int = 4000


Message = Said | MapChanged | Finished


class PlainWindow:
    """The window; make, run and drop it in the main thread only."""

    def __init__(
        self,
        title: str,
        messages: queue.SimpleQueue[Message],
        newest: Callable[[], Image.Image | None],
    ) -> None:
        """Build the window.

        Args:
            title: the window's title.
            messages: what to show; any thread may put.
            newest: gives the newest picture of FILM_PX, None when there is no new one.

        Raises:
            tkinter.TclError: there is no display.
        """
        self._messages, self._newest = messages, newest
        self._root = tk.Tk()
        self._root.title(title)
        self._root.configure(background=_PAPER)
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        # Letters are sized in points: on a fine screen the map must grow with them.
        self._scale = max(float(self._root.winfo_fpixels("1i")) / 96.0, 1.0)
        self._margins = round(_BESIDE_PX * self._scale), round(_ABOVE_PX * self._scale)
        room = self._root.winfo_screenwidth() - 2 * self._margins[0] - 32
        # The film grows with the letters too, but the map needs more than half of a small screen.
        large = min(self._scale, max(room * 0.55 / FILM_PX[0], 1.0))
        self._film_px = (round(FILM_PX[0] * large), round(FILM_PX[1] * large))
        self._wide = min(round(MAP_WIDTH_PX * self._scale), max(room - self._film_px[0], 280))
        self._photo = ImageTk.PhotoImage(Image.new("RGB", self._film_px), master=self._root)
        film = tk.Label(self._root, image=self._photo, borderwidth=0)
        film.grid(row=0, column=0, padx=8, pady=8, sticky="n")
        self._map = tk.Canvas(
            self._root,
            width=self._wide + 2 * self._margins[0],
            height=420,
            background=_PAPER,
            highlightthickness=0,
        )
        self._map.grid(row=0, column=1, padx=8, pady=8, sticky="n")
        self._lines = tk.Text(self._root, height=10, width=60, wrap="word", state="disabled",
                              font="TkDefaultFont", background=_PANEL, foreground=_INK,
                              borderwidth=0, highlightthickness=0, padx=10, pady=8)  # fmt: skip
        self._lines.grid(row=1, column=0, columnspan=2, padx=8, pady=8, sticky="we")
        self._waiting: list[str] = [self._root.after(_POLL_MS, self._poll)]
        self._is_open = True

    def run(self) -> None:
        """Show the window until it is closed."""
        self._root.mainloop()

    def close(self) -> None:
        """Close the window; may be called twice."""
        if not self._is_open:
            return
        self._is_open = False
        for waiting in self._waiting:
            self._root.after_cancel(waiting)
        self._root.destroy()

    def _poll(self) -> None:
        picture = self._newest()
        if picture is not None:
            if picture.size != self._film_px:
                picture = picture.resize(self._film_px, Image.Resampling.BILINEAR)
            self._photo.paste(picture)
        linger_ms = None
        # In batches: a burst of messages must not keep the window from drawing.
        for _ in range(50):
            try:
                message = self._messages.get_nowait()
            except queue.Empty:
                break
            if isinstance(message, Said):
                self._say(message.text)
            elif isinstance(message, MapChanged):
                self._draw_map(message.shapes)
            else:
                linger_ms = message.linger_ms
        self._waiting = [self._root.after(_POLL_MS, self._poll)]
        if linger_ms is not None:
            self._waiting.append(self._root.after(linger_ms, self.close))

    def _say(self, text: str) -> None:
        self._lines.configure(state="normal")
        self._lines.insert("end", text + "\n")
        self._lines.configure(state="disabled")
        self._lines.see("end")

    def _draw_map(self, shapes: MapShapes) -> None:
        self._map.delete("all")
        wide = self._wide
        self._map.configure(height=round(shapes.height * wide) + 2 * self._margins[1])
        for road in shapes.roads:
            points = [coordinate * wide for point in road for coordinate in point]
            self._map.create_line(*points, fill=_ROAD, width=3 * self._scale, smooth=True)
        for ring in shapes.rings:
            self._draw_ring(ring, wide)
        for ring in shapes.rings:
            self._draw_words(ring, wide)
        self._map.move("all", *self._margins)

    def _draw_ring(self, ring: RingShape, wide: float) -> None:
        x, y, radius = ring.x * wide, ring.y * wide, ring.radius * wide * _RING_SHARE
        self._map.create_oval(
            x - radius,
            y - radius,
            x + radius,
            y + radius,
            outline=_RINGS[ring.colour.value],
            width=(6 if ring.share is not None else 2) * self._scale,
            fill=_PAPER,
        )
        if ring.was_read:
            self._map.create_text(x, y, text="read", fill=_FAINT, font=("TkDefaultFont", 8))

    def _draw_words(self, ring: RingShape, wide: float) -> None:
        (left, top), (right, bottom) = label_box(ring.side, ring.x, ring.y, ring.radius)
        x, y = {
            LabelSide.BELOW: ((left + right) / 2, top),
            LabelSide.RIGHT: (left, (top + bottom) / 2),
            LabelSide.LEFT: (right, (top + bottom) / 2),
        }[ring.side]
        alive = ring.share is not None
        self._map.create_text(
            x * wide,
            y * wide,
            anchor=_ANCHORS[ring.side],
            justify="center",
            text="\n".join([ring.location.value, *ring.words]),
            fill=_INK if alive or ring.may_meet else _FAINT,
            font=("TkDefaultFont", 8, "bold" if alive else "normal"),
        )
