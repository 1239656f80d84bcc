"""`bystander calibrate` beside plain learning: export, one key anew, bad pictures, no display."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from assistant import cli
from assistant.adapters.profiles import load_profile, profile_files, save_files, save_profile
from assistant.commands.calibrate import _begun_wizard
from assistant.commands.calibrate_chart import learnt_chart
from assistant.commands.calibrate_wizard import screen_of
from assistant.core.terms import Content, Feature, Location
from assistant.data import load_keys
from assistant.vision.glyphs import built_in_glyphs
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Side
from calibration.checking import Verdict
from calibration.learning import learn
from calibration.wizard import Step, Wizard
from tests.calibration.practice_shots import key_shots


@pytest.fixture(scope="module")
def whole() -> CardProfile:
    return learn([shot.picture_bgr for shot in key_shots(1)], load_keys()).profile


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["calibrate", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_an_exported_profile_unpacks_to_the_same_profile(
    whole: CardProfile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_profile(whole, tmp_path / "mine")
    code, _, _ = said(capsys, "--profile", f"{tmp_path}/mine", "--export", f"{tmp_path}/cards.zip")
    assert code == 0
    with zipfile.ZipFile(tmp_path / "cards.zip") as packed:
        packed.extractall(tmp_path / "theirs")
    assert profile_files(tmp_path / "theirs") == profile_files(tmp_path / "mine")
    assert len(load_profile(tmp_path / "theirs").faces) == 22


def test_an_export_in_json_is_one_object_and_nothing_else(
    whole: CardProfile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_profile(whole, tmp_path / "mine")
    target = tmp_path / "cards.zip"
    code, out, err = said(
        capsys, "--profile", f"{tmp_path}/mine", "--export", str(target), "--json"
    )
    assert (code, err) == (0, "")
    assert json.loads(out) == {"profile": f"{tmp_path}/mine", "file": str(target)}
    assert zipfile.is_zipfile(target)


def test_there_is_nothing_to_export_without_a_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = said(capsys, "--profile", f"{tmp_path}/no", "--export", f"{tmp_path}/a.zip")
    assert code == 3
    assert "no card profile" in err
    assert not (tmp_path / "a.zip").exists()


def test_blurred_pictures_are_refused_in_words_and_the_old_profile_stays(
    whole: CardProfile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    for number, shot in enumerate(key_shots(1)[:8]):
        soft = cv2.GaussianBlur(shot.picture_bgr, (0, 0), 3.0)
        Image.fromarray(np.ascontiguousarray(soft[:, :, ::-1])).save(folder / f"{number}.bmp")
    save_profile(whole, tmp_path / "p")
    before = profile_files(tmp_path / "p")
    code, out, _ = said(capsys, "--from", str(folder), "--profile", f"{tmp_path}/p")
    assert code == 1
    assert "blurred" in out
    assert "Not kept" in out
    assert profile_files(tmp_path / "p") == before


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--key", "nowhere"], 2, "nowhere"),
        (["--key", "Cornhill", "--from", "."], 2, "--key"),
        (["--camera", "practice"], 2, "--profile"),
        (["--json"], 2, "--from"),
    ],
)
def test_options_that_do_not_go_together_are_told(
    words: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    got, _, err = said(capsys, *words)
    assert got == code
    assert told in err


def test_without_a_display_the_wizard_points_to_learning_from_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.commands.doctor.has_display", lambda: False)
    code, _, err = said(capsys, "--camera", "practice", "--profile", f"{tmp_path}/p")
    assert code == 3
    assert "--from" in err


def silent(_: object) -> str:
    return ""


def test_a_wizard_goes_on_where_the_last_one_stopped(whole: CardProfile, tmp_path: Path) -> None:
    some = CardProfile(whole.faces[:5], whole.keyholes, whole.glyphs)
    save_profile(some, tmp_path / "p")
    begun = _begun_wizard(tmp_path / "p", None, silent)
    assert begun.progress.taught == {(f.location, f.side) for f in some.faces}


def test_with_a_whole_profile_the_wizard_begins_anew_unless_one_key_is_named(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_files(whole.to_files(), tmp_path / "p")
    assert _begun_wizard(tmp_path / "p", None, silent).progress.taught == frozenset()
    again = _begun_wizard(tmp_path / "p", Location.CORNHILL, silent)
    assert again.progress.missing == {(Location.CORNHILL, side) for side in Side}
    assert again.progress.icons == set(Feature)


def test_a_wizard_that_begins_anew_keeps_the_digits_that_were_learnt_in_play(
    whole: CardProfile, tmp_path: Path
) -> None:
    drawn = next(g for g in whole.glyphs if g.content == Content.digit(3))
    printed = replace(drawn, is_exact=True, offset_mm=(0.25, -0.5))
    save_profile(replace(whole, glyphs=(*whole.glyphs, printed)), tmp_path / "p")
    wizard = _begun_wizard(tmp_path / "p", None, silent)
    assert (wizard.progress.taught, wizard.progress.icons) == (frozenset(), frozenset())
    kept = CardProfile.from_files(wizard.files()).glyphs
    assert [g.offset_mm for g in kept if g.is_exact] == [printed.offset_mm]
    assert sum(not glyph.is_exact for glyph in kept) == len(built_in_glyphs())


def test_the_chart_fills_the_hole_of_each_key_whose_back_is_known(whole: CardProfile) -> None:
    fewer = CardProfile(
        tuple(f for f in whole.faces if f.location is not Location.CORNHILL),
        whole.keyholes,
        whole.glyphs,
    )

    def green(profile: CardProfile) -> int:
        pixels = np.asarray(learnt_chart(profile, (352, 250))).astype(int)
        return int((np.abs(pixels - (0x3F, 0x7A, 0x3A)).max(axis=2) < 20).sum())

    none = CardProfile((), whole.keyholes, ())
    assert green(none) == 0
    assert green(fewer) == pytest.approx(green(whole) * 10 / 11, rel=0.05)


def test_what_is_wrong_with_a_calibration_stays_on_the_screen_until_it_is_put_right() -> None:
    progress = Wizard(load_keys()).progress
    bad = Verdict(("The back of Cornhill was learnt from blurred pictures.",), ())
    assert bad.bad[0] in screen_of(progress, "", bad).warnings
    assert progress.step is Step.WAITING
    assert screen_of(progress, "the camera 0 was lost", None).warnings == (
        "The camera 0 was lost.",
    )
