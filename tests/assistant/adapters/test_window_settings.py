"""What the window remembers: replaced whole, a bad file set aside."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from assistant.adapters.window_settings import keep_window_setting, load_window_settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    return tmp_path


def test_one_setting_is_kept_beside_the_others(home: Path) -> None:
    keep_window_setting("theme", "dark")
    keep_window_setting("sound", True)
    assert load_window_settings() == {"theme": "dark", "sound": True}
    assert [path.name for path in home.iterdir()] == ["window.json"]


@pytest.mark.parametrize("bad", [b'{"theme": "da', b"\0\0\0", b"[]"])
def test_a_file_that_cannot_be_read_is_set_aside_not_overwritten(home: Path, bad: bytes) -> None:
    (home / "window.json").write_bytes(bad)
    assert load_window_settings() == {}
    assert (home / "window.json").read_bytes() == bad
    keep_window_setting("theme", "dark")
    assert load_window_settings() == {"theme": "dark"}
    assert (home / "window.json.bad").read_bytes() == bad


def test_a_file_far_too_large_is_none_of_ours(home: Path) -> None:
    huge = b'{"theme": "dark"' + b" " * 2**20 + b"}"
    (home / "window.json").write_bytes(huge)
    assert load_window_settings() == {}
    keep_window_setting("sound", True)
    assert (home / "window.json.bad").read_bytes() == huge


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders on Windows")
def test_a_pipe_is_not_waited_for_and_is_set_aside(home: Path) -> None:
    os.mkfifo(home / "window.json")
    assert load_window_settings() == {}
    keep_window_setting("sound", True)
    assert load_window_settings() == {"sound": True}


def test_brackets_without_an_end_are_no_settings(home: Path) -> None:
    (home / "window.json").write_bytes(b"[" * 200_000)
    assert load_window_settings() == {}
