"""The page on which the printed board is shown to the program: four corners are clicked."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from PIL import Image

from assistant.ui.film_view import ImageCanvas
from assistant.ui.palettes import Palette
from assistant.ui.theme import Theme

CORNERS = ("upper left", "upper right", "lower right", "lower left")

Corners = list[tuple[float, float]]

_MARK_PX = 7


class BoardPage:
    """A page over the map; `learn` is told the corners, in shares of the picture's sides."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        learn: Callable[[Corners], None],
        done: Callable[[], None],
    ) -> None:
        """Build the page without a picture."""
        self.frame = ttk.Frame(parent, padding=theme.px(16))
        self._learn, self._done = learn, done
        self._still: Image.Image | None = None
        self._corners: Corners = []
        self._words = ttk.Label(self.frame, style="Head.TLabel")
        self._words.pack(anchor="w")
        about = ttk.Label(self.frame, style="Faint.TLabel",
                          text="Of the printed board, as empty as may be. Names stand upright on "
                          "it; upper left is where Clerkenwell is.")  # fmt: skip
        about.pack(anchor="w", fill="x")
        about.bind("<Configure>", lambda event: about.configure(wraplength=max(event.width, 100)))
        line = ttk.Frame(self.frame)
        line.pack(side="bottom", anchor="w", pady=(theme.px(6), 0))
        self._button = ttk.Button(line, text="Leave it  [Esc]", command=done)
        self._button.pack(side="left")
        ttk.Button(line, text="Begin anew", command=self._again).pack(side="left", padx=theme.px(6))
        self.view = ImageCanvas(self.frame, lambda _wide, _high: self._fit())
        self.view.canvas.configure(cursor="crosshair")
        self.view.canvas.pack(fill="both", expand=True)
        self.view.canvas.bind("<Button-1>", lambda event: self.click(event.x, event.y))

    def show(self, still: Image.Image) -> None:
        """Show a picture of the board and ask for its corners."""
        self._still = still
        self._again()
        self._fit()

    def colour(self, palette: Palette) -> None:
        """Paint the ground."""
        self.view.colour(palette)

    def focus(self) -> None:
        """Put the keyboard on the way out."""
        self._button.focus_set()

    def click(self, x_px: int, y_px: int) -> None:
        """Take a corner; after the fourth the board is learnt."""
        left, top = self.view.spot
        wide, high = self.view.size
        if not wide or len(self._corners) == len(CORNERS):
            return
        self._corners.append(((x_px - left) / wide, (y_px - top) / high))
        self._mark()
        if len(self._corners) == len(CORNERS):
            self._learn(list(self._corners))
            self._done()

    def _again(self) -> None:
        self._corners.clear()
        self._mark()

    def _mark(self) -> None:
        """Mark what was clicked; ask for the next corner."""
        canvas = self.view.canvas
        canvas.delete("mark")
        if len(self._corners) < len(CORNERS):
            self._words.configure(text=f"Click the board's {CORNERS[len(self._corners)]} corner.")
        (left, top), (wide, high) = self.view.spot, self.view.size
        for x, y in self._corners:
            at_x, at_y = left + x * wide, top + y * high
            box = (at_x - _MARK_PX, at_y - _MARK_PX, at_x + _MARK_PX, at_y + _MARK_PX)
            canvas.create_oval(*box, outline="#ff5020", width=2, tags="mark")

    def _fit(self) -> None:
        """Show the picture as large as there is room."""
        room = (self.view.canvas.winfo_width(), self.view.canvas.winfo_height())
        if self._still is None or min(room) < 40:
            return
        share = min(room[0] / self._still.width, room[1] / self._still.height)
        size = (max(round(self._still.width * share), 1), max(round(self._still.height * share), 1))
        self.view.show(self._still.resize(size))
        self._mark()
