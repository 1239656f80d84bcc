"""`bystander leds`, on simulated boards; the template, measured on the page."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from tkinter import TclError

import numpy as np
import pytest
from PIL import Image

from assistant.adapters.light_settings import (
    LightSettings,
    load_light_settings,
    save_light_settings,
)
from assistant.cli import main
from assistant.commands.leds_template import on_board, read_places
from assistant.core.errors import UsageError
from assistant.core.terms import Location
from hardware.board_model import OwnBoard
from hardware.driver import Driver
from hardware.lights import Rgb, dark
from hardware.ports import Port, UsbId
from hardware.simulator import open_channel
from tests.hardware.test_simulator import Lit


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    # However busy the machine is; a board that is silent is told by another limit.
    monkeypatch.setattr("assistant.commands.leds.ANSWERED_S", 30.0)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    code = main(["leds", *words])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err


def test_a_test_lights_each_light_alone_and_tells_its_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = Lit(OwnBoard(lights=11))
    code, lines, _ = run(capsys, "test", board.channel.name, "--seconds", "0")
    assert code == 0
    assert lines == [f"light {n}: {place.value}" for n, place in enumerate(Location)]
    assert board.shows(dark(11).colours)
    assert board.seen() == {frozenset(), *(frozenset({n}) for n in range(11))}
    board.unplug()


def test_off_leaves_the_board_dark(capsys: pytest.CaptureFixture[str]) -> None:
    board = Lit()
    assert run(capsys, "off", board.channel.name)[0] == 0
    assert board.shows(dark(33).colours)
    board.unplug()


def test_the_order_is_asked_light_by_light_and_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Lit(OwnBoard(lights=11))
    names = ["corn", "clerk", "nowhere", "crip", "shore", "bish", "east", "london", "south",
             "clink", "black", "st paul"]  # fmt: skip
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(names) + "\n"))
    code, lines, said = run(capsys, "map", board.channel.name)
    board.unplug()
    assert code == 0, said
    assert lines[-11].endswith("light 0: Cornhill")
    assert lines[-10] == "light 1: Clerkenwell"
    order = load_light_settings().order
    assert order is not None
    assert order[Location.CORNHILL] == (0,)
    assert order[Location.ST_PAULS] == (10,)


def test_too_few_answers_keep_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Lit(OwnBoard(lights=11))
    monkeypatch.setattr("sys.stdin", io.StringIO("corn\n"))
    code, _, error = run(capsys, "map", board.channel.name)
    board.unplug()
    assert (code, error.splitlines()[-1]) == (3, "bystander: no more answers; nothing was kept")
    assert load_light_settings().order is None


def test_an_order_can_be_typed(capsys: pytest.CaptureFixture[str]) -> None:
    typed = "st paul, black, clink, south, london, east, corn, bish, shore, crip, clerk"
    code, lines, _ = run(capsys, "map", "--order", typed)
    assert (code, lines[0], lines[10]) == (0, "light 0: St Paul's", "light 10: Clerkenwell")
    assert run(capsys, "map")[1] == lines
    code, lines, _ = run(capsys, "map", "--per-place", "3")
    assert (code, lines[4], len(lines)) == (0, "light 4: Cripplegate, rendezvous", 33)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["map", "--order", "corn, clerk"], 2, "no light is told for Cripplegate"),
        (["map", "--order", "corn, camelot"], 2, "camelot"),
        (["test", "/dev/no-such-port"], 3, "there is no port /dev/no-such-port"),
        (["off", "COM1,speed=3"], 2, "speed=3"),
        (["template", "x.pdf", "--width", "5"], 2, "50 to 2000 mm"),
        (["template", "x.pdf", "--width", "300", "--frame", "5"], 2, "frame is 11.5 to 200 mm"),
        (["firmware", "/proc/nothing"], 3, "cannot be written"),
        (["template", "/no/such/folder/x.pdf", "--width", "300"], 3, "cannot be written"),
        (["template", "x.pdf", "--width", "300", "--places", "/no/such"], 3, "cannot be used"),
        (["template", "x.pdf", "--width", "300", "--photo", "/no/such"], 3, "No such file"),
    ],
)
def test_what_cannot_be_done_is_one_line_with_its_exit_code(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, says: str
) -> None:
    got, lines, error = run(capsys, *words)
    assert (got, lines) == (code, [])
    assert says in error
    assert error.count("\n") == 1


def test_ports_are_listed_as_json_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = run(capsys, "list", "--json")
    assert code == 0
    assert all(set(json.loads(line)) == {"port", "description", "known"} for line in lines)


def test_a_simulated_board_prints_its_port_and_ends_by_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, lines, _ = run(capsys, "simulate", "--seconds", "0.1", "--lights", "11")
    assert code == 0
    assert re.search(r"--leds (/dev/\S+|socket://127.0.0.1:\d+)$", lines[0])
    assert [line.split("  ")[0] for line in lines[2:]] == [place.value for place in Location]


def test_what_to_flash_is_written_where_it_is_wanted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, lines, _ = run(capsys, "firmware", str(tmp_path / "flash"))
    assert code == 0
    written = {str(Path(line).relative_to(tmp_path / "flash")) for line in lines}
    assert {"README.md", "firmware/pico/main.py", "wiring_diagrams/pico.svg"} <= written
    sketch = tmp_path / "flash/firmware/arduino/bystander_lights/bystander_lights.ino"
    assert "sendStrip" in sketch.read_text(encoding="utf-8")


needs_pdftoppm = pytest.mark.skipif(
    shutil.which("pdftoppm") is None, reason="no pdftoppm: apt-get install poppler-utils"
)


def pages_of(pdf: Path) -> list[np.ndarray[tuple[int, int], np.dtype[np.uint8]]]:
    """Return the pages at 10 px/mm, grey."""
    subprocess.run(
        ["pdftoppm", "-r", "254", "-gray", str(pdf), str(pdf.with_suffix(""))],
        check=True, timeout=60,
    )  # fmt: skip
    found = sorted(pdf.parent.glob(f"{pdf.stem}-*.pgm"))
    return [np.asarray(Image.open(path)) for path in found]


@needs_pdftoppm
@pytest.mark.parametrize(("paper", "size_px"), [("a4", (2100, 2970)), ("letter", (2159, 2794))])
def test_the_rulers_first_and_last_line_are_100_mm_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, paper: str, size_px: tuple[int, int]
) -> None:
    out = tmp_path / "t.pdf"
    code, _, _ = run(capsys, "template", str(out), "--width", "300", "--paper", paper)
    assert code == 0
    for page in pages_of(out):
        high, wide = page.shape
        assert abs(wide - size_px[0]) <= 1
        assert abs(high - size_px[1]) <= 1
        # The long ticks at 0, 50 and 100 mm are 5 mm high: only they reach 4 mm above the line.
        row = page[high - 10 * (10 + 3 + 4), :1130] < 128
        edges = np.flatnonzero(np.diff(row.astype(int)))
        middles = (edges.reshape(-1, 2).mean(axis=1) + 1) / 10
        assert middles == pytest.approx([10.0, 60.0, 110.0], abs=0.1)
        assert middles[-1] - middles[0] == pytest.approx(100.0, abs=0.2)


@needs_pdftoppm
def test_a_holes_cross_lies_where_the_board_was_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shares = {place.value: [0.1 + 0.07 * n, 0.2] for n, place in enumerate(Location)}
    (tmp_path / "p.json").write_text(json.dumps(shares), encoding="utf-8")
    out = tmp_path / "t.pdf"
    code, _, _ = run(
        capsys, "template", str(out), "--width", "180", "--height", "120", "--hole", "8",
        "--per-place", "1", "--places", str(tmp_path / "p.json"),
    )  # fmt: skip
    assert code == 0
    [page, listed] = pages_of(out)
    assert (listed < 128).any()
    # The sheet begins 4 mm left of and above the board, 10 mm inside of the paper.
    for number in range(11):
        x_px = round((14 + 180 * (0.1 + 0.07 * number)) * 10)
        y_px = round((14 + 120 * 0.2) * 10)
        assert page[y_px - 30 : y_px + 30, x_px - 2 : x_px + 2].min(axis=1).max() < 160
        assert page[y_px - 2 : y_px + 2, x_px - 30 : x_px + 30].min(axis=0).max() < 160


def test_clicks_on_a_slanted_photo_become_shares_of_the_board() -> None:
    corners = [(100.0, 50.0), (900.0, 80.0), (1000.0, 700.0), (40.0, 640.0)]
    assert on_board(corners, corners) == [
        pytest.approx(corner, abs=1e-6) for corner in [(0, 0), (1, 0), (1, 1), (0, 1)]
    ]
    # Where the diagonals cross is the middle, seen from anywhere.
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners
    share = ((x2 - x1) * (y4 - y2) - (y2 - y1) * (x4 - x2)) / (
        (x3 - x1) * (y4 - y2) - (y3 - y1) * (x4 - x2)
    )
    middle = (x1 + share * (x3 - x1), y1 + share * (y3 - y1))
    assert on_board(corners, [middle])[0] == pytest.approx((0.5, 0.5), abs=1e-6)
    with pytest.raises(UsageError, match="clockwise"):
        on_board([corners[0], corners[2], corners[1], corners[3]], [middle])


@needs_pdftoppm
def test_a_frame_is_drawn_round_the_board(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "t.pdf"
    sizes = ("--width", "100", "--height", "80", "--frame", "30", "--hole", "8")
    assert run(capsys, "template", str(out), *sizes, "--per-place", "1")[0] == 0
    page = pages_of(out)[0] < 100

    def lines(across: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[float]:
        edges = np.flatnonzero(np.diff(across.astype(int)))
        return [round(float(mm), 1) for mm in (edges.reshape(-1, 2).mean(axis=1) + 1) / 10]

    # The sheet's own edge, then frame, board, board, frame; nothing else is as long.
    columns = lines(page[:1600].mean(axis=0) > 0.4)
    assert np.diff(columns)[1:4] == pytest.approx([30, 100, 30], abs=0.3)
    rows = lines(page[:, :1800].mean(axis=1) > 0.45)
    assert np.diff(rows)[1:4] == pytest.approx([30, 80, 30], abs=0.3)


# --- without a board, or with one that falls silent ----------------------------------------------


def test_ports_are_listed_with_the_one_that_auto_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here: list[Port] = []
    monkeypatch.setattr("hardware.ports.usb_ports", lambda: here)
    assert run(capsys, "list") == (
        0, ["no board is plugged in; without one: bystander leds simulate"], ""
    )  # fmt: skip
    assert run(capsys, "list", "--json") == (0, [], "")
    here += [
        Port("/dev/ttyACM0", UsbId(0x2E8A, 5, "E6"), "a Pico"),
        Port("/dev/ttyUSB0", UsbId(0x1A86, 0x7523, None), "a bridge"),
    ]
    save_light_settings(LightSettings(port=here[1]))
    assert run(capsys, "list")[1] == ["/dev/ttyACM0  a Pico", "/dev/ttyUSB0  a bridge  (auto)"]
    assert [json.loads(line)["known"] for line in run(capsys, "list", "--json")[1]] == [
        False,
        True,
    ]


def test_a_port_on_which_nobody_answers_is_told_and_let_go(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = open_channel()
    monkeypatch.setattr("assistant.commands.leds.FOUND_S", 0.05)
    code, lines, error = run(capsys, "off", channel.name)
    channel.close()
    assert (code, lines) == (3, [])
    assert error == "bystander: no board answers\n"
    assert not any(thread.name == "lights" for thread in threading.enumerate())


def test_a_board_that_falls_silent_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Lit()
    monkeypatch.setattr("assistant.commands.leds.ANSWERED_S", 0.05)
    monkeypatch.setattr(Driver, "has_shown", lambda *_: False)
    code, _, error = run(capsys, "off", board.channel.name)
    board.unplug()
    assert code == 3
    assert error.splitlines()[-1] == "bystander: the LED board no longer answers"


def test_a_light_that_belongs_to_no_place_is_passed_over_with_enter(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Lit(OwnBoard(lights=12))
    names = [place.value for place in Location]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([names[0], "", *names[1:]]) + "\n"))
    code, _, _ = run(capsys, "map", board.channel.name)
    board.unplug()
    assert code == 0
    order = load_light_settings().order
    assert order is not None
    assert [order[place] for place in Location] == [(n if n == 0 else n + 1,) for n in range(11)]


# --- clicked on a photo ---------------------------------------------------------------------------


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    Image.new("RGB", (400, 300), "grey").save(tmp_path / "board.png")
    return tmp_path / "board.png"


def test_places_clicked_on_a_photo_are_kept_beside_it_as_shares_of_the_board(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, photo: Path
) -> None:
    asked: list[str] = []

    def clicked(_picture: Image.Image, words: Sequence[str]) -> list[tuple[float, float]]:
        asked.extend(words)
        # The board's left upper quarter lies upright in the photo, 200 px wide and 100 high.
        corners = [(20.0, 10.0), (220.0, 10.0), (220.0, 110.0), (20.0, 110.0)]
        return corners + [(20.0 + 16 * n, 10.0 + 8 * n) for n in range(1, 12)]

    monkeypatch.setattr("assistant.ui.photo_clicks.ask_clicks", clicked)
    out = photo.parent / "t.pdf"
    words = ("template", str(out), "--width", "500", "--per-place", "1")
    assert run(capsys, *words, "--photo", str(photo))[0] == 0
    assert [word.split()[-2:] for word in asked[:4]] == [
        ["left", "corner"], ["right", "corner"], ["right", "corner"], ["left", "corner"]
    ]  # fmt: skip
    assert asked[4:] == [place.value for place in Location]
    kept = photo.with_name("board.places.json")
    shares = read_places(kept)
    for n, place in enumerate(Location, 1):
        assert shares[place] == pytest.approx((0.08 * n, 0.08 * n), abs=1e-4)
    # The file alone gives the same template.
    again = photo.parent / "again.pdf"
    assert run(capsys, "template", str(again), *words[2:], "--places", str(kept))[0] == 0


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "closed before all places were clicked"),
        (TclError("no display name"), "no window can be opened (no display name); use --places"),
    ],
)
def test_a_photo_that_was_not_clicked_through_keeps_nothing(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    photo: Path,
    answer: Exception | None,
    says: str,
) -> None:
    def clicked(*_: object) -> None:
        if answer is not None:
            raise answer

    monkeypatch.setattr("assistant.ui.photo_clicks.ask_clicks", clicked)
    words = ("template", str(photo.parent / "t.pdf"), "--width", "500", "--photo", str(photo))
    code, _, error = run(capsys, *words)
    assert code == 3
    assert says in error
    assert [path.name for path in photo.parent.iterdir() if path.is_file()] == ["board.png"]


# --- a simulated board in a window ----------------------------------------------------------------


def test_without_a_display_a_simulated_board_s_window_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    code, lines, error = run(capsys, "simulate", "--window")
    assert (code, lines) == (3, [])
    assert "leave --window out" in error


def test_a_simulated_board_in_a_window_shows_its_lights_and_ends_with_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Paper:
        """A window's stand-in, that is closed when something was drawn."""

        def __init__(self) -> None:
            self.drawn = threading.Event()
            self.lights: tuple[Rgb, ...] = ()

        def put(self, lights: tuple[Rgb, ...]) -> None:
            self.lights = lights
            self.drawn.set()

        def run(self, goes_on: Callable[[], bool]) -> None:
            assert goes_on()
            assert self.drawn.wait(20)

    paper = Paper()
    monkeypatch.setattr("assistant.commands.leds_simulate._open_window", lambda _: paper)
    assert run(capsys, "simulate", "--window", "--lights", "11")[0] == 0
    assert paper.lights == dark(11).colours
    assert not any(thread.name == "board" for thread in threading.enumerate())
