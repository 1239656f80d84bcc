"""Whatever the window comes to show, nothing of the main flow is cut or covered, at any moment.

"At any moment" is meant: the layout is looked at after every single event that the window handles,
for new answers that stand for a third of a second in the old ones' room are cut all the same.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest

from assistant.core.events import Overruled, YouthAsked
from assistant.core.settings import Expansion
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import Help, PawnMoved
from assistant.ui.window_frame import WindowSettings
from tests.assistant.ui.play_driver import Driven

ALL = [Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS]


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen with the window's size on it, in px, and the letters' size."""

    dpi: int
    size: tuple[int, int]
    window: tuple[int, int]
    letters: float = 1.0


SCREENS = {
    "1100x700": Screen(96, (1100, 740), (1100, 700)),
    "1100x700, large letters": Screen(96, (1100, 740), (1100, 700), 1.5),
    "1920x1080": Screen(96, (1920, 1080), (1920, 1040)),
    "1100x700 at 2.0": Screen(192, (2200, 1480), (2200, 1400)),
    "2400x1500 at 2.0": Screen(192, (2400, 1600), (2400, 1500)),
}


@pytest.fixture(params=SCREENS.values(), ids=list(SCREENS))
def driven(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    displays: Callable[[tuple[int, int], int], str],
) -> Iterator[Driven]:
    screen: Screen = request.param
    name = displays(screen.size, screen.dpi)
    if not name:
        pytest.skip("Xvfb does not start here")
    monkeypatch.setenv("DISPLAY", name)
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    driven = Driven(settings=WindowSettings(letters=screen.letters))
    driven.root.geometry("{}x{}".format(*screen.window))
    driven.settle()
    driven.window.set_up.choose(ALL)
    driven.begin()
    driven.settle()
    yield driven
    assert driven.close()


def test_no_change_of_what_is_shown_cuts_or_covers_anything(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched(driven, monkeypatch)
    driven.acts("church")
    driven.acts("Done")
    driven.acts("Ask", "tavern")
    driven.acts("rural")
    driven.acts("Done")
    for label in ("Move", "Confront the Youth", "Confront the Lady"):
        driven.answer(label)
        driven.press("Escape")
    driven.window.type_act()
    driven.press("Escape")
    driven.window.hint(Help.ASK)
    driven.until(lambda: driven.window._extra)
    driven.desk.enter(PawnMoved(Location.CLERKENWELL))
    driven.until(lambda: driven.asked.title.startswith("The rules say no"))
    driven.press("Escape")
    driven.desk.enter(Overruled(YouthAsked(Location.CORNHILL, Feature.CHURCH), "for the test"))
    driven.until(driven.window.trouble.winfo_ismapped)
    driven.acts("church")
    driven.window.put_right()
    # What is being put right is asked, and not told a second time above.
    assert not driven.window.trouble.winfo_manager()
    driven.press("Escape")
    assert driven.window.trouble.winfo_manager()
    for _ in range(2):
        driven.desk.undo()
    driven.until(lambda: not driven.window.trouble.winfo_ismapped())


def test_the_strip_is_as_high_as_what_it_shows(driven: Driven) -> None:
    driven.window.toggle_strip()
    driven.settle()
    assert misfits(driven) == []
    lines = driven.root.winfo_height()
    driven.acts("church")
    driven.settle()
    assert misfits(driven) == []
    driven.acts("Done")
    for feature in (Feature.CHURCH, Feature.TAVERN):
        driven.desk.enter(Overruled(YouthAsked(Location.CORNHILL, feature), "for the test"))
    driven.until(driven.window.trouble.winfo_ismapped)
    driven.settle()
    assert misfits(driven) == []
    driven.acts("rural")
    driven.settle()
    assert misfits(driven) == []
    driven.window.toggle_strip()
    driven.settle()
    assert misfits(driven) == []
    assert driven.root.winfo_height() > 2 * lines


def test_what_is_higher_than_its_page_can_be_scrolled_to(driven: Driven) -> None:
    driven.window.show_set_up()
    driven.window.tabs.book.select(driven.window.tabs.hints.frame)  # type: ignore[no-untyped-call]
    driven.settle()
    for page in (driven.window.set_up._page, driven.window.tabs.hints._page):
        canvas, asked = page._canvas, page.frame.winfo_reqheight()
        assert int(str(canvas.cget("scrollregion")).split()[3]) >= asked
        assert bool(page._bar.winfo_ismapped()) is (asked > canvas.winfo_height())
    for label, button in driven.window.tabs.hints._buttons.items():
        assert button.winfo_height() >= button.winfo_reqheight(), label


def test_both_halves_of_the_set_up_page_begin_on_one_line(driven: Driven) -> None:
    driven.window.show_set_up()
    driven.settle()
    left, right = (half.winfo_children()[0] for half in (driven.window.set_up._left,
                                                         driven.window.set_up._right))  # fmt: skip
    if driven.window.set_up._is_wide:
        assert left.winfo_rooty() == right.winfo_rooty()


def test_the_names_of_the_practice_tables_buttons_are_not_cut(driven: Driven) -> None:
    practice = driven.window.practice
    practice.show(True, driven.window.seen)
    driven.settle()
    for button in practice.buttons:
        assert button.winfo_width() >= button.winfo_reqwidth()
        assert lies_in(button, practice)


def test_a_question_that_needs_less_room_does_not_move_the_map(driven: Driven) -> None:
    driven.acts("church")
    driven.acts("Done")
    high = driven.window.row.winfo_height()
    for label in ("Move", "Ask a bystander", "Seek"):
        driven.answer(label)
        driven.settle(0.1)
        if not str(driven.window.row.title.cget("style")).startswith("Middle"):
            assert driven.window.row.winfo_height() <= high
        driven.press("Escape")
        driven.settle(0.1)
        assert driven.window.row.winfo_height() == high


def watched(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every event that the window handles followed by a look at the layout."""
    handle = driven.root.tk.dooneevent

    class Looking:
        def __getattr__(self, name: str) -> object:
            return getattr(tk_app, name)

        def dooneevent(self, flags: int) -> int:
            handled = handle(flags)
            found = misfits(driven)
            assert found == [], driven.asked.title
            return handled

    tk_app = driven.root.tk
    monkeypatch.setattr(driven.root, "tk", Looking())


def misfits(driven: Driven) -> list[str]:
    """Return what is cut or covered now, in words."""
    window, row = driven.window, driven.window.row
    parts = [part for part in (window.status, row, window.trouble, window.body)
             if part.winfo_manager()]  # fmt: skip
    found = [f"{part} is not in the window" for part in parts if not lies_in(part, window.root)]
    found += [f"{a} covers {b}" for a, b in combinations(parts, 2) if not apart(a, b)]
    found += [f"{part} is not in the row" for part in (row.title, row.note, row.flow)
              if not lies_in(part, row)]  # fmt: skip
    answers = row.flow.buttons
    found += [f"{answer} is not among the answers" for answer in answers
              if not lies_in(answer, row.flow)]  # fmt: skip
    found += [f"{a} covers {b}" for a, b in combinations(answers, 2) if not apart(a, b)]
    words: list[tk.Misc] = [window.status, row.title, row.note, row.flow]
    if window.trouble.winfo_manager():
        words += window.trouble.winfo_children()
    found += [f"{part} is too low" for part in words
              if part.winfo_height() < part.winfo_reqheight()]  # fmt: skip
    found += [f"{answer} is cut" for answer in answers
              if answer.winfo_width() < answer.winfo_reqwidth()]  # fmt: skip
    chart = window.map
    if any(a > b for a, b in zip(chart.view.size, chart._room, strict=True)):
        found.append("the map is cut")
    return found


def lies_in(widget: tk.Misc, frame: tk.Misc) -> bool:
    """Whether a widget lies wholly in another one."""
    left, top, right, bottom = sides(widget)
    x0, y0, x1, y1 = sides(frame)
    return x0 <= left and y0 <= top and right <= x1 and bottom <= y1


def apart(a: tk.Misc, b: tk.Misc) -> bool:
    """Whether no point lies in both widgets."""
    (x0, y0, x1, y1), (left, top, right, bottom) = sides(a), sides(b)
    return x1 <= left or right <= x0 or y1 <= top or bottom <= y0


def sides(widget: tk.Misc) -> tuple[int, int, int, int]:
    """Return where a widget lies on the screen: left, top, right, bottom, px."""
    x, y = widget.winfo_rootx(), widget.winfo_rooty()
    return x, y, x + widget.winfo_width(), y + widget.winfo_height()
