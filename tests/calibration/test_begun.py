"""What a begun calibration keeps: its icons, whole, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assistant.core.errors import DamagedError
from assistant.core.terms import Feature, Location
from calibration.begun import BEGUN_FILE, Begun


def patch(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 255, (110 + seed, 120), np.uint8)


def test_icons_come_back_from_their_file_as_they_were() -> None:
    kept = {
        (Feature.CHURCH, Location.ST_PAULS): [patch(1), patch(2)],
        (Feature.TAVERN, Location.LONDON_BRIDGE): [patch(3)],
    }
    back = Begun.from_files(Begun(kept).to_files()).patches
    assert set(back) == set(kept)
    for key, seen in kept.items():
        assert all(np.array_equal(a, b) for a, b in zip(back[key], seen, strict=True))


def test_no_file_means_that_nothing_was_begun() -> None:
    assert dict(Begun.from_files({}).patches) == {}


@pytest.mark.parametrize("data", [b"", b"torn", b"PK\x03\x04 torn"])
def test_a_torn_file_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedError, match="calibrate again"):
        Begun.from_files({BEGUN_FILE: data})


def test_a_half_written_file_is_damaged() -> None:
    whole = Begun({(Feature.CHURCH, Location.CORNHILL): [patch(1)]}).to_files()[BEGUN_FILE]
    with pytest.raises(DamagedError):
        Begun.from_files({BEGUN_FILE: whole[: len(whole) // 2]})


@pytest.mark.parametrize("odd", [np.zeros((9, 9, 3), np.uint8), np.zeros((9, 9), np.float32)])
def test_what_is_no_grey_picture_is_damage(odd: np.ndarray[tuple[int, ...], np.dtype[Any]]) -> None:
    files = Begun({(Feature.CHURCH, Location.CORNHILL): [odd]}).to_files()
    with pytest.raises(DamagedError, match="church/Cornhill"):
        Begun.from_files(files)
