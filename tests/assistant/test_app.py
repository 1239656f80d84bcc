"""The player's profile as the commands get it: what is wrong with it is told once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import assistant
import calibration
from assistant import app
from assistant.adapters.profiles import save_profile
from assistant.core.terms import Feature, Location
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Side
from tests.assistant.vision.practice_profile import practice_profile


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


def test_two_keys_with_changed_names_are_told_and_the_profile_is_still_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {Location.CORNHILL: Location.EASTCHEAP, Location.EASTCHEAP: Location.CORNHILL}
    whole = practice_profile()
    swapped = tuple(replace(f, location=names.get(f.location, f.location)) for f in whole.faces)
    assert loaded(replace(whole, faces=swapped), tmp_path / "p").faces
    assert "has its keyhole where" in capsys.readouterr().err
