"""Printed text by the tesseract program, where it is installed. It confirms; it is never needed.

The program is reached through pytesseract, with three of its habits mended (see _mended): when time
is up it kills only the program and not what the program started (field report 33), a temporary file
that Windows still holds costs the text already read (34), and it leaves the number of threads open,
which makes tesseract many times slower beside a busy reader (31). Every failure ends in "" and in
one notice for the whole run. One call takes 0.1 to 0.3 s: never on a frame's path.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

#: The player's own choice of program.
PROGRAM_SETTING = "BYSTANDER_TESSERACT"

#: At the table; and where cards are learnt from pictures, and a busy machine may take its time.
TIME_LIMIT_S, PATIENT_S = 2.0, 8.0

#: A busy machine may be slow once; so many times, and the program is not used any more.
SLOW_ALLOWED = 3

_REMEMBERED = 64


class Tesseract:
    """Reads short printed text. Use from one thread."""

    def __init__(
        self, notice: Callable[[str], None] = lambda _: None, limit_s: float | None = None
    ) -> None:
        """Start with nothing probed: the program is looked for at the first call.

        `limit_s`: how long a call may take; as at the table if it is not named.
        """
        self._notice = notice
        self._limit_s = TIME_LIMIT_S if limit_s is None else limit_s
        self._failed: str | None = None
        self._slow = 0
        self._known: dict[bytes, str] = {}

    @property
    def failed(self) -> str | None:
        """What is wrong with the program, in words; None as long as nothing is."""
        return self._failed

    def probe(self) -> str | None:
        """Return the program's version, or None where it cannot be used.

        `failed` and the notice say why. One that was too slow for a bare sheet counts as of no use.
        """
        self.read_text(np.full((40, 120), 255, np.uint8))
        if self._failed is None and self._slow:
            self._give_up(f"tesseract took more than {self._limit_s:g} s")
        program = _program()
        return None if self._failed is not None or program is None else _version(program)

    def read_text(self, picture: npt.NDArray[np.uint8]) -> str:
        """Return the text in a picture, "" when there is none or it cannot be read.

        Args:
            picture: (height, width) grey or (height, width, 3) blue-green-red, uint8.
        """
        if self._failed is not None or picture.size == 0:
            return ""
        seen = hashlib.sha256(repr(picture.shape).encode() + picture.tobytes()).digest()
        if seen not in self._known:
            text = self._read(picture)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[seen] = text
        return self._known[seen]

    def _read(self, picture: npt.NDArray[np.uint8]) -> str:
        """Return the text; "" when the program could not, told once and then never tried."""
        program = _program()
        if program is None:
            self._give_up("the tesseract program is not installed", _HOW_TO_GET)
            return ""
        front = _mended()
        front.tesseract_cmd = program
        shown = picture if picture.ndim == 2 else np.ascontiguousarray(picture[:, :, ::-1])
        try:
            text = front.image_to_string(shown, "eng", "--psm 6", timeout=self._limit_s)
        except front.TesseractError as error:
            said = " ".join(str(error.message).split())[:160]
            self._give_up(f"tesseract failed: {said or f'exit code {error.status}'}")
        except RuntimeError:
            # Time was up. (TesseractError is one, too, and stands first.)
            self._slow += 1
            if self._slow == SLOW_ALLOWED:
                self._give_up(f"tesseract took more than {self._limit_s:g} s, {self._slow} times")
        except FileNotFoundError:
            self._give_up("tesseract failed: it wrote nothing")
        except OSError as error:
            self._give_up(f"{program} cannot be run ({error.strerror or error})")
        except UnicodeDecodeError:
            self._give_up("tesseract failed: what it says is not in UTF-8")
        else:
            return str(text).strip()
        return ""

    def _give_up(self, what: str, how: str = "") -> None:
        self._failed = what
        self._notice(f"{what}; keys are told by their keyholes alone{how}")


def _program() -> str | None:
    return shutil.which(os.environ.get(PROGRAM_SETTING, "tesseract"))


def _version(program: str) -> str:
    """Return a working program's version; pytesseract's own way ends the process if unheard of."""
    said = b""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(  # noqa: S603 - the player's own choice of program
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIME_LIMIT_S,
            check=False,
        ).stdout
    number = re.search(rb"\d+(?:\.\d+)+", said)
    return "version unknown" if number is None else number[0].decode("ascii")


_HOW_TO_GET = " (to add it: sudo apt-get install -y tesseract-ocr)"


@functools.cache
def _mended() -> Any:
    """Return the pytesseract module with its three habits mended; the same one every time."""
    import pytesseract.pytesseract as front  # noqa: PLC0415 - slow to import, rarely needed

    words_of = front.subprocess_args
    clean_up = front.cleanup

    def subprocess_args(include_stdout: bool = True) -> dict[str, Any]:
        words: dict[str, Any] = words_of(include_stdout)
        words["env"] = {"OMP_THREAD_LIMIT": "1", **os.environ}
        words["start_new_session"] = os.name == "posix"
        return words

    def kill(process: subprocess.Popen[bytes], code: int) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1.0)
        process.returncode = code

    def cleanup(temp_name: str) -> None:
        with contextlib.suppress(OSError):
            clean_up(temp_name)

    front.subprocess_args, front.kill, front.cleanup = subprocess_args, kill, cleanup
    return front
