"""What others wrote, in one harmless line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.present.one_line import LONGEST_LINE, one_line


def test_words_and_letters_of_any_language_stay() -> None:
    assert one_line("Café 卡: “no such log”, 4 mm") == "Café 卡: “no such log”, 4 mm"


def test_what_a_terminal_would_obey_is_shown_by_its_number() -> None:
    assert one_line("a\x1b[2Jb\x07") == "a\\u001b[2Jb\\u0007"
    assert one_line("gpj.\u202eexe") == "gpj.\\u202eexe"
    assert one_line("caf\udce9") == "caf\\udce9"


def test_lines_and_tabs_become_spaces() -> None:
    assert one_line(" one\r\n\ttwo\u2028three ") == "one two three"


def test_a_long_line_loses_its_middle() -> None:
    line = one_line("a" * 500_000 + "b" * 500_000)
    assert line[:10] == "a" * 10
    assert line[-10:] == "b" * 10
    assert LONGEST_LINE <= len(line) < LONGEST_LINE + 10


@given(st.text())
def test_it_is_always_one_line_that_can_be_printed(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    line.encode()
    assert one_line(line) == line
