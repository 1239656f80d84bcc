"""Text that others wrote (names of files, words of a library) put into one harmless line."""

from __future__ import annotations

import unicodedata

#: Letters of a line; a longer one (a name of a million letters) loses its middle.
LONGEST_LINE = 1000

#: Kinds of letters that are no letters: controls, marks that turn the direction of writing, halves
#: of a pair, ends of a line. A file's name may hold any of them, and a terminal obeys them.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    r"""Return a text as one line of at most `longest` letters and a few, nothing in it unseen.

    White space of any kind becomes a space, what cannot be seen its number (\u001b).
    """
    line = " ".join(text.split())
    if len(line) > longest:
        line = f"{line[: longest // 2]} … {line[-longest // 2 :]}"
    return "".join(map(_seen, line))


def _seen(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if unicodedata.category(letter) in _UNSEEN else letter
