"""A window with the map and a board's lights on it, for the simulated board.

It draws what it is given. Lights come from another thread into a slot that is polled by `after`.
"""

from __future__ import annotations

import threading
import tkinter as tk
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.present.map_shapes import MapShapes

WIDTH_PX = 720
_MARGIN_PX = 40
_POLL_MS = 40
_LIGHT_PX = 9
_TABLE, _ROAD, _WORDS, _UNLIT = "#15130f", "#3a352b", "#a89c86", "#2a2620"


class LightsWindow:
    """The window; make, run and drop it in the main thread only. `put` may be called from any."""

    def __init__(self, shapes: MapShapes, lights: int) -> None:
        """Draw the map with all lights out; they are shared out over the places in order.

        Raises:
            tkinter.TclError: there is no display.
        """
        self._root = tk.Tk()
        self._root.title("Bystander: a simulated LED board")
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        # Letters are sized in points: on a fine screen the map must grow with them.
        self._fine = max(float(self._root.winfo_fpixels("1i")) / 96.0, 1.0)
        wide, margin = round(WIDTH_PX * self._fine), round(_MARGIN_PX * self._fine)
        high = round(shapes.height * wide) + 2 * margin
        self._canvas = tk.Canvas(
            self._root,
            width=wide + 2 * margin,
            height=high,
            background=_TABLE,
            highlightthickness=0,
        )
        self._canvas.pack()
        self._lights = self._draw(shapes, max(lights // len(shapes.rings), 1))
        self._latest: Sequence[tuple[int, int, int]] | None = None
        self._lock = threading.Lock()
        self._is_open, self._waiting = True, ""

    def put(self, lights: Sequence[tuple[int, int, int]]) -> None:
        """Show these colours soon."""
        with self._lock:
            self._latest = lights

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Show the window until it is closed or nothing goes on any more."""
        self._poll(goes_on)
        self._root.mainloop()

    def close(self) -> None:
        """Close the window; may be called twice."""
        if self._is_open:
            self._is_open = False
            if self._waiting:
                self._root.after_cancel(self._waiting)
            self._root.destroy()

    def colours(self) -> list[str]:
        """Return what the lights are painted with, in order."""
        cget = self._canvas.itemcget
        return [str(cget(light, "fill")) for light in self._lights]  # type: ignore[no-untyped-call]

    def paint_latest(self) -> None:
        """Paint what came last, if anything did."""
        with self._lock:
            latest, self._latest = self._latest, None
        for item, light in zip(self._lights, latest or (), strict=False):
            self._canvas.itemconfigure(item, fill=_screen_colour(*light))

    def _poll(self, goes_on: Callable[[], bool]) -> None:
        self.paint_latest()
        if not goes_on():
            self.close()
        elif self._is_open:
            self._waiting = self._root.after(_POLL_MS, self._poll, goes_on)

    def _draw(self, shapes: MapShapes, each: int) -> list[int]:
        wide, margin = WIDTH_PX * self._fine, _MARGIN_PX * self._fine
        light = _LIGHT_PX * self._fine
        for road in shapes.roads:
            points = [margin + value * wide for point in road for value in point]
            self._canvas.create_line(*points, fill=_ROAD, width=3 * self._fine, smooth=True)
        items = []
        for ring in shapes.rings:
            x, y = margin + ring.x * wide, margin + ring.y * wide
            for number in range(each):
                left = x + (number - each / 2) * 2.4 * light + 0.2 * light
                items.append(
                    self._canvas.create_oval(
                        left, y - light, left + 2 * light, y + light,
                        fill=_UNLIT, outline=_ROAD,
                    )
                )  # fmt: skip
            self._canvas.create_text(
                min(max(x, 1.25 * margin), wide + 0.75 * margin),
                y + 2.4 * light,
                text=ring.location.value,
                fill=_WORDS,
            )
        return items


def _screen_colour(red: int, green: int, blue: int) -> str:
    """Return the paint for a light: a diode at a fifth of its duty is bright to the eye."""
    most = max(red, green, blue)
    if most == 0:
        return _UNLIT
    scale = (255 / most) ** 0.75
    return "#" + "".join(f"{min(round(v * scale), 255):02x}" for v in (red, green, blue))
