"""How the player last had the play window, kept in a file of its own: window.json.

A file that cannot be read is as good as none, and is set aside before another takes its place; one
that cannot be written costs nothing but the memory of it.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from assistant.adapters.home import home
from assistant.adapters.safe_files import replace_file, set_aside
from assistant.adapters.whole_file import read_json, read_whole

_FILE = "window.json"

#: A dozen settings; a larger file is none of ours.
_MOST_BYTES = 2**20

Value = str | float | bool


def load_window_settings() -> dict[str, Any]:
    """Return the settings kept; empty when there are none."""
    try:
        kept = read_json(home() / _FILE, _MOST_BYTES)
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def keep_window_setting(name: str, value: Value) -> None:
    """Keep one setting beside the others."""
    kept = load_window_settings()
    path = home() / _FILE
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not kept and _holds_something(path):
            set_aside(path, "bad")
        replace_file(path, json.dumps(kept | {name: value}, indent=1).encode())


def _holds_something(path: Path) -> bool:
    try:
        return read_whole(path, _MOST_BYTES).strip() not in (b"", b"{}")
    except OSError:
        return path.exists()
