"""Puts the concrete parts together: which profile, which log, which source. Knows no rule."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.adapters import home
from assistant.adapters.clock import now_here
from assistant.adapters.keeping import FilmKeeper, PictureKeeper
from assistant.adapters.log_file import LogFile, new_log_path
from assistant.adapters.profiles import load_profile, save_profile
from assistant.adapters.tesseract import Tesseract
from assistant.adapters.typed_paths import typed_path
from assistant.adapters.words_watch import WordsWatch
from assistant.core.errors import DamagedError, MissingError
from assistant.core.events import SessionStarted
from assistant.data import load_board, load_keys
from assistant.journal import LogOpened
from assistant.present.one_line import one_line
from assistant.session import Listener, Notice, Session, Sight
from assistant.vision.printed_words import PrintedWords
from assistant.vision.profile import CardProfile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from assistant.practice.deck import PracticeDeck


#: What is wrong with a profile is told in one line; so many sentences of it.
MOST_FAULTS_TOLD = 3


def card_profile(folder: str | None) -> CardProfile:
    """Return the profile in a named folder, or the player's own where none is named.

    What it lacks is told in one line on stderr, once. A bad one is refused: where two keys' names
    are changed, a search would be noted at the wrong place, and nobody would know.

    Raises:
        MissingError: there is none.
        DamagedError: it cannot be used, or would be read with wrongly; says what is wrong.
    """
    place = home.profile_folder() if folder is None else typed_path(folder)
    profile = load_profile(place)
    _check(profile, place)
    return profile


def _check(profile: CardProfile, place: Path) -> None:
    """Tell what a profile lacks.

    Raises:
        DamagedError: it must not be read with.
    """
    from calibration.checking import verdict_on  # noqa: PLC0415 - loaded where it is used

    verdict = verdict_on(profile, load_keys())
    if verdict.bad:
        raise DamagedError(_fault_words(place, verdict.bad))
    if verdict.lacking:
        _tell_once(_fault_words(place, verdict.lacking))


def _fault_words(place: Path, faults: Sequence[str]) -> str:
    more = len(faults) - MOST_FAULTS_TOLD
    told = " ".join(faults[:MOST_FAULTS_TOLD]) + (f" And {more} more." if more > 0 else "")
    return f"the card profile {place}: {told} To mend it: bystander calibrate"


@cache
def _tell_once(line: str) -> None:
    sys.stderr.write(f"bystander: {one_line(line)}\n")


def own_profile() -> CardProfile | None:
    """Return the player's own profile, or None where no cards were ever learnt.

    Raises:
        MissingError: there is one that cannot be read.
        DamagedError: it cannot be used.
    """
    try:
        return card_profile(None)
    except MissingError:
        if home.profile_folder().exists():
            raise
        return None


@dataclass(frozen=True, slots=True)
class Keeping:
    """What the log notes of a session's set-up, and what is kept beside it on request."""

    camera: str | None = None
    profile: str | None = None
    #: A small picture of each stack that was read.
    pictures: bool = False
    #: The whole of what the camera saw.
    film: bool = False


@contextmanager
def recorded_session(
    sight: Sight,
    start: SessionStarted,
    listeners: Iterable[Listener],
    *,
    resume: Path | None = None,
    keeping: Keeping | None = None,
    words: bool = True,
) -> Iterator[tuple[Session, Path]]:
    """Begin a session with a new log on disk; give it and the log's path; close the log after.

    With `resume` the session of that log goes on where it stood, turn and all, and `start` counts
    only if it never began. A log that cannot be written stops nothing: the listeners are told.
    With `words` the printed words of each new stack are read beside the game; where they speak
    against its key the listeners are told, and nothing else changes.

    Raises:
        SessionBusyError: another window has the session open.
        MissingError: the log to resume cannot be read.
        DamagedError: it is damaged before its end; says how to mend it.
    """
    told = list(listeners)
    keeping = keeping or Keeping()

    def notice(text: str) -> None:
        for listener in told:
            listener(Notice(text))

    path = new_log_path(home.sessions_folder(), now_here()) if resume is None else resume
    log = LogFile(path, notice, opening=_opening(keeping))
    film = FilmKeeper(path, notice) if keeping.film else None
    kept = [PictureKeeper(path, notice).told] if keeping.pictures else []
    kept += [film.told] if film is not None else []
    watch = words_watch(notice) if words else None
    kept += [watch.told] if watch is not None else []
    try:
        session = Session(load_board(), sight, log, earlier=log.earlier, listeners=[*told, *kept])
        if not any(isinstance(entry.event, SessionStarted) for entry in log.earlier):
            session.enter(start)
        yield session, log.path
    finally:
        if watch is not None:
            watch.close()
        if film is not None:
            film.close()
        log.close()


def words_watch(notice: Callable[[str], None]) -> WordsWatch:
    """Return what reads each new stack's words with Tesseract; what is wrong is told as notice."""
    return WordsWatch(PrintedWords(load_keys(), Tesseract(notice).read_text), notice)


def program_version() -> str:
    """Return which Bystander this is."""
    try:
        return version("bystander")
    except PackageNotFoundError:
        return "not installed"


def _opening(keeping: Keeping) -> LogOpened:
    return LogOpened(
        program=program_version(),
        system=platform.platform(terse=True),
        camera=keeping.camera,
        profile=keeping.profile,
        pictures=keeping.pictures,
        film=keeping.film,
    )


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
    from calibration.stacks import learn_stacks  # noqa: PLC0415

    table = VirtualTable(deck, seed=1)
    keys = learn([shot.picture_bgr for shot in table.calibration_shots(seed=1)], load_keys())
    stacks = [shot.picture_bgr for shot in table.stack_shots(seed=1)]
    return learn_stacks(stacks, keys.profile).profile


def _practice_fingerprint() -> str:
    """Return a word that changes whenever what draws the deck or learns it does."""
    import cv2  # noqa: PLC0415 - loaded where it is used
    import PIL  # noqa: PLC0415

    # The letters are drawn by Pillow.
    digest = hashlib.sha256(f"{cv2.__version__} {PIL.__version__}".encode())
    for package in _DRAWS_AND_LEARNS:
        for data in _shipped(resources.files(package)):
            digest.update(hashlib.sha256(data).digest())
    return f"practice {digest.hexdigest()[:16]}"


#: The deck's code, what it is drawn from, and what learns it.
_DRAWS_AND_LEARNS = (
    "assistant.core",
    "assistant.data",
    "assistant.practice",
    "assistant.vision",
    "calibration",
)


def _shipped(folder: Traversable) -> Iterator[bytes]:
    """Yield the names and bytes of all files in a package's folder."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _shipped(entry)
        else:
            yield entry.name.encode()
            yield entry.read_bytes()
