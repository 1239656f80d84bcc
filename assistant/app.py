"""Puts the concrete parts together: which profile, which log, which source. Knows no rule."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.adapters import home
from assistant.adapters.clock import now
from assistant.adapters.log_file import LogFile, new_log_path
from assistant.adapters.profiles import load_profile, save_profile
from assistant.core.errors import MissingError
from assistant.core.events import SessionStarted
from assistant.data import load_board, load_keys
from assistant.session import Listener, Notice, Session, Sight
from assistant.vision.profile import CardProfile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assistant.practice.deck import PracticeDeck


def card_profile(folder: str | None) -> CardProfile:
    """Return the profile in a named folder, or the player's own where none is named.

    Raises:
        MissingError: there is none.
        DamagedError: it cannot be used.
    """
    return load_profile(home.profile_folder() if folder is None else Path(folder).expanduser())


@contextmanager
def recorded_session(
    sight: Sight, start: SessionStarted, listeners: Iterable[Listener]
) -> Iterator[tuple[Session, Path]]:
    """Begin a session with a new log on disk; give it and the log's path; close the log after.

    Raises:
        MissingError: the log's folder cannot be written.
    """
    told = list(listeners)

    def notice(text: str) -> None:
        for listener in told:
            listener(Notice(text))

    log = LogFile(new_log_path(home.sessions_folder(), now()), notice)
    try:
        session = Session(load_board(), sight, log, listeners=told)
        session.enter(start)
        yield session, log.path
    finally:
        log.close()


def practice_profile(deck: PracticeDeck, say: Callable[[str], None]) -> CardProfile:
    """Return the practice deck's profile: learnt from its own pictures, kept for the next time.

    Args:
        deck: the practice deck.
        say: told one line before learning, which takes some seconds.

    Raises:
        MissingError: the deck could not be learnt.
    """
    folder, wanted = home.practice_profile_folder(), _practice_fingerprint()
    try:
        kept = load_profile(folder)
        if kept.made_by == wanted:
            return kept
    except MissingError:
        pass
    say("learning the practice deck, once")
    profile = replace(_learn_practice(deck), made_by=wanted)
    try:
        save_profile(profile, folder)
    except MissingError as error:
        say(f"{error}; it will be learnt again the next time")
    return profile


def _learn_practice(deck: PracticeDeck) -> CardProfile:
    from assistant.practice.table import VirtualTable  # noqa: PLC0415 - only where practised
    from calibration.learning import learn  # noqa: PLC0415 - calibration is loaded where it is used

    shots = VirtualTable(deck, seed=1).calibration_shots(seed=1)
    return learn([shot.picture_bgr for shot in shots], load_keys()).profile


def _practice_fingerprint() -> str:
    """Return a word that changes whenever the code that draws or learns the deck does."""
    digest = hashlib.sha256()
    for package in ("assistant.practice", "assistant.vision", "calibration"):
        for entry in sorted(resources.files(package).iterdir(), key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                digest.update(entry.read_bytes())
    return f"practice {digest.hexdigest()[:16]}"
