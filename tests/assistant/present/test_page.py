"""The page without a browser: whole, well formed, safe with any words, asking for nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from assistant.core.events import Event, Overruled, Recorded, Seq, SessionStarted, YouthAsked
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import BaseScored, ClueGained, LadyConfronted, LadyUpdated
from assistant.data import load_board
from assistant.present.page import Page, session_page
from assistant.present.page.labels import label_sides
from assistant.present.page.plots import stats_page
from assistant.present.page.tables import clues_table, score_table
from assistant.present.statistics import figures, summary
from assistant.present.story import Step, steps
from assistant.present.table_map import table_map
from tests.assistant.journal.whole_game import whole_game

START = SessionStarted(pawn=Location.CORNHILL, suit=Suit.ROSE)

VOID = {"meta", "link", "input", "br", "img", "circle", "path", "rect", "line", "polyline"}


def story(events: list[Event]) -> tuple[Step, ...]:
    return steps(
        load_board(),
        [Recorded(Seq(n), "2026-11-28T20:15:02+01:00", e) for n, e in enumerate(events, start=1)],
    )


class Tags(HTMLParser):
    """Insists that every element is closed in its turn; gathers addresses and words."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.addresses += [v for k, v in attrs if k in ("src", "href", "data", "action") and v]
        self.ids += [v for k, v in attrs if k == "id" and v]
        assert not any(name.startswith("on") for name in found)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    return tags


def test_a_page_is_well_formed_and_names_no_other_file() -> None:
    tags = parsed(session_page(Page("one", story(whole_game(13, 24)))))
    assert all(address.startswith("data:") for address in tags.addresses)
    assert len(set(tags.ids)) == len(tags.ids)


def test_a_page_forbids_every_request() -> None:
    page = session_page(Page("one", story(whole_game(13, 24))))
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'")
    assert not re.search(r"@import|url\(|fetch\(|XMLHttp|https?:", page)


def test_words_of_the_log_cannot_become_elements() -> None:
    evil = "</script><img src=http://evil onerror=alert(1)>"
    clue = Clue(frozenset({Trait.CHAIN, Trait.CROWN, Trait.HEART}), (), evil)
    page = session_page(
        Page(evil, story([SessionStarted(pawn=Location.CORNHILL), ClueGained(clue)]),
             {"camera": evil}, warnings=(evil,))
    )  # fmt: skip
    tags = parsed(page)
    assert all(address.startswith("data:") for address in tags.addresses)
    assert evil in "".join(tags.words)
    assert page.count("</script>") == 2


def test_the_steps_in_the_page_are_those_of_the_story() -> None:
    told = story(whole_game(13, 24))
    page = session_page(Page("one", told))
    [data] = re.findall(r'<script type="application/json" id="game">(.*?)</script>', page)
    game = json.loads(data)
    assert [step["turn"] for step in game["steps"]] == [step.turn for step in told]
    assert [step["left"]["youth"] for step in game["steps"]] == [s.left.youth for s in told]
    for shown, step in zip(game["steps"], told, strict=True):
        places = [list(Location)[int(number)] for number in shown["map"]["youth"]]
        assert sorted(p.value for p in places) == sorted(
            p.value for p in step.state.youth.candidates
        )
        assert shown["map"]["features"] == [f.value for f in step.state.rendezvous.candidates]


def test_a_game_of_readings_alone_has_a_page_too() -> None:
    page = session_page(
        Page("one", story([SessionStarted(), YouthAsked(Location.CORNHILL, Feature.CHURCH)]))
    )
    words = " ".join(parsed(page).words)
    assert "The game was not played to its end" in words
    assert "No clue was gained." in words
    assert "the Youth may hide here" in words
    assert "the Lady may be here" not in words


def test_a_session_in_which_nothing_happened_has_no_page() -> None:
    with pytest.raises(ValueError, match="no page"):
        session_page(Page("one", ()))


def test_a_picture_of_a_reading_stands_in_its_row() -> None:
    told = story([SessionStarted(), YouthAsked(Location.CORNHILL, Feature.CHURCH)])
    page = session_page(Page("one", told, pictures={2: b"\xff\xd8jpeg"}))
    row = page[page.index('<tr id="s1"') :].partition("</tr>")[0]
    assert 'src="data:image/jpeg;base64,/9hqcGVn"' in row


def test_every_place_has_a_side_for_its_name_that_stays_on_the_paper() -> None:
    sides = label_sides(table_map(story([SessionStarted()])[0].state))
    assert set(sides) == set(Location)


def test_the_page_of_all_sessions_is_well_formed_with_any_number_of_them() -> None:
    games = [figures(f"<{seed}>", story(whole_game(seed, 24))) for seed in (9, 13, 1)]
    for some in ([], games[:1], games * 15):
        tags = parsed(stats_page(some, summary(some)))
        assert all(address.startswith("data:") for address in tags.addresses)


def dots(page: str, kind: str) -> list[float]:
    return [float(x) for x in re.findall(rf'<circle class="dot {kind}" cx="([\d.]+)"', page)]


def test_when_it_was_known_is_a_dot_for_each_session_and_a_mark_at_the_middle_one() -> None:
    one = figures("one", story([SessionStarted()]))
    games = [replace(one, known_after={**one.known_after, "youth": n}) for n in (9, 2, 4)]
    page = stats_page([*games, one], summary([*games, one]))
    late, early, middle = dots(page, "youth")
    assert early < middle < late
    # On one scale: from 2 to 4 is two fifths of the way from 4 to 9.
    assert (middle - early) / (late - middle) == pytest.approx(2 / 5, abs=0.01)
    marks = re.findall(r'<line class="mid" x1="([\d.]+)" x2="([\d.]+)"', page)
    assert marks == [(f"{middle:.1f}", f"{middle:.1f}")]
    assert dots(page, "rendezvous") == []


def scores(*events: Event) -> str:
    return score_table(story([START, LadyUpdated(), *events])[-1].state)


def test_a_game_that_was_won_has_no_total_until_the_base_game_s_points_are_entered() -> None:
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    won, lost = (LadyConfronted(three, True, named, None) for named in (three, frozenset()))
    assert ">?</td>" in scores(won)
    assert ">?</td>" not in scores(won, BaseScored(40))
    assert '<td class="num">40</td></tr></tbody>' in scores(won, BaseScored(40))
    assert ">?</td>" not in scores(lost)


def test_the_clues_say_yes_of_a_trait_that_all_ladies_left_have_and_no_of_one_that_none_has() -> (
    None
):
    def stands(count: int) -> dict[str, str]:
        named = frozenset({Trait.CHAIN, Trait.CROWN, Trait.HEART})
        clue = ClueGained(Clue(named, (Mark(Suit.ROSE, frozenset({count})),)))
        table = clues_table(story([START, Overruled(clue, "a gift")])[-1].state)
        heads = re.findall(r"<th class='trait'>(\w+)</th>", table)
        row = table.partition("what follows")[2]
        return dict(
            zip(heads, re.findall(r'<td class="trait [^"]*">([^<]*)</td>', row), strict=True)
        )

    hers = {"chain", "crown", "heart"}
    assert stands(3) == {trait.value: "yes" if trait.value in hers else "no" for trait in Trait}
    # None of the three: each of the other four is in three of their four triples.
    assert stands(0) == {trait.value: "no" if trait.value in hers else "75 %" for trait in Trait}
