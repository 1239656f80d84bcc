from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from assistant.core.errors import DamagedError
from assistant.core.terms import Location
from assistant.vision.profile import (
    ARRAYS_FILE,
    FACE_SHAPE,
    MOST_BYTES,
    TOML_FILE,
    CardProfile,
    Face,
)
from assistant.vision.sighting import Side
from tests.assistant.vision.practice_profile import practice_profile


def test_a_profile_comes_back_from_its_files_as_it_was() -> None:
    profile = practice_profile()
    back = CardProfile.from_files(profile.to_files())
    assert back.keyholes == profile.keyholes
    assert len(back.faces) == 22
    for before, after in zip(profile.faces, back.faces, strict=True):
        assert (before.location, before.side, before.shots) == (
            after.location,
            after.side,
            after.shots,
        )
        assert (before.ink == after.ink).all()
        assert (before.weight == after.weight).all()
    for old, new in zip(profile.glyphs, back.glyphs, strict=True):
        assert (old.content, old.offset_mm, old.is_exact) == (
            new.content,
            new.offset_mm,
            new.is_exact,
        )
        assert (old.ink == new.ink).all()


def test_the_facts_of_a_profile_can_be_read_by_a_person() -> None:
    text = practice_profile().to_files()[TOML_FILE].decode()
    assert 'location = "Cornhill"' in text
    assert 'value = "tavern"' in text


@pytest.mark.parametrize("missing", [TOML_FILE, ARRAYS_FILE])
def test_a_missing_file_is_named(missing: str) -> None:
    files = practice_profile().to_files()
    del files[missing]
    with pytest.raises(DamagedError, match=missing):
        CardProfile.from_files(files)


def test_another_version_is_told_apart_from_damage() -> None:
    files = practice_profile().to_files()
    files[TOML_FILE] = files[TOML_FILE].replace(b"format = 1", b"format = 99")
    with pytest.raises(DamagedError, match="format 99"):
        CardProfile.from_files(files)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (TOML_FILE, b"\xff\xfe not text"),
        (TOML_FILE, b"format = ["),
        (TOML_FILE, b'format = 1\n[[face]]\nlocation = "Atlantis"\nside = "back"\n'),
        (TOML_FILE, b'format = 1\n[[face]]\nlocation = "Cornhill"\n'),
        (TOML_FILE, b'format = 1\nface = "none"\n'),
        pytest.param(TOML_FILE, b"format = " + b"[" * 200_000, id="brackets"),
        (ARRAYS_FILE, b""),
        (ARRAYS_FILE, b"PK\x03\x04 torn"),
    ],
)
def test_damage_is_one_clear_error(name: str, content: bytes) -> None:
    files = {**practice_profile().to_files(), name: content}
    with pytest.raises(DamagedError, match="damaged"):
        CardProfile.from_files(files)


@pytest.mark.parametrize("length", ["nan", "inf", "-1e300", "69.0", '"wide"'])
def test_a_length_that_no_card_has_is_damage(length: str) -> None:
    files = dict(practice_profile().to_files())
    for name in (r"centre_x_mm = ", r"offset_mm = \["):
        text = re.sub(rf"({name})[^,\n]+", rf"\g<1>{length}", files[TOML_FILE].decode(), count=1)
        assert length in text
        with pytest.raises(DamagedError, match="damaged"):
            CardProfile.from_files({**files, TOML_FILE: text.encode()})


@pytest.mark.parametrize("name", ["radius_mm", "stem_width_top_mm", "centre_y_mm"])
@pytest.mark.parametrize("length", ["-4.0", "0.0"])
def test_a_hole_that_no_knife_cuts_is_damage(name: str, length: str) -> None:
    files = dict(practice_profile().to_files())
    text = re.sub(rf"({name} = ).*", rf"\g<1>{length}", files[TOML_FILE].decode(), count=1)
    with pytest.raises(DamagedError, match="no hole"):
        CardProfile.from_files({**files, TOML_FILE: text.encode()})


def test_a_key_without_a_hole_is_damage() -> None:
    whole = practice_profile()
    left = dict(whole.keyholes)
    del left[Location.EASTCHEAP]
    with pytest.raises(DamagedError, match="no keyhole of Eastcheap"):
        CardProfile.from_files(replace(whole, keyholes=left).to_files())


@pytest.mark.parametrize("ink", [np.zeros((0, 40)), np.zeros((40, 0)), np.zeros((900, 40)),
                                 np.full((40, 40), np.nan)])  # fmt: skip
def test_a_glyph_that_fits_into_no_hole_is_damage(ink: npt.NDArray[np.float64]) -> None:
    whole = practice_profile()
    odd = replace(whole.glyphs[0], ink=ink.astype(np.float32))
    with pytest.raises(DamagedError, match="no shape"):
        CardProfile.from_files(replace(whole, glyphs=(odd, *whole.glyphs[1:])).to_files())


@pytest.mark.parametrize("offset", ["[4.6, 0.0]", "[0.0, -30.0]", "[nan, 0.0]"])
def test_a_glyph_that_lies_beside_the_hole_is_damage(offset: str) -> None:
    files = dict(practice_profile().to_files())
    text = re.sub(r"offset_mm = .*", f"offset_mm = {offset}", files[TOML_FILE].decode(), count=1)
    with pytest.raises(DamagedError, match="offset_mm"):
        CardProfile.from_files({**files, TOML_FILE: text.encode()})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("[[glyph]]", "[[g2yph]]"), "g2yph"),
        (('[[glyph]]\nkind = "icon"', '[[face]]\nkind = "icon"'), "damaged"),
        (("[[keyhole]]", "[[keyhoie]]"), "keyhoie"),
    ],
)
def test_a_misspelt_part_is_damage_and_never_gives_its_place_to_the_next(
    change: tuple[str, str], told: str
) -> None:
    files = dict(practice_profile().to_files())
    text = files[TOML_FILE].decode().replace(*change, 1)
    assert text != files[TOML_FILE].decode()
    with pytest.raises(DamagedError, match=told):
        CardProfile.from_files({**files, TOML_FILE: text.encode()})


def test_any_maker_comes_back() -> None:
    maker = 'Ada "the quick" \\ Café'
    files = replace(practice_profile(), made_by=maker).to_files()
    assert CardProfile.from_files(files).made_by == maker


def test_torn_arrays_are_damage_wherever_they_are_cut() -> None:
    files = practice_profile().to_files()
    whole = files[ARRAYS_FILE]
    for share in (0.1, 0.5, 0.9, 0.999):
        files[ARRAYS_FILE] = whole[: int(len(whole) * share)]
        with pytest.raises(DamagedError):
            CardProfile.from_files(files)


def test_pickled_arrays_are_never_opened() -> None:
    stored = io.BytesIO()
    np.savez(stored, **{"back/Cornhill/ink": np.array([object()])})  # type: ignore[arg-type]
    files = {
        TOML_FILE: b'format = 1\n[[face]]\nlocation = "Cornhill"\nside = "back"\nshots = 1\n',
        ARRAYS_FILE: stored.getvalue(),
    }
    with pytest.raises(DamagedError):
        CardProfile.from_files(files)


def test_a_profile_holds_no_picture_of_a_card() -> None:
    # Ink maps only: paper, whatever its colour, is 0 in them.
    for face in practice_profile().faces:
        assert np.median(face.ink) < 20
        assert face.ink.ndim == 2


def test_a_face_of_another_shape_is_refused() -> None:
    right, wrong = np.zeros(FACE_SHAPE, np.uint8), np.zeros((10, 10), np.uint8)
    location = practice_profile().faces[0].location
    with pytest.raises(ValueError, match="weight"):
        Face(location, Side.BACK, right, wrong)


@pytest.mark.parametrize("name", [TOML_FILE, ARRAYS_FILE])
def test_a_file_too_large_to_be_a_profile_s_is_not_even_looked_into(name: str) -> None:
    files = dict(practice_profile().to_files())
    files[name] = bytes(MOST_BYTES + 1)
    with pytest.raises(DamagedError, match=f"{name} is too large"):
        CardProfile.from_files(files)


@pytest.mark.parametrize("offset", ["[1.0]", "[1.0, 2.0, 3.0]", "1.0", '"1.0"'])
def test_a_glyph_s_place_is_two_numbers(offset: str) -> None:
    files = dict(practice_profile().to_files())
    text = re.sub(r"offset_mm = .*", f"offset_mm = {offset}", files[TOML_FILE].decode(), count=1)
    with pytest.raises(DamagedError, match="offset_mm"):
        CardProfile.from_files({**files, TOML_FILE: text.encode()})


@pytest.mark.parametrize("ink", [np.zeros((40, 40, 3), np.float32), np.zeros((40, 40), np.uint8)])
def test_a_glyph_is_ink_in_rows_and_columns(ink: npt.NDArray[np.float32]) -> None:
    whole = practice_profile()
    odd = replace(whole.glyphs[0], ink=ink)
    with pytest.raises(DamagedError, match="glyph 0"):
        CardProfile.from_files(replace(whole, glyphs=(odd, *whole.glyphs[1:])).to_files())
