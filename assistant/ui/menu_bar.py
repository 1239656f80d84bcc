"""The menus: everything that is not an act of the game."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from typing import TYPE_CHECKING

from assistant.present.lights import Layer
from assistant.ui.palettes import PALETTES, Palette

if TYPE_CHECKING:
    from assistant.ui.window_frame import WindowFrame

_LAYERS = {
    Layer.YOUTH: "Youth  ● at the upper left",
    Layer.RENDEZVOUS: "Rendezvous  ◆ at the upper right",
    Layer.LADY: "Lady  ▲ below",
}

_SOUND = "bystander_sound"


class MenuBar:
    """The bar and its menus."""

    def __init__(self, window: WindowFrame) -> None:
        """Build the menus into the window's root."""
        self._menus: list[tk.Menu] = []
        self._gap_px = window.theme.px(3)
        root = window.root
        bar = self._menu(root)
        desk = window.desk
        game = self._menu(bar)
        for label, key, do in (
            ("New game…", "Ctrl+N", window.show_set_up),
            ("Undo", "Ctrl+Z", desk.undo),
            ("Redo", "Ctrl+Y", desk.redo),
            ("Type an act…", ":", window.type_act),
            ("Close", "Ctrl+Q", window.close),
        ):
            game.add_command(label=label, accelerator=key, command=do)
        view = self._menu(bar)
        for label, key, do in (
            ("Picture and map change places", "F2", window.swap_views),
            ("Small strip on top", "F9", window.toggle_strip),
            ("Full screen", "F11", window.toggle_full_screen),
        ):
            view.add_command(label=label, accelerator=key, command=do)
        view.add_separator()
        for name in PALETTES:
            view.add_command(
                label=f"{name.capitalize()} colours",
                command=partial(window.set_theme, name),
            )
        view.add_command(label="Larger letters", accelerator="Ctrl++",
                         command=lambda: window.set_letters(window.letters + 0.1))  # fmt: skip
        view.add_command(label="Smaller letters", accelerator="Ctrl+-",
                         command=lambda: window.set_letters(window.letters - 0.1))  # fmt: skip
        view.add_separator()
        for layer, label in _LAYERS.items():
            # The name of a Tcl variable: a Variable object may be dropped in another thread.
            root.setvar(f"bystander_shows_{layer.value}", "1")
            view.add_checkbutton(
                label=label,
                variable=f"bystander_shows_{layer.value}",  # type: ignore[arg-type]  # Tcl takes a name
                command=partial(window.toggle_layer, layer),
            )
        root.setvar(_SOUND, "1" if window.sound else "0")
        view.add_checkbutton(
            label="A sound for every reading",
            variable=_SOUND,  # type: ignore[arg-type]  # Tcl takes a name
            command=lambda: window.set_sound(not window.sound),
        )
        camera = self._menu(bar)
        camera.add_command(label="Camera and cards…", accelerator="F3",
                           command=window.choose_source)  # fmt: skip
        camera.add_command(label="Teach it my cards…", command=desk.calibrate)
        camera.add_command(label="Show it my empty board…", command=desk.shoot_board)
        helps = self._menu(bar)
        helps.add_command(label="Keys", accelerator="F1", command=window.show_keys)
        for label, menu in (("Game", game), ("View", view), ("Camera", camera), ("Help", helps)):
            bar.add_cascade(label=label, menu=menu, underline=0)
        root.configure(menu=bar)

    def colour(self, palette: Palette) -> None:
        """Paint the menus where the system lets us."""
        for number, menu in enumerate(self._menus):
            is_bar = number == 0
            menu.configure(background=palette.window if is_bar else palette.panel,
                           foreground=palette.ink,
                           activebackground=palette.button_over, activeforeground=palette.ink,
                           selectcolor=palette.ink, font="BodyFont",
                           borderwidth=0 if is_bar else 1, relief="flat" if is_bar else "solid",
                           activeborderwidth=self._gap_px)  # fmt: skip

    def _menu(self, parent: tk.Misc) -> tk.Menu:
        menu = tk.Menu(parent, tearoff=False)
        self._menus.append(menu)
        return menu
