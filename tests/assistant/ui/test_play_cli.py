"""`bystander play` as it is typed: what it needs, how it ends, and going on with a game."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.commands.play_desk import DeskOptions, PlayDesk
from assistant.commands.play_window import parse_expansions
from assistant.core.settings import Expansion
from assistant.core.terms import Location
from assistant.journal import encode
from tests.assistant.journal.whole_game import whole_game
from tests.assistant.ui.play_driver import FONT, Driven

#: A game that was left in its middle.
GAME = whole_game(13, 24)[:40]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    return tmp_path


def test_without_a_display_one_line_says_what_to_do(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if sys.platform in ("win32", "darwin"):
        pytest.skip("this system always has a display")
    assert main(["play"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "--headless" in err


@pytest.mark.parametrize("words", ["youth,dragons", "elusive,aggressive"])
def test_expansions_that_are_none_or_exclude_each_other_are_wrong_usage(
    home: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--with", words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_expansions_may_be_shortened() -> None:
    assert parse_expansions("you, mark") == frozenset({Expansion.YOUTH, Expansion.MARKERS})
    assert parse_expansions("") == frozenset()
    assert parse_expansions(None) is None


def test_there_is_nothing_to_resume_at_first(
    home: Path, display: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--resume"]) == 3
    assert "begin one" in capsys.readouterr().err


def test_a_game_goes_on_where_it_was_left(home: Path, display: str) -> None:
    driven = Driven()
    driven.begin()
    driven.acts("rural")
    driven.acts("Move", "Eastcheap")
    assert driven.close()
    log = max((home / "sessions").glob("*.jsonl"))
    desk = PlayDesk(DeskOptions(font_path=FONT, resume=log))
    try:
        while not desk._played.is_on or desk._played.state.game.turn == 0:
            desk._stopping.wait(0.02)
        game = desk._played.state.game
        assert (game.turn, game.pawn) == (1, Location.EASTCHEAP)
    finally:
        assert desk.close()


@pytest.mark.parametrize("words", [(), ("--camera", "practice"), ("--resume",)], ids=" ".join)
def test_the_window_opens_and_ends_clean_when_it_is_stopped(
    home: Path, display: str, words: tuple[str, ...]
) -> None:
    if "--resume" in words:
        (home / "sessions").mkdir()
        lines = [encode(n, "2026-11-28T20:15:02+01:00", e) for n, e in enumerate(GAME, start=1)]
        (home / "sessions" / "2026-11-28_20-15-02.jsonl").write_text("".join(lines))
    # An earlier test's window may be listed for a moment after it has gone: this one is a new one.
    earlier = _windows(display)
    play = subprocess.Popen(
        [sys.executable, "-m", "assistant.cli", "play", *words],
        env=os.environ | {"BYSTANDER_HOME": str(home), "DISPLAY": display},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with play:
        # Its window stands as soon as the display lists it.
        while not _windows(display) - earlier:
            assert play.poll() is None
        play.send_signal(signal.SIGINT)
        out, err = play.communicate(timeout=20)
    assert (play.returncode, out, err) == (0, "", "")


def _windows(display: str) -> set[str]:
    """Return the ids of our windows on a display."""
    try:
        tree = subprocess.run(
            ["xwininfo", "-root", "-tree", "-display", display],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        pytest.skip("xwininfo is not installed")
    return {line.split()[0] for line in tree.stdout.splitlines() if "Bystander" in line}
