"""`bystander doctor`: tells what is missing and how to get it, and never hangs."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import pytest

from assistant import cli
from assistant.commands import doctor
from assistant.commands.doctor import Finding


def findings(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, dict[str, object]]]:
    code = cli.main(["doctor", "--json"])
    out, _ = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    return code, {finding["check"]: finding for finding in told}


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    # Real devices are another machine's matter.
    monkeypatch.setattr(doctor, "camera_numbers", list)


def test_all_that_the_contract_names_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = findings(capsys)
    assert code == 0
    assert set(told) == {
        "Python",
        "OpenCV",
        "Tesseract",
        "Tk",
        "camera",
        "ports",
        "profile",
        "log",
    }
    assert told["log"]["ok"]
    assert str(told["log"]["found"]).endswith("sessions")


def test_what_is_missing_comes_with_the_way_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_TESSERACT", "no-such-program")
    _, told = findings(capsys)
    assert not told["Tesseract"]["ok"]
    assert "apt-get install -y tesseract-ocr" in str(told["Tesseract"]["how"])
    assert not told["profile"]["ok"]
    assert "bystander calibrate" in str(told["profile"]["found"])


def test_opencv_without_its_libraries_is_told_with_the_line_to_type_and_exit_three(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A None in sys.modules makes the import fail as a missing module does.
    monkeypatch.setitem(sys.modules, "cv2", None)
    monkeypatch.setattr(doctor, "CHECKS", doctor.CHECKS[:2])
    code, told = findings(capsys)
    assert code == 3
    assert told["OpenCV"]["how"] == "sudo apt-get install -y libgl1 libglib2.0-0"


def test_a_log_folder_that_cannot_be_written_is_told_and_exit_three(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "file"))
    code, told = findings(capsys)
    assert code == 3
    assert "BYSTANDER_HOME" in str(told["log"]["how"])


def test_a_check_that_hangs_is_told_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    def hang() -> list[Finding]:
        release.wait(30)
        return []

    monkeypatch.setattr(doctor, "LIMIT_S", 0.05)
    [finding], ended = doctor._limited("camera", hang)
    release.set()
    assert not ended
    assert not finding.ok
    assert "no answer" in finding.found


def test_a_camera_that_gives_nothing_is_told_as_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "camera_numbers", lambda: [(3, "a camera, ")])
    monkeypatch.setattr("assistant.adapters.webcam.try_camera", lambda _: ("no picture", False))
    code, told = findings(capsys)
    assert code == 0
    assert told["camera"]["found"] == "3: a camera, no picture"
    assert "another program" in str(told["camera"]["how"])
