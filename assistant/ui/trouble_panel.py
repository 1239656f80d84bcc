"""The calm line that says what does not fit together, with the button that leads to the slip."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from assistant.present.choices import Ask
from assistant.ui.theme import Theme


class TroublePanel(ttk.Frame):
    """Packed only while something does not fit."""

    def __init__(self, parent: tk.Misc, theme: Theme, put_right: Callable[[], None]) -> None:
        """Build it, unpacked."""
        px = theme.px
        super().__init__(parent, style="Row.TFrame", padding=(px(12), px(6)))
        self._gap_px = px(8)
        # The button is packed first: long words are cut, it is not.
        button = ttk.Button(self, text="Put it right  [F4]", command=put_right)
        button.pack(side="right", padx=(px(10), 0))
        self.words = ttk.Label(self, style="Warn.TLabel")
        self.words.pack(anchor="w", fill="x")
        self._note = ttk.Label(self, style="Note.TLabel")
        self._note.pack(anchor="w", fill="x")
        self.words.bind("<Configure>", self._wrap)

    def show(self, trouble: Ask | None, below: tk.Misc) -> None:
        """Show what does not fit, on top of `below`, packed at the bottom; None hides the panel."""
        if trouble is None:
            self.pack_forget()
            return
        self.words.configure(text=trouble.title)
        self._note.configure(text=trouble.note)
        if not self.winfo_manager():
            self.pack(side="bottom", fill="x", after=below)

    def _wrap(self, event: tk.Event[tk.Misc]) -> None:
        for label in (self.words, self._note):
            label.configure(wraplength=max(event.width - self._gap_px, 100))
