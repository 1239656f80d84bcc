"""Practice games that are gone on with, and evenings after one another: which cards lie hidden."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.adapters import home
from assistant.commands.play_desk import DeskOptions, PlayDesk
from assistant.commands.play_sources import Sources, practice_cards
from assistant.core.events import SessionStarted
from assistant.core.settings import Expansion
from assistant.core.terms import Location
from tests.assistant.ui.play_driver import FONT

STARTED = SessionStarted(
    frozenset({Expansion.DARKER, Expansion.YOUTH, Expansion.RENDEZVOUS}), pawn=Location.CORNHILL
)


@pytest.fixture(autouse=True)
def evenings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own; each table that is laid out anew has other cards; nothing is learnt."""
    numbers = iter(range(1, 100))
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    monkeypatch.setattr(
        "assistant.commands.play_sources.cards_of_the_evening", lambda: next(numbers)
    )
    monkeypatch.setattr(Sources, "load_profile", lambda _: None)


def until(is_so: Callable[[], object]) -> None:
    end_s = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end_s
        time.sleep(0.02)


def hidden(desk: PlayDesk) -> tuple[object, ...]:
    """Return what lies hidden on a desk's practice table."""
    table = desk._sources.table
    assert table is not None
    cards = table.cards(STARTED.expansions)
    return cards.hideout, cards.symbol, cards.lady, tuple(cards.clues), tuple(cards.way)


def opened(resume: Path | None = None) -> PlayDesk:
    desk = PlayDesk(DeskOptions(font_path=FONT, camera="practice", resume=resume))
    until(lambda: desk._sources.table)
    return desk


def begun(desk: PlayDesk) -> Path:
    """Begin a game; return its log."""
    before = desk._played.log_name
    desk.start(STARTED)
    until(lambda: desk._played.is_on and desk._played.log_name not in ("", before))
    return home.sessions_folder() / desk._played.log_name


def test_a_game_that_is_gone_on_with_has_the_cards_it_was_begun_with() -> None:
    desk = opened()
    log, dealt = begun(desk), hidden(desk)
    assert desk.close()
    other = opened()
    assert hidden(other) != dealt
    assert other.close()
    again = opened(resume=log)
    until(lambda: again._played.is_on)
    assert hidden(again) == dealt
    # As it stays when the practice table is chosen once more.
    table = again._sources.table
    again.use_camera("practice")
    until(lambda: again._sources.table not in (None, table))
    assert hidden(again) == dealt
    assert again._played.state.game.suit is again._sources.table.cards(STARTED.expansions).lady.suit  # type: ignore[union-attr]
    assert again.close()


def test_another_evening_at_the_same_table_hides_other_cards() -> None:
    desk = opened()
    first = begun(desk), hidden(desk)
    second = begun(desk), hidden(desk)
    assert first[0] != second[0]
    assert first[1] != second[1]
    assert practice_cards(first[0]) != practice_cards(second[0])
    assert desk.close()


def test_a_log_of_no_practice_game_names_no_cards(tmp_path: Path) -> None:
    assert practice_cards(tmp_path / "no such log.jsonl") is None
    odd = tmp_path / "odd.jsonl"
    odd.write_bytes(b"\x00\xff no log")
    assert practice_cards(odd) is None
    for camera, number in (("practice 12", 12), ("practice", None), ("practice x", None),
                           ("practice " + 5000 * "9", None), ("practice \u0661", None),
                           ("0", None), ("film 12", None)):  # fmt: skip
        odd.write_text(
            '{"v": 2, "seq": 1, "time": "2026-11-30T20:14:40+01:00", "kind": "log-opened", '
            f'"program": "0.1.0", "camera": "{camera}"}}\n'
        )
        assert practice_cards(odd) == number


def test_cards_that_lie_there_once_stay_for_the_game_that_was_begun_without_a_camera() -> None:
    desk = PlayDesk(DeskOptions(font_path=FONT))
    begun(desk)
    desk.use_camera("practice")
    until(lambda: desk._sources.table)
    table, lie = desk._sources.table, hidden(desk)
    desk.use_camera("practice")
    until(lambda: desk._sources.table not in (None, table))
    assert hidden(desk) == lie
    # And the next evening's are others.
    begun(desk)
    assert hidden(desk) != lie
    assert desk.close()


def test_after_a_game_that_names_no_cards_the_next_evening_hides_others_all_the_same() -> None:
    plain = PlayDesk(DeskOptions(font_path=FONT))
    log = begun(plain)
    assert plain.close()
    desk = PlayDesk(DeskOptions(font_path=FONT, camera="practice", last=log))
    until(lambda: desk._sources.table)
    begun(desk)
    first = hidden(desk)
    desk.resume()
    until(lambda: desk._played.log_name == log.name)
    second = hidden(desk)
    begun(desk)
    assert len({first, second, hidden(desk)}) == 3
    assert desk.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_for_a_log_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert practice_cards(tmp_path / "pipe.jsonl") is None
