"""The options of the LED board, as a command that plays a game uses them."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from assistant.commands.light_options import add_light_options, lights_of
from assistant.core.errors import MissingError
from assistant.core.events import SessionStarted, YouthAsked
from assistant.core.state import fold
from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.session import EventEntered, MemoryLog
from hardware.board_model import OwnBoard
from hardware.lights import DARK, dark
from tests.hardware.test_simulator import Lit


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))


def typed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_light_options(parser)
    return parser.parse_args(words)


def asked() -> EventEntered:
    """Return the news of a first answer."""
    log = MemoryLog()
    log.append(SessionStarted())
    log.append(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    return EventEntered(fold(load_board(), log.lines))


def test_without_a_board_named_there_is_nobody_to_tell() -> None:
    with lights_of(typed(), print) as listeners:
        assert listeners == ()


def test_console_draws_what_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with lights_of(typed("--leds", "console"), print) as [told]:
        assert capsys.readouterr().err == ""
        told(asked())
        assert "Cornhill" in capsys.readouterr().err


def test_the_layer_and_the_night_that_were_typed_are_the_ones_shown() -> None:
    news, board = asked(), Lit(OwnBoard(lights=11))
    words = ["--leds", board.channel.name, "--leds-layer", "rendezvous", "--leds-night"]
    with lights_of(typed(*words), lambda _line: None) as [told]:
        told(news)
        # Azure everywhere: no number was read. At night its blue is a quarter.
        assert board.shows_when(lambda lights: {light.red for light in lights} == {0}
                                and max(light.blue for light in lights) == 64)  # fmt: skip
    assert board.now() == dark(11).colours
    board.unplug()


def test_the_candidates_are_lit_and_the_lights_go_out_at_the_end() -> None:
    news, board = asked(), Lit()
    words = ["--leds", board.channel.name]
    with lights_of(typed(*words), lambda _line: None) as [told]:
        told(news)
        lit = {3 * n for n, p in enumerate(Location) if p in news.state.youth.candidates}
        assert board.shows_when(
            lambda lights: {n for n in range(0, len(lights), 3) if lights[n] != DARK} == lit
        )
    assert board.now() == dark(33).colours
    board.unplug()


def test_a_port_that_is_not_there_ends_before_anything_is_played() -> None:
    with pytest.raises(MissingError, match="no port"), lights_of(typed("--leds", "/dev/no"), print):
        pytest.fail("the game began")
