"""What tests of commands and of windows share: the practice deck, learnt once for all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.app import practice_profile
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck


@pytest.fixture(scope="session")
def practice_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the practice deck's profile, learnt as the demo learns it; to be copied."""
    home = tmp_path_factory.mktemp("practised")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BYSTANDER_HOME", str(home))
        practice_profile(PracticeDeck(load_board(), seed=1), lambda _: None)
    return home / "practice-profile"
