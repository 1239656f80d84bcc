"""`bystander bench --clips N`: is each laying of N practice films one right reading?

    bystander bench --clips N [--hardness H,…] [--seed S] [--json]

N films of the practice table at each hardness, by the seed, read as `bystander read` reads a film.
One row for each hardness: {"level", "clips", "layings", "right", "unread", "wrong", "doubled",
"stray", "frames_after_rest": {"median", "worst"}, "missed": [...], "faults": [...]}. *Doubled*: a
laying gave a second reading; *stray*: a reading while no stack was in sight. `frames_after_rest`:
from the first frame in which the stack lies still (a hand may be over it yet) to the last that the
reading rests on.
"""

from __future__ import annotations

import json
import statistics
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assistant.commands.bench_score import word_of

if TYPE_CHECKING:
    from assistant.practice.clips import Clip, StackTruth
    from assistant.session import Reading
    from assistant.vision.profile import CardProfile


@dataclass(slots=True)
class ClipScore:
    """Counts the layings of films."""

    clips: int = 0
    layings: int = 0
    right: int = 0
    unread: int = 0
    wrong: int = 0
    doubled: int = 0
    stray: int = 0
    waits: list[int] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, name: str, stacks: Sequence[StackTruth], readings: Sequence[Reading]) -> None:
        """Count one film's readings beside what was laid in it."""
        self.clips += 1
        self.layings += len(stacks)
        taken: set[int] = set()
        for stack in stacks:
            mine = [r for r in readings if stack.enters <= r.frame < stack.gone]
            taken.update(reading.number for reading in mine)
            good = [r for r in mine if (r.location, r.content) == (stack.location, stack.content)]
            shown = f"{stack.location.value} = {word_of(stack.content)}"
            for reading in mine:
                if reading not in good:
                    self.wrong += 1
                    self.faults.append(f"{name}: {shown} wrong as {_claim(reading)}")
            self.right += bool(good)
            self.unread += not mine
            self.missed += [] if mine else [f"{name}: {shown} from frame {stack.rests}"]
            self.doubled += max(len(mine) - 1, 0)
            if len(mine) > 1:
                self.faults.append(f"{name}: {shown} read {len(mine)} times")
            if good:
                self.waits.append(good[0].frame - stack.rests)
        for reading in readings:
            if reading.number not in taken:
                self.stray += 1
                self.faults.append(f"{name}: stray {_claim(reading)}")

    def row(self, level: str) -> dict[str, Any]:
        """Return the counts as one object."""
        waits = self.waits or [0]
        return {
            "level": level,
            "clips": self.clips,
            "layings": self.layings,
            "right": self.right,
            "unread": self.unread,
            "wrong": self.wrong,
            "doubled": self.doubled,
            "stray": self.stray,
            "frames_after_rest": {"median": statistics.median(waits), "worst": max(waits)},
            "missed": self.missed,
            "faults": self.faults,
        }


def run_clips(args: Namespace) -> int:
    """Read the films and print; return 0, or 1 when a reading is wrong, doubled, or stray."""
    from assistant.app import practice_profile
    from assistant.data import load_board
    from assistant.practice.clips import Clip
    from assistant.practice.deck import PracticeDeck
    from assistant.practice.stage import Hardness

    deck = PracticeDeck(load_board(), seed=1)
    profile = practice_profile(deck, lambda line: print(line, file=sys.stderr))
    is_good = True
    for hardness in args.hardness:
        score = ClipScore()
        for number in range(args.clips):
            seed = args.seed * 10_000 + number
            clip = Clip(PracticeDeck(load_board(), seed), seed, Hardness(hardness))
            readings = readings_of(clip, profile)
            score.add(f"{hardness}-{seed}", clip.stacks, readings)
        row = score.row(f"{hardness} seed {args.seed}")
        print(json.dumps(row, ensure_ascii=False) if args.json else _line(row), flush=True)
        is_good = is_good and not score.wrong + score.doubled + score.stray
    return 0 if is_good else 1


def readings_of(clip: Clip, profile: CardProfile) -> tuple[Reading, ...]:
    """Return what a film gives as readings."""
    from assistant.data import load_board
    from assistant.session import MemoryLog, Session
    from assistant.vision.reader import Reader

    session = Session(load_board(), Reader(profile), MemoryLog())
    for frame in clip.frames():
        session.see(frame)
    return session.readings


def _claim(reading: Reading) -> str:
    return f"{reading.location.value} = {word_of(reading.content)} at frame {reading.frame}"


def _line(row: dict[str, Any]) -> str:
    waits = row["frames_after_rest"]
    counts = "  ".join(f"{key} {row[key]}" for key in ("right", "unread", "wrong", "doubled"))
    head = f"{row['level']}: {row['clips']} films, {row['layings']} layings  {counts}"
    wait = f"frames after rest: median {waits['median']:g}, worst {waits['worst']}"
    told = [f"    {line}" for line in (*row["faults"], *(f"{m} not read" for m in row["missed"]))]
    return "\n".join([f"{head}  stray {row['stray']}  {wait}", *told])
