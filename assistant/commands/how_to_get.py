"""What to type to get what is missing, on each system."""

from __future__ import annotations

import sys

_APT = "sudo apt-get install -y"

_LINES = {
    "linux": {
        "OpenCV": f"{_APT} libgl1 libglib2.0-0",
        "Tesseract": f"{_APT} tesseract-ocr",
        "Tk": f"{_APT} python3-tk",
        "camera": "is another program using it? may you open it? sudo usermod -aG video $USER, "
        "then log out and in again",
    },
    "darwin": {
        "OpenCV": "pip install --force-reinstall opencv-python",
        "Tesseract": "brew install tesseract",
        "Tk": "brew install python-tk",
        "camera": "is another program using it? System Settings > Privacy & Security > Camera: "
        "allow your terminal, then start it anew",
    },
    "win32": {
        "OpenCV": "pip install --force-reinstall opencv-python",
        "Tesseract": "winget install UB-Mannheim.TesseractOCR",
        "Tk": "start Python's installer again: Modify, tcl/tk and IDLE",
        "camera": "is another program using it? Settings > Privacy & security > Camera: "
        "let desktop apps use it",
    },
}


def how_to_get(what: str, system: str = sys.platform) -> str:
    """Return what to type for OpenCV, Tesseract or Tk, or what to look at for the camera."""
    return _LINES.get(system, _LINES["linux"])[what]
