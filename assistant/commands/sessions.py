"""`bystander sessions`: the evenings that were logged.

    bystander sessions list [--json]
    bystander sessions show LOG [--watch] [--json]
    bystander sessions export LOG [OUT] [--to csv|json|html] [--json]
    bystander sessions check [LOG…] [--repair] [--json]
    bystander sessions stats [--html OUT] [--json]
    bystander sessions delete LOG… [--json]
    bystander sessions reread LOG [--video FILE] [--profile P] [--json]

LOG is a session's name as `list` tells it, a beginning that fits one only, `last`, or the path of a
log. `list` gives a row for each session, `show` one for each entry (`assistant.commands.sessions_*`
tell the rows of each). Exit 0 done; 1 a log is not sound, or today's reader reads otherwise; 2 no
such session, or several; 3 a file is missing, cannot be written, or is open in a window.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from assistant.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `sessions` to the command line."""
    parser = subparsers.add_parser("sessions", help="the evenings that were logged")
    verbs = parser.add_subparsers(title="what to do", metavar="VERB", required=True)
    rows = argparse.ArgumentParser(add_help=False)
    rows.add_argument("--json", action="store_true", help="one JSON object per line")

    each = verbs.add_parser("list", parents=[rows], help="which sessions there are")
    each.set_defaults(run=_list)

    show = verbs.add_parser("show", parents=[rows], help="a game told move by move")
    show.add_argument("log", metavar="LOG")
    show.add_argument("--watch", action="store_true", help="go on while another window plays it")
    show.set_defaults(run=_show)

    export = verbs.add_parser("export", parents=[rows], help="to a table, JSON, or one web page")
    export.add_argument("log", metavar="LOG")
    export.add_argument("out", metavar="OUT", nargs="?", help="the file; - prints (default: NAME)")
    export.add_argument("--to", choices=("csv", "json", "html"), help="default: by OUT, else html")
    export.set_defaults(run=_export)

    check = verbs.add_parser("check", parents=[rows], help="is a log sound? what is wrong where?")
    check.add_argument("logs", metavar="LOG", nargs="*", help="default: all")
    check.add_argument("--repair", action="store_true", help="set aside, write a sound copy")
    check.set_defaults(run=_check)

    stats = verbs.add_parser("stats", parents=[rows], help="over all sessions")
    stats.add_argument("--html", metavar="OUT", help="write a page with plots")
    stats.set_defaults(run=_stats)

    delete = verbs.add_parser("delete", parents=[rows], help="delete sessions and all beside them")
    delete.add_argument("logs", metavar="LOG", nargs="+", help="the whole name, or a path")
    delete.set_defaults(run=_delete)

    reread = verbs.add_parser("reread", parents=[rows], help="today's reader on a recorded evening")
    reread.add_argument("log", metavar="LOG")
    reread.add_argument("--video", metavar="FILE", help="default: the film beside the log")
    reread.add_argument(
        "--profile",
        metavar="P",
        help="folder of a card profile (default: yours, or the practice deck's)",
    )
    reread.set_defaults(run=_reread)


def _list(args: argparse.Namespace) -> int:
    from assistant.commands.sessions_list import list_sessions

    return list_sessions(as_json=args.json)


def _show(args: argparse.Namespace) -> int:
    from assistant.commands.sessions_show import show

    return show(args.log, watch=args.watch, as_json=args.json)


def _export(args: argparse.Namespace) -> int:
    from assistant.commands.sessions_export import export

    return export(args.log, args.out, args.to, as_json=args.json)


def _check(args: argparse.Namespace) -> int:
    from assistant.commands.sessions_check import check

    return check(args.logs, repair=args.repair, as_json=args.json)


def _stats(args: argparse.Namespace) -> int:
    from assistant.commands.sessions_stats import stats

    return stats(args.html, as_json=args.json)


def _delete(args: argparse.Namespace) -> int:
    from assistant.adapters.session_files import delete_session

    # All are found before the first is deleted.
    for log in [_whole_name(text) for text in args.logs]:
        gone = [str(path) for path in delete_session(log)]
        row: dict[str, Any] = {"session": log.stem, "deleted": gone}
        print(json.dumps(row) if args.json else f"deleted: {', '.join(gone)}", flush=True)
    return 0


def _whole_name(text: str) -> Path:
    """Return the log to delete; a mere beginning of a name could be a slip.

    Raises:
        UsageError: it is no whole name of a session, nor a path.
        MissingError: there is no such file.
    """
    from assistant.adapters.session_files import find_log

    log = find_log(text)
    if text not in (log.stem, log.name, str(log)) and "/" not in text and "\\" not in text:
        raise UsageError(f'to delete it, say the whole name: "{log.stem}"')
    return log


def _reread(args: argparse.Namespace) -> int:
    from assistant.commands.sessions_reread import reread

    return reread(args.log, args.video, args.profile, as_json=args.json)
