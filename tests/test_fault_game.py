"""A game in which camera, Tesseract, LED board and disk fail, and which is killed and resumed.

    python -m tests.test_fault_game 50

plays as many evenings in a row, each with another hidden pair, and tells how many ended right.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from assistant.adapters.profiles import save_profile
from assistant.journal import LogOpened, decode
from tests.assistant.vision.practice_profile import practice_profile

#: The line that is being written when the process is killed: the fifth reading's.
LAST_LINE = 7

#: What the player is told on the first half of the evening, in this order for each device.
TOLD = (
    "the camera 0 gives no new picture",
    "the LED board is gone",
    "No space left on device",
    "tesseract took more than",
    "the log is written again; nothing is lost",
    "LED board on /dev/ttyACM1 again",
)

LIMIT_S = 120


def half(home: Path, profile: Path, seed: int, *line: str) -> tuple[int, list[dict[str, Any]]]:
    """Play until the kill, or to the end; return the exit code and the rows."""
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    kept = {"BYSTANDER_HOME": str(home), "TMPDIR": str(home / "tmp"), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.fault_evening", str(profile), str(seed), *line],
        env=os.environ | kept, cwd=Path(__file__).parents[1],
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, [json.loads(text) for text in done.stdout.splitlines()]


def play_evening(home: Path, profile: Path, seed: int) -> None:
    """Play an evening that is killed and resumed; assert what must hold."""
    code, first = half(home, profile, seed, str(LAST_LINE))
    assert code == -signal.SIGKILL
    notices = [row["text"] for row in first if row["event"] == "notice"]
    for words in TOLD:
        assert any(words in notice for notice in notices), words
    # Frozen, then pulled out: told once each.
    assert sum(TOLD[0] in notice for notice in notices) == 2

    code, second = half(home, profile, seed)
    assert code == 0, second
    assert second[-1] == {"event": "result", "right": True, "lit": True}

    [log] = (home / "sessions").glob("*.jsonl")
    replay = decode(log.read_bytes())
    replay.trusted()
    assert replay.oddities == ()
    # Every reading that was told is in the log, once and in its order; the torn one was never told.
    told = [(row["seq"], row["at"]) for row in first + second if row["event"] == "reading"]
    read = [
        (entry.seq, getattr(entry.event, "location").value)  # noqa: B009 - not each event has one
        for entry in replay.events
        if getattr(entry.event, "seen", None) is not None
    ]
    assert read == told
    assert [row["seq"] for row in first if row["event"] == "reading"] == [3, 4, 5, 6]
    assert [type(noted.note) for noted in replay.notes] == [LogOpened, LogOpened]
    assert log.with_name(log.name + ".torn").exists()
    # The refuge of the full disk went when the log had caught up.
    assert list((home / "tmp").glob("bystander-*")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_game_ends_right_and_its_log_is_whole_whatever_fails_and_when_it_is_killed(
    tmp_path: Path,
) -> None:
    save_profile(practice_profile(), tmp_path / "profile")
    play_evening(tmp_path / "home", tmp_path / "profile", seed=1)


def main(count: int) -> int:
    """Play evenings in a row; return 0 when all ended right."""
    right, began_s = 0, perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        save_profile(practice_profile(), Path(folder) / "profile")
        for seed in range(1, count + 1):
            try:
                play_evening(Path(folder) / f"evening {seed}", Path(folder) / "profile", seed)
            except AssertionError as error:
                print(f"evening {seed}: {error}")  # noqa: T201 - a measurement's figures
            else:
                right += 1
            print(f"{right} of {seed} right, {perf_counter() - began_s:.0f} s", flush=True)  # noqa: T201
    return 0 if right == count else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
