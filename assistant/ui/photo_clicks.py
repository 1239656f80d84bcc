"""A window with a photo in which points are clicked, one after the other, each asked for by name.

The right button (or Backspace) takes the last point back.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from PIL import Image, ImageTk

from assistant.ui.palettes import LIGHT

MOST_PX = (1100, 760)
_MARK_PX = 7


def ask_clicks(picture: Image.Image, asked: Sequence[str]) -> list[tuple[float, float]] | None:
    """Return a point in the picture (px) for each thing asked for; None when closed early.

    Raises:
        tkinter.TclError: there is no display.
    """
    window = PhotoClicks(picture, asked)
    window.run()
    return window.points if len(window.points) == len(asked) else None


class PhotoClicks:
    """The window; make, run and drop it in the main thread only. It closes after the last click."""

    def __init__(self, picture: Image.Image, asked: Sequence[str]) -> None:
        """Show the picture, scaled to fit.

        Raises:
            tkinter.TclError: there is no display.
        """
        self.points: list[tuple[float, float]] = []
        self._asked = asked
        self._root = tk.Tk()
        self._root.title("Bystander: where are the places?")
        # On a fine screen a photo may be shown larger than it is.
        fine = max(round(float(self._root.winfo_fpixels("1i")) / 96.0, 1), 1.0)
        self._scale = min(
            fine, *(most * fine / side for most, side in zip(MOST_PX, picture.size, strict=True))
        )
        size = (round(picture.width * self._scale), round(picture.height * self._scale))
        self._photo = ImageTk.PhotoImage(picture.resize(size), master=self._root)
        self._words = tk.Label(self._root, font=("TkDefaultFont", 12), pady=6,
                               background=LIGHT.window, foreground=LIGHT.ink)  # fmt: skip
        self._words.pack(fill="x")
        self._canvas = tk.Canvas(self._root, width=size[0], height=size[1], cursor="crosshair",
                                 highlightthickness=0)  # fmt: skip
        self._canvas.create_image(0, 0, image=self._photo, anchor="nw")
        self._canvas.pack()
        self._canvas.bind("<Button-1>", lambda event: self.click(event.x, event.y))
        self._canvas.bind("<Button-3>", lambda _event: self.take_back())
        self._root.bind("<BackSpace>", lambda _event: self.take_back())
        self._ask()

    def run(self) -> None:
        """Show the window until all is clicked or it is closed."""
        self._root.mainloop()

    def click(self, x_px: float, y_px: float) -> None:
        """Take a point of the window."""
        self.points.append((x_px / self._scale, y_px / self._scale))
        if len(self.points) == len(self._asked):
            self._root.destroy()
        else:
            self._ask()

    def take_back(self) -> None:
        """Take the last point back."""
        if self.points:
            self.points.pop()
            self._ask()

    def _ask(self) -> None:
        self._words.configure(text=f"Click {self._asked[len(self.points)]} (right button: back)")
        self._canvas.delete("mark")
        for x, y in self.points:
            at_x, at_y = x * self._scale, y * self._scale
            for dx, dy in ((_MARK_PX, _MARK_PX), (_MARK_PX, -_MARK_PX)):
                self._canvas.create_line(
                    at_x - dx, at_y - dy, at_x + dx, at_y + dy, fill="#d4452b", width=2, tags="mark"
                )
