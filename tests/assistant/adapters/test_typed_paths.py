"""Paths as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.adapters.home import home
from assistant.adapters.session_files import find_log
from assistant.adapters.sources import open_source
from assistant.adapters.typed_paths import typed_path
from assistant.core.errors import MissingError

NOBODYS = "~no-such-player/cards"


def test_a_tilde_is_the_players_home_and_other_paths_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert typed_path("~/cards") == tmp_path / "cards"
    assert typed_path("cards/~x") == Path("cards/~x")


def test_somebodys_home_who_is_not_there_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for ask in (typed_path, open_source, find_log):
        with pytest.raises(MissingError, match="no-such-player"):
            ask(NOBODYS)
    monkeypatch.setenv("BYSTANDER_HOME", NOBODYS)
    with pytest.raises(MissingError, match="no-such-player"):
        home()
