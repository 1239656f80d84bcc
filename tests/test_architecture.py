"""What no type checker sees: arrows between packages, and calls that are banned for a reason."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path
    for package in ("assistant", "calibration", "hardware")
    for path in (ROOT / package).rglob("*.py")
)

#: Calls that are not made anywhere, and why (the field reports' numbers).
BANNED = {
    "imread": "cannot open names in other alphabets on Windows (35); use adapters.pictures",
    "imwrite": "fails without a word (35)",
    "imshow": "no window of OpenCV's own: missing in headless builds, aborts with Qt (13)",
    "waitKey": "as imshow",
    "namedWindow": "as imshow",
    "putText": "drawn differently by OpenCV 4 and 5; letters are drawn with Pillow",
    "eval": "input is never code",
    "exec": "input is never code",
}

#: `except Exception` stands in three places: main, a worker's outermost frame, and that of the
#: lights, which know nothing of the game. (Tk has a hook for it.)
MAY_CATCH_ALL = {"assistant/cli.py", "assistant/workers.py", "hardware/driver.py"}


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in SOURCES:
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_there_is_source_to_check() -> None:
    assert len(SOURCES) > 40


def test_no_call_that_is_known_to_fail_silently_is_made() -> None:
    found = [
        f"{name}:{node.lineno}: {called(node)}: {BANNED[called(node)]}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called(node) in BANNED
    ]
    assert found == []


def test_everything_is_caught_only_where_it_is_shown() -> None:
    found = {
        name
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
        # What is raised again was not caught for good.
        and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)
    }
    assert found == MAY_CATCH_ALL


def test_only_the_command_line_prints_and_exits() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        if not name.startswith(("assistant/cli.py", "assistant/commands/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called(node) in ("print", "exit", "_exit")
    ]
    assert found == []


def test_the_arrows_between_the_packages_hold() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    if not tool.exists():
        pytest.skip("import-linter is not installed")
    done = subprocess.run(
        [str(tool), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_nothing_of_the_publishers_art_is_in_the_repository() -> None:
    """Pictures, films and learnt profiles may only be the documents' own, listed with a source."""
    pictures = {
        path.relative_to(ROOT).as_posix()
        for ending in ("jpg", "jpeg", "png", "webp", "bmp", "gif", "mp4", "avi", "npz", "npy")
        for path in ROOT.rglob(f"*.{ending}")
        if not {".venv", ".git", ".hypothesis", ".pytest_cache"} & set(path.parts)
    }
    assert pictures <= {
        "fixtures/pictures/camera-and-lamp.jpg",
        "fixtures/pictures/film.webp",
        "fixtures/pictures/play-window.jpg",
    }
