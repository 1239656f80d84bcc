"""Card profiles on disk: a folder of files, replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from assistant.adapters.safe_files import free_name, sync_folder
from assistant.adapters.whole_file import read_whole
from assistant.core.errors import DamagedError, MissingError
from assistant.vision.profile import TOML_FILE, CardProfile


def load_profile(folder: Path) -> CardProfile:
    """Return the profile in a folder.

    Raises:
        MissingError: there is none; says how to learn one.
        DamagedError: files are missing, torn, or of another version.
    """
    _finish_swap(folder)
    if not folder.is_dir():
        raise MissingError(
            f"no card profile at {folder}; learn one: "
            f'bystander calibrate --from PICTURES --profile "{folder}"'
        )
    files = profile_files(folder)
    try:
        return CardProfile.from_files(files)
    except DamagedError as error:
        raise DamagedError(f"{folder}: {error}") from error


def profile_files(folder: Path) -> dict[str, bytes]:
    """Return the files in a profile's folder by name; none where there is no such folder.

    Raises:
        MissingError: they cannot be read.
    """
    # Else whoever learns more would take the place for free, and the old profile be lost.
    _finish_swap(folder)
    if not folder.is_dir():
        return {}
    try:
        return {path.name: read_whole(path) for path in folder.iterdir() if path.is_file()}
    except OSError as error:
        raise MissingError(f"the card profile {folder} cannot be read ({error})") from error


def save_profile(profile: CardProfile, folder: Path) -> None:
    """Write the profile beside its place, then swap: a reader never sees half of it.

    An old one that cannot be used is not lost: it is kept as NAME.bad.

    Raises:
        MissingError: the place cannot be written, or holds something that is no profile.
    """
    save_files(profile.to_files(), folder)


def save_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write a profile's files, with others that belong to it, as a whole or not at all.

    Raises:
        MissingError: the place cannot be written, or holds something that is no profile.
    """
    folder = folder.absolute()
    try:
        _refuse_foreign(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise MissingError(f"the profile cannot be written at {folder} ({error})") from error
    try:
        for name, data in files.items():
            _write_synced(fresh / name, data)
        fresh.chmod(0o755)
        sync_folder(fresh)
        _finish_swap(folder)
        _swap(fresh, folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise MissingError(f"the profile cannot be written at {folder} ({error})") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _refuse_foreign(folder: Path) -> None:
    """Keep from replacing a folder that is the player's own.

    Raises:
        MissingError: the folder holds files that no profile has.
        OSError: it cannot be listed.
    """
    if folder.exists() and not folder.is_dir():
        raise MissingError(f"{folder} is a file; a card profile is a folder")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not (folder / TOML_FILE).exists():
        raise MissingError(f"{folder} holds other files; name a new folder for the profile")


def _swap(fresh: Path, folder: Path) -> None:
    """Put the fresh folder in the old one's place; the old one stands until the last moment."""
    if not folder.exists():
        fresh.rename(folder)
        return
    is_bad = any(folder.iterdir()) and not _can_be_used(folder)
    old = folder.with_name(f"{_old_prefix(folder)}{os.getpid()}")
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    if is_bad:
        old.rename(free_name(folder, "bad"))
    else:
        shutil.rmtree(old, ignore_errors=True)


def _old_prefix(folder: Path) -> str:
    return f".{folder.name}-old-"


def _finish_swap(folder: Path) -> None:
    """Put the old profile back where a program was killed between the two halves of a swap."""
    if folder.exists() or not folder.parent.is_dir():
        return
    for old in sorted(folder.parent.glob(f"{glob.escape(_old_prefix(folder))}*")):
        with contextlib.suppress(OSError):
            old.rename(folder)
            return


def _can_be_used(folder: Path) -> bool:
    try:
        CardProfile.from_files(profile_files(folder))
    except MissingError:
        return False
    return True


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
