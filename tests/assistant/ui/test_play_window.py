"""The play window, for real, on a virtual display: played by keys and clicks alone."""

from __future__ import annotations

import threading
import tkinter as tk
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from assistant.commands.play_state import told
from assistant.core.events import YouthAsked
from assistant.core.game import Phase
from assistant.core.settings import Expansion
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import Help
from assistant.present.hints import hint_words
from assistant.present.lights import Layer
from assistant.ui.window_frame import WindowSettings
from tests.assistant.ui.play_driver import Driven, replayed

pytestmark = pytest.mark.usefixtures("display")

ALL = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def driven(home: Path) -> Iterator[Driven]:
    driven = Driven()
    yield driven
    assert driven.close()


def test_a_first_start_leads_to_a_running_game_with_one_key(driven: Driven, home: Path) -> None:
    driven.begin()
    assert driven.asked.title.startswith("Turn 1")
    assert driven.state.started.expansions == {Expansion.YOUTH, Expansion.RENDEZVOUS}
    assert told(replayed(home)) == told(driven.state)


def test_a_whole_game_without_a_camera_from_set_up_to_score(driven: Driven, home: Path) -> None:
    driven.until(lambda: driven.has("Begin"))
    driven.window.set_up.choose(ALL)
    driven.begin()
    for symbol in ("rural", "church", "tavern"):
        driven.acts(symbol)
        while driven.state.game.phase is Phase.POET:
            driven.acts("Done")
        if symbol == "rural":
            driven.acts("Ask a bystander", "tavern")
        elif symbol == "church":
            driven.acts("Move", "Eastcheap")
        else:
            driven.acts("Search", "No")
    driven.acts("Waypoint", "Southwark")
    driven.acts("not noted")
    driven.acts("Clerkenwell")
    driven.acts("Confront the Youth", "Southwark")
    driven.acts("Confront the Lady", "crown", "music", "ring", "tavern", "Yes", "Yes")
    assert driven.state.game.phase is Phase.OVER
    driven.score(31)
    # 31, not the Youth's place -20, the rendezvous 15, the Elusive Poet -10.
    assert driven.state.sheet.total == 16
    assert told(replayed(home)) == told(driven.state)


def test_a_click_on_the_map_moves_the_pawn(driven: Driven) -> None:
    driven.begin()
    driven.acts("not noted")
    driven.until(lambda: driven.window.map.view.size[0])
    click(driven, Location.EASTCHEAP)
    assert driven.asked.title == "Move to Eastcheap?"
    driven.press(" ")
    driven.until(lambda: driven.state.game.pawn is Location.EASTCHEAP)


def click(driven: Driven, place: Location) -> None:
    canvas, table = driven.window.map.canvas, driven.window._screen
    assert table is not None
    from assistant.ui.map_sheet import MapFrame

    view = driven.window.map
    driven.until(lambda: view.view.size == view._room)
    mark = table.map.place(place)
    frame = MapFrame.fitting(table.map, driven.window.map.view.size)
    x, y = frame.to_picture(mark.x, mark.y)
    canvas.event_generate("<Motion>", x=round(x), y=round(y))
    canvas.event_generate("<Button-1>", x=round(x), y=round(y))


def test_hovering_a_place_tells_why_it_is_out(driven: Driven) -> None:
    driven.begin()
    driven.acts("not noted")
    driven.acts("Ask a bystander", "tavern")
    driven.until(lambda: driven.window.map.view.size[0])
    out = next(iter(driven.state.youth.struck_out))
    click(driven, out)
    words = driven.window.map.canvas.itemcget(driven.window.map._words, "text")  # type: ignore[no-untyped-call]
    assert words.startswith(f"{out.value}\n")
    assert "Cornhill said tavern" in words


def test_an_entry_of_the_log_is_changed_by_a_click_and_an_answer(driven: Driven) -> None:
    driven.begin()
    driven.acts("not noted")
    driven.acts("Ask a bystander", "tavern")
    seq = driven.state.log[-1].seq
    driven.window.tabs.log.list.selection_set(str(seq))
    driven.window.tabs.log.list.event_generate("<Return>")
    driven.window.correct(seq)
    driven.acts("church")
    assert driven.state.youth.value_at(Location.CORNHILL) is Feature.CHURCH
    line = driven.window.tabs.log.list.item(str(seq), "values")
    assert "put right" in str(line)


def test_undo_and_redo_by_key(driven: Driven) -> None:
    driven.begin()
    driven.acts("rural")
    driven.root.event_generate("<Control-z>")
    driven.until(lambda: driven.state.game.turn == 0)
    driven.root.event_generate("<Control-y>")
    driven.until(lambda: driven.state.game.turn == 1)


def test_the_tabs_tell_the_state_in_its_tones_through_acts_undo_colours_and_letters(
    driven: Driven,
) -> None:
    window = driven.window

    def check() -> None:
        screen = window._screen
        assert screen is not None
        tabs = window.tabs
        for tab, rows in (
            (tabs.questions, screen.questions),
            (tabs.lady, screen.lady),
            (tabs.score, screen.score),
        ):
            lines = tab.text.get("1.0", "end-1c").splitlines()
            assert [line.strip() for line in lines] == [row.text.strip() for row in rows]
            for number, row in enumerate(rows, 1):
                assert row.tone.value in tab.text.tag_names(f"{number}.end-1c")
            ground = str(tab.text.cget("background"))
            assert ground == window.palette.panel

    driven.begin()
    check()
    before = window.tabs.questions.text.get("1.0", "end")
    driven.acts("rural")
    check()
    driven.acts("Ask a bystander", "tavern")
    check()
    assert window.tabs.questions.text.get("1.0", "end") != before
    window.set_theme("dark")
    check()
    head = window.tabs.questions.text.tag_cget("head", "foreground")
    assert str(head) == window.palette.accent
    window.set_letters(1.8)
    check()
    pictures = window.tabs.lady.text.image_names()
    assert pictures
    for picture in pictures:
        name = window.tabs.lady.text.image_cget(picture, "image")
        assert int(driven.root.tk.call("image", "height", name)) == window.theme.line_px
    for _ in range(2):
        turns = driven.state.log
        driven.root.event_generate("<Control-z>")
        driven.until(lambda turns=turns: driven.state.log != turns)  # type: ignore[misc]
    check()


def test_what_the_rules_refuse_is_asked_and_a_house_rule_is_taken(driven: Driven) -> None:
    driven.begin()
    driven.desk.type_line("move southwark")
    driven.until(lambda: driven.asked.title.startswith("The rules say no"))
    before = len(driven.state.log)
    driven.answer("Leave it")
    driven.settle(0.2)
    assert len(driven.state.log) == before
    driven.desk.type_line("move southwark")
    driven.until(lambda: driven.asked.title.startswith("The rules say no"))
    driven.acts("It happened")
    assert driven.state.game.pawn is Location.SOUTHWARK


def test_what_was_entered_is_changed_by_typed_lines_as_by_those_of_a_file(driven: Driven) -> None:
    driven.begin()
    driven.acts("not noted")
    driven.desk.type_line("ask church")
    driven.until(lambda: driven.state.youth.answers)
    asked = driven.state.log[-1].seq
    driven.desk.type_line(f"correct {asked} ask tavern")
    driven.until(lambda: driven.state.youth.value_at(Location.CORNHILL) is Feature.TAVERN)
    driven.desk.type_line(f"retract {asked}")
    driven.until(lambda: not driven.state.youth.answers)
    driven.desk.type_line("undo 2")
    driven.until(lambda: driven.state.youth.value_at(Location.CORNHILL) is Feature.CHURCH)
    driven.desk.type_line("house move southwark")
    driven.until(lambda: driven.state.game.pawn is Location.SOUTHWARK)
    entries = len(driven.state.log)
    for line, answer in [
        (f"retract {driven.state.log[0].seq}", "The start of the session stays"),
        ("undo 99", "Only 3 things can be undone"),
        ("retract 999", "Not understood"),
        ("what-if pass", "bystander play --headless"),
    ]:
        driven.desk.type_line(line)
        driven.until(lambda answer=answer: answer in driven.window._extra)  # type: ignore[misc]
    assert len(driven.state.log) == entries


def test_a_typed_help_is_counted_and_answered(driven: Driven) -> None:
    driven.begin()
    driven.desk.type_line("help sure")
    driven.until(lambda: driven.state.game.helps)
    driven.until(lambda: driven.window.tabs.hints._said.cget("text"))
    assert driven.window.tabs.hints._said.cget("text") == hint_words(driven.state, Help.SURE)
    assert driven.state.game.helps == (Help.SURE,)


def test_a_contradiction_opens_a_calm_line_that_leads_to_the_slip(driven: Driven) -> None:
    driven.begin()
    driven.acts("not noted")
    driven.desk.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    driven.until(lambda: driven.state.youth.answers)
    assert not driven.window.trouble.winfo_ismapped()
    driven.desk.enter(YouthAsked(Location.CORNHILL, Feature.TAVERN))
    driven.until(driven.window.trouble.winfo_ismapped)
    driven.root.event_generate("<F4>")
    driven.acts("Cornhill said church", "Take it back")
    driven.until(lambda: not driven.window.trouble.winfo_ismapped())
    assert driven.state.youth.value_at(Location.CORNHILL) is Feature.TAVERN


def test_a_hint_is_given_only_when_asked_and_counted(driven: Driven) -> None:
    driven.begin()
    driven.settle()
    assert driven.state.game.helps == ()
    driven.window.hint(Help.ASK)
    driven.until(lambda: driven.state.game.helps == (Help.ASK,))
    driven.until(lambda: "Best for your time" in driven.window.row.note.cget("text"))


@pytest.mark.parametrize("page", ["show_set_up", "choose_source", "show_keys"])
def test_every_page_opens_over_the_map_and_closes_with_escape(driven: Driven, page: str) -> None:
    driven.begin()
    getattr(driven.window, page)()
    driven.settle()
    assert driven.window.page_shown() is not None
    driven.press("Escape")
    assert driven.window.page_shown() is None


def test_themes_letters_layers_strip_and_swap_change_without_a_fault(driven: Driven) -> None:
    driven.begin()
    driven.window.set_theme("dark")
    driven.window.set_letters(1.5)
    driven.window.toggle_layer(Layer.LADY)
    driven.window.swap_views()
    driven.settle()
    assert driven.root.cget("background") == "#1b1814"
    driven.window.toggle_strip()
    driven.settle()
    assert driven.root.winfo_height() < 400
    driven.window.toggle_strip()
    driven.settle()
    assert driven.root.winfo_height() > 400


@pytest.mark.parametrize("scaling", [1.0, 2.0])
def test_places_are_hit_where_they_are_drawn_at_any_scaling(home: Path, scaling: float) -> None:
    driven = Driven(settings=WindowSettings(letters=scaling))
    try:
        driven.begin()
        driven.until(lambda: driven.window.map.view.size[0])
        for place in Location:
            click(driven, place)
            over = driven.window.map._over
            assert over is not None
            assert over.location is place
    finally:
        assert driven.close()


@pytest.mark.parametrize("moment_ms", [0, 5, 60, 300])
def test_closing_at_any_moment_leaves_nothing_behind(
    home: Path, moment_ms: int, capfd: pytest.CaptureFixture[str]
) -> None:
    before = threading.active_count()
    driven = Driven()
    driven.root.after(moment_ms, driven.window.close)
    driven.window.run()
    driven.window.close()
    assert driven.close()
    assert threading.active_count() <= before
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("letters", [1.0, 1.5])
def test_nothing_is_cut_on_a_small_screen_with_large_letters(home: Path, letters: float) -> None:
    driven = Driven(settings=WindowSettings(letters=letters))
    driven.root.geometry("1100x700")
    driven.settle(0.5)
    window, page = driven.window, driven.window.set_up
    assert int(page._right.grid_info()["row"]) == (0 if letters == 1.0 else 1)
    for half in (page._left, page._right):
        assert half.winfo_reqwidth() <= page._page.frame.winfo_width() - 32
    # What lies below is brought into view by going there with the keyboard.
    page._lists["tie"].focus_force()
    driven.settle(0.2)
    assert inside(page._lists["tie"], page.frame)
    driven.begin()
    driven.settle(0.3)
    buttons = window.row.flow.buttons
    assert all(inside(button, window.root) for button in buttons)
    for left, right in pairwise(buttons):
        assert right.winfo_y() > left.winfo_y() or right.winfo_x() >= left.winfo_x()
    font = window.theme.fonts["SmallFont"]
    names = sum(font.measure(name) for name in window.tabs._names)
    padding = int(str(window.theme.style.lookup("TNotebook.Tab", "padding")[0]))
    assert names + 2 * padding * len(window.tabs._names) <= window.tabs.book.winfo_width()
    assert driven.close()


def inside(widget: tk.Misc, frame: tk.Misc) -> bool:
    """Whether a widget lies wholly in a frame, on the screen."""
    x, y = widget.winfo_rootx() - frame.winfo_rootx(), widget.winfo_rooty() - frame.winfo_rooty()
    return (
        x >= 0
        and y >= 0
        and x + widget.winfo_width() <= frame.winfo_width()
        and y + widget.winfo_height() <= frame.winfo_height()
    )


def test_a_hint_can_be_read_again_when_the_line_is_gone(driven: Driven) -> None:
    driven.begin()
    driven.acts("rural")
    driven.window.hint(Help.ASK)
    driven.until(lambda: driven.window.tabs.hints._said.cget("text"))
    said = driven.window.tabs.hints._said.cget("text")
    driven.window._unsay()
    assert said not in driven.window.row.note.cget("text")
    assert driven.window.tabs.hints._said.cget("text") == said


def test_the_large_key_does_nothing_where_no_answer_is_likelier(driven: Driven) -> None:
    driven.begin()
    driven.acts("rural")
    driven.answer("Ask a bystander")
    asked, entries = driven.asked, len(driven.state.log)
    driven.press(" ")
    driven.settle()
    assert driven.asked is asked
    assert len(driven.state.log) == entries
    assert not [b for b in driven.window.row.flow.buttons if "[space]" in str(b.cget("text"))]
