"""`bystander doctor`: tells what is missing and how to get it, and never hangs."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assistant import cli
from assistant.adapters.camera_names import NamedCamera
from assistant.adapters.exposure import SETTLE_S
from assistant.adapters.profiles import save_profile
from assistant.adapters.webcam import FIRST_FRAME_S, OPENS_WITHIN_S
from assistant.commands import doctor
from assistant.commands.doctor import Finding
from assistant.commands.how_to_get import how_to_get
from hardware.ports import Port, UsbId
from tests.assistant.vision.practice_profile import practice_profile


def findings(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, dict[str, object]]]:
    code = cli.main(["doctor", "--json"])
    out, _ = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    return code, {finding["check"]: finding for finding in told}


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    # Real devices are another machine's matter.
    monkeypatch.setattr("assistant.adapters.camera_names.cameras_here", list)


def test_all_that_the_contract_names_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = findings(capsys)
    assert code == 0
    assert set(told) == {
        "Python",
        "packages",
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
    monkeypatch.setattr(
        doctor, "CHECKS", [check for check in doctor.CHECKS if check[0] == "OpenCV"]
    )
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
    [finding] = doctor._limited("ports", hang)
    release.set()
    assert not finding.ok
    assert "no answer" in finding.found


def test_what_a_check_leaves_stuck_in_a_driver_does_not_spoil_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release = threading.Event()

    def leaves_a_thread() -> list[Finding]:
        threading.Thread(target=release.wait, args=(30,), daemon=True).start()
        return [Finding("camera", ok=False, found="it hangs")]

    def left(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(doctor, "CHECKS", [("camera", leaves_a_thread)])
    monkeypatch.setattr("os._exit", left)
    with pytest.raises(SystemExit) as ended:
        cli.main(["doctor"])
    release.set()
    assert ended.value.code == 0
    assert "it hangs" in capsys.readouterr().out


def test_cameras_have_the_time_that_the_slowest_takes_to_open() -> None:
    # Two that take all of it, and their first frames.
    assert doctor.LONGER_LIMITS_S["camera"] > 2 * (OPENS_WITHIN_S + FIRST_FRAME_S + SETTLE_S)


def test_a_camera_that_gives_nothing_is_told_as_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = [NamedCamera(3, "a camera")]
    monkeypatch.setattr("assistant.adapters.camera_names.cameras_here", lambda: there)
    monkeypatch.setattr("assistant.adapters.webcam.try_camera", lambda _: ("no picture", False))
    code, told = findings(capsys)
    assert code == 0
    assert told["camera"]["found"] == "3: a camera, no picture"
    assert "another program" in str(told["camera"]["how"])


def test_a_display_that_is_named_but_not_there_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform in ("win32", "darwin"):
        pytest.skip("displays have no names there")
    pytest.importorskip("tkinter")
    monkeypatch.setenv("DISPLAY", ":4711")
    code, told = findings(capsys)
    assert code == 0
    assert not told["Tk"]["ok"]
    assert ":4711" in str(told["Tk"]["found"])
    assert "--headless" in str(told["Tk"]["how"])


def test_a_missing_package_is_told_by_the_name_that_pip_knows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "serial", None)
    monkeypatch.setattr(doctor, "CHECKS", [("packages", doctor._packages)])
    code, told = findings(capsys)
    assert code == 3
    assert told["packages"]["how"] == "pip install pyserial"


def test_a_board_that_may_not_be_opened_is_told_with_the_line_to_type(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    port = Port("/dev/ttyACM7", UsbId(0x2E8A, 5, None), "Raspberry Pi Pico")
    monkeypatch.setattr("hardware.ports.usb_ports", lambda: [port])
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr(doctor, "CHECKS", [("ports", doctor._ports)])
    _, told = findings(capsys)
    if sys.platform != "win32":
        assert not told["ports"]["ok"]
        assert "usermod -aG dialout" in str(told["ports"]["how"])
    assert "/dev/ttyACM7" in str(told["ports"]["found"])


def test_a_disk_with_little_room_is_told_before_the_evening(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "LITTLE_ROOM_MB", 10**12)
    monkeypatch.setattr(doctor, "CHECKS", [("log", doctor._log)])
    code, told = findings(capsys)
    assert code == 0
    assert not told["log"]["ok"]
    assert "MB are free" in str(told["log"]["found"])


@pytest.mark.parametrize(
    ("system", "word"), [("linux", "apt-get"), ("darwin", "brew"), ("win32", "winget")]
)
def test_each_system_has_its_own_way_to_tesseract(system: str, word: str) -> None:
    assert word in how_to_get("Tesseract", system)
    assert all(how_to_get(what, system) for what in ("OpenCV", "Tk", "camera"))


def test_a_profile_that_can_be_used_is_told_with_what_is_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    save_profile(practice_profile(), tmp_path / "home" / "profile")
    monkeypatch.setattr(doctor, "CHECKS", [("profile", doctor._profile)])
    _, told = findings(capsys)
    assert told["profile"]["ok"]
    count = len(practice_profile().glyphs)
    assert str(told["profile"]["found"]).startswith(f"22 sides of keys, {count} glyphs in ")


def tk_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> dict[str, object]:
    monkeypatch.setattr(doctor, "CHECKS", [("Tk", doctor._tk)])
    code, told = findings(capsys)
    assert code == 0
    return told["Tk"]


def test_a_python_without_tk_is_told_with_the_line_to_type(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    told = tk_told(capsys, monkeypatch)
    assert not told["ok"]
    assert told["how"] == how_to_get("Tk")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="displays have no names there")
def test_a_window_that_does_not_open_in_time_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tkinter")
    monkeypatch.setenv("DISPLAY", ":0")

    def hangs(*_: object, timeout: float, **__: object) -> None:
        raise subprocess.TimeoutExpired("python", timeout)

    monkeypatch.setattr(subprocess, "run", hangs)
    told = tk_told(capsys, monkeypatch)
    assert not told["ok"]
    assert f"no window opened in {doctor.WINDOW_S:g} s" in str(told["found"])


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_windows_and_macos_always_have_a_display(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not doctor.has_display() or sys.platform != "linux"
    monkeypatch.setattr(sys, "platform", system)
    assert doctor.has_display()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (OSError("the bus\nis stuck"), "the bus is stuck"),
        (KeyError("no such bus"), "'no such bus'"),
        (LookupError(), "LookupError"),
    ],
)
def test_what_a_check_fails_of_is_its_finding(
    fault: Exception,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails() -> list[Finding]:
        raise fault

    monkeypatch.setattr(doctor, "CHECKS", [("ports", fails), ("Python", doctor._python)])
    code, told = findings(capsys)
    assert code == 0
    assert told["ports"]["found"] == words
    assert not told["ports"]["ok"]
    assert told["Python"]["ok"]
