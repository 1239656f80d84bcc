"""Fonts and colours of all widgets: plain ttk ("clam") in our two palettes, sizes in points."""

from __future__ import annotations

import contextlib
import sys
import tkinter as tk
from tkinter import font, ttk

from assistant.ui.palettes import Palette
from assistant.ui.tick_box import TickBoxes

#: The named fonts, their share of the body's size, and their weight.
_FONTS = {
    "BodyFont": (1.0, "normal"),
    "StrongFont": (1.0, "bold"),
    "SmallFont": (0.88, "normal"),
    "HeadFont": (1.1, "bold"),
    "LargeFont": (2.1, "bold"),
    "MiddleFont": (1.5, "bold"),
}

_BODY_PT = 10.5

#: The large line's share of the body's size where it must be small.
_COMPACT = 1.2


def tell_system_of_scaling() -> None:
    """Ask Windows for real pixels; must be called before the first window is made."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - exists with these functions on Windows only

        with contextlib.suppress(AttributeError, OSError):
            ctypes.windll.shcore.SetProcessDpiAwareness(1)


class Theme:
    """The look of one root window; `apply` may be called again for other colours and sizes."""

    def __init__(self, root: tk.Tk) -> None:
        """Make the named fonts."""
        self.root = root
        self.style = ttk.Style(root)
        self.style.theme_use("clam")
        self._ticks = TickBoxes(root, self.style)
        family = font.nametofont("TkDefaultFont", root).actual("family")
        self.fonts = {name: font.Font(root, name=name, family=family, exists=False)
                      for name in _FONTS}  # fmt: skip
        #: Px of the screen for one px of a plain 96 dpi screen, and the height of a body line, px:
        #: asked for dozens of times for every state that is shown, so Tk is asked by `apply` only.
        self.scale, self.line_px = 1.0, 1

    def px(self, plain: float) -> int:
        """Return a length in px of this screen."""
        return max(round(plain * self.scale), 1)

    def compact(self, letters: float, *, is_compact: bool) -> None:
        """Let the large line be small, for the strip, or large again."""
        share = _COMPACT if is_compact else _FONTS["LargeFont"][0]
        self.fonts["LargeFont"].configure(size=round(_BODY_PT * share * letters))

    def apply(self, palette: Palette, letters: float) -> None:
        """Colour everything anew; `letters` 1 is the normal size."""
        for name, (share, weight) in _FONTS.items():
            size = round(_BODY_PT * share * letters)
            self.fonts[name].configure(size=size, weight="bold" if weight == "bold" else "normal")
        self.scale = float(self.root.winfo_fpixels("1i")) / 96.0
        self.line_px = self.fonts["BodyFont"].metrics("linespace")
        self.root.configure(background=palette.window)
        self._plain(palette)
        self._buttons(palette, letters)
        self._fields(palette, letters)
        self.root.option_add("*TCombobox*Listbox.background", palette.panel)
        self.root.option_add("*TCombobox*Listbox.foreground", palette.ink)
        self.root.option_add("*TCombobox*Listbox.font", "BodyFont")

    def _plain(self, colours: Palette) -> None:
        style = self.style
        style.configure(".", background=colours.window, foreground=colours.ink, font="BodyFont",
                        bordercolor=colours.line, lightcolor=colours.window,
                        darkcolor=colours.window, troughcolor=colours.panel,
                        focuscolor=colours.accent)  # fmt: skip
        for name, background in (("TFrame", colours.window), ("Panel.TFrame", colours.panel),
                                 ("Row.TFrame", colours.panel)):  # fmt: skip
            style.configure(name, background=background)
        for name, fg, face, back in (
            ("TLabel", colours.ink, "BodyFont", colours.window),
            ("Faint.TLabel", colours.faint, "SmallFont", colours.window),
            ("Head.TLabel", colours.accent, "HeadFont", colours.window),
            ("Strong.TLabel", colours.ink, "StrongFont", colours.window),
            ("Large.TLabel", colours.ink, "LargeFont", colours.panel),
            ("Middle.TLabel", colours.ink, "MiddleFont", colours.panel),
            ("Note.TLabel", colours.faint, "BodyFont", colours.panel),
            ("Warn.TLabel", colours.warn, "StrongFont", colours.panel),
            ("Seen.TLabel", colours.ink, "StrongFont", colours.window),
        ):
            style.configure(name, foreground=fg, font=face, background=back)

    def _buttons(self, colours: Palette, letters: float) -> None:
        style, pad = self.style, (self.px(9), self.px(5))
        for name, back, ink, over in (
            ("TButton", colours.button, colours.ink, colours.button_over),
            ("Primary.TButton", colours.accent, colours.accent_ink, colours.accent),
            ("Quiet.TButton", colours.panel, colours.ink, colours.button_over),
        ):
            style.configure(name, background=back, foreground=ink, padding=pad, relief="flat",
                            borderwidth=1, bordercolor=colours.line, anchor="center",
                            justify="center", lightcolor=back, darkcolor=back)  # fmt: skip
            style.map(name, background=[("disabled", colours.window), ("pressed", over),
                                        ("active", over)],
                      foreground=[("disabled", colours.faint)],
                      bordercolor=[("focus", colours.ink)])  # fmt: skip
        self._ticks.use(self.px(15 * letters), self.px(5), colours)
        for name in ("TCheckbutton", "TRadiobutton"):
            style.configure(name, background=colours.window, foreground=colours.ink,
                            indicatorbackground=colours.panel, indicatorforeground=colours.ink,
                            upperbordercolor=colours.faint, lowerbordercolor=colours.faint,
                            indicatorsize=self.px(13 * letters), padding=self.px(2))  # fmt: skip
            style.map(name, background=[("active", colours.window)],
                      indicatorbackground=[("selected", colours.panel)],
                      indicatorforeground=[("selected", colours.accent)])  # fmt: skip

    def _fields(self, colours: Palette, letters: float) -> None:
        style = self.style
        style.configure("TNotebook", background=colours.window, borderwidth=0,
                        tabmargins=(0, 0, 0, 0))  # fmt: skip
        style.configure("TNotebook.Tab", background=colours.window, foreground=colours.faint,
                        font="SmallFont",
                        padding=(self.px(9), self.px(4)), borderwidth=0)  # fmt: skip
        style.map("TNotebook.Tab", background=[("selected", colours.panel)],
                  foreground=[("selected", colours.ink)],
                  lightcolor=[("selected", colours.panel)],
                  expand=[("selected", (0, 0, 0, 0))])  # fmt: skip
        style.configure(
            "Treeview",
            background=colours.panel,
            fieldbackground=colours.panel,
            foreground=colours.ink,
            borderwidth=0,
            bordercolor=colours.panel,
            lightcolor=colours.panel,
            darkcolor=colours.panel,
            rowheight=self.line_px + self.px(5),
        )
        style.map("Treeview", background=[("selected", colours.button_over)],
                  foreground=[("selected", colours.ink)])  # fmt: skip
        for name in ("TEntry", "TCombobox", "TSpinbox"):
            style.configure(name, fieldbackground=colours.panel, foreground=colours.ink,
                            insertcolor=colours.ink, arrowcolor=colours.ink,
                            background=colours.button, padding=self.px(3),
                            arrowsize=self.px(12 * letters))  # fmt: skip
            style.map(name, fieldbackground=[("readonly", colours.panel)],
                      foreground=[("readonly", colours.ink)],
                      bordercolor=[("focus", colours.accent)],
                      lightcolor=[("focus", colours.accent)],
                      selectbackground=[("readonly", colours.panel)],
                      selectforeground=[("readonly", colours.ink)])  # fmt: skip
        for name in ("Vertical.TScrollbar", "Horizontal.TScrollbar"):
            style.configure(name, gripcount=0,
                            background=colours.button, arrowcolor=colours.ink,
                            troughcolor=colours.panel, bordercolor=colours.panel,
                            arrowsize=self.px(12 * letters))  # fmt: skip
            style.map(name, background=[("disabled", colours.panel)])
