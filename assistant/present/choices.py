"""What the player can be asked, as values: a question, its answers, and what each answer leads to.

    Ask --Offer--> Ask --Offer--> ... --Offer--> Event (entered into the game)
                                             or  Wish  (something for the program: undo, a picture)

A view shows an Ask as a row of buttons; it needs to know no rule. The first offer is the one that
the large key (space) takes, unless all are as likely; every offer has a key of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from assistant.core.events import Event
from assistant.core.stealth import Shown
from assistant.core.terms import Location


class Wish(Enum):
    """Something that the player wants of the program, not of the game."""

    UNDO = "undo"
    REDO = "redo"
    SET_UP = "set up"
    BACK = "back"
    BEGIN = "begin"
    CAMERA = "camera"
    PRACTICE = "practice"
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class TopTold:
    """What shows on the stealth deck while the table is set up: an answer for the set-up form."""

    shown: Shown


@dataclass(frozen=True, slots=True)
class Offer:
    """One answer. `picture` names a symbol or trait to draw beside the words.

    `then` may be a function that makes what the answer leads to: chains of questions branch too
    widely to be made before they are asked. `open` gives it either way.
    """

    label: str
    then: Event | Ask | Wish | TopTold | Callable[[], Event | Ask]
    key: str = ""
    picture: str | None = None
    place: Location | None = None

    def open(self) -> Event | Ask | Wish | TopTold:
        """Return what the answer leads to."""
        return self.then() if callable(self.then) else self.then


@dataclass(frozen=True, slots=True)
class Ask:
    """A question in one large line, a quieter line under it, and the answers.

    `number` turns a typed whole number into what it leads to; None where none is asked for.
    `is_even`: no answer is likelier than another, so the large key takes none by mistake.
    `is_about_deck`: what shows on the stealth deck is asked, so its card may be held to the camera.
    """

    title: str
    offers: tuple[Offer, ...] = ()
    note: str = ""
    number: Callable[[int], Event | Ask] | None = None
    is_even: bool = False
    is_about_deck: bool = False

    @property
    def first(self) -> Offer | None:
        """The offer that the large key takes; None where it takes none."""
        return self.offers[0] if self.offers and not self.is_even else None

    def at(self, place: Location) -> Offer | None:
        """Return the offer that a click on a place of the map means, None for no such."""
        return next((offer for offer in self.offers if offer.place is place), None)

    def by_key(self, key: str) -> Offer | None:
        """Return the offer of a key; space means the first, where that is the likeliest."""
        if key == " ":
            return self.first
        return next((offer for offer in self.offers if offer.key == key), None)


#: Keys that are given out to offers that bring none.
_DIGITS = "1234567890"
_LETTERS = "qwertyuiopasdfghjklzxcvbnm"


def keyed(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return the offers with a key each: their own, else the digits in order, then letters."""
    listed = list(offers)
    taken = {offer.key for offer in listed if offer.key}
    free = [key for key in _DIGITS + _LETTERS if key not in taken]
    return tuple(offer if offer.key or not free else replace(offer, key=free.pop(0))
                 for offer in listed)  # fmt: skip


def ask(title: str, offers: Iterable[Offer], note: str = "") -> Ask:
    """Return a question whose offers all have keys."""
    return Ask(title, keyed(offers), note)


def even_ask(title: str, offers: Iterable[Offer], note: str = "") -> Ask:
    """Return a question whose answers are all as likely, so that none is the large key's."""
    return Ask(title, keyed(offers), note, is_even=True)


def place_offers(
    places: Sequence[Location], then: Callable[[Location], Event | Ask]
) -> list[Offer]:
    """Return an offer for each place."""
    return [Offer(place.value, partial(then, place), place=place) for place in places]
