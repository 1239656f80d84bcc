"""The live picture: one canvas, one image item, one PhotoImage that is written over.

A new PhotoImage or item for every frame grows the memory and the time per frame without end.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from PIL import Image, ImageTk

from assistant.ui.palettes import Palette


class ImageCanvas:
    """A canvas with one picture in its middle; `place` for its window, `spot` for its corner."""

    def __init__(self, parent: tk.Misc, on_size: Callable[[int, int], None]) -> None:
        """Make an empty canvas.

        Args:
            parent: where it stands.
            on_size: told the canvas' (width, height) in px whenever it changes.
        """
        self.canvas = tk.Canvas(parent, highlightthickness=0, borderwidth=0, takefocus=0)
        self._photo: ImageTk.PhotoImage | None = None
        self._item = self.canvas.create_image(0, 0, anchor="nw")
        self._on_size = on_size
        self.spot = (0, 0)
        self.size = (0, 0)
        self.canvas.bind("<Configure>", self._configured)

    def show(self, picture: Image.Image) -> None:
        """Show a picture; the PhotoImage is made anew only when the size changes."""
        if self._photo is None or self.size != picture.size:
            self._photo = ImageTk.PhotoImage(picture, master=self.canvas)
            self.size = picture.size
            self.canvas.itemconfigure(self._item, image=self._photo)
            self._centre()
        else:
            self._photo.paste(picture)

    def clear(self) -> None:
        """Show no picture."""
        self.canvas.itemconfigure(self._item, image="")
        self._photo, self.size = None, (0, 0)

    def colour(self, palette: Palette) -> None:
        """Paint the ground."""
        self.canvas.configure(background=palette.panel)

    def _configured(self, event: tk.Event[tk.Canvas]) -> None:
        self._centre()
        self._on_size(event.width, event.height)

    def _centre(self) -> None:
        wide, high = self.canvas.winfo_width(), self.canvas.winfo_height()
        self.spot = (max((wide - self.size[0]) // 2, 0), max((high - self.size[1]) // 2, 0))
        self.canvas.coords(self._item, *self.spot)
