"""`bystander doctor`: what of this machine Bystander can use, what is missing, how to get it.

With `--json` one object per check: {"check", "ok", "needed", "found", "how"}. Every check has a
time limit; one that hangs is told as such. Exit 0, or 3 when something needed is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from assistant.commands import OPENCV_APT_LINE
from assistant.core.errors import BystanderError

#: What a check may take before it counts as hanging.
LIMIT_S = 20.0

APT = "sudo apt-get install -y"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    ok: bool
    found: str
    how: str = ""
    needed: bool = False


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `doctor` to the command line."""
    parser = subparsers.add_parser("doctor", help="what is missing on this machine, how to get it")
    parser.add_argument("--json", action="store_true", help="one JSON object per check")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was found; return 0, or 3 when something needed is missing."""
    code, hung = 0, False
    for name, check in CHECKS:
        findings, ended = _limited(name, check)
        hung = hung or not ended
        for finding in findings:
            print(json.dumps(asdict(finding)) if args.json else _line(finding), flush=True)
            if finding.needed and not finding.ok:
                code = 3
    if hung:
        # A thread stuck inside a driver would abort the interpreter at its end.
        sys.stderr.flush()
        os._exit(code)
    return code


def _limited(name: str, check: Callable[[], list[Finding]]) -> tuple[list[Finding], bool]:
    """Return what a check found and whether it ended in time."""
    found: list[Finding] = []

    def work() -> None:
        try:
            found.extend(check())
        except (BystanderError, ImportError, OSError, RuntimeError, ValueError) as error:
            found.append(Finding(name, ok=False, found=" ".join(str(error).split())))

    thread = threading.Thread(target=work, name=f"doctor {name}", daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    if thread.is_alive():
        return [
            Finding(name, ok=False, found=f"no answer in {LIMIT_S:g} s", how="restart it")
        ], False
    return found, True


def _line(finding: Finding) -> str:
    mark = "ok     " if finding.ok else ("MISSING" if finding.needed else "missing")
    how = f"\n          -> {finding.how}" if finding.how and not finding.ok else ""
    return f"{mark}  {finding.check:<10} {finding.found}{how}"


def _python() -> list[Finding]:
    return [Finding("Python", ok=True, found=f"{platform.python_version()} on {platform.system()}")]


def _opencv() -> list[Finding]:
    try:
        import cv2
    except ImportError as error:
        return [Finding("OpenCV", ok=False, found=str(error), how=OPENCV_APT_LINE, needed=True)]
    return [Finding("OpenCV", ok=True, found=str(cv2.__version__), needed=True)]


def _tesseract() -> list[Finding]:
    from assistant.adapters.tesseract import Tesseract

    tesseract = Tesseract()
    version = tesseract.probe()
    if version is None:
        how = f"{APT} tesseract-ocr (it only confirms; Bystander works without)"
        return [Finding("Tesseract", ok=False, found=tesseract.failed or "", how=how)]
    return [Finding("Tesseract", ok=True, found=version)]


def _tk() -> list[Finding]:
    try:
        import tkinter
    except ImportError as error:
        return [Finding("Tk", ok=False, found=str(error), how=f"{APT} python3-tk")]
    found = f"{tkinter.TkVersion}"
    if not has_display():
        return [Finding("Tk", ok=True, found=f"{found}, but no display: windows cannot open")]
    return [Finding("Tk", ok=True, found=found)]


def has_display() -> bool:
    """Return whether a window could open here; asks nothing of the display itself."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _cameras() -> list[Finding]:
    from assistant.adapters.webcam import try_camera

    numbers = camera_numbers()
    if not numbers:
        how = "plug one in, or give a phone's stream, a film or a folder as --camera"
        return [Finding("camera", ok=False, found="no camera", how=how)]
    findings = []
    for number, name in numbers:
        said, good = try_camera(number)
        how = "" if good else "is another program using it? may you open it (group video)?"
        findings.append(Finding("camera", ok=good, found=f"{number}: {name}{said}", how=how))
    return findings


def camera_numbers() -> list[tuple[int, str]]:
    """Return camera numbers with their names: those Linux lists, elsewhere the first two."""
    if sys.platform != "linux":
        return [(0, ""), (1, "")]
    nodes = Path("/sys/class/video4linux")
    found = []
    for node in sorted(nodes.glob("video*")) if nodes.is_dir() else ():
        # Index 0 of a device gives the pictures, the others tell about them.
        if (node / "index").read_text().strip() == "0":
            number = int(node.name.removeprefix("video"))
            found.append((number, f"{(node / 'name').read_text().strip()}, "))
    return found


def _ports() -> list[Finding]:
    from serial.tools import list_ports

    ports = [f"{port.device} ({port.description})" for port in list_ports.comports()]
    how = "only for the LED board: plug it in"
    return [Finding("ports", ok=bool(ports), found=", ".join(ports) or "no serial port", how=how)]


def _profile() -> list[Finding]:
    from assistant.adapters.home import profile_folder
    from assistant.app import card_profile

    try:
        profile = card_profile(None)
    except BystanderError as error:
        return [Finding("profile", ok=False, found=str(error))]
    sides = f"{len(profile.faces)} sides of keys, {len(profile.glyphs)} glyphs"
    return [Finding("profile", ok=True, found=f"{sides} in {profile_folder()}")]


def _log() -> list[Finding]:
    import tempfile

    from assistant.adapters.home import sessions_folder

    folder = sessions_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(b"trial")
    except OSError as error:
        how = "set BYSTANDER_HOME to a folder that can be written"
        found = f"{folder} cannot be written ({error.strerror})"
        return [Finding("log", ok=False, found=found, how=how, needed=True)]
    return [Finding("log", ok=True, found=str(folder), needed=True)]


CHECKS: tuple[tuple[str, Callable[[], list[Finding]]], ...] = (
    ("Python", _python),
    ("OpenCV", _opencv),
    ("Tesseract", _tesseract),
    ("Tk", _tk),
    ("camera", _cameras),
    ("ports", _ports),
    ("profile", _profile),
    ("log", _log),
)
