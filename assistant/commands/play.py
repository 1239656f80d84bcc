"""`bystander play`: a game at the table; `--headless --commands` drives one by lines.

The lines and the answers are told in `assistant.commands.play_headless`.
"""

from __future__ import annotations

import argparse

from assistant.core.errors import UsageError


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `play` to the command line."""
    parser = subparsers.add_parser("play", help="play a game, in the window or driven by lines")
    parser.add_argument("--headless", action="store_true", help="no window, no camera")
    parser.add_argument("--commands", metavar="FILE", help="the lines to play; - for stdin")
    parser.add_argument("--words", action="store_true", help="tell the words of the lines")
    parser.add_argument("--json", action="store_true", help="one state a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play; return the exit code of the lines.

    Raises:
        UsageError: there is nothing to play from.
    """
    if args.words:
        from assistant.commands import play_headless, play_state, play_words

        for module in (play_headless, play_words, play_state):
            print(module.__doc__)
        return 0
    if not args.headless or args.commands is None:
        raise UsageError("for now: bystander play --headless --commands FILE (or - for stdin)")
    from assistant.commands import play_headless

    return play_headless.run(args)
