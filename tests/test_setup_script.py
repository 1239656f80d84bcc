"""What .ci/setup asks the system for: only what is missing, under either of its names.

The script runs in a folder of its own, with a dpkg-query, an apt-get and a Python that only note
what they are asked; dpkg-query leaves with 1 where it does not know a name, as the real one does.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[1] / ".ci" / "setup"

#: Knows the packages that stand in the file `installed`, one a line.
DPKG_QUERY = """
code=0
for name in "${@:4}"; do
  if grep -qxF "$name" installed; then echo "install ok installed"; else code=1; fi
done
exit $code
"""

NEEDED = ("python3-venv", "python3-tk", "libgl1", "libglib2.0-0", "tesseract-ocr")

pytestmark = pytest.mark.skipif(
    any(shutil.which(name) is None for name in ("bash", "grep")), reason="no bash here"
)


def asked_of_apt(folder: Path, installed: tuple[str, ...]) -> list[str]:
    """Run the script where these packages are installed; return the lines given to apt-get."""
    (folder / ".ci").mkdir()
    shutil.copy(SETUP, folder / ".ci" / "setup")
    (folder / "installed").write_text("".join(f"{name}\n" for name in installed))
    programs = {
        "bin/dpkg-query": DPKG_QUERY,
        "bin/apt-get": 'echo "$*" >>apt.txt',
        "bin/sudo": '"$@"',
        ".venv/bin/python": 'echo "$*" >>pip.txt',
    }
    for name, lines in programs.items():
        program = folder / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/usr/bin/env bash\n{lines}\n")
        program.chmod(0o755)
    subprocess.run(
        ["bash", ".ci/setup"], cwd=folder, check=True, timeout=60,
        env={"PATH": f"{folder / 'bin'}:/usr/bin:/bin"},
    )  # fmt: skip
    assert "-e ." in (folder / "pip.txt").read_text()
    apt = folder / "apt.txt"
    return apt.read_text().splitlines() if apt.exists() else []


def test_where_all_is_there_the_package_manager_is_left_alone(tmp_path: Path) -> None:
    assert asked_of_apt(tmp_path, NEEDED) == []


def test_a_package_under_its_newer_name_is_there_too(tmp_path: Path) -> None:
    newer = tuple(f"{name}t64" if name == "libglib2.0-0" else name for name in NEEDED)
    assert asked_of_apt(tmp_path, newer) == []


def test_only_what_is_missing_is_installed(tmp_path: Path) -> None:
    there = tuple(name for name in NEEDED if name not in ("python3-tk", "libgl1"))
    update, install = asked_of_apt(tmp_path, there)
    assert update.startswith("update")
    assert [word for word in install.split() if word in NEEDED] == ["python3-tk", "libgl1"]
