"""The box of a check button, with a tick: the theme's own has a cross, which says no."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from PIL import Image, ImageDraw, ImageTk

from assistant.ui.palettes import Palette, rgb

#: Drawn so much larger, then made small: smooth edges.
_OVER = 4


def tick_box(side_px: int, palette: Palette, *, is_ticked: bool) -> Image.Image:
    """Return the box as an RGB picture of (side_px, side_px), ticked or empty."""
    side = side_px * _OVER
    image = Image.new("RGB", (side, side), rgb(palette.faint))
    draw = ImageDraw.Draw(image)
    ground = palette.accent if is_ticked else palette.panel
    draw.rectangle((_OVER, _OVER, side - _OVER - 1, side - _OVER - 1), fill=rgb(ground))
    if is_ticked:
        points = [(x * side, y * side) for x, y in ((0.22, 0.54), (0.43, 0.75), (0.79, 0.28))]
        draw.line(points, fill=rgb(palette.accent_ink), width=round(side * 0.13), joint="curve")
    return image.resize((side_px, side_px), Image.Resampling.BOX)


class TickBoxes:
    """Gives all check buttons of a window such boxes; `use` again for other colours and sizes."""

    def __init__(self, root: tk.Misc, style: ttk.Style) -> None:
        """Make none yet."""
        self._root, self._style = root, style
        self._made: dict[str, tuple[ImageTk.PhotoImage, ImageTk.PhotoImage]] = {}

    def use(self, side_px: int, gap_px: int, palette: Palette) -> None:
        """Give the check buttons boxes of this size and colours, with a gap before their words."""
        name = f"{palette.name}{side_px}.tick"
        if name not in self._made:
            empty, ticked = (
                ImageTk.PhotoImage(tick_box(side_px, palette, is_ticked=on), master=self._root)
                for on in (False, True)
            )
            self._made[name] = empty, ticked
            self._style.element_create(name, "image", empty, ("selected", ticked),
                                       padding=(0, 0, gap_px, 0), sticky="w",
                                       width=side_px + gap_px)  # fmt: skip
        self._style.layout("TCheckbutton", [("Checkbutton.padding", {"sticky": "nswe", "children": [
            (name, {"side": "left", "sticky": ""}),
            ("Checkbutton.focus", {"side": "left", "sticky": "w", "children": [
                ("Checkbutton.label", {"sticky": "nswe"})]}),
        ]})])  # fmt: skip
