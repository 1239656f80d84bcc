"""`bystander play`: a game at the table, in a window, or driven by lines.

    bystander play [--camera SRC] [--profile P] [--leds PORT] [--with youth,rendezvous,…] [--resume]
                   [--film] [--pictures]
    bystander play --headless --commands FILE|- [--json]
    bystander play --words

Without --camera the last camera that was chosen in the window is used, at first none: everything
can be told by hand. The lines and their answers are told in `assistant.commands.play_headless`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from assistant.commands.light_options import add_light_options
from assistant.core.errors import UsageError

#: What only a window can heed, and what only lines can: by their names among the arguments.
_OF_A_WINDOW = {
    "camera": "--camera",
    "profile": "--profile",
    "expansions": "--with",
    "resume": "--resume",
    "film": "--film",
    "pictures": "--pictures",
    "leds": "--leds",
    "leds_layer": "--leds-layer",
    "leds_still": "--leds-still",
    "leds_night": "--leds-night",
}
_OF_LINES = {"headless": "--headless", "commands": "--commands", "json": "--json"}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `play` to the command line."""
    parser = subparsers.add_parser("play", help="play a game, in the window or driven by lines")
    parser.add_argument(
        "--camera",
        metavar="SRC",
        help="a camera number, a device, a stream's URL, a film, a folder, or practice",
    )
    parser.add_argument("--profile", metavar="P", help="folder of the card profile")
    parser.add_argument(
        "--with",
        dest="expansions",
        metavar="LIST",
        help="youth,rendezvous,elusive,aggressive,darker,markers: ticked on the set-up page",
    )
    parser.add_argument("--resume", action="store_true", help="go on with the last game")
    parser.add_argument("--film", action="store_true", help="record the camera beside the log")
    parser.add_argument("--pictures", action="store_true", help="keep a picture of each reading")
    parser.add_argument("--headless", action="store_true", help="no window, no camera")
    parser.add_argument("--commands", metavar="FILE", help="the lines to play; - for stdin")
    parser.add_argument("--words", action="store_true", help="tell the words of the lines")
    parser.add_argument("--json", action="store_true", help="one state a line")
    add_light_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play; return the exit code of the lines.

    Raises:
        UsageError: there is nothing to play from, or an option is given that would count for
            nothing.
    """
    if args.words:
        _refuse(args, _OF_A_WINDOW | _OF_LINES, "play --words only tells the words")
        from assistant.commands import play_changes, play_headless, play_state, play_words

        for module in (play_headless, play_words, play_changes, play_state):
            print(module.__doc__)
        return 0
    if not args.headless and args.commands is None and not args.json:
        from assistant.commands import play_window

        return play_window.run(args)
    if not args.headless or args.commands is None:
        raise UsageError("lines are played by: --headless --commands FILE (or - for stdin)")
    hint = "; the line start tells what is in play" if args.expansions is not None else ""
    _refuse(args, _OF_A_WINDOW, f"lines are played without window, camera, lights and log{hint}")
    from assistant.commands import play_headless

    return play_headless.run(args)


def _refuse(args: argparse.Namespace, options: Mapping[str, str], why: str) -> None:
    """Raise UsageError where one of these options was given; its default is None or False."""
    given = [typed for name, typed in options.items() if getattr(args, name) not in (None, False)]
    if given:
        raise UsageError(f"{why}: leave out {' and '.join(given)}")
