"""The paths that a player types, with ~ worked out."""

from __future__ import annotations

from pathlib import Path

from assistant.core.errors import MissingError


def typed_path(text: str) -> Path:
    """Return the path that was typed; `~` and `~somebody` stand for a home folder.

    Raises:
        MissingError: nobody on this machine has that name, or you have no home folder.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise MissingError(f"{text}: there is no such home folder on this machine") from error
