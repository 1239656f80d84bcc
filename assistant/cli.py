"""The command line: parses, runs one command, and turns errors into one line and an exit code.

Exit codes: 0 done; 1 the answer is no or the input contradicts itself; 2 wrong usage; 3 something
in the world is missing. Every command's module has `add_parser(commands)`, which sets its function
`run(args) -> int` as the default; modules import what is heavy only inside `run`, so that the help
and the commands without pictures start at once.
"""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from assistant.commands.how_to_get import how_to_get
from assistant.core.errors import BystanderError, MissingError
from assistant.present.one_line import one_line

#: The commands in the order of the help; each is a module in assistant.commands.
COMMANDS = (
    "demo",
    "read",
    "solve",
    "poet",
    "play",
    "rules",
    "calibrate",
    "leds",
    "practice",
    "sessions",
    "doctor",
    "bench",
)

EXIT_USAGE, EXIT_MISSING = 2, 3


class OneLineParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Print the error as one line that names the help, and exit."""
        self.exit(EXIT_USAGE, f"{self.prog}: {one_line(message)} (see {self.prog} -h)\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = OneLineParser(
        prog="bystander",
        description="A table-top assistant for the printed cards of Black Sonata and "
        "The Fair Youth: a webcam reads the keyholes, Bystander keeps the deductions.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        import_module(f"assistant.commands.{name}").add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Errors become one line on stderr, no traceback."""
    # Must be set before cv2 is imported: opening a camera on Windows takes 10 s and more without.
    os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")
    # The reader's matrices are small: threads that share them out cost ten times what they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A damaged video must not fill the terminal with a decoder's own lines.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    _print_any_letter()
    args = build_parser().parse_args(argv)
    if getattr(args, "json", False):
        _print_any_letter(as_json=True)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except BystanderError as error:
        return _say(str(error), EXIT_MISSING if isinstance(error, MissingError) else EXIT_USAGE)
    except KeyboardInterrupt:
        return _say("stopped", 130)
    except BrokenPipeError:
        # The reader of our lines has gone (bystander … | head): nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # A name that no file can have, a folder that has gone: the world's, wherever it is met.
        what = f"{error.filename}: " if error.filename else ""
        return _say(f"{what}{error.strerror or error}", EXIT_MISSING)
    except ImportError as error:
        return _say(_missing_library(error), EXIT_MISSING)
    except Exception as error:  # noqa: BLE001 - the outermost frame: shown, never swallowed
        return _say(f"this is a fault in Bystander ({type(error).__name__}: {error})", 70)
    return code


def _print_any_letter(as_json: bool = False) -> None:
    r"""Have a letter that the terminal's alphabet lacks printed as \uXXXX, not end in an error.

    A folder may be called Café 卡 where the console knows neither (cp1252, LANG=C), and a file's
    name may be no text at all. JSON rows keep to ASCII there, so that they are JSON anywhere.
    """
    codecs.register_error("bystander", _escaped)
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if as_json and stream is sys.stdout and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(encoding="ascii", errors="bystander")
        else:
            stream.reconfigure(errors="bystander")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), error.end


def _missing_library(error: ImportError) -> str:
    text = str(error)
    if error.name in ("tkinter", "_tkinter"):
        return f"Python is here without Tk, which draws the windows; to get it: {how_to_get('Tk')}"
    if not isinstance(error, ModuleNotFoundError) and (error.name == "cv2" or ".so" in text):
        library = text.partition(":")[0]
        return f"OpenCV misses a system library ({library}); type: {how_to_get('OpenCV')}"
    return f"a Python package is missing ({text}); type: pip install bystander"


def _say(line: str, code: int) -> int:
    print(f"bystander: {one_line(line)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
