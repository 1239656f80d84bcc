"""`bystander sessions reread`: today's reader over a recorded evening, and where it differs.

A row for each laying, in the order of the evening:

    {"same", "seq", "frame", "log": {"location", "value"} | null, "now": the same}

`log` is what the log holds from the camera (what was typed is not compared), `now` what is read
today; null where only one of them has it. `value` is a feature, "1" to "3", "lady" or "blank". Exit
0 when all are the same, else 1. A kept film is compressed and has half of the camera's frames: a
laying that was read by a hair then may be missing now for that reason alone. An evening at the
practice table is read with the practice deck's profile, unless another is named.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.adapters.typed_paths import typed_path
from assistant.commands.sessions_log import OpenedLog, open_log, tell
from assistant.core.errors import MissingError
from assistant.core.events import RendezvousSought, SearchMade, YouthAsked

if TYPE_CHECKING:
    from assistant.session import Reading
    from assistant.vision.profile import CardProfile

#: A place and what was read there.
Said = tuple[str, str]


def reread(text: str, video: str | None, profile: str | None, *, as_json: bool) -> int:
    """Print the rows; return 0 when nothing differs, else 1.

    Raises:
        MissingError: no film, or no profile.
    """
    from assistant.adapters.session_files import film_file

    log = open_log(text)
    path = film_file(log.path) if video is None else typed_path(video)
    if video is None and not path.is_file():
        raise MissingError(f"no film lies beside {log.name}; name one: --video FILE")
    then, now = logged(log), _read(path, _profile(log, profile))
    rows = compared(then, now)
    for row in rows:
        print(json.dumps(row, ensure_ascii=False) if as_json else _in_words(row), flush=True)
    different = sum(not row["same"] for row in rows)
    if not as_json:
        print(f"{len(rows)} layings, {different} read otherwise today")
    return 1 if different else 0


def _profile(log: OpenedLog, named: str | None) -> CardProfile:
    """Return the profile that is named; else that of the deck that lay on the table."""
    from assistant.app import card_profile, practice_profile

    if named is not None or log.made_by.get("camera") != "practice":
        return card_profile(named)
    from assistant.data import load_board
    from assistant.practice.deck import PracticeDeck

    return practice_profile(PracticeDeck(load_board(), seed=1), lambda line: tell([line]))


def logged(log: OpenedLog) -> list[tuple[int, Said]]:
    """Return what the camera read on that evening: the entries' numbers and what was read."""
    found: list[tuple[int, Said]] = []
    for entry in log.replay.events:
        event = entry.event
        if not isinstance(event, YouthAsked | RendezvousSought | SearchMade) or event.seen is None:
            continue
        if isinstance(event, YouthAsked):
            value = event.feature.value
        elif isinstance(event, RendezvousSought):
            value = str(event.number)
        else:
            value = "lady" if event.hit else "blank"
        found.append((entry.seq, (event.location.value, value)))
    return found


def compared(
    then: Sequence[tuple[int, Said]], now: Sequence[tuple[int, Said]]
) -> list[dict[str, Any]]:
    """Return a row for each laying; what lies between two that agree is set side by side."""
    matcher = SequenceMatcher(None, [said for _, said in then], [said for _, said in now], False)
    rows = []
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        for old, new in zip_longest(then[a0:a1], now[b0:b1]):
            rows.append(
                {
                    "same": tag == "equal",
                    "seq": None if old is None else old[0],
                    "frame": None if new is None else new[0],
                    "log": None if old is None else _said(old[1]),
                    "now": None if new is None else _said(new[1]),
                }
            )
    return rows


def _said(said: Said) -> dict[str, str]:
    return {"location": said[0], "value": said[1]}


def _read(path: Path, profile: CardProfile) -> list[tuple[int, Said]]:
    """Return what today's reader makes of a film: the frames and what was read."""
    from assistant.adapters.films import FilmFile, FolderFilm
    from assistant.data import load_board
    from assistant.session import MemoryLog, Session
    from assistant.vision.reader import Reader

    source = FolderFilm(path) if path.is_dir() else FilmFile(path)
    session = Session(load_board(), Reader(profile), MemoryLog())
    try:
        session.follow(source)
    finally:
        source.close()
    return [(reading.frame, _value(reading)) for reading in session.readings]


def _value(reading: Reading) -> Said:
    return reading.location.value, reading.content.value or reading.content.kind.value


def _in_words(row: dict[str, Any]) -> str:
    def words(said: dict[str, str] | None) -> str:
        return "nothing" if said is None else f"{said['location']}={said['value']}"

    where = f"entry {row['seq']}" if row["seq"] is not None else f"frame {row['frame']}"
    if row["same"]:
        return f"   {where}: {words(row['log'])}"
    return f"*  {where}: the log has {words(row['log'])}, today's reader {words(row['now'])}"
