"""The same questions to the model, the Pico's firmware and the Arduino's: the same answers.

The Pico's runs in the real MicroPython interpreter, the Arduino's compiled in simavr, where its
lights line is measured to the cycle. Skipped with a reason where the tools are missing. The times
of a WS2812B (data sheet): up 0.40 us for a 0 and 0.80 us for a 1, down 0.85 us and 0.45 us, each
within 0.15 us; 1.25 us a bit.
"""

from __future__ import annotations

import random
import sys
import zlib
from collections.abc import Iterator

import pytest

from hardware.lights import LightFrame, Rgb, dark
from hardware.protocol import Line, LineDecoder, Side, encode, frame_argument, parse_hello
from tests.hardware.devices import (
    PIP_LINE,
    ArduinoDevice,
    Device,
    ModelDevice,
    PicoDevice,
    find_micropython,
)

LIGHTS = 33
WHITE = LightFrame((Rgb(255, 255, 255),) * LIGHTS)

#: How many frames each firmware is sent.
FRAMES = 1000


@pytest.fixture
def pico() -> Iterator[PicoDevice]:
    if sys.platform == "win32" or find_micropython() is None:
        pytest.skip(f"no micropython: {PIP_LINE}")
    made = PicoDevice()
    yield made
    made.close()


@pytest.fixture(params=["model", "pico", "arduino"])
def device(request: pytest.FixtureRequest) -> Device:
    model = request.param == "model"
    made: Device = ModelDevice() if model else request.getfixturevalue(request.param)
    assert made.start().startswith(b"<--h1;")
    return made


def ask(device: Device, letter: str, argument: str = "", seq: int = 5) -> str:
    """Ask and return the answer's letter and argument; its number must be ours."""
    return heard(device.ask(encode(Side.HOST, Line(seq, letter, argument))), seq)


def heard(answer: bytes, seq: int | None) -> str:
    [line] = LineDecoder(Side.BOARD).feed(answer)
    assert isinstance(line, Line), answer
    assert line.seq == seq
    return line.letter + line.argument


def random_frame(chance: random.Random) -> LightFrame:
    """Return a frame that draws at most the budget, so that it must be shown as it is sent."""
    while True:
        values = [chance.choice((0, 0, chance.randrange(256))) for _ in range(3 * LIGHTS)]
        for _ in range(60):
            values[chance.randrange(len(values))] = chance.randrange(20)
        if LIGHTS + sum(values) * 20 / 255 <= 200:
            break
        values = [value // 4 for value in values]
        if LIGHTS + sum(values) * 20 / 255 <= 200:
            break
    return LightFrame(tuple(Rgb(*values[at : at + 3]) for at in range(0, len(values), 3)))


def test_every_one_of_a_thousand_frames_is_shown_as_it_was_sent(device: Device) -> None:
    chance = random.Random(1)
    for number in range(FRAMES):
        frame = random_frame(chance)
        assert ask(device, "F", frame_argument(frame), number & 255) == "aFF"
        assert device.lights() == frame.colours


def test_the_hello_tells_the_lights_the_budget_and_the_watchdog(device: Device) -> None:
    [line] = LineDecoder(Side.BOARD).feed(device.ask(b">00H*7C6BC3D3\n"))
    assert isinstance(line, Line)
    said = parse_hello(line)
    assert said is not None
    assert (said.version, said.lights, said.budget_ma, said.watchdog_ms) == (1, 33, 200, 3000)


def test_the_board_dims_what_would_draw_too_much_and_says_so(device: Device) -> None:
    assert ask(device, "F", frame_argument(WHITE)) == "a15"
    assert device.lights() == (Rgb(21, 21, 21),) * LIGHTS
    few = LightFrame(WHITE.colours[:11])
    # 33 lights hang on it: (200 - 33) * 255 * 255 / (20 * 11 * 765) = 64.5
    assert ask(device, "F", frame_argument(few)) == "a40"
    assert device.lights() == (Rgb(64, 64, 64),) * 11 + dark(22).colours


def test_brightness_scales_and_missing_lights_are_dark(device: Device) -> None:
    assert ask(device, "F", frame_argument(LightFrame((Rgb(200, 100, 1),) * 2, 128))) == "a80"
    assert device.lights() == (Rgb(100, 50, 0),) * 2 + dark(31).colours


def test_blank_turns_all_off_and_a_keep_alive_changes_nothing(device: Device) -> None:
    frame = LightFrame((Rgb(9, 8, 7),) * LIGHTS)
    ask(device, "F", frame_argument(frame))
    assert ask(device, "P") == "p"
    assert device.lights() == frame.colours
    assert ask(device, "B") == "b"
    assert device.lights() == dark(LIGHTS).colours


@pytest.mark.parametrize(
    ("letter", "argument", "answer"),
    [
        ("F", "", "e4"),
        ("F", "FF", "e4"),
        ("F", "FF0102", "e4"),
        ("F", "FF" + "010203" * 34, "e4"),
        ("F", "FF01020g", "e3"),
        ("F", "ff010203", "e3"),
        ("F", "FF01 203", "e3"),
        ("W", "1", "e4"),
        ("W", "0x", "e3"),
        ("P", "0", "e4"),
        ("B", "00", "e4"),
        ("H", "1", "e4"),
        ("X", "", "e5"),
        ("f", "FF010203", "e5"),
    ],
)
def test_a_wrong_command_is_refused_and_changes_nothing(
    device: Device, letter: str, argument: str, answer: str
) -> None:
    frame = LightFrame((Rgb(9, 8, 7),) * LIGHTS)
    ask(device, "F", frame_argument(frame))
    assert ask(device, letter, argument, 0xAB) == answer
    assert device.lights() == frame.colours


def test_broken_lines_are_refused_by_their_fault(device: Device) -> None:
    def body(text: bytes) -> bytes:
        return b">%b*%08X\n" % (text, zlib.crc32(text))

    for said, fault in [
        (b">01P*761C6AC5\n", "e1"),
        (b">01P*761c6ac4\n", "e1"),
        (b">\n", "e2"),
        (b">01P+761C6AC4\n", "e2"),
        (body(b"01"), "e2"),
        (body(b"0aP"), "e2"),
        (b">" + b"A" * 256, "e6"),
    ]:
        assert heard(device.ask(said), None) == fault, said
    assert device.ask(b">01P*761C6AC4\r\n").startswith(b"<01p*")


def test_no_changed_bit_ever_changes_a_light(device: Device) -> None:
    chance = random.Random(2)
    shown = LightFrame((Rgb(1, 2, 3),) * LIGHTS)
    ask(device, "F", frame_argument(shown))
    line = encode(Side.HOST, Line(7, "F", frame_argument(random_frame(chance))))
    bits = list(range(8 * len(line)))
    if isinstance(device, ArduinoDevice):
        bits = chance.sample(bits, 150)  # simulated to the cycle, it takes its time
    for bit in bits:
        said = bytearray(line)
        said[bit // 8] ^= 1 << bit % 8
        # The keep-alive behind it is always understood, whatever became of the line.
        answer = device.ask(bytes(said) + encode(Side.HOST, Line(8, "P")))
        while not answer.startswith(b"<08p*"):
            assert answer.startswith(b"<--e"), answer
            answer = device.ask(b"")
        assert device.lights() == shown.colours


def test_noise_and_torn_frames_are_survived(device: Device) -> None:
    chance = random.Random(3)
    shown = LightFrame((Rgb(1, 2, 3),) * LIGHTS)
    ask(device, "F", frame_argument(shown))
    for _ in range(40):
        whole = encode(Side.HOST, Line(7, "F", frame_argument(random_frame(chance))))
        torn = whole[: chance.randrange(1, len(whole) - 1)]
        noise = bytes(chance.randrange(256) for _ in range(chance.randrange(60)))
        answer = device.ask(noise + torn + encode(Side.HOST, Line(8, "P")))
        while not answer.startswith(b"<08p*"):
            assert answer.startswith(b"<--e"), answer
            answer = device.ask(b"")
        assert device.lights() == shown.colours


def test_the_watchdog_darkens_a_board_that_hears_nothing(device: Device) -> None:
    frame = LightFrame((Rgb(9, 8, 7),) * LIGHTS)
    assert ask(device, "W", "02") == "w"
    ask(device, "F", frame_argument(frame))
    assert device.shows_after(0.25, dark(LIGHTS).colours)
    ask(device, "F", frame_argument(frame))
    assert device.lights() == frame.colours
    assert ask(device, "W", "00") == "w"
    device.let_pass(0.5)
    assert device.lights() == frame.colours


def test_lines_that_are_refused_are_no_sign_of_life(device: Device) -> None:
    ask(device, "W", "02")
    ask(device, "F", frame_argument(LightFrame((Rgb(9, 8, 7),) * LIGHTS)))
    for _ in range(40):
        device.ask(b">01P*00000000\n")
        assert ask(device, "X") == "e5"
        device.let_pass(0.05)
        if device.lights() == dark(LIGHTS).colours:
            return
    pytest.fail("still lit after two seconds without a valid line")


def test_the_arduino_is_dark_three_seconds_after_the_last_valid_line(
    arduino: ArduinoDevice,
) -> None:
    arduino.start()
    frame = LightFrame((Rgb(9, 8, 7),) * LIGHTS)
    ask(arduino, "F", frame_argument(frame))
    arduino.let_pass(2.0)
    ask(arduino, "P")
    arduino.let_pass(2.99)
    assert arduino.lights() == frame.colours
    arduino.ask(b">01P*00000000\n")  # no valid line: no sign of life
    arduino.let_pass(0.05)
    assert arduino.lights() == dark(LIGHTS).colours


def test_the_arduinos_bits_are_inside_the_data_sheet(arduino: ArduinoDevice) -> None:
    arduino.start()
    chance = random.Random(4)
    for _ in range(20):
        ask(arduino, "F", frame_argument(random_frame(chance)))
        up_0, up_0_most, down_0, down_0_most, up_1, up_1_most, down_1, down_1_most = (
            cycles / 16 for cycles in arduino.cycles
        )
        assert 0.25 <= up_0 <= up_0_most <= 0.55
        assert 0.70 <= down_0 <= down_0_most <= 1.00
        assert 0.65 <= up_1 <= up_1_most <= 0.95
        assert 0.30 <= down_1 <= down_1_most <= 0.60
        # To the cycle, the last bit of a byte like any other.
        assert up_0 + down_0 == up_0_most + down_0_most == 1.25
        assert up_1 + down_1 == up_1_most + down_1_most == 1.25
        assert arduino.bits_left_over == 0
    assert arduino.frames == 21
