"""Bystander at a stranger's: odd consoles, folders, homes and users. It works, or says why."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def bystander(
    *words: str | Path, cwd: Path, env: dict[str, str] | None = None, user: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a bare environment: no display, no language, a dumb terminal."""
    bare = {
        "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(cwd / "home"),
        "LANG": "C", "TERM": "dumb", "SYSTEMROOT": os.environ.get("SYSTEMROOT", ""),
        "OPENBLAS_NUM_THREADS": "1",
    }  # fmt: skip
    return subprocess.run(
        [*user, sys.executable, "-m", "assistant.cli", *map(str, words)],
        cwd=cwd, env=bare | (env or {}), capture_output=True, timeout=120, check=False,
    )  # fmt: skip


def says_why(done: subprocess.CompletedProcess[bytes], code: int) -> str:
    """Assert that a command failed in one line and no traceback; return the line."""
    line = done.stderr.decode()
    assert done.returncode == code, line
    assert line.count("\n") == 1, line
    assert line.startswith("bystander")
    return line


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    folder = tmp_path / "Café 卡"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437", "utf-8"])
def test_a_folder_that_the_console_cannot_spell_is_escaped(foreign: Path, encoding: str) -> None:
    env = {"BYSTANDER_HOME": str(foreign), "PYTHONIOENCODING": encoding}
    line = bystander("sessions", "show", foreign / "none.jsonl", cwd=foreign, env=env)
    assert line.returncode == 3
    told = line.stderr.decode(encoding)
    assert ("Café 卡" if encoding == "utf-8" else "\\u5361") in told
    assert "Traceback" not in told


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_json_rows_are_json_on_any_console_and_name_the_file_as_it_is(
    foreign: Path, encoding: str
) -> None:
    env = {"BYSTANDER_HOME": str(foreign), "PYTHONIOENCODING": encoding}
    done = bystander("doctor", "--json", cwd=foreign, env=env)
    rows = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    [log] = [row for row in rows if row["check"] == "log"]
    assert log["ok"]
    assert log["found"] == str(foreign / "sessions")


def test_a_file_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9\xff.jsonl")
    done = bystander("sessions", "show", f"./{name}", cwd=tmp_path)
    assert "no such log" in says_why(done, 3)


def test_help_is_printed_on_a_console_that_knows_only_ascii(tmp_path: Path) -> None:
    done = bystander("read", "--help", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize(
    "words", [("play",), ("play", "--camera", "practice"), ("calibrate",)], ids=" ".join
)
def test_without_a_display_a_window_is_refused_in_one_line_that_names_the_way_round(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    line = says_why(bystander(*words, cwd=tmp_path), 3)
    assert "display" in line
    assert "--headless" in line or "--from" in line


def ordinary() -> tuple[str, ...]:
    """Return what makes a command an ordinary user's; nothing where it already is one.

    The right to read stays, for Python itself may lie in root's folder.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return ()
    tool = shutil.which("setpriv")
    if tool is None:
        pytest.skip("setpriv is not installed, and the tests run as root")
    rights = "-all,+dac_read_search"
    return (
        tool, "--reuid=65534", "--regid=65534", "--clear-groups", f"--inh-caps={rights}",
        f"--ambient-caps={rights}", f"--bounding-set={rights}",
    )  # fmt: skip


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A folder that nobody but root may write."""
    if sys.platform == "win32":
        pytest.skip("rights are told otherwise on Windows")
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o555)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("solve", "--youth", "Cornhill=church"), 0),
        (("sessions", "list"), 0),
        (("leds", "list"), 0),
        (("rules",), 0),
        (("sessions", "show", "last"), 3),
        (("practice", "sheets", "home/deck.pdf"), 3),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else str(words),
)
def test_a_home_that_cannot_be_written_stops_only_what_must_write(
    sealed: Path, words: tuple[str, ...], code: int
) -> None:
    done = bystander(*words, cwd=sealed, user=ordinary())
    if code:
        says_why(done, code)
    else:
        assert (done.returncode, done.stderr) == (0, b"")


def test_the_doctor_tells_a_home_that_cannot_be_written_and_what_to_set(sealed: Path) -> None:
    done = bystander("doctor", "--json", cwd=sealed, user=ordinary())
    rows = {row["check"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 3
    assert not rows["log"]["ok"]
    assert "BYSTANDER_HOME" in rows["log"]["how"]
