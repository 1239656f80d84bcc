"""`bystander practice sheets` as the contract has it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from assistant.commands import practice
from assistant.core.errors import MissingError


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    practice.add_parser(parser.add_subparsers(required=True))
    args = parser.parse_args(["practice", *words])
    code: int = args.run(args)
    return code


def test_writes_a_pdf_and_says_how_to_print_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "Café deck.pdf"
    assert run("sheets", str(out)) == 0
    assert out.read_bytes().startswith(b"%PDF")
    told = capsys.readouterr().out
    assert "100 %" in told
    assert "long edge" in told


def test_another_paper_and_another_seed_are_another_file(tmp_path: Path) -> None:
    made = []
    for words in ([], ["--paper", "letter"], ["--seed", "2"]):
        run("sheets", str(tmp_path / "deck.pdf"), *words)
        made.append((tmp_path / "deck.pdf").read_bytes())
    assert len(set(made)) == 3


def test_a_folder_that_is_not_there_is_missing_and_named(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "deck.pdf"
    with pytest.raises(MissingError, match="nowhere"):
        run("sheets", str(out))
    with pytest.raises(MissingError):
        run("sheets", str(tmp_path))


@pytest.mark.parametrize("words", [["sheets"], [], ["sheets", "x.pdf", "--paper", "a5"]])
def test_wrong_usage_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*words)
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err
