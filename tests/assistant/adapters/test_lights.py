"""A session's state on lights: a simulated board, the Pico's firmware, and the terminal."""

from __future__ import annotations

import io
import queue
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.adapters.light_settings import (
    LightSettings,
    check_order,
    load_light_settings,
    printed_order,
    remember_port,
    save_light_settings,
    settings_file,
)
from assistant.adapters.lights import (
    ConsoleLights,
    StateLights,
    find_target,
    open_lights,
    remember,
    to_loop,
)
from assistant.core.errors import DamagedError, MissingError, UsageError
from assistant.core.events import RendezvousSought, SessionStarted, YouthAsked
from assistant.core.settings import Expansion
from assistant.core.terms import Feature, Location
from assistant.data import load_board
from assistant.present.lights import Layer, light_loop
from assistant.session import MemoryLog, Session
from assistant.vision.sighting import Picture, Sighting
from hardware.board_model import OwnBoard
from hardware.lights import DARK, Loop, Rgb, dark
from hardware.ports import Port, UsbId
from tests.hardware.devices import PIP_LINE, PicoDevice, find_micropython
from tests.hardware.test_simulator import PATIENCE_S, Lit

BOARD = load_board()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    return tmp_path


class Blind:
    """Sees nothing; the readings of these tests are entered."""

    def look(self, picture: Picture) -> Sighting:
        raise AssertionError("no frame is shown")


class Kept:
    """Keeps what it is told to show."""

    def __init__(self) -> None:
        self.shown: list[Loop] = []

    def show(self, loop: Loop) -> None:
        self.shown.append(loop)

    def close(self) -> bool:
        return True


def session_on(lights: StateLights) -> Session:
    session = Session(BOARD, Blind(), MemoryLog(), listeners=[lights.told])
    session.enter(SessionStarted(frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS})))
    return session


def answers(
    seed: int, hideout: Location, symbol: Feature
) -> Iterator[YouthAsked | RendezvousSought]:
    """Yield true answers of a game, at random places."""
    chance = random.Random(seed)
    for place in chance.sample(list(Location), 11):
        if place is not hideout:
            first = BOARD.first_steps(place, hideout)[0]
            yield YouthAsked(place, min(BOARD.features(first), key=lambda feature: feature.value))
        near = [
            n
            for n in (1, 2, 3)
            if any(
                symbol in BOARD.features(end) for end in Location if BOARD.distance(place, end) == n
            )
        ]
        if near:
            yield RendezvousSought(place, near[0])


def expected(session: Session) -> list[set[int]]:
    """Return which lights are lit in each layer, by the state and the printed order alone."""
    state = session.state
    youth = {3 * n for n, place in enumerate(Location) if place in state.youth.candidates}
    symbols = frozenset(state.rendezvous.candidates)
    meet = {3 * n + 1 for n, p in enumerate(Location) if BOARD.features(p) & symbols}
    return [youth, meet]


def lit(lights: tuple[Rgb, ...]) -> list[set[int]]:
    on = {n for n, colour in enumerate(lights) if colour != DARK}
    return [{n for n in on if n % 3 == 0}, {n for n in on if n % 3 == 1}]


@pytest.mark.skipif(
    sys.platform == "win32" or find_micropython() is None, reason=f"no micropython: {PIP_LINE}"
)
def test_after_every_reading_the_picos_lights_equal_the_candidates() -> None:
    pico = PicoDevice()
    lights = open_lights(pico.port, LightSettings(), lambda _line: None, io.StringIO())
    session = session_on(lights)
    try:
        for event in [None, *answers(3, Location.EASTCHEAP, Feature.TAVERN)]:
            if event is not None:
                session.enter(event)
            assert pico.wait_until(lambda now: lit(now) == expected(session))
        assert len(session.state.youth.candidates) < 4
        lights.close()
        assert pico.wait_for_lights((DARK,) * 33)
    finally:
        lights.close()
        pico.close()


def test_a_board_with_eleven_lights_shows_one_layer_of_its_own_accord() -> None:
    board = Lit(OwnBoard(lights=11))
    said: list[str] = []
    settings = LightSettings(layer=Layer.YOUTH)
    lights = open_lights(board.channel.name, settings, said.append, io.StringIO())
    session = session_on(lights)
    session.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    candidates = session.state.youth.candidates
    assert board.shows_when(
        lambda now: (
            {n for n, colour in enumerate(now) if colour != DARK}
            == {n for n, place in enumerate(Location) if place in candidates}
        )
    )
    lights.close()
    board.unplug()
    assert not [line for line in said if "wanted" in line]


def test_a_state_told_before_the_board_is_there_is_shown_when_it_is() -> None:
    lights = StateLights(LightSettings())
    session = session_on(lights)
    out = Kept()
    lights.show_on(out)
    order = printed_order(3)
    assert out.shown == [to_loop(light_loop(session.state, LightSettings().look(order)), order)]
    lights.found(11)
    assert len(out.shown[-1].steps[0].frame.colours) == 11
    lights.close()
    session.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    assert len(out.shown) == 2


def test_a_resumed_session_is_shown_before_anything_happens() -> None:
    lights, out = StateLights(LightSettings()), Kept()
    lights.show_on(out)
    session = Session(BOARD, Blind(), MemoryLog())
    session.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    lights.show(session.state)
    frame = out.shown[-1].steps[0].frame
    where = {place for n, place in enumerate(Location) if frame.colours[3 * n] != DARK}
    assert where == set(session.state.youth.candidates)


def test_lights_follow_the_order_that_was_told() -> None:
    order = {place: (10 - n,) for n, place in enumerate(Location)}
    lights = StateLights(LightSettings(order=order, night=True))
    out = Kept()
    lights.show_on(out)
    session = session_on(lights)
    session.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    frame = out.shown[-1].steps[0].frame
    candidates = session.state.youth.candidates
    for number, place in enumerate(Location):
        assert (frame.colours[10 - number] != DARK) == (place in candidates)
    assert frame.brightness == 64


def test_the_terminal_is_drawn_on_once_for_every_change() -> None:
    stream = io.StringIO()
    lights = open_lights("console", LightSettings(), lambda _line: None, stream)
    session = session_on(lights)
    once = stream.getvalue()
    assert [line.count("R B .") for line in once.splitlines()] == [3, 3, 3, 2]
    session.enter(SessionStarted(frozenset({Expansion.YOUTH})))
    assert stream.getvalue() == once
    session.enter(YouthAsked(Location.CORNHILL, Feature.CHURCH))
    drawn = stream.getvalue().removeprefix(once)
    for place in Location:
        row = next(line for line in drawn.splitlines() if place.value in line)
        marks = row.split(place.value)[1].split()[:3]
        assert (marks[0] == "R") == (place in session.state.youth.candidates)


def test_a_console_without_a_known_encoding_is_drawn_in_ascii() -> None:
    class Odd(io.StringIO):
        encoding = None  # type: ignore[assignment]

    stream = Odd()
    ConsoleLights(printed_order(1), stream).show(Loop.steady(dark(11)))
    assert stream.getvalue().isascii()


PICO = Port("/dev/ttyACM0", UsbId(0x2E8A, 5, "E6"), "Raspberry Pi Pico with MicroPython")


def test_settings_are_kept_as_they_are(home: Path) -> None:
    assert load_light_settings() == LightSettings()
    order = {place: (n, n + 11, n + 22) for n, place in enumerate(Location)}
    kept = LightSettings(order, None, still=True, night=True, port=PICO)
    save_light_settings(kept)
    assert load_light_settings() == kept
    remember_port(Port("/dev/ttyUSB0", UsbId(1, 2, None), "x"))
    assert load_light_settings().port == Port("/dev/ttyUSB0", UsbId(1, 2, None), "x")
    assert load_light_settings().order == order


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"v": 2}',
        "[]",
        '{"v": 1, "order": {"Camelot": [1]}}',
        "\x00",
        pytest.param("[" * 200_000, id="brackets"),
        *(
            '{"v": 1, "order": null, "layer": null, "still": false, "night": false, "port": '
            f'{{"device": "x", "vendor": {number}, "product": 1, "serial": "", "description": "x"}}'
            "}"
            for number in ("Infinity", "-Infinity", "NaN", "1e999", "9" * 400, "9" * 5000)
        ),
    ],
)
def test_settings_that_cannot_be_understood_are_told_of(home: Path, text: str) -> None:
    settings_file().write_text(text)
    with pytest.raises(DamagedError, match="delete it"):
        load_light_settings()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({Location.CORNHILL: (0,)}, "belongs to one place"),
        ({Location.CORNHILL: (41,)}, "belongs to one place"),
        ({Location.CORNHILL: ()}, "one light, or each has three"),
        ({Location.CORNHILL: (30, 31, 32)}, "one light, or each has three"),
    ],
)
def test_an_order_that_cannot_be_is_refused(
    change: dict[Location, tuple[int, ...]], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        check_order({**printed_order(1), **change})
    with pytest.raises(ValueError, match="no light is told for Clerkenwell, Cripplegate"):
        check_order({})


def test_auto_is_the_board_that_answered_last_under_whatever_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here: list[Port] = []
    monkeypatch.setattr("assistant.adapters.lights.usb_ports", lambda: here)
    with pytest.raises(MissingError, match="leds simulate"):
        find_target("auto", LightSettings())
    here.append(Port("/dev/ttyACM4", PICO.usb, PICO.description))
    with pytest.raises(MissingError, match=r"name it once.*/dev/ttyACM4"):
        find_target("auto", LightSettings())
    assert find_target("auto,budget=400", LightSettings(port=PICO)).url == "/dev/ttyACM4"
    here[0] = Port("/dev/ttyACM5", UsbId(9, 9, None), "another")
    with pytest.raises(MissingError, match="not plugged in; there is /dev/ttyACM5"):
        find_target("auto", LightSettings(port=PICO))


def test_what_cannot_be_opened_is_told_in_one_line() -> None:
    for named, error in [("/dev/no-such", MissingError), ("COM1,speed=2", UsageError)]:
        with pytest.raises(error) as told:
            open_lights(named, LightSettings(), lambda _line: None, io.StringIO())
        assert "\n" not in str(told.value)


def test_settings_that_cannot_be_understood_are_set_aside_and_play_goes_on(home: Path) -> None:
    settings_file().write_text("{torn")
    told: list[str] = []
    assert load_light_settings(told.append) == LightSettings()
    [line] = told
    assert "lights.json.bad" in line
    assert (settings_file().parent / "lights.json.bad").read_text() == "{torn"
    save_light_settings(LightSettings(night=True))
    assert load_light_settings().night
    assert (settings_file().parent / "lights.json.bad").read_text() == "{torn"


def test_settings_that_cannot_even_be_set_aside_stop_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def barred(*_: object) -> Path:
        raise OSError(30, "Read-only file system")

    settings_file().write_text("{")
    monkeypatch.setattr("assistant.adapters.light_settings.set_aside", barred)
    told: list[str] = []
    assert load_light_settings(told.append) == LightSettings()
    [line] = told
    assert line.endswith("the defaults are used")
    assert "set aside" not in line
    assert settings_file().read_text() == "{"


def test_settings_that_cannot_be_written_are_told(home: Path) -> None:
    settings_file().mkdir()
    with pytest.raises(MissingError, match=r"lights\.json cannot be written"):
        save_light_settings(LightSettings())


def test_a_usb_board_that_answered_is_known_from_then_on_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.adapters.lights.usb_ports", lambda: [PICO])
    told: list[str] = []
    remember("/dev/ttyACM8", told.append)
    assert load_light_settings().port is None
    remember(PICO.device, told.append)
    assert load_light_settings().port == PICO
    assert told == []
    # Written once: the same board again leaves the file as it is.
    before = settings_file().stat().st_mtime_ns
    remember(PICO.device, told.append)
    assert settings_file().stat().st_mtime_ns == before


def test_why_a_board_cannot_be_remembered_is_told_and_play_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.adapters.lights.usb_ports", lambda: [PICO])
    settings_file().write_text("{")
    told: list[str] = []
    remember(PICO.device, told.append)
    [line] = told
    assert "cannot be used" in line
    assert settings_file().read_text() == "{"


def test_a_board_with_fewer_lights_than_places_is_told() -> None:
    board = Lit(OwnBoard(10))
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    lights = open_lights(board.channel.name, LightSettings(), said.put, io.StringIO())
    try:
        line = said.get(timeout=PATIENCE_S)
        while "10 lights, the map 11 places" not in line:
            line = said.get(timeout=PATIENCE_S)
    finally:
        lights.close()
        board.unplug()
