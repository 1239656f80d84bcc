"""Small changes of one module, one at a time, each of which its tests should notice.

    python -m tests.assistant.vision.mutations MODULE TEST... [--only NUMBERS] [--list]
        [--ready MODULE:FUNCTION]

    python -m tests.assistant.vision.mutations assistant.vision.claim \
        tests/assistant/vision/test_claim_decisions.py

Tests that need something dear that the module has no part in find it made, if its function keeps
what it made (`--ready`). The first test that fails ends a run, so quick ones named first save time.

No file is changed: each change is run in a process of its own (so not on Windows) that is handed
the changed module when the tests import it. What survives is printed, with its number, line and
change; what came of it is told in tests/MUTATION.md.

Changed are comparisons (with or without equality, and turned round), `and` and `or`, `&` and `|`,
conditions, `min` and `max`, `any` and `all`, `break` and `continue`, truth values, whole numbers
(one more, one less) and others (times 0.6, times 1.6).
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

#: Tests that hang have noticed the change, too. A busy machine is no change: what counts is the
#: time that they compute; by the clock they may take so many times that.
LIMIT_S, WAITING = 120, 10

#: Loaded once, not by each change's process; and so is what the module itself imports.
LIBRARIES = ("cv2", "hypothesis", "numpy", "pytest")

COMPARED: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
OTHERS = {"max": "min", "min": "max", "any": "all", "all": "any"}


class Change(NamedTuple):
    """Some bytes of a source, what stands there, and what shall."""

    start: int
    end: int
    was: str
    becomes: str


class Source:
    """A module's text, and where its nodes lie in it."""

    def __init__(self, text: str) -> None:
        self.bytes = text.encode()
        self.tree = ast.parse(text)
        self._starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def line(self, at: int) -> int:
        return sum(start <= at for start in self._starts)

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, start: int, end: int) -> str:
        return self.bytes[start:end].decode()

    def whole(self, node: ast.expr | ast.stmt, becomes: str) -> Change:
        start, end = self.start(node), self.end(node)
        return Change(start, end, self.text(start, end), becomes)

    def between(self, left: ast.expr, right: ast.expr, sign: str, other: str) -> Change:
        """Return the change of the sign between two operands."""
        start, end = self.end(left), self.start(right)
        was = self.text(start, end)
        return Change(start, end, was, was.replace(sign, other, 1))

    def changed(self, change: Change) -> str:
        return (
            self.bytes[: change.start] + change.becomes.encode() + self.bytes[change.end :]
        ).decode()


def changes(source: Source) -> list[Change]:
    """Return all changes of a source that are still Python, in its order."""
    aside = {id(inner) for node in _not_run(source.tree) for inner in ast.walk(node)}
    found = {
        change
        for node in ast.walk(source.tree)
        if id(node) not in aside
        for change in (*_of_logic(source, node), *_of_values(source, node))
    }
    return [change for change in sorted(found) if _is_python(source.changed(change))]


def _not_run(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield annotations and decorators: the ones do nothing, without the others nothing works."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from node.decorator_list
        for name in ("annotation", "returns"):
            told = getattr(node, name, None)
            if told is not None:
                yield told


def _is_python(text: str) -> bool:
    try:
        compile(text, "changed", "exec")
    except SyntaxError:
        return False
    return True


def _of_logic(source: Source, node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for left, right, operator in zip(sides, sides[1:], node.ops, strict=False):
            sign, others = COMPARED[type(operator)]
            for other in others:
                yield source.between(left, right, sign, other)
    elif isinstance(node, ast.BoolOp):
        sign, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield source.between(left, right, sign, other)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        sign, other = ("&", "|") if isinstance(node.op, ast.BitAnd) else ("|", "&")
        yield source.between(node.left, node.right, sign, other)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        inner = source.text(source.start(node.operand), source.end(node))
        yield source.whole(node, f"({inner})")
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield _turned(source, node.test)
    elif isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield _turned(source, condition)
    elif isinstance(node, ast.Break | ast.Continue):
        yield source.whole(node, "continue" if isinstance(node, ast.Break) else "break")


def _turned(source: Source, condition: ast.expr) -> Change:
    text = source.text(source.start(condition), source.end(condition))
    return source.whole(condition, f"(not ({text}))")


def _of_values(source: Source, node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool):
            yield source.whole(node, str(not value))
        elif isinstance(value, int):
            yield source.whole(node, f"({value - 1})")
            yield source.whole(node, f"({value + 1})")
        elif isinstance(value, float):
            for other in (value * 0.6, value * 1.6) if value else (0.1,):
                yield source.whole(node, repr(round(other, 9)))
    elif isinstance(node, ast.Call):
        name = node.func
        if isinstance(name, ast.Name) and name.id in OTHERS:
            yield source.whole(name, OTHERS[name.id])
        elif isinstance(name, ast.Attribute) and name.attr in OTHERS:
            end = source.end(name)
            yield Change(end - len(name.attr), end, name.attr, OTHERS[name.attr])


class Changed(MetaPathFinder, Loader):
    """Hands out one module from a text."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self._name, self._path, self._text = name, path, text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return (
            ModuleSpec(fullname, self, origin=str(self._path)) if fullname == self._name else None
        )

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self._path)
        exec(compile(self._text, str(self._path), "exec"), module.__dict__)  # noqa: S102


def passes(name: str, path: Path, text: str, tests: Sequence[str]) -> bool:
    """Return whether the tests pass with a module of that text."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return status == 0
    import signal

    import pytest

    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    signal.alarm(LIMIT_S * WAITING)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.meta_path.insert(0, Changed(name, path, text))
    # What a failing assertion says is read by nobody.
    options = ["-q", "-x", "-p", "no:cacheprovider", "--assert=plain"]
    os._exit(int(pytest.main([*options, *tests])))


def make_ready(tree: ast.AST, functions: Sequence[str]) -> None:
    """Load what all changes' processes need, and call some MODULE:FUNCTION."""
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    for name in (*LIBRARIES, *filter(None, imported)):
        import_module(name)
    # A process of its own has no threads of this one's.
    import_module("cv2").setNumThreads(1)
    for named in functions:
        module, function = named.split(":")
        getattr(import_module(module), function)()


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--only", default="", help="numbers of changes, with commas")
    parser.add_argument("--ready", action="append", default=[], metavar="MODULE:FUNCTION")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    path = Path(*args.module.split(".")).with_suffix(".py")
    source = Source(path.read_text(encoding="utf-8"))
    every = list(enumerate(changes(source)))
    only = {int(number) for number in args.only.split(",") if number}
    chosen = [(number, change) for number, change in every if not only or number in only]
    if not args.list:
        make_ready(source.tree, args.ready)
        if args.module in sys.modules:
            say("What is made ready uses the module.")
            return 1
    if not args.list and not passes(args.module, path, source.bytes.decode(), args.tests):
        say("The tests fail without any change.")
        return 1
    survived = 0
    for number, change in chosen:
        if args.list or passes(args.module, path, source.changed(change), args.tests):
            survived += 1
            say(f"{number:4} line {source.line(change.start)}: {change.was} -> {change.becomes}")
    say(f"{len(chosen)} changes, {survived} " + ("listed" if args.list else "survived"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
