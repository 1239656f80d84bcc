"""The calibration wizard's window: the live picture, what is ticked off, what was learnt.

It draws what it is given and decides nothing. Other threads never touch it: the newest picture
comes through a function, screens and charts through a queue; both are polled by `after`. One
picture item is kept and written over. What the player does goes out through one function.

Keys: space = next, 1 to 4 = a choice, + and - = larger and smaller text, Escape = close.
"""

from __future__ import annotations

import queue
import tkinter as tk
import tkinter.font as tkfont
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image, ImageTk

from assistant.core.terms import Location
from assistant.present.wizard_words import SIDES, WizardScreen

#: Size of the live picture, px, and of the chart of what was learnt (icons and holes), on a plain
#: screen of 96 dpi; on a finer one they are shown larger, on a small one smaller.
LIVE_PX = (760, 428)
CHART_PX = (352, 250)
#: What the window needs of a plain screen, px: both, and the lines below the picture.
WINDOW_PX = (1160, 660)
LEAST_SCALE, MOST_SCALE = 0.5, 3.0
POLL_MS = 20
LEAST_TEXT, MOST_TEXT = 8, 22

_PAPER, _INK, _FAINT, _LINE = "#f4ecd8", "#2b2118", "#8d7f69", "#d9cba9"
_GOOD, _WARN, _LIT = "#3f7a3a", "#a8480f", "#fff8e4"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The player says which key is in view."""

    location: Location


@dataclass(frozen=True, slots=True)
class NextAsked:
    """The player pressed space: leave the question open, or close when all is done."""


@dataclass(frozen=True, slots=True)
class FinishAsked:
    """The player wants to stop here; what was learnt is kept."""


Act = Chosen | NextAsked | FinishAsked


@dataclass(frozen=True, slots=True, eq=False)
class ChartChanged:
    """The picture of what was learnt, of the shape of CHART_PX."""

    picture: Image.Image


@dataclass(frozen=True, slots=True)
class WizardEnded:
    """Nothing more will come; the window closes."""


Message = WizardScreen | ChartChanged | WizardEnded


class WizardWindow:
    """The window; make, run and drop it in the main thread only."""

    def __init__(
        self,
        title: str,
        messages: queue.SimpleQueue[Message],
        newest: Callable[[], Image.Image | None],
        act: Callable[[Act], None],
        text_size: int = 11,
    ) -> None:
        """Build the window.

        Args:
            title: the window's title.
            messages: what to show; any thread may put.
            newest: gives the newest picture of LIVE_PX, None when there is no new one.
            act: told what the player does; must return at once.
            text_size: in points.

        Raises:
            tkinter.TclError: there is no display.
        """
        self._messages, self._newest, self._act = messages, newest, act
        self._root = tk.Tk()
        self._root.title(title)
        self._root.configure(background=_PAPER)
        self._root.resizable(False, False)
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        self._scale = self._fitting_scale()
        self._text = tkfont.Font(self._root, family="TkDefaultFont", size=text_size)
        self._large = tkfont.Font(self._root, family="TkDefaultFont", weight="bold")
        self._screen: WizardScreen | None = None
        self._is_open = True
        self._build_left()
        self._build_right()
        self._bind_keys()
        self._resize_text(0)
        self._waiting = self._root.after(POLL_MS, self._poll)

    def run(self) -> None:
        """Show the window until it is closed."""
        self._root.mainloop()

    def close(self) -> None:
        """Close the window; may be called twice."""
        if not self._is_open:
            return
        self._is_open = False
        self._root.after_cancel(self._waiting)
        # Tk's own first idle call complains when the window is gone before it.
        self._root.update_idletasks()
        self._root.destroy()

    # --- building --------------------------------------------------------------------------------

    def _fitting_scale(self) -> float:
        """Return px of this screen for one of a plain screen, so far as the window has room."""
        fine = float(self._root.winfo_fpixels("1i")) / 96.0
        wide = self._root.winfo_screenwidth() / WINDOW_PX[0]
        high = self._root.winfo_screenheight() / WINDOW_PX[1]
        return min(max(min(fine, wide, high), LEAST_SCALE), MOST_SCALE)

    def _px(self, plain: float) -> int:
        return max(1, round(plain * self._scale))

    def _size(self, plain: tuple[int, int]) -> tuple[int, int]:
        return self._px(plain[0]), self._px(plain[1])

    def _fitted(self, picture: Image.Image, plain: tuple[int, int]) -> Image.Image:
        size = self._size(plain)
        smooth = Image.Resampling.BILINEAR
        return picture if picture.size == size else picture.resize(size, smooth)

    def _build_left(self) -> None:
        left = tk.Frame(self._root, background=_PAPER)
        left.grid(row=0, column=0, padx=(14, 7), pady=12, sticky="n")
        dark = Image.new("RGB", self._size(LIVE_PX), "#1b1712")
        self._photo = ImageTk.PhotoImage(dark, master=self._root)
        tk.Label(left, image=self._photo, borderwidth=0).pack()
        self._bar = tk.Canvas(
            left,
            width=self._px(LIVE_PX[0]),
            height=self._px(8),
            background=_LINE,
            highlightthickness=0,
        )
        self._bar.pack(pady=(6, 2))
        self._headline = self._line(left, self._large, _INK)
        self._hint = self._line(left, self._text, _INK)
        self._warning = self._line(left, self._text, _WARN)
        self._buttons = tk.Frame(left, background=_PAPER)
        self._buttons.pack(anchor="w", pady=(8, 0))
        self._drawn_buttons: tuple[object, ...] | None = None

    def _line(self, parent: tk.Frame, font: tkfont.Font, colour: str) -> tk.Label:
        line = tk.Label(
            parent,
            font=font,
            foreground=colour,
            background=_PAPER,
            wraplength=self._px(LIVE_PX[0]),
            justify="left",
            anchor="w",
        )
        line.pack(anchor="w", fill="x", pady=(3, 0))
        return line

    def _build_right(self) -> None:
        right = tk.Frame(self._root, background=_PAPER)
        right.grid(row=0, column=1, padx=(7, 14), pady=12, sticky="n")
        self._table = tk.Canvas(
            right, width=self._px(CHART_PX[0]), background=_PAPER, highlightthickness=0
        )
        self._table.pack(anchor="w")
        paper = Image.new("RGB", self._size(CHART_PX), _PAPER)
        self._chart = ImageTk.PhotoImage(paper, master=self._root)
        tk.Label(right, image=self._chart, borderwidth=0, background=_PAPER).pack(
            anchor="w", pady=(8, 0)
        )

    def _bind_keys(self) -> None:
        self._root.bind("<space>", lambda _: self._act(NextAsked()))
        self._root.bind("<Escape>", lambda _: self.close())
        for key in ("<plus>", "<KP_Add>", "<equal>"):
            self._root.bind(key, lambda _: self._resize_text(1))
        for key in ("<minus>", "<KP_Subtract>"):
            self._root.bind(key, lambda _: self._resize_text(-1))
        for number in range(1, 5):
            self._root.bind(str(number), lambda _, n=number: self._choose(n - 1))  # type: ignore[misc]

    # --- drawing ---------------------------------------------------------------------------------

    def _poll(self) -> None:
        picture = self._newest()
        if picture is not None:
            self._photo.paste(self._fitted(picture, LIVE_PX))
        screen = None
        for _ in range(50):
            try:
                message = self._messages.get_nowait()
            except queue.Empty:
                break
            if isinstance(message, WizardScreen):
                screen = message
            elif isinstance(message, ChartChanged):
                self._chart.paste(self._fitted(message.picture, CHART_PX))
            else:
                self.close()
                return
        if screen is not None and screen != self._screen:
            self._screen = screen
            self._draw(screen)
        self._waiting = self._root.after(POLL_MS, self._poll)

    def _draw(self, screen: WizardScreen) -> None:
        self._headline.configure(text=screen.headline, foreground=_GOOD if screen.is_done else _INK)
        self._hint.configure(text=screen.hint)
        self._warning.configure(text="\n".join(screen.warnings))
        self._bar.delete("all")
        done, high = self._px(LIVE_PX[0]) * screen.share, self._px(8)
        self._bar.create_rectangle(0, 0, done, high, fill=_GOOD, outline="")
        self._draw_table(screen)
        self._draw_buttons(screen)

    def _draw_table(self, screen: WizardScreen) -> None:
        table, row = self._table, round(self._text.metrics("linespace") * 1.32)
        names = max(self._text.measure(place.value) for place in Location) + self._px(20)
        column = max(self._px(84), max(map(self._text.measure, SIDES)) + self._px(16))
        width = max(self._px(CHART_PX[0]), names + column * len(SIDES))
        table.delete("all")
        table.configure(width=width, height=row * (len(Location) + 1) + 4)
        columns = {side: width - column * (n + 0.5) for n, side in enumerate(reversed(SIDES))}
        for side, x in columns.items():
            table.create_text(x, row / 2, text=side, font=self._text, fill=_FAINT)
        for number, place in enumerate(Location, start=1):
            y = row * (number + 0.5)
            if screen.lit is not None and screen.lit[0] is place:
                table.create_rectangle(0, y - row / 2, width, y + row / 2, fill=_LIT, outline="")
            table.create_line(0, y + row / 2, width, y + row / 2, fill=_LINE)
            asked = any((place, side) in screen.wanted for side in SIDES)
            table.create_text(
                4,
                y,
                anchor="w",
                text=place.value,
                font=self._text,
                fill=_INK if asked else _FAINT,
            )
            for side, x in columns.items():
                self._draw_tick(x, y, row * 0.26, (place, side) in screen.taught)

    def _draw_tick(self, x: float, y: float, size: float, taught: bool) -> None:
        if not taught:
            dot = self._px(3)
            self._table.create_oval(x - dot, y - dot, x + dot, y + dot, outline=_FAINT)
            return
        bottom = x - size * 0.25, y + size * 0.75
        for end in ((x - size, y), (x + size * 1.1, y - size)):
            self._table.create_line(end, bottom, fill=_GOOD, width=self._px(3), capstyle="round")

    def _draw_buttons(self, screen: WizardScreen) -> None:
        wanted = (screen.choices, screen.is_done, screen.is_enough)
        if wanted == self._drawn_buttons:
            return
        self._drawn_buttons = wanted
        for button in self._buttons.winfo_children():
            button.destroy()
        for number, place in enumerate(screen.choices):
            self._button(f"{number + 1}  {place.value}", lambda n=number: self._choose(n))  # type: ignore[misc]
        if screen.choices:
            self._button("Not sure (space)", lambda: self._act(NextAsked()))
        elif screen.is_done:
            self._button("Close (space)", lambda: self._act(NextAsked()))
        else:
            text = "Finish: enough is learnt" if screen.is_enough else "Stop here, go on later"
            self._button(text, lambda: self._act(FinishAsked()))

    def _button(self, text: str, command: Callable[[], None]) -> None:
        tk.Button(
            self._buttons,
            text=text,
            command=command,
            font=self._text,
            background=_LIT,
            activebackground="#ffffff",
            foreground=_INK,
            relief="flat",
            highlightbackground=_FAINT,
            highlightthickness=1,
            padx=12,
            pady=5,
            takefocus=False,
        ).pack(side="left", padx=(0, 8))

    # --- the player's acts -----------------------------------------------------------------------

    def _choose(self, number: int) -> None:
        if self._screen is not None and number < len(self._screen.choices):
            self._act(Chosen(self._screen.choices[number]))

    def _resize_text(self, by: int) -> None:
        size = min(MOST_TEXT, max(LEAST_TEXT, int(self._text.cget("size")) + by))
        self._text.configure(size=size)
        self._large.configure(size=size + 5)
        if self._screen is not None:
            self._draw(self._screen)
