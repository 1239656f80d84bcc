"""Every command that a README shows is run by a test: here, or by the test that is named here.

A new command in a README fails this file until it is in one of the two lists. Of a test that is
named here its words are looked for in the test's text, so that it is the one that types them.
"""

from __future__ import annotations

import ast
import inspect
import re
import shlex
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

from assistant.adapters.log_file import LogFile
from assistant.adapters.profiles import save_profile
from assistant.cli import build_parser, main
from hardware.ports import Port, UsbId
from tests.assistant.journal.whole_game import whole_game
from tests.assistant.vision.practice_profile import practice_profile

ROOT = Path(__file__).resolve().parents[1]
READMES = [
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "hardware/README.md")
]

#: Run here, in a folder of their own with one log, one picture and a card profile.
RUN_HERE = {
    "bystander --help": "a webcam reads the keyholes",
    'bystander solve --youth "Cornhill=church" --rendezvous "Blackfriars=2"': "Cornhill=church",
    "bystander rules": "walk",
    "bystander practice sheets deck.pdf": "deck.pdf",
    "bystander read FILE-OR-FOLDER…": "no location key is in view",
    "bystander sessions list": "turns",
    "bystander sessions show last": "A game begins",
    "bystander sessions export last": "evening.html",
    "bystander sessions check --repair": "sound",
    "bystander sessions stats --html plots.html": "plots.html",
    "bystander sessions delete NAME": "deleted",
    "bystander leds list": "/dev/ttyACM7 Raspberry Pi Pico",
    "bystander leds firmware FOLDER": "main.py",
    "bystander leds template OUT.pdf --width MM --height MM": "OUT.pdf",
}

_COMMANDS = "tests.assistant.commands"
_WINDOW = "tests.assistant.ui.test_play_cli:test_the_window_opens_and_ends_clean_when_it_is_stopped"

#: Run by a test of its own: it takes a film, a display, a board, or some time.
RUN_ELSEWHERE = {
    "bystander demo": f"{_COMMANDS}.test_demo:"
    "test_the_demo_ends_right_and_its_log_says_what_it_read",
    "bystander demo --leds PORT": f"{_COMMANDS}.test_demo:"
    "test_a_demo_lights_the_board_whose_port_is_named",
    "bystander demo --leds console": f"{_COMMANDS}.test_demo:"
    "test_a_demo_draws_its_lights_in_the_terminal",
    "bystander doctor": f"{_COMMANDS}.test_doctor:test_all_that_the_contract_names_is_checked",
    "bystander calibrate --from FOLDER": f"{_COMMANDS}.test_calibrate:"
    "test_a_deck_is_learnt_kept_and_told",
    "bystander calibrate --stacks FOLDER": f"{_COMMANDS}.test_calibrate:"
    "test_stacks_teach_digits_and_lady_in_the_profile_s_own_place",
    "bystander read --camera 0": f"{_COMMANDS}.test_read_live:"
    "test_a_stack_under_a_live_camera_is_printed_and_ctrl_c_ends_it",
    "bystander play": _WINDOW,
    "bystander play --camera practice": _WINDOW,
    "bystander play --resume": _WINDOW,
    "bystander sessions reread NAME": f"{_COMMANDS}.test_demo:"
    "test_a_demo_s_film_can_be_read_again_without_cards_of_one_s_own",
    "bystander leds simulate": f"{_COMMANDS}.test_leds:"
    "test_a_simulated_board_prints_its_port_and_ends_by_itself",
    "bystander leds test PORT": f"{_COMMANDS}.test_leds:"
    "test_a_test_lights_each_light_alone_and_tells_its_place",
    "bystander leds map PORT": f"{_COMMANDS}.test_leds:"
    "test_the_order_is_asked_light_by_light_and_kept",
    "bystander leds off": f"{_COMMANDS}.test_leds:test_off_leaves_the_board_dark",
    "bystander bench": f"{_COMMANDS}.test_bench:"
    "test_own_pictures_are_measured_beside_orb_and_sift_in_one_run",
    "bystander bench --readings": f"{_COMMANDS}.test_bench_readings:"
    "test_practice_pictures_are_counted_by_what_the_table_showed_and_read_right",
}

#: Needs a camera; what its window does is tested, with drawn cards before it, in that test.
ONLY_ITS_WINDOW = {
    "bystander calibrate": "tests.assistant.ui.test_wizard_view:"
    "test_from_nothing_to_a_profile_that_reads_in_one_sitting",
}


def shown() -> set[str]:
    """Every bystander command that a README shows: in a block, indented, or in the text."""
    found = set()
    for text in READMES:
        blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines()]
        lines += [line for line in text.splitlines() if line.startswith("    ")]
        lines += re.findall(r"`([^`\n]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        typed = [part for line in lines for part in line.partition("#")[0].split("&&")]
        found |= {part.strip().removeprefix(".venv/bin/") for part in typed}
    return {line for line in found if line.startswith("bystander ")}


def test_every_command_shown_is_run_by_a_test_and_no_other_is_listed() -> None:
    assert shown() == RUN_HERE.keys() | RUN_ELSEWHERE.keys() | ONLY_ITS_WINDOW.keys()


@pytest.mark.parametrize("line", sorted(RUN_ELSEWHERE))
def test_the_test_that_runs_a_command_is_there_and_types_its_words(line: str) -> None:
    words = [word for word in shlex.split(line)[1:] if not word.isupper() and not word.isdigit()]
    text = with_what_it_calls(RUN_ELSEWHERE[line])
    assert [word for word in words if f'"{word}"' not in text] == []
    assert callable(build_parser().parse_args(shlex.split(line)[1:]).run)


@pytest.mark.parametrize("line", sorted(ONLY_ITS_WINDOW))
def test_the_test_of_a_command_s_window_is_there(line: str) -> None:
    assert with_what_it_calls(ONLY_ITS_WINDOW[line])
    assert callable(build_parser().parse_args(shlex.split(line)[1:]).run)


def with_what_it_calls(test: str) -> str:
    """The text of a test, its marks included, and of the functions and fixtures that it uses."""
    module, _, name = test.partition(":")
    source = inspect.getsource(import_module(module))
    functions = {
        node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)
    }
    own = functions[name]
    text = _written(source, own)
    used = {*re.findall(r"\b(\w+)\(", text), *(given.arg for given in own.args.args)} - {name}
    return text + "".join(_written(source, functions[f]) for f in sorted(used & functions.keys()))


def _written(source: str, function: ast.FunctionDef) -> str:
    first = min([function.lineno, *(mark.lineno for mark in function.decorator_list)])
    return "\n".join(source.splitlines()[first - 1 : function.end_lineno])


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's folder after an evening: a log, a card profile, a folder with one picture."""
    home = tmp_path / "home"
    monkeypatch.setenv("BYSTANDER_HOME", str(home))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.chdir(tmp_path)
    log = LogFile(home / "sessions" / "evening.jsonl")
    for event in whole_game(13, 6):
        log.append(event)
    log.close()
    save_profile(practice_profile(), home / "profile")
    pico = Port("/dev/ttyACM7", UsbId(0x2E8A, 0x000A, "E66"), "Raspberry Pi Pico")
    monkeypatch.setattr("hardware.ports.usb_ports", lambda: [pico])
    (tmp_path / "FILE-OR-FOLDER").mkdir()
    Image.new("RGB", (320, 180), "tan").save(tmp_path / "FILE-OR-FOLDER" / "bare.png")
    return tmp_path


@pytest.mark.parametrize("line", sorted(RUN_HERE))
def test_a_command_shown_does_what_it_says(
    line: str, evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = line.replace("…", "").replace("NAME", "evening").replace(" MM", " 300")
    try:
        code = main(shlex.split(typed)[1:])
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert RUN_HERE[line] in " ".join(out.split())
    for name in ("deck.pdf", "OUT.pdf", "plots.html", "evening.html"):
        if name in out:
            assert (evening / name).stat().st_size > 1000


def test_every_python_module_that_a_readme_tells_to_run_is_there() -> None:
    modules = {name for text in READMES for name in re.findall(r"python -m ([a-z_.]+)", text)}
    assert {"tests.readme_pictures", "tests.test_fault_game", "hardware.wiring"} <= modules
    for name in modules:
        assert find_spec(name) is not None, name
