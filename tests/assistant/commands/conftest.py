"""What the tests of commands share: a home of their own with the practice deck learnt."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.profiles import save_profile
from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.glyphs import built_in_glyphs
from assistant.vision.profile import FACE_SHAPE, CardProfile, Face
from assistant.vision.sighting import Side


@pytest.fixture(scope="session")
def practice_home(
    practice_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """BYSTANDER_HOME with the practice deck's profile."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(practice_folder, home / practice_folder.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "BYSTANDER_HOME", str(home))
        yield home


@pytest.fixture
def blank_profile(tmp_path: Path) -> Path:
    """A profile of one key printed with noise: enough for inputs in which there is no key."""
    folder = tmp_path / "blank-profile"
    ink = np.random.default_rng(1).integers(0, 255, FACE_SHAPE, np.uint8)
    face = Face(Location.CORNHILL, Side.BACK, ink, np.full(FACE_SHAPE, 255, np.uint8))
    profile = CardProfile((face,), keyholes_from_facts(load_keys()), built_in_glyphs())
    save_profile(profile, folder)
    return folder
