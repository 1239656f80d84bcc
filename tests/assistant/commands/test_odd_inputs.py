"""What a stranger may hand to a command: pipes, devices, noise, names that no file can have.

One clear line, the right exit code, and nothing hangs. What each kind of picture, profile and log
does is told beside its own module; this is the command line's side of it.
"""

from __future__ import annotations

import io
import json
import os
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from assistant import cli
from assistant.adapters import whole_file
from assistant.adapters.pictures import open_picture
from assistant.adapters.whole_file import read_whole
from assistant.core.errors import DamagedError
from assistant.core.terms import Location
from assistant.practice.stage import Hardness
from assistant.practice.truth import Shot, Showing
from assistant.vision.profile import CardProfile
from assistant.vision.reader import Reader
from tests.assistant.vision.practice_profile import practice_profile, practice_table

Capture = pytest.CaptureFixture[str]

needs_pipes = pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders on Windows")

_IN_ONE_PLACE = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    try:
        code = cli.main(words)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "x.jpg"
    os.mkfifo(path)
    return path


@needs_pipes
def test_a_pipe_that_is_called_a_picture_is_not_waited_for(
    capsys: Capture, pipe: Path, blank_profile: Path
) -> None:
    code, out, err = run(capsys, "read", str(pipe), "--profile", str(blank_profile), "--json")
    assert code == 3
    assert json.loads(out)["reason"] == "unreadable-file"
    assert "pipe" in err.splitlines()[-1]


@needs_pipes
@pytest.mark.parametrize("words", [("calibrate", "--from"), ("sessions", "show")])
def test_no_command_waits_for_a_pipe(capsys: Capture, pipe: Path, words: tuple[str, str]) -> None:
    where = str(pipe.parent) if words[0] == "calibrate" else str(pipe)
    code, _, err = run(capsys, *words, where)
    assert code == 3
    assert err.startswith("bystander: ")


@needs_pipes
def test_a_device_without_an_end_is_no_file_of_commands(capsys: Capture) -> None:
    code, out, err = run(capsys, "play", "--headless", "--commands", "/dev/zero")
    assert (code, out) == (3, "")
    assert "device" in err


def test_a_folder_that_is_called_a_picture_is_a_folder_without_pictures(
    capsys: Capture, tmp_path: Path, blank_profile: Path
) -> None:
    (tmp_path / "x.jpg").mkdir()
    code, _, err = run(capsys, "read", str(tmp_path / "x.jpg"), "--profile", str(blank_profile))
    assert code == 3
    assert "no picture in this folder" in err


def test_a_name_that_no_file_can_have_is_told_and_the_rest_is_read(
    capsys: Capture, tmp_path: Path, blank_profile: Path
) -> None:
    Image.new("RGB", (64, 48)).save(tmp_path / "bare.png")
    words = ("a" * 5000, str(tmp_path / "bare.png"))
    code, out, _ = run(capsys, "read", *words, "--profile", str(blank_profile), "--json")
    assert code == 3
    assert [json.loads(row)["reason"] == "unreadable-file" for row in out.splitlines()] == [
        True,
        False,
    ]


def test_a_file_above_the_bound_is_refused_before_it_is_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "exact").write_bytes(b"x" * 100)
    assert len(read_whole(tmp_path / "exact", most_bytes=100)) == 100
    with pytest.raises(OSError, match="larger than"):
        read_whole(tmp_path / "exact", most_bytes=99)
    assert whole_file.MOST_BYTES < 2**30


def test_files_of_brackets_without_an_end_are_told_not_followed(
    capsys: Capture, tmp_path: Path
) -> None:
    deep = tmp_path / "deep.json"
    deep.write_bytes(b"[" * 200_000)
    words = ("leds", "template", str(tmp_path / "x.pdf"), "--width", "300", "--places", str(deep))
    code, _, err = run(capsys, *words)
    assert code == 3
    assert "brackets" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", ["Infinity", "NaN", "1e999", "9" * 400])
def test_a_number_beyond_counting_in_a_file_is_told(
    capsys: Capture, tmp_path: Path, number: str
) -> None:
    places = {place.value: [0.5, 0.5] for place in Location}
    text = json.dumps(places).replace("0.5", number, 1)
    (tmp_path / "places.json").write_text(text)
    words = ("--width", "300", "--places", str(tmp_path / "places.json"))
    code, _, err = run(capsys, "leds", "template", str(tmp_path / "x.pdf"), *words)
    assert code == 3
    assert err.count("\n") == 1
    assert "no number to work with" in err


@pytest.mark.parametrize(
    "words",
    [
        ("read", "x.png", "--profile", "~no-such-player/x"),
        ("read", "--camera", "~no-such-player/x"),
        ("calibrate", "--from", "~no-such-player/x"),
        ("calibrate", "--from", ".", "--profile", "~no-such-player/x"),
        ("sessions", "stats", "--html", "~no-such-player/x.html"),
        ("bench", "--readings", "--pictures", "~no-such-player/x", "--profile"),
    ],
)
def test_a_home_folder_that_nobody_has_is_missing(
    capsys: Capture, blank_profile: Path, words: tuple[str, ...]
) -> None:
    profile = [str(blank_profile)] if words[-1] == "--profile" else []
    code, _, err = run(capsys, *words, *profile)
    assert code == 3
    assert "~no-such-player/x" in err.splitlines()[-1]
    assert "no such home folder" in err.splitlines()[-1]


def test_an_error_about_a_word_of_a_million_letters_stays_short(capsys: Capture) -> None:
    code, _, err = run(capsys, "play", "--camera", "0", "x" * 1_000_000)
    assert code == 2
    assert len(err) < 2000
    assert err.endswith("(see bystander -h)\n")


@pytest.mark.parametrize("name", ["\x1b[2J\x07.jpg", "x\nbystander: done.jpg", "y" * 300 + ".jpg"])
def test_a_name_is_told_on_one_line_that_no_terminal_obeys(
    capsys: Capture, tmp_path: Path, blank_profile: Path, name: str
) -> None:
    words = ("read", str(tmp_path / name), "--profile", str(blank_profile))
    code, out, err = run(capsys, *words)
    assert (code, out) == (3, "")
    assert len(err) < 2000
    told = err.splitlines()[-1]
    assert told.startswith("bystander: ")
    assert told.isprintable()
    _, out, _ = run(capsys, *words, "--json")
    assert json.loads(out)["file"] == str(tmp_path / name)


@needs_pipes
def test_a_folder_with_such_names_is_read_line_by_line(
    capsys: Capture, tmp_path: Path, blank_profile: Path
) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    Image.new("RGB", (64, 48)).save(folder / "a\nb\x1b.png")
    code, out, _ = run(capsys, "read", str(folder), "--profile", str(blank_profile))
    assert code == 0
    assert out.count("\n") == 1
    assert out.strip().isprintable()


def test_undo_by_more_times_than_a_number_can_have_digits_is_not_understood(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"undo {'9' * 5000}\n"))
    code, _, err = run(capsys, "play", "--headless", "--commands", "-")
    assert (code, err) == (2, "")


@_IN_ONE_PLACE
@given(
    verb=st.sampled_from(
        [
            ("solve", "--youth"),
            ("solve", "--rendezvous"),
            ("solve", "--steps"),
            ("sessions", "show"),
            ("poet", "elusive", "--poet"),
            ("demo", "--no-such-option", "--seed"),
            ("bench", "--no-such-option", "--sizes"),
            ("play", "--no-such-option", "--with"),
        ]
    ),
    word=st.one_of(
        st.text(st.characters(exclude_characters="\0"), max_size=40),
        st.binary(max_size=20).map(lambda raw: os.fsdecode(raw.replace(b"\0", b"?"))),
        st.sampled_from(["-1", "9" * 5000, "1e400", "nan", "Cornhill=²", "=", "-", "--", "~"]),
    ),
)
def test_whatever_is_typed_the_answer_is_one_line_and_an_exit_code_of_the_contract(
    capsys: Capture, verb: tuple[str, ...], word: str
) -> None:
    code, _, err = run(capsys, *verb, word)
    assert code in (0, 1, 2, 3), err
    assert err.count("\n") == (0 if code in (0, 1) else 1)


def _picture_bytes() -> list[bytes]:
    noise = np.random.default_rng(1).integers(0, 255, (24, 32, 3), np.uint8)
    made = []
    for kind in ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF"):
        stream = io.BytesIO()
        Image.fromarray(noise).save(stream, kind)
        made.append(stream.getvalue())
    return made


@_IN_ONE_PLACE
@given(
    data=st.sampled_from(_picture_bytes()),
    cut=st.integers(0, 4000),
    noise=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=12),
)
def test_a_picture_with_any_bytes_changed_is_a_picture_or_is_damaged(
    tmp_path: Path, data: bytes, cut: int, noise: list[tuple[int, int]]
) -> None:
    spoilt = bytearray(data[: max(len(data) - cut, 0)] if cut % 2 else data)
    for place, value in noise:
        if place < len(spoilt):
            spoilt[place] = value
    path = tmp_path / "spoilt.jpg"
    path.write_bytes(spoilt)
    try:
        opened = open_picture(path).picture
    except DamagedError:
        return
    assert opened.dtype == np.uint8
    assert opened.ndim == 3


@cache
def _stack() -> Shot:
    return practice_table().still(1, Hardness.EASY, (640, 360), Showing.ICON)


def test_the_stack_that_changed_profiles_are_tried_on_is_read_with_the_whole_one() -> None:
    shot = _stack()
    assert Reader(practice_profile()).read_still(shot.picture_bgr).content == shot.truth.content


@_IN_ONE_PLACE
@given(
    place=st.floats(0, 1, exclude_max=True),
    value=st.integers(0, 255),
    name=st.sampled_from(sorted(practice_profile().to_files())),
    is_cut=st.booleans(),
)
def test_a_profile_with_any_byte_changed_is_damaged_or_reads_nothing_wrong(
    place: float, value: int, name: str, is_cut: bool
) -> None:
    files = practice_profile().to_files()
    data = bytearray(files[name])
    at = int(place * len(data))
    data[at] = value
    files[name] = bytes(data[:at] if is_cut else data)
    try:
        changed = CardProfile.from_files(files)
    except DamagedError:
        return
    shot = _stack()
    sighting = Reader(changed).read_still(shot.picture_bgr)
    assert sighting.content in (None, shot.truth.content)
    assert sighting.content is None or sighting.location is shot.truth.location
