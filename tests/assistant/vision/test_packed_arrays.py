"""Files of arrays from strangers: read, or refused with one kind of error."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.vision.packed_arrays import MOST_UNPACKED_BYTES, unpacked

ARRAYS: dict[str, npt.NDArray[Any]] = {
    "keys/ink": np.arange(5000, dtype=np.uint8).reshape(50, 100),
    "points": np.linspace(0, 1, 30, dtype=np.float32).reshape(15, 2),
}


def packed(*, small: bool = True) -> bytes:
    stream = io.BytesIO()
    save = np.savez_compressed if small else np.savez
    save(stream, **ARRAYS)  # type: ignore[arg-type]  # names are ours
    return stream.getvalue()


@pytest.mark.parametrize("small", [True, False])
def test_arrays_come_back_by_name(small: bool) -> None:
    found = unpacked(packed(small=small))
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


@settings(max_examples=300, deadline=None)
@given(
    small=st.booleans(),
    changes=st.lists(st.tuples(st.integers(-400, 400), st.integers(0, 255)), min_size=1),
    cut=st.one_of(st.just(0), st.integers(1, 600)),
)
def test_whatever_bytes_change_it_is_arrays_or_a_value_error(
    small: bool, changes: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(packed(small=small))
    for place, value in changes:
        data[place] = value
    try:
        found = unpacked(bytes(data[: len(data) - cut]))
    except ValueError:
        return
    assert all(isinstance(array, np.ndarray) for array in found.values())


def test_a_small_file_that_would_unpack_to_all_memory_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        piece = bytes(2**20)
        with archive.open("a.npy", "w", force_zip64=True) as member:
            for _ in range(MOST_UNPACKED_BYTES // len(piece) + 1):
                member.write(piece)
    assert len(stream.getvalue()) < 2**20
    with pytest.raises(ValueError, match="unpack to"):
        unpacked(stream.getvalue())


def test_an_array_that_claims_to_be_larger_than_its_file_is_refused() -> None:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "|u1", "fortran_order": False, "shape": (2**50,)}
    )
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("a.npy", stream.getvalue())
    with pytest.raises(ValueError, match=r"."):
        unpacked(archive.getvalue())


def test_objects_are_never_unpickled() -> None:
    stream = io.BytesIO()
    np.savez(stream, a=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        unpacked(stream.getvalue())
