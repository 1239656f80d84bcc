"""`bystander read`: the rows of the contract, and inputs that are no pictures."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from assistant import cli
from assistant.commands.read import _in_words, reading_row, sighting_row
from assistant.core.events import Seq
from assistant.core.terms import BLANK, LADY, Content, Feature, Location
from assistant.data import load_board, load_keys
from assistant.practice.camera import PracticeCamera
from assistant.practice.deck import PracticeDeck
from assistant.practice.stage import Hardness
from assistant.practice.table import VirtualTable
from assistant.practice.truth import Negative, Showing
from assistant.session import Reading
from assistant.vision.sighting import Corners, Reason, Side, Sighting

CORNERS: Corners = ((100.04, 100.0), (188.0, 100.0), (188.0, 236.0), (100.0, 236.0))

STILL_KEYS = {
    "file",
    "found",
    "location",
    "side",
    "kind",
    "value",
    "confidence",
    "corners",
    "reason",
    "text",
    "ms",
    "others",
}
READING_KEYS = {
    "reading",
    "frame",
    "location",
    "kind",
    "value",
    "confidence",
    "confirms",
    "disputes",
}


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]], str]:
    code = cli.main(["read", *words, "--json"])
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], err


# --- rows ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "kind", "value"),
    [
        (Content.icon(Feature.TAVERN), "icon", "tavern"),
        (Content.digit(3), "number", "3"),
        (LADY, "lady", None),
        (BLANK, "blank", None),
    ],
)
def test_a_content_has_its_kind_and_value_and_no_reason(
    content: Content, kind: str, value: str | None
) -> None:
    row = sighting_row(Sighting(Location.ST_PAULS, Side.BACK, CORNERS, content, 0.75), 1.5)
    assert (row["kind"], row["value"], row["confidence"]) == (kind, value, 0.75)
    assert row["reason"] is None
    assert (row["found"], row["location"], row["side"]) == (True, "St Paul's", "back")
    assert row["corners"] == [[100.0, 100.0], [188.0, 100.0], [188.0, 236.0], [100.0, 236.0]]


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_its_word_and_a_sentence_and_no_content(reason: Reason) -> None:
    row = sighting_row(Sighting(reason=reason), 1.5)
    assert row["reason"] == reason.value
    assert len(row["text"]) > 10
    assert [row[name] for name in ("kind", "value", "confidence")] == [None] * 3
    assert [row[name] for name in ("location", "side", "corners")] == [None] * 3
    assert row["found"] is False


def test_a_front_is_found_and_says_other_side() -> None:
    sighting = Sighting(Location.ST_PAULS, Side.FRONT, CORNERS, reason=Reason.OTHER_SIDE)
    row = sighting_row(sighting, 1.5)
    assert (row["found"], row["side"], row["reason"]) == (True, "front", "other-side")


def test_a_reading_has_exactly_the_keys_of_the_contract() -> None:
    reading = Reading(2, Location.ST_PAULS, LADY, 0.9, 17, Seq(5), confirms=1)
    row = reading_row(reading)
    assert set(row) == READING_KEYS
    assert (row["reading"], row["frame"], row["confirms"], row["disputes"]) == (2, 17, 1, None)


# --- inputs that are no pictures -------------------------------------------------------------


def text_file(folder: Path) -> Path:
    (folder / "text.jpg").write_text("this is no picture")
    return folder / "text.jpg"


def complaints(err: str) -> list[str]:
    """Return the lines about inputs: of the blank profile it is told besides what it lacks."""
    return [line for line in err.splitlines() if "the card profile" not in line]


@pytest.mark.parametrize("name", ["text.jpg", "nowhere.jpg", "nowhere.mp4", "noise.mp4", "empty"])
def test_an_unreadable_input_has_its_row_one_line_on_stderr_and_exit_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], blank_profile: Path, name: str
) -> None:
    text_file(tmp_path)
    (tmp_path / "noise.mp4").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "empty").mkdir()
    code, [row], err = rows(capsys, str(tmp_path / name), "--profile", str(blank_profile))
    assert code == 3
    assert set(row) == STILL_KEYS
    assert (row["file"], row["found"], row["kind"]) == (str(tmp_path / name), False, None)
    assert row["reason"] == "unreadable-file"
    assert len(complaints(err)) == 1
    assert "Traceback" not in err


def test_the_rest_is_still_read_when_one_input_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], blank_profile: Path
) -> None:
    Image.new("RGB", (64, 48)).save(tmp_path / "a.png")
    inputs = [str(text_file(tmp_path)), str(tmp_path / "a.png")]
    code, told, _ = rows(capsys, *inputs, "--profile", str(blank_profile))
    assert code == 3
    assert [row["file"] for row in told] == inputs
    assert told[1]["reason"] != "unreadable-file"


def test_without_json_an_unreadable_input_is_one_line_and_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], blank_profile: Path
) -> None:
    code = cli.main(["read", str(text_file(tmp_path)), "--profile", str(blank_profile)])
    out, err = capsys.readouterr()
    assert (code, out, len(complaints(err))) == (3, "", 1)


def test_a_missing_profile_is_one_line_that_says_how_to_learn_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Image.new("RGB", (64, 48)).save(tmp_path / "a.png")
    code = cli.main(["read", str(tmp_path / "a.png"), "--profile", str(tmp_path / "nowhere")])
    _, err = capsys.readouterr()
    assert code == 3
    assert err.count("\n") == 1
    assert "bystander calibrate --from" in err


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (12000, 40), (12000, 9000)])
def test_a_picture_of_any_size_is_read(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    blank_profile: Path,
    size: tuple[int, int],
) -> None:
    Image.new("RGB", size, (200, 190, 170)).save(tmp_path / "a.jpg")
    code, [row], err = rows(capsys, str(tmp_path / "a.jpg"), "--profile", str(blank_profile))
    assert (code, complaints(err)) == (0, [])
    assert row["found"] is False
    assert row["reason"] not in (None, "unreadable-file")


def test_a_folder_is_read_by_name_and_files_are_named_folder_slash_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], blank_profile: Path
) -> None:
    for name in ("b.png", "a.jpg"):
        Image.new("RGB", (64, 48)).save(tmp_path / name)
    code, told, _ = rows(capsys, f"{tmp_path}/", "--profile", str(blank_profile))
    assert code == 0
    assert [row["file"] for row in told] == [f"{tmp_path}/a.jpg", f"{tmp_path}/b.png"]
    assert all(set(row) == STILL_KEYS for row in told)


def test_sightings_print_every_frame_of_a_film(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], blank_profile: Path
) -> None:
    for number in range(4):
        Image.new("RGB", (64, 48)).save(tmp_path / f"{number}.png")
    words = ["--video", str(tmp_path), "--sightings", "--profile", str(blank_profile)]
    code, told, _ = rows(capsys, *words)
    assert code == 0
    assert [row["frame"] for row in told] == [0, 1, 2, 3]
    assert set(told[0]) == STILL_KEYS - {"file"} | {"frame"}


# --- the real reader on the practice deck ------------------------------------------------------


def test_stills_of_the_practice_table_are_read_right_and_turned_by_their_exif(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], practice_home: Path
) -> None:
    table = VirtualTable(PracticeDeck(load_board(), seed=1), seed=11)
    shots = {
        f"{number}-{showing.value}.png": table.still(number, Hardness.EASY, showing=showing)
        for number, showing in enumerate((Showing.ICON, Showing.NUMBER, Showing.LADY))
    }
    for name, shot in shots.items():
        picture = Image.fromarray(np.ascontiguousarray(shot.picture_bgr[:, :, ::-1]))
        exif = picture.getexif()
        # As if the camera had been held turned: stored lying, to be turned upright.
        exif[274] = 6
        picture.rotate(90, expand=True).save(tmp_path / name, exif=exif)
    code, told, _ = rows(
        capsys, str(tmp_path), "--profile", str(practice_home / "practice-profile")
    )
    assert code == 0
    for row in told:
        truth = shots[Path(row["file"]).name].truth
        assert truth.location is not None
        assert truth.content is not None
        assert truth.corners is not None
        assert row["location"] == truth.location.value
        assert (row["kind"], row["value"]) == (truth.content.kind.value, truth.content.value)
        assert np.allclose(row["corners"], truth.corners, atol=6)


def test_a_bare_practice_table_gives_no_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], practice_home: Path
) -> None:
    table = VirtualTable(PracticeDeck(load_board(), seed=1), seed=11)
    shot = table.still(1, Hardness.NORMAL, negative=Negative.TABLE)
    Image.fromarray(np.ascontiguousarray(shot.picture_bgr[:, :, ::-1])).save(tmp_path / "a.png")
    _, [row], _ = rows(
        capsys, str(tmp_path / "a.png"), "--profile", str(practice_home / "practice-profile")
    )
    assert (row["found"], row["kind"], row["reason"]) == (False, None, "no-key")


def test_a_film_gives_one_row_per_laying_and_a_second_laying_confirms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], practice_home: Path
) -> None:
    deck = PracticeDeck(load_board(), seed=1)
    camera = PracticeCamera(deck, seed=5, hardness=Hardness.EASY)
    card = deck.youth[Location.SOUTHWARK]
    film = cv2.VideoWriter(
        str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30, (1280, 720)
    )
    rests: list[int] = []
    for _ in range(2):
        camera.lay(Location.CORNHILL, card)
        rests.append(camera.rests_from or 0)
        while not camera.is_clear:
            frame = camera.read()
            assert frame is not None
            film.write(frame.picture)
            if frame.index == rests[-1] + 14:
                camera.lift()
    film.release()
    profile = str(practice_home / "practice-profile")
    code, told, _ = rows(capsys, str(tmp_path / "film.avi"), "--profile", profile)
    assert code == 0
    assert [row["location"] for row in told] == ["Cornhill"] * 2
    assert [row["value"] for row in told] == [card.shows(Location.CORNHILL).value] * 2
    assert [row["confirms"] for row in told] == [None, 1]
    assert [row["reading"] for row in told] == [1, 2]
    assert all(set(row) == READING_KEYS for row in told)
    assert all(first <= row["frame"] <= first + 14 for row, first in zip(told, rests, strict=True))


# --- before any card was shown --------------------------------------------------------------------


def test_without_calibration_one_line_says_so_and_an_icon_asks_for_the_fronts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    table = VirtualTable(PracticeDeck(load_board(), seed=1), seed=7)
    for name, showing in (("icon.png", Showing.ICON), ("lady.png", Showing.LADY)):
        picture = table.still(3, Hardness.EASY, showing=showing).picture_bgr
        Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1])).save(tmp_path / name)
    code, [icon, lady], err = rows(capsys, str(tmp_path / "icon.png"), str(tmp_path / "lady.png"))
    assert code == 0
    assert err.count("\n") == 1
    assert "no calibration is used" in err
    assert (icon["found"], icon["location"], icon["kind"]) == (True, "Blackfriars", None)
    assert icon["reason"] in ("unlike", "unsure")
    assert "show me the fronts once (bystander calibrate)" in icon["text"]
    assert (lady["location"], lady["kind"]) == ("Blackfriars", "lady")


def test_a_profile_that_cannot_be_used_is_not_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    (tmp_path / "profile").mkdir()
    (tmp_path / "profile" / "profile.toml").write_text("format = 1", "utf-8")
    assert cli.main(["read", str(tmp_path / "a.png")]) == 3
    assert "calibrate again" in capsys.readouterr().err


# --- in words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (Reading(1, Location.CORNHILL, Content.icon(Feature.TAVERN), 0.9, 17, Seq(2)),
         "reading 1 (frame 17): Cornhill: tavern"),
        (Reading(2, Location.ST_PAULS, LADY, 0.9, 40, Seq(3)),
         "reading 2 (frame 40): St Paul's: lady"),
        (Reading(3, Location.CORNHILL, Content.digit(2), 0.9, 60, Seq(4), confirms=1),
         "reading 3 (frame 60): Cornhill: 2, confirms reading 1"),
        (Reading(4, Location.CORNHILL, Content.digit(3), 0.9, 80, Seq(5), disputes=3),
         "reading 4 (frame 80): Cornhill: 3, disputes reading 3"),
    ],
)  # fmt: skip
def test_a_reading_is_told_in_one_line_with_the_earlier_one_that_it_is_about(
    reading: Reading, words: str
) -> None:
    assert _in_words(reading_row(reading)) == words
    assert _in_words({"file": "film.mp4", **reading_row(reading)}) == f"film.mp4: {words}"


def test_a_still_is_told_with_its_certainty_or_its_key_and_why_not() -> None:
    read = sighting_row(Sighting(Location.ST_PAULS, Side.BACK, CORNERS, LADY, 0.876), 1.5)
    assert _in_words({**read, "file": "a.png"}).startswith("a.png: ")
    assert _in_words({**read, "file": "a.png"}).endswith("(sure to 88%)")
    front = Sighting(Location.ST_PAULS, Side.FRONT, CORNERS, reason=Reason.OTHER_SIDE)
    assert _in_words({**sighting_row(front, 1.5), "frame": 7}).startswith(
        "frame 7: St Paul's (front): "
    )


# --- with a second opinion ------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="a script stands in for Tesseract")
@pytest.mark.parametrize("side_of", [None, Location.SHOREDITCH])
def test_words_of_another_key_take_a_still_s_reading_back_and_none_change_nothing(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    practice_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    side_of: Location | None,
) -> None:
    table = VirtualTable(PracticeDeck(load_board(), seed=1), seed=11)
    shot = table.still(1, Hardness.EASY, showing=Showing.NUMBER)
    there = shot.truth.location
    assert there is not None
    assert there is not side_of
    Image.fromarray(np.ascontiguousarray(shot.picture_bgr[:, :, ::-1])).save(tmp_path / "a.png")
    words = load_keys()["keys"][side_of.value]["back_text"] if side_of is not None else []
    (tmp_path / "words").write_text("\n".join(words), "utf-8")
    # Called as: program PICTURE OUTPUT …; the words go to OUTPUT.txt.
    script = tmp_path / "tesseract"
    script.write_text(f'#!/bin/sh\n[ -n "$2" ] && cp "{tmp_path}/words" "$2.txt"\n')
    script.chmod(0o755)
    monkeypatch.setenv("BYSTANDER_TESSERACT", str(script))
    profile = str(practice_home / "practice-profile")
    code, [row], _ = rows(capsys, str(tmp_path / "a.png"), "--ocr", "--profile", profile)
    assert code == 0
    if side_of is None:
        assert (row["location"], row["kind"]) == (there.value, "number")
    else:
        assert (row["reason"], row["location"], row["kind"]) == ("which-key", None, None)


@pytest.mark.parametrize("count", ["0", "-1", "two"])
def test_a_number_of_threads_that_is_none_is_refused(
    count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["read", "a.png", f"--threads={count}"])
    assert ended.value.code == 2
    assert "is no number of threads" in capsys.readouterr().err


def test_so_many_threads_as_were_asked_for_are_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], blank_profile: Path
) -> None:
    before = cv2.getNumThreads()
    try:
        rows(capsys, str(tmp_path / "none.png"), "--threads", "1", "--profile", str(blank_profile))
        assert cv2.getNumThreads() == 1
    finally:
        cv2.setNumThreads(before)
