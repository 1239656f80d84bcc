"""The set-up page by its boxes and lists: what is ticked and chosen is the game that begins."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from pathlib import Path
from tkinter import ttk

import pytest

from assistant.core.settings import Expansion, TieReading
from assistant.core.stealth import Shown
from assistant.core.suits import Suit
from assistant.core.terms import Location, StepReading
from assistant.present.set_up_form import EXPANSION_WORDS
from tests.assistant.ui.play_driver import Driven

pytestmark = pytest.mark.usefixtures("display")


@pytest.fixture
def driven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driven]:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    driven = Driven()
    driven.until(lambda: driven.has("Begin"))
    yield driven
    assert driven.close()


def all_under(widget: tk.Misc) -> Iterator[tk.Misc]:
    yield widget
    for child in widget.winfo_children():
        yield from all_under(child)


def tick(driven: Driven, which: Expansion) -> None:
    """Tick the box of an expansion, or untick it."""
    name, _ = EXPANSION_WORDS[which]
    [box] = [each for each in all_under(driven.window.set_up.frame)
             if isinstance(each, ttk.Checkbutton) and each.cget("text") == name]  # fmt: skip
    box.invoke()


def pick(driven: Driven, name: str, text: str) -> None:
    """Choose a line of a list that offers it."""
    box = driven.window.set_up._lists[name]
    assert text in box.cget("values")
    box.set(text)
    box.event_generate("<<ComboboxSelected>>")


def test_a_poet_is_ticked_in_the_other_s_place_and_unticked_again(driven: Driven) -> None:
    page = driven.window.set_up
    before = page.form.expansions
    tick(driven, Expansion.ELUSIVE)
    assert page.form.expansions == before | {Expansion.ELUSIVE}
    tick(driven, Expansion.AGGRESSIVE)
    assert page.form.expansions == before | {Expansion.AGGRESSIVE}
    assert page.frame.getvar(page._boxes[Expansion.ELUSIVE]) in ("0", 0)
    assert page.frame.getvar(page._boxes[Expansion.AGGRESSIVE]) in ("1", 1)
    tick(driven, Expansion.AGGRESSIVE)
    assert page.form.expansions == before


def test_what_the_lists_say_is_the_game_that_begins(driven: Driven) -> None:
    tick(driven, Expansion.AGGRESSIVE)
    pick(driven, "pawn", "Cripplegate")
    # Two places are equally far from there: the Poet may stand in either.
    assert set(driven.window.set_up._lists["poet"].cget("values")) == {
        "Bishopsgate", "Liberty of the Clink",
    }  # fmt: skip
    pick(driven, "poet", "Liberty of the Clink")
    pick(driven, "suit", "rose")
    pick(driven, "top", "tavern")
    pick(driven, "passes", "3 passes of the deck")
    pick(driven, "steps", "the shortest way")
    pick(driven, "tie", "by straight lines")
    form = driven.window.set_up.form
    may_stay, after_miss = form.settings.may_stay, form.settings.advance_after_miss
    pick(driven, "stay", "no" if may_stay else "yes")
    pick(driven, "miss", "no" if after_miss else "yes")
    driven.begin()
    began = driven.state.started
    assert (began.pawn, began.poet) == (Location.CRIPPLEGATE, Location.LIBERTY_OF_THE_CLINK)
    assert (began.suit, began.top, began.passes) == (Suit.ROSE, Shown.TAVERN, 3)
    assert began.settings.steps is StepReading.SHORTEST
    assert began.settings.tie is TieReading.STRAIGHT
    assert began.settings.may_stay is not may_stay
    assert began.settings.advance_after_miss is not after_miss


def test_what_was_told_can_be_untold(driven: Driven) -> None:
    page = driven.window.set_up
    for name, said, unsaid in (
        ("suit", "rose", page._lists["suit"].cget("values")[0]),
        ("top", "church", page._lists["top"].cget("values")[0]),
        ("pawn", "Eastcheap", page._lists["pawn"].cget("values")[-1]),
    ):
        before = page.form
        pick(driven, name, said)
        assert page.form != before
        pick(driven, name, unsaid)
    assert (page.form.suit, page.form.top, page.form.pawn) == (None, Shown.UNSEEN, None)
    # Without a pawn there is no Poet to place.
    assert not page._lists["poet"].cget("values")


def test_return_begins_from_the_page_and_escape_leaves_no_window_without_one(
    driven: Driven,
) -> None:
    driven.press("Escape")
    driven.settle(0.05)
    assert driven.window.page_shown() == "set-up"
    driven.press("Return")
    driven.until(lambda: driven.window._is_on and driven.state.in_force)
    driven.until(lambda: driven.window.page_shown() is None)
