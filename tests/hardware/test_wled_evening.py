"""An evening with a WLED and with a board that only listens, in simulated time."""

from __future__ import annotations

import random

import pytest

from hardware.adalight import TRIGGERS, adalight, safe
from hardware.lights import LightFrame, Loop, Rgb, dark
from hardware.protocol import Line, Side, encode, frame_argument
from hardware.target import Target, parse_target
from hardware.wled_model import EFFECT, WledBoard
from tests.hardware.rig import Evening, Machine, few

WLED = Target("/dev/ttyUSB0", lights=33)

#: Two frames' time and a step: what is wrong on the lights for longer than this is a fault.
SOON_S = 0.35


class Watched(Evening):
    """An evening that checks after every step that the lights equal what is wanted."""

    def __init__(self, machine: Machine, board: WledBoard) -> None:
        machine.plug("/dev/ttyUSB0", board, None)
        super().__init__(machine, WLED)
        self.board = board
        self.expected: tuple[Rgb, ...] | None = None
        self.changed_s = machine.now_s

    def want(self, frame: LightFrame) -> None:
        self.show(frame)
        self.expected, self.changed_s = safe(frame.scaled()), self.machine.now_s

    def check(self) -> None:
        assert self.board.lights != dark(33).colours
        if self.expected is not None and self.machine.now_s - self.changed_s > SOON_S:
            assert self.board.lights == self.expected


@pytest.fixture
def evening() -> Watched:
    return Watched(Machine(), WledBoard())


def test_the_lights_equal_the_state_all_evening_and_are_never_dark(evening: Watched) -> None:
    chance = random.Random(11)
    evening.run(3.0)
    evening.want(few(0))
    evening.run(1.0, evening.check)
    for _ in range(120):
        lit = chance.sample(range(33), chance.randint(1, 5))
        colour = Rgb(*(chance.randrange(1, 124) for _ in range(3)))
        evening.want(few(*lit, colour=colour))
        evening.run(chance.choice([0.5, 2.0, 6.0, 30.0]), evening.check)
    assert not evening.board.speed_was_changed
    assert evening.said == ["LED board on /dev/ttyUSB0: WLED build 2607201, 33 lights"]


def test_a_wled_is_found_though_another_program_left_a_frame_half_sent(evening: Watched) -> None:
    evening.run(0.05)
    evening.board.hear(adalight([Rgb(1, 2, 3)] * 33)[:10], evening.machine.now_s)
    evening.want(few(3))
    evening.run(1.5)
    assert len(evening.said) == 1
    evening.run(30.0, evening.check)


def test_lights_taken_over_in_its_app_are_taken_back_within_seconds(evening: Watched) -> None:
    evening.run(3.0)
    evening.want(few(3))
    evening.run(5.0)
    evening.board.override = 1
    assert evening.board.lights[0] == EFFECT
    evening.run(7.0)
    evening.run(20.0, evening.check)
    assert evening.said[1:] == [
        "the lights were taken over in WLED's app; they are taken back for the game"
    ]


def test_a_wled_switched_off_in_its_app_is_switched_on(evening: Watched) -> None:
    evening.run(3.0)
    evening.want(few(3))
    evening.board.is_on = False
    evening.run(7.0)
    evening.run(20.0, evening.check)
    assert "the WLED is off; they are taken back for the game" not in evening.said[:1]
    assert any("WLED is off" in line for line in evening.said)


@pytest.mark.parametrize("seed", range(5))
def test_lost_bytes_cost_a_moment_and_never_the_line(evening: Watched, seed: int) -> None:
    chance = random.Random(seed)
    lossy = {"on": True}

    def lose(data: bytes) -> bytes:
        if not lossy["on"] or chance.random() < 0.6:
            return data
        start = chance.randrange(len(data))
        return data[:start] + data[start + chance.randint(1, 6) :]

    evening.run(3.0)
    evening.machine.noise = lose
    for turn in range(40):
        evening.want(few(turn % 33, colour=Rgb(0x41, 0xB3, turn + 100)))
        evening.run(1.5)
    lossy["on"] = False
    evening.run(8.0)
    evening.changed_s = evening.machine.now_s - 1.0
    evening.run(20.0, evening.check)
    assert not evening.board.speed_was_changed


def test_no_colour_byte_is_a_command(evening: Watched) -> None:
    evening.run(3.0)
    evening.machine.written.clear()
    evening.want(LightFrame(tuple(Rgb(light * 7, light * 6, 255) for light in range(33)), 255))
    evening.run(0.2)
    start = evening.machine.written.index(b"Ada\x00\x20\x75") + 6
    assert not TRIGGERS & set(evening.machine.written[start : start + 99])


def test_bystanders_own_lines_mean_nothing_to_a_wled(evening: Watched) -> None:
    chance = random.Random(6)
    evening.run(3.0)
    evening.want(few(3))
    evening.run(1.0)
    for number in range(1000):
        colours = tuple(Rgb(*(chance.randrange(256) for _ in range(3))) for _ in range(33))
        letter, argument = chance.choice(
            [("H", ""), ("P", ""), ("B", ""), ("F", frame_argument(LightFrame(colours)))]
        )
        line = encode(Side.HOST, Line(number & 255, letter, argument))
        assert evening.board.hear(line, evening.machine.now_s) == b""
    assert evening.board.lights == evening.expected
    assert not evening.board.speed_was_changed


def test_a_wled_with_too_few_lights_is_told_of() -> None:
    evening = Watched(Machine(), WledBoard(lights=30))
    evening.want(few(3))
    evening.run(4.0)
    assert "the WLED is set to 30 lights, 33 are wanted" in evening.said[1]


def test_a_wled_of_which_nobody_said_the_lights_tells_them_itself() -> None:
    machine, counts = Machine(), list[int]()
    machine.plug("/dev/ttyUSB0", WledBoard(lights=11), None)
    evening = Evening(machine, Target("/dev/ttyUSB0"), Loop.steady(few(2, lights=11)))
    evening.keeper.found = counts.append
    evening.run(3.0)
    assert counts[-1] == 11
    assert machine.boards["/dev/ttyUSB0"].lights == safe(few(2, lights=11).scaled())
    assert len(evening.said) == 1


class Listener(WledBoard):
    """An Adalight board: no commands, a banner at its start; its lights stay as they are."""

    def hear(self, data: bytes, now_s: float) -> bytes:
        super().hear(data, now_s)
        return b""


def test_a_board_that_only_listens_gets_exactly_its_count_of_lights() -> None:
    machine = Machine()
    board = Listener(lights=20)
    machine.plug("COM7", board, None)
    target = parse_target("adalight:COM7,baud=500000,lights=20")
    evening = Evening(machine, target, Loop.steady(few(1, 19)))
    evening.run(1.0)
    assert board.lights == safe(few(1, 19, lights=20).scaled())
    assert machine.written.count(b"Ada\x00\x13\x46") >= 2
    assert b"H*" not in machine.written
    assert b"{" not in machine.written
    evening.run(60.0)
    assert board.lights == safe(few(1, 19, lights=20).scaled())


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("COM3", Target("COM3")),
        ("socket://127.0.0.1:9,lights=11", Target("socket://127.0.0.1:9", lights=11)),
        ("/dev/x,budget=400,baud=9600", Target("/dev/x", baud=9600, budget_ma=400)),
    ],
)
def test_what_is_named_as_a_board(text: str, means: Target) -> None:
    assert parse_target(text) == means


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "names no port"),
        ("adalight:COM3", "how many lights"),
        ("COM3,lights=0", "1 to 40"),
        ("COM3,lights=41", "1 to 40"),
        ("adalight:COM3,lights=301", "1 to 300"),
        ("COM3,speed=3", "cannot be"),
        ("COM3,lights", "no option"),
        ("COM3,budget=x", "no option"),
    ],
)
def test_what_cannot_be_a_board_is_refused_in_words(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_target(text)
