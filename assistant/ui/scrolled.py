"""A page that is scrolled where it is higher than its room: large letters on a small screen."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from assistant.ui.palettes import Palette
from assistant.ui.theme import Theme


class Scrolled:
    """A frame in a frame: `outer` is placed, `frame` is filled; it is never narrower than asked."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        """Make it empty."""
        self.outer = ttk.Frame(parent)
        self._canvas = tk.Canvas(self.outer, highlightthickness=0, borderwidth=0, takefocus=0)
        self._bar = ttk.Scrollbar(self.outer, command=self._canvas.yview)
        self._canvas.pack(side="left", fill="both", expand=True)
        self.frame = ttk.Frame(self._canvas, padding=theme.px(16))
        self._item = self._canvas.create_window(0, 0, anchor="nw", window=self.frame)
        self._canvas.configure(yscrollcommand=self._scrolled)
        self._canvas.bind("<Configure>", lambda _event: self._fit())
        self.frame.bind("<Configure>", lambda _event: self._fit())
        self.outer.winfo_toplevel().bind("<FocusIn>", self._focused, add="+")
        for wheel, step in (("<Button-4>", -1), ("<Button-5>", 1)):
            self.frame.bind(wheel, lambda _event, step=step: self._roll(step))  # type: ignore[misc]
        self.frame.bind("<MouseWheel>", lambda event: self._roll(-1 if event.delta > 0 else 1))

    def colour(self, palette: Palette) -> None:
        """Paint the ground."""
        self._canvas.configure(background=palette.window)

    def _fit(self) -> None:
        wide = self._canvas.winfo_width()
        high = max(self._canvas.winfo_height(), self.frame.winfo_reqheight())
        self._canvas.itemconfigure(self._item, width=wide, height=high)
        self._canvas.configure(scrollregion=(0, 0, wide, high))

    def _scrolled(self, first: float, last: float) -> None:
        self._bar.set(first, last)
        if float(first) <= 0.0 and float(last) >= 1.0:
            self._bar.pack_forget()
        elif not self._bar.winfo_ismapped():
            self._bar.pack(side="right", fill="y", before=self._canvas)

    def _roll(self, step: int) -> None:
        self._canvas.yview_scroll(step, "units")

    def _focused(self, event: tk.Event[tk.Misc]) -> None:
        """Bring what the keyboard is on into view."""
        widget = event.widget
        if not isinstance(widget, tk.Misc) or not str(widget).startswith(f"{self.frame}."):
            return
        whole = max(self.frame.winfo_height(), 1)
        top = widget.winfo_rooty() - self.frame.winfo_rooty()
        bottom = top + widget.winfo_height()
        first, last = (share * whole for share in self._canvas.yview())
        if top < first:
            self._canvas.yview_moveto(max(top - 8, 0) / whole)
        elif bottom > last:
            self._canvas.yview_moveto((bottom + 8 - (last - first)) / whole)
