"""What the play window offers at its start: to go on with a game that was not played to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.adapters.log_file import LogFile
from assistant.commands.play_window import _resumed, last_unfinished
from assistant.core.errors import MissingError
from assistant.core.events import Event, Seq, SessionStarted, YouthAsked
from assistant.core.terms import Feature, Location
from assistant.journal import LogOpened, encode
from assistant.present.choices import Wish
from assistant.present.set_up_form import FIRST, first_question
from tests.assistant.journal.whole_game import whole_game

GAME = whole_game(13, 24)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    (tmp_path / "sessions").mkdir()
    return tmp_path / "sessions"


def logged(path: Path, events: list[Event], opened: LogOpened | None = None) -> Path:
    entries = events if opened is None else [opened, *events]
    lines = (
        encode(Seq(n), "2026-11-28T20:15:02+01:00", entry) for n, entry in enumerate(entries, 1)
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


ASKED = YouthAsked(Location.CORNHILL, Feature.CHURCH)
DEMO = LogOpened("0.1.0", camera="practice", profile="practice")


def test_the_log_of_a_demo_is_no_game_to_go_on_with(folder: Path) -> None:
    logged(folder / "2026-11-29.jsonl", [SessionStarted(), ASKED], DEMO)
    assert last_unfinished() == (None, "")
    with pytest.raises(MissingError, match="no game to go on with"):
        _resumed(True)
    last = logged(folder / "2026-11-28.jsonl", GAME[:40], LogOpened("0.1.0", camera="practice"))
    assert last_unfinished() == (last, "28 Nov 20:15, turn 11")
    assert _resumed(True) == last


def test_readings_at_a_real_table_without_turns_are_a_game_to_go_on_with(folder: Path) -> None:
    last = logged(folder / "2026-11-29.jsonl", [SessionStarted(), ASKED], LogOpened("0.1.0"))
    assert last_unfinished() == (last, "28 Nov 20:15, 2 entries")
    assert _resumed(True) == last


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
