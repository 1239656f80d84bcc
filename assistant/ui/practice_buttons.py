"""What can be done at the practice table: which card is laid on the key, and lifting the stack."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import ttk

from assistant.ui.desk import Desk, Practice
from assistant.ui.theme import Theme

_NAMES = {
    Practice.YOUTH: "Youth  [F5]",
    Practice.RENDEZVOUS: "Rendezvous  [F6]",
    Practice.STEALTH: "Stealth  [F7]",
    Practice.LIFT: "Lift  [F8]",
}


class PracticeButtons(ttk.Frame):
    """Packed only while the practice table is the camera's."""

    def __init__(self, parent: tk.Misc, theme: Theme, desk: Desk) -> None:
        """Build them, unpacked."""
        super().__init__(parent)
        self._gap_px = theme.px(4)
        words = ttk.Label(self, style="Faint.TLabel",
                          text="Practice table: lay a card on your key and flip both")  # fmt: skip
        words.grid(row=0, column=0, columnspan=2, sticky="we")
        words.bind("<Configure>", lambda event: words.configure(wraplength=max(event.width, 100)))
        self.buttons = [ttk.Button(self, text=name, style="Quiet.TButton",
                                   command=partial(desk.practise, what))
                        for what, name in _NAMES.items()]  # fmt: skip
        self.columnconfigure(0, weight=1)
        self.bind("<Configure>", lambda event: self._lay(event.width))
        self._lay(self.winfo_reqwidth())

    def _lay(self, width: int) -> None:
        """Lay the buttons two by two, or with large letters one by one."""
        asked = [button.winfo_reqwidth() for button in self.buttons]
        columns = 2 if max(asked[::2]) + max(asked[1::2]) + 4 <= width else 1
        self.columnconfigure(1, weight=columns - 1)
        for number, button in enumerate(self.buttons):
            button.grid(row=1 + number // columns, column=number % columns,
                        columnspan=3 - columns, sticky="we", padx=1, pady=1)  # fmt: skip

    def show(self, shown: bool, after: tk.Misc) -> None:
        """Show or hide them; they stand below `after`."""
        if shown:
            self.pack(side="top", fill="x", pady=(0, self._gap_px), after=after)
        else:
            self.pack_forget()
