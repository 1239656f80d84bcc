"""The set-up page: what is on the table, where things stand, the checklist, and Begin."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from tkinter import ttk
from typing import TypeVar

from assistant.core.board import Board
from assistant.core.events import SessionStarted
from assistant.core.settings import Expansion, Settings
from assistant.core.stealth import Shown
from assistant.core.suits import Suit, suits_in_play
from assistant.core.terms import Location
from assistant.present.set_up_form import (
    EXPANSION_WORDS,
    PASSES,
    STEP_WORDS,
    TIE_WORDS,
    SetUpForm,
    checklist,
    hindrance,
    passes_words,
    poet_places,
    started,
    with_expansion,
)
from assistant.ui.palettes import Palette
from assistant.ui.scrolled import QuietBar, Scrolled
from assistant.ui.theme import Theme

Key = TypeVar("Key")

_NO_PAWN = "(only read cards)"
_NOT_TOLD = "(tell later)"


class SetUpPage:
    """A page over the map; `begin` is told the game's first event."""

    def __init__(
        self, parent: tk.Misc, theme: Theme, board: Board, begin: Callable[[SessionStarted], None]
    ) -> None:
        """Build the page for a fresh form."""
        self._theme, self._board, self._begin = theme, board, begin
        self.form = SetUpForm()
        self._page = Scrolled(parent, theme)
        self.frame = self._page.outer
        self._boxes: dict[Expansion, str] = {}
        self._lists: dict[str, ttk.Combobox] = {}
        inner = self._page.frame
        self._left, self._right = ttk.Frame(inner), ttk.Frame(inner)
        self._build_expansions(self._left)
        self._build_places(self._left)
        self._why = ttk.Label(self._left, style="Faint.TLabel", wraplength=theme.px(320))
        self._why.pack(anchor="w", pady=theme.px(6))
        self._build_rules(self._right)
        self._build_checklist(self._right)
        self._is_wide: bool | None = None
        inner.bind("<Configure>", lambda event: self._lay(event.width), add="+")
        self._changed()

    def _lay(self, width: int) -> None:
        """Lay the halves beside each other where there is room, else one below the other."""
        inner, gap = self._page.frame, self._theme.px(18)
        needed = self._left.winfo_reqwidth() + self._right.winfo_reqwidth()
        needed += gap + self._theme.px(32)  # between them, and the page's own margins
        is_wide = width >= needed
        if is_wide == self._is_wide:
            return
        self._is_wide = is_wide
        self._left.grid(row=0, column=0, sticky="nw", padx=(0, gap))
        self._right.grid(row=0 if is_wide else 1, column=1 if is_wide else 0, sticky="nsew",
                         pady=(0 if is_wide else self._theme.px(8), 0))  # fmt: skip
        for line in (0, 1):
            inner.rowconfigure(line, weight=int(is_wide == (line == 0)))
            inner.columnconfigure(line, weight=int(is_wide == (line == 1)))
        self._steps.configure(height=5 if is_wide else 16)

    def colour(self, palette: Palette) -> None:
        """Paint the ground and the checklist, which are no ttk widgets."""
        self._page.colour(palette.window)
        self._steps.configure(background=palette.panel, foreground=palette.ink)
        self._steps.tag_configure("source", foreground=palette.faint, font="SmallFont")

    def begin(self) -> None:
        """Begin the game as the form stands."""
        if hindrance(self._board, self.form) is None:
            self._begin(started(self._board, self.form))

    def choose(self, expansions: Sequence[Expansion]) -> None:
        """Tick these expansions and no others."""
        self.form = replace(self.form, expansions=frozenset(expansions))
        self._changed()

    def tell_top(self, shown: Shown) -> None:
        """Take what shows on the stealth deck."""
        self.form = replace(self.form, top=shown)
        self._changed()

    def _build_expansions(self, parent: ttk.Frame) -> None:
        ttk.Label(parent, text="What is on the table?", style="Head.TLabel").pack(anchor="w")
        for expansion, (name, about) in EXPANSION_WORDS.items():
            # The name of a Tcl variable: a Variable object may be dropped in another thread.
            box = f"bystander_with_{expansion.value}"
            self._boxes[expansion] = box
            line = ttk.Frame(parent)
            line.pack(anchor="w", fill="x")
            ttk.Checkbutton(
                line,
                text=name,
                variable=box,  # type: ignore[arg-type]  # Tcl takes a name
                command=partial(self._ticked, expansion),
            ).pack(side="left")
            ttk.Label(line, text=about, style="Faint.TLabel").pack(side="left")

    def _build_places(self, parent: ttk.Frame) -> None:
        ttk.Label(parent, text="Where do things stand?", style="Head.TLabel").pack(
            anchor="w", pady=(self._theme.px(8), 0)
        )
        grid = ttk.Frame(parent)
        grid.pack(anchor="w", fill="x")
        for row, (name, words) in enumerate(
            (("pawn", "Your pawn"), ("poet", "The Poet's pawn"), ("suit", "The Lady's suit"),
             ("top", "Top of stealth deck"), ("passes", "She escapes after"))
        ):  # fmt: skip
            self._list(grid, name, words, row)

    def _build_rules(self, parent: ttk.Frame) -> None:
        ttk.Label(parent, text="Open rules, as you read them", style="Head.TLabel").pack(anchor="w")
        grid = ttk.Frame(parent)
        grid.pack(anchor="w", fill="x")
        for row, (name, words) in enumerate(
            (("steps", "Steps are counted"), ("stay", "She may stay a turn"),
             ("miss", "She flees after a miss"), ("tie", "Ties of the Poet"))
        ):  # fmt: skip
            self._list(grid, name, words, row)

    def _list(self, grid: ttk.Frame, name: str, words: str, row: int) -> None:
        ttk.Label(grid, text=words).grid(row=row, column=0, sticky="w", pady=self._theme.px(1))
        box = ttk.Combobox(grid, state="readonly", width=17, font="BodyFont")
        box.grid(row=row, column=1, sticky="w", padx=(self._theme.px(8), 0))
        box.bind("<<ComboboxSelected>>", lambda _event: self._chosen(name))
        self._lists[name] = box

    def _build_checklist(self, parent: ttk.Frame) -> None:
        ttk.Label(parent, text="Laying out the table", style="Head.TLabel").pack(
            anchor="w", pady=(self._theme.px(8), 0)
        )
        self._steps = tk.Text(parent, wrap="word", borderwidth=0, highlightthickness=0, width=20,
                              height=5, font="BodyFont", cursor="arrow", state="disabled",
                              padx=self._theme.px(10), pady=self._theme.px(6),
                              takefocus=0)  # fmt: skip
        self._steps.pack(fill="both", expand=True)
        self._bar = QuietBar(self._steps)

    def _ticked(self, which: Expansion) -> None:
        chosen = self.form.expansions
        chosen = chosen - {which} if which in chosen else with_expansion(chosen, which)
        self.form = replace(self.form, expansions=chosen)
        self._changed()

    def _chosen(self, name: str) -> None:
        text = self._lists[name].get()
        settings = self.form.settings
        changes: dict[str, Callable[[], SetUpForm]] = {
            "pawn": lambda: replace(
                self.form, pawn=None if text == _NO_PAWN else Location(text), poet=None
            ),
            "poet": lambda: replace(self.form, poet=Location(text) if text else None),
            "suit": lambda: replace(self.form, suit=None if text == _NOT_TOLD else Suit(text)),
            "top": lambda: replace(
                self.form, top=Shown.UNSEEN if text == _NOT_TOLD else Shown(text)
            ),
            "passes": lambda: replace(self.form, passes=int(text.split()[0])),
            "steps": lambda: self._ruled(replace(settings, steps=_key_of(STEP_WORDS, text))),
            "stay": lambda: self._ruled(replace(settings, may_stay=text == "yes")),
            "miss": lambda: self._ruled(replace(settings, advance_after_miss=text == "yes")),
            "tie": lambda: self._ruled(replace(settings, tie=_key_of(TIE_WORDS, text))),
        }
        self.form = changes[name]()
        self._lists[name].selection_clear()
        self._changed()

    def _ruled(self, settings: Settings) -> SetUpForm:
        return replace(self.form, settings=settings)

    def _changed(self) -> None:
        """Show the form as it stands, with the lists that follow from it."""
        form = self.form
        for expansion, box in self._boxes.items():
            self.frame.setvar(box, "1" if expansion in form.expansions else "0")
        start = started(self._board, form)
        places = poet_places(self._board, form)
        symbols = [_NOT_TOLD, *(s.value for s in Shown if s not in (Shown.FOG, Shown.UNSEEN))]
        self._offer("pawn", [*(p.value for p in Location), _NO_PAWN],
                    _NO_PAWN if form.pawn is None else form.pawn.value)  # fmt: skip
        self._offer("poet", [p.value for p in places],
                    "" if start.poet is None else start.poet.value)  # fmt: skip
        self._offer("suit", [_NOT_TOLD, *(s.value for s in suits_in_play(form.expansions))],
                    _NOT_TOLD if start.suit is None else start.suit.value)  # fmt: skip
        self._offer("top", symbols, _NOT_TOLD if form.top is Shown.UNSEEN else form.top.value)
        self._offer("passes", [passes_words(n) for n in PASSES], passes_words(form.passes))
        settings = form.settings
        self._offer("steps", list(STEP_WORDS.values()), STEP_WORDS[settings.steps])
        self._offer("stay", ["yes", "no"], "yes" if settings.may_stay else "no")
        self._offer("miss", ["yes", "no"], "yes" if settings.advance_after_miss else "no")
        self._offer("tie", list(TIE_WORDS.values()), TIE_WORDS[settings.tie])
        why = hindrance(self._board, form)
        self._why.configure(text=why or "")
        self._tell_steps()

    def _offer(self, name: str, values: list[str], value: str) -> None:
        box = self._lists[name]
        box.configure(values=values, state="readonly" if values else "disabled")
        box.set(value)

    def _tell_steps(self) -> None:
        text = self._steps
        text.configure(state="normal")
        text.delete("1.0", "end")
        for number, step in enumerate(checklist(self.form), start=1):
            text.insert("end", f"{number}.  {step.text}  ")
            text.insert("end", f"{step.source}\n\n", "source")
        text.configure(state="disabled")


def _key_of(words: Mapping[Key, str], text: str) -> Key:
    return next(key for key, word in words.items() if word == text)
