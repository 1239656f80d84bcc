"""The log of a process that is killed at any moment: nothing told is lost, and the game goes on.

25 moments here; BYSTANDER_KILLS=200 is the long run.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.adapters.log_file import LogFile
from assistant.commands.play_state import told
from assistant.core.events import Recorded, Seq
from assistant.core.state import fold
from assistant.data import load_board
from assistant.journal import decode, encode
from tests.assistant.adapters.log_writer import script

KILLS = int(os.environ.get("BYSTANDER_KILLS", "25"))
ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")


def run(path: Path, kill: list[str]) -> tuple[int, list[int]]:
    """Run the writer; return its exit code and the numbers that it told."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.assistant.adapters.log_writer", str(path), *kill],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    whole, _, _ = done.stdout.rpartition("\n")
    return done.returncode, [int(line) for line in whole.splitlines()]


def how(chance: random.Random) -> str:
    return chance.choice(["written", "synced", str(chance.randrange(0, 130))])


def test_a_game_killed_again_and_again_loses_nothing_and_ends_as_if_nothing_had_been(
    tmp_path: Path,
) -> None:
    chance = random.Random(f"kills {KILLS}")
    events = script()
    path = tmp_path / "log.jsonl"
    kept = killed = 0
    while killed < KILLS:
        if kept == len(events):
            path.unlink()
            kept = 0
        code, said = run(path, [str(chance.randrange(1, 9)), how(chance)])
        if code == 0:
            kept = len(decode(path.read_bytes()).events)
            assert kept == len(events)
            continue
        assert code == -signal.SIGKILL
        killed += 1
        replay = decode(path.read_bytes())
        numbers = {entry.seq for entry in replay.events}
        assert set(said) <= numbers
        # What is on disk is the script so far: nothing missing, doubled, or in another order.
        assert [entry.event for entry in replay.events] == events[: len(replay.events)]
        assert len(replay.events) >= kept
        kept = len(replay.events)
    code, _ = run(path, [])
    assert code == 0
    replay = decode(path.read_bytes())
    assert replay.damage is None
    assert [entry.event for entry in replay.events] == events


def test_a_game_that_is_resumed_stands_as_it_stood(tmp_path: Path) -> None:
    chance = random.Random("resume")
    events, path = script(), tmp_path / "log.jsonl"
    for cut in chance.sample(range(2, len(events)), 6):
        path.unlink(missing_ok=True)
        twin = [Recorded(Seq(n), "", event) for n, event in enumerate(events[:cut], start=1)]
        torn = encode(cut + 1, "t", events[cut]).encode()[: chance.randrange(1, 40)]
        path.write_bytes(b"".join(encode(e.seq, "t", e.event).encode() for e in twin) + torn)
        log = LogFile(path)
        resumed, before = fold(load_board(), log.earlier), fold(load_board(), twin)
        assert told(resumed) == told(before)
        assert resumed.undo() == before.undo()
        assert log.append(events[cut]).seq == cut + 1
        log.close()
        assert [e.event for e in decode(path.read_bytes()).events] == events[: cut + 1]
