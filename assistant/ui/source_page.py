"""The page where camera and card profile are picked; the live picture beside it is the preview."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import filedialog, ttk

from assistant.ui.desk import Choices, Desk
from assistant.ui.palettes import Palette
from assistant.ui.scrolled import Scrolled
from assistant.ui.theme import Theme

#: Names of Tcl variables: a Variable object may be dropped in another thread, which Tk minds.
_CAMERA, _PROFILE = "bystander_camera", "bystander_profile"


class SourcePage:
    """A page over the map."""

    def __init__(self, parent: tk.Misc, theme: Theme, desk: Desk, done: Callable[[], None]) -> None:
        """Build the page; the choices come later."""
        self._theme, self._desk = theme, desk
        self._page = Scrolled(parent, theme)
        self.frame, self._inner = self._page.outer, self._page.frame
        ttk.Label(self._inner, text="Camera", style="Head.TLabel").pack(anchor="w")
        self._note("The picture at the left shows what it sees, and how many a second.")
        self._cameras = ttk.Frame(self._inner)
        self._cameras.pack(anchor="w", fill="x")
        self._other = self._entry("Another: a phone's stream (http://…), a film, a folder",
                                  lambda: desk.use_camera(self._other.get().strip()))  # fmt: skip
        ttk.Label(self._inner, text="Card profile", style="Head.TLabel").pack(
            anchor="w", pady=(theme.px(12), 0)
        )
        self._note("What your printed cards look like, learnt from your own cards.")
        self._profiles = ttk.Frame(self._inner)
        self._profiles.pack(anchor="w", fill="x")
        line = ttk.Frame(self._inner)
        line.pack(anchor="w", pady=theme.px(6))
        ttk.Button(line, text="Teach it my cards…", command=desk.calibrate).pack(side="left")
        ttk.Button(line, text="A profile elsewhere…", command=self._browse).pack(
            side="left", padx=theme.px(6)
        )
        bottom = ttk.Frame(self._inner)
        bottom.pack(side="bottom", anchor="w")
        self._button = ttk.Button(bottom, text="Done  [Esc]", style="Primary.TButton", command=done)
        self._button.pack(side="left")
        ttk.Button(bottom, text="Look again", command=desk.look_for_choices).pack(
            side="left", padx=theme.px(6)
        )

    def colour(self, palette: Palette) -> None:
        """Paint the ground."""
        self._page.colour(palette.window)

    def focus(self) -> None:
        """Put the keyboard on Done."""
        self._button.focus_set()

    def show(self, choices: Choices) -> None:
        """Show what there is to choose from."""
        self.frame.setvar(_CAMERA, choices.camera)
        self.frame.setvar(_PROFILE, choices.profile)
        self._fill(self._cameras, choices.cameras, _CAMERA,
                   lambda: self._desk.use_camera(str(self.frame.getvar(_CAMERA))))  # fmt: skip
        self._fill(self._profiles, choices.profiles, _PROFILE,
                   lambda: self._desk.use_profile(str(self.frame.getvar(_PROFILE))))  # fmt: skip

    def _fill(
        self,
        frame: ttk.Frame,
        values: object,
        variable: str,
        chosen: Callable[[], None],
    ) -> None:
        for kid in frame.winfo_children():
            kid.destroy()
        assert isinstance(values, list | tuple)  # noqa: S101 - Choices holds sequences
        for value, name in values:
            ttk.Radiobutton(
                frame,
                text=name,
                value=value,
                variable=variable,  # type: ignore[arg-type]  # Tcl takes a name
                command=chosen,
            ).pack(anchor="w")

    def _note(self, text: str) -> None:
        ttk.Label(self._inner, text=text, style="Faint.TLabel").pack(anchor="w")

    def _entry(self, words: str, used: Callable[[], None]) -> ttk.Entry:
        self._note(words)
        line = ttk.Frame(self._inner)
        line.pack(anchor="w", fill="x")
        entry = ttk.Entry(line, width=36, font="BodyFont")
        entry.pack(side="left")
        entry.bind("<Return>", lambda _event: used())
        ttk.Button(line, text="Use it", command=used).pack(side="left", padx=self._theme.px(6))
        return entry

    def _browse(self) -> None:
        folder = filedialog.askdirectory(parent=self.frame, title="A folder with a card profile")
        if folder:
            self._desk.use_profile(folder)
