"""What the window remembers: replaced whole, a bad file set aside."""

from __future__ import annotations

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
