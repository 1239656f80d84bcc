"""What `--camera SRC` names: which kind of source is opened, and under which name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assistant.adapters import sources
from assistant.adapters.camera_names import NamedCamera
from assistant.adapters.films import FolderFilm
from assistant.adapters.sources import open_source
from assistant.core.errors import MissingError, UnknownNameError

CAMERAS = [NamedCamera(2, "Logitech BRIO"), NamedCamera(4, "Logitech C920")]


class Opened:
    """Stands for the camera's thread, and keeps which device it was given."""

    def __init__(self, device: int | str) -> None:
        self.device = device


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int | str]:
    """Return what gives the device that a name is opened as."""
    monkeypatch.setattr(sources, "Webcam", Opened)
    monkeypatch.setattr(sources, "named_cameras", lambda: CAMERAS)

    def opened(name: str) -> int | str:
        source = open_source(name)
        assert isinstance(source, Opened)
        return source.device

    return opened


def test_a_number_is_a_camera_and_so_is_a_part_of_its_name(
    device: Callable[[str], int | str],
) -> None:
    assert device("0") == 0
    assert device("12") == 12
    assert device("brio") == 2
    assert device("C920") == 4
    with pytest.raises(UnknownNameError, match=r"2 \(Logitech BRIO\), 4 \(Logitech C920\)"):
        device("logitech")
    with pytest.raises(MissingError, match=r"\(here: Logitech BRIO, Logitech C920\)"):
        device("microscope")


@pytest.mark.parametrize("url", ["http://10.0.0.2:8080/video", "RTSP://phone/live"])
def test_an_address_is_a_stream_as_it_is_typed(
    url: str, device: Callable[[str], int | str]
) -> None:
    assert device(url) == url


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_left_to_the_camera_s_own_thread(
    tmp_path: Path, device: Callable[[str], int | str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert device(str(tmp_path / "pipe")) == str(tmp_path / "pipe")


def test_a_folder_wins_over_a_camera_of_its_name(
    tmp_path: Path, device: Callable[[str], int | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "brio").mkdir()
    Image.fromarray(np.zeros((8, 8, 3), np.uint8)).save(tmp_path / "brio" / "a.png")
    assert isinstance(open_source("brio"), FolderFilm)
