"""As the system sees it: an event is written and synced before anything of it is shown."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STRACE = shutil.which("strace")


def _can_trace() -> bool:
    if STRACE is None:
        return False
    tried = subprocess.run(
        [STRACE, "-o", "/dev/null", "true"], capture_output=True, check=False, timeout=30
    )
    return tried.returncode == 0


@pytest.mark.skipif(not _can_trace(), reason="needs strace, and the right to trace")
def test_each_event_is_written_and_synced_before_it_is_told(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    done = subprocess.run(
        [str(STRACE), "-f", "-s", "4096", "-e", "trace=openat,write,fsync", "-o", str(trace),
         sys.executable, "-m", "tests.assistant.adapters.log_writer", str(tmp_path / "log.jsonl")],
        cwd=ROOT, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    told = [int(line) for line in done.stdout.split()]
    assert len(told) > 100
    calls = trace.read_text().splitlines()
    opened = next(line for line in calls if 'log.jsonl"' in line and "O_APPEND" in line)
    handle = opened.rsplit("= ", 1)[1].strip()
    written: int | None = None
    synced: set[int] = set()
    shown: list[int] = []
    for call in calls:
        if line := re.search(rf'write\({handle}, ".*\\"seq\\": (\d+)', call):
            written = int(line[1])
        elif f"fsync({handle})" in call and call.rstrip().endswith("= 0"):
            assert written is not None
            synced.add(written)
        elif line := re.search(r'write\(1, "(\d+)\\n"', call):
            shown.append(int(line[1]))
            assert shown[-1] in synced
    assert shown == told
