"""The page that tells what each key does, and how the map is to be read."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from assistant.ui.palettes import Palette
from assistant.ui.scrolled import QuietBar
from assistant.ui.theme import Theme

_WORDS = (
    ("Playing", (
        ("space", "yes, next: the first answer"),
        ("a letter or digit", "the answer that shows it"),
        ("Esc", "back"),
        ("Ctrl+Z, Ctrl+Y", "undo, redo"),
        (":", "type an act, as: move cornhill"),
        ("the stealth card", "held to the camera: its symbol is offered"),
        ("click in the log", "change a reading, or take it back"),
        ("F4", "put right what does not fit"),
    )),
    ("The map", (
        ("●  upper left", "the Fair Youth may hide here"),
        ("◆  upper right", "a symbol that may be the rendezvous is here"),
        ("▲  below", "the Dark Lady may be here now"),
        ("hover, arrow keys", "why a place is in or out"),
        ("click, Enter", "choose the place"),
        ("dots round a ring", "you can move there"),
    )),
    ("The window", (
        ("F2", "picture and map change places"),
        ("F3", "camera and cards"),
        ("F9", "a small strip on top of everything"),
        ("F11", "full screen"),
        ("Ctrl+N, Ctrl+Q", "a new game, close"),
        ("Ctrl + and -", "larger and smaller letters"),
        ("Tab", "go through everything by keyboard"),
    )),
)  # fmt: skip


class KeysPage:
    """A page over the map."""

    def __init__(self, parent: tk.Misc, theme: Theme, done: Callable[[], None]) -> None:
        """Build the page."""
        self.frame = ttk.Frame(parent, padding=theme.px(16))
        self._text = tk.Text(self.frame, wrap="word", borderwidth=0, highlightthickness=0,
                             font="BodyFont", cursor="arrow", takefocus=0, height=5, width=20,
                             padx=theme.px(10))  # fmt: skip
        self._theme = theme
        self._button = ttk.Button(self.frame, text="Done  [Esc]", style="Primary.TButton",
                                  command=done)  # fmt: skip
        self._button.pack(side="bottom", anchor="w", pady=(theme.px(8), 0))
        self._text.pack(fill="both", expand=True)
        self._bar = QuietBar(self._text)
        self._text.tag_configure("head", font="HeadFont", spacing1=theme.px(8))
        for head, lines in _WORDS:
            self._text.insert("end", head + "\n", "head")
            for key, words in lines:
                self._text.insert("end", f"{key}\t{words}\n", "line")
        self._text.configure(state="disabled")

    def colour(self, palette: Palette) -> None:
        """Paint the text, which is no ttk widget, and set its columns for the letters' size."""
        font = self._theme.fonts["BodyFont"]
        column = max(font.measure(key) for _, lines in _WORDS for key, _ in lines)
        column += self._theme.px(16)
        self._text.tag_configure("line", tabs=(column,), lmargin2=column)
        self._text.configure(background=palette.panel, foreground=palette.ink)
        self._text.tag_configure("head", foreground=palette.accent)

    def focus(self) -> None:
        """Put the keyboard on Done."""
        self._button.focus_set()
