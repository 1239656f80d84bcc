"""A page that is scrolled where it is higher than its room: large letters on a small screen."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from assistant.ui.theme import Theme


class QuietBar(ttk.Scrollbar):
    """A scroll bar at the right of what it scrolls, there only while not all of that is seen."""

    def __init__(self, beside: tk.Canvas | tk.Text | ttk.Treeview) -> None:
        """Stand beside a widget that is packed, and be told by it what of it is seen."""
        super().__init__(beside.master, command=beside.yview)
        self._beside = beside
        beside.configure(yscrollcommand=self.told)

    def told(self, first: float, last: float) -> None:
        """Take what part is seen, in shares of the whole."""
        self.set(first, last)
        if float(first) <= 0.0 and float(last) >= 1.0:
            self.pack_forget()
        elif not self.winfo_manager():
            self.pack(side="right", fill="y", before=self._beside)


class Scrolled:
    """A frame in a frame: `outer` is placed, `frame` is filled.

    `frame` is as wide as the room, and as high as the room or as it asks for, whichever is more.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, style: str = "TFrame", pad: int = 16) -> None:
        """Make it empty; `pad` is the margin round `frame` in plain px."""
        self.outer = ttk.Frame(parent, style=style)
        self._canvas = tk.Canvas(self.outer, highlightthickness=0, borderwidth=0, takefocus=0)
        self._canvas.pack(side="left", fill="both", expand=True)
        self._bar = QuietBar(self._canvas)
        # The canvas sees what the holder asks for, at any time; it would not see what a frame asks
        # for whose height it sets itself.
        self._holder = ttk.Frame(self._canvas, style=style)
        self._holder.columnconfigure(0, weight=1)
        self.frame = ttk.Frame(self._holder, padding=theme.px(pad), style=style)
        self.frame.grid(sticky="nsew")
        self._item = self._canvas.create_window(0, 0, anchor="nw", window=self._holder)
        self._canvas.bind("<Configure>", self._fit)
        self._holder.bind("<Configure>", self._grown)
        window = self.outer.winfo_toplevel()
        window.bind("<FocusIn>", self._focused, add="+")
        for wheel in ("<Button-4>", "<Button-5>", "<MouseWheel>"):
            window.bind(wheel, self._roll, add="+")

    def colour(self, ground: str) -> None:
        """Paint the ground."""
        self._canvas.configure(background=ground)

    def _fit(self, event: tk.Event[tk.Misc]) -> None:
        self._canvas.itemconfigure(self._item, width=event.width)
        self._holder.rowconfigure(0, weight=1, minsize=event.height)

    def _grown(self, event: tk.Event[tk.Misc]) -> None:
        self._canvas.configure(scrollregion=(0, 0, event.width, event.height))

    def _holds(self, widget: object) -> bool:
        return isinstance(widget, tk.Misc) and f"{widget}.".startswith(f"{self.frame}.")

    def _roll(self, event: tk.Event[tk.Misc]) -> None:
        """Roll with the wheel, but for a text or a list, which rolls by itself."""
        if self._holds(event.widget) and not isinstance(event.widget, tk.Text | ttk.Combobox):
            self._canvas.yview_scroll(-1 if event.num == 4 or event.delta > 0 else 1, "units")

    def _focused(self, event: tk.Event[tk.Misc]) -> None:
        """Bring what the keyboard is on into view."""
        widget = event.widget
        if not self._holds(widget):
            return
        whole = max(self.frame.winfo_height(), 1)
        top = widget.winfo_rooty() - self.frame.winfo_rooty()
        bottom = top + widget.winfo_height()
        first, last = (share * whole for share in self._canvas.yview())
        if top < first:
            self._canvas.yview_moveto(max(top - 8, 0) / whole)
        elif bottom > last:
            self._canvas.yview_moveto((bottom + 8 - (last - first)) / whole)
