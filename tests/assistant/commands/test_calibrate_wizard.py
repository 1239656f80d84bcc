"""`bystander calibrate` beside plain learning: export, one key anew, bad pictures, no display."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from PIL import Image

from assistant import cli
from assistant.adapters.profiles import load_profile, profile_files, save_files, save_profile
from assistant.commands.calibrate_begin import Beginning, begin
from assistant.commands.calibrate_chart import learnt_chart
from assistant.commands.calibrate_wizard import Teaching, screen_of
from assistant.core.errors import DamagedError
from assistant.core.terms import Content, Feature, Location
from assistant.data import load_keys
from assistant.practice.keys_shown import PicturesShown
from assistant.session import Frame
from assistant.ui.wizard_view import Act, Chosen, FinishAsked, NextAsked
from assistant.vision.glyphs import built_in_glyphs
from assistant.vision.profile import TOML_FILE, CardProfile, Face
from assistant.vision.sighting import Picture, Side
from calibration.begun import BEGUN_FILE
from calibration.checking import Verdict
from calibration.cut import cut_card
from calibration.wizard import Progress, Step, Wizard
from tests.calibration.practice_shots import key_shots, learnt_shots

BARE = np.full((360, 640, 3), (70, 60, 50), np.uint8)


@pytest.fixture(scope="module")
def whole() -> CardProfile:
    return learnt_shots().profile


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
    beginning = begin(tmp_path / "p", None, silent)
    begun = beginning.wizard
    assert (beginning.folder, beginning.stands) == (tmp_path / "p", None)
    assert begun.progress.taught == {(f.location, f.side) for f in some.faces}


@pytest.mark.usefixtures("_in_no_time")
@pytest.mark.parametrize(("name", "holds"), [("cards.npz", b"torn"), (TOML_FILE, b"format = 99\n")])
def test_a_profile_that_cannot_be_used_is_learnt_anew_and_kept_aside(
    whole: CardProfile, tmp_path: Path, name: str, holds: bytes
) -> None:
    save_profile(whole, tmp_path / "p")
    (tmp_path / "p" / name).write_bytes(holds)
    with pytest.raises(DamagedError):
        begin(tmp_path / "p", Location.CORNHILL, silent)
    beginning = begin(tmp_path / "p", None, silent)
    assert (beginning.folder, beginning.stands) == (tmp_path / "p", None)
    [note] = beginning.notes
    assert "p.bad" in note
    taught(beginning, clear_shot(Location.CORNHILL, Side.BACK))
    learnt = load_profile(tmp_path / "p").faces
    assert [(f.location, f.side) for f in learnt] == [(Location.CORNHILL, Side.BACK)]
    assert profile_files(tmp_path / "p.bad")[name] == holds


def test_damaged_icons_beside_a_profile_cost_none_of_its_sides(
    whole: CardProfile, tmp_path: Path
) -> None:
    some = CardProfile(whole.faces[:5], whole.keyholes, whole.glyphs)
    save_files({**some.to_files(), BEGUN_FILE: b"torn"}, tmp_path / "p")
    beginning = begin(tmp_path / "p", None, silent)
    assert beginning.wizard.progress.taught == {(f.location, f.side) for f in some.faces}
    [note] = beginning.notes
    assert "icons" in note


def test_with_a_whole_profile_the_wizard_begins_anew_unless_one_key_is_named(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_files(whole.to_files(), tmp_path / "p")
    anew = begin(tmp_path / "p", None, silent)
    assert anew.wizard.progress.taught == frozenset()
    assert (anew.folder, anew.stands) == (tmp_path / "p.new", tmp_path / "p")
    again = begin(tmp_path / "p", Location.CORNHILL, silent).wizard
    assert again.progress.missing == {(Location.CORNHILL, side) for side in Side}
    assert again.progress.icons == set(Feature)


def test_a_wizard_that_begins_anew_keeps_the_digits_that_were_learnt_in_play(
    whole: CardProfile, tmp_path: Path
) -> None:
    drawn = next(g for g in whole.glyphs if g.content == Content.digit(3))
    printed = replace(drawn, is_exact=True, offset_mm=(0.25, -0.5))
    save_profile(replace(whole, glyphs=(*whole.glyphs, printed)), tmp_path / "p")
    wizard = begin(tmp_path / "p", None, silent).wizard
    assert (wizard.progress.taught, wizard.progress.icons) == (frozenset(), frozenset())
    kept = CardProfile.from_files(wizard.files()).glyphs
    assert [g.offset_mm for g in kept if g.is_exact] == [printed.offset_mm]
    assert sum(not glyph.is_exact for glyph in kept) == len(built_in_glyphs())


def clear_shot(location: Location, side: Side) -> Picture:
    """A side on a table that it stands out from."""
    return next(
        shot.picture_bgr
        for shot in (*key_shots(2), *key_shots(1))
        if (shot.truth.location, shot.truth.side) == (location, side)
        and cut_card(shot.picture_bgr) is not None
    )


class Laid(PicturesShown):
    """Pictures laid before the camera, each for half a second; the player presses space after."""

    teaching: Teaching | None = None

    def read(self, timeout_s: float = 0.0) -> Frame | None:
        frame = super().read(timeout_s)
        if frame is None and self.teaching is not None:
            self.teaching.act(NextAsked())
        return frame


def taught(beginning: Beginning, *pictures: Picture, act: Act | None = None) -> Teaching:
    """Return a wizard before which pictures were laid until it ended."""
    film = Laid(pictures, rests=15)
    film.teaching = teaching = Teaching(
        beginning.wizard,
        film,
        beginning.folder,
        load_keys(),
        at_pace=True,
        stands=beginning.stands,
    )
    if act is not None:
        teaching.act(act)
    teaching.work()
    assert teaching.failure is None
    return teaching


@pytest.fixture
def _in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each frame's time be over when it comes."""
    seconds = count(0, 1000)
    clock = SimpleNamespace(monotonic=lambda: next(seconds))
    monkeypatch.setattr("assistant.commands.calibrate_wizard.time", clock)


def without(profile: CardProfile, *faces: Face | None) -> CardProfile:
    return replace(profile, faces=tuple(face for face in profile.faces if face not in faces))


@pytest.mark.usefixtures("_in_no_time")
def test_a_whole_profile_stands_when_the_wizard_is_closed_after_one_card(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_profile(whole, tmp_path / "p")
    before = profile_files(tmp_path / "p")
    picture = clear_shot(Location.CORNHILL, Side.FRONT)
    closed = taught(begin(tmp_path / "p", None, silent), picture)
    assert closed.stands == tmp_path / "p"
    assert profile_files(tmp_path / "p") == before
    # The next wizard goes on from there.
    again = begin(tmp_path / "p", None, silent).wizard
    assert again.progress.taught == {(Location.CORNHILL, Side.FRONT)}


@pytest.mark.usefixtures("_in_no_time")
def test_keys_shown_anew_take_the_old_profile_s_place_with_the_last_side(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_profile(whole, tmp_path / "p")
    last = whole.face(Location.CORNHILL, Side.FRONT)
    save_profile(without(whole, last), tmp_path / "p.new")
    beginning = begin(tmp_path / "p", None, silent)
    assert beginning.wizard.progress.missing == {(Location.CORNHILL, Side.FRONT)}
    done = taught(beginning, clear_shot(Location.CORNHILL, Side.FRONT))
    assert done.stands is None
    now = load_profile(tmp_path / "p")
    assert len(now.faces) == 22
    shown = now.face(Location.CORNHILL, Side.FRONT)
    assert shown is not None
    assert last is not None
    assert not np.array_equal(shown.ink, last.ink)
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_a_wizard_stopped_with_enough_learnt_replaces_the_old_profile(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_profile(whole, tmp_path / "p")
    save_profile(without(whole, whole.face(Location.CORNHILL, Side.FRONT)), tmp_path / "p.new")
    stopped = taught(begin(tmp_path / "p", None, silent), BARE, act=FinishAsked())
    assert stopped.stands is None
    assert len(load_profile(tmp_path / "p").faces) == 21
    assert not (tmp_path / "p.new").exists()


@pytest.mark.usefixtures("_in_no_time")
def test_what_would_be_read_with_wrongly_does_not_replace_the_old_profile(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_profile(whole, tmp_path / "p")
    before = profile_files(tmp_path / "p")
    enough = without(whole, whole.face(Location.SOUTHWARK, Side.FRONT))
    names = {Location.CORNHILL: Location.EASTCHEAP, Location.EASTCHEAP: Location.CORNHILL}
    wrong = [replace(f, location=names.get(f.location, f.location)) for f in enough.faces]
    save_profile(replace(enough, faces=tuple(wrong)), tmp_path / "p.new")
    stopped = taught(begin(tmp_path / "p", None, silent), BARE, act=FinishAsked())
    assert stopped.stands == tmp_path / "p"
    assert stopped.verdict is not None
    assert stopped.verdict.blamed == {(place, side) for place in names for side in Side}
    assert profile_files(tmp_path / "p") == before
    # What was wrong is to be shown again.
    assert len(load_profile(tmp_path / "p.new").faces) == 21 - 4


@pytest.mark.usefixtures("_in_no_time")
def test_a_key_taught_anew_keeps_its_old_sides_until_the_new_ones_are_shown(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_profile(whole, tmp_path / "p")
    key = Location.CORNHILL
    taught(begin(tmp_path / "p", key, silent), clear_shot(key, Side.FRONT))
    now = load_profile(tmp_path / "p")
    assert len(now.faces) == 22
    is_same = {
        side: np.array_equal(new.ink, old.ink)
        for side in Side
        if (new := now.face(key, side)) is not None and (old := whole.face(key, side)) is not None
    }
    assert is_same == {Side.BACK: True, Side.FRONT: False}


class AsksOfTheLast(Wizard):
    """A wizard that knows all sides but the name of the last, for which it asks."""

    def __init__(self, profile: CardProfile) -> None:
        super().__init__(load_keys(), earlier=profile)
        self._told = replace(self._told, step=Step.ASKING, taught=frozenset())

    def answer(self, location: Location | None) -> Progress:
        assert location is not None
        self._told = replace(self._told, step=Step.DONE, taught=self._told.wanted)
        return self._told


@pytest.mark.parametrize("is_right", [True, False])
def test_what_ends_with_a_name_given_by_hand_is_checked_before_it_counts(
    whole: CardProfile, tmp_path: Path, is_right: bool
) -> None:
    save_profile(whole, tmp_path / "p")
    names = {Location.CORNHILL: Location.EASTCHEAP, Location.EASTCHEAP: Location.CORNHILL}
    wrong = tuple(replace(f, location=names.get(f.location, f.location)) for f in whole.faces)
    wizard = AsksOfTheLast(whole if is_right else replace(whole, faces=wrong))
    beginning = Beginning(wizard, tmp_path / "p.new", stands=tmp_path / "p")
    ended = taught(beginning, BARE, act=Chosen(Location.CORNHILL))
    assert ended.verdict is not None
    assert bool(ended.verdict.bad) is not is_right
    assert (ended.stands is None) is is_right


def test_a_stale_or_damaged_folder_beside_the_profile_is_no_beginning(
    whole: CardProfile, tmp_path: Path
) -> None:
    save_profile(whole, tmp_path / "p")
    save_profile(whole, tmp_path / "p.new")
    assert begin(tmp_path / "p", None, silent).wizard.progress.taught == frozenset()
    (tmp_path / "p.new" / TOML_FILE).write_text("torn")
    assert begin(tmp_path / "p", None, silent).wizard.progress.taught == frozenset()


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
