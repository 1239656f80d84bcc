"""`bystander poet` as the contract has it."""

from __future__ import annotations

import argparse
import json

import pytest

from assistant.commands import poet
from assistant.core.errors import UsageError


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    poet.add_parser(parser.add_subparsers(required=True))
    args = parser.parse_args(["poet", *words])
    code: int = args.run(args)
    return code


def test_move_is_always_a_place_and_the_open_tie_is_offered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("aggressive", "--poet", "cripple", "--pawn", "southwark", "--symbol", "playhouse")
    assert run(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["move"] == "St Paul's"
    assert found["alternatives"] == ["Clerkenwell"]
    assert found["stays"] is False
    assert found["reading"] == "drawn"
    run(*words, "--tie", "straight", "--json")
    assert json.loads(capsys.readouterr().out)["move"] == "Clerkenwell"


def test_in_fog_he_stays_at_his_own_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("elusive", "--poet", "clink", "--pawn", "southwark", "--fog", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["move"], found["stays"]) == ("Liberty of the Clink", True)
    run("elusive", "--poet", "clink", "--pawn", "southwark", "--fog")
    assert "stays at Liberty of the Clink" in capsys.readouterr().out


@pytest.mark.parametrize("extra", [(), ("--fog", "--symbol", "church"), ("--symbol", "r")])
def test_what_the_deck_shows_must_be_said_once_and_plainly(extra: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run("elusive", "--poet", "clink", "--pawn", "southwark", *extra)
