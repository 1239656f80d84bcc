"""The page as a browser shows it: nothing asked for outside, the scrubber works, it prints."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from assistant.core.events import Recorded, Seq
from assistant.data import load_board
from assistant.present.page import Page, session_page
from assistant.present.story import Step, steps
from tests.assistant.journal.whole_game import whole_game
from tests.assistant.present.browser import CHROMIUM, Browser, browser

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or not hasattr(os, "fork"), reason="needs Chromium (apt-get install chromium)"
)

STORY: tuple[Step, ...] = steps(
    load_board(),
    [
        Recorded(Seq(n), f"2026-11-28T20:{n // 3:02}:{n % 3 * 20:02}+01:00", event)
        for n, event in enumerate(whole_game(13, 24), start=1)
    ],
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp("page")
    page = folder / "évening.html"
    page.write_text(session_page(Page("evening", STORY)), encoding="utf-8")
    with browser(folder) as shown:
        shown.open(page.as_uri())
        yield shown


def step_shown(shown: Browser) -> int:
    row = shown.value("document.querySelector('#moves tr.now').dataset.step")
    assert shown.value("document.querySelector('#scrub').value") == row
    return int(row)


def rings(shown: Browser) -> dict[str, str]:
    """What stands in the rings, by the names beside them."""
    found: dict[str, str] = shown.value(
        "Object.fromEntries([...document.querySelectorAll('#map g[id]')].filter(g => "
        "g.querySelector('.name')).map(g => [g.querySelector('.name').textContent, "
        "g.querySelector('.share').textContent]))"
    )
    return found


def expected(step: Step) -> dict[str, bool]:
    return {p.value: p in step.state.youth.candidates for p in load_board().locations}


def test_the_page_asks_for_nothing_outside_and_has_no_error(opened: Browser) -> None:
    asked = [url for url in opened.requests() if not url.startswith("data:")]
    assert len(asked) == 1
    assert asked[0].startswith("file:///")
    assert opened.errors() == []


def test_it_opens_with_the_end_of_the_game(opened: Browser) -> None:
    assert step_shown(opened) == len(STORY) - 1
    assert {name: bool(text) for name, text in rings(opened).items()} == expected(STORY[-1])


def test_clicks_go_through_the_game_step_by_step(opened: Browser) -> None:
    opened.click("#first")
    assert step_shown(opened) == 0
    assert all(rings(opened).values())
    for number in range(1, 9):
        opened.click("#on")
        assert step_shown(opened) == number
        assert {name: bool(text) for name, text in rings(opened).items()} == expected(STORY[number])
    opened.click("#back")
    assert step_shown(opened) == 7
    assert STORY[7].text[1:] in opened.value("document.querySelector('#said').textContent")
    opened.click("#last")
    assert step_shown(opened) == len(STORY) - 1


def test_the_slider_is_dragged_to_a_step(opened: Browser) -> None:
    opened.click("#scrub", 0.5)
    middle = step_shown(opened)
    assert abs(middle - len(STORY) / 2) <= 3
    assert {name: bool(text) for name, text in rings(opened).items()} == expected(STORY[middle])
    pawn = STORY[middle].state.game.pawn
    assert pawn is not None
    place = load_board().place(pawn)
    spot = opened.value("document.querySelector('#pawn').getAttribute('transform')")
    x, _ = map(float, re.findall(r"[-\d.]+", spot))
    assert abs(x - 1000 * place.x) < 60


def test_a_click_on_a_move_goes_there_and_the_timeline_follows(opened: Browser) -> None:
    opened.click("#s20 td:nth-child(4)", 0.1)
    assert step_shown(opened) == 20
    left = STORY[20].left
    shown = opened.value("document.querySelector('#timeline [data-of=youth]').textContent")
    assert shown == str(left.youth)
    at = [float(opened.value("document.querySelector('#cursor').getAttribute('x1')"))]
    opened.click("#last")
    at.append(float(opened.value("document.querySelector('#cursor').getAttribute('x1')")))
    assert at[0] < at[1]


def test_arrow_keys_step_through(opened: Browser) -> None:
    opened.click("#last")
    opened.click("h1")
    for _ in range(2):
        opened.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowLeft", code="ArrowLeft")
    assert step_shown(opened) == len(STORY) - 3


def test_the_possible_and_the_ruled_out_features_are_told_apart(opened: Browser) -> None:
    opened.click("#last")
    may = opened.value(
        "[...new Set([...document.querySelectorAll('tspan.may')].map(e => e.textContent))].sort()"
    )
    assert may == sorted(f.value for f in STORY[-1].state.rendezvous.candidates)


def test_it_prints_the_end_of_the_game_on_a_few_sheets(opened: Browser) -> None:
    opened.click("#first")
    paper = opened.printed()
    assert paper.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 7
    assert opened.errors() == []


def test_no_words_on_the_map_lie_on_other_words_or_off_the_paper(opened: Browser) -> None:
    opened.click("#last")
    # As long as they can get, everywhere at once.
    opened.value(
        "document.querySelectorAll('#map .note-read').forEach(t => t.textContent = "
        "'said commercial, gave 3, she was here'); document.querySelectorAll('#map .note-lady')"
        ".forEach(t => t.textContent = 'Lady 100 %')"
    )
    boxes = opened.value(
        "[...document.querySelectorAll('#map text')].filter(t => t.textContent.trim() && "
        "t.getAttribute('class') !== 'share').map(t => { const b = t.getBBox();"
        "return [t.textContent, b.x, b.y, b.x + b.width, b.y + b.height]; })"
    )
    paper = opened.value("(b => [b.width, b.y, b.y + b.height])(document.querySelector("
                         "'#map .paper').getBBox())")  # fmt: skip
    assert len(boxes) == 4 * 11
    for number, (text, left, top, right, bottom) in enumerate(boxes):
        assert left >= 0, text
        assert right <= paper[0], text
        assert paper[1] <= top, text
        assert bottom <= paper[2], text
        for other, left2, top2, right2, bottom2 in boxes[:number]:
            # Lines of one label may touch; 4 px of their boxes are leading.
            apart = right2 <= left or right <= left2 or bottom2 - 4 <= top or bottom - 4 <= top2
            assert apart, (text, other)
    opened.click("#last")
