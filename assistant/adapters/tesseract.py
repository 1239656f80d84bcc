"""Printed text by the tesseract program, where it is installed. It confirms; it is never needed.

The program is started directly, picture on its standard input and text from its output: the
pytesseract package goes by temporary files (whose clean-up fails on Windows, field report 34) and,
when time is up, kills only the program and not what the program started (33). Every failure ends
in "" and in one notice for the whole run. One call takes 0.1 to 0.3 s: never on a frame's path.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image

#: The player's own choice of program.
PROGRAM_SETTING = "BYSTANDER_TESSERACT"

TIME_LIMIT_S = 2.0

#: A busy machine may be slow once; so many times, and the program is not used any more.
SLOW_ALLOWED = 3

_REMEMBERED = 64


class Tesseract:
    """Reads short printed text. Use from one thread."""

    def __init__(self, notice: Callable[[str], None] = lambda _: None) -> None:
        """Start with nothing probed: the program is looked for at the first call."""
        self._notice = notice
        self._program: str | None = None
        self._failed: str | None = None
        self._slow = 0
        self._known: dict[bytes, str] = {}

    @property
    def failed(self) -> str | None:
        """What is wrong with the program, in words; None as long as nothing is."""
        return self._failed

    def probe(self) -> str | None:
        """Return the program's version, or None where it cannot be used (the notice is told)."""
        out = self._run(["--version"], b"")
        lines = out.decode(errors="replace").split("\n") if out is not None else []
        return lines[0].removeprefix("tesseract").strip() if lines and lines[0] else None

    def read_text(self, picture: npt.NDArray[np.uint8]) -> str:
        """Return the text in a picture, "" when there is none or it cannot be read.

        Args:
            picture: (height, width) grey or (height, width, 3) blue-green-red, uint8.
        """
        if self._failed is not None or picture.size == 0:
            return ""
        seen = hashlib.sha256(repr(picture.shape).encode() + picture.tobytes()).digest()
        if seen not in self._known:
            out = self._run(["stdin", "stdout", "--psm", "6", "-l", "eng"], _as_png(picture))
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[seen] = "" if out is None else out.decode(errors="replace").strip()
        return self._known[seen]

    def _run(self, words: list[str], given: bytes) -> bytes | None:
        """Return what the program wrote; None when it could not, told once and then never tried."""
        if self._failed is not None:
            return None
        self._program = self._program or shutil.which(os.environ.get(PROGRAM_SETTING, "tesseract"))
        if self._program is None:
            self._give_up("the tesseract program is not installed", _HOW_TO_GET)
            return None
        try:
            out, errors, code = _run_limited([self._program, *words], given)
        except subprocess.TimeoutExpired:
            self._slow += 1
            if self._slow == SLOW_ALLOWED:
                self._give_up(f"tesseract took more than {TIME_LIMIT_S:g} s, {self._slow} times")
            return None
        except OSError as error:
            self._give_up(f"{self._program} cannot be run ({error.strerror})")
            return None
        if code != 0:
            said = " ".join(errors.decode(errors="replace").split())[:160]
            self._give_up(f"tesseract failed: {said or f'exit code {code}'}")
            return None
        return out

    def _give_up(self, what: str, how: str = "") -> None:
        self._failed = what
        self._notice(f"{what}; keys are told by their keyholes alone{how}")


_HOW_TO_GET = " (to add it: sudo apt-get install -y tesseract-ocr)"


def _run_limited(command: list[str], given: bytes) -> tuple[bytes, bytes, int]:
    """Run a program in a process group of its own; kill the whole group when time is up.

    Raises:
        subprocess.TimeoutExpired: it ran too long and was killed.
        OSError: it cannot be started.
    """
    # More than one thread makes tesseract many times slower beside a busy reader (31).
    surroundings = {"OMP_THREAD_LIMIT": "1", **os.environ}
    process = subprocess.Popen(  # noqa: S603 - the player's own tesseract, no shell
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(given, TIME_LIMIT_S)
    except BaseException:
        _kill_group(process)
        raise
    return out, errors, process.returncode


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1.0)


def _as_png(picture: npt.NDArray[np.uint8]) -> bytes:
    shown = picture if picture.ndim == 2 else np.ascontiguousarray(picture[:, :, ::-1])
    stream = BytesIO()
    Image.fromarray(shown).save(stream, "PNG", compress_level=1)
    return stream.getvalue()
