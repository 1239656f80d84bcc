"""A question with its answers as buttons that flow over as many lines as they need."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from tkinter import ttk

from PIL import Image, ImageTk

from assistant.present.choices import Ask, Offer
from assistant.ui.palettes import Palette, rgb
from assistant.ui.theme import Theme


class Pictures:
    """Small pictures for buttons in the colours of the palette, made once for each."""

    def __init__(self, theme: Theme, masks: Mapping[str, Image.Image]) -> None:
        """Keep the masks; nothing is made yet."""
        self._theme, self._masks = theme, masks
        self._made: dict[tuple[str, str, int], ImageTk.PhotoImage] = {}

    def of(self, word: str | None, paint: str, points: float = 1.35) -> ImageTk.PhotoImage | None:
        """Return the picture of a word, `points` lines high; None where there is none."""
        if word is None or word not in self._masks:
            return None
        side = round(self._theme.line_px * points)
        key = (word, paint, side)
        if key not in self._made:
            image = Image.new("RGBA", (side, side), (*rgb(paint), 0))
            image.putalpha(self._masks[word].resize((side, side), Image.Resampling.LANCZOS))
            self._made[key] = ImageTk.PhotoImage(image, master=self._theme.root)
        return self._made[key]


#: A frame that is not shown yet has no width.
_LEAST_ROOM_PX = 200


class Flow(ttk.Frame):
    """A frame whose children stand in lines like words."""

    def __init__(self, parent: tk.Misc, gap_px: int) -> None:
        """Make it empty."""
        super().__init__(parent, style="Row.TFrame")
        self._gap = gap_px
        self._kids: list[ttk.Widget] = []
        self._room, self._lines, self._high = 0, 1, 1
        self.bind("<Configure>", self._sized)

    def _sized(self, event: tk.Event[tk.Misc]) -> None:
        # A new height is this frame's own doing.
        if max(event.width, _LEAST_ROOM_PX) != self._room:
            self._lay()

    def put(self, kids: Sequence[ttk.Widget]) -> None:
        """Show these children instead of the last ones, which are destroyed."""
        for kid in self._kids:
            kid.destroy()
        self._kids = list(kids)
        self._lay()

    def forget(self) -> None:
        """Begin anew with lines and their height: the letters have another size."""
        self._room = 0

    def take(self) -> list[ttk.Widget]:
        """Return the children, to be put again; they are not destroyed."""
        kids, self._kids = self._kids, []
        return kids

    @property
    def buttons(self) -> Sequence[ttk.Widget]:
        """The buttons that stand here."""
        return self._kids

    def _lay(self) -> None:
        room = max(self.winfo_width(), _LEAST_ROOM_PX)
        # What lines there were stay when they are not needed any more, as high as they were: the
        # map above must not jump up and down with every question.
        if room != self._room:
            self._room, self._lines, self._high = room, 1, 1
        high = max((kid.winfo_reqheight() for kid in self._kids), default=1)
        high = self._high = max(high, self._high)
        x, line = 0, 0
        for kid in self._kids:
            wide = kid.winfo_reqwidth()
            if x and x + wide > room:
                x, line = 0, line + 1
            kid.place(x=x, y=line * (high + self._gap), height=high)
            x += wide + self._gap
        self._lines = min(max(self._lines, line + 1), 2)
        lines = max(line + 1, self._lines)
        self.configure(height=lines * high + (lines - 1) * self._gap)


class OfferRow(ttk.Frame):
    """The large line, the note under it, and the answers."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, pictures: Pictures, pick: Callable[[Offer], None]
    ) -> None:
        """Make it empty; `pick` is told the answer that was pressed."""
        super().__init__(parent, style="Row.TFrame", padding=(theme.px(12), theme.px(6)))
        self._theme, self._pictures, self._pick = theme, pictures, pick
        self._shown: tuple[object, ...] | None = None
        self.title = ttk.Label(self, style="Large.TLabel")
        self.note = ttk.Label(self, style="Note.TLabel")
        self.flow = Flow(self, theme.px(6))
        self.title.pack(anchor="w", fill="x")
        self.note.pack(anchor="w", fill="x")
        self.flow.pack(fill="x", pady=(theme.px(5), 0))
        self.bind("<Configure>", self._wrap)

    def show(self, asked: Ask, palette: Palette, *, can_go_back: bool, extra: str = "") -> bool:
        """Show a question, `extra` in the line under it; return whether the answers are new.

        The answers are made anew only for another question: who is typing is not disturbed.
        """
        self.title.configure(text=asked.title)
        self._fit_title(self.winfo_width())
        note = "   ".join(part for part in (extra, asked.note) if part)
        self.note.configure(text=note or " ")
        shown = (asked.offers, asked.number, (palette.name, asked.is_even), can_go_back)
        if shown == self._shown:
            return False
        self._shown = shown
        kids: list[ttk.Widget] = [self._button(offer, offer is asked.first, palette)
                for offer in asked.offers]  # fmt: skip
        if can_go_back:
            kids.append(ttk.Button(self.flow, text="Back  [Esc]", style="Quiet.TButton",
                                   command=lambda: self.event_generate("<<GoBack>>")))  # fmt: skip
        self.flow.put(kids)
        return True

    def forget(self) -> None:
        """Make the buttons anew with the next question, whatever it is."""
        self._shown = None
        self.flow.forget()

    def ask_number(self, then: Callable[[int], None]) -> None:
        """Let a whole number be typed; anything else is not taken."""

        def typed(text: str) -> None:
            if text.strip().removeprefix("-").isdecimal():
                then(int(text))

        self.ask_text(typed)

    def ask_text(self, then: Callable[[str], None]) -> None:
        """Let a line be typed; Return takes it, Escape goes back."""
        entry = ttk.Entry(self.flow, width=40, font="BodyFont")
        entry.bind("<Return>", lambda _event: then(entry.get()))
        entry.bind("<Escape>", lambda _event: self.event_generate("<<GoBack>>"))
        self.flow.put([entry, *self.flow.take()])
        entry.focus_set()

    def _button(self, offer: Offer, is_first: bool, palette: Palette) -> ttk.Button:
        key = "space" if is_first else offer.key.upper()
        words = f"{offer.label}  [{key}]" if key else offer.label
        picture = self._pictures.of(offer.picture, palette.accent_ink if is_first else palette.ink)
        return ttk.Button(
            self.flow,
            text=words if picture is None else f"  {words}",
            image="" if picture is None else picture,
            compound="left",
            style="Primary.TButton" if is_first else "TButton",
            command=lambda: self._pick(offer),
        )

    def _fit_title(self, width: int) -> None:
        """Make a long title's letters less large before it takes a second line."""
        room = width - self._theme.px(48)
        wide = self._theme.fonts["LargeFont"].measure(str(self.title.cget("text")))
        self.title.configure(style="Middle.TLabel" if wide > room > 100 else "Large.TLabel")

    def _wrap(self, event: tk.Event[tk.Misc]) -> None:
        self._fit_title(event.width)
        for label in (self.title, self.note):
            label.configure(wraplength=max(event.width - self._theme.px(48), 100))
