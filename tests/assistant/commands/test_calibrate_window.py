"""`bystander calibrate` with a stand-in for its window: what is told before it and after."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tkinter import TclError

import numpy as np
import pytest
from PIL import Image

from assistant import cli
from assistant.adapters.films import FolderFilm
from assistant.adapters.profiles import save_profile
from assistant.commands import calibrate_wizard
from assistant.commands.calibrate import _stack_lines
from assistant.commands.calibrate_begin import begin
from assistant.commands.calibrate_wizard import Teaching, screen_of, teach_in_window
from assistant.core.errors import CameraLostError, MissingError
from assistant.core.terms import Location
from assistant.data import load_keys
from assistant.present.wizard_words import WizardScreen
from assistant.session import Frame
from assistant.ui.wizard_view import WizardEnded
from assistant.vision.profile import CardProfile
from calibration.conditions import Condition
from calibration.wizard import Wizard
from tests.assistant.vision.practice_profile import practice_profile

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """Run the wizard on a folder of one picture, keeping what it learns in tmp_path/p."""
    monkeypatch.setenv("DISPLAY", ":77")
    (tmp_path / "film").mkdir()
    Image.new("RGB", (64, 48), "grey").save(tmp_path / "film" / "a.png")

    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main(
            ["calibrate", "--camera", f"{tmp_path}/film", "--profile", f"{tmp_path}/p", *words]
        )
        out, err = capsys.readouterr()
        return code, out, err

    return run


def window_that(monkeypatch: pytest.MonkeyPatch, does: Callable[[Teaching], None]) -> None:
    monkeypatch.setattr(calibrate_wizard, "teach_in_window", lambda teaching, _: does(teaching))


def some_faces() -> CardProfile:
    """A profile that lacks the faces of three keys' sides."""
    whole = practice_profile()
    return replace(whole, faces=whole.faces[:-3])


def test_a_window_closed_before_anything_was_shown_learns_nothing(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[Teaching] = []
    window_that(monkeypatch, seen.append)
    code, out, _ = said()
    assert (code, out) == (1, "Nothing was learnt.\n")
    # A film is shown at its own pace; the folder is that film.
    [teaching] = seen
    assert isinstance(teaching._source, FolderFilm)
    assert teaching._at_pace
    assert not (tmp_path / "p").exists()


def test_what_is_learnt_by_the_end_is_told_with_what_is_missing_and_exit_one(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save_profile(some_faces(), tmp_path / "p")
    window_that(monkeypatch, lambda _: None)
    code, out, _ = said()
    assert code == 1
    assert f"{tmp_path}/p" in out
    assert "Missing: " in out
    for face in practice_profile().faces[-3:]:
        assert face.location.value in out.partition("Missing: ")[2]


def test_while_not_all_was_shown_anew_the_old_profile_is_said_to_stay(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save_profile(practice_profile(), tmp_path / "p")
    window_that(monkeypatch, lambda _: None)
    code, out, _ = said()
    assert code == 1
    assert f"until all is shown, the cards in {tmp_path}/p stay in use" in out


def test_a_window_that_cannot_open_is_one_line_with_the_way_round_and_lets_the_source_go(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[None] = []
    monkeypatch.setattr(FolderFilm, "close", lambda _: closed.append(None))

    def fails(_: Teaching) -> None:
        raise TclError("couldn't connect to display")

    window_that(monkeypatch, fails)
    code, out, err = said()
    assert (code, out) == (3, "")
    assert err == (
        "bystander: the window cannot open (couldn't connect to display); use --from DIR\n"
    )
    assert closed == [None]


def test_one_key_cannot_be_taught_anew_where_none_was_taught(said: Said, tmp_path: Path) -> None:
    code, _, err = said("--key", "cornhill")
    assert code == 3
    assert f"no card profile at {tmp_path}/p yet" in err
    with pytest.raises(MissingError, match="leave --key out"):
        begin(tmp_path / "p", Location.CORNHILL, lambda _: "")
    assert begin(tmp_path / "p", None, lambda _: "").wizard.progress.taught == frozenset()


def test_an_export_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_profile(some_faces(), tmp_path / "p")
    (tmp_path / "file").write_text("in the way")
    words = ["calibrate", "--profile", f"{tmp_path}/p", "--export", f"{tmp_path}/file/a.zip"]
    assert cli.main(words) == 3
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "lines"),
    [
        ({"learnt": ["2", "the Lady"], "open": [], "unread": 0},
         ["4 pictures; learnt as printed: 2 and the Lady.",
          "Kept in cards; what is not learnt is read as before."]),
        ({"learnt": [], "open": ["1", "3"], "unread": 2},
         ["4 pictures; learnt as printed: none.",
          "Not learnt: 1 and 3; show each clearly at two different keys.",
          "2 pictures show no digit and no Lady that could be read."]),
    ],
)  # fmt: skip
def test_what_stacks_taught_is_told_in_lines(told: dict[str, object], lines: list[str]) -> None:
    assert _stack_lines({"pictures": 4, "notes": [], "profile": "cards", **told}) == lines


# --- the worker -----------------------------------------------------------------------------------


class Unplugged:
    """A live camera that is pulled out, comes back, and then shows nothing new."""

    def __init__(self) -> None:
        self._steps = iter(("lost", "back"))
        self.came_back = threading.Event()

    def read(self, timeout_s: float) -> Frame | None:
        step = next(self._steps, None)
        if step == "lost":
            raise CameraLostError("the camera 0 is gone; plug it in again")
        if step == "back":
            return Frame(np.full((48, 64, 3), 90, np.uint8), 0, 0.0)
        self.came_back.set()
        return None

    def close(self) -> None:
        return


def test_a_camera_that_is_pulled_out_is_told_until_it_is_back_and_the_wizard_goes_on(
    tmp_path: Path,
) -> None:
    source = Unplugged()
    teaching = Teaching(Wizard(load_keys()), source, tmp_path / "p", load_keys(), at_pace=False)
    worker = threading.Thread(target=teaching.work, daemon=True)
    worker.start()
    assert source.came_back.wait(20)
    teaching.stop()
    worker.join(20)
    assert teaching.failure is None
    screens: list[WizardScreen] = []
    while not teaching.messages.empty():
        message = teaching.messages.get()
        if isinstance(message, WizardScreen):
            screens.append(message)
    lost = "The camera 0 is gone; plug it in again."
    assert [lost in screen.warnings for screen in screens] == [False, True, False]


def test_a_narrow_picture_is_shown_whole_in_the_middle(tmp_path: Path) -> None:
    tall = np.zeros((400, 100, 3), np.uint8)
    tall[:, :, 1] = 255
    teaching = Teaching(
        Wizard(load_keys()), Unplugged(), tmp_path / "p", load_keys(), at_pace=False
    )
    teaching._draw(Frame(tall, 0, 0.0), Wizard(load_keys()).progress)
    shown = teaching.newest()
    assert shown is not None
    wide, high = shown.size
    assert shown.getpixel((wide // 2, 0)) == shown.getpixel((wide // 2, high - 1)) == (0, 255, 0)
    assert shown.getpixel((0, high // 2)) == shown.getpixel((wide - 1, high // 2)) != (0, 255, 0)
    green = int((np.asarray(shown)[high // 2] == (0, 255, 0)).all(axis=1).sum())
    assert abs(green - high / 4) <= 1


def test_what_is_wrong_with_the_picture_is_told_and_the_camera_s_trouble_before_it() -> None:
    progress = replace(
        Wizard(load_keys()).progress, conditions=frozenset({Condition.GLARE, Condition.DARK})
    )
    shown = screen_of(progress, "the camera is slow", None).warnings
    assert shown[0] == "The camera is slow."
    assert set(shown[1:]) == {Condition.GLARE.words, Condition.DARK.words}


def test_what_the_worker_died_of_is_raised_when_its_window_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Unplugged):
        def read(self, timeout_s: float) -> Frame | None:
            raise MissingError("the disk is gone")

    class Paper:
        """A window's stand-in, open until the wizard ends."""

        def __init__(self, _title: str, messages: queue.SimpleQueue[object], *_: object) -> None:
            self._messages = messages

        def run(self) -> None:
            while not isinstance(self._messages.get(timeout=20), WizardEnded):
                pass

    monkeypatch.setattr(calibrate_wizard, "WizardWindow", Paper)
    teaching = Teaching(Wizard(load_keys()), Broken(), tmp_path / "p", load_keys(), at_pace=False)
    with pytest.raises(MissingError, match="the disk is gone"):
        teach_in_window(teaching, "a test")
