"""Where Bystander keeps its things."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assistant.adapters.home import home, profile_folder, sessions_folder


def test_bystander_home_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    assert home() == tmp_path
    assert profile_folder().parent == sessions_folder().parent == tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="the XDG folders are those of Linux")
@pytest.mark.parametrize("moved", [None, ""])
def test_without_it_the_system_s_own_place_for_data_is_used(
    tmp_path: Path, moved: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BYSTANDER_HOME", raising=False)
    if moved is not None:
        monkeypatch.setenv("BYSTANDER_HOME", moved)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert home() == tmp_path / "data" / "bystander"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home() == tmp_path / ".local" / "share" / "bystander"
