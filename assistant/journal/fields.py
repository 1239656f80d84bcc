"""Events to plain JSON values and back, driven by the types of their fields.

A word of a closed set is written as its value, a set sorted, a record as an object of its fields.
`kind` of an event is the word that its class names, never a Python path, so classes may move.

For each type a reader is put together once; a log of an evening holds few kinds of lines and many
of each.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from math import isfinite
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from assistant.core.events import Event

#: Every event by its word.
KINDS: Mapping[str, type[Any]] = {event.kind: event for event in get_args(Event)}

#: What plain JSON values there are for plain types; bool is no number here.
_PLAIN: Mapping[type, tuple[type, ...]] = {
    bool: (bool,),
    int: (int,),
    float: (float, int),
    str: (str,),
}

_Reader = Callable[[Any], Any]


def to_json(value: object) -> Any:
    """Return a value of an event's field as JSON can hold it.

    Raises:
        TypeError: no field of an event may hold such a value.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, frozenset):
        return sorted((to_json(item) for item in value), key=str)
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        inner = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
        kind = getattr(value, "kind", None)
        return inner if not isinstance(kind, str) else {"kind": kind, **inner}
    raise TypeError(f"an event cannot hold {value!r}")


def from_json(value: Any, wanted: Any) -> Any:
    """Return the value of type `wanted` that stands as JSON.

    Raises:
        ValueError: it is no such value; the message says what was wanted.
    """
    return _reader(wanted)(value)


@cache
def _reader(wanted: Any) -> _Reader:
    if isinstance(wanted, NewType):
        return _reader(wanted.__supertype__)
    if get_origin(wanted) in (Union, types.UnionType):
        return _choice_reader(get_args(wanted))
    if get_origin(wanted) in (frozenset, tuple):
        return _list_reader(get_origin(wanted), get_args(wanted)[0])
    if wanted in _PLAIN:
        return _plain_reader(wanted)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return _word_reader(wanted)
    return _record_reader(wanted)


def _plain_reader(wanted: type[Any]) -> _Reader:
    allowed = _PLAIN[wanted]

    def read(value: Any) -> Any:
        if type(value) not in allowed:
            raise ValueError(f"{value!r} is no {wanted.__name__}")
        try:
            plain = wanted(value)
        except OverflowError as error:
            raise ValueError("the number is too large") from error
        if wanted is float and not isfinite(plain):
            raise ValueError("the number is too large")
        return plain

    return read


def _word_reader(wanted: type[Enum]) -> _Reader:
    words = {word.value: word for word in wanted}

    def read(value: Any) -> Any:
        found = words.get(value) if isinstance(value, str) else None
        if found is None:
            raise ValueError(f"{value!r} is no {wanted.__name__.lower()}")
        return found

    return read


def _list_reader(many: Callable[..., Any], wanted: Any) -> _Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is no list")  # noqa: TRY004 - what was read is wrong
        return many(map(_reader(wanted), value))

    return read


def _choice_reader(choices: tuple[Any, ...]) -> _Reader:
    may_lack = type(None) in choices
    choices = tuple(choice for choice in choices if choice is not type(None))
    by_kind = {getattr(choice, "kind", None): choice for choice in choices}

    def read(value: Any) -> Any:
        if value is None and may_lack:
            return None
        if len(choices) == 1:
            return _reader(choices[0])(value)
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in by_kind:
            raise ValueError(f"{value!r} is none of the records wanted")
        return _reader(by_kind[kind])(value)

    return read


def _record_reader(wanted: Any) -> _Reader:
    hints = get_type_hints(wanted)
    known = {field.name: hints[field.name] for field in fields(wanted)}
    needed = [
        field.name
        for field in fields(wanted)
        if field.default is MISSING and field.default_factory is MISSING
    ]

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"{value!r} is no object")  # noqa: TRY004 - what was read is wrong
        for name in needed:
            if name not in value:
                raise ValueError(f"the field {name!r} is missing")
        read_fields = {}
        for name, inner in value.items():
            if name in known:
                read_fields[name] = _reader(known[name])(inner)
            elif name != "kind":
                raise ValueError(f"{name!r} is no field of it")
        return wanted(**read_fields)

    return read
