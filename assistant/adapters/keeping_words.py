"""Sizes in words, for commands that load no camera."""

from __future__ import annotations


def megabytes(size: int) -> str:
    """Return a size in words: "12 kB", "3.4 MB", "312 MB"."""
    if size < 1e6:
        return f"{-(-size // 1000)} kB"
    mega = size / 1e6
    return f"{mega:.0f} MB" if mega >= 10 else f"{mega:.1f} MB"
