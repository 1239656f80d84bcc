"""The README's commands are those that exist, and its two set-up lines are those that are run."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from assistant.cli import build_parser

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = [
    line.strip()
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.strip()
]


def commands() -> list[str]:
    """Every bystander command line that the README shows, in a block or in the text."""
    inline = re.findall(r"`(bystander [^`]*)`", README)
    return sorted({line for line in [*LINES, *inline] if line.startswith("bystander ")})


@pytest.mark.parametrize("line", commands())
def test_every_command_shown_is_understood_by_the_command_line(line: str) -> None:
    words = shlex.split(line.replace("…", ""))[1:]
    if words == ["--help"]:
        return
    args = build_parser().parse_args(words)
    assert callable(args.run)


def test_the_first_command_sets_up_and_plays_the_demo_and_the_second_tests() -> None:
    demo, tests = (line for line in LINES if line.startswith("bash "))
    assert demo == "bash .ci/setup && .venv/bin/bystander demo"
    assert tests == "bash .ci/setup test && .venv/bin/python -m pytest"


def test_the_checks_run_what_the_readme_says() -> None:
    checks = (ROOT / ".ci" / "run").read_text()
    for step in ("ruff format --check", "ruff check", "mypy", "lint-imports", "-m pytest"):
        assert step in checks
    assert "bash .ci/setup test" in checks


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("script", ["run", "setup"])
def test_the_scripts_are_valid_bash(script: str) -> None:
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / script)], check=True)
    assert os.access(ROOT / ".ci" / script, os.X_OK)


def test_every_file_the_readme_points_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_readme_says_that_it_is_fan_made_and_holds_no_art_of_the_game() -> None:
    assert "fan-made" in README
    assert "No art of the game" in README


@pytest.mark.parametrize("manifest", sorted((ROOT / "fixtures").glob("*/manifest.json")))
def test_every_fixture_is_the_one_its_manifest_names(manifest: Path) -> None:
    told = json.loads(manifest.read_text(encoding="utf-8"))["files"]
    there = {path.name for path in manifest.parent.iterdir()} - {"manifest.json"}
    assert set(told) == there
    for name, about in told.items():
        digest = hashlib.sha256((manifest.parent / name).read_bytes()).hexdigest()
        assert about["sha256"] == digest, name
