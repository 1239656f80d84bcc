"""The player's learnt board on disk: one file in Bystander's own folder."""

from __future__ import annotations

from pathlib import Path

from assistant.adapters.home import home
from assistant.adapters.safe_files import replace_file
from assistant.adapters.whole_file import read_whole
from assistant.core.errors import MissingError
from assistant.vision.board_finder import BoardFace


def board_file() -> Path:
    """Return where the learnt board is kept."""
    return home() / "board.npz"


def load_board_face() -> BoardFace | None:
    """Return the learnt board; None where none was learnt.

    Raises:
        DamagedError: the file is there but holds no learnt board.
        MissingError: it cannot be read.
    """
    try:
        return BoardFace.from_bytes(read_whole(board_file()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MissingError(f"the learnt board cannot be read ({error.strerror})") from error


def save_board_face(face: BoardFace) -> None:
    """Keep a learnt board instead of the last one.

    Raises:
        MissingError: it cannot be written.
    """
    try:
        home().mkdir(parents=True, exist_ok=True)
        replace_file(board_file(), face.to_bytes())
    except OSError as error:
        raise MissingError(f"the learnt board cannot be written ({error.strerror})") from error
