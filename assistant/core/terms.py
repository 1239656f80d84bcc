"""The words of the rulebook as closed sets: places, features, colours, what a keyhole shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Location(Enum):
    """One of the 11 places of the map; the value is the name as printed."""

    CLERKENWELL = "Clerkenwell"
    CRIPPLEGATE = "Cripplegate"
    SHOREDITCH = "Shoreditch"
    BISHOPSGATE = "Bishopsgate"
    CORNHILL = "Cornhill"
    EASTCHEAP = "Eastcheap"
    LONDON_BRIDGE = "London Bridge"
    SOUTHWARK = "Southwark"
    LIBERTY_OF_THE_CLINK = "Liberty of the Clink"
    BLACKFRIARS = "Blackfriars"
    ST_PAULS = "St Paul's"


class Feature(Enum):
    """One of the seven map features."""

    CHURCH = "church"
    COMMERCIAL = "commercial"
    PLAYHOUSE = "playhouse"
    RIVERSIDE = "riverside"
    RURAL = "rural"
    RESIDENCE = "residence"
    TAVERN = "tavern"


class Colour(Enum):
    """The colour of a location's ring on the map and of its key's header."""

    BLUE = "blue"
    GREEN = "green"
    GREY = "grey"
    PURPLE = "purple"
    RED = "red"


class StepReading(Enum):
    """How "steps away, not doubling back" is counted (The Rendezvous, Game play).

    WALK: never straight back along the road just used; PATH: no place twice; SHORTEST: distance.
    """

    WALK = "walk"
    PATH = "path"
    SHORTEST = "shortest"


class ContentKind(Enum):
    """What the keyhole of a stack can show."""

    ICON = "icon"
    NUMBER = "number"
    LADY = "lady"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Content:
    """What a keyhole shows: an icon (of a feature), a number 1 to 3, the Lady, or blank paper."""

    kind: ContentKind
    feature: Feature | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        """Refuse an icon without its feature, a number out of 1..3, or a value that is not due."""
        if (self.feature is not None) != (self.kind is ContentKind.ICON):
            raise ValueError(f"an icon has a feature, nothing else has: {self!r}")
        if (self.number is not None) != (self.kind is ContentKind.NUMBER):
            raise ValueError(f"a number has a number, nothing else has: {self!r}")
        if self.number is not None and self.number not in (1, 2, 3):
            raise ValueError(f"a Rendezvous number is 1, 2 or 3, not {self.number}")

    @classmethod
    def icon(cls, feature: Feature) -> Content:
        """Return the content of a Fair Youth card's place."""
        return cls(ContentKind.ICON, feature=feature)

    @classmethod
    def digit(cls, number: int) -> Content:
        """Return the content of a Rendezvous card's place."""
        return cls(ContentKind.NUMBER, number=number)

    @property
    def value(self) -> str | None:
        """The word for it: a feature, "1", "2" or "3"; None for the Lady and for blank."""
        if self.feature is not None:
            return self.feature.value
        return None if self.number is None else str(self.number)


LADY = Content(ContentKind.LADY)
BLANK = Content(ContentKind.BLANK)
