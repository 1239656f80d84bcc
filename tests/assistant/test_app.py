"""The player's profile as the commands get it: what it lacks is told, a bad one is refused."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

import assistant
import calibration
from assistant import app, cli
from assistant.adapters.profiles import save_profile
from assistant.core.errors import DamagedError
from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.truth import Showing
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Side
from tests.assistant.vision.practice_profile import practice_profile, practice_table


@pytest.fixture(autouse=True)
def nothing_told_yet() -> Iterator[None]:
    app._tell_once.cache_clear()
    yield
    app._tell_once.cache_clear()


def loaded(profile: CardProfile, folder: Path) -> CardProfile:
    save_profile(profile, folder)
    return app.card_profile(str(folder))


def test_a_whole_profile_is_loaded_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(loaded(practice_profile(), tmp_path / "p").faces) == 22
    assert capsys.readouterr() == ("", "")


def test_a_missing_key_and_icon_are_told_in_one_line_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = practice_profile()
    part = replace(
        whole,
        faces=tuple(
            f for f in whole.faces if (f.location, f.side) != (Location.CORNHILL, Side.BACK)
        ),
        glyphs=tuple(g for g in whole.glyphs if g.content.feature is not Feature.TAVERN),
    )
    assert len(loaded(part, tmp_path / "p").faces) == 21
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "The back of Cornhill was not shown." in err
    assert "The tavern icon was not seen" in err
    assert "bystander calibrate" in err
    app.card_profile(str(tmp_path / "p"))
    assert capsys.readouterr().err == ""


def test_of_many_faults_the_rest_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = practice_profile()
    backs = tuple(f for f in whole.faces if f.side is Side.BACK)
    loaded(replace(whole, faces=backs), tmp_path / "p")
    err = capsys.readouterr().err
    assert err.count("was not shown") == 3
    assert "And 8 more." in err


def test_the_practice_deck_is_learnt_anew_whenever_anything_that_draws_or_learns_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in (assistant, calibration):
        shutil.copytree(Path(package.__path__[0]), tmp_path / package.__name__)
    monkeypatch.setattr(
        "assistant.app.resources.files", lambda name: tmp_path.joinpath(*str(name).split("."))
    )
    known = {app._practice_fingerprint()}
    assert {app._practice_fingerprint()} == known
    files = [
        "assistant/data/keys.json",
        "assistant/data/board.json",
        "assistant/data/fonts/GentiumBasic-Bold.ttf",
        "assistant/core/terms.py",
        "assistant/practice/deck.py",
        "assistant/vision/reader.py",
        "calibration/learning.py",
    ]
    for name in files:
        with (tmp_path / name).open("ab") as stream:
            stream.write(b"\n")
        known.add(app._practice_fingerprint())
    (tmp_path / "assistant/data/new.json").touch()
    known.add(app._practice_fingerprint())
    monkeypatch.setattr("cv2.__version__", "6.0.0")
    known.add(app._practice_fingerprint())
    assert len(known) == 1 + len(files) + 2
    (tmp_path / "assistant/commands/demo.py").unlink()
    assert app._practice_fingerprint() in known


def swapped(whole: CardProfile, one: Location, other: Location) -> CardProfile:
    names = {one: other, other: one}
    faces = tuple(replace(f, location=names.get(f.location, f.location)) for f in whole.faces)
    return replace(whole, faces=faces)


def test_two_keys_with_changed_names_are_refused_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = swapped(practice_profile(), Location.CORNHILL, Location.EASTCHEAP)
    with pytest.raises(DamagedError) as refused:
        loaded(bad, tmp_path / "p")
    words = str(refused.value)
    assert "Cornhill has its keyhole where Eastcheap has it" in words
    assert "To mend it: bystander calibrate" in words
    assert capsys.readouterr().err == ""


def test_blurred_keys_are_refused_and_the_rest_of_them_counted(tmp_path: Path) -> None:
    soft = tuple(
        replace(face, ink=np.asarray(cv2.GaussianBlur(face.ink, (0, 0), 3.0), np.uint8))
        for face in practice_profile().faces
    )
    with pytest.raises(DamagedError, match=r"blurred pictures; show it again\. And \d+ more\."):
        loaded(replace(practice_profile(), faces=soft), tmp_path / "p")


def test_nothing_is_read_with_a_refused_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shot = practice_table().still(0, Hardness.EASY, showing=Showing.ICON)
    picture = tmp_path / "stack.png"
    Image.fromarray(np.ascontiguousarray(shot.picture_bgr[:, :, ::-1])).save(picture)
    assert shot.truth.location is not None
    other = next(place for place in Location if place is not shot.truth.location)
    save_profile(swapped(practice_profile(), shot.truth.location, other), tmp_path / "p")
    code = cli.main(["read", str(picture), "--profile", f"{tmp_path}/p", "--json"])
    out, err = capsys.readouterr()
    assert (code, out) == (3, "")
    assert err.count("\n") == 1
    assert "has its keyhole where" in err


def test_a_refused_profile_learns_no_digits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = swapped(practice_profile(), Location.CORNHILL, Location.EASTCHEAP)
    save_profile(bad, tmp_path / "p")
    Image.new("RGB", (64, 36)).save(tmp_path / "a.png")
    code = cli.main(["calibrate", "--stacks", str(tmp_path), "--profile", f"{tmp_path}/p"])
    assert code == 3
    assert "has its keyhole where" in capsys.readouterr().err


def test_a_practice_deck_that_cannot_be_kept_is_played_all_the_same_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setattr(app, "_learn_practice", lambda _: practice_profile())
    told: list[str] = []
    learnt = app.practice_profile(PracticeDeck(load_board(), seed=1), told.append)
    assert learnt.faces == practice_profile().faces
    first, last = told
    assert "once" in first
    assert "cannot be written" in last
    assert last.endswith("it will be learnt again the next time")


def test_a_program_that_was_never_installed_has_no_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert app.program_version()[0].isdigit()

    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(app, "version", unknown)
    assert app.program_version() == "not installed"
