"""Cameras by name, as Linux lists them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assistant.adapters.camera_names import (
    NamedCamera,
    camera_by_name,
    cameras_here,
    named_cameras,
)
from assistant.core.errors import UnknownNameError

CAMERAS = [
    NamedCamera(0, "Integrated Camera"),
    NamedCamera(2, "HD Pro Webcam C920"),
    NamedCamera(4, "HD Pro Webcam C920 Plus"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux lists its cameras in /sys")
def test_linux_tells_the_node_that_gives_pictures_and_its_name(tmp_path: Path) -> None:
    for node, index, name in (("video10", 0, "B"), ("video2", 0, "A"), ("video3", 1, "A")):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(f"{index}\n")
        (tmp_path / node / "name").write_text(f"{name}\n")
    (tmp_path / "video7").mkdir()
    assert named_cameras(tmp_path) == [NamedCamera(2, "A"), NamedCamera(10, "B")]
    assert named_cameras(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("system", "named", "numbers"),
    [
        ("linux", [], []),
        ("linux", CAMERAS, [0, 2, 4]),
        ("darwin", CAMERAS[1:], [2, 4]),
        # Nobody tells names there without a further package: the usual numbers may be tried.
        ("win32", [], [0, 1]),
    ],
)
def test_the_cameras_to_try_are_the_named_ones_or_the_first_two(
    monkeypatch: pytest.MonkeyPatch, system: str, named: list[NamedCamera], numbers: list[int]
) -> None:
    monkeypatch.setattr("assistant.adapters.camera_names.sys.platform", system)
    monkeypatch.setattr("assistant.adapters.camera_names.named_cameras", lambda: named)
    assert [camera.number for camera in cameras_here()] == numbers


def test_a_part_of_a_name_in_any_case_will_do() -> None:
    assert camera_by_name("integrated", CAMERAS) == CAMERAS[0]
    assert camera_by_name("c920 plus", CAMERAS) == CAMERAS[2]


def test_a_whole_name_wins_over_longer_ones_that_hold_it() -> None:
    assert camera_by_name("hd pro webcam c920", CAMERAS) == CAMERAS[1]


def test_a_name_of_several_cameras_lists_their_numbers() -> None:
    with pytest.raises(UnknownNameError, match=r"2 \(HD Pro Webcam C920\), 4 "):
        camera_by_name("webcam", CAMERAS)


@pytest.mark.parametrize("typed", ["", "  ", "kinect"])
def test_a_name_of_no_camera_is_none(typed: str) -> None:
    assert camera_by_name(typed, CAMERAS) is None
