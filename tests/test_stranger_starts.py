"""What starts at once loads nothing heavy; timing itself belongs to no test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("cv2", "numpy", "tkinter", "PIL", "reportlab", "pytesseract")


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["demo", "--help"],
        ["play", "--help"],
        ["solve", "--youth", "Cornhill=church", "--json"],
        ["poet", "elusive", "--poet", "Cornhill", "--pawn", "Bishopsgate", "--fog"],
        ["rules"],
        ["sessions", "list"],
        ["leds", "list"],
    ],
    ids=" ".join,
)
def test_a_command_without_pictures_loads_no_picture_or_window_library(
    tmp_path: Path, words: list[str]
) -> None:
    code = (
        "import sys; from assistant import cli\n"
        f"try: cli.main({words!r})\n"
        "except SystemExit: pass\n"
        f"print(*({set(HEAVY)!r} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True,
        env=os.environ | {"BYSTANDER_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stderr.strip() == ""
    assert done.stdout
