"""Games for the tests of presenters: a log that grows, and random play through the questions."""

from __future__ import annotations

import random
from collections.abc import Iterator

from assistant.core.events import Event, Recorded, Seq, SessionStarted
from assistant.core.settings import Expansion
from assistant.core.state import State, fold
from assistant.core.stealth import Shown
from assistant.core.suits import Suit
from assistant.core.terms import Location
from assistant.data import load_board, load_ladies
from assistant.present.choices import Ask, Offer, TopTold, Wish
from assistant.present.turn_row import Known, turn_row

KNOWN = Known(load_ladies())

STARTED = SessionStarted(
    frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS}),
    pawn=Location.CORNHILL,
    poet=Location.CLERKENWELL,
    suit=Suit.ROSE,
    top=Shown.COMMERCIAL,
)


class Played:
    """A game in memory."""

    def __init__(self, *events: Event) -> None:
        self.log: list[Recorded] = []
        for event in events:
            self.add(event)

    def add(self, event: Event) -> Seq:
        seq = Seq(len(self.log) + 1)
        self.log.append(Recorded(seq, "2026-01-02T20:15:00+00:00", event))
        return seq

    @property
    def state(self) -> State:
        return fold(load_board(), self.log)


def clock(stamp: str) -> str:
    return stamp[11:16]


def chosen(question: Ask, chance: random.Random, avoid: str = "") -> Event | None:
    """Answer a question and those it leads to by lot; None where it leads out of the game."""
    then: Event | Ask | Wish | TopTold = question
    while isinstance(then, Ask):
        if then.number is not None:
            then = then.number(chance.randrange(-9, 90))
            continue
        offers = [offer for offer in then.offers if offer.key not in avoid] or list(then.offers)
        if not offers:
            return None
        then = chance.choice(offers).open()
    return None if isinstance(then, Wish | TopTold) else then


def random_game(
    seed: int, started: SessionStarted, avoid: str = "l"
) -> Iterator[tuple[Played, Event]]:
    """Play by lot through the questions alone; give the game before each act, and the act."""
    chance, played = random.Random(seed), Played(started)
    for _ in range(260):
        event = chosen(turn_row(played.state, KNOWN), chance, avoid)
        if event is None:
            return
        yield played, event
        played.add(event)


def last_of(moves: Iterator[tuple[Played, Event]]) -> Played:
    """Return a game played to its end."""
    *_, (played, _) = moves
    return played


def offered(question: Ask, label: str) -> Offer:
    """Return the offer whose words begin so."""
    return next(offer for offer in question.offers if offer.label.startswith(label))


def followed(question: Ask, *labels: str) -> Event:
    """Return what a row of answers leads to."""
    then: object = question
    for label in labels:
        assert isinstance(then, Ask), then
        then = offered(then, label).open()
    assert not isinstance(then, Ask | Wish), then
    return then  # type: ignore[return-value]  # an offer leads to nothing else
