"""`bystander read`: what stills, folders of stills, and films show.

    bystander read INPUT… [--video DIR] [--profile P] [--ocr] [--threads N] [--sightings] [--json]
    bystander read --camera SRC …

A still gives one row:

    {"file", "found", "location", "side", "kind", "value", "confidence", "corners", "reason",
     "text", "ms", "others"}

a film one row for each laying that gave a reading (with several inputs also "file"):

    {"reading", "frame", "location", "kind", "value", "confidence", "confirms", "disputes"}

and with `--sightings` also one row for each frame: a still's, with "frame" in place of "file".
`ms` is the wall time from the decoded picture to the row, nothing remembered from pictures before.
An input that is missing or unreadable is told on stderr and has a row with the reason
`unreadable-file`; the rest is still read, and the exit code is 3. `--camera` reads a live camera in
a film's rows until Ctrl-C.

Where no profile is named and no cards were ever learnt, one line on stderr says so, and what is the
same on every copy is read: digits and the Lady; icons and blank need the keys shown once.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from assistant.core.errors import MissingError, UsageError
from assistant.present.one_line import one_line
from assistant.present.words import WHY_NOT, WHY_NOT_BARE, reading_words

if TYPE_CHECKING:
    from assistant.adapters.pictures import OpenedPicture
    from assistant.session import CameraSource, News, Reading, Session, Sight
    from assistant.vision.bare import BareReader
    from assistant.vision.ink import Grey
    from assistant.vision.printed_words import PrintedWords
    from assistant.vision.profile import CardProfile
    from assistant.vision.reader import Reader
    from assistant.vision.sighting import Picture, Sighting

_NO_CALIBRATION = (
    "no calibration is used: digits and the Lady are read where the key stands out, icons and"
    " blank not; show me the fronts once (bystander calibrate)"
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `read` to the command line."""
    parser = subparsers.add_parser("read", help="read pictures and films of the table")
    parser.add_argument("input", nargs="*", metavar="INPUT", help="picture, folder, or video file")
    parser.add_argument(
        "--video",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of pictures, taken as a film of 30 pictures a second; repeatable",
    )
    parser.add_argument(
        "--camera", metavar="SRC", help="read live, until Ctrl-C: camera number, device, or URL"
    )
    parser.add_argument("--profile", metavar="P", help="folder of a card profile (default: yours)")
    parser.add_argument("--ocr", action="store_true", help="doubt keys by their printed words")
    parser.add_argument("--threads", type=_threads, metavar="N", help="threads OpenCV may use")
    parser.add_argument("--sightings", action="store_true", help="a row for each frame of a film")
    parser.add_argument("--json", action="store_true", help="one JSON object per row")
    parser.set_defaults(run=run)


def _threads(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of threads")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Print the rows of all inputs; return 0, or 3 when one is missing or unreadable.

    Raises:
        UsageError: nothing to read was named.
        MissingError: no profile where one was named.
    """
    import cv2

    from assistant.app import card_profile, own_profile

    if not args.input and not args.video and not args.camera:
        raise UsageError("read what? name a picture, a folder or a video (bystander read -h)")
    if args.threads is not None:
        cv2.setNumThreads(args.threads)
    profile = own_profile() if args.profile is None else card_profile(args.profile)
    if profile is None:
        _say(_NO_CALIBRATION)
    reading = _Run(profile, args)
    for name in args.input:
        reading.take(name)
    for name in args.video:
        reading.take_film(name)
    if args.camera:
        reading.take_camera(args.camera)
    return 3 if reading.has_failed else 0


class _Run:
    """One run of the command: reads input after input, prints rows, remembers what failed.

    Without a profile what is the same on every copy is read.
    """

    def __init__(self, profile: CardProfile | None, args: argparse.Namespace) -> None:
        self._profile, self._json, self._sightings = profile, args.json, args.sightings
        self._names_files = len(args.input) + len(args.video) > 1
        self._read_text = _text_reader() if args.ocr else None
        self._words = None
        if self._read_text is not None and profile is not None:
            self._words = _printed_words(self._read_text)
        self._reader = self._reader_of(live=False)
        self._why_not = WHY_NOT if profile is not None else {**WHY_NOT, **WHY_NOT_BARE}
        self.has_failed = False

    def _reader_of(self, live: bool) -> Reader | BareReader:
        from assistant.data import load_keys
        from assistant.vision.bare import BareReader
        from assistant.vision.reader import Reader

        if self._profile is not None:
            return Reader(self._profile, live)
        return BareReader(load_keys(), self._read_text)

    def take(self, name: str) -> None:
        """Read one input as what it is."""
        from assistant.adapters.films import is_film
        from assistant.adapters.pictures import pictures_in

        path = Path(name)
        try:
            pictures = pictures_in(path) if path.is_dir() else None
        except MissingError as error:
            self._fail(name, error)
            return
        except OSError as error:
            # A name that no file can have.
            self._fail(name, MissingError(f"{name}: {error.strerror}"))
            return
        if pictures is not None:
            for picture in pictures:
                self._still(f"{name.rstrip('/')}/{picture.name}", picture)
        elif is_film(path):
            self.take_film(name)
        else:
            self._still(name, path)

    def take_film(self, name: str) -> None:
        """Read a video, or a folder as one; a row for each reading."""
        from assistant.adapters.films import FilmFile, FolderFilm

        path = Path(name)
        try:
            source = FolderFilm(path) if path.is_dir() else FilmFile(path)
        except MissingError as error:
            self._fail(name, error)
            return
        self._film(name, source)

    def take_camera(self, name: str) -> None:
        """Read a live camera until the player stops it; a film as a film.

        Raises:
            MissingError: there is no such camera, or it gives no picture.
        """
        from assistant.adapters.sources import open_source
        from assistant.adapters.webcam import Webcam
        from assistant.commands.read_live import read_live

        source = open_source(name)
        if isinstance(source, Webcam):
            read_live(self._session(name, live=True), source)
        else:
            self._film(name, source)

    def _still(self, name: str, path: Path) -> None:
        from assistant.adapters.pictures import open_picture

        try:
            opened = open_picture(path)
        except MissingError as error:
            self._fail(name, error)
            return
        began = perf_counter()
        sighting = self._reader.read_still(opened.picture)
        if self._words is not None:
            sighting = self._words.doubted(opened.picture, sighting)
        ms = (perf_counter() - began) * 1000
        self._row({"file": name, **sighting_row(sighting, ms, opened, self._why_not)})

    def _film(self, name: str, source: CameraSource) -> None:
        try:
            self._session(name).follow(source)
        finally:
            source.close()

    def _session(self, name: str, live: bool = False) -> Session:
        """Return a session that is kept nowhere and prints its readings."""
        from assistant.adapters.words_watch import WordsWatch
        from assistant.data import load_board
        from assistant.session import MemoryLog, Notice, ReadingTaken, Session, Sighted

        sight = _Timed(self._reader_of(live))

        def told(news: News) -> None:
            if isinstance(news, ReadingTaken):
                file = {"file": name} if self._names_files else {}
                self._row(reading_row(news.reading) | file)
            elif isinstance(news, Sighted) and self._sightings:
                row = sighting_row(news.sighting, sight.ms, why_not=self._why_not)
                self._row({"frame": news.frame.index, **row})
            elif isinstance(news, Notice):
                _say(news.text)

        listeners = [told]
        if live and self._words is not None:
            # Never on a frame's path: beside it, and told as a notice.
            listeners.append(WordsWatch(self._words, _say).told)
        return Session(load_board(), sight, MemoryLog(), listeners=listeners)

    def _fail(self, name: str, error: MissingError) -> None:
        self.has_failed = True
        _say(str(error))
        if self._json:
            self._row({"file": name, **unreadable_row(str(error).removeprefix(f"{name}: "))})

    def _row(self, row: dict[str, Any]) -> None:
        words = json.dumps(row, ensure_ascii=False) if self._json else one_line(_in_words(row))
        print(words, flush=True)


def _say(line: str) -> None:
    print(f"bystander: {one_line(line)}", file=sys.stderr)


def _text_reader() -> Callable[[Grey], str]:
    from assistant.adapters.tesseract import Tesseract

    return Tesseract(_say).read_text


def _printed_words(read_text: Callable[[Grey], str]) -> PrintedWords:
    from assistant.data import load_keys
    from assistant.vision.printed_words import PrintedWords

    return PrintedWords(load_keys(), read_text)


class _Timed:
    """A reader that remembers how long its last frame took."""

    def __init__(self, reader: Sight) -> None:
        self._reader = reader
        self.ms = 0.0

    def look(self, picture: Picture) -> Sighting:
        """Return what the reader says, its time taken."""
        began = perf_counter()
        sighting = self._reader.look(picture)
        self.ms = (perf_counter() - began) * 1000
        return sighting


def sighting_row(
    sighting: Sighting,
    ms: float,
    opened: OpenedPicture | None = None,
    why_not: Mapping[str, str] = WHY_NOT,
) -> dict[str, Any]:
    """Return the row of a frame; corners in px of the file where the picture was shrunk."""
    corners = sighting.corners if opened is None else opened.corners_in_file(sighting.corners)
    content, location = sighting.content, sighting.location
    if content is not None and location is not None:
        text = reading_words(location, content)
    else:
        text = why_not[sighting.reason.value if sighting.reason else "unsure"]
    return {
        "found": sighting.found,
        "location": location.value if location else None,
        "side": sighting.side.value if sighting.side else None,
        "kind": content.kind.value if content else None,
        "value": content.value if content else None,
        "confidence": _rounded(sighting.confidence),
        "corners": [[round(x, 1), round(y, 1)] for x, y in corners] if corners else None,
        "reason": sighting.reason.value if sighting.reason else None,
        "text": text,
        "ms": round(ms, 2),
        "others": sighting.others,
    }


def unreadable_row(why: str) -> dict[str, Any]:
    """Return the row of an input that gave no picture."""
    from assistant.vision.sighting import Reason, Sighting

    row = sighting_row(Sighting(reason=Reason.UNREADABLE_FILE), 0.0)
    return row | {"text": why}


def reading_row(reading: Reading) -> dict[str, Any]:
    """Return the row of a reading."""
    return {
        "reading": reading.number,
        "frame": reading.frame,
        "location": reading.location.value,
        "kind": reading.content.kind.value,
        "value": reading.content.value,
        "confidence": _rounded(reading.confidence),
        "confirms": reading.confirms,
        "disputes": reading.disputes,
    }


def _rounded(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 4)


def _in_words(row: dict[str, Any]) -> str:
    if "reading" in row:
        shown = row["value"] or row["kind"]
        again = f", confirms reading {row['confirms']}" if row["confirms"] else ""
        against = f", disputes reading {row['disputes']}" if row["disputes"] else ""
        start = f"{row['file']}: " if "file" in row else ""
        where = f"{start}reading {row['reading']} (frame {row['frame']})"
        return f"{where}: {row['location']}: {shown}{again}{against}"
    name = row.get("file") or f"frame {row['frame']}"
    if row["reason"] is None:
        return f"{name}: {row['text']} (sure to {row['confidence']:.0%})"
    key = f"{row['location']} ({row['side']}): " if row["found"] else ""
    return f"{name}: {key}{row['text']}"
