"""`bystander calibrate --from`: what it keeps, what it says, and folders it cannot learn from."""

from __future__ import annotations

import json
import os
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assistant import cli
from assistant.adapters.pictures import OpenedPicture, open_picture
from assistant.adapters.profiles import load_profile, save_files
from assistant.core.terms import LADY, Content, Feature, Location
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Negative, Showing
from assistant.vision.sighting import Picture, Side
from tests.assistant.vision.practice_profile import practice_profile, practice_table


def calibrate(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["calibrate", *words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pictures of every key from both sides; the names say nothing."""
    folder = tmp_path_factory.mktemp("shots")
    table = VirtualTable(PracticeDeck(load_board(), seed=1), seed=3)
    for number, shot in enumerate(table.calibration_shots(seed=3)):
        picture = Image.fromarray(np.ascontiguousarray(shot.picture_bgr[:, :, ::-1]))
        picture.save(folder / f"{number * 7919 % 997}.bmp")
    return folder


def test_a_deck_is_learnt_kept_and_told(
    shots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = calibrate(capsys, "--from", str(shots), "--profile", f"{tmp_path}/p", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["complete"]
    assert set(told["keys"]) == {place.value for place in Location}
    assert set(told["icons"]) == {feature.value for feature in Feature}
    assert told["missing"] == []
    profile = load_profile(tmp_path / "p")
    assert all(profile.face(place, Side.BACK) for place in Location)


def test_some_keys_only_are_kept_and_the_missing_are_named_with_exit_one(
    shots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few"
    few.mkdir()
    for path in sorted(shots.iterdir())[:6]:
        os.link(path, few / path.name)
    code, out, _ = calibrate(capsys, "--from", str(few), "--profile", str(tmp_path / "p"))
    assert code == 1
    assert "Missing: back of" in out
    assert load_profile(tmp_path / "p").faces


def test_a_folder_without_pictures_is_one_line_and_exit_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = calibrate(capsys, "--from", str(tmp_path), "--profile", str(tmp_path / "p"))
    assert (code, out) == (3, "")
    assert err.count("\n") == 1
    assert not (tmp_path / "p").exists()


def test_pictures_without_any_key_keep_nothing_and_exit_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "grey"
    folder.mkdir()
    Image.new("RGB", (640, 360), (90, 90, 90)).save(folder / "a.png")
    (folder / "b.jpg").write_text("no picture")
    code, _, err = calibrate(capsys, "--from", str(folder), "--profile", str(tmp_path / "p"))
    assert code == 3
    assert "no location key was found" in err
    assert not (tmp_path / "p").exists()


def test_a_folder_of_the_player_is_never_replaced_by_a_profile(
    shots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "diary.txt").write_text("dear diary")
    few = tmp_path / "few"
    few.mkdir()
    for path in sorted(shots.iterdir())[:4]:
        os.link(path, few / path.name)
    code, _, err = calibrate(capsys, "--from", str(few), "--profile", str(own))
    assert code == 3
    assert "other files" in err
    assert [path.name for path in own.iterdir()] == ["diary.txt"]


@pytest.fixture(scope="module")
def stacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of stacks that show a 1 once, a 3 twice, the Lady twice, and one bare table."""
    folder = tmp_path_factory.mktemp("stacks")
    table = practice_table()
    shots = [table.still(n, Hardness.EASY, showing=Showing.NUMBER) for n in (0, 1, 3)]
    shots += [table.still(n, Hardness.EASY, showing=Showing.LADY) for n in (0, 1)]
    shots += [table.still(0, Hardness.EASY, negative=Negative.TABLE)]
    for number, shot in enumerate(shots):
        picture = Image.fromarray(np.ascontiguousarray(shot.picture_bgr[:, :, ::-1]))
        picture.save(folder / f"{number}.bmp")
    return folder


def test_stacks_teach_digits_and_lady_in_the_profile_s_own_place(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "p"
    save_files({**practice_profile().to_files(), "begun.npz": b"kept"}, folder)
    code, out, err = calibrate(capsys, "--stacks", str(stacks), "--profile", str(folder), "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert told["learnt"] == ["3", "lady"]
    assert told["open"] == ["1"]
    assert (told["pictures"], told["unread"], told["notes"]) == (6, 1, [])
    exact = {g.content for g in load_profile(folder).glyphs if g.is_exact and not g.content.feature}
    assert exact == {Content.digit(3), LADY}
    assert (folder / "begun.npz").read_bytes() == b"kept"
    # What was shown where is nobody's business: not told, not kept.
    assert not any(place.value in out for place in Location)


def test_digits_learnt_earlier_stay_when_the_keys_are_learnt_anew(
    shots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, old = tmp_path / "p", practice_profile()
    drawn = next(g for g in old.glyphs if g.content == Content.digit(3))
    printed = replace(drawn, is_exact=True, offset_mm=(0.25, -0.5))
    save_files(replace(old, glyphs=(*old.glyphs, printed)).to_files(), folder)
    few = tmp_path / "few"
    few.mkdir()
    for path in sorted(shots.iterdir())[:8]:
        os.link(path, few / path.name)
    _, out, _ = calibrate(capsys, "--from", str(few), "--profile", str(folder), "--json")
    assert any("the print of 3 stays" in note for note in json.loads(out)["notes"])
    kept = [g for g in load_profile(folder).glyphs if g.is_exact and g.content == printed.content]
    assert [glyph.offset_mm for glyph in kept] == [printed.offset_mm]
    assert len(load_profile(folder).faces) < len(old.faces)


def test_stacks_that_teach_nothing_leave_the_profile_untouched_with_exit_one(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, few = tmp_path / "p", tmp_path / "few"
    few.mkdir()
    os.link(stacks / "2.bmp", few / "a.bmp")
    save_files(practice_profile().to_files(), folder)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    code, out, _ = calibrate(capsys, "--stacks", str(few), "--profile", str(folder))
    assert code == 1
    assert "learnt as printed: none" in out
    assert "Not learnt: 1" in out
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_stacks_need_a_profile_of_the_keys_first(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = calibrate(capsys, "--stacks", str(stacks), "--profile", str(tmp_path / "p"))
    assert code == 3
    assert "no card profile" in err
    both = ("--stacks", str(stacks), "--from", str(stacks))
    assert calibrate(capsys, *both)[0] == 2


@pytest.mark.parametrize("option", ["--from", "--stacks"])
def test_pictures_are_in_memory_for_as_long_as_they_are_learnt_from(
    option: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    few, folder = tmp_path / "few", tmp_path / "p"
    few.mkdir()
    there: Path = request.getfixturevalue("stacks" if option == "--stacks" else "shots")
    for path in sorted(there.iterdir())[:6]:
        os.link(path, few / path.name)
    if option == "--stacks":
        save_files(practice_profile().to_files(), folder)
    opened: list[weakref.ref[Picture]] = []
    alive: list[int] = []

    def counted(path: Path) -> OpenedPicture:
        alive.append(sum(seen() is not None for seen in opened))
        picture = open_picture(path)
        opened.append(weakref.ref(picture.picture))
        return picture

    monkeypatch.setattr("assistant.commands.calibrate_pictures.open_picture", counted)
    _, out, _ = calibrate(capsys, option, str(few), "--profile", str(folder), "--json")
    assert json.loads(out)["pictures"] == 6
    assert len(alive) >= 6
    # The one before it may be there while one is decoded, and the last of an earlier time through.
    assert max(alive) <= 2


def test_a_picture_that_cannot_be_read_is_noted_once_and_left_out(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few, folder = tmp_path / "few", tmp_path / "p"
    few.mkdir()
    for path in stacks.iterdir():
        os.link(path, few / path.name)
    (few / "3a.jpg").write_text("no picture")
    save_files(practice_profile().to_files(), folder)
    code, out, _ = calibrate(capsys, "--stacks", str(few), "--profile", str(folder), "--json")
    told = json.loads(out)
    assert (code, told["pictures"], told["unread"]) == (0, 6, 1)
    assert told["notes"] == [f"left out: {few}/3a.jpg: this file is no picture"]


def test_a_folder_of_pictures_none_of_which_can_be_read_is_exit_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jpg").write_text("no picture")
    code, out, err = calibrate(capsys, "--from", str(tmp_path), "--profile", f"{tmp_path}/p")
    assert (code, out) == (3, "")
    assert "none of the pictures can be read" in err
