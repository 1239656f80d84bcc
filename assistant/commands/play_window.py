"""`bystander play` with a window: options and settings in, the window and its desk together."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Any

from assistant.adapters.window_settings import keep_window_setting, load_window_settings
from assistant.commands.doctor import has_display
from assistant.commands.light_options import lights_of
from assistant.commands.play_desk import DeskOptions, PlayDesk
from assistant.commands.play_sources import PRACTICE
from assistant.core.errors import MissingError, UsageError
from assistant.core.names import parse_word
from assistant.core.settings import Expansion
from assistant.data import load_board
from assistant.present.emblems import Emblem, Patch, emblems
from assistant.present.set_up_form import POETS
from assistant.present.story import moment_of
from assistant.ui.palettes import PALETTES

#: When a thread hangs inside a driver the program leaves by this way (see LiveRun.stop).
_EXIT_HARD = 0

#: A longer log is not read just to offer it when the window opens; --resume still does.
_MOST_OFFERED_BYTES = 1_000_000


def run(args: argparse.Namespace) -> int:
    """Play in a window; return the exit code.

    Raises:
        UsageError: --with names no expansion, or --leds no board.
        MissingError: there is no display, or the board's port cannot be opened.
    """
    expansions = parse_expansions(args.expansions)
    if not has_display():
        raise MissingError(
            "there is no display for a window; bystander play --headless --commands FILE needs none"
        )
    lights = LightNews()
    with lights_of(args, lights.say) as listeners:
        return _run(args, expansions, lights, listeners)


class LightNews:
    """What the LED board said; `say` may be called from any thread."""

    def __init__(self) -> None:
        """Begin before there is a window: what is said goes to the terminal too."""
        #: Oldest first.
        self.said: list[str] = []
        #: Whether a window stands that shows it.
        self.has_window = False

    def say(self, line: str) -> None:
        """Take a line; a port in use is waited for before the window opens, and not in silence."""
        self.said.append(line)
        if not self.has_window:
            print(f"bystander: {line}", file=sys.stderr, flush=True)


def parse_expansions(text: str | None) -> frozenset[Expansion] | None:
    """Return the expansions that --with lists; None where it was not given.

    Raises:
        UsageError: a word is none of them, or both Poets are named.
    """
    if text is None:
        return None
    words = [word for word in text.replace(",", " ").split() if word]
    chosen = frozenset(parse_word(word, Expansion, "expansion") for word in words)
    if chosen >= POETS:
        raise UsageError("one Rival Poet is chosen, elusive or aggressive")
    return chosen


def small_pictures() -> dict[str, Emblem]:
    """Return the outlines of every small picture: symbols of the practice deck, traits, suits."""
    from assistant.practice.marks import PAPER
    from assistant.practice.shapes import ICONS

    drawn = emblems()
    for feature, shape in ICONS.items():
        drawn[feature.value] = tuple(
            Patch(tuple((float(x), float(y)) for x, y in fill.points), fill.rgb != PAPER)
            for fill in shape
        )
    return drawn


def _run(
    args: argparse.Namespace,
    expansions: frozenset[Expansion] | None,
    lights: LightNews,
    listeners: tuple[Any, ...],
) -> int:
    import tkinter as tk

    from assistant.ui.emblem_masks import emblem_masks
    from assistant.ui.play_window import PlayWindow
    from assistant.ui.window_frame import WindowParts

    kept = load_window_settings()
    font = resources.files("assistant.data").joinpath("fonts/GentiumBasic-Bold.ttf")
    with resources.as_file(font) as path:
        last, last_game = last_unfinished()
        options = DeskOptions(
            font_path=str(path),
            camera=_camera(args.camera, kept),
            profile=args.profile,
            resume=_resumed(args.resume),
            last=last,
            film=args.film,
            pictures=args.pictures,
            lights=lambda: _lights_words(lights.said, is_there=bool(listeners)),
            listeners=listeners,
            keep=keep_window_setting,
        )
        parts = WindowParts(load_board(), str(path), emblem_masks(small_pictures()),
                            _settings(kept), last_game)  # fmt: skip
        desk = PlayDesk(options)
        window = None
        # Ctrl-C ends the game as closing its window does, even while that is being built.
        with suppress(KeyboardInterrupt):
            try:
                window = PlayWindow(desk, parts)
            except tk.TclError as error:
                desk.close()
                raise MissingError(f"the window cannot be opened ({error})") from error
            lights.has_window = True
            if expansions is not None:
                window.set_up.choose(sorted(expansions, key=lambda e: e.value))
            window.run()
        if window is not None:
            window.close()
        if not desk.close():
            sys.stdout.flush()
            os._exit(_EXIT_HARD)
    failure = None if window is None else window.failure
    # Ctrl-C may come while Tk runs one of the window's own functions.
    if failure is not None and not isinstance(failure, KeyboardInterrupt):
        raise failure
    return 0


def _lights_words(said: list[str], *, is_there: bool) -> str:
    """Return the LED board's state: the last it said, else that it is there."""
    if not is_there:
        return ""
    return said[-1] if said else "LED board"


def _camera(named: str | None, kept: dict[str, Any]) -> str:
    """Return the source to begin with: the one named, else the last one, else none."""
    if named is not None:
        return named
    last = kept.get("camera", "")
    return last if isinstance(last, str) else ""


def _settings(kept: dict[str, Any]) -> Any:
    from assistant.ui.window_frame import WindowSettings

    theme, letters = kept.get("theme"), kept.get("letters")
    return WindowSettings(
        theme=theme if theme in PALETTES else "light",
        letters=float(letters) if isinstance(letters, int | float) else 1.0,
        sound=kept.get("sound") is True,
    )


def last_unfinished() -> tuple[Path | None, str]:
    """Return the log of the last game and when and where it stands; None and "" for one that ended.

    A log that is open in another window, or cannot be read, is not offered.
    """
    from assistant.commands.sessions_list import session_row

    try:
        last = _last_game()
    except MissingError:
        return None, ""
    if last is None or last.stat().st_size > _MOST_OFFERED_BYTES:
        return None, ""
    row = session_row(last)
    moment = moment_of(row["began"] or "")
    if row["busy"] or row["ending"] != "open" or row["entries"] < 2 or moment is None:
        return None, ""
    turn = f"turn {row['turns']}" if row["turns"] else f"{row['entries']} entries"
    return last, f"{moment.day} {moment.strftime('%b %H:%M')}, {turn}"


def _resumed(resume: bool | str | None) -> Path | None:
    """Return the log to go on with; None for a new game.

    Raises:
        MissingError: there is none.
    """
    if not resume:
        return None
    last = _last_game()
    if last is None:
        raise MissingError("there is no game to go on with; begin one: bystander play")
    return last


def _last_game() -> Path | None:
    """Return the newest log of a player's game; None where there is none.

    The demo plays itself and follows no turns: its log is nothing to go on with.

    Raises:
        MissingError: the folder of the logs cannot be read.
    """
    from assistant.adapters.session_files import session_logs

    return next((log for log in session_logs() if not _is_of_the_demo(log)), None)


def _is_of_the_demo(log: Path) -> bool:
    from assistant.adapters.session_files import read_log
    from assistant.core.state import fold
    from assistant.journal import decode

    try:
        if log.stat().st_size > _MOST_OFFERED_BYTES:
            return False
        replay = decode(read_log(log))
    except (MissingError, OSError):
        return False
    opened = replay.opened
    if opened is None or opened.profile != PRACTICE:
        return False
    return not fold(load_board(), replay.events).game.tracked
