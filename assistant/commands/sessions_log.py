"""A log opened to be told: its events as far as they can be trusted, and what is wrong with it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.adapters.session_files import find_log, pictures_folder, read_log
from assistant.adapters.whole_file import read_whole
from assistant.core.errors import MissingError
from assistant.data import load_board
from assistant.journal import LogOpened, Odd, Replay, decode
from assistant.present.one_line import one_line
from assistant.present.story import Step, steps

#: A small picture takes some kB.
_MOST_PICTURE_BYTES = 2**20


@dataclass(frozen=True)
class OpenedLog:
    """A session's log."""

    path: Path
    replay: Replay

    @property
    def name(self) -> str:
        """What the session is called."""
        return self.path.stem

    @property
    def warnings(self) -> list[str]:
        """What the player should know before trusting what is told, a line each."""
        found = []
        damage = self.replay.damage
        if damage is not None and damage.torn:
            found.append(f"the log's end is torn at line {damage.line}: {damage.why}")
        elif damage is not None:
            found.append(
                f"line {damage.line} of the log is damaged ({damage.why}); what follows it is "
                f"left out; to mend it: bystander sessions check {self.name} --repair"
            )
        telling = (Odd.NEWER, Odd.GAP)
        return [
            *found,
            *(f"line {odd.line}: {odd.why}" for odd in self.replay.oddities if odd.odd in telling),
        ]

    @property
    def made_by(self) -> dict[str, str]:
        """What the log notes of its making: program, system, camera, profile."""
        opened: LogOpened | None = self.replay.opened
        if opened is None:
            return {}
        every = {
            "Bystander": opened.program,
            "on": opened.system,
            "camera": opened.camera,
            "profile": opened.profile,
        }
        return {name: value for name, value in every.items() if value}

    def story(self) -> tuple[Step, ...]:
        """Return the game step by step."""
        return steps(load_board(), self.replay.events)

    def pictures(self) -> dict[int, bytes]:
        """Return the small pictures kept of readings, by the numbers of their events."""
        found: dict[int, bytes] = {}
        with contextlib.suppress(OSError):
            for file in pictures_folder(self.path).glob("*.jpg"):
                # One that cannot be read takes no other with it.
                with contextlib.suppress(OSError, ValueError):
                    found[int(file.stem)] = read_whole(file, _MOST_PICTURE_BYTES)
        return found


def open_log(text: str, *, say: bool = True) -> OpenedLog:
    """Return the log that is meant, and say on stderr what is wrong with it.

    Raises:
        MissingError: there is no such log, or nothing happened in it.
        UsageError: the name fits none, or several.
    """
    path = find_log(text)
    log = OpenedLog(path, decode(read_log(path)))
    if say:
        tell(log.warnings)
    if not log.replay.events:
        raise MissingError(f"{path} holds no entry of a game")
    return log


def tell(lines: Sequence[str]) -> None:
    """Print lines for the player on stderr."""
    for line in lines:
        print(f"bystander: {one_line(line)}", file=sys.stderr)
