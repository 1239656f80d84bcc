"""The README's set-up lines, files, pictures and packages are those that are there."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = [
    line.strip()
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.strip()
]


def test_the_first_command_sets_up_and_plays_the_demo_and_the_second_tests() -> None:
    demo, tests = (line for line in LINES if line.startswith("bash "))
    assert demo == "bash .ci/setup && .venv/bin/bystander demo"
    assert tests == "bash .ci/setup test && .venv/bin/python -m pytest -n auto"


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
    headings = {
        "#" + re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in README.splitlines()
        if line.startswith("#")
    }
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target in headings or (ROOT / target).is_file(), target


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
