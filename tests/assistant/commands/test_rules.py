"""`bystander rules`: the open questions and the set-up."""

from __future__ import annotations

import argparse
import json

import pytest

from assistant.commands import play, rules
from assistant.commands.play_words import _VERBS
from assistant.core.errors import MissingError, UsageError
from assistant.core.open_rules import OPEN_RULES


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    rules.add_parser(commands)
    play.add_parser(commands)
    args = parser.parse_args(words)
    code: int = args.run(args)
    return code


def test_every_open_question_says_what_is_taken_and_how_to_change_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("rules", "--json") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == len(OPEN_RULES)
    assert {"topic", "question", "reading", "setting", "values", "change"} == set(told[0])
    assert run("rules") == 0
    text = capsys.readouterr().out
    assert text.count("Taken:") == text.count("To change:") == len(OPEN_RULES)


def test_the_set_up_is_a_checklist_for_the_chosen_expansions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("rules", "--set-up", "--with", "darker,elusive", "--json") == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert any("Elusive" in step["text"] for step in steps)
    assert run("rules", "--set-up") == 0
    assert "[ ] 1." in capsys.readouterr().out
    with pytest.raises(UsageError):
        run("rules", "--set-up", "--with", "elusive,aggressive")


def test_play_says_how_to_drive_it_while_there_is_no_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(MissingError, match="--headless --commands"):
        run("play")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--headless", "--commands", "-", "--with", "youth"), "--with"),
        (("--headless", "--commands", "-", "--camera", "0"), "--camera"),
        (("--headless", "--commands", "-", "--profile", "P"), "--profile"),
        (("--headless", "--commands", "-", "--resume"), "--resume"),
        (("--headless", "--commands", "-", "--film", "--pictures"), "--film and --pictures"),
        (("--headless", "--commands", "-", "--leds", "auto"), "--leds"),
        (("--headless", "--commands", "-", "--leds-night"), "--leds-night"),
        (("--words", "--json"), "--json"),
        (("--words", "--camera", "0"), "--camera"),
    ],
)
def test_an_option_of_play_that_would_count_for_nothing_is_refused(
    words: tuple[str, ...], named: str
) -> None:
    with pytest.raises(UsageError, match=f"leave out {named}$"):
        run("play", *words)


def test_expansions_belong_to_the_checklist_of_the_set_up() -> None:
    with pytest.raises(UsageError, match="rules --set-up --with"):
        run("rules", "--with", "youth")


def test_play_tells_every_word_it_understands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "--words") == 0
    text = capsys.readouterr().out
    for word in (*_VERBS, "undo", "redo", "retract", "correct", "house", "what-if"):
        assert word in text
