"""`bystander bench`: what reading costs on this machine, beside ORB and SIFT in the same run.

    bystander bench [--pictures DIR [--profile P]] [--frames N] [--sizes WxH,…] [--json]
    bystander bench --game [--json]      what an event costs at the end of a game of 60 turns
    bystander bench --readings …         how many are right, wrong, unread (bench_readings.py)
    bystander bench --clips N …          the same of films (bench_clips.py)

For each size, in ms per frame, one thread:

    cold still      a picture read from nothing, as `bystander read` does
    live search     the first frames of a film, until its stack is found (or given up)
    tracked stack   the same stack, moved by a few px from frame to frame
    nothing moved   the same frame again with a sensor's noise
    ORB 1500, SIFT  OpenCV's features on the same frames

`u` is the median over U, the median of ORB in the same run and size, taken before and after each
picture's own frames. Practice frames of normal hardness are the default; `--pictures` takes your
own (with your profile). `--json` prints one object per size and row:
{"size", "what", "frames", "median_ms", "mean_ms", "worst_ms", "u"}.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from assistant.adapters.typed_paths import typed_path

if TYPE_CHECKING:
    from assistant.vision.profile import CardProfile
    from assistant.vision.reader import Reader
    from assistant.vision.sighting import Picture

SIZES = "640x480,1280x720,1920x1080"
FRAMES = 20
LEVELS = "easy,normal,hard"

#: Frames of one film: searched, then tracked, then at rest, of which the first are not counted.
_SEARCHED, _TRACKED, _RESTING = 12, 20, 20
_WARMING = 8
_ROWS = ("cold still", "live search", "tracked stack", "nothing moved", "ORB 1500", "SIFT")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `bench` to the command line."""
    parser = subparsers.add_parser("bench", help="what reading costs on this machine")
    parser.add_argument("--pictures", metavar="DIR", help="your own pictures, not practice ones")
    parser.add_argument("--profile", metavar="P", help="the card profile for your own pictures")
    parser.add_argument("--frames", type=_count, metavar="N", help="pictures per size")
    parser.add_argument("--sizes", type=_sizes, metavar="WxH,...")
    parser.add_argument("--game", action="store_true", help="an event in a long game instead")
    scored = parser.add_argument_group("how well it reads, not how fast")
    scored.add_argument("--readings", action="store_true", help="score stills whose truth is known")
    scored.add_argument("--clips", type=_count, metavar="N", help="score N practice films")
    scored.add_argument("--hardness", type=_levels, default=_levels(LEVELS), metavar="H,...")
    scored.add_argument("--seed", type=int, default=1, metavar="S", help="other practice pictures")
    scored.add_argument("--bare", action="store_true", help="read without any calibration")
    scored.add_argument("--ocr", action="store_true", help="with Tesseract's second opinion")
    scored.add_argument("--save", metavar="DIR", help="keep practice pictures that are read wrong")
    parser.add_argument("--json", action="store_true", help="one JSON object per row")
    parser.set_defaults(run=run)


def _sizes(text: str) -> list[tuple[int, int]]:
    sizes = []
    for word in text.split(","):
        width, cross, height = word.strip().partition("x")
        if not (cross and width.isdecimal() and height.isdecimal() and int(width) * int(height)):
            raise argparse.ArgumentTypeError(f"{word!r} is no size such as 1280x720")
        sizes.append((int(width), int(height)))
    return sizes


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of pictures")
    return int(text)


def _levels(text: str) -> list[str]:
    levels = [word.strip() for word in text.split(",")]
    for level in levels:
        if level not in LEVELS.split(","):
            raise argparse.ArgumentTypeError(f"{level!r} is none of {LEVELS}")
    return levels


def run(args: argparse.Namespace) -> int:
    """Measure and print; return 0, or 1 when a score found a wrong reading.

    Raises:
        UsageError: options that do not go together.
        MissingError: no profile, or no pictures in the folder.
        DamagedError: the truth of a score's pictures cannot be understood.
    """
    if args.game:
        from assistant.commands.bench_game import run_game

        return run_game(args.json)

    import cv2

    cv2.setNumThreads(1)
    if args.readings:
        from assistant.commands.bench_readings import run_readings

        return run_readings(args)
    if args.clips:
        from assistant.commands.bench_clips import run_clips

        return run_clips(args)

    profile, pictures_of = _own(args) if args.pictures else _practice()
    for width, height in args.sizes or _sizes(SIZES):
        pictures = list(pictures_of(args.frames or FRAMES, (width, height)))
        for measured in measure(pictures, profile):
            row = {"size": f"{width}x{height}", **measured}
            print(json.dumps(row) if args.json else _line(row), flush=True)
        if not args.json:
            print()
    return 0


PicturesOf = Callable[[int, tuple[int, int]], "Iterable[Picture]"]


def _practice() -> tuple[CardProfile, PicturesOf]:
    import sys

    from assistant.app import practice_profile
    from assistant.data import load_board
    from assistant.practice.deck import PracticeDeck
    from assistant.practice.stage import Hardness
    from assistant.practice.table import VirtualTable

    deck = PracticeDeck(load_board(), seed=1)
    table = VirtualTable(deck, seed=1)

    def pictures_of(count: int, size: tuple[int, int]) -> Iterable[Picture]:
        for number in range(count):
            yield table.still(number, Hardness.NORMAL, size).picture_bgr

    return practice_profile(deck, lambda line: print(line, file=sys.stderr)), pictures_of


def _own(args: argparse.Namespace) -> tuple[CardProfile, PicturesOf]:
    import cv2

    from assistant.adapters.pictures import open_picture, pictures_in
    from assistant.app import card_profile

    paths = pictures_in(typed_path(args.pictures))

    def pictures_of(count: int, size: tuple[int, int]) -> Iterable[Picture]:
        for path in paths[:count]:
            picture = open_picture(path).picture
            yield cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype("uint8")

    return card_profile(args.profile), pictures_of


def measure(pictures: Sequence[Picture], profile: CardProfile) -> list[dict[str, Any]]:
    """Return the rows of one size; never empty."""
    import cv2

    from assistant.vision.reader import Reader

    orb, sift = cv2.ORB.create(1500), cv2.SIFT.create()
    still = Reader(profile)
    times: dict[str, list[float]] = {what: [] for what in _ROWS}
    for number, picture in enumerate(pictures):
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        # Before and after each picture's own: many a machine's speed doubles and halves meanwhile.
        times["ORB 1500"].append(_ms(orb.detectAndCompute, grey, None))
        times["cold still"].append(_ms(still.read_still, picture))
        _live(picture, number, Reader(profile, live=True), times)
        times["ORB 1500"].append(_ms(orb.detectAndCompute, grey, None))
        times["SIFT"].append(_ms(sift.detectAndCompute, grey, None))
    unit_ms = statistics.median(times["ORB 1500"])
    return [
        {
            "what": what,
            "frames": len(taken),
            "median_ms": round(statistics.median(taken), 3),
            "mean_ms": round(statistics.fmean(taken), 3),
            "worst_ms": round(max(taken), 3),
            "u": round(statistics.median(taken) / unit_ms, 3),
        }
        for what, taken in times.items()
        if taken
    ]


def _live(picture: Picture, number: int, reader: Reader, times: dict[str, list[float]]) -> None:
    """Add the times of short films made from a picture, by what the reader had to do."""
    is_found = False
    for frame in _film(picture, number, _SEARCHED, shift_px=0):
        began = perf_counter()
        is_found = reader.look(frame).found
        times["live search"].append((perf_counter() - began) * 1000)
        if is_found:
            break
    for frame in _film(picture, number, _TRACKED, shift_px=2) if is_found else ():
        times["tracked stack"].append(_ms(reader.look, frame))
    resting = _film(picture, number, _RESTING, shift_px=0)
    # The first of them still differs from the tracked film's last, and several must be read
    # before one stands for the rest.
    for _ in range(_WARMING):
        reader.look(next(resting))
    times["nothing moved"] += [_ms(reader.look, frame) for frame in resting]


def _film(picture: Picture, seed: int, frames: int, shift_px: int) -> Iterator[Picture]:
    """Yield the picture again and again, noise of its own on each frame, shifted ever further."""
    import cv2
    import numpy as np

    chance = np.random.default_rng(seed)
    for number in range(1, frames + 1):
        shift = np.array([[1, 0, shift_px * number], [0, 1, shift_px * number]], np.float64)
        moved = picture
        if shift_px:
            size = (picture.shape[1], picture.shape[0])
            warped = cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE)
            moved = warped.astype(np.uint8, copy=False)
        noise = chance.integers(-2, 3, picture.shape, np.int16)
        yield np.clip(moved.astype(np.int16) + noise, 0, 255).astype(np.uint8)


def _ms(work: Callable[..., object], *given: object) -> float:
    began = perf_counter()
    work(*given)
    return (perf_counter() - began) * 1000


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['size']:>9}  {row['what']:<14} {row['frames']:>4} frames  "
        f"median {row['median_ms']:>8.2f} ms  mean {row['mean_ms']:>8.2f}  "
        f"worst {row['worst_ms']:>8.2f}  {row['u']:>6.2f} U"
    )
