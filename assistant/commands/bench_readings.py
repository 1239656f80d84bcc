"""`bystander bench --readings`: how many pictures are read right, wrong, not at all.

    bystander bench --readings [--hardness H,…] [--frames N] [--seed S] [--sizes WxH,…]
    bystander bench --readings --pictures DIR [--profile P]

N practice stills of each hardness (easy, normal, hard) and size, stacks and negatives mixed, by the
seed: another seed, other pictures, so that several runs add up to one. Or the pictures of a folder
that holds their truth as `truth.json`, a list of

    {"file": "0001.jpg", "key": location, "value": a feature or "1"|"2"|"3"|"lady"|"blank"}
    {"file": "0002.jpg", "kind": "negative", "negative": what it shows that is not to be read}

`--bare` reads without a profile, as before any calibration; `--ocr` has Tesseract doubt the keys
(with `--bare`: name them). `--save DIR` keeps the practice pictures that were read wrong. `--json`
prints one object per row: {"level", "table", …}; the tables are those of bench_score.py.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from assistant.adapters.typed_paths import typed_path
from assistant.commands.bench_score import Score, Shown, lines_of
from assistant.core.errors import DamagedError, MissingError, UsageError
from assistant.core.terms import BLANK, LADY, Content, Feature, Location

if TYPE_CHECKING:
    from collections.abc import Callable

    from assistant.vision.profile import CardProfile
    from assistant.vision.sighting import Picture, Sighting

    Look = Callable[[Picture], Sighting]

SIZES = [(1280, 720)]
FRAMES = 200
TRUTH_FILE = "truth.json"


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """A picture with its name and what it shows."""

    name: str
    picture: Picture
    shown: Shown


def run_readings(args: Namespace) -> int:
    """Read, count, and print; return 0, or 1 when any reading is wrong.

    Raises:
        UsageError: options that do not go together.
        MissingError: no profile, no pictures, or no truth beside them.
        DamagedError: the truth cannot be understood.
    """
    if args.bare and args.profile:
        raise UsageError("--bare reads without a profile; leave --profile out")
    look = _look(args)
    has_wrong = False
    for level, pictures in _levels(args):
        score, took_s, count = Score(), 0.0, 0
        for posed in pictures:
            began = perf_counter()
            sighting = look(posed.picture)
            took_s += perf_counter() - began
            count += 1
            if score.add(posed.name, posed.shown, sighting):
                has_wrong = True
                _keep(args, posed)
        _print(level, count, took_s, score, args.json)
    return 1 if has_wrong else 0


def _print(level: str, count: int, took_s: float, score: Score, as_json: bool) -> None:
    if as_json:
        for table, row in score.rows():
            print(json.dumps({"level": level, "table": table, **row}, ensure_ascii=False))
        return
    ms = 1000 * took_s / max(count, 1)
    print(f"{level}: {count} pictures, {ms:.0f} ms each")
    print("\n".join(lines_of(score.rows())), end="\n\n", flush=True)


def _look(args: Namespace) -> Look:
    """Return what reads a still, as `bystander read` would."""
    from assistant.adapters.tesseract import Tesseract
    from assistant.data import load_keys
    from assistant.vision.bare import BareReader
    from assistant.vision.printed_words import PrintedWords
    from assistant.vision.reader import Reader

    text = Tesseract(_say).read_text if args.ocr else None
    if args.bare:
        return BareReader(load_keys(), text).read_still
    reader = Reader(_profile(args))
    if text is None:
        return reader.read_still
    words = PrintedWords(load_keys(), text)
    return lambda picture: words.doubted(picture, reader.read_still(picture))


def _profile(args: Namespace) -> CardProfile:
    from assistant.app import card_profile, practice_profile
    from assistant.data import load_board
    from assistant.practice.deck import PracticeDeck

    if args.pictures or args.profile:
        return card_profile(args.profile)
    return practice_profile(PracticeDeck(load_board(), seed=1), _say)


def _levels(args: Namespace) -> Iterator[tuple[str, Iterator[Posed]]]:
    """Yield what each score is of, and its pictures."""
    if args.pictures:
        yield args.pictures, posed_in(typed_path(args.pictures), args.frames)
        return
    for width, height in args.sizes or SIZES:
        for hardness in args.hardness:
            level = f"{hardness} {width}x{height} seed {args.seed}"
            count = args.frames or FRAMES
            yield level, practice_stills(hardness, count, args.seed, (width, height))


def practice_stills(hardness: str, count: int, seed: int, size: tuple[int, int]) -> Iterator[Posed]:
    """Yield so many stills of the practice table, `size` (width, height) px."""
    from assistant.data import load_board
    from assistant.practice.deck import PracticeDeck
    from assistant.practice.stage import Hardness
    from assistant.practice.table import VirtualTable

    table = VirtualTable(PracticeDeck(load_board(), seed), seed)
    for number in range(count):
        shot = table.still(number, Hardness(hardness), size)
        truth = shot.truth
        negative = "" if truth.negative is None else truth.negative.value
        shown = Shown(truth.location, truth.content, negative, truth.below)
        yield Posed(f"{hardness}-{seed}-{number:05}", shot.picture_bgr, shown)


def posed_in(folder: Path, most: int | None = None) -> Iterator[Posed]:
    """Yield the pictures of a folder that its truth names, in its order.

    Raises:
        MissingError: there is no truth, or a picture is missing.
        DamagedError: the truth is no list of such objects.
    """
    from assistant.adapters.pictures import open_picture
    from assistant.adapters.whole_file import MOST_BYTES, read_json

    path = folder / TRUTH_FILE
    try:
        entries = read_json(path, MOST_BYTES)
    except OSError as error:
        raise MissingError(f"{path} cannot be read ({error.strerror}): {_WANTED}") from error
    except ValueError as error:
        raise DamagedError(f"{path} is no JSON ({error}): {_WANTED}") from error
    try:
        told = [(str(entry["file"]), _shown(entry)) for entry in entries]
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"{path} is not understood ({error!r}): {_WANTED}") from error
    for name, shown in told[:most]:
        yield Posed(name, open_picture(folder / name).picture, shown)


_WANTED = 'a list of {"file", "key", "value"} is wanted (bystander bench -h)'


def _shown(entry: dict[str, Any]) -> Shown:
    """Return what an entry of a truth says; a negative's key does not matter."""
    if entry.get("kind") == "negative":
        return Shown(None, None, str(entry.get("negative", "other")))
    value = str(entry["value"])
    content = {"lady": LADY, "blank": BLANK}.get(value)
    if content is None and value.isdecimal():
        content = Content.digit(int(value))
    elif content is None:
        content = Content.icon(Feature(value))
    return Shown(Location(entry["key"]), content)


def _keep(args: Namespace, posed: Posed) -> None:
    """Keep a picture that was read wrong, where that is asked for."""
    if not args.save:
        return
    import cv2

    good, data = cv2.imencode(".png", posed.picture)
    try:
        folder = typed_path(args.save)
        folder.mkdir(parents=True, exist_ok=True)
        if good:
            (folder / f"{Path(posed.name).stem}.png").write_bytes(data.tobytes())
    except OSError as error:
        raise MissingError(f"{args.save} cannot be written ({error.strerror})") from error


def _say(line: str) -> None:
    print(line, file=sys.stderr)
