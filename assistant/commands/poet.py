"""`bystander poet`: where the Rival Poet goes now.

    bystander poet elusive --poet Cornhill --pawn Eastcheap --symbol church
    bystander poet aggressive --poet Cripplegate --pawn Southwark --fog --json

With `--json` one object: `move` (always a place, his own when he stays), `stays`, `alternatives`
(places to which another reading of the open rule sends him), `why`, and `reading`, the reading of
a tie that was used (null for the Elusive Poet, who has none).
"""

from __future__ import annotations

import argparse
import json

from assistant.core.errors import UsageError
from assistant.core.names import parse_feature, parse_location
from assistant.core.poet import aggressive_move, elusive_move
from assistant.core.settings import TieReading
from assistant.data import load_aliases, load_board


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `poet` to the command line."""
    parser = subparsers.add_parser("poet", help="where the Rival Poet goes")
    parser.add_argument("which", choices=["elusive", "aggressive"])
    parser.add_argument("--poet", required=True, metavar="PLACE", help="where his pawn is")
    parser.add_argument("--pawn", required=True, metavar="PLACE", help="where your pawn is")
    parser.add_argument("--symbol", metavar="FEATURE", help="the symbol on the stealth card")
    parser.add_argument("--fog", action="store_true", help="a fog card is showing instead")
    parser.add_argument(
        "--tie",
        choices=[reading.value for reading in TieReading],
        default=TieReading.DRAWN.value,
        help="how right-most is told between equally short ways (default: drawn)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the Poet's move; return 0.

    Raises:
        UsageError: a name cannot be understood, or not exactly one of symbol and fog is given.
    """
    if (args.symbol is None) is not bool(args.fog):
        raise UsageError("say what the stealth deck shows: --symbol FEATURE or --fog, one of them")
    board, aliases = load_board(), load_aliases()
    poet, pawn = parse_location(args.poet, aliases), parse_location(args.pawn, aliases)
    symbol = None if args.fog else parse_feature(args.symbol)
    if args.which == "elusive":
        move, reading = elusive_move(board, poet, pawn, symbol), None
    else:
        move = aggressive_move(board, poet, pawn, symbol, TieReading(args.tie))
        reading = args.tie
    if args.json:
        told = {
            "move": move.move.value,
            "stays": move.stays,
            "alternatives": [place.value for place in move.alternatives],
            "why": move.why,
            "reading": reading,
        }
        print(json.dumps(told, ensure_ascii=False))
    else:
        does = f"stays at {move.move.value}" if move.stays else f"goes to {move.move.value}"
        print(f"The {args.which.title()} Poet {does}: {move.why}.")
    return 0
