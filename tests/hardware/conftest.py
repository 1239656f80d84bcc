"""What the tests of the firmware share: the sketch built once, boards that are ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hardware.avr.build import build, missing
from tests.hardware.devices import ArduinoDevice


@pytest.fixture(scope="session")
def arduino_build(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The program that runs the sketch in simavr, and the sketch; skipped without the tools."""
    if (lacking := missing()) is not None:
        pytest.skip(lacking)
    return build(tmp_path_factory.mktemp("avr"))


@pytest.fixture
def arduino(arduino_build: tuple[Path, Path]) -> Iterator[ArduinoDevice]:
    """An Arduino that has just got its current."""
    made = ArduinoDevice(*arduino_build)
    yield made
    made.close()
