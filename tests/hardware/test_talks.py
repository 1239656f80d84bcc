"""The conversations by themselves: what is told again, when they give up, when they wait."""

from __future__ import annotations

import pytest

from hardware.adalight import BANNER
from hardware.adalight_talk import AdalightTalk
from hardware.errors import BoardSilentError
from hardware.own_talk import ANSWER_S, OwnTalk
from hardware.protocol import VERSION, Hello, Line, Side, encode
from hardware.wled import INFO_ANSWER_S, INFO_QUESTION
from hardware.wled_talk import WledTalk
from tests.hardware.rig import few

HELLO = Hello(VERSION, "0.1", 33, 200, 2500, "")


@pytest.fixture
def own() -> OwnTalk:
    """A conversation in which the first picture was just sent, at 10 s."""
    talk = OwnTalk(HELLO)
    talk.want(few(3))
    assert talk.say(10.0)
    return talk


def refused(seq: int | None = None) -> bytes:
    return encode(Side.BOARD, Line(seq, "e", "1"))


def test_a_command_is_told_three_times_in_all_before_the_board_counts_as_silent(
    own: OwnTalk,
) -> None:
    now_s = 10.0
    for _ in range(2):
        assert own.say(now_s + ANSWER_S * 0.9) == b""
        now_s += ANSWER_S
        assert own.say(now_s)
    with pytest.raises(BoardSilentError, match="no longer answers"):
        own.say(now_s + ANSWER_S)


def test_what_is_refused_is_told_again_at_once_and_no_more_than_ten_times(own: OwnTalk) -> None:
    for _ in range(10):
        own.hear(refused(), 10.01)
        assert own.say(10.01)
    own.hear(refused(), 10.01)
    with pytest.raises(BoardSilentError, match="refuses"):
        own.say(10.01)


def test_a_torn_answer_is_no_answer_and_no_refusal(own: OwnTalk) -> None:
    right = encode(Side.BOARD, Line(1, "a", "FF"))
    own.hear(b"\xff rubbish\n" + right.replace(b"FF", b"FE"), 10.1)
    assert own.say(10.2) == b""
    assert not own.is_settled
    own.hear(right, 10.2)
    assert own.is_settled


def test_a_refusal_of_nothing_is_passed_over() -> None:
    talk = OwnTalk(HELLO)
    talk.hear(refused(), 10.0)
    talk.want(few(3))
    assert talk.say(10.1)


def test_a_wled_that_is_busy_is_not_waited_for() -> None:
    talk = WledTalk("2607201", 33)
    talk.want(few(3))
    assert talk.say(10.0) == INFO_QUESTION
    assert talk.say(10.0 + INFO_ANSWER_S / 2) == b""
    talk.hear(b'{"error":3}\n', 10.1)
    # The frame goes out at once; the question is put again in its time, not now.
    said = talk.say(10.11)
    assert said
    assert said != INFO_QUESTION
    assert BANNER in said


@pytest.mark.parametrize(("banner", "ready_s"), [(b"", 12.0), (b"Ada\r\n", 10.5)])
def test_an_adalight_board_is_told_nothing_before_it_has_started(
    banner: bytes, ready_s: float
) -> None:
    talk = AdalightTalk(33, 10.0)
    talk.want(few(3))
    talk.hear(banner, 10.5)
    assert talk.say(ready_s - 0.01) == b""
    assert BANNER in talk.say(ready_s + 0.01)
