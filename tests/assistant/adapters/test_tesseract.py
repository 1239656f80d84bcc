"""Tesseract: every way in which it is known to fail ends in "" and one notice."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw, ImageFont

from assistant.adapters import tesseract as module
from assistant.adapters.tesseract import PROGRAM_SETTING, Tesseract

PAPER: npt.NDArray[np.uint8] = np.full((40, 200), 255, np.uint8)

needs_posix = pytest.mark.skipif(os.name != "posix", reason="scripts stand in for the program")


def program(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a shell script in the program's place."""
    script = folder / "fake-tesseract"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv(PROGRAM_SETTING, str(script))


def read_twice(picture: npt.NDArray[np.uint8] = PAPER) -> tuple[list[str], list[str]]:
    told: list[str] = []
    tesseract = Tesseract(told.append)
    other = np.zeros_like(picture)
    return [tesseract.read_text(picture), tesseract.read_text(other)], told


def test_without_the_program_nothing_is_read_and_one_notice_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PROGRAM_SETTING, "no-such-program")
    texts, told = read_twice()
    assert texts == ["", ""]
    [notice] = told
    assert "apt-get install -y tesseract-ocr" in notice


@needs_posix
def test_a_program_that_may_not_be_run_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "true", monkeypatch)
    # Runnable for `which`, yet no program: what the system says on starting it is an OSError.
    (tmp_path / "fake-tesseract").write_bytes(b"\x7fELF rubbish")
    texts, told = read_twice()
    assert texts == ["", ""]
    assert len(told) == 1


@needs_posix
@pytest.mark.parametrize(
    "body",
    [
        "echo 'Error opening data file /x/eng.traineddata' >&2; exit 1",
        "kill -TERM $$",
        "exit 3",
        r"printf 'Fehler in der Datei f\374r Worte' >&2; exit 1",
        """printf '\\377\\376\\351bad' > "$2.txt" """,
        "exit 0",
    ],
)
def test_a_program_that_fails_is_told_once_and_not_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    program(tmp_path, f"echo started >> {tmp_path}/starts; {body}", monkeypatch)
    texts, told = read_twice()
    assert texts == ["", ""]
    assert len(told) == 1
    assert (tmp_path / "starts").read_text() == "started\n"


@needs_posix
@pytest.mark.parametrize("said", ["tesseract of the house", r"\377\376", ""])
def test_a_program_of_an_unheard_version_is_one_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    asked = f"""case "$1" in --version) printf '{said}'; exit 0;; esac"""
    program(tmp_path, f'{asked}; echo > "$2.txt"', monkeypatch)
    told: list[str] = []
    assert Tesseract(told.append).probe() == "version unknown"
    assert told == []


@needs_posix
def test_a_program_that_hangs_is_no_use_from_the_first_probe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIME_LIMIT_S", 0.3)
    program(tmp_path, "exec sleep 300", monkeypatch)
    told: list[str] = []
    tesseract = Tesseract(told.append)
    assert tesseract.probe() is None
    assert tesseract.failed == "tesseract took more than 0.3 s"
    assert len(told) == 1


@needs_posix
def test_one_who_is_patient_hears_a_program_that_is_too_slow_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIME_LIMIT_S", 0.1)
    program(tmp_path, 'sleep 0.6; echo word > "$2.txt"', monkeypatch)
    told: list[str] = []
    assert Tesseract(told.append).read_text(PAPER) == ""
    assert Tesseract(told.append, limit_s=30.0).read_text(PAPER) == "word"
    assert told == []


@needs_posix
def test_missing_language_data_is_told_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "echo 'Error opening data file /x/eng.traineddata' >&2; exit 1", monkeypatch)
    _, [notice] = read_twice()
    assert "/x/eng.traineddata" in notice


@needs_posix
def test_a_program_that_hangs_is_killed_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIME_LIMIT_S", 0.3)
    program(tmp_path, f"sleep 300 & echo $! > {tmp_path}/child; wait", monkeypatch)
    monkeypatch.setattr(module, "SLOW_ALLOWED", 2)
    texts, told = read_twice()
    assert texts == ["", ""]
    assert len(told) == 1
    child = int((tmp_path / "child").read_text())
    # The child is gone, or dead and waiting for its own parent to notice.
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(child)], capture_output=True, text=True, check=False
    ).stdout.strip()
    assert state == "" or state.startswith("Z")


@needs_posix
def test_the_program_runs_on_one_thread_and_gets_a_png(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)
    body = f'cp "$1" {tmp_path}/given; echo "limit $OMP_THREAD_LIMIT" > "$2.txt"'
    program(tmp_path, body, monkeypatch)
    assert Tesseract().read_text(PAPER) == "limit 1"
    assert np.array_equal(np.asarray(Image.open(tmp_path / "given")), PAPER)


@needs_posix
def test_the_same_picture_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, f'echo x >> {tmp_path}/starts; echo word > "$2.txt"', monkeypatch)
    tesseract = Tesseract()
    assert [tesseract.read_text(PAPER) for _ in range(3)] == ["word"] * 3
    assert (tmp_path / "starts").read_text() == "x\n"


@needs_posix
def test_a_temporary_file_that_is_still_held_does_not_cost_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, 'echo word > "$2.txt"', monkeypatch)

    def held(_: str) -> None:
        raise PermissionError(32, "used by another process")

    monkeypatch.setattr("pytesseract.pytesseract.remove", held)
    assert Tesseract().read_text(PAPER) == "word"


def test_an_empty_picture_is_no_text_and_no_fault() -> None:
    told: list[str] = []
    assert Tesseract(told.append).read_text(np.zeros((0, 10), np.uint8)) == ""
    assert told == []


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_the_real_program_reads_printed_words(monkeypatch: pytest.MonkeyPatch) -> None:
    # However busy the machine is: how long it may take is asked elsewhere.
    monkeypatch.setattr("assistant.adapters.tesseract.TIME_LIMIT_S", 60.0)
    picture = Image.new("L", (640, 90), 255)
    font = ImageFont.load_default(48)
    ImageDraw.Draw(picture).text((20, 15), "there's no more dying then", 0, font)
    assert "no more dying" in Tesseract().read_text(np.asarray(picture))
    assert Tesseract().probe() is not None
    assert sys.platform
