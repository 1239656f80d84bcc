"""The tabs beside the map: open questions, the Lady, the log, hints, the score."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from itertools import takewhile
from tkinter import ttk

from assistant.core.events import Seq
from assistant.core.turn_events import Help
from assistant.present.hints import HintButton
from assistant.present.log_lines import Fate, LogLine
from assistant.present.panels import Rows, Tone
from assistant.present.screen import Screen
from assistant.ui.offer_row import Pictures
from assistant.ui.palettes import Palette, mixed
from assistant.ui.scrolled import QuietBar, Scrolled
from assistant.ui.theme import Theme

_FACES = {Tone.HEAD: "HeadFont", Tone.STRONG: "StrongFont", Tone.FAINT: "SmallFont"}


class RowsText:
    """Rows as a text that can be scrolled, small pictures before them."""

    def __init__(self, parent: tk.Misc, theme: Theme, pictures: Pictures) -> None:
        """Make it empty."""
        self._theme, self._pictures = theme, pictures
        self._shown: tuple[Rows, tuple[object, ...]] | None = None
        self.frame = ttk.Frame(parent, style="Panel.TFrame")
        self.text = tk.Text(self.frame, wrap="word", borderwidth=0, highlightthickness=0,
                            width=10, height=4, cursor="arrow", state="disabled",
                            padx=theme.px(10), pady=theme.px(6), font="BodyFont",
                            spacing1=theme.px(1), takefocus=0)  # fmt: skip
        self.text.pack(side="left", fill="both", expand=True)
        self._bar = QuietBar(self.text)

    def show(self, rows: Rows, palette: Palette) -> None:
        """Show these rows; the place scrolled to stays, rows that stand there already too."""
        look = (palette, self._theme.scale, self._theme.line_px)
        if (rows, look) == self._shown:
            return
        text = self.text
        top = text.yview()[0]
        text.configure(state="normal")
        text.delete("1.0", "end")
        if self._shown is None or look != self._shown[1]:
            self._colour(palette)
        self._shown = (rows, look)
        # As few calls as there are pictures: at each of them a busy thread may come in between.
        words: list[str] = []
        for row in rows:
            picture = self._pictures.of(row.picture, _paint(row.tone, palette), 1.0)
            if picture is not None:
                text.insert("end", *(words or [""]))
                words = [" ", row.tone.value]
                text.image_create("end", image=picture, padx=self._theme.px(2))
            words += [row.text + "\n", row.tone.value]
        if words:
            text.insert("end", *words)
        text.configure(state="disabled")
        text.yview_moveto(top)

    def _colour(self, palette: Palette) -> None:
        self.text.configure(background=palette.panel, foreground=palette.ink)
        for tone in Tone:
            above = self._theme.px(8) if tone is Tone.HEAD else self._theme.px(1)
            self.text.tag_configure(tone.value, foreground=_paint(tone, palette),
                                    font=_FACES.get(tone, "BodyFont"), spacing1=above,
                                    overstrike=tone is Tone.OUT)  # fmt: skip


def _paint(tone: Tone, palette: Palette) -> str:
    if tone is Tone.OUT:
        return mixed(palette.faint, palette.panel, 0.35)
    return {Tone.HEAD: palette.accent, Tone.FAINT: palette.faint}.get(tone, palette.ink)


class LogList:
    """The log; a click or Return on a line asks what it was really."""

    def __init__(self, parent: tk.Misc, theme: Theme, choose: Callable[[Seq], None]) -> None:
        """Make it empty."""
        self.frame = ttk.Frame(parent, style="Panel.TFrame")
        self.list = ttk.Treeview(self.frame, columns=("time", "text"), show="", height=4,
                                 selectmode="browse")  # fmt: skip
        self._across = ttk.Scrollbar(self.frame, orient="horizontal", command=self.list.xview)
        self.list.configure(xscrollcommand=self._across.set)
        self.list.pack(side="left", fill="both", expand=True)
        self._bar = QuietBar(self.list)
        self.list.bind("<Configure>", lambda _event: self._fit())
        self._theme, self._choose = theme, choose
        self._shown: tuple[LogLine, ...] = ()
        self._widest_px, self._letters_px = 0, 0
        self.list.bind("<ButtonRelease-1>", lambda _event: self._chosen())
        self.list.bind("<Return>", lambda _event: self._chosen())

    def show(self, lines: tuple[LogLine, ...], palette: Palette) -> None:
        """Show the log, its last line in view; lines that stand as they did are not touched."""
        pale = mixed(palette.faint, palette.panel, 0.3)
        self.list.tag_configure(Fate.TAKEN_BACK.name, foreground=pale)
        self.list.tag_configure(Fate.DISPUTED.name, foreground=palette.warn)
        self.list.tag_configure(Fate.DOUBTED.name, foreground=palette.warn)
        self.list.tag_configure(Fate.PUT_RIGHT.name, foreground=palette.accent)
        pairs = zip(self._shown, lines, strict=False)
        common = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        measure = self._theme.fonts["BodyFont"].measure
        letters = measure("0")
        if letters != self._letters_px:
            # Letters of another size: every line is measured anew.
            self._letters_px, common = letters, 0
        if common == 0:
            self._widest_px = 0
        for line in self._shown[common:]:
            self.list.delete(str(line.seq))
        for line in lines[common:]:
            words = line.text if line.fate is Fate.STANDS else f"{line.text}  ({line.fate.value})"
            eye = "◉ " if line.by_camera else ""
            self.list.insert("", "end", str(line.seq), values=(line.time, eye + words),
                             tags=(line.fate.name,))  # fmt: skip
            self._widest_px = max(self._widest_px, measure(eye + words))
        if lines and common < len(lines):
            self.list.see(str(lines[-1].seq))
        self._shown = lines
        self._fit()

    def _fit(self) -> None:
        """Make the columns as wide as their words; what is wider than the list is scrolled to."""
        measure, gap = self._theme.fonts["BodyFont"].measure, self._theme.px(14)
        times = measure("00:00") + gap
        words = self._widest_px + 2 * gap
        room = self.list.winfo_width() - times
        self.list.column("time", width=times, stretch=False)
        self.list.column("text", width=max(words, room), stretch=False)
        if words > room:
            self._across.pack(side="bottom", fill="x", before=self.list)
        else:
            self._across.pack_forget()

    def _chosen(self) -> None:
        for item in self.list.selection():
            self._choose(Seq(int(item)))


class HintsTab:
    """One button for each hint, with how often it was used, and what the last one said."""

    def __init__(self, parent: tk.Misc, theme: Theme, ask: Callable[[Help], None]) -> None:
        """Make it empty."""
        self._page = Scrolled(parent, theme, "Panel.TFrame", pad=10)
        self.frame, self._inner = self._page.outer, self._page.frame
        self._ask, self._theme = ask, theme
        self._buttons: dict[Help, ttk.Button] = {}
        note = "Hints are off. Each button gives one and counts it on the score sheet."
        self._note = ttk.Label(self._inner, style="Note.TLabel", text=note)
        self._note.pack(anchor="w", pady=(0, theme.px(6)))
        self._said = ttk.Label(self._inner, style="Note.TLabel", text="")
        self._said.pack(side="bottom", anchor="w", fill="x")
        self._inner.bind("<Configure>", self._wrap)

    def show(self, hints: tuple[HintButton, ...], palette: Palette) -> None:
        """Show the hints of this game."""
        self._page.colour(palette.panel)
        wanted = {hint.help for hint in hints}
        for gone in set(self._buttons) - wanted:
            self._buttons.pop(gone).destroy()
        for hint in hints:
            if hint.help not in self._buttons:
                button = ttk.Button(self._inner, command=partial(self._ask, hint.help))
                button.pack(anchor="w", fill="x", pady=self._theme.px(2))
                self._buttons[hint.help] = button
            times = f"   ({hint.used})" if hint.used else ""
            self._buttons[hint.help].configure(text=hint.label + times)

    def say(self, words: str) -> None:
        """Show the last hint; it stays when the line under the question is gone."""
        self._said.configure(text=words)

    def _wrap(self, event: tk.Event[tk.Misc]) -> None:
        for label in (self._note, self._said):
            label.configure(wraplength=max(event.width - self._theme.px(24), 80))


class SideTabs:
    """All tabs."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        pictures: Pictures,
        choose: Callable[[Seq], None],
        hint: Callable[[Help], None],
    ) -> None:
        """Make them empty."""
        self._theme = theme
        self.book = ttk.Notebook(parent, takefocus=1)
        self.questions = RowsText(self.book, theme, pictures)
        self.lady = RowsText(self.book, theme, pictures)
        self.log = LogList(self.book, theme, choose)
        self.hints = HintsTab(self.book, theme, hint)
        self.score = RowsText(self.book, theme, pictures)
        frames = {"Who & where": self.questions.frame, "Lady": self.lady.frame,
                  "Log": self.log.frame, "Hints": self.hints.frame,
                  "Score": self.score.frame}  # fmt: skip
        self._names = tuple(frames)
        for name, frame in frames.items():
            self.book.add(frame, text=name)

    def show(self, screen: Screen, palette: Palette) -> None:
        """Show a state."""
        self.questions.show(screen.questions, palette)
        self.lady.show(screen.lady, palette)
        self.log.show(screen.log, palette)
        self.hints.show(screen.hints, palette)
        self.score.show(screen.score, palette)

    def fit(self, room_px: int) -> None:
        """Pad the tabs' names as far as the room goes, so that none is cut."""
        font, px = self._theme.fonts["SmallFont"], self._theme.px
        words = sum(font.measure(name) for name in self._names)
        beside = (room_px - words) // (2 * len(self._names)) - px(2)
        padding = (min(max(beside, 1), px(9)), px(4))
        self._theme.style.configure("TNotebook.Tab", padding=padding)
        # The theme pads the chosen tab in px of its own: names would shift with every choice.
        self._theme.style.map("TNotebook.Tab", padding=[("selected", padding)])

    def show_score(self) -> None:
        """Bring the score sheet to the front."""
        self.book.select(self.score.frame)  # type: ignore[no-untyped-call]
