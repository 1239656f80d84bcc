"""The play window without a mouse: the map by arrow keys, typed acts, the bell, the screen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from pathlib import Path
from tkinter import ttk

import pytest

from assistant.core.terms import Location
from assistant.ui.desk import ReadingSaid
from tests.assistant.ui.play_driver import Driven
from tests.assistant.ui.test_play_window import click

pytestmark = pytest.mark.usefixtures("display")


@pytest.fixture
def driven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driven]:
    """A game in which the player's first act is asked for."""
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    driven = Driven()
    driven.begin()
    driven.acts("not noted")
    driven.until(lambda: driven.window.map.view.size[0])
    yield driven
    assert driven.close()


def on_map(driven: Driven, key: str) -> str:
    """Press a key with the keyboard on the map; return the first line of the card it shows."""
    canvas = driven.window.map.canvas
    canvas.focus_force()
    driven.root.update()
    canvas.event_generate(f"<KeyPress-{key}>")
    driven.root.update()
    return str(canvas.itemcget(driven.window.map._words, "text")).splitlines()[0]  # type: ignore[no-untyped-call]


def test_arrow_keys_go_from_place_to_place_round_the_map_and_return_goes_there(
    driven: Driven,
) -> None:
    places = [place.value for place in Location]
    assert [on_map(driven, "Right") for _ in range(len(places) + 1)] == [*places, places[0]]
    assert on_map(driven, "Left") == places[-1]
    assert on_map(driven, "Up") == places[-2]
    assert on_map(driven, "Down") == places[-1]
    ways = driven.state.board.neighbours(Location.CORNHILL)
    while on_map(driven, "Right") != ways[0].value:
        pass
    on_map(driven, "Return")
    assert driven.asked.title == f"Move to {ways[0].value}?"
    driven.press(" ")
    driven.until(lambda: driven.state.game.pawn is ways[0])


def test_a_place_that_is_asked_for_is_taken_by_a_click(driven: Driven) -> None:
    driven.answer("Move")
    click(driven, Location.SOUTHWARK)
    # No road leads there: nothing is taken.
    assert driven.asked.title == "Move where?"
    click(driven, Location.EASTCHEAP)
    driven.until(lambda: driven.state.game.pawn is Location.EASTCHEAP)


def typed(driven: Driven, words: str) -> None:
    """Type a line after a colon."""
    driven.press(":")
    driven.until(lambda: isinstance(driven.root.focus_get(), ttk.Entry))
    entry = driven.root.focus_get()
    assert isinstance(entry, ttk.Entry)
    entry.insert(0, words)
    entry.event_generate("<Return>")
    driven.root.update()


def test_an_act_is_typed_after_a_colon_and_an_empty_line_is_none(driven: Driven) -> None:
    before, asked = driven.state.log, driven.asked.title
    typed(driven, "   ")
    driven.settle(0.1)
    assert driven.state.log == before
    assert driven.asked.title == asked
    typed(driven, " move eastcheap ")
    driven.until(lambda: driven.state.game.pawn is Location.EASTCHEAP)


def test_a_line_that_is_not_understood_is_told_and_changes_nothing(driven: Driven) -> None:
    before = driven.state.log
    typed(driven, "move camelot")
    driven.until(lambda: "camelot" in driven.window._extra)
    assert driven.state.log == before


def test_a_line_of_the_log_is_asked_about_by_return(driven: Driven) -> None:
    driven.acts("Ask a bystander", "tavern")
    log = driven.window.tabs.log.list
    driven.window.tabs.book.select(driven.window.tabs.log.frame)  # type: ignore[no-untyped-call]
    driven.until(log.winfo_viewable)
    log.selection_set(str(driven.state.log[-1].seq))
    log.focus_force()
    driven.root.update()
    log.event_generate("<KeyPress-Return>")
    driven.until(lambda: driven.has("Take it back"))


def test_a_bell_rings_for_every_reading_where_that_is_wanted(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[None] = []
    monkeypatch.setattr(driven.root, "bell", lambda: rung.append(None))
    kept: list[tuple[str, object]] = []
    monkeypatch.setattr(driven.desk, "keep", lambda name, value: kept.append((name, value)))
    said = ReadingSaid("Cornhill said church", "8 places left.")
    for is_wanted, rings in ((False, 0), (True, 1), (False, 1)):
        driven.window.set_sound(is_wanted)
        driven.window._told(said)
        assert len(rung) == rings
    assert kept == [("sound", False), ("sound", True), ("sound", False)]


def test_f11_asks_for_the_full_screen_and_back(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without a window manager nothing changes: what is asked for is looked at.
    asked: list[bool] = []

    def attributes(*words: object) -> object:
        if len(words) == 2:
            asked.append(bool(words[1]))
        return asked[-1] if asked else False

    monkeypatch.setattr(driven.root, "attributes", attributes)
    driven.press("F11")
    driven.press("F11")
    driven.root.update()
    assert asked == [True, False]


def test_a_page_higher_than_its_room_is_rolled_by_the_wheel(driven: Driven) -> None:
    driven.root.geometry("900x420")
    driven.window.show_set_up()
    page = driven.window.set_up._page
    driven.until(lambda: page._canvas.yview()[1] < 1.0)
    [box] = [each for each in page.frame.winfo_children() if isinstance(each, ttk.Frame)][:1]
    assert isinstance(box, tk.Misc)
    box.event_generate("<Button-5>")
    driven.root.update()
    lower = page._canvas.yview()[0]
    assert lower > 0.0
    box.event_generate("<Button-4>")
    driven.root.update()
    assert page._canvas.yview()[0] < lower
