"""The stealth deck as it lies on the table.

Twenty-six stealth cards lie in an order that is unknown but fixed; it is a loop, for the top card
goes to the bottom and comes round again. Each has a **slot**, numbered from the card on top at
set-up (0). Among them lie cards that are no steps of the Lady: the countdown card (at the bottom at
set-up), and while they are in use the waypoint and the tracer.

An **update** moves the top card to the bottom. Should a card that is no step come up, it is dealt
with at once and the next card counts: the countdown goes to the bottom and counts a pass, the
waypoint and the tracer are taken out. After a search the stealth card leaves the deck for good and
a fog card takes its slot: the loop keeps its length, and the Lady is still where the card that lay
there says.

Values only: every change returns a new deck.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import NewType

from assistant.core.terms import Feature, Location

#: A place in the loop of stealth cards, 0 to 25; 0 is the card on top at set-up.
Slot = NewType("Slot", int)

SLOTS = 26

#: How often either marker can be used in a game.
MARKER_USES = 2


class Shown(Enum):
    """What the top of the stealth deck shows; `UNSEEN` where the player did not note it."""

    CHURCH = "church"
    COMMERCIAL = "commercial"
    PLAYHOUSE = "playhouse"
    RIVERSIDE = "riverside"
    RURAL = "rural"
    RESIDENCE = "residence"
    TAVERN = "tavern"
    FOG = "fog"
    UNSEEN = "unseen"

    @property
    def feature(self) -> Feature | None:
        """The symbol on a stealth card; None for fog and for what was not noted."""
        return _FEATURES[self]


_FEATURES = {
    shown: None if shown in (Shown.FOG, Shown.UNSEEN) else Feature(shown.value) for shown in Shown
}


class Special(Enum):
    """A card in the deck that is no step of the Lady."""

    COUNTDOWN = "countdown"
    WAYPOINT = "waypoint"
    TRACER = "tracer"


@dataclass(frozen=True, slots=True)
class Marker:
    """A waypoint or tracer: how often it was used, and what it marks while it is in use.

    `location` is where its token lies; `slot` the slot it marks; `in_deck` whether its card is
    still to come up. After the card came up the token stays until the marked slot is on top.
    """

    uses: int = 0
    location: Location | None = None
    slot: Slot | None = None
    in_deck: bool = False
    warning: int = 0

    @property
    def is_free(self) -> bool:
        """Whether it can be placed: card and token lie aside and a use is left."""
        return self.location is None and not self.in_deck and self.uses < MARKER_USES


@dataclass(frozen=True, slots=True)
class StealthDeck:
    """The deck: `cards[top]` is on top, the card before it in the ring is the bottom card."""

    cards: tuple[Slot | Special, ...]
    top: int = 0
    fogged: frozenset[Slot] = frozenset()
    #: How many times the countdown card may still come up; at 0 the Lady has escaped.
    passes_left: int = 2
    waypoint: Marker = Marker()
    tracer: Marker = Marker()
    #: The cards that came up with the last update and were no steps.
    came_up: tuple[Special, ...] = ()

    @classmethod
    def at_set_up(cls, passes: int = 2) -> StealthDeck:
        """Return the deck as laid out: slot 0 on top, the countdown card at the bottom."""
        slots = tuple(Slot(number) for number in range(SLOTS))
        return cls((*slots, Special.COUNTDOWN), passes_left=passes)

    @property
    def slot(self) -> Slot:
        """The slot on top: where the Lady is now."""
        card = self.cards[self.top]
        assert not isinstance(card, Special)  # noqa: S101 - an update never leaves one on top
        return card

    @property
    def is_fog(self) -> bool:
        """Whether fog lies on top."""
        return self.slot in self.fogged

    @property
    def escaped(self) -> bool:
        """Whether the countdown has run out."""
        return self.passes_left <= 0

    def updates_until(self, slot: Slot) -> int:
        """Return after how many updates a slot is on top: 0 now, else 1 to 25."""
        return (slot - self.slot) % SLOTS

    def slot_after(self, updates: int) -> Slot:
        """Return the slot on top after a number of updates."""
        return Slot((self.slot + updates) % SLOTS)

    def updates_until_escape(self) -> int:
        """Return after how many updates the countdown card has come up for the last time."""
        at = self.cards.index(Special.COUNTDOWN)
        return self._slots_between(self.top, at) + SLOTS * (self.passes_left - 1)

    def updated(self) -> StealthDeck:
        """Return the deck after one update: the Lady has moved on."""
        deck = replace(self, top=self._next(self.top), came_up=())
        while isinstance(special := deck.cards[deck.top], Special):
            deck = deck._dealt_with(special)
        lies = self.waypoint.location is not None or self.tracer.location is not None
        return deck._tokens_lifted() if lies else deck

    def searched(self) -> StealthDeck:
        """Return the deck with a fog card in the slot of the stealth card on top."""
        return replace(self, fogged=self.fogged | {self.slot})

    def with_waypoint(self, location: Location) -> StealthDeck:
        """Return the deck with the "!" card at the bottom: it marks the slot on top."""
        marker = Marker(self.waypoint.uses + 1, location, self.slot, in_deck=True)
        return replace(self._inserted(self.top, Special.WAYPOINT), waypoint=marker)

    def with_tracer(self, location: Location, warning: int) -> StealthDeck:
        """Return the deck with the tracer above the last 3 or 5 steps of the Lady.

        Cards with coloured borders (countdown, waypoint) are not counted; fog cards are.
        """
        at, counted = self.top, 0
        while counted < warning:
            at = (at - 1) % len(self.cards)
            counted += not isinstance(self.cards[at], Special)
        marker = Marker(self.tracer.uses + 1, location, self.slot, in_deck=True, warning=warning)
        return replace(self._inserted(at, Special.TRACER), tracer=marker)

    def _next(self, at: int) -> int:
        return (at + 1) % len(self.cards)

    def _slots_between(self, start: int, end: int) -> int:
        """Count the steps of the Lady from one card of the ring up to another."""
        count = 0
        while start != end:
            count += not isinstance(self.cards[start], Special)
            start = self._next(start)
        return count

    def _inserted(self, at: int, special: Special) -> StealthDeck:
        """Return the deck with a card laid directly above the card at a place of the ring.

        Above the card on top means at the bottom of the deck.
        """
        cards = (*self.cards[:at], special, *self.cards[at:])
        top = self.top + 1 if at <= self.top else self.top
        return replace(self, cards=cards, top=top)

    def _dealt_with(self, special: Special) -> StealthDeck:
        """Return the deck after a card that is no step came up."""
        came_up = (*self.came_up, special)
        if special is Special.COUNTDOWN:
            passes = self.passes_left - 1
            return replace(self, top=self._next(self.top), passes_left=passes, came_up=came_up)
        cards = (*self.cards[: self.top], *self.cards[self.top + 1 :])
        deck = replace(self, cards=cards, top=self.top % len(cards), came_up=came_up)
        if special is Special.TRACER:
            return replace(deck, tracer=replace(self.tracer, in_deck=False))
        return replace(deck, waypoint=replace(self.waypoint, in_deck=False))

    def _tokens_lifted(self) -> StealthDeck:
        """Return the deck without the tokens whose marked slot is on top now."""
        waypoint, tracer = self._lifted(self.waypoint), self._lifted(self.tracer)
        return replace(self, waypoint=waypoint, tracer=tracer)

    def _lifted(self, marker: Marker) -> Marker:
        reached = marker.location is not None and not marker.in_deck and marker.slot == self.slot
        return Marker(marker.uses) if reached else marker
