"""What the play window offers at its start: to go on with a game that was not played to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.adapters.log_file import LogFile
from assistant.commands.play_window import last_unfinished
from assistant.core.events import Event, Seq
from assistant.journal import encode
from assistant.present.choices import Wish
from assistant.present.set_up_form import FIRST, first_question
from tests.assistant.journal.whole_game import whole_game

GAME = whole_game(13, 24)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    (tmp_path / "sessions").mkdir()
    return tmp_path / "sessions"


def logged(path: Path, events: list[Event]) -> Path:
    lines = (
        encode(Seq(n), "2026-11-28T20:15:02+01:00", event) for n, event in enumerate(events, 1)
    )
    path.write_text("".join(lines))
    return path


def test_the_last_game_is_offered_with_its_evening_and_turn(folder: Path) -> None:
    logged(folder / "2026-11-27.jsonl", GAME)
    last = logged(folder / "2026-11-28.jsonl", GAME[:40])
    assert last_unfinished() == (last, "28 Nov 20:15, turn 11")


@pytest.mark.parametrize("events", [GAME, GAME[:1]])
def test_a_game_that_ended_or_never_began_is_not_offered(folder: Path, events: list[Event]) -> None:
    logged(folder / "2026-11-28.jsonl", events)
    assert last_unfinished() == (None, "")


def test_a_game_in_another_window_is_not_offered(folder: Path) -> None:
    log = LogFile(logged(folder / "2026-11-28.jsonl", GAME[:40]))
    assert last_unfinished() == (None, "")
    log.close()
    assert last_unfinished()[0] is not None


def test_nothing_is_offered_where_there_is_nothing(folder: Path) -> None:
    assert last_unfinished() == (None, "")
    (folder / "2026-11-28.jsonl").write_bytes(b"\0" * 99)
    assert last_unfinished() == (None, "")


def test_the_first_question_has_the_offer_only_where_there_is_one() -> None:
    assert first_question("") is FIRST
    offers = first_question("28 Nov 20:15, turn 11").offers
    assert [offer.then for offer in offers if "28 Nov 20:15, turn 11" in offer.label] == [
        Wish.RESUME
    ]
    assert len({offer.key for offer in offers}) == len(offers)
