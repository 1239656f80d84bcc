"""Typed names of places and features, forgiving in everything that does not change the meaning.

Case, apostrophes, spaces, hyphens and accents do not count; a leading "the" may be left out; any
beginning of a name or of an alias will do when it fits one place only. A whole name wins over
longer names that begin with it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TypeVar

from assistant.core.errors import UnknownNameError
from assistant.core.suits import LadyCard
from assistant.core.terms import Feature, Location

Word = TypeVar("Word", bound=Enum)


def parse_location(text: str, aliases: Mapping[Location, Iterable[str]]) -> Location:
    """Return the place that a typed name means.

    Raises:
        UnknownNameError: it fits none, or several; the message names the choices.
    """
    spellings = {place: (place.value, *aliases.get(place, ())) for place in Location}
    return _parse(text, spellings, "place")


def parse_feature(text: str) -> Feature:
    """Return the map feature that a typed word means.

    Raises:
        UnknownNameError: it fits none, or several; the message names the choices.
    """
    return _parse(text, {feature: (feature.value,) for feature in Feature}, "feature")


def parse_word(text: str, choices: Iterable[Word], noun: str) -> Word:
    """Return the member of a closed set that a typed word, or its beginning, means.

    Raises:
        UnknownNameError: it fits none, or several; the message names the choices.
    """
    return _parse(text, {choice: (str(choice.value),) for choice in choices}, noun)


def parse_lady(text: str, ladies: Iterable[LadyCard]) -> LadyCard:
    """Return the Lady whose card lies face up, by any beginning of her first or last name.

    Raises:
        UnknownNameError: it fits none, or several; the message names the choices.
    """
    typed = _letters(text)
    named = {card.clue.name or "": card for card in ladies}
    fitting = [
        name
        for name in named
        if typed and any(_letters(part).startswith(typed) for part in (name, *name.split()))
    ]
    if len(fitting) == 1:
        return named[fitting[0]]
    if fitting:
        raise UnknownNameError(f'"{text}" fits more than one Lady: {", ".join(fitting)}')
    raise UnknownNameError(f'"{text}" is no Lady; choose from {", ".join(named)}')


def _parse(text: str, spellings: Mapping[Word, Iterable[str]], noun: str) -> Word:
    typed = _letters(text)
    if not typed:
        raise UnknownNameError(f"a {noun} is missing; choose from {_listed(spellings)}")
    whole = {word for word, names in spellings.items() if typed in map(_letters, names)}
    begun = {
        word
        for word, names in spellings.items()
        if any(_letters(name).startswith(typed) for name in names)
    }
    fitting = whole or begun
    if len(fitting) == 1:
        return fitting.pop()
    if fitting:
        choices = _listed([word for word in spellings if word in fitting])
        raise UnknownNameError(f'"{text}" fits more than one {noun}: {choices}')
    raise UnknownNameError(f'"{text}" is no {noun}; choose from {_listed(spellings)}')


def _letters(text: str) -> str:
    """Return what counts of a name: its letters and digits, lower case, no accent, no "the"."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    words = "".join(sign if sign.isalnum() else " " * sign.isspace() for sign in plain).split()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    return "".join(words)


def _listed(words: Iterable[Enum]) -> str:
    return ", ".join(str(word.value) for word in words)
