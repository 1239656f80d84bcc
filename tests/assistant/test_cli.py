"""The command line: one line per error, the right exit code, no traceback, quick to start."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import assistant.commands
from assistant import cli
from assistant.commands.how_to_get import how_to_get
from assistant.core.errors import (
    BoardLostError,
    CameraLostError,
    DamagedError,
    MissingError,
    UnknownNameError,
    UsageError,
)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command as the shell would; return its exit code and what it wrote."""
    try:
        code = cli.main(words)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def one_line(err: str) -> str:
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert err.startswith("bystander")
    return err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("juggle",),
        ("read",),
        ("read", "--threads", "0", "x"),
        ("demo", "--seed", "x"),
        ("bench", "--sizes", "12"),
        ("solve", "--youth", "Nowhere=church"),
        ("solve", "--youth", "Cornhill=castle"),
        ("solve", "--youth", "S=church"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_two(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    one_line(err)


def test_a_location_that_does_not_exist_is_answered_with_the_choices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = run(capsys, "solve", "--youth", "Camelot=church")
    assert code == 2
    assert "Camelot" in one_line(err)
    assert "Liberty of the Clink" in err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("what"), 2),
        (UnknownNameError("what"), 2),
        (MissingError("no file"), 3),
        (DamagedError("torn"), 3),
        (CameraLostError("gone"), 3),
        (BoardLostError("gone"), 3),
        (ValueError("a fault\nin two lines"), 70),
        (KeyboardInterrupt(), 130),
        (ImportError("libGL.so.1: cannot open shared object file: No such file"), 3),
        (ModuleNotFoundError("No module named 'cv2'"), 3),
    ],
)
def test_each_kind_of_error_has_its_exit_code_and_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise error

    fail_with(monkeypatch, fail)
    given, out, err = run(capsys, "solve")
    assert given == code
    assert out == ""
    one_line(err)


def fail_with(
    monkeypatch: pytest.MonkeyPatch, function: Callable[[argparse.Namespace], int]
) -> None:
    monkeypatch.setattr("assistant.commands.solve.run", function)


def test_missing_system_libraries_of_opencv_are_told_with_the_line_to_type(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")

    fail_with(monkeypatch, fail)
    _, _, err = run(capsys, "solve")
    assert "libGL.so.1" in err
    assert "sudo apt-get install -y libgl1 libglib2.0-0" in err


@pytest.mark.parametrize(
    ("error", "how"),
    [
        (
            ImportError("libtk8.6.so: cannot open shared object file", name="_tkinter"),
            how_to_get("Tk"),
        ),
        (ModuleNotFoundError("No module named '_tkinter'", name="_tkinter"), how_to_get("Tk")),
        (ModuleNotFoundError("No module named 'tkinter'", name="tkinter"), how_to_get("Tk")),
        (ImportError("DLL load failed while importing cv2", name="cv2"), how_to_get("OpenCV")),
        (ModuleNotFoundError("No module named 'cv2'", name="cv2"), "pip install bystander"),
    ],
)
def test_each_missing_library_is_told_with_its_own_line_to_type(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: ImportError,
    how: str,
) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise error

    fail_with(monkeypatch, fail)
    code, _, err = run(capsys, "solve")
    assert code == 3
    assert one_line(err).endswith(f": {how}\n")


def test_a_reader_of_the_output_who_leaves_early_is_no_error(tmp_path: Path) -> None:
    code = (
        "import sys; from assistant import cli\n"
        "sys.exit(cli.main(['solve'] + ['--youth', 'Cornhill=church', '--json']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(20) == 0
    assert errors == b""


def test_every_module_with_a_parser_is_a_command_of_the_help() -> None:
    folder = Path(assistant.commands.__path__[0])
    with_parser = {
        path.stem
        for path in folder.glob("*.py")
        if path.stem != "__init__"
        and hasattr(import_module(f"assistant.commands.{path.stem}"), "add_parser")
    }
    # `leds_simulate` adds to `leds`, not to the command line.
    of_others = {name for name in with_parser if name.partition("_")[0] in cli.COMMANDS}
    assert with_parser - (of_others - set(cli.COMMANDS)) == set(cli.COMMANDS)


@pytest.mark.parametrize("words", [["--help"], ["solve", "--youth", "Cornhill=church"]])
def test_help_and_solve_load_neither_opencv_nor_numpy_nor_tk(words: list[str]) -> None:
    code = (
        "import sys; from assistant import cli\n"
        f"try: cli.main({words!r})\n"
        "except SystemExit: pass\n"
        "heavy = {'cv2', 'numpy', 'tkinter', 'PIL', 'serial', 'reportlab'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, env=dict(os.environ)
    )


def test_what_the_system_refuses_is_told_by_the_file_s_name_where_it_has_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(error: OSError) -> str:
        def fail(args: argparse.Namespace) -> int:
            raise error

        fail_with(monkeypatch, fail)
        code, out, err = run(capsys, "solve")
        assert (code, out) == (3, "")
        return one_line(err)

    assert failing(OSError(28, "No space left on device", "/mnt/a.jsonl")) == (
        "bystander: /mnt/a.jsonl: No space left on device\n"
    )
    assert failing(OSError(28, "No space left on device")) == (
        "bystander: No space left on device\n"
    )
    assert failing(OSError("the pipe is torn")) == "bystander: the pipe is torn\n"
