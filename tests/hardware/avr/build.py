"""Builds the Arduino sketch with the Arduino core, and the program that runs it in simavr."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SKETCH = HERE.parents[2] / "hardware/firmware/arduino/bystander_lights/bystander_lights.ino"
ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")

APT_LINE = (
    "apt-get install gcc-avr avr-libc arduino-core-avr simavr libsimavr-dev libelf-dev gcc "
    "libc6-dev pkg-config"
)

_FLAGS = ["-mmcu=atmega328p", "-DF_CPU=16000000UL", "-DARDUINO=10808", "-DARDUINO_AVR_UNO",
          "-DARDUINO_ARCH_AVR", "-Os", "-w", "-ffunction-sections", "-fdata-sections",
          "-DDECIMAL_DIG=__DECIMAL_DIG__"]  # fmt: skip


def missing() -> str | None:
    """Return what is not there to build and run the sketch, in words; None when all is."""
    programs = [name for name in ("avr-gcc", "gcc", "pkg-config") if shutil.which(name) is None]
    if programs:
        return f"no {', '.join(programs)}: {APT_LINE}"
    if not (ARDUINO / "cores/arduino/Arduino.h").is_file():
        return f"no Arduino core: {APT_LINE}"
    if _run("pkg-config", "--exists", "simavr").returncode:
        return f"no simavr: {APT_LINE}"
    return None


def build(folder: Path) -> tuple[Path, Path]:
    """Return the program that runs a sketch, and the sketch as an ELF file.

    Raises:
        RuntimeError: a compiler refused; with what it said.
    """
    flags = _run("pkg-config", "--cflags", "--libs", "simavr").stdout.split()
    host = folder / "host"
    _must("gcc", "-O2", "-Wall", "-Wextra", "-o", host, HERE / "host.c", *flags, "-lelf")
    return host, build_sketch(folder)


def build_sketch(folder: Path, sketch: Path = SKETCH) -> Path:
    """Return a sketch as an ELF file for an Uno."""
    core = ARDUINO / "cores/arduino"
    include = [f"-I{core}", f"-I{ARDUINO / 'variants/standard'}"]
    objects = []
    wanted = ("main.cpp", "HardwareSerial.cpp", "HardwareSerial0.cpp", "Print.cpp", "WString.cpp",
              "abi.cpp", "new.cpp", "hooks.c", "wiring.c", "wiring_digital.c")  # fmt: skip
    for source in [core / name for name in wanted]:
        made = folder / f"{source.name}.o"
        _must(*_compiler(source), *_FLAGS, *include, "-c", source, "-o", made)
        objects.append(made)
    made = folder / "sketch.o"
    _must("avr-g++", "-std=gnu++11", "-fno-exceptions", *_FLAGS, *include, "-x", "c++",
          "-include", core / "Arduino.h", "-c", sketch, "-o", made)  # fmt: skip
    elf = folder / "sketch.elf"
    _must("avr-gcc", "-mmcu=atmega328p", "-Os", "-Wl,--gc-sections", "-o", elf, made, *objects)
    return elf


def _compiler(source: Path) -> list[str]:
    if source.suffix == ".c":
        return ["avr-gcc", "-std=gnu11"]
    return ["avr-g++", "-std=gnu++11", "-fno-exceptions", "-fno-threadsafe-statics"]


def _must(*command: str | Path) -> None:
    ended = _run(*command)
    if ended.returncode:
        raise RuntimeError(f"{command[0]} failed: {ended.stderr}")


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=120, check=False
    )
