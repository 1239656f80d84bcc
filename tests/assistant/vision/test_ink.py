from __future__ import annotations

import numpy as np
import pytest

from assistant.vision.ink import ink_of


def printed(paper: float = 200.0) -> np.ndarray:
    """Return paper with a bar of print 2 mm wide at 4 px per mm, a quarter as bright."""
    grey = np.full((120, 120), paper)
    grey[30:90, 56:64] = paper / 4
    return grey


def test_print_is_the_share_of_light_that_it_takes() -> None:
    ink = ink_of(printed().astype(np.uint8), 4.0)
    assert ink[60, 60] == pytest.approx(0.75, abs=0.02)
    assert ink[60, 20] == 0


def test_ink_is_the_same_under_any_lamp() -> None:
    slope = np.linspace(0.5, 1.2, 120)[:, None]
    even = ink_of(printed().astype(np.uint8), 4.0)
    sloping = ink_of(np.clip(printed() * slope, 0, 255).astype(np.uint8), 4.0)
    assert np.abs(even - sloping).max() < 0.12
    dim = ink_of((printed() * 0.3).astype(np.uint8), 4.0)
    assert np.abs(even - dim).max() < 0.04


def test_bare_paper_has_no_ink() -> None:
    assert ink_of(np.full((50, 70), 130, np.uint8), 4.0).max() == 0


def test_black_is_not_divided_by() -> None:
    assert np.isfinite(ink_of(np.zeros((50, 50), np.uint8), 4.0)).all()
