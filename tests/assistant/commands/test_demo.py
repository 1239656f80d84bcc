"""`bystander demo`, whole: the practice film, the real reader, the log, the answer."""

from __future__ import annotations

import io
import json
import shutil
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assistant import cli
from assistant.commands.demo import reading_lines
from assistant.core.events import RendezvousSought, Seen, Seq, SessionStarted, YouthAsked
from assistant.core.settings import Expansion
from assistant.core.terms import Content, Feature, Location
from assistant.journal import decode
from assistant.session import Reading, ReadingTaken
from hardware.lights import dark
from tests.assistant.core import truth
from tests.assistant.present import games as game
from tests.hardware.test_simulator import Lit
from tests.test_stranger import bystander, ordinary


def demo(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]]]:
    code = cli.main(["demo", "--json", *words])
    out, _ = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()]


@dataclass(frozen=True)
class Played:
    """A demo that was played and filmed in a home of its own."""

    home: Path
    code: int
    lines: list[dict[str, Any]]


@pytest.fixture(scope="module")
def filmed(practice_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The demo of one seed, played once: it takes long."""
    home, out = tmp_path_factory.mktemp("filmed"), io.StringIO()
    shutil.copytree(practice_home / "practice-profile", home / "practice-profile")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setenv("BYSTANDER_HOME", str(home))
        code = cli.main(["demo", "--json", "--seed", "3", "--film"])
    return Played(home, code, [json.loads(line) for line in out.getvalue().splitlines()])


def test_the_demo_ends_right_and_its_log_says_what_it_read(filmed: Played) -> None:
    *most, last = filmed.lines
    assert filmed.code == 0
    assert {line["event"] for line in most} == {"reading", "candidates"}
    assert last["event"] == "result"
    assert last["right"] is True
    assert set(last["youth"]) <= {place.value for place in Location}
    assert set(last["rendezvous"]) <= {feature.value for feature in Feature}
    read = [line for line in most if line["event"] == "reading"]
    [log] = (filmed.home / "sessions").glob("*.jsonl")
    kept = decode(log.read_bytes())
    assert kept.damage is None
    assert [event.event.kind for event in kept.events[1:]] == [
        {"icon": "youth-asked", "number": "rendezvous-sought"}[line["kind"]] for line in read
    ]
    struck = sum(len(line["struck_out"]["youth"]) for line in read)
    assert struck == len(Location) - len(last["youth"])


def test_a_demo_s_film_can_be_read_again_without_cards_of_one_s_own(
    filmed: Played, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(filmed.home))
    code = cli.main(["sessions", "reread", "last", "--json"])
    told = capsys.readouterr()
    assert (code in (0, 1), told.err) == (True, "")
    rows = [json.loads(line) for line in told.out.splitlines()]
    # The film has half of the frames, so a laying may be missing; none may be read otherwise.
    assert any(row["same"] for row in rows)
    assert all(row["same"] or row["now"] is None for row in rows)


def test_a_demo_draws_its_lights_in_the_terminal(
    practice_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["demo", "--headless", "--blackout", "--leds", "console"]) == 1
    drawn = capsys.readouterr().err
    for place in Location:
        assert place.value in drawn


def test_a_demo_lights_the_board_whose_port_is_named(practice_home: Path) -> None:
    board = Lit()
    assert cli.main(["demo", "--headless", "--blackout", "--leds", board.channel.name]) == 1
    # The Youth may be anywhere: the first of each place's three lights was lit.
    assert any(lit >= set(range(0, 33, 3)) for lit in board.seen())
    assert board.now() == dark(33).colours
    board.unplug()


def test_on_a_python_without_tk_the_demo_is_played_in_the_terminal(
    practice_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":1")
    monkeypatch.setitem(sys.modules, "tkinter", None)
    assert cli.main(["demo", "--blackout"]) == 1
    out, err = capsys.readouterr()
    assert "fault" not in err
    assert "The cards: the Youth hides in" in out


def test_with_the_lens_covered_nothing_is_read_and_the_answer_is_not_right(
    practice_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = demo(capsys, "--blackout")
    assert code == 1
    assert [line["event"] for line in lines] == ["result"]
    assert lines[0]["right"] is False
    assert len(lines[0]["youth"]) == len(Location)
    assert len(lines[0]["rendezvous"]) == len(Feature)


def test_an_ordinary_user_with_a_home_that_cannot_be_written_plays_on_any_console(
    practice_home: Path, tmp_path: Path
) -> None:
    folder, spare = tmp_path / "Café 卡", tmp_path / "spare"
    shutil.copytree(practice_home / "practice-profile", folder / "practice-profile")
    spare.mkdir()
    spare.chmod(0o777)
    folder.chmod(0o555)
    env = {"BYSTANDER_HOME": str(folder), "TMPDIR": str(spare), "PYTHONIOENCODING": "cp1252"}
    done = bystander("demo", "--blackout", cwd=folder, env=env, user=ordinary())
    told = done.stderr.decode("cp1252").splitlines()
    # With the lens covered the answer is no; the game was played all the same.
    assert done.returncode == 1, told
    assert b"The cards: the Youth hides in" in done.stdout
    assert all(line.startswith("bystander: ") for line in told)
    assert "Caf\xe9 \\u5361" in told[0]
    assert "cannot be written" in told[0]
    [kept] = spare.iterdir()
    assert str(kept) in told[-1]
    assert decode(kept.read_bytes()).damage is None


# --- in words -------------------------------------------------------------------------------------

CHURCH = YouthAsked(Location.CORNHILL, Feature.CHURCH, Seen(0.9, 5))
TWO = RendezvousSought(Location.SHOREDITCH, 2, Seen(0.85, 5))
START = SessionStarted(frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS}))


def taken(event: YouthAsked | RendezvousSought, disputes: int | None = None) -> ReadingTaken:
    """News of an event as the first that was read."""
    content = (Content.icon(event.feature) if isinstance(event, YouthAsked)
               else Content.digit(event.number))  # fmt: skip
    reading = Reading(7, event.location, content, 0.9, 120, Seq(2), disputes=disputes)
    return ReadingTaken(reading, game.Played(START).state, game.Played(START, event).state)


def test_a_reading_is_told_with_all_that_it_rules_out_and_what_is_left() -> None:
    head, places = reading_lines(taken(CHURCH))
    assert head == " 7. Cornhill: the Fair Youth card shows church (frame 120, sure to 90 %)"
    fits = {place for place in Location if Feature.CHURCH in truth.icons(Location.CORNHILL, place)}
    assert places.endswith(f"; {len(fits)} places left")
    for place in Location:
        assert (place.value in places) is (place not in fits)
    head, symbols = reading_lines(taken(TWO))
    assert head == " 7. Shoreditch: the Rendezvous card shows 2 (frame 120, sure to 90 %)"
    assert symbols.endswith("; 4 symbols left")


def test_a_reading_that_differs_from_an_earlier_one_rules_nothing_out() -> None:
    [_, line] = reading_lines(taken(CHURCH, disputes=4))
    assert line.strip() == "differs from reading 4: neither is used"
