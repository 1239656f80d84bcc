"""What a stranger installs: all that the program needs is in the wheel, and no test data."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("assistant", "calibration", "hardware")

pytestmark = pytest.mark.skipif(find_spec("hatchling") is None, reason="no hatchling installed")


def built(kind: str, folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)],
        cwd=ROOT, capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    [made] = folder.iterdir()
    return made


def needed() -> set[str]:
    """Return every file of the packages, but what running them leaves behind."""
    return {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(tmp_path: Path) -> None:
    with zipfile.ZipFile(built("wheel", tmp_path)) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        [licence] = [name for name in wheel.namelist() if name.endswith("LICENSE")]
        assert b"MIT" in wheel.read(licence)
        [entry] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
        assert b"bystander = assistant.cli:main" in wheel.read(entry)
    assert names == needed()
    # What is read at run time, by kind: a rename of one of them must not pass unseen.
    for ending in ("board.json", "keys.json", ".ttf", "OFL.txt", ".ino", "pico/main.py", ".svg"):
        assert any(name.endswith(ending) for name in names), ending


def test_the_source_archive_holds_what_the_readme_and_the_tests_need(tmp_path: Path) -> None:
    with tarfile.open(built("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert needed() <= names
    assert {".ci/setup", ".ci/run", "README.md", "LICENSE", "pyproject.toml"} <= names
    assert "tests/test_stranger_installs.py" in names
    assert any(name.startswith("fixtures/pictures/") for name in names)
