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
from collections.abc import Callable
from dataclasses import replace
from tkinter import ttk

from assistant.core.events import Seq, SessionStarted
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import Help
from assistant.present.choices import Ask, Offer, TopTold, Wish, ask
from assistant.present.lights import Layer
from assistant.present.log_lines import correction_ask
from assistant.present.screen import Screen
from assistant.present.set_up_form import first_question, is_first, top_shown_to_camera
from assistant.present.symbol_asks import shown_to_camera
from assistant.ui.desk import (
    BoardShot,
    Choices,
    Desk,
    HintGiven,
    LandmarkShown,
    LineStatus,
    Message,
    Noted,
    Practice,
    Questioned,
    ReadingSaid,
    ScreenChanged,
    SeenNow,
)
from assistant.ui.map_sheet import Fonts, MapLook
from assistant.ui.window_frame import WindowFrame, WindowParts

_POLL_MS = 20

#: How long a line that was said stays.
_SAID_MS = 6000

#: The bit of a key event's state that says Control is down.
_CONTROL = 0x4


class PlayWindow(WindowFrame):
    """The window; make, run and drop it in the main thread only."""

    def __init__(self, desk: Desk, parts: WindowParts) -> None:
        """Build the window.

        Raises:
            tkinter.TclError: there is no display.
        """
        self._screen: Screen | None = None
        self._is_on = False
        self._stack: list[Ask] = [ask("One moment …", ())]
        self._large, self._extra = "", ""
        self._asked: Ask | None = None
        self._fits_later, self._is_unfit = False, False
        super().__init__(desk, parts)
        self._bind_keys()
        self.restyle()
        self._waiting["poll"] = self.root.after(_POLL_MS, self._poll)

    def _bind_keys(self) -> None:
        bind = self.root.bind
        bind("<Key>", self._key)
        for key, do in (
            ("<Control-z>", self.desk.undo), ("<Control-y>", self.desk.redo),
            ("<Control-Shift-Z>", self.desk.redo), ("<Control-n>", self.show_set_up),
            ("<F1>", self.show_keys), ("<F2>", self.swap_views), ("<F3>", self.choose_source),
            ("<F4>", self.put_right), ("<F9>", self.toggle_strip),
            ("<F11>", self.toggle_full_screen), ("<Control-q>", self.close),
            ("<Control-plus>", lambda: self.set_letters(self.letters + 0.1)),
            ("<Control-equal>", lambda: self.set_letters(self.letters + 0.1)),
            ("<Control-minus>", lambda: self.set_letters(self.letters - 0.1)),
            ("<F5>", lambda: self.desk.practise(Practice.YOUTH)),
            ("<F6>", lambda: self.desk.practise(Practice.RENDEZVOUS)),
            ("<F7>", lambda: self.desk.practise(Practice.STEALTH)),
            ("<F8>", lambda: self.desk.practise(Practice.LIFT)),
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
        elif event.keysym == "Return" and self.page_shown() == "set-up":
            self.set_up.begin()
        elif event.char == " " and isinstance(focus, ttk.Button | ttk.Checkbutton):
            return  # the button under the keyboard takes it
        elif event.char == ":":
            self.type_act()
        elif event.char:
            offer = self._stack[-1].by_key(event.char.lower())
            if offer is not None:
                self.take(offer)

    def take(self, offer: Offer) -> None:
        """Take an answer: on to the next question, or into the game."""
        self._on(offer.open())

    def _on(self, then: object) -> None:
        self.root.focus_set()
        self._large = ""
        if isinstance(then, Ask):
            self._stack.append(then)
        elif isinstance(then, Wish):
            del self._stack[1:]
            self._wished(then)
        elif isinstance(then, TopTold):
            self.set_up.tell_top(then.shown)
            self._stack[-1] = first_question(self.parts.last_game)
        else:
            del self._stack[1:]
            self.desk.enter(then)  # type: ignore[arg-type]  # an Offer leads nowhere else
        self._show_question()

    def _wished(self, wish: Wish) -> None:
        wishes: dict[Wish, Callable[[], None]] = {
            Wish.UNDO: self.desk.undo,
            Wish.REDO: self.desk.redo,
            Wish.SET_UP: self.show_set_up,
            Wish.BACK: self.back,
            Wish.BEGIN: self.set_up.begin,
            Wish.CAMERA: self.choose_source,
            Wish.RESUME: self.desk.resume,
            Wish.PRACTICE: lambda: self.desk.use_camera("practice"),
        }
        wishes[wish]()

    def back(self) -> None:
        """Go back to the question before, and from a page to the map."""
        if self.page_shown() is not None:
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
        self._large = ""
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
        self.desk.hint(asked)

    def _show_question(self) -> None:
        asked = self._stack[-1]
        if asked is not self._asked:
            if asked.is_about_deck or (self._asked is not None and self._asked.is_about_deck):
                self.desk.want_landmark(asked.is_about_deck, is_first=is_first(asked))
            self._asked = asked
        shown, extra = asked, self._extra
        if self._large:
            # What was read, to be read from a metre; the question waits in the line below.
            shown = replace(asked, title=self._large)
            extra = "   ".join(part for part in (extra, asked.title) if part)
        trouble = None if self._screen is None else self._screen.trouble
        # While it is being put right it need not be told twice.
        is_asked = any(each is trouble for each in self._stack)
        self.trouble.show(None if is_asked else trouble, self.row)
        is_new = self.row.show(shown, self.palette, can_go_back=len(self._stack) > 1, extra=extra)
        if is_new and asked.number is not None:
            self.row.ask_number(lambda number: self._on(asked.number(number)))  # type: ignore[misc]
        if self._fits_later:
            self._is_unfit = True
        else:
            self.fit()

    def type_act(self) -> None:
        """Let an act be typed, in the words of the command line."""
        self.push(Ask("Type an act", note="For example: move cornhill, ask church, pass. "
                      "bystander play --words tells all."))  # fmt: skip
        self.row.ask_text(self._typed)
        self.fit()

    def _typed(self, text: str) -> None:
        del self._stack[1:]
        self._show_question()
        self.root.focus_set()
        if text.strip():
            self.desk.type_line(text.strip())

    def _poll(self) -> None:
        picture = self.desk.newest()
        if picture is not None:
            self.show_film(picture)
        # A reading that is said and the screen it changes often come together: laid out once.
        self._fits_later, self._is_unfit = True, False
        for message in self.desk.messages():
            self._told(message)
        self._fits_later = False
        if self._is_unfit:
            self.fit()
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
        elif isinstance(message, HintGiven):
            self._say(message.text)
            self.tabs.hints.say(message.text)
        elif isinstance(message, Questioned):
            self.push(message.ask)
        elif isinstance(message, LineStatus):
            parts = (message.camera, message.lights, message.log)
            self.status.configure(text="   ·   ".join(part for part in parts if part))
            if not message.camera:
                self.show_no_film()
        elif isinstance(message, BoardShot):
            self.show_page("board")
            self.board_page.show(message.still)
            self.board_page.focus()
        elif isinstance(message, LandmarkShown):
            self._landmark_shown(message.feature)
        elif isinstance(message, Choices):
            self.sources.show(message)
            self.practice.show(message.has_practice, self.seen)
            self._fit_small()

    def _landmark_shown(self, feature: Feature) -> None:
        """Offer what the camera sees on the stealth deck, where that is the question."""
        if is_first(self._stack[-1]):
            first = first_question(self.parts.last_game)
            seen = top_shown_to_camera(first, feature, self.set_up.form)
        else:
            seen = shown_to_camera(self._stack[-1], feature)
        self._asked = self._stack[-1] = seen
        self._large = ""
        self._show_question()

    def _show_screen(self, screen: Screen, is_on: bool) -> None:
        was_over = self._screen is not None and self._screen.state.game.phase.value == "over"
        began = is_on and not self._is_on
        self._screen, self._is_on = screen, is_on
        self._stack = [screen.row if is_on else first_question(self.parts.last_game)]
        self.draw()
        if screen.state.game.phase.value == "over" and not was_over and is_on:
            self.tabs.show_score()
        if not is_on and self.page_shown() is None:
            self.show_set_up()
        elif began:
            self.hide_page()

    def draw(self) -> None:
        """Draw all that depends on state, colours and sizes."""
        screen = self._screen
        if screen is None:
            return
        self.tabs.show(screen, self.palette)
        fonts = Fonts(self.parts.font_path)
        self.map.show(screen.map, MapLook(self.palette, fonts, self.parts.masks, self.letters,
                                          frozenset(self.shown_layers)))  # fmt: skip
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

    def start(self, started: SessionStarted) -> None:
        """Begin a game."""
        self.hide_page()
        self.desk.start(started)

    def show_set_up(self) -> None:
        """Show the set-up page."""
        self.show_page("set-up")
        if self._is_on:
            self.push(first_question(self.parts.last_game))

    def toggle_layer(self, layer: Layer) -> None:
        """Show or hide a layer of the map."""
        self.shown_layers ^= {layer}
        self.draw()
