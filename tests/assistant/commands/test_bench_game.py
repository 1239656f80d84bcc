"""`bystander bench --game`: a long and legal game, and its rows."""

from __future__ import annotations

import json

import pytest

from assistant import cli
from assistant.commands.bench_game import TURNS, long_game
from assistant.core.state import fold
from assistant.core.terms import Location
from assistant.data import load_board


def test_the_long_game_is_legal_and_sixty_turns_long() -> None:
    board = load_board()
    state = fold(board, long_game(board))
    assert state.game.turn == TURNS
    assert state.doubts == ()
    assert state.chase.conflict == ()
    assert state.game.clues_held > 3
    assert Location.SOUTHWARK in state.youth.candidates


def test_the_rows_tell_what_an_event_and_a_whole_log_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["bench", "--game", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["what"] for row in rows] == ["after an event", "whole log"]
    assert all(0 < row["median_ms"] <= row["worst_ms"] for row in rows)
