"""`bystander doctor`: what of this machine Bystander can use, what is missing, how to get it.

With `--json` one object per check: {"check", "ok", "needed", "found", "how"}. Every check has a
time limit; one that hangs is told as such. Exit 0, or 3 when something needed is missing.

Checked are the Python packages, OpenCV, Tesseract, Tk and whether a window opens, the cameras, the
USB ports, the card profile, and whether a log can be kept.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module

from assistant.commands.how_to_get import how_to_get
from assistant.core.errors import BystanderError
from assistant.workers import fault_of

#: What a check may take before it counts as hanging.
LIMIT_S = 20.0

#: Cameras take longer: some machines open each in 20 s, and one that hangs is told after 25.
LONGER_LIMITS_S = {"camera": 75.0}

#: A window that has not opened by then will not.
WINDOW_S = 10.0

#: Below this, a film kept beside the log may fill the disk in an evening.
LITTLE_ROOM_MB = 200

#: What is imported, and the package that brings it.
PACKAGES = {
    "numpy": "numpy",
    "PIL": "Pillow",
    "serial": "pyserial",
    "reportlab": "reportlab",
    "pytesseract": "pytesseract",
    "platformdirs": "platformdirs",
    "filelock": "filelock",
}


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
    code, before = 0, set(threading.enumerate())
    for name, check in CHECKS:
        for finding in _limited(name, check):
            print(json.dumps(asdict(finding)) if args.json else _line(finding), flush=True)
            if finding.needed and not finding.ok:
                code = 3
    if any(thread.daemon for thread in set(threading.enumerate()) - before):
        # A check's own, or a camera's: one that is stuck inside a driver would abort the
        # interpreter at its end.
        sys.stderr.flush()
        os._exit(code)
    return code


def _limited(name: str, check: Callable[[], list[Finding]]) -> list[Finding]:
    """Return what a check found, or that it did not end in time."""
    found: list[Finding] = []

    def work() -> None:
        fault = fault_of(lambda: found.extend(check()))
        if fault is not None:
            words = " ".join(str(fault).split()) or type(fault).__name__
            found.append(Finding(name, ok=False, found=words))

    thread = threading.Thread(target=work, name=f"doctor {name}", daemon=True)
    thread.start()
    limit_s = LONGER_LIMITS_S.get(name, LIMIT_S)
    thread.join(limit_s)
    if thread.is_alive():
        return [Finding(name, ok=False, found=f"no answer in {limit_s:g} s", how="restart it")]
    return found


def _line(finding: Finding) -> str:
    mark = "ok     " if finding.ok else ("MISSING" if finding.needed else "missing")
    how = f"\n          -> {finding.how}" if finding.how and not finding.ok else ""
    return f"{mark}  {finding.check:<10} {finding.found}{how}"


def _python() -> list[Finding]:
    return [Finding("Python", ok=True, found=f"{platform.python_version()} on {platform.system()}")]


def _packages() -> list[Finding]:
    missing = []
    for module, package in PACKAGES.items():
        try:
            import_module(module)
        except ImportError:
            missing.append(package)
    if not missing:
        return [Finding("packages", ok=True, found=f"all {len(PACKAGES)}", needed=True)]
    how, found = f"pip install {' '.join(missing)}", f"not there: {', '.join(missing)}"
    return [Finding("packages", ok=False, found=found, how=how, needed=True)]


def _opencv() -> list[Finding]:
    try:
        import cv2
    except ImportError as error:
        return [
            Finding("OpenCV", ok=False, found=str(error), how=how_to_get("OpenCV"), needed=True)
        ]
    return [Finding("OpenCV", ok=True, found=str(cv2.__version__), needed=True)]


def _tesseract() -> list[Finding]:
    from assistant.adapters.tesseract import Tesseract

    tesseract = Tesseract()
    version = tesseract.probe()
    if version is None:
        how = f"{how_to_get('Tesseract')} (it only confirms; Bystander works without)"
        return [Finding("Tesseract", ok=False, found=tesseract.failed or "", how=how)]
    return [Finding("Tesseract", ok=True, found=version)]


def _tk() -> list[Finding]:
    try:
        import tkinter
    except ImportError as error:
        return [Finding("Tk", ok=False, found=str(error), how=how_to_get("Tk"))]
    found = f"{tkinter.TkVersion}"
    if not has_display():
        return [Finding("Tk", ok=True, found=f"{found}, but no display: windows cannot open")]
    # Tk belongs to a program's first thread, and may hang or end the program: it is tried in one
    # of its own.
    trial = [sys.executable, "-c", "import tkinter; tkinter.Tk().destroy()"]
    try:
        done = subprocess.run(  # noqa: S603 - our own Python, our own words
            trial, capture_output=True, text=True, timeout=WINDOW_S, check=False
        )
    except subprocess.TimeoutExpired:
        why = f"no window opened in {WINDOW_S:g} s"
    else:
        if done.returncode == 0:
            return [Finding("Tk", ok=True, found=f"{found}, a window opens")]
        why = (done.stderr.strip().splitlines() or ["no window opens"])[-1]
    how = "all but the windows works without: --headless"
    return [Finding("Tk", ok=False, found=f"{found}, but {why}", how=how)]


def has_display() -> bool:
    """Return whether a window could open here; asks nothing of the display itself."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _cameras() -> list[Finding]:
    from assistant.adapters.camera_names import cameras_here
    from assistant.adapters.webcam import try_camera

    cameras = cameras_here()
    if not cameras:
        how = "plug one in, or give a phone's stream, a film or a folder as --camera"
        return [Finding("camera", ok=False, found="no camera", how=how)]
    findings = []
    for camera in cameras:
        said, good = try_camera(camera.number)
        how = "" if good else how_to_get("camera")
        told = ", ".join(filter(None, (camera.name, said)))
        findings.append(Finding("camera", ok=good, found=f"{camera.number}: {told}", how=how))
    return findings


def _ports() -> list[Finding]:
    from hardware.ports import usb_ports

    ports = usb_ports()
    if not ports:
        how = "only for the LED board: plug it in; without one: bystander leds simulate"
        return [Finding("ports", ok=False, found="no board on a USB port", how=how)]
    findings = []
    for port in ports:
        # Asked of the file, not of the port: opening one starts some boards anew.
        may = sys.platform == "win32" or os.access(port.device, os.R_OK | os.W_OK)
        how = "" if may else "sudo usermod -aG dialout $USER, then log out and in again"
        found = f"{port.device} ({port.description})" + ("" if may else ", you may not open it")
        findings.append(Finding("ports", ok=may, found=found, how=how))
    return findings


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
    free_mb = shutil.disk_usage(folder).free // 10**6
    if free_mb < LITTLE_ROOM_MB:
        found = f"{folder}, where {free_mb} MB are free"
        return [Finding("log", ok=False, found=found, how="make room there, or set BYSTANDER_HOME")]
    return [Finding("log", ok=True, found=str(folder), needed=True)]


CHECKS: tuple[tuple[str, Callable[[], list[Finding]]], ...] = (
    ("Python", _python),
    ("packages", _packages),
    ("OpenCV", _opencv),
    ("Tesseract", _tesseract),
    ("Tk", _tk),
    ("camera", _cameras),
    ("ports", _ports),
    ("profile", _profile),
    ("log", _log),
)
