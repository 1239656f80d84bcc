"""`bystander demo`: a practice game on a virtual table, read by the real pipeline.

    bystander demo [--headless] [--seed N] [--json] [--blackout] [--leds PORT] [--film] [--pictures]

With a display it opens a window with the film and the map; everything is printed too. `--blackout`
covers the lens: nothing is read, so the answer is not right. With `--json`, a line each:

    {"event": "reading", "reading", "frame", "location", "kind", "value", "confidence", "confirms",
     "disputes", "struck_out": {"youth": [...], "rendezvous": [...]}}
    {"event": "candidates", "youth": {place: share}, "rendezvous": {feature: share}, "steps"}
    {"event": "result", "youth": [...], "rendezvous": [...], "right": bool, "steps"}      (last)

Exit 0 when the hidden place and feature are among the last candidates, else 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.commands.light_options import add_light_options, lights_of
from assistant.present.words import counted, listed, percent, reading_words

if TYPE_CHECKING:
    from pathlib import Path

    from assistant.commands.demo_game import DemoGame
    from assistant.core.state import State
    from assistant.session import Listener, News, Reading, ReadingTaken, Session


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `demo` to the command line."""
    parser = subparsers.add_parser("demo", help="watch a practice game, nothing attached")
    parser.add_argument("--headless", action="store_true", help="no window even with a display")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other hidden cards")
    parser.add_argument(
        "--blackout", action="store_true", help="cover the lens: nothing is read (exit 1)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument("--film", action="store_true", help="record the camera beside the log")
    parser.add_argument("--pictures", action="store_true", help="keep a picture of each reading")
    add_light_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play; return 0 when the hidden cards are among the last candidates, else 1.

    Raises:
        UsageError: what --leds names is no board.
        MissingError: the log cannot be written, or the board's port cannot be opened.
    """
    if args.json or args.headless or not _can_open_windows():
        return _play(args, lambda game: game.play())
    from assistant.commands.demo_window import play_in_window

    return play_in_window(args, _play)


def _can_open_windows() -> bool:
    from assistant.commands.doctor import has_display

    if not has_display():
        return False
    try:
        import tkinter
    except ImportError:
        return False
    try:
        tkinter.Tk().destroy()
    except (RuntimeError, tkinter.TclError):
        return False
    return True


def _play(
    args: argparse.Namespace,
    go: Callable[[DemoGame], None],
    listeners: tuple[Listener, ...] = (),
    say: Callable[[str], None] = lambda _: None,
) -> int:
    """Set the practice table up, let `go` play the game, tell the result; return the exit code."""
    from assistant.app import Keeping, practice_profile, recorded_session
    from assistant.commands.demo_game import DemoGame
    from assistant.core.events import SessionStarted
    from assistant.core.settings import Expansion
    from assistant.data import load_board
    from assistant.practice.camera import PracticeCamera
    from assistant.practice.deck import PracticeDeck
    from assistant.vision.reader import Reader

    chance = random.Random(f"demo {args.seed}")  # noqa: S311 - a practice game, no secret
    deck = PracticeDeck(load_board(), seed=args.seed)
    youth = chance.choice(list(deck.youth.values()))
    rendezvous = chance.choice(list(deck.rendezvous.values()))
    teller = _JsonTeller() if args.json else _Teller()

    def tell(line: str) -> None:
        _say(line)
        say(line)

    profile = practice_profile(deck, tell)
    table = PracticeCamera(deck, args.seed, blackout=args.blackout)
    start = SessionStarted(frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS}))
    keeping = Keeping("practice", "practice", pictures=args.pictures, film=args.film)
    try:
        with (
            lights_of(args, tell) as lights,
            recorded_session(
                Reader(profile),
                start,
                [teller.told, *listeners, *lights],
                keeping=keeping,
                words=False,
            ) as opened,
        ):
            session, log = opened
            game = DemoGame(session, table, youth, rendezvous)
            go(game)
            teller.result(session, game.is_right, log)
            for line in result_lines(session.state, game.is_right):
                say(line)
    finally:
        table.close()
    if not args.json:
        print(f"The cards: the Youth hides in {youth.hideout.value}, ", end="")
        print(f"the rendezvous' symbol is {rendezvous.feature.value}.")
    return 0 if game.is_right else 1


def _say(line: str) -> None:
    print(f"bystander: {line}", file=sys.stderr)


def _struck_out(news: ReadingTaken) -> dict[str, list[str]]:
    """Return the candidates that a reading ruled out, by their names."""
    before, after = news.before, news.state
    return {
        "youth": [p.value for p in before.youth.candidates if p not in after.youth.candidates],
        "rendezvous": [
            f.value for f in before.rendezvous.candidates if f not in after.rendezvous.candidates
        ],
    }


def _shares(state: State) -> dict[str, Any]:
    return {
        "youth": {place.value: share for place, share in state.youth.weights.items()},
        "rendezvous": {f.value: share for f, share in state.rendezvous.weights.items()},
        "steps": state.started.settings.steps.value,
    }


class _JsonTeller:
    """Tells the game as JSON lines."""

    def told(self, news: News) -> None:
        """Print a reading and the candidates after it."""
        from assistant.commands.read import reading_row
        from assistant.session import Notice, ReadingTaken

        if isinstance(news, Notice):
            _say(news.text)
        elif isinstance(news, ReadingTaken):
            row = reading_row(news.reading)
            self._print({"event": "reading", **row, "struck_out": _struck_out(news)})
            self._print({"event": "candidates", **_shares(news.state)})

    def result(self, session: Session, right: bool, log: Path) -> None:  # noqa: ARG002 - as _Teller
        """Print the last line."""
        shares = _shares(session.state)
        self._print(
            {
                "event": "result",
                "youth": list(shares["youth"]),
                "rendezvous": list(shares["rendezvous"]),
                "right": right,
                "steps": shares["steps"],
            }
        )

    @staticmethod
    def _print(row: dict[str, Any]) -> None:
        print(json.dumps(row, ensure_ascii=False), flush=True)


class _Teller:
    """Tells the game to a person in a terminal."""

    def told(self, news: News) -> None:
        """Print a reading, what it ruled out, and what is left."""
        from assistant.session import Notice, ReadingTaken

        if isinstance(news, Notice):
            _say(news.text)
        elif isinstance(news, ReadingTaken):
            for line in reading_lines(news):
                print(line, flush=True)

    def result(self, session: Session, right: bool, log: Path) -> None:
        """Print the map and the result."""
        state = session.state
        print(f"\n{_map(state)}\n")
        print(f"{len(session.readings)} readings, written to {log}")
        print("\n".join(result_lines(state, right)))


def reading_lines(news: ReadingTaken) -> list[str]:
    """Return a reading as lines: what was seen, what it ruled out, how many are left."""
    reading: Reading = news.reading
    sure = f"(frame {reading.frame}, sure to {percent(reading.confidence)})"
    lines = [f"{reading.number:>2}. {reading_words(reading.location, reading.content)} {sure}"]
    out = _struck_out(news)
    if reading.disputes is not None:
        lines.append(f"    differs from reading {reading.disputes}: neither is used")
    elif reading.content.feature is not None:
        left = len(news.state.youth.candidates)
        lines.append(
            f"    the Youth is not in: {listed(out['youth'])}; {counted(left, 'place')} left"
        )
    else:
        left = len(news.state.rendezvous.candidates)
        lines.append(
            f"    the symbol is not: {listed(out['rendezvous'])}; {counted(left, 'symbol')} left"
        )
    return lines


def result_lines(state: State, right: bool) -> list[str]:
    """Return what is left of each card, and whether the truth is among it."""
    youth = [f"{p.value} ({percent(share)})" for p, share in state.youth.weights.items()]
    feature = [f"{f.value} ({percent(share)})" for f, share in state.rendezvous.weights.items()]
    steps = state.started.settings.steps.value
    return [
        f"The Fair Youth: {listed(youth)}.",
        f"The rendezvous' symbol: {listed(feature)} (steps counted as {steps}).",
        "The hidden cards are among them." if right else "The hidden cards were not found.",
    ]


def _map(state: State) -> str:
    from assistant.present.terminal_map import Style, terminal_map

    encoding = (sys.stdout.encoding or "ascii").lower()
    style = Style(unicode=encoding.startswith("utf"), colour=_has_colour())
    asked = state.youth.deduction.asked | state.rendezvous.deduction.asked
    return terminal_map(state.board, state.youth.weights, state.rendezvous.candidates, asked, style)


def _has_colour() -> bool:
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.name != "nt"
