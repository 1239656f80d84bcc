"""The frame of the play window: what stands where, the pages over the map, colours and sizes.

What is asked and answered is `assistant.ui.play_window`, which builds on it.
"""

from __future__ import annotations

import tkinter as tk
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from tkinter import ttk

from PIL import Image

from assistant.core.board import Board
from assistant.core.events import Seq, SessionStarted
from assistant.core.terms import Location
from assistant.core.turn_events import Help
from assistant.present.choices import Offer
from assistant.present.lights import Layer
from assistant.ui.board_page import BoardPage
from assistant.ui.desk import Desk
from assistant.ui.film_view import ImageCanvas
from assistant.ui.keys_page import KeysPage
from assistant.ui.map_view import MapView
from assistant.ui.menu_bar import MenuBar
from assistant.ui.offer_row import OfferRow, Pictures
from assistant.ui.palettes import PALETTES
from assistant.ui.practice_buttons import PracticeButtons
from assistant.ui.set_up_page import SetUpPage
from assistant.ui.side_tabs import SideTabs
from assistant.ui.source_page import SourcePage
from assistant.ui.theme import Theme, tell_system_of_scaling
from assistant.ui.trouble_panel import TroublePanel

_LEFT_PX, _WIDE_PX, _HIGH_PX, _STRIP_PX = 352, 1180, 760, 760

#: The small view at the upper left: a picture, or the words that there is none.
_FILM_HIGH_PX, _NO_FILM_HIGH_PX = 190, 64


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """How the player last had the window."""

    theme: str = "light"
    letters: float = 1.0
    sound: bool = False


@dataclass(frozen=True, slots=True)
class WindowParts:
    """What the window is given: the map, letters' font file, small pictures, settings."""

    board: Board
    font_path: str
    masks: Mapping[str, Image.Image]
    settings: WindowSettings = WindowSettings()
    #: The game that can be gone on with, in words; empty where there is none.
    last_game: str = ""


class WindowFrame(ABC):
    """The window without its questions; make, run and drop it in the main thread only."""

    def __init__(self, desk: Desk, parts: WindowParts) -> None:
        """Build the window.

        Raises:
            tkinter.TclError: there is no display.
        """
        self.desk, self.parts = desk, parts
        tell_system_of_scaling()
        self.root = tk.Tk(className="Bystander")
        self.root.title("Bystander")
        self.root.protocol("WM_DELETE_WINDOW", self.close)
        self.root.report_callback_exception = self._failed
        self.theme = Theme(self.root)
        self.palette = PALETTES[parts.settings.theme]
        self.letters, self.sound = parts.settings.letters, parts.settings.sound
        self.shown_layers: set[Layer] = set(Layer)
        self.failure: BaseException | None = None
        self._waiting: dict[str, str] = {}
        self._pages: dict[str, ttk.Frame] = {}
        self._is_open, self._big_film, self._is_strip = True, False, False
        self._whole = ""
        self.theme.apply(self.palette, self.letters)
        self._build()

    @abstractmethod
    def take(self, offer: Offer) -> None:
        """Take an answer."""

    @abstractmethod
    def back(self) -> None:
        """Go back to the question before."""

    @abstractmethod
    def put_right(self) -> None:
        """Ask about what does not fit together."""

    @abstractmethod
    def correct(self, seq: Seq) -> None:
        """Ask what an entry of the log was really."""

    @abstractmethod
    def hint(self, asked: Help) -> None:
        """Give a hint."""

    @abstractmethod
    def place_picked(self, place: Location) -> None:
        """Take a place of the map."""

    @abstractmethod
    def start(self, started: SessionStarted) -> None:
        """Begin a game."""

    @abstractmethod
    def show_set_up(self) -> None:
        """Show the set-up page."""

    @abstractmethod
    def type_act(self) -> None:
        """Let an act be typed."""

    @abstractmethod
    def toggle_layer(self, layer: Layer) -> None:
        """Show or hide a layer of the map."""

    @abstractmethod
    def draw(self) -> None:
        """Draw all that depends on state, colours and sizes."""

    def run(self) -> None:
        """Show the window until it is closed."""
        self.root.mainloop()

    def close(self) -> None:
        """Close the window; may be called twice."""
        if not self._is_open:
            return
        self._is_open = False
        for waiting in self._waiting.values():
            self.root.after_cancel(waiting)
        self.map.stop()
        # What ttk put off until it is idle must not find the window gone.
        self.root.update_idletasks()
        self.root.destroy()

    def _build(self) -> None:
        px, root = self.theme.px, self.root
        self.pictures = Pictures(self.theme, self.parts.masks)
        self.menu = MenuBar(self)
        wide = min(px(_WIDE_PX), root.winfo_screenwidth())
        # The bar of the menus and the system's own bars stand above and below.
        high = min(px(_HIGH_PX), root.winfo_screenheight() - px(64))
        root.geometry(f"{wide}x{high}")
        root.minsize(px(480), px(120))
        self.status = ttk.Label(root, style="Faint.TLabel", padding=(px(12), px(2)))
        self.status.pack(side="bottom", fill="x")
        self.row = OfferRow(root, self.theme, self.pictures, self.take)
        self.row.pack(side="bottom", fill="x")
        self.row.bind("<<GoBack>>", lambda _event: self.back())
        self.trouble = TroublePanel(root, self.theme, self.put_right)
        for flowing in (self.row.flow, self.trouble.words):
            flowing.bind("<Configure>", lambda _event: self._lines_laid(), add="+")
        self.body = ttk.Frame(root)
        self.body.pack(side="top", fill="both", expand=True)
        self._build_left()
        self._build_right()
        self.body.bind("<Configure>", lambda _event: self._fit_small())

    def _build_left(self) -> None:
        px = self.theme.px
        self._left = ttk.Frame(self.body, width=px(_LEFT_PX), padding=(px(8), px(8), 0, px(4)))
        self._left.pack(side="left", fill="y")
        self._left.pack_propagate(False)
        self._small = ttk.Frame(self._left, height=px(_FILM_HIGH_PX))
        self._small.pack(side="top", fill="x")
        self.seen = ttk.Label(self._left, style="Seen.TLabel", text=" ",
                              wraplength=px(_LEFT_PX - 16))  # fmt: skip
        self.seen.pack(side="top", fill="x", pady=px(4))
        self.practice = PracticeButtons(self._left, self.theme, self.desk)
        self.tabs = SideTabs(self._left, self.theme, self.pictures, self.correct, self.hint)
        self.tabs.book.pack(side="top", fill="both", expand=True)

    def _build_right(self) -> None:
        px = self.theme.px
        self._big = ttk.Frame(self.body, padding=0)
        self._big.pack(side="left", fill="both", expand=True, padx=px(8), pady=px(8))
        self.film = ImageCanvas(self.body, self._film_sized)
        self.map = MapView(self.body, self.place_picked)
        words = "No camera: tell by hand\nwhat you see. Choose one [F3]"
        self.no_film = ttk.Button(self.body, style="Quiet.TButton", text=words,
                                  command=self.choose_source)  # fmt: skip
        self.set_up = SetUpPage(self.body, self.theme, self.parts.board, self.start)
        self.sources = SourcePage(self.body, self.theme, self.desk, self.hide_page)
        self.keys = KeysPage(self.body, self.theme, self.hide_page)
        self.board_page = BoardPage(self.body, self.theme, self.desk.learn_board, self.hide_page)
        self._pages = {"board": self.board_page.frame, "set-up": self.set_up.frame,
                       "source": self.sources.frame, "keys": self.keys.frame}  # fmt: skip
        self._place_views()

    def _place_views(self) -> None:
        """Put picture and map where they belong now, one large and one small."""
        large, small = self._big, self._small
        film, chart = (large, small) if self._big_film else (small, large)
        self.film.canvas.place(in_=film, relwidth=1, relheight=1)
        self.map.canvas.place(in_=chart, relwidth=1, relheight=1)
        for view in (self.film.canvas, self.map.canvas):
            tk.Misc.tkraise(view)
        if self.no_film.place_info():
            self.no_film.lift()
        self._fit_small()

    def show_film(self, picture: Image.Image) -> None:
        """Show a picture of the camera."""
        self.film.show(picture)
        if self.no_film.place_info():
            self.no_film.place_forget()
            self._fit_small()

    def _fit_small(self) -> None:
        """Give the small view no more room than it needs."""
        is_empty = bool(self.no_film.place_info()) and not self._big_film
        high = self.theme.px(_FILM_HIGH_PX)
        if is_empty:
            high = self.theme.px(_NO_FILM_HIGH_PX * max(self.letters, 1.0))
        room = self.body.winfo_height()
        if self.practice.winfo_manager():
            room -= self.practice.winfo_reqheight()
        self._small.configure(height=min(high, max(room * 2 // 5, 60)))

    def show_no_film(self) -> None:
        """Say in the picture's place that there is no camera."""
        self.film.clear()
        self.no_film.place(in_=self.film.canvas, relx=0.5, rely=0.5, anchor="center")
        if self.page_shown() is None or not self._big_film:
            self.no_film.lift()
        self._fit_small()

    def hide_page(self) -> None:
        """Show the map again."""
        for page in self._pages.values():
            page.place_forget()
        self.root.focus_set()

    def show_page(self, name: str) -> None:
        """Show a page over the map."""
        self.hide_page()
        self._pages[name].place(in_=self._big, relwidth=1, relheight=1)
        self._pages[name].lift()

    def page_shown(self) -> str | None:
        """Return the name of the page over the map, None where there is none."""
        return next((name for name, page in self._pages.items() if page.place_info()), None)

    def restyle(self) -> None:
        """Colour and size everything as it is wanted now."""
        self.theme.apply(self.palette, self.letters)
        self.theme.compact(self.letters, is_compact=self._is_strip)
        # Larger letters need a wider column, but not more than a third of the screen.
        wide = min(self.theme.px(_LEFT_PX * max(self.letters * 0.92, 1.0)),
                   self.root.winfo_screenwidth() // 3 + self.theme.px(40))  # fmt: skip
        self._left.configure(width=wide)
        self.seen.configure(wraplength=wide - self.theme.px(16))
        self.tabs.fit(wide - self.theme.px(12))
        self._fit_small()
        self.film.colour(self.palette)
        self.map.colour(self.palette)
        self.set_up.colour(self.palette)
        self.sources.colour(self.palette)
        self.keys.colour(self.palette)
        self.board_page.colour(self.palette)
        self.row.forget()
        self.menu.colour(self.palette)
        self.draw()

    def set_theme(self, name: str) -> None:
        """Take the light or the dark colours."""
        self.palette = PALETTES[name]
        self.desk.keep("theme", name)
        self.restyle()

    def set_letters(self, letters: float) -> None:
        """Take letters of another size; 1 is normal."""
        self.letters = min(max(round(letters, 1), 0.8), 1.8)
        self.desk.keep("letters", self.letters)
        self.restyle()

    def set_sound(self, on: bool) -> None:
        """Ring the bell for every reading, or do not."""
        self.sound = on
        self.desk.keep("sound", on)

    def swap_views(self) -> None:
        """Let picture and map change places."""
        self._big_film = not self._big_film
        self._place_views()

    def toggle_full_screen(self) -> None:
        """Fill the screen, or do not any more."""
        full = not bool(self.root.attributes("-fullscreen"))
        self.root.attributes("-fullscreen", full)

    def toggle_strip(self) -> None:
        """Be a small strip on top of all windows, or the whole window again."""
        self._is_strip = not self._is_strip
        self.root.attributes("-topmost", self._is_strip)
        self.theme.compact(self.letters, is_compact=self._is_strip)
        if self._is_strip:
            self._whole = self.root.geometry()
            self.body.pack_forget()
            self.root.update_idletasks()
            wide = min(self.theme.px(_STRIP_PX), self.root.winfo_screenwidth())
            # How high the row is can be told when it has found its width.
            self.root.geometry(f"{wide}x{self.root.winfo_height()}")
        else:
            self.body.pack(side="top", fill="both", expand=True)
            self.root.geometry(self._whole)

    def fit(self) -> None:
        """Give what is shown now its room at once: words and their places change together.

        Tk would wait until nothing else is to be done, and pictures of the camera come all the
        time: for a third of a second new answers stood in the old ones' room, cut.
        """
        self.root.update_idletasks()
        self._fit_strip()

    def _lines_laid(self) -> None:
        """Fit the strip when answers and words have found their lines in a room of other width."""
        if self._is_strip and "strip" not in self._waiting:
            self._waiting["strip"] = self.root.after_idle(self._lines_known)

    def _lines_known(self) -> None:
        self._waiting.pop("strip", None)
        self.fit()

    def _fit_strip(self) -> None:
        """Be as high as the question needs, where the window is a strip."""
        if not self._is_strip:
            return
        high = self.row.winfo_reqheight() + self.status.winfo_reqheight()
        if self.trouble.winfo_manager():
            high += self.trouble.winfo_reqheight()
        if high != self.root.winfo_height():
            self.root.geometry(f"{self.root.winfo_width()}x{high}")

    def _failed(self, _kind: type[BaseException], error: BaseException, _trace: object) -> None:
        """Keep the first fault of a callback, and close: it is told outside, in one line."""
        self.failure = self.failure or error
        self.close()

    def _film_sized(self, wide: int, high: int) -> None:
        self.desk.want_film(wide, high)

    def choose_source(self) -> None:
        """Show the page with cameras and profiles."""
        self.desk.look_for_choices()
        self.show_page("source")
        self.sources.focus()

    def show_keys(self) -> None:
        """Show what each key does."""
        self.show_page("keys")
        self.keys.focus()
