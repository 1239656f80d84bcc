"""Picture files: the EXIF turn, sizes, kinds, and files that are no pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import EpsImagePlugin, Image

from assistant.adapters.pictures import OpenedPicture, open_picture, pictures_in
from assistant.core.errors import DamagedError, MissingError
from assistant.vision.sighting import Corners

#: Where the red corner of the test picture lies after the turn each EXIF value asks for:
#: (from the top, from the left); the EXIF standard's table of orientations.
RED_CORNER = {
    1: ("top", "left"),
    2: ("top", "right"),
    3: ("bottom", "right"),
    4: ("bottom", "left"),
    5: ("top", "left"),
    6: ("top", "right"),
    7: ("bottom", "right"),
    8: ("bottom", "left"),
}


def red_corner_picture(width: int = 100, height: int = 60) -> Image.Image:
    rgb = np.zeros((height, width, 3), np.uint8)
    rgb[: height // 3, : width // 3] = (255, 0, 0)
    return Image.fromarray(rgb)


def where_red(opened: OpenedPicture) -> tuple[str, str]:
    red = opened.picture[:, :, 2] > 128
    rows, columns = np.nonzero(red)
    height, width = red.shape
    return (
        "top" if rows.mean() < height / 2 else "bottom",
        "left" if columns.mean() < width / 2 else "right",
    )


@pytest.mark.parametrize("ending", ["jpg", "png", "webp"])
@pytest.mark.parametrize("turn", sorted(RED_CORNER))
def test_the_exif_turn_is_applied(tmp_path: Path, ending: str, turn: int) -> None:
    picture = red_corner_picture()
    exif = picture.getexif()
    exif[274] = turn
    picture.save(tmp_path / f"a.{ending}", exif=exif)
    opened = open_picture(tmp_path / f"a.{ending}")
    assert where_red(opened) == RED_CORNER[turn]
    assert opened.picture.shape == ((60, 100, 3) if turn < 5 else (100, 60, 3))


@pytest.mark.parametrize("ending", ["jpg", "png"])
def test_a_picture_of_twelve_thousand_px_is_shrunk_and_its_corners_are_given_in_px_of_the_file(
    tmp_path: Path, ending: str
) -> None:
    picture = red_corner_picture(12000, 3000)
    exif = picture.getexif()
    exif[274] = 6
    picture.save(tmp_path / f"big.{ending}", exif=exif)
    opened = open_picture(tmp_path / f"big.{ending}")
    assert opened.picture.shape == (3000, 750, 3)
    assert where_red(opened) == ("top", "right")
    corners: Corners = ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0))
    assert opened.corners_in_file(corners) == ((4, 8), (12, 16), (20, 24), (28, 32))


@pytest.mark.parametrize("kind", ["1", "P", "I;16", "RGBA"])
def test_a_large_picture_of_any_kind_of_colour_is_shrunk(tmp_path: Path, kind: str) -> None:
    # White on the left, black on the right.
    levels = np.zeros((40, 5000), np.uint8)
    levels[:, :2000] = 255
    plain = Image.fromarray(levels)
    if kind == "P":
        # Neighbouring numbers are colours far apart.
        plain = Image.fromarray(np.where(levels > 0, 7, 8).astype(np.uint8), "P")
        plain.putpalette([0, 200, 0] * 7 + [255] * 3 + [0] * 3)
    elif kind == "I;16":
        plain = Image.fromarray(levels.astype(np.uint16) * 257)
    else:
        plain = plain.convert(kind)
    plain.save(tmp_path / "a.png")
    opened = open_picture(tmp_path / "a.png")
    assert (opened.picture.shape, opened.scale) == ((20, 2500, 3), 2.0)
    assert opened.picture[10, 900].tolist() == [255, 255, 255]
    assert opened.picture[10, 1100].tolist() == [0, 0, 0]


def test_a_picture_too_large_to_decode_is_refused_in_words(tmp_path: Path) -> None:
    Image.new("1", (30000, 20000)).save(tmp_path / "huge.png")
    with pytest.raises(DamagedError, match="too large"):
        open_picture(tmp_path / "huge.png")


def test_sixteen_bits_are_scaled_not_clipped(tmp_path: Path) -> None:
    deep = (np.arange(256, dtype=np.uint16) * 256).reshape(16, 16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    picture = open_picture(tmp_path / "deep.png").picture
    assert picture[0, 0].tolist() == [0, 0, 0]
    assert picture[8, 0].tolist() == [128, 128, 128]
    assert picture[15, 15].tolist() == [255, 255, 255]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK"])
def test_grey_alpha_palette_and_print_colours_become_three_channels(
    tmp_path: Path, mode: str
) -> None:
    name = tmp_path / ("a.jpg" if mode == "CMYK" else "a.png")
    Image.new(mode, (5, 7)).save(name)
    picture = open_picture(name).picture
    assert picture.shape == (7, 5, 3)
    assert picture.dtype == np.uint8


def test_colours_come_as_blue_green_red(tmp_path: Path) -> None:
    Image.new("RGB", (2, 2), (1, 2, 3)).save(tmp_path / "a.png")
    assert open_picture(tmp_path / "a.png").picture[0, 0].tolist() == [3, 2, 1]


@pytest.mark.parametrize("ending", ["jpg", "png", "webp"])
def test_a_torn_picture_is_damaged(tmp_path: Path, ending: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
    whole = tmp_path / f"whole.{ending}"
    Image.fromarray(noise).save(whole)
    torn = tmp_path / f"torn.{ending}"
    torn.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(DamagedError):
        open_picture(torn)


@pytest.mark.parametrize("data", [b"", b"hello", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"])
def test_a_file_that_is_no_picture_is_damaged(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(data)
    with pytest.raises(DamagedError):
        open_picture(tmp_path / "a.jpg")


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for Ghostscript")
def test_a_picture_that_other_programs_would_draw_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ghostscript = tmp_path / "gs"
    ghostscript.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/started\nexit 1\n')
    ghostscript.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(EpsImagePlugin, "gs_binary", None)
    red_corner_picture().save(tmp_path / "a.eps")
    (tmp_path / "a.eps").rename(tmp_path / "a.jpg")
    with pytest.raises(DamagedError, match="no picture"):
        open_picture(tmp_path / "a.jpg")
    assert not (tmp_path / "started").exists()


def test_a_phones_picture_with_a_second_one_behind_it_is_a_picture(tmp_path: Path) -> None:
    picture = red_corner_picture()
    picture.save(tmp_path / "a.jpg", "MPO", save_all=True, append_images=[picture])
    assert open_picture(tmp_path / "a.jpg").picture.shape == (60, 100, 3)


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="No such file"):
        open_picture(tmp_path / "nowhere.jpg")


def test_names_in_any_alphabet_open(tmp_path: Path) -> None:
    folder = tmp_path / "Café 卡"
    folder.mkdir()
    red_corner_picture().save(folder / "卡.png")
    assert open_picture(folder / "卡.png").picture.shape == (60, 100, 3)


def test_a_folder_gives_its_pictures_by_name_and_nothing_else(tmp_path: Path) -> None:
    for name in ("b.PNG", "a.jpg", "c.jpeg", "d.webp", "e.bmp", "notes.txt", "f.gif"):
        (tmp_path / name).touch()
    (tmp_path / "inside.jpg").mkdir()
    assert [path.name for path in pictures_in(tmp_path)] == [
        "a.jpg",
        "b.PNG",
        "c.jpeg",
        "d.webp",
        "e.bmp",
    ]


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match="no picture"):
        pictures_in(tmp_path)


def test_a_folder_that_cannot_be_listed_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="gone: No such file"):
        pictures_in(tmp_path / "gone")
