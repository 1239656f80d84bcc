"""Questions about symbols, traits, suits and marks, each a chain of plain choices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from assistant.core.events import Event
from assistant.core.stealth import Shown
from assistant.core.suits import DARKER_SUITS, Clue, LadyCard, Mark, Suit, Trait, parse_counts
from assistant.core.terms import Feature
from assistant.present.choices import Ask, Offer, ask, even_ask
from assistant.present.event_words import trait_words

Then = Event | Ask

#: The marks that clue cards have or could have; and more where three Ladies are of one suit.
MARKS = ("0", "1", "2", "3", "0/1", "0/2", "0/3", "1/2", "1/3", "2/3")
MARKS_OF_THREE = ("0/1/2", "0/1/3", "0/2/3", "1/2/3")

_FEATURES = frozenset(feature.value for feature in Feature)

#: Traits are picked three at a time.
_THREE = 3


def feature_offers(then: Callable[[Feature], Then]) -> list[Offer]:
    """Return an offer for each of the seven features, in printed order, keys 1 to 7."""
    return [
        Offer(feature.value, partial(then, feature), picture=feature.value) for feature in Feature
    ]


def shown_offers(then: Callable[[Shown], Then], likely: Shown | None = None) -> list[Offer]:
    """Return an offer for what the top of the stealth deck may show; a likely one comes first.

    Keys: 1 to 7 the symbols, 8 fog, 0 not noted, whatever comes first.
    """
    offers = []
    for number, shown in enumerate(Shown, start=1):
        label = "not noted" if shown is Shown.UNSEEN else shown.value
        key = "0" if shown is Shown.UNSEEN else str(number)
        picture = None if shown is Shown.UNSEEN else shown.value
        offers.append((shown, Offer(label, partial(then, shown), key, picture)))
    first = likely or Shown.UNSEEN
    return [offer for _, offer in sorted(offers, key=lambda pair: pair[0] is not first)]


def shown_chain(
    title: Callable[[int], str],
    count: int,
    then: Callable[[tuple[Shown, ...]], Then],
    likely: Callable[[int], Shown | None] = lambda _: None,
    so_far: tuple[Shown, ...] = (),
) -> Then:
    """Return the question after each of several new tops of the stealth deck, one by one.

    Args:
        title: the question for the number of the top, from 1.
        count: how many tops there are.
        then: what all of them together lead to.
        likely: what the top of a number (from 1) shows where that is known from earlier.
        so_far: the tops told already.
    """
    if len(so_far) == count:
        return then(so_far)
    number = len(so_far) + 1

    def onward(shown: Shown) -> Then:
        return shown_chain(title, count, then, likely, (*so_far, shown))

    known = likely(number)
    offers = shown_offers(onward, known)
    if known is Shown.FOG:
        offers = offers[:1]  # fog lies there for certain, and nowhere else
    else:
        offers = [offer for offer in offers if offer.picture != Shown.FOG.value]
    return about_deck(ask(title(number), offers))


def about_deck(asked: Ask) -> Ask:
    """Return a question after the top of the stealth deck as one that its card may answer.

    Where only one answer is left (fog lies there for certain) nothing needs to be shown.
    """
    symbols = [offer for offer in asked.offers if offer.picture in _FEATURES]
    return replace(asked, is_about_deck=len(symbols) > 1)


def shown_to_camera(asked: Ask, feature: Feature) -> Ask:
    """Return a question about the deck with the landmark that the camera sees as first answer.

    It is offered, not taken: the large key confirms it. Another question stays as it is.
    """
    seen = [offer for offer in asked.offers if offer.picture == feature.value]
    if not asked.is_about_deck or not seen:
        return asked
    rest = [offer for offer in asked.offers if offer.picture != feature.value]
    words = f"{feature.value.capitalize()} on the stealth deck?"
    return replace(asked, title=words, note="So the camera sees it: space takes it.",
                   offers=(*seen, *rest), is_even=False)  # fmt: skip


def traits_ask(
    title: str,
    then: Callable[[frozenset[Trait]], Then],
    so_far: frozenset[Trait] = frozenset(),
    but: Collection[frozenset[Trait]] = (),
) -> Ask:
    """Return the question after three traits, one after the other, in any order.

    Triples that it cannot be, `but`, are not led to.
    """
    note = f"so far: {trait_words(so_far)}" if so_far else ""

    def onward(trait: Trait) -> Then:
        picked = so_far | {trait}
        return then(picked) if len(picked) == _THREE else traits_ask(title, then, picked, but)

    offers = [
        Offer(trait.value, partial(onward, trait), _trait_key(trait), trait.value)
        for trait in Trait
        if trait not in so_far and so_far | {trait} not in but
    ]
    return even_ask(title, offers, note)


def _trait_key(trait: Trait) -> str:
    return str(list(Trait).index(trait) + 1)


def suit_offers(suits: Sequence[Suit], then: Callable[[Suit], Then]) -> list[Offer]:
    """Return an offer for each suit in play."""
    return [Offer(suit.value, partial(then, suit), picture=suit.value) for suit in suits]


def mark_offers(suit: Suit, then: Callable[[Mark], Then]) -> list[Offer]:
    """Return an offer for each mark that a clue card may show in the row of a suit.

    The key of a single digit is that digit; the rest take what keys are left.
    """
    return [
        Offer(text, partial(then, Mark(suit, parse_counts(text))), text if len(text) == 1 else "")
        for text in (MARKS + MARKS_OF_THREE if suit in DARKER_SUITS else MARKS)
    ]


def clue_ask(
    suit: Suit,
    ladies: Sequence[LadyCard],
    then: Callable[[Clue], Then],
    title: str,
    but: Collection[frozenset[Trait]] = (),
) -> Ask:
    """Return the question after a clue card that lies face up: its traits, then its mark.

    A card of the base game is known by its traits; then all its marks are. `but` are the traits of
    cards that it cannot be.
    """

    def marked(traits: frozenset[Trait]) -> Ask:
        known = [
            Offer(f"{card.clue.name}, as printed", then(card.clue))
            for card in ladies
            if card.clue.traits == traits
        ]
        offers = mark_offers(suit, lambda mark: then(Clue(traits, (mark,))))
        words = f"What does the card show in the {suit.value} row?"
        return ask(words, [*known, *offers]) if known else even_ask(words, offers)

    return traits_ask(title, marked, but=but)
