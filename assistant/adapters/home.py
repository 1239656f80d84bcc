"""Where profiles, settings and the log live on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from assistant.adapters.typed_paths import typed_path


def home() -> Path:
    """Return Bystander's own folder: BYSTANDER_HOME where set, else the system's place for data.

    The folder need not exist.

    Raises:
        MissingError: BYSTANDER_HOME names a home folder that is not there.
    """
    moved = os.environ.get("BYSTANDER_HOME")
    if moved:
        return typed_path(moved)
    return Path(platformdirs.user_data_dir("bystander", appauthor=False))


def profile_folder() -> Path:
    """Return the folder of the card profile that is used when none is named."""
    return home() / "profile"


def practice_profile_folder() -> Path:
    """Return the folder where the practice deck's learnt profile is kept."""
    return home() / "practice-profile"


def sessions_folder() -> Path:
    """Return the folder of the session logs."""
    return home() / "sessions"
