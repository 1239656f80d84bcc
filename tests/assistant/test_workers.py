"""What threads share: a fault that comes back to be told, a slot that keeps the newest."""

from __future__ import annotations

import threading

import pytest

from assistant.workers import Latest, fault_of


def test_a_slot_keeps_only_the_newest() -> None:
    slot: Latest[int] = Latest()
    for value in range(5):
        slot.put(value)
    assert slot.take(0.0) == 4
    assert slot.take(0.0) is None


def test_whoever_waits_for_a_value_is_woken_by_it_and_by_the_end() -> None:
    slot: Latest[str] = Latest()
    taken: list[str | None] = []
    first = threading.Event()

    def wait() -> None:
        taken.append(slot.take(60.0))
        first.set()
        taken.append(slot.take(60.0))

    waiting = threading.Thread(target=wait)
    waiting.start()
    slot.put("frame")
    assert first.wait(30.0)
    slot.close()
    waiting.join(30.0)
    assert not waiting.is_alive()
    assert taken == ["frame", None]


def test_what_a_worker_dies_of_comes_back_and_nothing_else_is_held() -> None:
    def broken() -> None:
        raise OSError("the disk is gone")

    def stopped() -> None:
        raise KeyboardInterrupt

    fault = fault_of(broken)
    assert isinstance(fault, OSError)
    assert str(fault) == "the disk is gone"
    assert fault_of(lambda: 1) is None
    with pytest.raises(KeyboardInterrupt):
        fault_of(stopped)
