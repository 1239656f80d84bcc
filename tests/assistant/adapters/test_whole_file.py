"""Files that somebody else put there: read within bounds, even where they tell no size."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.adapters.whole_file import read_whole


def test_a_file_is_read_up_to_its_bound_and_refused_above_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    assert read_whole(path, most_bytes=10) == b"x" * 10
    with pytest.raises(OSError, match="larger than"):
        read_whole(path, most_bytes=9)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_file_that_tells_no_size_is_bounded_by_what_it_gives() -> None:
    told = Path("/proc/self/status")
    assert told.stat().st_size == 0
    assert read_whole(told).startswith(b"Name:")
    with pytest.raises(OSError, match="larger than"):
        read_whole(told, most_bytes=5)
