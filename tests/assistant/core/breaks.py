"""Break the code on purpose, one rule at a time on a copy, and see its test catch it.

    python -m tests.assistant.core.breaks        (from the root of the repo; a minute or two)

Prints what was not caught; exit 1 if anything was not.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
COPIED = ("assistant", "tests", "fixtures", "calibration", "hardware", "pyproject.toml")


@dataclass(frozen=True)
class Break:
    """One change of the code, and the test (file::name) that must notice it."""

    test: str
    file: str
    old: str
    new: str


def breaks() -> list[Break]:
    """Return the list, in the order of RULES.md."""
    return [Break(**entry) for entry in json.loads((HERE / "breaks.json").read_text("utf-8"))]


def is_caught(entry: Break, root: Path) -> bool:
    """Whether the test fails with the change made in a copy of the repo at `root`."""
    path = root / entry.file
    whole = path.read_text("utf-8")
    path.write_text(whole.replace(entry.old, entry.new, 1), "utf-8")
    try:
        ran = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider",
             f"tests/assistant/core/{entry.test}"],
            cwd=root, capture_output=True, timeout=300, check=False,
        )  # fmt: skip
    finally:
        path.write_text(whole, "utf-8")
    return ran.returncode == 1


def main() -> int:
    """Try every break; return how it went as an exit code."""
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in COPIED:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, Path(folder) / name)
        for entry in breaks():
            if not is_caught(entry, Path(folder)):
                missed += 1
                sys.stdout.write(f"NOT CAUGHT by {entry.test}: {entry.file}: {entry.old!r}\n")
    sys.stdout.write(f"{len(breaks()) - missed} of {len(breaks())} breaks were caught\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
