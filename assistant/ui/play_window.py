"""The play window: the live picture, the map, the open questions, and the row of what can be done.

    +--------------+---------------------------+
    | live picture |                           |
    | what is seen |   the map (or a page:     |
    | tabs         |   set-up, camera, keys)   |
    +--------------+---------------------------+
    | something does not fit (only when so)    |
    | the question of the moment, its answers  |
    | status                                   |
    +------------------------------------------+

It decides nothing: questions and answers come from `assistant.present`, what is answered goes to
the desk. Only the main thread may touch it; everything else comes through `Desk.messages` and
`Desk.newest`, polled by `after`.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from tkinter import ttk

from PIL import Image

from assistant.core.board import Board
from assistant.core.events import Seq, SessionStarted
from assistant.core.terms import Location
from assistant.core.turn_events import Help
from assistant.present.choices import Ask, Offer, Wish, ask
from assistant.present.lights import Layer
from assistant.present.log_lines import correction_ask
from assistant.present.screen import Screen
from assistant.present.set_up_form import FIRST
from assistant.ui.desk import (
    Choices,
    Desk,
    LineStatus,
    Message,
    Noted,
    Practice,
    Questioned,
    ReadingSaid,
    ScreenChanged,
    SeenNow,
)
from assistant.ui.film_view import ImageCanvas
from assistant.ui.keys_page import KeysPage
from assistant.ui.map_picture import Fonts, MapLook
from assistant.ui.map_view import MapView
from assistant.ui.menu_bar import MenuBar
from assistant.ui.offer_row import OfferRow, Pictures
from assistant.ui.palettes import PALETTES
from assistant.ui.set_up_page import SetUpPage
from assistant.ui.side_tabs import SideTabs
from assistant.ui.source_page import SourcePage
from assistant.ui.theme import Theme, tell_system_of_scaling

_POLL_MS = 20

#: How long a line that was said stays.
_SAID_MS = 6000

#: The bit of a key event's state that says Control is down.
_CONTROL = 0x4

_LEFT_PX, _WIDE_PX, _HIGH_PX = 352, 1180, 760


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


class PlayWindow:
    """The window; make, run and drop it in the main thread only."""

    def __init__(self, desk: Desk, parts: WindowParts) -> None:
        """Build the window.

        Raises:
            tkinter.TclError: there is no display.
        """
        self._desk, self._parts = desk, parts
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
        self._screen: Screen | None = None
        self._is_on = False
        self._stack: list[Ask] = [ask("One moment …", ())]
        self._large, self._extra = "", ""
        self._pages: dict[str, ttk.Frame] = {}
        self._is_open, self._big_film, self._is_strip = True, False, False
        self.theme.apply(self.palette, self.letters)
        self._build()
        self._bind_keys()
        self.restyle()
        self._waiting: dict[str, str] = {"poll": self.root.after(_POLL_MS, self._poll)}

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

    # -- building -----------------------------------------------------------------------------

    def _build(self) -> None:
        px, root = self.theme.px, self.root
        self.pictures = Pictures(self.theme, self._parts.masks)
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
        self._build_trouble()
        self.body = ttk.Frame(root)
        self.body.pack(side="top", fill="both", expand=True)
        self._build_left()
        self._build_right()

    def _build_trouble(self) -> None:
        px = self.theme.px
        self.trouble = ttk.Frame(self.root, style="Row.TFrame", padding=(px(12), px(6)))
        self._trouble_words = ttk.Label(self.trouble, style="Warn.TLabel")
        self._trouble_words.pack(side="left")
        self._trouble_note = ttk.Label(self.trouble, style="Note.TLabel")
        self._trouble_note.pack(side="left", padx=px(10))
        self._trouble_button = ttk.Button(self.trouble, text="Put it right  [F4]",
                                          command=self.put_right)  # fmt: skip
        self._trouble_button.pack(side="right")

    def _build_left(self) -> None:
        px = self.theme.px
        self._left = ttk.Frame(self.body, width=px(_LEFT_PX), padding=(px(8), px(8), 0, px(4)))
        self._left.pack(side="left", fill="y")
        self._left.pack_propagate(False)
        self._small = ttk.Frame(self._left, height=px(190))
        self._small.pack(side="top", fill="x")
        self.seen = ttk.Label(self._left, style="Seen.TLabel", text=" ",
                              wraplength=px(_LEFT_PX - 16))  # fmt: skip
        self.seen.pack(side="top", fill="x", pady=px(4))
        self._build_practice()
        self.tabs = SideTabs(self._left, self.theme, self.pictures, self.correct, self.hint)
        self.tabs.book.pack(side="top", fill="both", expand=True)

    def _build_practice(self) -> None:
        self._practice = ttk.Frame(self._left)
        names = {Practice.YOUTH: "Lay Youth  [F5]", Practice.RENDEZVOUS: "Lay Rendezvous  [F6]",
                 Practice.STEALTH: "Lay stealth  [F7]", Practice.LIFT: "Lift  [F8]"}  # fmt: skip
        for number, (what, name) in enumerate(names.items()):
            button = ttk.Button(
                self._practice,
                text=name,
                style="Quiet.TButton",
                width=1,
                command=partial(self._desk.practise, what),
            )
            button.grid(row=number // 2, column=number % 2, sticky="we", padx=1, pady=1)
            self._practice.columnconfigure(number % 2, weight=1)

    def _show_practice(self, shown: bool) -> None:
        """Show what can be done at the practice table, where that is the camera's."""
        if shown:
            self._practice.pack(side="top", fill="x", pady=(0, self.theme.px(4)), after=self.seen)
        else:
            self._practice.pack_forget()

    def _build_right(self) -> None:
        px = self.theme.px
        self._big = ttk.Frame(self.body, padding=0)
        self._big.pack(side="left", fill="both", expand=True, padx=px(8), pady=px(8))
        self.film = ImageCanvas(self.body, self._film_sized)
        self.map = MapView(self.body, self.place_picked)
        words = "No camera: tell by hand\nwhat you see. Choose one [F3]"
        self.no_film = ttk.Button(self.body, style="Quiet.TButton", text=words,
                                  command=self.choose_source)  # fmt: skip
        self.set_up = SetUpPage(self.body, self.theme, self._parts.board, self.start)
        self.sources = SourcePage(self.body, self.theme, self._desk, self.hide_page)
        self.keys = KeysPage(self.body, self.theme, self.hide_page)
        self._pages = {"set-up": self.set_up.frame, "source": self.sources.frame,
                       "keys": self.keys.frame}  # fmt: skip
        self._place_views()

    def _place_views(self) -> None:
        """Put picture and map where they belong now, one large and one small."""
        large, small = self._big, self._small
        film, chart = (large, small) if self._big_film else (small, large)
        self.film.canvas.place(in_=film, relwidth=1, relheight=1)
        self.map.canvas.place(in_=chart, relwidth=1, relheight=1)
        for view in (self.film.canvas, self.map.canvas):
            tk.Misc.tkraise(view)

    # -- keys -----------------------------------------------------------------------------------

    def _bind_keys(self) -> None:
        bind = self.root.bind
        bind("<Key>", self._key)
        for key, do in (
            ("<Control-z>", self._desk.undo), ("<Control-y>", self._desk.redo),
            ("<Control-Shift-Z>", self._desk.redo), ("<Control-n>", self.show_set_up),
            ("<F1>", self.show_keys), ("<F2>", self.swap_views), ("<F3>", self.choose_source),
            ("<F4>", self.put_right), ("<F9>", self.toggle_strip),
            ("<F11>", self.toggle_full_screen), ("<Control-q>", self.close),
            ("<Control-plus>", lambda: self.set_letters(self.letters + 0.1)),
            ("<Control-equal>", lambda: self.set_letters(self.letters + 0.1)),
            ("<Control-minus>", lambda: self.set_letters(self.letters - 0.1)),
            ("<F5>", lambda: self._desk.practise(Practice.YOUTH)),
            ("<F6>", lambda: self._desk.practise(Practice.RENDEZVOUS)),
            ("<F7>", lambda: self._desk.practise(Practice.STEALTH)),
            ("<F8>", lambda: self._desk.practise(Practice.LIFT)),
        ):  # fmt: skip
            bind(key, lambda _event, do=do: do())  # type: ignore[misc]

    def _key(self, event: tk.Event[tk.Misc]) -> None:
        """Take an answer's key; typing into a field stays typing."""
        state = event.state if isinstance(event.state, int) else 0
        focus = self.root.focus_get()
        if state & _CONTROL or isinstance(focus, ttk.Entry | ttk.Combobox):
            return
        if event.keysym in ("Escape", "BackSpace"):
            self.back()
        elif event.keysym == "Return" and self._page_shown() == "set-up":
            self.set_up.begin()
        elif event.char == " " and isinstance(focus, ttk.Button | ttk.Checkbutton):
            return  # the button under the keyboard takes it
        elif event.char == ":":
            self.type_act()
        elif event.char:
            offer = self._stack[-1].by_key(event.char.lower())
            if offer is not None:
                self.take(offer)

    # -- questions ------------------------------------------------------------------------------

    def take(self, offer: Offer) -> None:
        """Take an answer: on to the next question, or into the game."""
        self._on(offer.open())

    def _on(self, then: object) -> None:
        self.root.focus_set()
        if isinstance(then, Ask):
            self._stack.append(then)
        elif isinstance(then, Wish):
            del self._stack[1:]
            self._wished(then)
        else:
            del self._stack[1:]
            self._desk.enter(then)  # type: ignore[arg-type]  # an Offer leads nowhere else
        self._show_question()

    def _wished(self, wish: Wish) -> None:
        wishes: dict[Wish, Callable[[], None]] = {
            Wish.UNDO: self._desk.undo,
            Wish.REDO: self._desk.redo,
            Wish.SET_UP: self.show_set_up,
            Wish.BACK: self.back,
            Wish.BEGIN: self.set_up.begin,
            Wish.CAMERA: self.choose_source,
            Wish.PRACTICE: lambda: self._desk.use_camera("practice"),
        }
        wishes[wish]()

    def back(self) -> None:
        """Go back to the question before, and from a page to the map."""
        if self._page_shown() is not None:
            self.hide_page()
            if not self._is_on:
                self.show_set_up()
        if len(self._stack) > 1:
            self._stack.pop()
            self._show_question()

    def push(self, question: Ask) -> None:
        """Ask something besides the question of the moment."""
        del self._stack[1:]
        self._stack.append(question)
        self._show_question()

    def place_picked(self, place: Location) -> None:
        """Take a place of the map as the answer, where one is wanted, else offer to go there."""
        offer = self._stack[-1].at(place)
        if offer is None and len(self._stack) == 1 and self._screen is not None:
            moves = next((o for o in self._stack[0].offers if o.key == "m"), None)
            opened = None if moves is None else moves.open()
            if isinstance(opened, Ask) and opened.at(place) is not None:
                self._stack.append(Ask(f"Move to {place.value}?", (opened.at(place),)))  # type: ignore[arg-type]
                self._show_question()
            return
        if offer is not None:
            self.take(offer)

    def correct(self, seq: Seq) -> None:
        """Ask what an entry of the log was really."""
        if self._screen is not None:
            self.push(correction_ask(self._screen.state, seq))

    def put_right(self) -> None:
        """Ask about what does not fit together."""
        if self._screen is not None and self._screen.trouble is not None:
            self.push(self._screen.trouble)

    def hint(self, asked: Help) -> None:
        """Give a hint."""
        self._desk.hint(asked)

    def _show_question(self) -> None:
        asked = self._stack[-1]
        shown, extra = asked, self._extra
        if self._large:
            # What was read, to be read from a metre; the question waits in the line below.
            shown = replace(asked, title=self._large)
            extra = "   ".join(part for part in (extra, asked.title) if part)
        is_new = self.row.show(shown, self.palette, can_go_back=len(self._stack) > 1, extra=extra)
        if is_new and asked.number is not None:
            self.row.ask_number(lambda number: self._on(asked.number(number)))  # type: ignore[misc]

    def type_act(self) -> None:
        """Let an act be typed, in the words of the command line."""
        self.push(Ask("Type an act", note="For example: move cornhill, ask church, pass. "
                      "bystander play --words tells all."))  # fmt: skip
        self.row.ask_text(self._typed)

    def _typed(self, text: str) -> None:
        del self._stack[1:]
        self._show_question()
        self.root.focus_set()
        if text.strip():
            self._desk.type_line(text.strip())

    # -- what comes from the desk ---------------------------------------------------------------

    def _poll(self) -> None:
        picture = self._desk.newest()
        if picture is not None:
            self.film.show(picture)
            self.no_film.place_forget()
        for message in self._desk.messages():
            self._told(message)
        self.map.poll()
        if self._is_open:
            self._waiting["poll"] = self.root.after(_POLL_MS, self._poll)

    def _told(self, message: Message) -> None:
        if isinstance(message, ScreenChanged):
            self._show_screen(message.screen, message.is_on)
        elif isinstance(message, SeenNow):
            self.seen.configure(text=message.text or " ")
        elif isinstance(message, ReadingSaid):
            self._say(message.more, message.text)
            if self.sound:
                self.root.bell()
        elif isinstance(message, Noted):
            self._say(message.text)
        elif isinstance(message, Questioned):
            self.push(message.ask)
        elif isinstance(message, LineStatus):
            parts = (message.camera, message.lights, message.log)
            self.status.configure(text="   ·   ".join(part for part in parts if part))
            if not message.camera:
                self._show_no_film()
        elif isinstance(message, Choices):
            self.sources.show(message)
            self._show_practice(message.has_practice)

    def _show_screen(self, screen: Screen, is_on: bool) -> None:
        was_over = self._screen is not None and self._screen.state.game.phase.value == "over"
        began = is_on and not self._is_on
        self._screen, self._is_on = screen, is_on
        self._stack = [screen.row if is_on else FIRST]
        self._draw()
        if screen.state.game.phase.value == "over" and not was_over and is_on:
            self.tabs.show_score()
        if not is_on and self._page_shown() is None:
            self.show_set_up()
        elif began:
            self.hide_page()

    def _draw(self) -> None:
        screen = self._screen
        if screen is None:
            return
        self.tabs.show(screen, self.palette)
        fonts = Fonts(self._parts.font_path)
        self.map.show(screen.map, MapLook(self.palette, fonts, self._parts.masks, self.letters,
                                          frozenset(self.shown_layers)))  # fmt: skip
        if screen.trouble is None:
            self.trouble.pack_forget()
        else:
            self._trouble_words.configure(text=screen.trouble.title)
            self._trouble_note.configure(text=screen.trouble.note)
            if not self.trouble.winfo_ismapped():
                self.trouble.pack(side="bottom", fill="x", before=self.body)
        self._show_question()

    def _say(self, text: str, large: str = "") -> None:
        """Show a line under the question for a while; `large` stands in the question's place."""
        self._large, self._extra = large, text
        self._show_question()
        if "said" in self._waiting:
            self.root.after_cancel(self._waiting["said"])
        self._waiting["said"] = self.root.after(_SAID_MS, self._unsay)

    def _unsay(self) -> None:
        self._waiting.pop("said", None)
        self._large, self._extra = "", ""
        self._show_question()

    def _film_sized(self, wide: int, high: int) -> None:
        self._desk.want_film(wide, high)

    def _show_no_film(self) -> None:
        self.film.clear()
        self.no_film.place(in_=self.film.canvas, relx=0.5, rely=0.5, anchor="center")
        self.no_film.lift()

    # -- pages and looks ------------------------------------------------------------------------

    def start(self, started: SessionStarted) -> None:
        """Begin a game."""
        self.hide_page()
        self._desk.start(started)

    def show_set_up(self) -> None:
        """Show the set-up page."""
        self._show_page("set-up")
        if self._is_on:
            self.push(FIRST)

    def choose_source(self) -> None:
        """Show the page with cameras and profiles."""
        self._desk.look_for_choices()
        self._show_page("source")
        self.sources.focus()

    def show_keys(self) -> None:
        """Show what each key does."""
        self._show_page("keys")
        self.keys.focus()

    def hide_page(self) -> None:
        """Show the map again."""
        for page in self._pages.values():
            page.place_forget()
        self.root.focus_set()

    def _show_page(self, name: str) -> None:
        self.hide_page()
        self._pages[name].place(in_=self._big, relwidth=1, relheight=1)
        self._pages[name].lift()

    def _page_shown(self) -> str | None:
        return next((name for name, page in self._pages.items() if page.place_info()), None)

    def restyle(self) -> None:
        """Colour and size everything as it is wanted now."""
        self.theme.apply(self.palette, self.letters)
        self.film.colour(self.palette)
        self.map.colour(self.palette)
        self.set_up.colour(self.palette)
        self.keys.colour(self.palette)
        self.row.forget()
        self.menu.colour(self.palette)
        self._draw()
        self._show_question()

    def set_theme(self, name: str) -> None:
        """Take the light or the dark colours."""
        self.palette = PALETTES[name]
        self._desk.keep("theme", name)
        self.restyle()

    def set_letters(self, letters: float) -> None:
        """Take letters of another size; 1 is normal."""
        self.letters = min(max(round(letters, 1), 0.8), 1.8)
        self._desk.keep("letters", self.letters)
        self.restyle()

    def set_sound(self, on: bool) -> None:
        """Ring the bell for every reading, or do not."""
        self.sound = on
        self._desk.keep("sound", on)

    def toggle_layer(self, layer: Layer) -> None:
        """Show or hide a layer of the map."""
        self.shown_layers ^= {layer}
        self._draw()

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
        if self._is_strip:
            self._whole = self.root.geometry()
            self.body.pack_forget()
            self.root.update_idletasks()
            wide = min(self.theme.px(760), self.root.winfo_screenwidth())
            self.root.geometry(f"{wide}x{self.row.winfo_reqheight() + self.theme.px(60)}")
        else:
            self.body.pack(side="top", fill="both", expand=True)
            self.root.geometry(self._whole)

    def _failed(self, _kind: type[BaseException], error: BaseException, _trace: object) -> None:
        """Keep the first fault of a callback, and close: it is told outside, in one line."""
        self.failure = self.failure or error
        self.close()
