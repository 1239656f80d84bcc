"""Events to plain JSON values and back, driven by the types of their fields.

A word of a closed set is written as its value, a set sorted, a record as an object of its fields.
`kind` of an event is the word that its class names, never a Python path, so classes may move.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
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
        return sorted(to_json(item) for item in value)
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
    if isinstance(wanted, NewType):
        return from_json(value, wanted.__supertype__)
    if get_origin(wanted) in (Union, types.UnionType):
        return _from_choice(value, get_args(wanted))
    if get_origin(wanted) in (frozenset, tuple):
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is no list")
        return get_origin(wanted)(from_json(item, get_args(wanted)[0]) for item in value)
    if wanted in _PLAIN:
        return _plain(value, wanted)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return wanted(value)
    return _record(value, wanted)


def _plain(value: Any, wanted: type[Any]) -> Any:
    if type(value) not in _PLAIN[wanted]:
        raise ValueError(f"{value!r} is no {wanted.__name__}")
    try:
        plain = wanted(value)
    except OverflowError as error:
        raise ValueError("the number is too large") from error
    if wanted is float and not isfinite(plain):
        raise ValueError("the number is too large")
    return plain


def _from_choice(value: Any, choices: tuple[Any, ...]) -> Any:
    if value is None and type(None) in choices:
        return None
    choices = tuple(choice for choice in choices if choice is not type(None))
    if len(choices) == 1:
        return from_json(value, choices[0])
    kind = value.get("kind") if isinstance(value, dict) else None
    for choice in choices:
        if getattr(choice, "kind", None) == kind:
            return _record(value, choice)
    raise ValueError(f"{value!r} is none of the records wanted")


def _record(value: Any, wanted: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no object")  # noqa: TRY004 - what was read is wrong
    hints = _hints(wanted)
    known = {field.name for field in fields(wanted)}
    unknown = sorted(set(value) - known - {"kind"})
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no field of it")
    try:
        return wanted(**{name: from_json(value[name], hints[name]) for name in known & set(value)})
    except TypeError as error:
        raise ValueError(f"a field is missing ({error})") from error


@cache
def _hints(record: type[Any]) -> dict[str, Any]:
    return get_type_hints(record)
