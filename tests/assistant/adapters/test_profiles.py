"""Profiles on disk: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.profiles import load_profile, profile_files, save_profile
from assistant.adapters.whole_file import MOST_BYTES
from assistant.core.errors import DamagedError, MissingError
from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.profile import FACE_SHAPE, CardProfile, Face
from assistant.vision.sighting import Side


def profile(level: int) -> CardProfile:
    flat = np.full(FACE_SHAPE, level, np.uint8)
    face = Face(Location.CORNHILL, Side.BACK, flat, flat)
    return CardProfile((face,), keyholes_from_facts(load_keys()), ())


def level_of(kept: CardProfile) -> int:
    return int(kept.faces[0].ink[0, 0])


def test_a_profile_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    save_profile(profile(7), tmp_path / "Café 卡" / "p")
    assert level_of(load_profile(tmp_path / "Café 卡" / "p")) == 7


def test_a_new_profile_takes_the_old_ones_place_and_leaves_nothing_else(tmp_path: Path) -> None:
    save_profile(profile(7), tmp_path / "p")
    save_profile(profile(9), tmp_path / "p")
    assert level_of(load_profile(tmp_path / "p")) == 9
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_a_disk_that_fails_half_way_leaves_the_old_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_profile(profile(7), tmp_path / "p")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MissingError, match="No space left"):
        save_profile(profile(9), tmp_path / "p")
    assert level_of(load_profile(tmp_path / "p")) == 7
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_a_swap_that_fails_puts_the_old_profile_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_profile(profile(7), tmp_path / "p")
    real_rename = Path.rename

    def fail_for_the_fresh_one(path: Path, target: Path) -> Path:
        if path.name.startswith(".p-") and "-old-" not in path.name:
            raise OSError(5, "Input/output error")
        return real_rename(path, target)

    monkeypatch.setattr(Path, "rename", fail_for_the_fresh_one)
    with pytest.raises(MissingError, match="Input/output"):
        save_profile(profile(9), tmp_path / "p")
    assert level_of(load_profile(tmp_path / "p")) == 7
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_no_profile_says_how_to_learn_one(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="bystander calibrate --from"):
        load_profile(tmp_path / "p")


def test_a_torn_profile_is_damaged_and_named(tmp_path: Path) -> None:
    save_profile(profile(7), tmp_path / "p")
    for path in (tmp_path / "p").iterdir():
        path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(DamagedError, match=str(tmp_path / "p")):
        load_profile(tmp_path / "p")


def test_a_file_in_the_place_of_the_folder_is_kept(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("mine")
    with pytest.raises(MissingError, match="is a file"):
        save_profile(profile(7), tmp_path / "p")
    assert (tmp_path / "p").read_text() == "mine"


def test_a_profile_that_cannot_be_used_is_set_aside_not_overwritten(tmp_path: Path) -> None:
    save_profile(profile(7), tmp_path / "p")
    torn = {}
    for path in (tmp_path / "p").iterdir():
        torn[path.name] = path.read_bytes()[:40]
        path.write_bytes(torn[path.name])
    save_profile(profile(9), tmp_path / "p")
    assert level_of(load_profile(tmp_path / "p")) == 9
    kept = {path.name: path.read_bytes() for path in (tmp_path / "p.bad").iterdir()}
    assert kept == torn


def test_a_program_killed_between_the_halves_of_a_swap_leaves_the_old_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_profile(profile(7), tmp_path / "p")
    real_rename = Path.rename

    class Killed(BaseException):
        pass

    def killed_after_the_first(path: Path, target: Path) -> Path:
        if path.name == "p":
            real_rename(path, target)
            raise Killed
        return real_rename(path, target)

    monkeypatch.setattr(Path, "rename", killed_after_the_first)
    with pytest.raises(Killed):
        save_profile(profile(9), tmp_path / "p")
    assert not (tmp_path / "p").exists()
    monkeypatch.setattr(Path, "rename", real_rename)
    assert level_of(load_profile(tmp_path / "p")) == 7


@pytest.mark.parametrize("name", ["p", "p [new]"])
def test_whoever_asks_for_the_files_finds_those_of_a_swap_that_was_broken_off(
    tmp_path: Path, name: str
) -> None:
    save_profile(profile(7), tmp_path / name)
    files = profile_files(tmp_path / name)
    (tmp_path / name).rename(tmp_path / f".{name}-old-77")
    assert profile_files(tmp_path / name) == files
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_profile_whose_place_is_barred_is_told_and_one_in_a_file_s_place_too(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MissingError, match=r"cannot be written at .*file"):
        save_profile(profile(7), tmp_path / "file" / "p")
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_profile_with_a_file_too_large_to_be_one_is_told(tmp_path: Path) -> None:
    save_profile(profile(7), tmp_path / "p")
    # A file of holes: it takes no room on the disk.
    with (tmp_path / "p" / "extra.bin").open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    with pytest.raises(MissingError, match="cannot be read"):
        profile_files(tmp_path / "p")
