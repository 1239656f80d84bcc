"""How the player last had the play window, kept in a file of its own: window.json.

A file that cannot be read is as good as none, and one that cannot be written costs nothing but the
memory of it.
"""

from __future__ import annotations

import contextlib
import json
from typing import Any

from assistant.adapters.home import home

_FILE = "window.json"

Value = str | float | bool


def load_window_settings() -> dict[str, Any]:
    """Return the settings kept; empty when there are none."""
    try:
        kept = json.loads((home() / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def keep_window_setting(name: str, value: Value) -> None:
    """Keep one setting beside the others."""
    kept = load_window_settings() | {name: value}
    with contextlib.suppress(OSError):
        home().mkdir(parents=True, exist_ok=True)
        fresh = home() / (_FILE + ".new")
        fresh.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        fresh.replace(home() / _FILE)
