"""The facts that ship with the product: a damaged installation is told by the file it is in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant import data
from assistant.core.errors import DamagedError

SHIPPED = Path(data.__file__).parent

#: Without what was loaded before: each call reads its file.
LOADERS: dict[str, Callable[[], Any]] = {
    "board.json": data.load_board.__wrapped__,
    "keys.json": data.load_keys.__wrapped__,
    "aliases.json": data.load_aliases.__wrapped__,
    "ladies.json": data.load_ladies.__wrapped__,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the installed files, read in their place."""
    for name in LOADERS:
        shutil.copy(SHIPPED / name, tmp_path / name)
    monkeypatch.setattr("assistant.data.resources.files", lambda _: tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize("content", [None, b"", b"{torn", b"[]", b'"words"', b"\xff\xfe"])
def test_a_file_that_is_missing_torn_or_of_another_kind_is_named(
    folder: Path, name: str, content: bytes | None
) -> None:
    LOADERS[name]()
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(DamagedError, match=f"^{name} of Bystander .*install it again$"):
        LOADERS[name]()


def changed(folder: Path, name: str, change: Callable[[dict[str, Any]], object]) -> None:
    facts = json.loads((folder / name).read_text("utf-8"))
    change(facts)
    (folder / name).write_text(json.dumps(facts), "utf-8")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("board.json", lambda facts: facts.clear()),
        ("board.json", lambda facts: facts["locations"].pop()),
        ("board.json", lambda facts: facts.update(locations=3)),
        ("aliases.json", lambda facts: facts.update(Camelot=["cam"])),
        ("aliases.json", lambda facts: facts.update(Cornhill=3)),
        ("ladies.json", lambda facts: facts.clear()),
        ("ladies.json", lambda facts: facts["ladies"][0].update(suit="cups")),
        ("ladies.json", lambda facts: facts["ladies"][0].update(traits=["tall"])),
        ("ladies.json", lambda facts: facts["ladies"][0]["row"].update(rose="many")),
    ],
)
def test_a_fact_that_cannot_be_is_damage(
    folder: Path, name: str, change: Callable[[dict[str, Any]], object]
) -> None:
    changed(folder, name, change)
    with pytest.raises(DamagedError, match=f"^{name} of Bystander is damaged"):
        LOADERS[name]()
