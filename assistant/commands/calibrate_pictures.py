"""The pictures that `bystander calibrate` learns from, one in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assistant.adapters.pictures import open_picture, pictures_in
from assistant.core.errors import MissingError
from assistant.vision.sighting import Picture


class PicturesIn:
    """The pictures in a folder, by name, each decoded when its turn comes, every time anew.

    Some dozens of a phone's pictures would take more than a gigabyte at once. One that cannot be
    read is noted in `left_out`, and left out.
    """

    def __init__(self, folder: Path) -> None:
        """List the folder.

        Raises:
            MissingError: it cannot be listed.
            DamagedError: it holds no picture.
        """
        self._folder = folder
        self._paths = pictures_in(folder)
        self._read: set[Path] = set()
        self.left_out: list[str] = []

    @property
    def count(self) -> int:
        """How many pictures were read; none before the first time through."""
        return len(self._read)

    def __iter__(self) -> Iterator[Picture]:
        """Give the pictures that can be read.

        Raises:
            MissingError: one that could be read the first time cannot be read any more.
        """
        is_first = not self._read
        for path in list(self._paths):
            try:
                picture = open_picture(path).picture
            except MissingError as error:
                if not is_first:
                    raise
                self._paths.remove(path)
                self.left_out.append(f"left out: {error}")
                continue
            self._read.add(path)
            yield picture
            del picture

    def check(self) -> None:
        """Check that there was anything to learn from.

        Raises:
            MissingError: no picture in the folder could be read.
        """
        if not self._read:
            raise MissingError(f"{self._folder}: none of the pictures can be read")
