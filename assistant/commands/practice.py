"""`bystander practice`: the practice deck on paper.

    bystander practice sheets OUT.pdf --paper letter --seed 7

`sheets` writes a PDF to print and cut, true to size, fronts and backs in turn. Another seed is
another deck: other icons and numbers on the Fair Youth and Rendezvous cards. Exit 3 when the file
cannot be written.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from assistant.core.errors import MissingError


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `practice` to the command line."""
    parser = subparsers.add_parser("practice", help="the practice deck, to print and cut")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    sheets = actions.add_parser("sheets", help="write the deck as a PDF, true to size")
    sheets.add_argument("out", metavar="OUT.pdf", help="the file to write")
    sheets.add_argument(
        "--paper", choices=["a4", "letter"], default="a4", help="size of the paper (default: a4)"
    )
    sheets.add_argument(
        "--seed", type=int, default=1, metavar="N", help="which deck to draw (default: 1)"
    )
    sheets.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the sheets; return 0.

    Raises:
        MissingError: the file cannot be written.
    """
    from assistant.data import load_board
    from assistant.practice.deck import PracticeDeck
    from assistant.practice.sheets import Paper, sheets

    out = Path(args.out)
    try:
        pages = sheets(out, PracticeDeck(load_board(), args.seed), Paper(args.paper))
    except OSError as error:
        reason = error.strerror or str(error)
        raise MissingError(
            f"{out} cannot be written ({reason}); name a file in a folder that is yours"
        ) from error
    print(f"{pages} pages written to {out}; print at 100 %, both sides, over the long edge")
    return 0
